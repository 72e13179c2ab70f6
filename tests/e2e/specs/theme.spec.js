// @ts-check
import { accessibilityFindings } from '../axe.js';
import { test, expect } from '../fixtures.js';

for (const theme of ['light', 'dark', 'contrast']) {
  test(`axe finds nothing in the theme ${theme}, which a reload keeps`, async ({ planner }) => {
    const { page } = planner;
    await planner.open();
    await page.getByLabel('Theme').selectOption(theme);
    await planner.reload();
    await expect(planner.root).toHaveAttribute('data-theme', theme);
    await planner.openSample('v2 API on');
    await expect(planner.result.sentence).toContainText('Blocked');
    await page.evaluate(() => document.querySelectorAll('details').forEach((fold) => (fold.open = true)));
    expect(await accessibilityFindings(page)).toEqual([]);
  });
}

test('in forced colours everything is there, and axe finds nothing', async ({ planner }) => {
  await planner.page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await planner.open();
  await planner.openSample('Healthy');
  await expect(planner.result.sentence).toBeVisible();
  expect(await accessibilityFindings(planner.page)).toEqual([]);
});

test('nothing on the page moves by itself', async ({ planner }) => {
  await planner.page.emulateMedia({ reducedMotion: 'reduce' });
  await planner.open();
  await planner.openSample('Healthy');
  expect(await planner.page.evaluate(() => document.getAnimations().length)).toBe(0);
});
