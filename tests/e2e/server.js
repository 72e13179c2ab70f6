// @ts-check
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * Serves a folder on a free port of the loopback, as plain hosting would: at the root, and under `/a/b/`.
 *
 * @param {string} folder
 * @returns {Promise<import('node:http').Server>} listening
 */
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const pathname = new URL(request.url ?? '/', 'http://localhost').pathname.replace(/^\/a\/b\//, '/');
    // `normalize` on an absolute path never leads above its root.
    const file = join(folder, normalize(decodeURIComponent(pathname === '/' ? '/index.html' : pathname)));
    const found = await stat(file).then((entry) => entry.isFile(), () => false);
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'no-store',
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => listening(undefined));
  });
  return server;
}
