// @ts-check
import { test, expect } from '../fixtures.js';
import { sampleFile } from '../sample-files.js';

test('the empty page offers the script that collects everything', async ({ planner }) => {
  await planner.open();
  const { page } = planner;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'copy the collect script' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^#!\/bin\/sh\n/);
  await expect(planner.main).toContainText('sudo sh etcd-collect.sh');
});

test('each paste is an entry of its own that says what it was read as', async ({ planner }) => {
  const { evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'), await sampleFile('members.txt'));
  await expect(evidence.paste('paste 1')).toContainText('endpoint status (table)');
  await expect(evidence.paste('paste 1')).toContainText('3 members');
  await expect(evidence.paste('paste 2')).toContainText('member list');
});

test('a paste is taken wherever the focus is, and typing in the box is not lost to it', async ({ planner }) => {
  const { evidence } = planner;
  await planner.open();
  await evidence.box.fill('half a line of my own');
  await evidence.giveAnywhere(await sampleFile('status.txt'));
  await expect(evidence.pastes).toHaveCount(1);
  await expect(evidence.box).toHaveValue('half a line of my own');
  await evidence.box.press('Control+Enter');
  await expect(evidence.pastes).toHaveCount(2);
  await expect(evidence.box).toHaveValue('');
  await expect(evidence.paste('paste 2')).toContainText('nothing recognised');
  await expect(evidence.paste('paste 2').locator('.unread')).toContainText('line 1 unread');
});

test('files are opened and dropped, and keep their names', async ({ planner }) => {
  const { evidence } = planner;
  await planner.open();
  await evidence.open(
    { name: 'status.txt', text: await sampleFile('status.txt') },
    { name: 'members.txt', text: await sampleFile('members.txt') },
  );
  await expect(evidence.paste('status.txt')).toContainText('endpoint status');
  await expect(evidence.paste('members.txt')).toContainText('member list');
  await evidence.drop('etcd.service', await sampleFile('m1.service'));
  await expect(evidence.paste('etcd.service')).toContainText('server flags');
});

test('a large file is read in chunks and whole', async ({ planner }) => {
  const { evidence } = planner;
  await planner.open();
  const noise = `${'x'.repeat(99)}\n`.repeat(90_000);
  await evidence.drop('large.log', `${noise}${await sampleFile('status.txt')}`);
  await expect(evidence.paste('large.log')).toContainText('endpoint status', { timeout: 20_000 });
  await expect(planner.result.members).toHaveCount(3);
});

test('a paste is removed and put back to its place', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'), await sampleFile('members.txt'));
  await evidence.paste('paste 1').getByRole('button', { name: 'Remove paste 1' }).click();
  await expect(evidence.pastes).toHaveCount(1);
  await evidence.undo.click();
  await expect(evidence.pastes.first()).toContainText('endpoint status');
  await expect(result.members).toHaveCount(3);
});

test('name, kind and member are corrected by hand', async ({ planner }) => {
  const { evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  const paste = evidence.pastes.first();
  await paste.locator('summary').click();
  await paste.getByLabel('Name').fill('Monday');
  await paste.getByLabel('Name').press('Tab');
  await expect(paste.locator('.name')).toHaveText('Monday');
  await paste.getByLabel('Kind').selectOption({ label: 'member list' });
  await expect(paste).toContainText('nothing recognised');
  await paste.getByLabel('Kind').selectOption({ label: 'as recognised' });
  await expect(paste).toContainText('endpoint status');
  await paste.getByLabel('Member', { exact: true }).fill('m9');
  await paste.getByLabel('Member', { exact: true }).press('Tab');
  await expect(paste.locator('.about')).toHaveText('m9 3.5.33');
});

test('work survives a reload, and clearing leaves nothing', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await evidence.answer('snapshot-taken', 'in the plan');
  await evidence.box.fill('not added yet');
  await result.steps.first().getByRole('checkbox').check();
  await planner.reload();
  await expect(evidence.paste('paste 1')).toContainText('endpoint status');
  await expect(evidence.box).toHaveValue('not added yet');
  await expect(result.steps.first().getByRole('checkbox')).toBeChecked();
  await expect(evidence.question('snapshot-taken').getByRole('button', { name: 'in the plan' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );

  await evidence.root.getByRole('button', { name: 'Clear everything' }).click();
  await evidence.root.getByRole('button', { name: 'clear everything', exact: true }).click();
  await expect(evidence.pastes).toHaveCount(0);
  await expect(evidence.box).toHaveValue('');
  expect(await planner.page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await planner.reload();
  await expect(evidence.pastes).toHaveCount(0);
});

test('a text too large to keep is said, and stays until the page closes', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  await evidence.drop('huge.log', `${await sampleFile('status.txt')}${'y'.repeat(12_000_000)}`);
  await expect(evidence.paste('huge.log')).toContainText('a reload loses it', { timeout: 20_000 });
  await expect(result.members).toHaveCount(3);
});

test('a sample leaves the person’s own work alone', async ({ planner }) => {
  const { evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await planner.openSample('v2 API on');
  await expect(evidence.pastes).toHaveCount(7);
  await planner.page.getByRole('button', { name: 'close the sample' }).click();
  await expect(evidence.pastes).toHaveCount(1);
  await planner.openSample('Healthy');
  await planner.reload();
  await expect(evidence.pastes).toHaveCount(1);
  await planner.openSample('Healthy');
  await evidence.give(await sampleFile('members.txt'));
  await expect(evidence.pastes).toHaveCount(2);
});
