// @ts-check
import { readFile } from 'node:fs/promises';

/** A file of `samples/`: what a real cluster printed, or a file it ran with. @param {string} name */
export function sampleFile(name) {
  return readFile(new URL(`../../samples/${name}`, import.meta.url), 'utf8');
}
