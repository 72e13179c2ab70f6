// @ts-check
import { accessibilityFindings } from '../axe.js';
import { test, expect } from '../fixtures.js';
import { sampleFile } from '../sample-files.js';

test('a restore shows the worksheet of the bump, and each factor can be given', async ({ planner }) => {
  const { evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await planner.page.getByLabel('I want to').selectOption('restore');
  const worksheet = planner.main.locator('.bump');
  await expect(worksheet).toContainText('Not known yet');
  await worksheet.getByRole('textbox', { name: 'writes per second' }).fill('1500');
  await worksheet.getByRole('textbox', { name: 'age of the backup snapshot' }).fill('7d');
  await worksheet.getByRole('textbox', { name: 'age of the backup snapshot' }).press('Tab');
  await expect(worksheet).toContainText('Bump the revision by 1,000,000,000');
  await expect(worksheet).toContainText('997,920,000');
  await expect(planner.main).toContainText('--bump-revision 1000000000 --mark-compacted');
  expect(await accessibilityFindings(planner.page)).toEqual([]);

  await planner.reload();
  await expect(planner.page.getByLabel('I want to')).toHaveValue('restore');
  await expect(worksheet).toContainText('Bump the revision by 1,000,000,000');
});

test('a downgrade lowers the version before a member is swapped, and says until when it can be cancelled', async ({
  planner,
}) => {
  await planner.open();
  const newer = (await sampleFile('status.txt')).replaceAll(/3\.5\.\d+/g, '3.6.16');
  await planner.evidence.give(newer);
  await planner.page.getByLabel('I want to').selectOption('downgrade');
  await expect(planner.main.locator('.checklist')).toContainText('Lower the version');
  await expect(planner.main.locator('.ways-back')).toContainText('the downgrade can be cancelled until');
  expect(await accessibilityFindings(planner.page)).toEqual([]);
});

for (const intent of ['health', 'flags']) {
  test(`the page can be asked for ${intent}`, async ({ planner }) => {
    await planner.open();
    await planner.evidence.give(await sampleFile('status.txt'), await sampleFile('members.txt'));
    await planner.page.getByLabel('I want to').selectOption(intent);
    await expect(planner.result.sentence).toContainText(/Ready|Blocked|Can.t tell yet/);
    await expect(planner.page.getByLabel('to', { exact: true })).toHaveCount(intent === 'flags' ? 1 : 0);
    expect(await accessibilityFindings(planner.page)).toEqual([]);
  });
}

test('a newer paste shows what changed since the older one', async ({ planner }) => {
  await planner.open();
  const older = await sampleFile('status.txt');
  await planner.evidence.give(older);
  await expect(planner.main.locator('.changes')).toHaveCount(0);
  await planner.evidence.give(older.replaceAll(/3\.5\.\d+/g, '3.6.16'));
  await expect(planner.main.locator('.changes')).toContainText('version 3.5.');
  await expect(planner.main.locator('.changes')).toContainText('→ 3.6.16');
});
