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
  const ways = planner.main.locator('.ways-back');
  await expect(ways).toContainText('Until the first client writes they can be put back');
  await ways.getByText('As a table').click();
  await expect(ways.getByRole('row', { name: /clients write/ })).toContainText('the window shuts');
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

test('a change of members is said in the sentence, counted step by step, and kept', async ({ planner }) => {
  const { page, main } = planner;
  await planner.open();
  await planner.evidence.give(await sampleFile('status.txt'), await sampleFile('members.txt'));
  await page.getByLabel('I want to').selectOption('members');
  await expect(planner.result.sentence).toContainText(/Blocked|Can.t tell yet/);
  await page.getByLabel('Change of members').selectOption('replace');
  const whom = page.getByLabel('Which one');
  await whom.selectOption({ index: 2 });
  const replaced = await whom.inputValue();
  await page.getByRole('textbox', { name: 'called' }).fill('m9');
  await page.getByRole('textbox', { name: 'with the peer URL' }).fill('not a URL');
  await page.getByRole('textbox', { name: 'with the peer URL' }).press('Tab');
  await expect(page.getByRole('alert').filter({ hasText: 'expected a URL' })).toBeVisible();
  await page.getByRole('textbox', { name: 'with the peer URL' }).fill('https://192.0.2.99:2380');
  await page.getByRole('textbox', { name: 'with the peer URL' }).press('Tab');
  await expect(main.locator('.quorum')).toContainText('m9 added as a learner');
  await expect(main.locator('.quorum')).toContainText(`${replaced} removed`);
  await expect(main.locator('.checklist')).toContainText('Promote m9');
  expect(await accessibilityFindings(page)).toEqual([]);

  await planner.reload();
  await expect(page.getByLabel('Change of members')).toHaveValue('replace');
  await expect(page.getByLabel('Which one')).toHaveValue(replaced);
  await expect(main.locator('.quorum')).toContainText(`${replaced} removed`);
});

test('an upgrade can be copied as a script that rehearses it', async ({ planner }) => {
  await planner.open();
  await planner.evidence.give(await sampleFile('status.txt'));
  const { page } = planner;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'copy the script that rehearses the upgrade' }).click();
  const script = async () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(script).toMatch(/^#!\/bin\/sh\n/);
  expect(await script()).toContain("\nroute='3.6.");

  await page.getByLabel('I want to').selectOption('health');
  await expect(page.getByRole('button', { name: 'copy the script that rehearses' })).toHaveCount(0);
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
