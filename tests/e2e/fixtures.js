// @ts-check
import { test as base, expect } from '@playwright/test';
import { PlannerPage } from './pages/planner-page.js';
import { Watch } from './watch.js';

/**
 * The test function of all specs. Besides Playwright's own it gives
 *
 * - `form`: which form of the page this project tests, `hosted` or `single-file`;
 * - `watch`: what was requested and complained about. Every test fails when the page requested anything after it
 *   was ready, or put an error or warning on the console that the test did not expect;
 * - `planner`: the page, not opened yet.
 *
 * @type {import('@playwright/test').TestType<
 *   import('@playwright/test').PlaywrightTestArgs & import('@playwright/test').PlaywrightTestOptions &
 *     { form: 'hosted' | 'single-file', watch: Watch, planner: PlannerPage },
 *   import('@playwright/test').PlaywrightWorkerArgs & import('@playwright/test').PlaywrightWorkerOptions>}
 */
export const test = base.extend({
  form: ['hosted', { option: true }],
  watch: [
    async ({ context }, use) => {
      const watch = new Watch(context);
      await use(watch);
      expect(watch.problems, 'errors and warnings on the console').toEqual([]);
      expect(watch.requestsAfterLoad, 'requests after load').toEqual([]);
    },
    { auto: true },
  ],
  planner: async ({ page, watch, form }, use) => {
    const address = form === 'hosted' ? process.env.PLANNER_HOSTED : process.env.PLANNER_SINGLE_FILE;
    if (!address) throw new Error('global-setup.js did not name the address of the page');
    await use(new PlannerPage(page, watch, address));
  },
});

export { expect };
