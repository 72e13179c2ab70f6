//! Tries the ways back, on copies: the data as they are now, on ports of their own, as a cluster of one.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use etcd_upgrade_planner::etcd::version::Minor;

use crate::binaries::Binaries;
use crate::host::Host;
use crate::ports;
use crate::shell;

/// How long a binary may take to serve, or to say that it does not.
const PATIENCE: Duration = Duration::from_secs(40);

/// A key that is written before the first step and must be there on every way back.
pub const KEY: &str = "conformance/before";
/// Its value.
pub const VALUE: &str = "written-before-the-upgrade";

/// Tries ways back on a host.
pub struct Ways<'a> {
    host: &'a Host,
    /// How many were tried.
    pub tried: Cell<usize>,
}

/// A member of its own, from a copy.
struct Alone {
    child: Child,
    client: String,
}

impl Drop for Alone {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'a> Ways<'a> {
    /// Nothing tried yet.
    pub fn new(host: &'a Host) -> Self {
        Self { host, tried: Cell::new(0) }
    }

    /// A folder for the next try.
    fn folder(&self) -> Result<PathBuf> {
        self.tried.set(self.tried.get() + 1);
        let folder = self.host.path().join(format!("try{}", self.tried.get()));
        fs::create_dir(&folder)?;
        Ok(folder)
    }

    /// Copies a member's data. A member knows that an entry is committed from what follows it, and a cluster of one
    /// drops what it does not know to be committed: so something is written first.
    fn copy(&self, member: &str, to: &Path) -> Result<()> {
        for _ in 0..2 {
            self.host.ok(&format!("etcdctl --endpoints={} put conformance/tick x", self.host.endpoints()))?;
        }
        sleep(Duration::from_millis(200));
        self.host.copy_of(member, to)
    }

    /// Starts a binary on data as a cluster of one. `None` when it ends instead of serving the key.
    fn start(&self, etcd: &Binaries, name: &str, data: &Path) -> Result<Option<Alone>> {
        let (client, peer) =
            (format!("http://127.0.0.1:{}", ports::free()?), format!("http://127.0.0.1:{}", ports::free()?));
        let folder = data.parent().context("data have a folder")?;
        let program = folder.join(format!("etcd-{}", etcd.version));
        if !program.exists() {
            symlink(etcd.program("etcd"), &program)?;
        }
        let log = fs::File::options().create(true).append(true).open(folder.join("log"))?;
        let mut command = Command::new(program);
        command.env_clear().args(["--force-new-cluster", &format!("--name={name}")]);
        command.arg(format!("--data-dir={}", data.display()));
        for (flag, url) in [
            ("listen-client-urls", &client),
            ("advertise-client-urls", &client),
            ("listen-peer-urls", &peer),
            ("initial-advertise-peer-urls", &peer),
        ] {
            command.arg(format!("--{flag}={url}"));
        }
        command.arg(format!("--initial-cluster={name}={peer}"));
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let mut alone = Alone { child: command.spawn()?, client };
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if alone.child.try_wait()?.is_some() {
                return Ok(None);
            }
            let get = format!("etcdctl --endpoints={} --command-timeout=2s get {KEY}", alone.client);
            if self.host.sh(&get, PATIENCE)?.stdout.contains(VALUE) {
                return Ok(Some(alone));
            }
            sleep(Duration::from_millis(100));
        }
        Ok(None)
    }

    /// Swap the binary back: does the older version serve what the member has on its disk now?
    pub fn swap(&self, member: &str, old: &Binaries) -> Result<bool> {
        Ok(self.start_copy(member, old)?.is_none())
    }

    /// Starts a version on a copy of what the member has on its disk now. Gives the log when it does not serve.
    pub fn start_copy(&self, member: &str, etcd: &Binaries) -> Result<Option<String>> {
        let folder = self.folder()?;
        self.copy(member, &folder.join("data"))?;
        let serves = self.start(etcd, member, &folder.join("data"))?.is_some();
        let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
        fs::remove_dir_all(&folder)?;
        Ok((!serves).then_some(log))
    }

    /// The same where the advice says that it is shut: the cluster version may still be on its way.
    pub fn swap_shuts(&self, member: &str, old: &Binaries) -> Result<bool> {
        for _ in 0..4 {
            if !self.swap(member, old)? {
                return Ok(true);
            }
            sleep(Duration::from_secs(1));
        }
        Ok(false)
    }

    /// May the running cluster be formally downgraded? Asked, not done.
    pub fn downgrade_is_accepted(&self, etcdctl: &Binaries, to: Minor) -> Result<bool> {
        let etcdctl = etcdctl.program("etcdctl");
        let endpoint = &self.host.members.first().context("no members")?.client;
        let command = format!("{} --endpoints={endpoint} downgrade validate {to}", etcdctl.display());
        self.tried.set(self.tried.get() + 1);
        Ok(self.host.sh(&command, PATIENCE)?.code == Some(0))
    }

    /// Formal downgrade, done on a copy of one member: enable, wait for the storage version, swap the binary.
    pub fn downgrade(&self, member: &str, new: &Binaries, old: &Binaries) -> Result<bool> {
        let folder = self.folder()?;
        let data = folder.join("data");
        self.copy(member, &data)?;
        let to = old.version.minor();
        let Some(alone) = self.start(new, member, &data)? else {
            bail!("the copy of {member} does not start as it is")
        };
        let enable = format!("{} --endpoints={} downgrade enable {to}", new.program("etcdctl").display(), alone.client);
        // One that timed out is in force all the same, and then another one is refused.
        let enabled = self.until(|| {
            let ended = self.host.sh(&enable, PATIENCE)?;
            Ok(ended.code == Some(0) || ended.text().contains("downgrade job in progress"))
        })?;
        let wanted = format!("\"storage\":\"{to}.0\"");
        let version = format!("curl -s {}/version", alone.client);
        let fell = enabled && self.until(|| Ok(self.host.ok(&version)?.contains(&wanted)))?;
        shell::run(Command::new("kill").args(["-TERM", &alone.child.id().to_string()]))?;
        let mut alone = alone;
        alone.child.wait()?;
        drop(alone);
        let open = fell && self.start(old, member, &data)?.is_some();
        fs::remove_dir_all(&folder)?;
        Ok(open)
    }

    /// Restore the backup snapshot: does the older version serve it?
    pub fn restore(&self, file: &Path, old: &Binaries) -> Result<bool> {
        let folder = self.folder()?;
        let data = folder.join("data");
        let tool = if old.program("etcdutl").is_file() { "etcdutl" } else { "etcdctl" };
        let tool = old.program(tool);
        self.host.ok(&format!(
            "{} snapshot restore {} --data-dir={}",
            tool.display(),
            file.display(),
            data.display()
        ))?;
        let open = self.start(old, "default", &data)?.is_some();
        fs::remove_dir_all(&folder)?;
        Ok(open)
    }

    fn until(&self, mut holds: impl FnMut() -> Result<bool>) -> Result<bool> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if holds()? {
                return Ok(true);
            }
            sleep(Duration::from_millis(200));
        }
        Ok(false)
    }
}
