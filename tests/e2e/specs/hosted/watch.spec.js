// @ts-check
import { test, expect } from '../../fixtures.js';

// What every test relies on: the fixture that holds the page to "no request after load" would see one.
test('a request after load is noticed', async ({ planner, watch }) => {
  await planner.open();
  await planner.page.evaluate(() => fetch('./boot.js?again'));
  expect(watch.requestsAfterLoad.splice(0)).toEqual([`GET ${planner.address}boot.js?again`]);
});

test('a complaint on the console is noticed', async ({ planner, watch }) => {
  await planner.open();
  await planner.page.evaluate(() => console.warn('heed me'));
  await expect.poll(() => watch.problems.splice(0)).toEqual(['heed me']);
});
