// @ts-check
import { test, expect } from '../fixtures.js';
import { sampleFile } from '../sample-files.js';

test('an edit is undone, also while the editor shows it', async ({ planner }) => {
  const { evidence } = planner;
  await planner.open();
  const status = await sampleFile('status.txt');
  await evidence.give(status);
  await evidence.edit('paste 1', () => 'nothing etcd prints');
  await expect(evidence.paste('paste 1')).toContainText('nothing recognised');
  await expect(evidence.root.locator('.undo')).toContainText('paste 1 edited.');
  await evidence.undo.click();
  await expect(evidence.paste('paste 1')).toContainText('endpoint status');
  await expect(evidence.paste('paste 1').getByRole('textbox', { name: 'Edit paste 1' })).toHaveValue(status);
  await expect(evidence.undo).toHaveCount(0);
});

test('pastes are put into another order by keyboard, it survives a reload, and is undone', async ({ planner }) => {
  const { page, evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'), await sampleFile('members.txt'), await sampleFile('alarms.txt'));
  const names = evidence.pastes.locator('summary .name');
  await evidence.move('paste 1', 'down');
  await expect(names).toHaveText(['paste 2', 'paste 1', 'paste 3']);
  const down = evidence.paste('paste 1').getByRole('button', { name: 'Move paste 1 down' });
  await down.focus();
  await page.keyboard.press('Enter');
  await expect(names).toHaveText(['paste 2', 'paste 3', 'paste 1']);
  await expect(down).toBeDisabled();
  await page.waitForTimeout(600);
  await planner.reload();
  await expect(names).toHaveText(['paste 2', 'paste 3', 'paste 1']);
  await evidence.move('paste 2', 'down');
  await evidence.undo.click();
  await expect(names).toHaveText(['paste 2', 'paste 3', 'paste 1']);
});

test('name, kind and member are undone one by one, with the keyboard, and corrections survive a reload', async ({ planner }) => {
  const { page, evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  const paste = evidence.pastes.first();
  await paste.locator('summary').click();
  await paste.getByLabel('Name').fill('Monday');
  await paste.getByLabel('Kind').selectOption({ label: 'member list' });
  await paste.getByLabel('Member', { exact: true }).fill('m9');
  await paste.getByLabel('Member', { exact: true }).press('Tab');
  await expect(paste.locator('.about')).toHaveText('m9');
  await page.waitForTimeout(600);
  await planner.reload();
  await expect(paste.locator('.name')).toHaveText('Monday');
  await expect(paste.locator('.about')).toHaveText('m9');
  await expect(paste).toContainText('nothing recognised');

  await paste.locator('summary').click();
  await paste.getByLabel('Name').fill('Tuesday');
  await paste.getByLabel('Name').press('Tab');
  await expect(paste.locator('.name')).toHaveText('Tuesday');
  await paste.getByLabel('Kind').selectOption({ label: 'as recognised' });
  await expect(paste.locator('summary')).toContainText('endpoint status');
  await paste.locator('summary').focus();
  await page.keyboard.press('Control+Z');
  await expect(paste.locator('summary')).toContainText('nothing recognised');
  await page.keyboard.press('Control+Z');
  await expect(paste.locator('.name')).toHaveText('Monday');
  await expect(paste.getByLabel('Name')).toHaveValue('Monday');
});
