// @ts-check
import { test, expect } from '../fixtures.js';

// Besides: every test of every spec holds the page to "no request after load", by its fixtures.
test('nothing is requested in the second after load', async ({ planner, watch }) => {
  await planner.open();
  await planner.page.waitForTimeout(1_000);
  expect(watch.requestsAfterLoad).toEqual([]);
});

/** Ways in which a script could carry something out of the page, and the directive that shuts each. */
const WAYS_OUT = {
  fetch: ['connect-src', () => void fetch('https://example.org/').catch(() => {})],
  beacon: ['connect-src', () => void navigator.sendBeacon('https://example.org/', 'x')],
  socket: ['connect-src', () => void new WebSocket('wss://example.org/')],
  picture: ['img-src', () => void (new Image().src = 'https://example.org/x.png')],
  style: [
    'style-src-elem',
    () => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = 'https://example.org/x.css';
      document.head.append(link);
    },
  ],
  frame: [
    'frame-src',
    () => {
      const frame = document.createElement('iframe');
      frame.src = 'https://example.org/';
      document.body.append(frame);
    },
  ],
  form: [
    'form-action',
    () => {
      const form = document.createElement('form');
      form.action = 'https://example.org/';
      document.body.append(form);
      form.submit();
    },
  ],
};

for (const [way, [directive, attempt]] of Object.entries(WAYS_OUT)) {
  test(`the policy shuts the way out by ${way}`, async ({ planner, watch }) => {
    watch.expectProblem(/Content Security Policy|WebSocket/);
    await planner.open();
    expect(await planner.violations(attempt)).toContain(directive);
    // The browser reports some attempts before it refuses them; none reaches a server, as no name resolves here.
    watch.requestsAfterLoad.length = 0;
  });
}
