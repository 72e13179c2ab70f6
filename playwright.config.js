// @ts-check
import { defineConfig } from '@playwright/test';

// Tests of the built page: `cargo xtask test` builds dist/ and runs them, `npx playwright test` runs them on what lies
// there.
export default defineConfig({
  testDir: 'tests/e2e/specs',
  globalSetup: './tests/e2e/global-setup.js',
  outputDir: 'test-results',
  reporter: [['list']],
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // No test of speed: a busy machine takes its time, a page that hangs is found all the same.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        // Requests of the browser's own would be counted as the page's, so there are none, and no name resolves.
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-domain-reliability',
        '--disable-sync',
        '--no-first-run',
        '--no-pings',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    },
  },
  projects: [
    { name: 'hosted', use: { form: 'hosted' } },
    // The single file has no file beside it: none to request, none to be changed on its way.
    // What is drawn of a verdict does not depend on how the page was loaded.
    {
      name: 'single-file',
      use: { form: 'single-file' },
      testIgnore: ['**/hosted/**', '**/{checklist,gates,meeting,theme}.spec.js'],
    },
  ],
});
