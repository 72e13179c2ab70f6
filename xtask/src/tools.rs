//! Brings the tools that are missing: Rust's target for the wasm, Trunk, wasm-bindgen, the npm packages, a browser, ShellCheck. Missing ones are never skipped.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{output, run};
use crate::workspace::{WASM, cargo, command, root, tools_bin};

/// Newer ones want a newer Rust than rust-toolchain.toml names.
const TRUNK: &str = "0.21.14";

/// What cargo calls our wasm-bindgen binaries, and what Trunk and cargo look for.
const BINDGEN: [(&str, &str); 2] =
    [("tool-wasm-bindgen", "wasm-bindgen"), ("tool-wasm-bindgen-test-runner", "wasm-bindgen-test-runner")];

/// Rust's standard library for the wasm. rust-toolchain.toml names it, but rustup adds it by itself only where it may
/// install what a folder asks for, and only with the toolchain.
pub fn wasm_target() -> Result<()> {
    let sysroot = output(command("rustc")?.args(["--print", "sysroot"]))?;
    if Path::new(sysroot.trim()).join("lib/rustlib").join(WASM).is_dir() {
        return Ok(());
    }
    run(command("rustup")?.args(["target", "add", WASM]))
}

/// Trunk, as a debug build without TLS: built in a fifth of the time, and it has nothing to download.
pub fn trunk() -> Result<()> {
    let installed = tools_bin().join("trunk");
    if installed.is_file() && output(command("trunk")?.arg("--version"))?.trim() == format!("trunk {TRUNK}") {
        return Ok(());
    }
    eprintln!("Trunk {TRUNK} is built into target/tools, once. This takes about two minutes.");
    let mut install = cargo()?;
    install.args(["install", "trunk", "--version", TRUNK, "--locked", "--debug", "--no-default-features", "--root"]);
    install.arg(root().join("target/tools")).env("CARGO_PROFILE_DEV_DEBUG", "0");
    run(&mut install)
}

/// wasm-bindgen and its test runner, of the version in Cargo.lock.
pub fn wasm_bindgen() -> Result<()> {
    let mut build = cargo()?;
    build.args(["build", "--locked", "--package", "xtask", "--features", "bindgen", "--message-format", "json"]);
    for (name, _) in BINDGEN {
        build.args(["--bin", name]);
    }
    eprintln!("> {}", crate::process::line(&build));
    let messages = output(&mut build)?;
    fs::create_dir_all(tools_bin())?;
    for (name, known_as) in BINDGEN {
        let built = executable(&messages, name).with_context(|| format!("cargo did not say where {name} is"))?;
        install(&built, &tools_bin().join(known_as))?;
    }
    Ok(())
}

/// Where cargo put a binary, from its JSON messages.
fn executable(messages: &str, bin: &str) -> Option<PathBuf> {
    messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()).find_map(|message| {
        let is_it = message["reason"] == "compiler-artifact" && message["target"]["name"] == bin;
        if is_it { message["executable"].as_str().map(PathBuf::from) } else { None }
    })
}

/// Copies a program to its place unless it is there already. By way of a second file: one that runs can't be written.
fn install(from: &Path, to: &Path) -> Result<()> {
    let bytes = fs::read(from).with_context(|| from.display().to_string())?;
    if fs::read(to).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let beside = to.with_extension("new");
    fs::copy(from, &beside).with_context(|| beside.display().to_string())?;
    fs::rename(&beside, to).with_context(|| to.display().to_string())
}

/// The npm packages of package-lock.json: wasm-opt, Playwright, axe.
pub fn npm_packages() -> Result<()> {
    let lock = fs::read(root().join("package-lock.json")).context("package-lock.json")?;
    // Which lock file node_modules was made from. npm's own note in there leaves too much out to compare.
    let note = root().join("node_modules/.made-from-package-lock.json");
    if fs::read(&note).is_ok_and(|made_from| made_from == lock) {
        return Ok(());
    }
    run(command("npm")?.arg("ci"))?;
    fs::write(&note, lock).with_context(|| note.display().to_string())
}

/// Chromium and its driver.
pub fn chromium() -> Result<()> {
    from_debian("the browser tests need", &[("chromium", "chromium"), ("chromedriver", "chromium-driver")])
}

/// Firefox, for the specs that run in both.
pub fn firefox() -> Result<()> {
    from_debian("the tests in Firefox need", &[("firefox-esr", "firefox-esr")])
}

/// ShellCheck, which reads the scripts that people run on their hosts.
pub fn shellcheck() -> Result<()> {
    from_debian("the check of the shell scripts needs", &[("shellcheck", "shellcheck")])
}

/// Programs, each with its package, from Debian's packages where this may be done.
fn from_debian(who_needs: &str, programs: &[(&str, &str)]) -> Result<()> {
    let path = env::var_os("PATH");
    let missing = programs.iter().filter(|(program, _)| find(program, path.as_deref()).is_none());
    let missing: Vec<&str> = missing.map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = missing.join(" ");
    if find("apt-get", path.as_deref()).is_none() {
        bail!("{who_needs} what Debian calls {packages}: install it");
    }
    if output(Command::new("id").arg("-u"))?.trim() != "0" {
        bail!("{who_needs} {packages}: run `sudo apt-get install {packages}`");
    }
    run(apt_get()?.arg("update"))?;
    run(apt_get()?.args(["install", "--yes", "--no-install-recommends"]).args(missing))
}

fn apt_get() -> Result<Command> {
    let mut apt = command("apt-get")?;
    apt.env("DEBIAN_FRONTEND", "noninteractive").arg("--quiet");
    Ok(apt)
}

/// The first file of this name on a `PATH`.
fn find(program: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    env::split_paths(path?).map(|folder| folder.join(program)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_that_of_the_bin_asked_for() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"walrus"},"executable":null}
not json
{"reason":"compiler-artifact","target":{"name":"tool-wasm-bindgen-test-runner"},"executable":"/t/runner"}
{"reason":"compiler-artifact","target":{"name":"tool-wasm-bindgen"},"executable":"/t/bindgen"}"#;
        assert_eq!(executable(messages, "tool-wasm-bindgen"), Some(PathBuf::from("/t/bindgen")));
        assert_eq!(executable(messages, "walrus"), None);
    }

    #[test]
    fn an_installed_program_is_replaced_when_it_differs() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("built"), folder.path().join("tool"));
        for content in ["one", "two"] {
            fs::write(&from, content).unwrap();
            install(&from, &to).unwrap();
            assert_eq!(fs::read_to_string(&to).unwrap(), content);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside it");
    }

    #[test]
    fn a_program_is_looked_for_on_the_path_given() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("tool"), "").unwrap();
        assert_eq!(find("tool", Some(folder.path().as_os_str())), Some(folder.path().join("tool")));
        assert_eq!(find("other", Some(folder.path().as_os_str())), None);
        assert_eq!(find("tool", None), None);
    }
}
