// @ts-check
import { readFile } from 'node:fs/promises';
import { test, expect } from '../fixtures.js';
import { copied } from '../copied.js';
import { sampleFile } from '../sample-files.js';

test('the report from before is kept and set beside the one of now', async ({ planner }) => {
  const { page, evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'), await sampleFile('members.txt'));
  await expect(result.members).toHaveCount(3);
  const dialog = page.getByRole('dialog', { name: 'Closing record' });
  const open = () => page.getByRole('button', { name: 'Closing record' }).click();
  await open();
  await expect(dialog).toContainText('needs a report from before: keep this one now, before you change anything');
  await expect(dialog.getByRole('button', { name: 'Copy as Markdown' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Keep this report as “before”' }).click();
  await expect(dialog).toContainText('Before, ');
  await page.keyboard.press('Escape');

  await evidence.edit('paste 1', (text) => text.replaceAll('3.5.33', '3.6.16'));
  await expect(result.members.first()).toContainText('3.6.16');
  await planner.reload();
  await expect(result.members).toHaveCount(3);
  await open();
  const plain = await copied(planner, 'Copy as Markdown', 'Closing record');
  for (const part of ['Closing record: upgrade 3.5', '3.5.33', '3.6.16', 'm1']) expect(plain).toContain(part);
  await dialog.getByLabel('replace names, hosts, addresses and ids').check();
  const hidden = await copied(planner, 'Copy plain text', 'Closing record');
  expect(hidden).toContain('member-1');
  expect(hidden).not.toMatch(/\bm[123]\b/);
});

test('a report that was saved as JSON is the one from before; what is none is refused', async ({ planner }) => {
  const { page, evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await expect(result.members).toHaveCount(3);
  await page.getByRole('button', { name: 'More formats' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('dialog', { name: 'Formats' }).getByRole('button', { name: 'Save as JSON' }).click();
  const report = await readFile(await (await download).path());
  await page.keyboard.press('Escape');
  const dialog = page.getByRole('dialog', { name: 'Closing record' });
  const load = async (/** @type {Buffer} */ buffer) => {
    if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Closing record' }).click();
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Load a saved report…' }).click();
    await (await chooser).setFiles([{ name: 'report.json', mimeType: 'application/json', buffer }]);
  };
  await load(Buffer.from('{"__proto__": {"date": "x"}}'));
  await expect(evidence.root.locator('.reading [role="alert"]')).toContainText('expected a report that was saved as JSON');
  await load(report);
  await expect(dialog).toContainText('Before, ');
  await dialog.getByRole('button', { name: 'Forget “before”' }).click();
  await expect(dialog).toContainText('needs a report from before');
});
