// @ts-check
import { accessibilityFindings } from '../axe.js';
import { test, expect } from '../fixtures.js';
import { sampleFile } from '../sample-files.js';

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`axe finds nothing on a verdict with everything open, ${colorScheme}`, async ({ planner }) => {
    await planner.page.emulateMedia({ colorScheme });
    await planner.open();
    await planner.openSample('v2 API on');
    await expect(planner.result.sentence).toContainText('Blocked');
    await planner.page.evaluate(() => document.querySelectorAll('details').forEach((fold) => (fold.open = true)));
    await expect(planner.page.getByRole('region', { name: /^Text of / }).first()).toBeVisible();
    expect(await accessibilityFindings(planner.page)).toEqual([]);
  });
}

test('nothing runs out of the window, however wide it is', async ({ planner }) => {
  const { page, result } = planner;
  // Two columns begin at 861; below 1280 the right one is too narrow for the matrix as a table.
  const fits = async () => {
    for (const width of [320, 375, 700, 861, 1100, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await planner.overflow(), `${width} px`).toBe(0);
    }
  };
  await planner.open();
  await fits();
  await planner.openSample('v2 API on');
  await expect(result.sentence).toContainText('Blocked');
  await page.evaluate(() => document.querySelectorAll('details').forEach((fold) => (fold.open = true)));
  await fits();
  // It has every column of the matrix but one.
  await planner.openSample('Half-way through');
  await expect(result.sentence).toContainText("Can't tell");
  await fits();
});

test('on a phone the evidence comes first until there is a verdict', async ({ planner }) => {
  await planner.page.setViewportSize({ width: 375, height: 800 });
  await planner.open();
  const top = async (/** @type {import('@playwright/test').Locator} */ part) => (await part.boundingBox())?.y ?? NaN;
  const { evidence, result } = planner;
  expect(await top(evidence.root)).toBeLessThan(await top(result.root));
  await evidence.give(await sampleFile('status.txt'));
  await expect(result.sentence).toBeVisible();
  expect(await top(result.root)).toBeLessThan(await top(evidence.root));
});

test('by keyboard alone from paste to the copied checklist', async ({ planner }) => {
  const { page, evidence, result } = planner;
  await planner.open();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const status = await sampleFile('status.txt');
  await page.evaluate((text) => navigator.clipboard.writeText(text), status);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(evidence.box).toBeFocused();
  await page.keyboard.press('Control+V');
  await expect(result.sentence).toBeFocused();
  const button = result.root.getByRole('button', { name: 'Copy as Markdown' });
  for (let presses = 0; presses < 200 && !(await button.evaluate((b) => b === document.activeElement)); presses += 1) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await result.root.getByText('copied', { exact: true }).waitFor();
  const markdown = await page.evaluate(() => navigator.clipboard.readText());
  expect(markdown).toContain('- [ ]');
  expect(markdown).toContain(await result.sentence.innerText().then((text) => text.replace(/^\S+\s+/, '').trim()));
});

test('copied JSON is the report', async ({ planner }) => {
  await planner.open();
  await planner.openSample('Healthy');
  const report = JSON.parse(await planner.result.copied('Copy JSON'));
  expect(report.schema).toBe(1);
  expect(report.members).toHaveLength(3);
  await expect(planner.result.sentence).toContainText(report.summary);
});

test('on paper every fold is open and no control is left', async ({ planner }) => {
  await planner.open();
  await planner.openSample('Healthy');
  await expect(planner.result.steps).not.toHaveCount(0);
  const shut = planner.result.root.locator('details:not([open]):visible');
  await expect(shut).not.toHaveCount(0);
  await planner.page.emulateMedia({ media: 'print' });
  await planner.page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(shut).toHaveCount(0);
  for (const step of await planner.result.steps.all()) await expect(step).toBeVisible();
  await expect(planner.result.root.getByRole('button', { name: /copy/i })).toHaveCount(0);
  await expect(planner.evidence.root).toBeHidden();
  await planner.page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(shut).not.toHaveCount(0);
});

test('the verdict is the first thing in the document after the intent', async ({ planner }) => {
  await planner.open();
  await planner.openSample('v2 API on');
  await expect(planner.result.sentence).toContainText('Blocked');
  const lines = await planner.result.root.evaluate((main) => /** @type {HTMLElement} */ (main).innerText.split('\n').filter(Boolean));
  expect(lines[0]).toContain('Blocked');
  expect(lines[1]).toMatch(/^Reason: /);
  expect(lines[2]).toMatch(/^Next: /);
});

test('a screen reader gets verdict, reason and next step in the first three lines', async ({ planner }) => {
  await planner.open();
  for (const title of ['Healthy', 'v2 API on', 'Half-way through']) {
    await planner.openSample(title);
    await expect(planner.result.sentence).toBeVisible();
    const tree = await planner.result.root.ariaSnapshot();
    const lines = tree.split('\n').filter((line) => /heading|paragraph/.test(line));
    // A line with an apostrophe is quoted, and the apostrophe doubled.
    expect(lines[0], title).toMatch(/heading \\?"(Ready|Blocked|Can.{1,2}t tell yet).*" \[level=1\]/);
    expect(lines[1], title).toContain('Reason: ');
    expect(lines[2], title).toContain('Next: ');
  }
});
