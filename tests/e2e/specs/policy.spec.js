// @ts-check
import { test, expect } from '../fixtures.js';

test.beforeEach(async ({ planner, watch }) => {
  watch.expectProblem(/Content Security Policy|Trusted/);
  await planner.open();
});

test('the policy stands before anything it is to hold for', async ({ planner }) => {
  const policy = planner.page.locator('head > meta[charset] + meta[http-equiv="Content-Security-Policy"]');
  await expect(policy).toHaveAttribute('content', /^default-src 'none';/);
});

test('an inline handler is refused', async ({ planner }) => {
  const directives = await planner.violations(() => {
    const button = document.createElement('button');
    document.body.append(button);
    try {
      button.setAttribute('onclick', 'globalThis.ran = true');
    } catch {
      // Refused at once, where the browser guards event handlers by Trusted Types.
    }
    button.click();
  });
  expect(directives.some((name) => ['require-trusted-types-for', 'script-src-attr'].includes(name))).toBe(true);
  expect(await planner.page.evaluate(() => 'ran' in globalThis)).toBe(false);
});

test('markup with a handler or a script is refused', async ({ planner }) => {
  for (const markup of ['<img src="x" onerror="globalThis.ran = true">', '<script>globalThis.ran = true</script>']) {
    const refused = await planner.page.evaluate((html) => {
      try {
        document.body.insertAdjacentHTML('beforeend', html);
        return false;
      } catch (error) {
        return error instanceof TypeError;
      }
    }, markup);
    expect(refused, markup).toBe(true);
  }
  expect(await planner.page.evaluate(() => 'ran' in globalThis)).toBe(false);
});

test('a script element is refused, by text and by address', async ({ planner }) => {
  const refused = await planner.page.evaluate(() =>
    [(script) => (script.text = 'globalThis.ran = true'), (script) => (script.src = './boot.js')].map((fill) => {
      const script = document.createElement('script');
      try {
        fill(script);
        return false;
      } catch (error) {
        return error instanceof TypeError;
      }
    }),
  );
  expect(refused).toEqual([true, true]);
});

test('no policy of Trusted Types can be made, so no text ever becomes markup', async ({ planner }) => {
  const refused = await planner.page.evaluate(() => {
    try {
      globalThis.trustedTypes?.createPolicy('default', { createHTML: (html) => html });
      return !globalThis.trustedTypes;
    } catch (error) {
      return error instanceof TypeError;
    }
  });
  expect(refused).toBe(true);
});
