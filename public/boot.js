// Starts the page: in the hosted form from the files beside it, in the single file from blocks inside the page.

/** Bytes of a block that `cargo xtask post-build` put into the single file: gzip, in base64. */
async function unpack(block) {
  const packed = Uint8Array.from(atob(block.textContent), (character) => character.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** The hosted form: glue and wasm arrive side by side, each held against the hash in the page. */
async function fetchParts() {
  const { js, wasm, wasmIntegrity } = document.getElementById('boot').dataset;
  // A `fetch` without integrity (under `trunk serve`) wants the key absent, not empty.
  const options = wasmIntegrity ? { integrity: wasmIntegrity } : {};
  const [glue, response] = await Promise.all([
    import(new URL(js, document.baseURI)),
    fetch(new URL(wasm, document.baseURI), options),
  ]);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return [glue.default, response];
}

/** The single file: post-build put the glue above this script, so its `__wbg_init` is in scope. */
async function unpackParts(block) {
  return [__wbg_init, await unpack(block)];
}

async function boot() {
  const block = document.getElementById('part-wasm');
  const [init, wasm] = await (block ? unpackParts(block) : fetchParts());
  await init({ module_or_path: wasm });
  document.getElementById('shell')?.remove();
  // After the first paint. Whatever the page still has to load belongs here, before `data-ready`: from then on
  // nothing is requested any more, and the browser tests hold the page to it.
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  document.documentElement.dataset.ready = '';
}

boot().catch((error) => {
  document.documentElement.dataset.failed = '';
  const status = document.getElementById('shell-status');
  if (status) {
    status.textContent = `The page could not start: ${error.message}. Reload it; if that does not help, a file of this page was changed or cut on its way, or the browser is too old.`;
  }
  throw error;
});
