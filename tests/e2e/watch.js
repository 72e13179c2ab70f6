// @ts-check

/** Sees what a page requests and what it complains about, from before its first byte. */
export class Watch {
  /** Requests made after the page said that it is ready. There must be none. @type {string[]} */
  requestsAfterLoad = [];
  /** Errors and warnings on the console, and errors nobody caught. @type {string[]} */
  problems = [];
  #loaded = false;
  /** @type {RegExp[]} */
  #expected = [];
  /** @type {RegExp[]} */
  #allowed = [];

  /** @param {import('@playwright/test').BrowserContext} context */
  constructor(context) {
    context.on('request', (request) => {
      // Addresses inside the page itself: pictures in the style, files the page offers for saving.
      if (this.#loaded && !/^(?:data|blob):/.test(request.url())) {
        if (this.#allowed.some((pattern) => pattern.test(request.url()))) return;
        this.requestsAfterLoad.push(`${request.method()} ${request.url()}`);
      }
    });
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.#problem(message.text());
    });
    context.on('weberror', (error) => this.#problem(String(error.error())));
  }

  /** A page starts to load: requests are its right until `loaded`. */
  loading() {
    this.#loaded = false;
  }

  loaded() {
    this.#loaded = true;
  }

  /** This test provokes complaints like this one. @param {RegExp} pattern */
  expectProblem(pattern) {
    this.#expected.push(pattern);
  }

  /** The address changes: browsers then ask for the icon of the page again, and the page has no say in it. */
  addressChanges() {
    this.#allowed.push(/\/icon-[^/]*\.svg$/);
  }

  /** @param {string} text */
  #problem(text) {
    if (!this.#expected.some((pattern) => pattern.test(text))) this.problems.push(text);
  }
}
