//! `cargo xtask serve`: the page on 127.0.0.1:8080, built again at every change.

use std::os::unix::process::CommandExt;

use anyhow::{Result, bail};

use crate::tools;
use crate::workspace::{command, for_wasm};

/// Becomes Trunk, so that whoever ends this process ends the server.
pub fn run() -> Result<()> {
    tools::wasm_target()?;
    tools::trunk()?;
    tools::wasm_bindgen()?;
    let error = for_wasm(command("trunk")?)?.arg("serve").exec();
    bail!("Trunk could not be started: {error}")
}
