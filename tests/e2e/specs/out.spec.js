// @ts-check
import { readFile } from 'node:fs/promises';
import { test, expect } from '../fixtures.js';
import { copied } from '../copied.js';
import { sampleFile } from '../sample-files.js';

test('every format leaves, with names replaced on request', async ({ planner }) => {
  const { page, evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'), await sampleFile('members.txt'));
  await expect(result.members).toHaveCount(3);
  await page.getByRole('button', { name: 'More formats' }).click();
  const formats = page.getByRole('dialog', { name: 'Formats' });

  expect(await copied(planner, 'Copy for Jira')).toMatch(/^h1\. Upgrade 3\.5/);
  expect(await copied(planner, 'Copy CSV')).toMatch(/^what,state,hop,/);
  const plain = await copied(planner, 'Copy plain text');
  expect(plain).toContain('m2');
  expect(plain).toMatch(/127\.0\.0\.1|m1/);

  await formats.getByLabel('replace names, hosts, addresses and ids').check();
  await formats.getByText('What is replaced').click();
  await expect(formats.getByRole('table')).toContainText('member-1');
  const hidden = await copied(planner, 'Copy plain text');
  expect(hidden).toContain('member-1');
  expect(hidden).not.toMatch(/\bm[123]\b/);
  expect(hidden).toContain('3.5.33');

  const words = formats.getByLabel('replace these words too').first();
  await words.fill('evidence, prints');
  await words.press('Tab');
  await expect(formats.getByRole('table')).toContainText('word-2');
  const more = await copied(planner, 'Copy plain text');
  expect(more).toContain('gates need word-1');
  expect(more).toContain('paste what it word-2');
  const download = page.waitForEvent('download');
  await formats.getByRole('button', { name: 'Save the key' }).click();
  expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toMatchObject({ 'word-1': 'evidence' });
});

test('the fields for ServiceNow follow the choices', async ({ planner }) => {
  const { page, evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'), await sampleFile('members.txt'));
  await expect(result.members).toHaveCount(3);
  await page.getByRole('button', { name: 'More formats' }).click();
  const formats = page.getByRole('dialog', { name: 'Formats' });
  await formats.getByText('Fields of a ServiceNow change').click();
  const plan = await copied(planner, 'copy Implementation plan');
  await formats.getByLabel('brief').check();
  const brief = await copied(planner, 'copy Implementation plan');
  expect(brief.length).toBeLessThan(plan.length);
  await formats.getByLabel('replace names, hosts').check();
  await expect.poll(() => copied(planner, 'copy Implementation plan')).toContain('member-1');
});

test('a report is saved as a page of its own that needs no script', async ({ planner }) => {
  const { page, evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await expect(result.members).toHaveCount(3);
  await page.getByRole('button', { name: 'More formats' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('dialog', { name: 'Formats' }).getByRole('button', { name: 'Save as HTML' }).click();
  const html = await readFile(await (await download).path(), 'utf8');
  expect(html).toContain('Content-Security-Policy');
  expect(html).not.toMatch(/<script/i);
  expect(html).toContain('3.5.33');
});
