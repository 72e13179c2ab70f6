// @ts-check
// Files of clusters that mean harm are in clusters.spec.js.
import { deflateRawSync } from 'node:zlib';
import { test, expect } from '../fixtures.js';
import { sampleFile } from '../sample-files.js';

/** @param {string} format @param {string | Buffer} payload */
const link = (format, payload) => `#p=${Buffer.concat([Buffer.from(format), Buffer.from(payload)]).toString('base64url')}`;

/** @param {unknown} shared */
const packed = (shared) => link('2', deflateRawSync(JSON.stringify(shared)));

/** What is wrong with a link, and what the page says of it. @type {[string, string][]} */
const BROKEN = [
  ['#p=MX%%%', 'found “%” as character 3'],
  ['#p=', 'empty'],
  ['#p=MXs', 'nothing the page can read'],
  [link('9', 'x'), 'expected format 1 or 2, found 9'],
  [link('1', '[1]'), 'nothing the page can read'],
  [link('1', '{"__proto__": {"hacked": 1}, "intent": "constructor"}'), 'at “intent”: expected what is wanted'],
  [link('1', '{"intent": "upgrade", "to": "../../etc"}'), 'at “to”: expected a version, found “../../etc”'],
  [link('2', 'no deflate at all'), 'expected deflate'],
  [link('2', deflateRawSync(JSON.stringify({ intent: 'upgrade', to: 'x'.repeat(200) })).subarray(0, 20)), 'expected deflate'],
  [link('2', deflateRawSync(Buffer.alloc(300 << 20, '['))), 'unpacks to more than 4 MiB'],
  [link('2', deflateRawSync('['.repeat(1 << 20))), 'nothing the page can read'],
  [packed({ intent: 'upgrade', pastes: Array(90_000).fill({}) }), 'expected are at most 500'],
  [`#p=${'A'.repeat(2_000_001)}`, 'too long'],
];

test('broken and hostile links are refused in words, and lose nothing', async ({ planner }) => {
  const { page, evidence, clusters } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await evidence.box.fill('half a line');
  for (const [fragment, says] of BROKEN) {
    await planner.follow(fragment);
    await expect(page.getByRole('alert').filter({ hasText: 'Your own work is as it was' }), says).toContainText(says);
    await page.getByRole('button', { name: 'dismiss' }).click();
    expect(page.url(), says).toBe(planner.address);
    await expect(evidence.pastes).toHaveCount(1);
  }
  // Longer than any address may be: the browser drops it.
  await planner.follow(`#p=${'A'.repeat(3 << 20)}`);
  await expect(clusters.guestBar).toHaveCount(0);
  await planner.openAt(BROKEN[0][0]);
  await expect(page.getByRole('alert').first()).toContainText(BROKEN[0][1]);
  await expect(evidence.pastes).toHaveCount(1);
  await expect(evidence.box).toHaveValue('half a line');
});

test('what a link carries stays text', async ({ planner }) => {
  const { page, evidence, clusters, result } = planner;
  const script = '<img src=x onerror="globalThis.hacked = 1"><script>globalThis.hacked = 2</script>';
  const paste = { name: `${script}\u202e\n`, kind: '__proto__', member: script, text: `${script}\n${await sampleFile('status.txt')}` };
  const shared = `{"__proto__": {"hacked": 1}, "constructor": {"prototype": {"hacked": 1}}, "intent": "upgrade",
    "rules": ${JSON.stringify(script)}, "rules_of": ${JSON.stringify(script)}, "verdict": "__proto__",
    "open": [${JSON.stringify(`${script}=blocked`)}], "answered": ["auth=${'x'.repeat(9_000)}", "__proto__=1"],
    "pastes": [${JSON.stringify(paste)}], "redacted": true}`;
  await planner.open();
  await evidence.give(await sampleFile('members.txt'));
  await planner.follow(link('2', deflateRawSync(shared)));
  await expect(evidence.pastes).toContainText('<img src=x');
  await expect(result.members).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'About this link' })).toContainText('<script>');
  await clusters.guestBar.getByRole('button', { name: 'keep it as a cluster' }).click();
  await planner.reload();
  await expect(evidence.pastes).toContainText('<img src=x');
  expect(await page.evaluate(() => [globalThis.hacked, /** @type {any} */ ({}).hacked])).toEqual([undefined, undefined]);
  expect(await page.locator('img').count()).toBe(0);
  await clusters.switchTo('cluster 1');
  await expect(evidence.paste('paste 1')).toContainText('member list');
});
