// @ts-check
import { readFile, readdir, stat } from 'node:fs/promises';
import { test, expect } from '../../fixtures.js';

/** Pictures of the page, to be looked at after a run. @param {string} name */
const shot = (name) => ({ path: `tests/e2e/shots/${name}.png`, fullPage: true });

/** What etcdctl prints of a cluster of so many members. @param {number} members */
function status(members) {
  const row = (/** @type {number} */ at) =>
    `10.0.0.${at + 1}:2379, ${(0xa0c0 + at).toString(16)}01234567890, 3.5.35, 25 kB, ${at === 0}, false, 2, 31, 31, \n`;
  return Array.from({ length: members }, (_, at) => row(at)).join('');
}

test('a picture of every sample is kept', async ({ planner }) => {
  const { page, result } = planner;
  await planner.open();
  await page.screenshot(shot('empty'));
  const samples = page.getByRole('dialog', { name: 'Samples' });
  await page.getByRole('banner').getByRole('button', { name: 'Samples' }).click();
  const titles = await samples.locator('.samples button').allTextContents();
  await page.keyboard.press('Escape');
  expect(titles.length).toBeGreaterThanOrEqual(6);
  for (const title of titles) {
    await planner.openSample(title);
    await expect(result.sentence).not.toHaveText('');
    await page.screenshot(shot(`sample ${title.replace(/[^\w.]+/g, ' ').trim()}`));
  }
});

for (const [name, size, media] of /** @type {const} */ ([
  ['phone', { width: 320, height: 700 }, {}],
  ['dark', { width: 1280, height: 900 }, { colorScheme: 'dark' }],
  ['forced colours', { width: 1280, height: 900 }, { forcedColors: 'active' }],
  ['print', { width: 800, height: 1100 }, { media: 'print' }],
])) {
  test(`a picture of the page is kept, and nothing is cut off: ${name}`, async ({ planner }) => {
    const { page, result } = planner;
    await page.setViewportSize(size);
    await planner.open();
    await planner.openSample('v2 API on');
    await expect(result.sentence).toContainText('Blocked');
    await page.emulateMedia(media);
    if (name === 'print') await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await planner.overflow()).toBeLessThanOrEqual(0);
    await page.screenshot(shot(name));
  });
}

test('a picture of meeting mode is kept', async ({ planner }) => {
  const { page } = planner;
  await planner.open();
  await planner.openSample('v2 API on');
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Meeting mode' });
  await expect(dialog).toContainText('Reason: ');
  await page.screenshot(shot('meeting'));
  await page.keyboard.press('ArrowRight');
  await expect(dialog).toContainText(/step 1 of \d+/);
  await page.screenshot(shot('meeting, first step'));
});

test('at 200 % nothing is cut off and the verdict comes first', async ({ browser, planner }) => {
  // What the browser does at 200 %: half as many pixels of CSS, twice as many of the screen for each.
  const context = await browser.newContext({ viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(planner.address);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.getByRole('banner').getByRole('button', { name: 'Samples' }).click();
  await page.getByRole('dialog', { name: 'Samples' }).getByRole('button', { name: 'v2 API on' }).click();
  await expect(page.getByRole('status', { name: 'Verdict' })).toContainText('Blocked');
  const cut = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(cut).toBeLessThanOrEqual(0);
  await expect(page.getByRole('status', { name: 'Verdict' })).toBeInViewport();
  await page.screenshot(shot('200 percent'));
  await context.close();
});

test('printed, it is a document of A4 pages', async ({ planner }, info) => {
  const { page, result } = planner;
  await planner.open();
  await planner.openSample('Healthy');
  await expect(result.sentence).not.toHaveText('');
  const path = info.outputPath('change.pdf');
  await page.pdf({ path, format: 'A4' });
  const pdf = (await readFile(path)).toString('latin1');
  expect((await stat(path)).size).toBeGreaterThan(20_000);
  const boxes = [...pdf.matchAll(/\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/g)].map((box) => [box[1], box[2]].map(Number));
  expect(boxes.length).toBeGreaterThan(1);
  for (const [width, height] of boxes) {
    // A4 in points; what is left over is the rounding of inches.
    expect(Math.abs(width - 595)).toBeLessThan(2);
    expect(Math.abs(height - 842)).toBeLessThan(2);
  }
});

test('the matrix holds 1 to 9 members, and stays away while none is known', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.page.setViewportSize({ width: 1280, height: 900 });
  await planner.open();
  await evidence.give('No custom content found in v2store.\n');
  await expect(result.sentence).not.toHaveText('');
  await expect(result.members).toHaveCount(0);
  for (const members of [1, 2, 5, 7, 9]) {
    await evidence.give(status(members));
    await expect(result.members).toHaveCount(members);
    expect(await planner.overflow(), `${members} members`).toBeLessThanOrEqual(0);
  }
  await planner.page.screenshot(shot('nine members'));
});

test('back and forward bring the work back', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  await evidence.give(status(3));
  await expect(result.members).toHaveCount(3);
  await planner.leaveAndReturn();
  await expect(result.members).toHaveCount(3);
  await expect(evidence.pastes).toHaveCount(1);
});

test('nothing moves when the wasm arrives', async ({ planner }) => {
  const { page } = planner;
  await page.addInitScript(() => {
    globalThis.moved = 0;
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) globalThis.moved += /** @type {any} */ (shift).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await planner.open();
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  expect(await page.evaluate(() => globalThis.moved)).toBeLessThanOrEqual(0.01);
});

test('no release has the page of components', async ({ planner }) => {
  const dist = new URL('../../../../dist/', import.meta.url);
  const wasm = (await readdir(dist)).filter((name) => name.endsWith('.wasm'));
  expect(wasm).toHaveLength(2);
  for (const name of wasm) {
    const bytes = await readFile(new URL(name, dist));
    expect(bytes.includes('Components of this page'), name).toBe(false);
    // What every release holds, so that the search is known to find things.
    if (name.endsWith('_bg.wasm')) expect(bytes.includes('Skip to the evidence')).toBe(true);
  }
  await planner.openAt('#components');
  await expect(planner.evidence.box).toBeVisible();
});
