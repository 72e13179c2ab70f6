// @ts-check
import { readFile } from 'node:fs/promises';
import { test, expect } from '../fixtures.js';
import { copied } from '../copied.js';
import { sampleFile } from '../sample-files.js';

/** A link that was made once. @param {string} name */
const oldLink = async (name) =>
  (await readFile(new URL(`../../fixtures/exports/links/${name}`, import.meta.url), 'utf8')).trim();

/** Opens the fold that makes links. @param {import('../pages/planner-page.js').PlannerPage} planner */
async function openLinks({ page }) {
  await page.getByRole('button', { name: 'More formats' }).click();
  const formats = page.getByRole('dialog', { name: 'Formats' });
  await formats.getByText('A link to this').click();
  return formats;
}

test('a link carries settings only, and opens over the own work without a trace', async ({ planner }) => {
  const { page, clusters, evidence, result } = planner;
  await planner.open();
  await page.getByLabel('I want to').selectOption('health');
  await evidence.give(await sampleFile('status.txt'));
  await expect(result.members).toHaveCount(3);
  await openLinks(planner);
  const link = await copied(planner, 'Copy the link');
  expect(link.startsWith(`${planner.address}#p=`)).toBe(true);
  const carried = Buffer.from(link.split('#p=')[1], 'base64url').toString();
  expect(JSON.parse(carried.slice(1))).toMatchObject({ intent: 'health', pastes: [], verdict: '' });
  expect(carried).not.toMatch(/127\.0\.0\.1|3\.5\.33/);

  await page.getByLabel('I want to').selectOption('upgrade');
  await planner.follow(link);
  await expect(clusters.guestBar).toContainText('settings from a link');
  await expect(page.getByLabel('I want to')).toHaveValue('health');
  await expect(evidence.pastes).toHaveCount(0);
  expect(page.url()).toBe(planner.address);
  await planner.reload();
  await expect(evidence.pastes).toHaveCount(1);
  await expect(page.getByLabel('I want to')).toHaveValue('upgrade');
  await expect(clusters.guestBar).toHaveCount(0);
});

test('pasted text goes along when asked for, with other names unless they are wanted', async ({ planner }) => {
  const { page, clusters, evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'), await sampleFile('members.txt'));
  await expect(result.members).toHaveCount(3);
  const verdict = await result.sentence.textContent();
  const formats = await openLinks(planner);
  await formats.getByLabel('with the pasted text').check();
  await expect(formats.getByText(/^The link has [\d]+ characters\.$/)).toBeVisible();
  await formats.locator('summary', { hasText: /^paste 2, \d+ bytes$/ }).click();
  await expect(formats.locator('pre:visible')).toContainText('member-1');
  await expect(formats.locator('pre:visible')).not.toContainText('m1');
  const hidden = await copied(planner, 'Copy the link');
  await formats.getByLabel('replace names in it').uncheck();
  await expect(formats.getByText('this text go along, as it is')).toBeVisible();
  await expect(formats.getByText(/^The link has/)).toBeVisible();
  const plain = await copied(planner, 'Copy the link');
  expect(plain).not.toBe(hidden);

  await page.keyboard.press('Escape');
  for (const [link, name] of [[hidden, 'member-1'], [plain, 'm1']]) {
    await planner.follow(link);
    await expect(clusters.guestBar).toContainText('work from a link');
    await expect(result.sentence).toHaveText(verdict ?? '');
    await expect(result.members.filter({ hasText: name })).toHaveCount(1);
    await expect(page.getByRole('region', { name: 'About this link' })).toHaveCount(link === hidden ? 1 : 0);
    await page.getByRole('button', { name: 'close it' }).click();
    await expect(evidence.pastes).toHaveCount(2);
  }
});

test('a link that would be too long is refused, and says what to do', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  const noise = Array.from({ length: 9_000 }, (_, at) => Math.sin(at + 1).toString(36)).join('\n');
  await evidence.give(await sampleFile('status.txt'), noise);
  await expect(result.members).toHaveCount(3);
  const formats = await openLinks(planner);
  await formats.getByLabel('with the pasted text').check();
  await expect(formats.getByRole('alert')).toContainText('60000 are the most. Take pastes out');
  await expect(formats.getByRole('button', { name: 'Copy the link' })).toHaveCount(0);
});

test('links of every format open; what older rules said is set beside what rules say now', async ({ planner }) => {
  const { page, clusters, evidence, result } = planner;
  await planner.openAt(await oldLink('1-settings.txt'));
  await expect(clusters.guestBar).toContainText('settings from a link');
  await planner.follow(await oldLink('2-pasted.txt'));
  await expect(evidence.pastes).toHaveCount(2);
  await expect(result.members).toHaveCount(3);
  await planner.openAt(await oldLink('2-older-rules.txt'));
  const about = page.getByRole('region', { name: 'About this link' });
  await expect(about).toContainText('made by rules 2025-01 of 31 Jan 2025');
  await expect(about).toContainText('The verdict was');
  // What is pasted to a link makes it the person's own.
  await evidence.give(await sampleFile('alarms.txt'));
  await expect(clusters.opener).toHaveText('Cluster: work from a link');
  await expect(evidence.pastes).toHaveCount(3);
});
