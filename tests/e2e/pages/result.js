// @ts-check

/** The right column: what follows from the evidence. */
export class Result {
  /** @param {import('@playwright/test').Page} page */
  constructor(page) {
    this.page = page;
    this.root = page.getByRole('main');
    this.verdict = this.root.getByRole('status', { name: 'Verdict' });
    this.sentence = this.verdict.getByRole('heading', { level: 1 });
    this.members = this.root.locator('.members tbody tr');
    this.waysBack = this.root.locator('.ways-back');
    this.steps = this.root.locator('.step');
    /** The button that leads to the next step. */
    this.nextStep = this.root.locator('#next-step');
    this.phases = this.root.locator('.phase');
    this.catalogue = this.root.locator('.catalogue');
    this.catalogueRows = this.catalogue.locator('li');
    this.waivers = this.root.locator('.waivers');
  }

  /** Every finding of a gate. @param {string} id */
  gate(id) {
    return this.root.locator(`[data-gate="${id}"]`);
  }

  /** Opens the folded line of an outcome. @param {string} outcome */
  async unfold(outcome) {
    await this.root.locator('.gate.fold > summary', { hasText: outcome }).click();
  }

  /** What a button of the bar at the foot puts on the clipboard. @param {string} name */
  async copied(name) {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await this.root.getByRole('button', { name }).click();
    await this.root.getByText('copied', { exact: true }).waitFor();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }
}
