// @ts-check
import { test, expect } from '../fixtures.js';
import { sampleFile } from '../sample-files.js';

test('a flag that keeps the v2 API on blocks, with its line quoted, and goes when the flag goes', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'), await sampleFile('v2store-clean.txt'));
  await evidence.give(await sampleFile('m2-v2-on.service'));
  await expect(evidence.pastes).toHaveCount(3);

  await expect(result.sentence).toContainText('Blocked');
  await expect(planner.page).toHaveTitle(/^Blocked · /);
  const gate = result.gate('v2-api-enabled').filter({ hasText: 'Blocked' }).first();
  await expect(gate).toContainText('Blocked');
  if (!(await gate.locator('.quote').first().isVisible())) await gate.locator('summary').click();
  await expect(gate.locator('.quote').first()).toContainText('--enable-v2=true');
  await expect(gate.locator('mark').first()).toContainText('--enable-v2');

  await evidence.edit('paste 3', (text) => text.replace(' \\\n  --enable-v2=true', ''));
  await expect(result.sentence).not.toContainText('Blocked');
  await expect(gate).toHaveCount(0);
});

test('a ground leads to its line in the paste and marks it', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  const unit = `${'# a comment above\n'.repeat(4_000)}${await sampleFile('m2-v2-on.service')}`;
  await evidence.give(await sampleFile('status.txt'), unit);
  const gate = result.gate('v2-api-enabled').filter({ hasText: 'Blocked' }).first();
  await expect(gate).toContainText('Blocked');
  if (!(await gate.locator('.place').first().isVisible())) await gate.locator('summary').click();
  await gate.locator('.place', { hasText: 'paste 2' }).first().click();

  const lines = evidence.paste('paste 2').getByRole('region', { name: 'Text of paste 2' });
  await expect(lines).toBeFocused();
  const target = lines.locator('.target');
  await expect(target).toBeInViewport();
  await expect(target.locator('mark')).toContainText('--enable-v2');
  // Only what is in sight is drawn.
  expect(await lines.locator('.line').count()).toBeLessThan(100);
});

test('a status alone can’t tell, and says which commands would', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await expect(result.sentence).toContainText(/can.t tell/i);
  await expect(result.members).toHaveCount(3);
  await expect(evidence.asked.filter({ hasText: 'etcdutl check v2store' })).not.toHaveCount(0);
  await expect(evidence.asked.filter({ hasText: 'member list' })).not.toHaveCount(0);
});

const VERDICTS = {
  Healthy: /Ready/,
  'v2 API on': /Blocked/,
  'Learner present': /Blocked/,
  'Half-way through': /Can.t tell yet/,
  'Removed flags': /Blocked/,
  'Two minors on': /Ready/,
};

for (const [title, verdict] of Object.entries(VERDICTS)) {
  test(`sample: ${title}`, async ({ planner }) => {
    await planner.open();
    await planner.openSample(title);
    await expect(planner.result.sentence).toContainText(verdict);
    await expect(planner.result.members).not.toHaveCount(0);
    // Every sample is read to its last line.
    await expect(planner.evidence.root.locator('ul.unread')).toHaveCount(0);
  });
}

test('questions are asked while a gate waits, and their answer decides', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  await expect(evidence.question('snapshot-taken')).toHaveCount(0);
  await evidence.give(await sampleFile('status.txt'));
  await evidence.answer('snapshot-taken', 'in the plan');
  await result.unfold('Passed');
  await expect(result.gate('snapshot-missing')).toContainText('Passed');
  // It stays in reach, to be answered otherwise.
  await evidence.answer('snapshot-taken', 'not known');
  await expect(result.gate('snapshot-missing')).not.toContainText('Passed');
});

test('the target decides the route', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  const target = planner.page.getByLabel('to', { exact: true });
  const one = await result.phases.count();
  await target.selectOption('3.7');
  await expect.poll(() => result.phases.count()).toBeGreaterThan(one);
});
