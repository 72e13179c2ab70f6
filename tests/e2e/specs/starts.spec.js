// @ts-check
import { test, expect } from '../fixtures.js';

test('the page comes up in place of its shell', async ({ planner, form }) => {
  await planner.open();
  await expect(planner.shell).toHaveCount(0);
  await expect(planner.main).toHaveCount(1);
  await expect(planner.main).toBeVisible();
  await expect(planner.page).toHaveTitle(/etcd Upgrade Planner/);
  expect(new URL(planner.page.url()).protocol).toBe(form === 'hosted' ? 'http:' : 'file:');
});

test('the shell is painted before any script runs', async ({ browser, planner }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(planner.address);
  await expect(page.getByText('etcd Upgrade Planner')).toBeVisible();
  await context.close();
});
