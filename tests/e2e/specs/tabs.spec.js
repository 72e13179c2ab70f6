// @ts-check
import { test, expect } from '../fixtures.js';
import { sampleFile } from '../sample-files.js';

const TOLD = 'Another tab shows this cluster, too.';

test('two tabs on one cluster show each other’s changes, say so, and lose nothing', async ({ planner }) => {
  await planner.open();
  await planner.evidence.give(await sampleFile('status.txt'));
  await planner.page.waitForTimeout(600);
  const other = await planner.openOtherTab();
  await expect(planner.evidence.root).toContainText(TOLD);
  await expect(other.evidence.root).toContainText(TOLD);

  // Both at once, before either has kept its own.
  await planner.evidence.drop('of-one.txt', await sampleFile('members.txt'));
  await other.evidence.drop('of-other.txt', await sampleFile('alarms.txt'));
  for (const tab of [planner, other]) {
    await expect(tab.evidence.pastes).toHaveCount(3);
    await expect(tab.evidence.paste('of-one.txt')).toContainText('member list');
    await expect(tab.evidence.paste('of-other.txt')).toContainText('alarm list');
  }
  await other.result.steps.first().getByRole('checkbox').check();
  await expect(planner.result.steps.first().getByRole('checkbox')).toBeChecked();
  await other.evidence.edit('of-one.txt', () => 'nothing etcd prints');
  await expect(planner.evidence.paste('of-one.txt')).toContainText('nothing recognised');
  await planner.evidence.paste('of-other.txt').getByRole('button', { name: 'Remove of-other.txt' }).click();
  await expect(other.evidence.pastes).toHaveCount(2);

  await other.page.close();
  await expect(planner.evidence.root).not.toContainText(TOLD);
  await planner.reload();
  await expect(planner.evidence.pastes).toHaveCount(2);
});

test('tabs on different clusters leave each other alone', async ({ planner }) => {
  await planner.open();
  await planner.evidence.give(await sampleFile('status.txt'));
  await planner.page.waitForTimeout(600);
  const other = await planner.openOtherTab();
  await other.clusters.press('new');
  await expect(planner.evidence.root).not.toContainText(TOLD);
  await other.evidence.drop('members.txt', await sampleFile('members.txt'));
  await expect(other.evidence.pastes).toHaveCount(1);
  await expect(planner.evidence.pastes).toHaveCount(1);
  await planner.clusters.open();
  await expect(planner.clusters.rows).toHaveCount(2);
  await planner.reload();
  await expect(planner.evidence.paste('paste 1')).toContainText('endpoint status');
});

test('what is cleared in one tab is cleared in the other', async ({ planner }) => {
  await planner.open();
  await planner.evidence.give(await sampleFile('status.txt'));
  await planner.page.waitForTimeout(600);
  const other = await planner.openOtherTab();
  await expect(other.evidence.pastes).toHaveCount(1);
  await planner.evidence.root.getByRole('button', { name: 'Clear everything' }).click();
  await planner.evidence.root.getByRole('button', { name: 'clear everything', exact: true }).click();
  await expect(other.evidence.pastes).toHaveCount(0);
  await other.page.waitForTimeout(600);
  expect(await other.page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test('away and back again finds the work as it was', async ({ planner }) => {
  const { evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await evidence.box.fill('half a line');
  await planner.leaveAndReturn();
  await expect(evidence.paste('paste 1')).toContainText('endpoint status');
  await expect(evidence.box).toHaveValue('half a line');
});
