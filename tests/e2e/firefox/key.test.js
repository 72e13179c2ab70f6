// @ts-check
// The key specs once more in Firefox, by WebDriver BiDi: both forms of the page come up, judge, keep the work, stay
// within their policy and ask for nothing. `node --test tests/e2e/firefox/key.test.js` runs them on what lies in dist/.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';
import { sampleFile } from '../sample-files.js';
import { serve } from '../server.js';

const dist = fileURLToPath(new URL('../../../dist', import.meta.url));
/** No test of speed: a busy machine takes its time. */
const PATIENCE = 40_000;

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {import('node:http').Server} */
let server;
/** @type {Record<string, string>} */
const addresses = { 'single file': pathToFileURL(`${dist}/etcd-upgrade-planner.html`).href };

before(async () => {
  server = await serve(dist);
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  addresses.hosted = `http://127.0.0.1:${port}/`;
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    extraPrefsFirefox: { 'browser.cache.disk.enable': false, 'network.captive-portal-service.enabled': false },
  });
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/** The page in a tab of its own, with what it asked for and complained about. */
class Tab {
  /** @type {string[]} */
  complaints = [];
  /** @type {string[]} */
  requests = [];
  #loaded = false;

  /** @param {import('puppeteer-core').Page} page @param {string} address */
  constructor(page, address) {
    this.page = page;
    this.address = address;
    page.on('console', (message) => {
      if (['error', 'warn', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('request', (request) => {
      if (this.#loaded && !/^(?:data|blob):/.test(request.url())) this.requests.push(request.url());
    });
  }

  /** @param {string} form */
  static async open(form) {
    // Storage of its own, so that no test sees another one's work.
    const context = await browser.createBrowserContext();
    const tab = new Tab(await context.newPage(), addresses[form]);
    await tab.page.setViewport({ width: 1280, height: 900 });
    await tab.load(() => tab.page.goto(tab.address));
    return tab;
  }

  /** @param {() => Promise<unknown>} navigate */
  async load(navigate) {
    this.#loaded = false;
    await navigate();
    await this.page.waitForSelector('html[data-ready]', { timeout: PATIENCE });
    this.#loaded = true;
  }

  /** Pastes as a person does: Ctrl+V, with the text on the clipboard by cutting it out of the box. @param {string} text */
  async paste(text) {
    await this.page.focus('textarea');
    await this.page.$eval('textarea', (box, content) => {
      /** @type {HTMLTextAreaElement} */ (box).value = content;
    }, text);
    for (const key of /** @type {const} */ (['a', 'x', 'v'])) {
      await this.page.keyboard.down('Control');
      await this.page.keyboard.press(key);
      await this.page.keyboard.up('Control');
    }
  }

  /**
   * Waits until this holds in the page. Puppeteer's own way builds a function out of text in there, which the page's
   * policy refuses.
   *
   * @template {unknown[]} A
   * @param {string} what
   * @param {(...args: A) => boolean} holds
   * @param {A} args
   */
  async until(what, holds, ...args) {
    const end = Date.now() + PATIENCE;
    while (!(await this.page.evaluate(holds, ...args))) {
      if (Date.now() > end) assert.fail(`waited in vain: ${what}\n${await this.page.evaluate(() => document.body.innerText)}`);
      await new Promise((next) => setTimeout(next, 100));
    }
  }

  /** Waits for the verdict to say so. @param {RegExp} words */
  async verdict(words) {
    const says = (/** @type {string} */ source, /** @type {string} */ flags) =>
      new RegExp(source, flags).test(document.querySelector('main h1')?.textContent ?? '');
    await this.until(`the verdict says ${words}`, says, words.source, words.flags);
  }

  /** @param {string} selector */
  texts(selector) {
    return this.page.$$eval(selector, (elements) => elements.map((element) => element.textContent ?? ''));
  }

  /** Closes it; nothing was asked for and nothing was complained about. */
  async close() {
    await this.page.browserContext().close();
    assert.deepEqual(this.complaints, [], 'errors and warnings on the console');
    assert.deepEqual(this.requests, [], 'requests after load');
  }
}

for (const form of ['hosted', 'single file']) {
  describe(form, () => {
    test('a flag that keeps the v2 API on blocks, with its line quoted', async () => {
      const tab = await Tab.open(form);
      await tab.paste(await sampleFile('status.txt'));
      await tab.verdict(/can.t tell/i);
      await tab.paste(await sampleFile('m2-v2-on.service'));
      await tab.verdict(/Blocked/);
      const said = (await tab.texts('[data-gate="v2-api-enabled"]')).join('\n');
      assert.match(said, /--enable-v2=true/);
      assert.equal((await tab.texts('.members tbody tr')).length, 3);
      assert.notEqual((await tab.texts('.step')).length, 0);
      await tab.close();
    });

    test('work survives a reload', async () => {
      const tab = await Tab.open(form);
      await tab.paste(await sampleFile('status.txt'));
      await tab.verdict(/can.t tell/i);
      // The work is kept a moment after it changed, and at the latest when the page goes.
      await tab.load(() => tab.page.reload());
      await tab.verdict(/can.t tell/i);
      assert.equal((await tab.texts('.members tbody tr')).length, 3);
      await tab.close();
    });

    test('a file of megabytes is read', async () => {
      const tab = await Tab.open(form);
      const line = '{"level":"info","ts":"2026-11-30T11:48:55.675567Z","msg":"set message encoder"}\n';
      const text = line.repeat(60_000) + (await sampleFile('status.txt'));
      await tab.page.evaluate((content) => {
        const data = new DataTransfer();
        data.items.add(new File([content], 'big.txt', { type: 'text/plain' }));
        for (const type of ['dragover', 'drop']) {
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
        }
      }, text);
      await tab.verdict(/can.t tell/i);
      assert.equal((await tab.texts('.members tbody tr')).length, 3);
      await tab.close();
    });

    test('markup in a paste stays text', async () => {
      const tab = await Tab.open(form);
      await tab.paste('<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>\n');
      await tab.until('it is in the list', () => document.querySelector('.paste summary') !== null);
      await tab.page.click('.paste summary');
      await tab.until('its text is shown', () => document.body.innerText.includes('onerror'));
      assert.equal(await tab.page.$('main img, aside img, main script, aside script'), null);
      assert.doesNotMatch(await tab.page.title(), /^run$/);
      await tab.close();
    });
  });
}
