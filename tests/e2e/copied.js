// @ts-check
import { expect } from '@playwright/test';

/**
 * What a button of a dialog puts on the clipboard.
 *
 * @param {import('./pages/planner-page.js').PlannerPage} planner
 * @param {string} name of the button
 * @param {string} dialog
 */
export async function copied({ page }, name, dialog = 'Formats') {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('dialog', { name: dialog }).getByRole('button', { name, exact: true }).click();
  const text = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(text, `${name} is on the clipboard`).not.toBe('');
  return text();
}
