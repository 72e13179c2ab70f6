// @ts-check
import { test, expect } from '../fixtures.js';
import { sampleFile } from '../sample-files.js';

test('several files dropped at once are an entry each', async ({ planner }) => {
  const { evidence, result } = planner;
  await planner.open();
  await evidence.dropAll(
    { name: 'status.txt', text: await sampleFile('status.txt') },
    { name: 'members.txt', text: await sampleFile('members.txt') },
    { name: 'm1.service', text: await sampleFile('m1.service') },
  );
  await expect(evidence.pastes).toHaveCount(3);
  await expect(result.members).toHaveCount(3);
});

test('a file that is no text is refused with what to give instead', async ({ planner }) => {
  const { evidence } = planner;
  await planner.open();
  await evidence.drop('db', `${'\0'.repeat(16)}and more`);
  await expect(evidence.root.getByRole('alert')).toContainText('Give what etcdctl, etcdutl or ls print of it instead');
  await evidence.root.getByRole('button', { name: 'dismiss' }).click();
  await expect(evidence.root.locator('.reading')).toHaveCount(0);
});

test('10 MB are read in pieces, only lines in sight are drawn, and typing answers', async ({ planner }) => {
  const { page, evidence, result } = planner;
  await planner.open();
  await page.evaluate((status) => {
    // Pictures that the browser painted while the paste was being read: it had its turn.
    globalThis.painted = 0;
    const paint = () => {
      if (document.querySelector('.paste progress') && document.querySelector('.not-yet')) globalThis.painted += 1;
      requestAnimationFrame(paint);
    };
    paint();
    const line = '{"level":"info","ts":"2026-11-30T11:25:00.000Z","caller":"etcdserver/server.go:1","msg":"nothing"}\n';
    const data = new DataTransfer();
    data.items.add(new File([line.repeat(100_000), status], 'etcd.log', { type: 'text/plain' }));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, await sampleFile('status.txt'));
  await expect(result.members).toHaveCount(3);
  expect(await page.evaluate(() => globalThis.painted)).toBeGreaterThan(2);
  await expect(page.locator('.paste progress, .not-yet')).toHaveCount(0);
  const paste = evidence.paste('etcd.log');
  await paste.locator('summary').click();
  const text = page.getByRole('region', { name: 'Text of etcd.log' });
  await expect(text.locator('.line').first()).toBeVisible();
  expect(await text.locator('.line').count()).toBeLessThan(120);
  await text.evaluate((frame) => (frame.scrollTop = frame.scrollHeight));
  await expect(text.locator('.line').last()).toContainText('10000');
  expect(await text.locator('.line').count()).toBeLessThan(120);
  const typing = Date.now();
  await evidence.box.pressSequentially('typed while megabytes lie beside it');
  await expect(evidence.box).toHaveValue('typed while megabytes lie beside it');
  test.info().annotations.push({ type: 'typing', description: `${Date.now() - typing} ms` });
});

test('50 MB that are pasted neither run nor hang nor lose work', async ({ planner }) => {
  const { page, evidence, result } = planner;
  await planner.open();
  await evidence.give(await sampleFile('status.txt'));
  await expect(result.members).toHaveCount(3);
  const took = await page.evaluate(async () => {
    const data = new DataTransfer();
    data.setData('text/plain', '<script>globalThis.hacked = 1</script> __proto__ {"a": [\n'.repeat(900_000));
    const start = performance.now();
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    await new Promise((done) => setTimeout(() => setTimeout(done)));
    return performance.now() - start;
  });
  test.info().annotations.push({ type: 'blocked', description: `${Math.round(took)} ms` });
  console.log(`50 MB blocked the page for ${Math.round(took)} ms`);
  await expect(evidence.paste('paste 2')).toContainText('900000 lines');
  await expect(evidence.paste('paste 2')).toContainText('a reload loses it');
  await expect(result.members).toHaveCount(3);
  expect(await page.evaluate(() => globalThis.hacked)).toBeUndefined();
  await planner.reload();
  await expect(evidence.paste('paste 1')).toContainText('endpoint status');
  await expect(evidence.pastes).toHaveCount(1);
});

test('a question says which gates wait for it, and goes when none does', async ({ planner }) => {
  const { evidence } = planner;
  await planner.open();
  await expect(evidence.root.locator('.answers')).toHaveCount(0);
  await evidence.give(await sampleFile('status.txt'));
  await expect(evidence.question('snapshot-taken').locator('.id')).not.toHaveText('');
  await evidence.answer('snapshot-taken', 'in the plan');
  await expect(evidence.question('snapshot-taken').getByRole('button', { name: 'in the plan' })).toHaveAttribute('aria-pressed', 'true');
});
