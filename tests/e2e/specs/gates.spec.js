// @ts-check
import { readFile } from 'node:fs/promises';
import { test, expect } from '../fixtures.js';
import { sampleFile } from '../sample-files.js';

test('the catalogue lists every gate with its question and answer, by word and by answer', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await result.catalogue.locator('summary').first().click();
  await expect(result.catalogueRows).not.toHaveCount(0);
  const all = await result.catalogueRows.count();
  expect(all).toBeGreaterThan(80);

  await result.catalogue.getByRole('searchbox').fill('learner');
  await expect(result.catalogueRows.filter({ hasText: 'learner-present' })).toHaveCount(1);
  expect(await result.catalogueRows.count()).toBeLessThan(all / 4);
  await result.catalogue.getByRole('searchbox').fill('');

  await result.catalogue.getByRole('combobox').selectOption('cant-tell');
  await expect(result.catalogueRows.filter({ hasText: 'v2store-not-checked' })).toHaveCount(1);
  await expect(result.catalogueRows.filter({ hasText: 'no-leader' })).toHaveCount(0);
});

test('a warning is accepted with reason, name and date, stays in sight, and goes to a file and back', async ({ planner }) => {
  const { evidence, result, page } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  const gate = result.gate('patch-below-advised');
  await expect(gate).toContainText('Warning');
  await gate.locator('summary').click();
  await gate.getByRole('button', { name: 'Accept this warning' }).click();
  await expect(gate.getByRole('alert')).toContainText('needs a reason and a name');
  await gate.getByLabel('reason').fill('the next patch day');
  await gate.getByLabel('who accepts it').fill('A. Person');
  await gate.getByLabel('until').fill('2099-12-31');
  await gate.getByRole('button', { name: 'Accept this warning' }).click();

  await expect(gate.locator('summary')).toContainText('accepted');
  await result.waivers.locator('summary').click();
  await expect(result.waivers).toContainText('A. Person until 2099-12-31: the next patch day');
  const [download] = await Promise.all([page.waitForEvent('download'), result.waivers.getByRole('link', { name: 'Save as a file' }).click()]);
  const file = await download.path();
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual([
    { gate: 'patch-below-advised', reason: 'the next patch day', name: 'A. Person', until: '2099-12-31' },
  ]);

  await result.waivers.getByRole('button', { name: 'Take back' }).click();
  await expect(gate.locator('summary')).not.toContainText('accepted');
  await result.waivers.locator('input[type=file]').setInputFiles({ name: 'waivers.json', mimeType: 'application/json', buffer: await readFile(file) });
  await expect(gate.locator('summary')).toContainText('accepted');
  await result.waivers.locator('input[type=file]').setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('[{}]') });
  await expect(result.waivers.getByRole('alert')).toContainText('expected a list of waivers');
});

test('the gates are filtered by answer, member and word, and all come back', async ({ planner }) => {
  const { result, page } = planner;
  await planner.open();
  await planner.openSample('v2 API on');
  const filter = page.locator('.filter');
  const fit = page.locator('.fit > .gate');
  await filter.getByLabel('Findings that answer').selectOption('blocked');
  await expect(fit).not.toHaveCount(0);
  for (const gate of await fit.all()) await expect(gate.locator('summary').first()).toContainText('Blocked');
  await filter.getByLabel('Findings that answer').selectOption('');
  await filter.getByLabel('Findings about').selectOption('m2');
  await expect(fit.first().locator('.about').first()).toContainText('m2');
  await page.keyboard.press('Escape');
  await filter.getByRole('searchbox').fill('enable-v2');
  await expect(fit).not.toHaveCount(0);
  await expect(filter.getByRole('status')).toContainText(/\d+ answers? fit/);
  await filter.getByRole('button', { name: 'show all' }).click();
  await expect(fit).toHaveCount(0);
  await expect(result.gate('v2-api-enabled').first()).toBeVisible();
});
