//! `cargo xtask lint`: formatting and clippy, on the native and on the wasm side.

use anyhow::Result;

use crate::process::run as run_command;
use crate::workspace::{WASM, cargo, for_wasm};

/// Fails at the first finding.
pub fn run() -> Result<()> {
    run_command(cargo()?.args(["fmt", "--all", "--check"]))?;
    run_command(
        cargo()?
            .args(["clippy", "--locked", "--workspace", "--all-targets", "--features", "xtask/conformance"])
            .args(["--", "-D", "warnings"]),
    )?;
    // The profile and the targets of the wasm builds: the native integration tests do not compile for wasm.
    run_command(
        for_wasm(cargo()?)?
            .args(["clippy", "--locked", "--release", "--lib", "--bins", "--target", WASM])
            .args(["--", "-D", "warnings"]),
    )
}
