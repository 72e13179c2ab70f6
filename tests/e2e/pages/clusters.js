// @ts-check
import { readFile } from 'node:fs/promises';

/** The menu of clusters in the bar on top. */
export class Clusters {
  /** @param {import('@playwright/test').Page} page */
  constructor(page) {
    this.page = page;
    this.opener = page.getByRole('banner').getByRole('button', { name: /^Cluster: / });
    this.menu = page.getByRole('dialog', { name: 'Clusters' });
    this.rows = this.menu.locator('.clusters li');
    this.guestBar = page.getByRole('region', { name: 'On show' });
  }

  async open() {
    if (!(await this.menu.isVisible())) await this.opener.click();
  }

  /** Presses a button of the menu. @param {string} name */
  async press(name) {
    await this.open();
    await this.menu.getByRole('button', { name, exact: true }).click();
  }

  /** Shows another cluster. @param {string} name */
  async switchTo(name) {
    await this.press(name);
  }

  /** @param {string} name */
  async rename(name) {
    await this.open();
    const field = this.menu.getByLabel('Name');
    await field.fill(name);
    await field.press('Tab');
  }

  /** What a button of the menu saves, as text. @param {string} name */
  async saved(name) {
    const download = this.page.waitForEvent('download');
    await this.press(name);
    return readFile(await (await download).path(), 'utf8');
  }

  /** Imports a file. @param {string} name @param {string | Buffer} content */
  async import(name, content) {
    await this.open();
    const chooser = this.page.waitForEvent('filechooser');
    await this.menu.getByRole('button', { name: 'import…' }).click();
    await (await chooser).setFiles([{ name, mimeType: 'application/json', buffer: Buffer.from(content) }]);
  }
}
