// @ts-check
import { test, expect } from '../../fixtures.js';

/** Files the page starts from, and whether boot.js is still there to say that it can't start. */
const FILES = [
  { name: 'wasm', url: /_bg\.wasm$/, says: true },
  { name: 'glue', url: /\/etcd-upgrade-planner-[^/]*\.js$/, says: true },
  { name: 'boot script', url: /\/boot\.js$/, says: false },
  { name: 'style', url: /\.css$/, says: false },
];

for (const { name, url, says } of FILES) {
  test(`a changed byte in the ${name} is refused`, async ({ page, planner, watch }) => {
    watch.expectProblem(/integrity|Failed to (?:fetch|load)|could not start/i);
    let served = 0;
    await page.route(url, async (route) => {
      const response = await route.fetch();
      const body = Buffer.from(await response.body());
      body[body.length >> 1] ^= 1;
      served += 1;
      await route.fulfill({ response, body });
    });
    // Without the preload, which may be answered by one more fetch: what `import()` brings must be held against its hash.
    await page.route(planner.address, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(/<link rel="modulepreload"[^>]*>/, '') });
    });
    const refused = page.waitForEvent('console', { predicate: (message) => /integrity/i.test(message.text()) });
    await page.goto(planner.address);
    await refused;
    expect(served).toBeGreaterThan(0);
    if (name === 'style') return;
    if (says) await expect(page.locator('html[data-failed]').getByText('The page could not start')).toBeVisible();
    await expect(planner.shell).toBeVisible();
    await expect(planner.root).not.toHaveAttribute('data-ready');
  });
}
