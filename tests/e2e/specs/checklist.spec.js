// @ts-check
import { test, expect } from '../fixtures.js';
import { sampleFile } from '../sample-files.js';

test('the next step stays in sight and moves on with the ticks', async ({ planner }) => {
  const { result, page } = planner;
  await planner.open();
  await planner.evidence.give(await sampleFile('status.txt'));
  await expect(result.steps).not.toHaveCount(0);
  const first = await result.nextStep.innerText();
  await result.nextStep.click();
  await expect(page.locator('.step.next input[type=checkbox]')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(result.nextStep).not.toHaveText(first);
  await expect(page.locator('.next-line')).toContainText(/^Next: .*1 of \d+ done$/s);
});

test('owner, time and note stand beside a step, survive a reload and go along in the export', async ({ planner }) => {
  const { result } = planner;
  await planner.open();
  await planner.evidence.give(await sampleFile('status.txt'));
  const step = result.steps.first();
  await step.getByRole('checkbox').check();
  const record = step.locator('.record');
  await expect(record.locator('summary')).toContainText(/\d{4}-\d\d-\d\d \d\d:\d\d/);
  await record.locator('summary').click();
  await record.getByLabel('Owner').fill('ana');
  await record.getByLabel('Note').fill('took two tries');
  await expect(record.locator('summary')).toContainText('took two tries');
  await planner.page.waitForTimeout(600);
  await planner.reload();
  await expect(record.locator('summary')).toContainText(/^ana, .*: took two tries/);
  await expect(step.getByRole('checkbox')).toBeChecked();
  const report = JSON.parse(await result.copied('Copy JSON'));
  expect(report.checklist[0].steps[0].record).toMatchObject({ done: true, owner: 'ana', note: 'took two tries' });
});

test('c copies the commands of the step that has the focus', async ({ planner }) => {
  const { result, page } = planner;
  await planner.open();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await planner.openSample('v2 API on');
  const step = result.steps.filter({ has: page.locator('.cmd') }).first();
  await step.getByRole('checkbox').focus();
  await page.keyboard.press('c');
  await step.getByText('copied', { exact: true }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await step.locator('.cmd code').innerText());
});

test('a result pasted at its step becomes evidence named after the step', async ({ planner }) => {
  const { evidence, result, page } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await expect(result.steps).not.toHaveCount(0);
  await page.evaluate(() => document.querySelectorAll('.phase').forEach((fold) => (/** @type {HTMLDetailsElement} */ (fold).open = true)));
  const step = page.locator('[data-step$="/right-before/health"]');
  await step.getByRole('textbox', { name: /^Result of step/ }).focus();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), await sampleFile('members.txt'));
  await page.keyboard.press('Control+V');
  await expect(evidence.paste(/^step \d+ health/)).toContainText('member list');
});
