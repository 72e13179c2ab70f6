// @ts-check
import { test, expect } from '../../fixtures.js';
import { PlannerPage } from '../../pages/planner-page.js';
import { sampleFile } from '../../sample-files.js';

test('the page works under any path, and its links stay there', async ({ page, planner, watch }) => {
  const under = new PlannerPage(page, watch, `${planner.address}a/b/`);
  await under.openAt(`#p=${Buffer.from('1{"intent": "health"}').toString('base64url')}`);
  await expect(under.clusters.guestBar).toContainText('settings from a link');
  expect(page.url()).toBe(under.address);
  await under.evidence.give(await sampleFile('status.txt'));
  await expect(under.result.members).toHaveCount(3);
});
