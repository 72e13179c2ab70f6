// @ts-check
import { access } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serve } from './server.js';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const singleFile = `${dist}/etcd-upgrade-planner.html`;

/** Serves dist/ for the whole run and tells the fixtures the address of each form of the page. */
export default async function globalSetup() {
  await access(singleFile).catch(() => {
    throw new Error('dist/ holds no release build: run `cargo xtask dist` first');
  });
  const server = await serve(dist);
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.env.PLANNER_HOSTED = `http://127.0.0.1:${address.port}/`;
  process.env.PLANNER_SINGLE_FILE = pathToFileURL(singleFile).href;
  return () => {
    server.closeAllConnections();
    server.close();
  };
}
