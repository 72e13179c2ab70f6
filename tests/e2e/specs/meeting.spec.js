// @ts-check
import { accessibilityFindings } from '../axe.js';
import { test, expect } from '../fixtures.js';

test('meeting mode shows the decision first, then one step at a time, and back leads out of it', async ({ planner }) => {
  const { page, result } = planner;
  await planner.open();
  await planner.openSample('v2 API on');
  const sentence = (await result.sentence.innerText()).trim();
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Meeting mode' });
  await expect(dialog.getByRole('heading')).toHaveText(sentence.replace(/\s+/g, ' '));
  await expect(dialog).toContainText('Reason: ');
  expect(await accessibilityFindings(page)).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await expect(dialog).toContainText(/step 1 of \d+/);
  await expect(dialog.getByRole('heading')).toBeFocused();
  await dialog.getByRole('checkbox').check();
  await page.keyboard.press('End');
  await expect(dialog.getByRole('button', { name: 'On →' })).toBeDisabled();
  await page.keyboard.press('Home');
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(result.steps.first().getByRole('checkbox')).toBeChecked();
  await page.goForward();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(result.sentence).toBeVisible();
});

test('? shows the keys, and they can be turned off', async ({ planner }) => {
  const { page, evidence } = planner;
  await planner.open();
  await page.locator('body').press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toContainText('to the next step');
  await keys.getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await expect(evidence.box).not.toBeFocused();
  await page.keyboard.press('?');
  await keys.getByRole('checkbox').check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await expect(evidence.box).toBeFocused();
});
