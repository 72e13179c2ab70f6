//! `cargo xtask lint`: formatting and clippy, on the native and on the wasm side, and ShellCheck over the shell scripts.

use anyhow::Result;

use crate::process::run as run_command;
use crate::tools;
use crate::workspace::{WASM, cargo, command, for_wasm, root};

/// The shell scripts: the one that people run on their hosts, those its tests play etcd's tools with, and CI's own.
const SCRIPTS: [&str; 5] = [
    "src/evidence/collect/etcd-collect.sh",
    "tests/fixtures/collect/bin/etcd",
    "tests/fixtures/collect/bin/etcdctl",
    "tests/fixtures/collect/bin/etcdutl",
    ".ci/run",
];

/// Fails at the first finding.
pub fn run() -> Result<()> {
    run_command(cargo()?.args(["fmt", "--all", "--check"]))?;
    run_command(
        cargo()?
            .args(["clippy", "--locked", "--workspace", "--all-targets", "--features", "xtask/conformance"])
            .args(["--", "-D", "warnings"]),
    )?;
    tools::wasm_target()?;
    // The profile and the targets of the wasm builds: the native integration tests do not compile for wasm.
    for features in ["", "components"] {
        run_command(
            for_wasm(cargo()?)?
                .args(["clippy", "--locked", "--release", "--lib", "--bins", "--target", WASM, "--features", features])
                .args(["--", "-D", "warnings"]),
        )?;
    }
    tools::shellcheck()?;
    run_command(command("shellcheck")?.args(SCRIPTS.map(|script| root().join(script))))
}
