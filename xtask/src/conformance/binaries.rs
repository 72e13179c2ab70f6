//! Real etcd: built from its Go modules, once, and kept in `target/etcd/<version>`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use etcd_upgrade_planner::etcd::releases;
use etcd_upgrade_planner::etcd::version::{Minor, Version};

use crate::shell;

/// The minors whose newest release is built. Older ones can't be built from modules.
const BUILT: [Minor; 3] = [Minor::new(3, 5), Minor::new(3, 6), Minor::new(3, 7)];

/// The module of each program.
const PROGRAMS: [(&str, &str); 3] = [
    ("etcd", "go.etcd.io/etcd/server/v3"),
    ("etcdctl", "go.etcd.io/etcd/etcdctl/v3"),
    ("etcdutl", "go.etcd.io/etcd/etcdutl/v3"),
];

/// The packages of Debian that bring an etcd older than the modules do.
const PACKAGES: [&str; 2] = ["etcd-server", "etcd-client"];

/// The programs of one version.
#[derive(Debug, Clone)]
pub struct Binaries {
    /// Its version.
    pub version: Version,
    /// The folder they lie in.
    pub dir: PathBuf,
    /// Where they are from, in words.
    pub from: &'static str,
}

impl Binaries {
    /// One of its programs.
    pub fn program(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }
}

/// Every version at hand, ascending.
#[derive(Debug)]
pub struct Releases {
    /// The versions.
    pub all: Vec<Binaries>,
}

impl Releases {
    /// Builds what is missing. Without Go it says what to install; a Debian package that can't be had is left out.
    pub fn at_hand(root: &Path) -> Result<Self> {
        let target = root.join("target/etcd");
        let mut all: Vec<Binaries> = packaged(&target)?.into_iter().collect();
        for minor in BUILT {
            let newest = releases::newest(minor).with_context(|| format!("no release of {minor} in data/"))?;
            all.push(built(&target, &newest.version)?);
        }
        Ok(Self { all })
    }
}

/// One version from Go modules.
fn built(target: &Path, version: &Version) -> Result<Binaries> {
    let dir = target.join(version.to_string());
    let missing: Vec<_> = PROGRAMS.iter().filter(|(name, _)| !dir.join(name).is_file()).collect();
    if !missing.is_empty() {
        if !Command::new("go").arg("version").stdout(Stdio::null()).status().is_ok_and(|s| s.success()) {
            bail!("real etcd is built with Go: install Go 1.26 or newer, https://go.dev/dl");
        }
        let module = target.join("build").join(version.to_string());
        fs::create_dir_all(&module)?;
        fs::create_dir_all(&dir)?;
        fs::write(module.join("go.mod"), go_mod(version))?;
        for (name, package) in missing {
            build(&module, package, &dir.join(name))?;
        }
    }
    let binaries = Binaries { version: version.clone(), dir, from: "Go modules" };
    let says = version_of(&binaries.program("etcd"))?;
    if says != *version {
        bail!("{} says it is {says}", binaries.program("etcd").display());
    }
    Ok(binaries)
}

/// A module that requires the programs: `go install …@version` is refused, etcd's own modules have replace lines.
fn go_mod(version: &Version) -> String {
    let requires: String = PROGRAMS.iter().map(|(_, package)| format!("\t{package} v{version}\n")).collect();
    format!("module conformance\n\ngo 1.24\n\nrequire (\n{requires})\n")
}

/// Builds one program. Into a second file first: an interrupted build leaves nothing that looks whole.
fn build(module: &Path, package: &str, to: &Path) -> Result<()> {
    let start = Instant::now();
    let beside = to.with_extension("new");
    let mut go = Command::new("go");
    go.current_dir(module).env("CGO_ENABLED", "0");
    go.args(["build", "-mod=mod", "-ldflags=-s -w", "-o"]).arg(&beside).arg(package);
    let output = go.output()?;
    if !output.status.success() {
        bail!("go build {package} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    fs::rename(&beside, to)?;
    eprintln!("built {} ({:.0} s)", to.display(), start.elapsed().as_secs_f64());
    Ok(())
}

/// etcd of Debian's packages, unpacked and not installed. `None` where there is no apt or no such package.
fn packaged(target: &Path) -> Result<Option<Binaries>> {
    let unpacked = target.join("debian");
    let dir = unpacked.join("usr/bin");
    if !(dir.join("etcd").is_file() && dir.join("etcdctl").is_file()) {
        fs::create_dir_all(&unpacked)?;
        let mut apt = Command::new("apt-get");
        apt.current_dir(&unpacked).args(["download", "--quiet"]).args(PACKAGES);
        let Ok(downloaded) = apt.output() else { return Ok(None) };
        if !downloaded.status.success() {
            eprintln!("no Debian package: {}", String::from_utf8_lossy(&downloaded.stderr).trim());
            return Ok(None);
        }
        for file in fs::read_dir(&unpacked)? {
            let file = file?.path();
            if file.extension().is_some_and(|e| e == "deb") {
                shell::run(Command::new("dpkg-deb").arg("-x").arg(&file).arg(&unpacked))?;
                fs::remove_file(&file)?;
            }
        }
    }
    let version = version_of(&dir.join("etcd"))?;
    // A newer distribution brings a minor that is built from modules anyway.
    let older = BUILT.iter().all(|minor| version.minor() < *minor);
    Ok(older.then_some(Binaries { version, dir, from: "Debian's package" }))
}

/// What a binary says it is.
fn version_of(etcd: &Path) -> Result<Version> {
    let said = shell::output(Command::new(etcd).arg("--version"))?;
    let version = said.lines().find_map(|line| line.strip_prefix("etcd Version: "));
    let version = version.with_context(|| format!("{} does not say its version: {said}", etcd.display()))?;
    version.trim().parse().ok().with_context(|| format!("{version} is no version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_requires_every_program_at_the_version() {
        let text = go_mod(&Version::new(3, 6, 16));
        assert_eq!(text.matches(" v3.6.16\n").count(), PROGRAMS.len(), "{text}");
        assert!(text.contains("\tgo.etcd.io/etcd/server/v3 v3.6.16\n"), "{text}");
    }

    #[test]
    fn a_binary_that_says_no_version_is_refused() {
        assert!(version_of(Path::new("/bin/true")).is_err());
    }
}
