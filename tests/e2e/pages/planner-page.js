// @ts-check
import { expect } from '@playwright/test';
import { Clusters } from './clusters.js';
import { Evidence } from './evidence.js';
import { Result } from './result.js';

/** The code that the hosted page loads after its first paint. */
export const SECOND_PART = /_second\.wasm$/;

/** The page as a person sees it: specs say what they do, this class knows where it is done. */
export class PlannerPage {
  #watch;

  /**
   * @param {import('@playwright/test').Page} page
   * @param {import('../watch.js').Watch} watch
   * @param {string} address
   */
  constructor(page, watch, address) {
    this.page = page;
    this.address = address;
    this.#watch = watch;
    this.root = page.locator('html');
    /** What is painted before the wasm arrives; gone once the page is up. */
    this.shell = page.locator('#shell');
    this.main = page.getByRole('main');
    this.clusters = new Clusters(page);
    this.evidence = new Evidence(page);
    this.result = new Result(page);
  }

  /** Opens the page and waits until it has loaded all it will ever load. */
  async open() {
    await this.#load(() => this.page.goto(this.address));
  }

  /** Opens the page in place of what is there, with a fragment in its address. @param {string} fragment */
  async openAt(fragment) {
    this.#watch.addressChanges();
    await this.page.goto('about:blank');
    await this.#load(() => this.page.goto(this.address + fragment));
  }

  /** Follows a link to the page from the page itself: nothing is loaded. @param {string} link */
  async follow(link) {
    this.#watch.addressChanges();
    await this.page.evaluate((hash) => {
      location.hash = hash;
    }, link.slice(link.indexOf('#')));
  }

  /**
   * Opens the hosted page while its second part is still under way.
   *
   * @returns {Promise<() => Promise<void>>} lets it arrive
   */
  async openFirstPart() {
    let letGo = () => {};
    const held = new Promise((resolve) => (letGo = () => resolve(undefined)));
    await this.page.route(SECOND_PART, async (route) => {
      await held;
      await route.continue();
    });
    await this.#navigate(() => this.page.goto(this.address));
    await this.shell.waitFor({ state: 'detached' });
    return async () => {
      letGo();
      await this.#ready();
    };
  }

  /** The same page in another tab of the same browser. */
  async openOtherTab() {
    const other = new PlannerPage(await this.page.context().newPage(), this.#watch, this.address);
    await other.open();
    return other;
  }

  /** Opens the page again, as after closing the tab. */
  async reload() {
    await this.#load(() => this.page.reload());
  }

  /** Goes to another page and back again. */
  async leaveAndReturn() {
    await this.#load(async () => {
      await this.page.goto('about:blank');
      await this.page.goBack();
    });
  }

  /** Shows a sample. @param {string} title */
  async openSample(title) {
    await this.page.getByRole('banner').getByRole('button', { name: 'Samples' }).click();
    await this.page.getByRole('dialog', { name: 'Samples' }).getByRole('button', { name: title }).click();
  }

  /** How far the page reaches beyond the right edge of the window, in pixels. */
  overflow() {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }

  /**
   * The directives of the Content-Security-Policy that an attempt inside the page runs into; fails when it runs into
   * none.
   *
   * @param {() => void} attempt
   * @returns {Promise<string[]>}
   */
  async violations(attempt) {
    await this.page.evaluate(() => {
      globalThis.violated = [];
      document.addEventListener('securitypolicyviolation', (event) => globalThis.violated.push(event.effectiveDirective));
    });
    await this.page.evaluate(attempt);
    const violated = () => this.page.evaluate(() => globalThis.violated);
    await expect.poll(violated, 'the policy refuses the attempt').not.toEqual([]);
    return violated();
  }

  /** @param {() => Promise<unknown>} navigate */
  async #load(navigate) {
    await this.#navigate(navigate);
    await this.#ready();
  }

  /** @param {() => Promise<unknown>} navigate */
  async #navigate(navigate) {
    this.#watch.loading();
    await navigate();
  }

  async #ready() {
    await this.page.locator('html[data-ready]').waitFor({ state: 'attached' });
    this.#watch.loaded();
  }
}
