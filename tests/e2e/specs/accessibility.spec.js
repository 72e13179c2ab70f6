// @ts-check
import { accessibilityFindings } from '../axe.js';
import { test, expect } from '../fixtures.js';

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`axe finds nothing on the page as it opens, ${colorScheme}`, async ({ planner }) => {
    await planner.page.emulateMedia({ colorScheme });
    await planner.open();
    expect(await accessibilityFindings(planner.page)).toEqual([]);
  });
}

test('axe would find a fault', async ({ planner }) => {
  await planner.open();
  await planner.page.evaluate(() => document.body.append(document.createElement('button')));
  expect((await accessibilityFindings(planner.page)).join()).toContain('button-name');
});
