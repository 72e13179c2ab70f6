// @ts-check
import { test, expect } from '../../fixtures.js';
import { SECOND_PART } from '../../pages/planner-page.js';
import { sampleFile } from '../../sample-files.js';

test('the second part is fetched once, after the first and before the page is ready', async ({ planner }) => {
  /** @type {string[]} */
  const fetched = [];
  planner.page.on('request', (request) => fetched.push(request.url()));
  await planner.open();
  expect(fetched.filter((url) => SECOND_PART.test(url))).toHaveLength(1);
  const place = (/** @type {RegExp} */ file) => fetched.findIndex((url) => file.test(url));
  expect(place(SECOND_PART)).toBeGreaterThan(place(/_bg\.wasm$/));
});

test('what is given while the second part is under way is judged when it is there', async ({ planner }) => {
  const { page, evidence, result } = planner;
  const arrive = await planner.openFirstPart();
  await evidence.give(await sampleFile('status.txt'));
  await evidence.open({ name: 'members.txt', text: await sampleFile('members.txt') });
  await evidence.box.pressSequentially('half a line');
  await page.getByLabel('where etcd is run by').selectOption('k3s-embedded');
  await expect(evidence.pastes).toHaveCount(2);
  await expect(evidence.paste('paste 1')).not.toContainText('nothing recognised');
  await expect(result.sentence).toHaveCount(0);
  await arrive();
  await expect(result.members).toHaveCount(3);
  await expect(evidence.paste('members.txt')).toContainText('member list');
  await expect(page.getByLabel('where etcd is run by')).toHaveValue('k3s-embedded');
  await expect(evidence.box).toHaveValue('half a line');
});

test('everything on the page can be used while the second part is under way', async ({ planner, watch }) => {
  const { page, evidence, result } = planner;
  const arrive = await planner.openFirstPart();
  const kind = page.getByLabel('I want to');
  for (const intent of ['downgrade', 'restore', 'health', 'flags', 'upgrade']) await kind.selectOption(intent);
  await evidence.drop('status.txt', await sampleFile('status.txt'));
  await evidence.paste('status.txt').locator('summary').click();
  await expect(page.getByRole('region', { name: /^Text of / })).toBeVisible();
  await evidence.edit('status.txt', (text) => `${text}\n`);
  await evidence.paste('status.txt').getByRole('button', { name: 'Remove status.txt' }).click();
  await evidence.undo.click();
  await expect(evidence.pastes).toHaveCount(1);
  await planner.openSample('Healthy');
  await page.getByRole('button', { name: 'close the sample' }).click();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')) && dispatchEvent(new Event('afterprint')));
  await expect(evidence.pastes).toHaveCount(1);
  // Until the work was kept, too, which is done after a pause.
  await page.waitForTimeout(1_000);
  await expect(result.sentence).toHaveCount(0);
  // The fixture holds the page to no error on the console; a call into the second part would be one.
  expect(watch.problems).toEqual([]);
  await arrive();
  await expect(result.members).toHaveCount(3);
});

test('work that was kept is shown before the second part is there', async ({ planner }) => {
  const { page, evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await page.getByLabel('where etcd is run by').selectOption('k3s-embedded');
  await expect(result.members).toHaveCount(3);
  const arrive = await planner.openFirstPart();
  await expect(evidence.paste('paste 1')).toBeVisible();
  await expect(page.getByLabel('where etcd is run by')).toHaveValue('k3s-embedded');
  await expect(result.sentence).toHaveCount(0);
  await arrive();
  await expect(result.members).toHaveCount(3);
  // The person did not ask for this verdict; it does not take the focus.
  await expect(result.sentence).not.toBeFocused();
});

test('a changed byte in the second part is refused: the page says so, judges nothing and loses nothing', async ({
  page,
  planner,
  watch,
}) => {
  watch.expectProblem(/integrity|Failed to fetch/i);
  const { evidence, result } = planner;
  await page.route(SECOND_PART, async (route) => {
    const response = await route.fetch();
    const body = Buffer.from(await response.body());
    body[body.length >> 1] ^= 1;
    await route.fulfill({ response, body });
  });
  await page.goto(planner.address);
  await expect(page.getByRole('alert').first()).toContainText('could not load its second part, so it judges nothing');
  await evidence.give(await sampleFile('status.txt'));
  await evidence.box.fill('half a line');
  await page.waitForTimeout(1_000);
  await expect(evidence.paste('paste 1')).toBeVisible();
  await expect(result.sentence).toHaveCount(0);
  await expect(planner.root).not.toHaveAttribute('data-ready');

  await page.unroute(SECOND_PART);
  await planner.reload();
  await expect(result.members).toHaveCount(3);
  await expect(evidence.box).toHaveValue('half a line');
});
