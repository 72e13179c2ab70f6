//! Where things lie, and the environment that all builds share.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// Target triple of the page.
pub const WASM: &str = "wasm32-unknown-unknown";

/// The binary that is the page in the browser and the command line elsewhere.
pub const BIN: &str = "etcd-upgrade-planner";

/// Variable by which cargo takes flags for the wasm alone. `RUSTFLAGS` would reach xtask too, which the post-build
/// hook would then compile again.
pub const WASM_FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// The root of the workspace, above this package.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// The release build.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// Programs that xtask built or installed for itself.
pub fn tools_bin() -> PathBuf {
    root().join("target/tools/bin")
}

/// Cargo's home: downloads and sources of the crates.
pub fn cargo_home() -> Result<PathBuf> {
    env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")))
        .context("neither CARGO_HOME nor HOME is set")
}

/// Flags that keep the folders of the machine that builds out of the wasm, and those of `.cargo/config.toml`: a
/// variable takes the place of the file.
pub fn wasm_flags() -> Result<String> {
    let (cargo_home, root) = (cargo_home()?, root());
    Ok(format!(
        "--cfg=erase_components --remap-path-prefix={}=cargo --remap-path-prefix={}=.",
        cargo_home.display(),
        root.display()
    ))
}

/// `PATH` with the tools of this clone first.
pub fn path() -> Result<OsString> {
    let own = [tools_bin(), root().join("node_modules/.bin")];
    let inherited = env::var_os("PATH").unwrap_or_default();
    env::join_paths(own.into_iter().chain(env::split_paths(&inherited)))
        .context("a folder with a colon in its name cannot stand in PATH")
}

/// A program of this clone or of the system, run in the root with the clone's tools on its `PATH`.
pub fn command(program: &str) -> Result<Command> {
    let mut command = Command::new(program);
    command.current_dir(root()).env("PATH", path()?).env_remove("NO_COLOR");
    // Set by `cargo run` for xtask. A build script below would take them for its own.
    for (name, _) in env::vars_os() {
        let set_by_cargo =
            name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"));
        if set_by_cargo || name == "CARGO_BIN_NAME" || name == "CARGO_CRATE_NAME" {
            command.env_remove(name);
        }
    }
    Ok(command)
}

/// Cargo, for the native side.
pub fn cargo() -> Result<Command> {
    command("cargo")
}

/// `command` set up for builds of the wasm. All of them share one set of flags, and so their artifacts.
pub fn for_wasm(mut command: Command) -> Result<Command> {
    command.env(WASM_FLAGS, wasm_flags()?);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_the_workspace() {
        assert!(root().join("Trunk.toml").is_file());
        assert!(root().join("xtask/Cargo.toml").is_file());
    }

    #[test]
    fn own_tools_come_first_on_the_path() {
        let path = path().unwrap();
        let folders: Vec<PathBuf> = env::split_paths(&path).collect();
        assert_eq!(folders[0], tools_bin());
        assert_eq!(folders[1], root().join("node_modules/.bin"));
        assert!(folders.len() > 2, "the inherited PATH is kept");
    }

    #[test]
    fn cargo_gets_none_of_the_variables_of_xtask_itself() {
        let cargo = cargo().unwrap();
        let removed: Vec<&str> =
            cargo.get_envs().filter(|(_, value)| value.is_none()).filter_map(|(name, _)| name.to_str()).collect();
        // `cargo test` sets these, as `cargo run` does.
        for name in ["CARGO_PKG_NAME", "CARGO_MANIFEST_DIR", "NO_COLOR"] {
            assert!(removed.contains(&name), "{name} is handed on");
        }
    }

    #[test]
    fn wasm_flags_remap_the_clone() {
        let flags = wasm_flags().unwrap();
        assert!(flags.contains(&format!("--remap-path-prefix={}=.", root().display())), "{flags}");
    }
}
