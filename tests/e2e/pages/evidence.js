// @ts-check

/** The left column: what was given, what is asked for, what only the person knows. */
export class Evidence {
  /** @param {import('@playwright/test').Page} page */
  constructor(page) {
    this.page = page;
    this.root = page.getByRole('complementary', { name: 'Evidence and answers' });
    this.box = this.root.getByRole('textbox', { name: 'Evidence', exact: true });
    this.pastes = this.root.locator('.paste');
    this.asked = this.root.locator('.asked .ask');
    this.undo = this.root.getByRole('button', { name: 'Undo' });
  }

  /** One paste of the list, by its name. @param {string | RegExp} name */
  paste(name) {
    return this.pastes.filter({ has: this.page.locator('.name', { hasText: name }) });
  }

  /** Pastes into the box as a person does: the clipboard, then Ctrl+V. @param {string[]} texts */
  async give(...texts) {
    for (const text of texts) {
      await this.box.focus();
      await this.#pasteHere(text);
    }
  }

  /** Pastes with the focus where it is. @param {string} text */
  async #pasteHere(text) {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await this.page.evaluate((content) => navigator.clipboard.writeText(content), text);
    await this.page.keyboard.press('Control+V');
  }

  /** Pastes with the focus on no field at all. @param {string} text */
  async giveAnywhere(text) {
    await this.page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
    await this.#pasteHere(text);
  }

  /** Opens files as by the button. @param {{ name: string, text: string }[]} files */
  async open(...files) {
    const chooser = this.page.waitForEvent('filechooser');
    await this.root.getByRole('button', { name: 'Open files…' }).click();
    await (await chooser).setFiles(
      files.map(({ name, text }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
    );
  }

  /** Drops a file on the page. @param {string} name @param {string} text */
  async drop(name, text) {
    await this.page.evaluate(
      ([fileName, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([content], fileName, { type: 'text/plain' }));
        for (const type of ['dragover', 'drop']) {
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
        }
      },
      [name, text],
    );
  }

  /** Edits the text of a paste. @param {string | RegExp} name @param {(text: string) => string} change */
  async edit(name, change) {
    const paste = this.paste(name);
    if (!(await paste.locator('.opened').isVisible())) await paste.locator('summary').click();
    await paste.getByRole('button', { name: 'edit text' }).click();
    const editor = paste.getByRole('textbox', { name: /^Edit / });
    await editor.fill(change(await editor.inputValue()));
  }

  /** Moves a paste, and gives the names in their order. @param {string} name @param {'up' | 'down'} way */
  async move(name, way) {
    const paste = this.paste(name);
    if (!(await paste.locator('.opened').isVisible())) await paste.locator('summary').click();
    await paste.getByRole('button', { name: `Move ${name} ${way}` }).click();
  }

  /** Drops several files at once. @param {{ name: string, text: string }[]} files */
  async dropAll(...files) {
    await this.page.evaluate((given) => {
      const data = new DataTransfer();
      for (const { name, text } of given) data.items.add(new File([text], name, { type: 'text/plain' }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, files);
  }

  /** The row of a question. @param {string} key */
  question(key) {
    return this.root.locator(`[data-answer="${key}"]`);
  }

  /** Answers a question that takes a press. @param {string} key @param {string} label */
  async answer(key, label) {
    await this.question(key).getByRole('button', { name: label, exact: true }).click();
  }
}
