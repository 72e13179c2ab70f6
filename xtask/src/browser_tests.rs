//! Tests that need a browser: those of `src/app` compiled to wasm, Playwright, Firefox and Lighthouse on the built page.

use anyhow::Result;

use crate::process::run;
use crate::tools;
use crate::workspace::{BIN, WASM, cargo, command, for_wasm, tools_bin};

/// The tests in `src/app`, in headless Chromium.
pub fn run_wasm() -> Result<()> {
    tools::wasm_target()?;
    tools::wasm_bindgen()?;
    let mut test = for_wasm(cargo()?)?;
    // `--release` shares the crates of the release build. `--bin`: the other tests are native, and `--quiet` would
    // reach the runner, which does not know it.
    test.args(["test", "--locked", "--release", "--target", WASM, "--bin", BIN]);
    test.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", tools_bin().join("wasm-bindgen-test-runner"));
    run(&mut test)
}

/// The specs in `tests/e2e`, on what lies in `dist/`.
pub fn run_playwright() -> Result<()> {
    run(command("npx")?.args(["--no-install", "playwright", "test"]))
}

/// The key specs once more, in Firefox.
pub fn run_firefox() -> Result<()> {
    run(command("node")?.args(["--test", "tests/e2e/firefox/key.test.js"]))
}

/// Scores of the hosted page.
pub fn run_lighthouse() -> Result<()> {
    run(command("node")?.arg("tests/e2e/lighthouse.js"))
}
