// @ts-check
// Lighthouse over the hosted page: prints the scores and the times, and fails below the
// limits of accessibility and best practices. Times are reported only, the machines are noisy.
import { fileURLToPath } from 'node:url';
import * as chromeLauncher from 'chrome-launcher';
import lighthouse, { generateReport } from 'lighthouse';
import { mkdir, writeFile } from 'node:fs/promises';
import { serve } from './server.js';

/** The least scores, in percent; what is not named is reported. */
const LEAST = { accessibility: 100, 'best-practices': 95 };

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const reports = fileURLToPath(new URL('../../test-results/lighthouse', import.meta.url));

const server = await serve(dist);
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const chrome = await chromeLauncher.launch({
  chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  chromeFlags: [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
});

let failed = false;
try {
  const result = await lighthouse(
    `http://127.0.0.1:${port}/`,
    {
      port: chrome.port,
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility', 'best-practices'],
      // The slow line is applied, not simulated: the simulation takes it that nothing is painted before the wasm is
      // there, and index.html paints a page at once.
      throttlingMethod: 'devtools',
    },
  );
  if (!result) throw new Error('Lighthouse gave no result');
  const { categories, audits } = result.lhr;
  for (const [id, category] of Object.entries(categories)) {
    const score = Math.round((category.score ?? 0) * 100);
    const least = LEAST[/** @type {keyof typeof LEAST} */ (id)];
    const low = least !== undefined && score < least;
    failed ||= low;
    console.log(`${category.title.padEnd(16)} ${String(score).padStart(3)}${least === undefined ? '  reported' : `  at least ${least}`}`);
    if (!low) continue;
    for (const { id: audit } of category.auditRefs) {
      if (audits[audit].score !== null && Number(audits[audit].score) < 1) console.log(`  ${audit}: ${audits[audit].title}`);
    }
  }
  for (const id of ['largest-contentful-paint', 'interactive', 'cumulative-layout-shift', 'total-blocking-time']) {
    console.log(`${audits[id].title.padEnd(26)} ${audits[id].displayValue ?? 'not measured'}`);
  }
  await mkdir(reports, { recursive: true });
  await writeFile(`${reports}/report.html`, generateReport(result.lhr, 'html'));
} finally {
  chrome.kill();
  server.closeAllConnections();
  server.close();
}
process.exit(failed ? 1 : 0);
