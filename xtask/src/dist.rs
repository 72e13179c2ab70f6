//! `cargo xtask dist`: the release build. Trunk builds, and calls [`crate::post_build`] at its end.

use std::fs;

use anyhow::{Result, bail};

use crate::single_file::FILE_NAME;
use crate::workspace::{command, dist, for_wasm};
use crate::{process, tools};

/// Builds `dist/` anew.
pub fn run() -> Result<()> {
    tools::npm_packages()?;
    tools::wasm_target()?;
    tools::trunk()?;
    tools::wasm_bindgen()?;
    process::run(for_wasm(command("trunk")?)?.args(["build", "--release"]))?;
    let single_file = dist().join(FILE_NAME);
    match fs::metadata(&single_file) {
        Ok(made) => eprintln!("dist/ is built; dist/{FILE_NAME} is the whole page in {} bytes", made.len()),
        Err(error) => bail!("{}: {error}", single_file.display()),
    }
    Ok(())
}
