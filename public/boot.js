// Starts the page: in the hosted form from the files beside it, in the single file from blocks inside the page.

// The theme of src/app/preferences.rs, before the page is drawn in another one. A browser may give no storage.
try {
  const theme = localStorage.getItem('etcd-upgrade-planner/2/theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // It follows the system then.
}

/** Bytes of a block that `cargo xtask post-build` put into the single file: gzip, in the base85 of xtask/src/base85.rs. */
async function unpack(block) {
  const text = block.textContent;
  const packed = new Uint8Array((text.length / 5) * 4);
  const view = new DataView(packed.buffer);
  for (let at = 0, to = 0; at < text.length; to += 4) {
    let number = 0;
    for (const end = at + 5; at < end; at += 1) {
      const code = text.charCodeAt(at);
      number = number * 85 + (code === 118 ? 27 : code - 33);
    }
    view.setUint32(to, number);
  }
  return new Response(new Blob([packed.subarray(0, Number(block.dataset.bytes))]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** Fetches a file that must have this hash; without one (under `trunk serve`) it may be any. */
async function fetchFile(name, integrity) {
  // A `fetch` without integrity wants the key absent, not empty.
  const response = await fetch(new URL(name, document.baseURI), integrity ? { integrity } : {});
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return response;
}

/** The hosted form: glue and wasm arrive side by side, each held against the hash in the page. */
async function fetchParts() {
  const { js, wasm, wasmIntegrity } = document.getElementById('boot').dataset;
  const [glue, response] = await Promise.all([
    import(new URL(js, document.baseURI)),
    fetchFile(wasm, wasmIntegrity),
  ]);
  return [glue.default, response];
}

/** The single file: post-build put the glue above this script, so its `__wbg_init` is in scope. */
async function unpackParts(block) {
  return [__wbg_init, await unpack(block)];
}

/**
 * The code that `cargo xtask post-build` cut off the wasm. It writes itself into memory and table of the first part.
 * There is none in the single file and under `trunk serve`, where the wasm is whole.
 */
async function addSecondPart(first) {
  const { second, secondIntegrity } = document.getElementById('boot')?.dataset ?? {};
  if (!second) return;
  const response = await fetchFile(second, secondIntegrity);
  await WebAssembly.instantiate(await response.arrayBuffer(), { first });
}

async function boot() {
  const block = document.getElementById('part-wasm');
  const [init, wasm] = await (block ? unpackParts(block) : fetchParts());
  const first = await init({ module_or_path: wasm });
  document.getElementById('shell')?.remove();
  // After the first paint. Whatever the page still has to load belongs here, before `data-ready`: from then on
  // nothing is requested any more, and the browser tests hold the page to it.
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  await addSecondPart(first);
  // The page takes pastes already; from now on it judges them.
  dispatchEvent(new Event('second-part'));
  document.documentElement.dataset.ready = '';
}

/** Says why there is no page, or none that judges. */
function say(error) {
  const shell = document.getElementById('shell-status');
  const [what, status] = shell
    ? ['The page could not start', shell]
    : ['The page could not load its second part, so it judges nothing', document.createElement('p')];
  if (!shell) {
    status.className = 'sample-bar state blocked';
    status.role = 'alert';
    document.body.prepend(status);
  }
  status.textContent = `${what}: ${error.message}. Reload it; if that does not help, a file of this page was changed or cut on its way, or the browser is too old.`;
}

boot().catch((error) => {
  document.documentElement.dataset.failed = '';
  say(error);
  throw error;
});
