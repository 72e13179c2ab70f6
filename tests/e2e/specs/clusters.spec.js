// @ts-check
import { test, expect } from '../fixtures.js';
import { sampleFile } from '../sample-files.js';

test('each cluster has its own work, and a reload shows the one that was on show', async ({ planner }) => {
  const { clusters, evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await expect(result.members).toHaveCount(3);
  await clusters.rename('prod');
  await clusters.press('new');
  await expect(evidence.pastes).toHaveCount(0);
  await clusters.rename('test');
  await planner.page.keyboard.press('Escape');
  await evidence.give(await sampleFile('members.txt'), await sampleFile('alarms.txt'));
  await expect(evidence.pastes).toHaveCount(2);
  await clusters.switchTo('prod');
  await expect(evidence.pastes).toHaveCount(1);
  await clusters.switchTo('test');
  await planner.page.keyboard.press('Escape');
  await planner.reload();
  await expect(clusters.opener).toHaveText('Cluster: test');
  await expect(evidence.pastes).toHaveCount(2);
});

test('a cluster is duplicated; a name that is taken gets a number', async ({ planner }) => {
  const { clusters, evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await clusters.rename('prod');
  await clusters.press('duplicate');
  await expect(clusters.opener).toHaveText('Cluster: prod, copy');
  await clusters.rename('prod');
  await expect(clusters.opener).toHaveText('Cluster: prod 2');
  await expect(clusters.rows).toHaveText(['prod', 'prod 2']);
  await evidence.pastes.getByRole('button', { name: 'Remove paste 1' }).click();
  await clusters.switchTo('prod');
  await expect(evidence.pastes).toHaveCount(1);
});

test('a deleted cluster comes back', async ({ planner }) => {
  const { clusters, evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await clusters.press('new');
  await clusters.rename('test');
  await clusters.press('delete');
  await expect(clusters.opener).toHaveText('Cluster: cluster 1');
  await clusters.press('delete');
  await expect(evidence.pastes).toHaveCount(0);
  await planner.page.keyboard.press('Escape');
  await expect(evidence.root.locator('.undo')).toContainText('Cluster cluster 1 deleted.');
  await evidence.undo.click();
  await expect(evidence.pastes).toHaveCount(1);
  await evidence.undo.click();
  await expect(clusters.opener).toHaveText('Cluster: test');
  await planner.reload();
  await clusters.open();
  await expect(clusters.rows).toHaveText(['cluster 1', 'test']);
});

test('clearing everything clears all clusters, and can be undone until the page is left', async ({ planner }) => {
  const { page, clusters, evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await clusters.press('new');
  await page.keyboard.press('Escape');
  await evidence.give(await sampleFile('members.txt'));
  const clear = async () => {
    await evidence.root.getByRole('button', { name: 'Clear everything' }).click();
    await expect(evidence.root.locator('.clear')).toContainText('all 2 clusters');
    await evidence.root.getByRole('button', { name: 'clear everything', exact: true }).click();
    await expect(evidence.pastes).toHaveCount(0);
  };
  const kept = () => page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  await clear();
  expect(await kept()).toEqual([]);
  await evidence.undo.click();
  await expect(evidence.paste('paste 1')).toContainText('member list');
  await clusters.switchTo('cluster 1');
  await expect(evidence.paste('paste 1')).toContainText('endpoint status');
  await page.keyboard.press('Escape');
  await clear();
  await planner.reload();
  expect(await kept()).toEqual([]);
  await expect(evidence.undo).toHaveCount(0);
});

test('clusters leave as one file and come in beside those that are there', async ({ planner }) => {
  const { clusters, evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await result.steps.first().getByRole('checkbox').check();
  await clusters.rename('prod');
  await clusters.press('new');
  const one = await clusters.saved('save as a file');
  const all = await clusters.saved('save all');
  expect(JSON.parse(one).clusters).toHaveLength(1);
  expect(JSON.parse(all).clusters.map((/** @type {{name: string}} */ c) => c.name).sort()).toEqual(['cluster 1', 'prod']);
  await clusters.import('clusters.json', all);
  await expect(clusters.rows).toHaveText(['prod', 'cluster 1', 'cluster 1 2', 'prod 2']);
  await clusters.switchTo('prod 2');
  await expect(evidence.paste('paste 1')).toContainText('endpoint status');
  await expect(result.steps.first().getByRole('checkbox')).toBeChecked();
  await planner.page.keyboard.press('Escape');
  // Dropped on the page it is the same.
  await evidence.drop('prod.clusters.json', one);
  await expect(clusters.opener).toHaveText('Cluster: cluster 1 3');
});

test('a hostile or broken file of clusters neither runs nor hangs nor loses work', async ({ planner }) => {
  const { page, clusters, evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  const problem = evidence.root.locator('.reading [role="alert"]');
  const format = '"format": "etcd-upgrade-planner-clusters"';
  const refuse = async (/** @type {string} */ content, /** @type {string} */ says) => {
    await clusters.import('clusters.json', content);
    await expect(problem).toContainText(says);
    await page.keyboard.press('Escape');
    await evidence.root.getByRole('button', { name: 'dismiss' }).click();
    await expect(evidence.pastes).toHaveCount(1);
    await expect(clusters.opener).toHaveText('Cluster: cluster 1');
  };
  await refuse('{"schema": 1}', 'no file of clusters');
  await refuse(`{${format}, "version": 99, "clusters": [{}]}`, 'A newer page wrote it');
  await refuse(`{${format}, "clusters": [{"name": "a"`, 'cut or changed');
  await refuse(`{${format}, "clusters": ${'['.repeat(200_000)}`, 'cut or changed');
  await refuse(`{${format}, "clusters": [${'{},'.repeat(5_000)}{}]}`, 'more than 500');

  const script = '<img src=x onerror="globalThis.hacked = 1">';
  const paste = { name: script, kind: '__proto__', member: script, text: `${script}\n${await sampleFile('status.txt')}` };
  const hostile = `{${format}, "__proto__": {"hacked": 1}, "constructor": {"prototype": {"hacked": 1}}, "clusters":
    [{"name": ${JSON.stringify(script)}, "pastes": [${JSON.stringify(paste)}], "answered": ["auth=${'x'.repeat(9_000)}"],
      "records": {"__proto__": {"done": true}}, "to": "../../etc", "intent": "constructor"}]}`;
  await clusters.import('clusters.json', hostile);
  await expect(clusters.opener).toContainText('<img');
  await expect(evidence.pastes).toContainText(script);
  await expect(planner.result.members).toHaveCount(3);
  expect(await page.evaluate(() => [globalThis.hacked, /** @type {any} */ ({}).hacked])).toEqual([undefined, undefined]);
  expect(await page.locator('img').count()).toBe(0);
  await clusters.switchTo('cluster 1');
  await expect(evidence.pastes).toHaveCount(1);
});

test('a file of clusters of 50 MB is refused, and the page stays as it was', async ({ planner }) => {
  const { page, evidence, clusters } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await page.evaluate(() => {
    const text = `{"format": "etcd-upgrade-planner-clusters", "clusters": [{"draft": "${'x'.repeat(50 << 20)}"}]}`;
    const data = new DataTransfer();
    data.items.add(new File([text], 'huge.json'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await expect(evidence.root.locator('.reading [role="alert"]')).toContainText('at most 32 MiB');
  await expect(evidence.pastes).toHaveCount(1);
  await expect(clusters.opener).toHaveText('Cluster: cluster 1');
});

test('what an older page kept without a name is there', async ({ planner }) => {
  const { page, clusters, evidence } = planner;
  const status = await sampleFile('status.txt');
  await page.addInitScript((text) => {
    if (localStorage.length > 0) return;
    localStorage.setItem('etcd-upgrade-planner/1/work', '{"pastes": [{"id": 31, "name": "Monday"}], "done": ["x"]}');
    localStorage.setItem('etcd-upgrade-planner/1/text/1f', text);
  }, status);
  await planner.open();
  await expect(evidence.paste('Monday')).toContainText('endpoint status');
  await expect(clusters.opener).toHaveText('Cluster: cluster 1');
  await planner.reload();
  await expect(evidence.paste('Monday')).toContainText('endpoint status');
});

test('a sample can be kept as a cluster of one’s own', async ({ planner }) => {
  const { clusters, evidence } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await planner.openSample('v2 API on');
  await clusters.guestBar.getByRole('button', { name: 'keep it as a cluster' }).click();
  await expect(clusters.opener).toHaveText('Cluster: v2 API on');
  await planner.reload();
  await expect(evidence.pastes).toHaveCount(7);
  await clusters.switchTo('cluster 1');
  await expect(evidence.pastes).toHaveCount(1);
});
