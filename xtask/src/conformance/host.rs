//! A throw-away host: a temporary folder with the programs, the members' data and a shell for the commands of a
//! checklist. Every etcd that runs out of the folder is ended by its id when the host goes away.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, Result, bail};

use etcd_upgrade_planner::gates::data_not_persistent::is_emptied;

use crate::binaries::{Binaries, Releases};
use crate::ports;
use crate::shell::{self, Ended};

/// How long a cluster may take until every member is healthy.
const SETTLE: Duration = Duration::from_secs(45);
/// How long a member that was started may be missing from the list of processes.
const GONE: Duration = Duration::from_secs(5);

/// One member.
#[derive(Debug, Clone)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Where clients reach it.
    pub client: String,
    /// Where peers reach it.
    pub peer: String,
    /// Its folder, with `bin` and `data`.
    pub folder: PathBuf,
}

impl Member {
    /// Its program.
    pub fn program(&self) -> PathBuf {
        self.folder.join("bin/etcd")
    }

    /// Its data directory.
    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }
}

/// The host.
pub struct Host {
    folder: tempfile::TempDir,
    /// The members, in order.
    pub members: Vec<Member>,
    /// The client port and the peer port of every member.
    ports: (u16, u16),
    /// Flags every member gets besides its own.
    pub flags: Vec<String>,
    children: BTreeMap<String, Child>,
}

impl Host {
    /// A host with the releases unpacked in its home directory, and etcdctl and etcdutl of one version on its path.
    pub fn new(releases: &Releases, tools: &Binaries) -> Result<Self> {
        let below = data_lie_below(crate::root(), env::var_os("HOME").map(PathBuf::from).as_deref())?;
        fs::create_dir_all(&below).with_context(|| below.display().to_string())?;
        let folder = tempfile::Builder::new().prefix("host-").tempdir_in(below)?;
        for name in ["home", "tools"] {
            fs::create_dir(folder.path().join(name))?;
        }
        for release in &releases.all {
            symlink(&release.dir, folder.path().join(format!("home/etcd-v{}-linux-amd64", release.version)))?;
        }
        let ports = (ports::free()?, ports::free()?);
        let host = Self { folder, members: Vec::new(), ports, flags: Vec::new(), children: BTreeMap::new() };
        host.put(tools, &host.path().join("tools"), &["etcdctl", "etcdutl"])?;
        Ok(host)
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Its home directory, where commands run.
    pub fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    /// Puts programs of a version into a folder, in the place of those that lie there.
    fn put(&self, from: &Binaries, folder: &Path, programs: &[&str]) -> Result<()> {
        fs::create_dir_all(folder)?;
        for name in programs {
            let to = folder.join(name);
            if to.symlink_metadata().is_ok() {
                fs::remove_file(&to)?;
            }
            if from.program(name).is_file() {
                symlink(from.program(name), &to)?;
            }
        }
        Ok(())
    }

    /// Puts etcdctl and etcdutl of another version on the path.
    pub fn use_tools(&self, tools: &Binaries) -> Result<()> {
        self.put(tools, &self.path().join("tools"), &["etcdctl", "etcdutl"])
    }

    /// Lets commands that begin with `sudo` run as who runs this: the files of this host are theirs.
    pub fn be_root(&self) -> Result<()> {
        let sudo = self.path().join("tools/sudo");
        fs::write(&sudo, "#!/bin/sh\nexec \"$@\"\n")?;
        shell::run(Command::new("chmod").arg("+x").arg(sudo))
    }

    /// Adds a member that is not started yet.
    pub fn add(&mut self, name: &str) -> Result<Member> {
        // An address each and the same ports, as on hosts of their own.
        let address = format!("127.0.0.{}", self.members.len() + 1);
        let member = Member {
            name: name.to_owned(),
            client: format!("http://{address}:{}", self.ports.0),
            peer: format!("http://{address}:{}", self.ports.1),
            folder: self.path().join(name),
        };
        fs::create_dir(&member.folder)?;
        self.members.push(member.clone());
        Ok(member)
    }

    /// Three members of a version, started and healthy.
    pub fn start_three(&mut self, etcd: &Binaries) -> Result<()> {
        for name in ["m1", "m2", "m3"] {
            self.add(name)?;
        }
        let names: Vec<String> = self.members.iter().map(|m| m.name.clone()).collect();
        for name in &names {
            self.install(name, etcd)?;
            self.start(name, "new", &[])?;
        }
        self.wait_healthy(&names)
    }

    /// The member of this name.
    pub fn member(&self, name: &str) -> Result<&Member> {
        self.members.iter().find(|m| m.name == name).with_context(|| format!("there is no member {name}"))
    }

    /// Puts a version in place for a member.
    pub fn install(&self, name: &str, etcd: &Binaries) -> Result<()> {
        let bin = self.member(name)?.folder.join("bin");
        self.put(etcd, &bin, &["etcd", "etcdctl", "etcdutl"])
    }

    /// Starts a member with its own flags and more.
    pub fn start(&mut self, name: &str, state: &str, more: &[&str]) -> Result<()> {
        let cluster: Vec<String> = self.members.iter().map(|m| format!("{}={}", m.name, m.peer)).collect();
        let member = self.member(name)?.clone();
        let log = fs::File::options().create(true).append(true).open(member.folder.join("log"))?;
        let mut command = self.clean(&member.program().display().to_string());
        command.arg(format!("--name={}", member.name)).arg(format!("--data-dir={}", member.data().display()));
        for (flag, value) in [
            ("listen-client-urls", &member.client),
            ("advertise-client-urls", &member.client),
            ("listen-peer-urls", &member.peer),
            ("initial-advertise-peer-urls", &member.peer),
            ("initial-cluster", &cluster.join(",")),
            ("initial-cluster-state", &state.to_owned()),
        ] {
            command.arg(format!("--{flag}={value}"));
        }
        command.args(&self.flags).args(more).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let child = command.spawn().with_context(|| format!("{name} could not be started"))?;
        self.children.insert(name.to_owned(), child);
        Ok(())
    }

    /// The ids of a member's processes, whoever started them.
    pub fn ids(&self, name: &str) -> Result<Vec<u32>> {
        Ok(running_below(&self.member(name)?.folder))
    }

    /// Stops a member by its id and waits until it is gone.
    pub fn stop(&mut self, name: &str) -> Result<()> {
        let folder = self.member(name)?.folder.clone();
        end_below(&folder, &mut self.children);
        let left = running_below(&folder);
        if left.is_empty() { Ok(()) } else { bail!("{name} did not end: {left:?}") }
    }

    /// A program of this host, with nothing of the environment but the path and the home directory.
    fn clean(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env_clear().env("PATH", format!("{}:{path}", self.path().join("tools").display()));
        command.env("HOME", self.home()).env("TMPDIR", self.path()).current_dir(self.home());
        command
    }

    /// Runs a command as a person would type it.
    pub fn sh(&self, command: &str, limit: Duration) -> Result<Ended> {
        shell::within(self.clean("sh").args(["-c", command]), limit)
    }

    /// Runs a command that must work, and gives what it printed.
    pub fn ok(&self, command: &str) -> Result<String> {
        let ended = self.sh(command, Duration::from_secs(60))?;
        if ended.code != Some(0) {
            bail!("`{command}` ended with {:?}: {}", ended.code, ended.text().trim());
        }
        Ok(ended.stdout)
    }

    /// The client URLs of all members, separated by commas.
    pub fn endpoints(&self) -> String {
        self.members.iter().map(|m| m.client.clone()).collect::<Vec<String>>().join(",")
    }

    /// Waits until these members are healthy.
    pub fn wait_healthy(&self, names: &[String]) -> Result<()> {
        let endpoints: Vec<&str> =
            names.iter().map(|n| self.member(n).map(|m| m.client.as_str())).collect::<Result<_>>()?;
        let command = format!("etcdctl --endpoints={} endpoint health", endpoints.join(","));
        let start = Instant::now();
        loop {
            let ended = self.sh(&command, SETTLE)?;
            if ended.code == Some(0) {
                return Ok(());
            }
            if start.elapsed() > SETTLE {
                bail!("{} not healthy: {}", names.join(", "), ended.text().trim());
            }
            sleep(Duration::from_millis(200));
        }
    }

    /// Runs a command that the cluster refuses for a while, until it is taken: members count as healthy for a change
    /// of membership only some seconds after they found each other.
    pub fn ok_in_time(&self, command: &str) -> Result<String> {
        let start = Instant::now();
        loop {
            match self.ok(command) {
                Err(error) if start.elapsed() > SETTLE => return Err(error),
                Err(_) => sleep(Duration::from_millis(500)),
                said => return said,
            }
        }
    }

    /// Waits until a member answers on its client port: a learner is never healthy.
    pub fn listens(&self, name: &str) -> Result<()> {
        let command = format!("curl -s -m 5 {}/version", self.member(name)?.client);
        let start = Instant::now();
        while self.sh(&command, SETTLE)?.code != Some(0) {
            if start.elapsed() > SETTLE {
                bail!("{name} does not answer");
            }
            sleep(Duration::from_millis(200));
        }
        Ok(())
    }

    /// Does a member that was just started serve? Given up when it is gone for a while: between its start and its first
    /// line in the list of processes a loaded machine takes its time.
    pub fn serves(&self, name: &str) -> Result<bool> {
        let command = format!("etcdctl --endpoints={} endpoint health", self.member(name)?.client);
        let start = Instant::now();
        let mut seen = Instant::now();
        while start.elapsed() < SETTLE && seen.elapsed() < GONE {
            if self.sh(&command, SETTLE)?.code == Some(0) {
                return Ok(true);
            }
            if !self.ids(name)?.is_empty() {
                seen = Instant::now();
            }
            sleep(Duration::from_millis(200));
        }
        Ok(false)
    }

    /// A copy of a member's data as it is now. The member stands still for that moment, as in a power loss.
    pub fn copy_of(&self, name: &str, to: &Path) -> Result<()> {
        let ids = self.ids(name)?;
        let signal =
            |what: &str| ids.iter().try_for_each(|id| shell::run(Command::new("kill").args([what, &id.to_string()])));
        signal("-STOP")?;
        let copied = shell::run(Command::new("cp").arg("-a").arg(self.member(name)?.data()).arg(to));
        signal("-CONT")?;
        copied
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        end_below(self.folder.path(), &mut self.children);
    }
}

/// Ends what runs out of a folder, by id: asked first, and made to after a while.
fn end_below(folder: &Path, children: &mut BTreeMap<String, Child>) {
    for signal in ["-TERM", "-KILL"] {
        let start = Instant::now();
        for id in running_below(folder) {
            let _ = Command::new("kill").args([signal, &id.to_string()]).stderr(Stdio::null()).status();
        }
        while !running_below(folder).is_empty() && start.elapsed() < Duration::from_secs(8) {
            for child in children.values_mut() {
                let _ = child.try_wait();
            }
            sleep(Duration::from_millis(20));
        }
    }
    for child in children.values_mut() {
        let _ = child.try_wait();
    }
}

/// The ids of processes whose program was started from a folder.
fn running_below(folder: &Path) -> Vec<u32> {
    let prefix = format!("{}/", folder.display());
    let mut ids = Vec::new();
    let Ok(entries) = fs::read_dir("/proc") else { return ids };
    for entry in entries.flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if line.starts_with(prefix.as_bytes()) {
            ids.push(id);
        }
    }
    ids
}

/// Where hosts lie: with what is built, unless a restart of this machine empties that. The planner blocks, rightly, when
/// members have their data there.
fn data_lie_below(root: &Path, home: Option<&Path>) -> Result<PathBuf> {
    let built = root.join("target/conformance");
    let kept = |path: &PathBuf| path.is_absolute() && !is_emptied(&path.to_string_lossy());
    let elsewhere = home.map(|home| home.join(".cache/etcd-upgrade-planner/conformance"));
    std::iter::once(built).chain(elsewhere).find(kept).with_context(|| {
        format!("{} and the home directory are emptied when this machine restarts: check out elsewhere", root.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_host_lies_where_a_restart_empties_it() {
        let below = |root: &str, home: Option<&str>| data_lie_below(Path::new(root), home.map(Path::new)).ok();
        assert_eq!(below("/src", Some("/root")), Some("/src/target/conformance".into()));
        let cache = "/root/.cache/etcd-upgrade-planner/conformance";
        assert_eq!(below("/tmp/clone", Some("/root")), Some(cache.into()));
        assert_eq!(below("/tmp/clone", Some("/tmp/home")), None);
        assert_eq!(below("/tmp/clone", None), None);
    }

    #[test]
    fn what_runs_out_of_a_folder_is_found_and_ended_and_nothing_else() {
        let (mine, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let sleeper = |folder: &Path| {
            let program = folder.join("sleep");
            fs::copy("/bin/sleep", &program).unwrap();
            Command::new(program).arg("30").spawn().unwrap()
        };
        let (child, mut stranger) = (sleeper(mine.path()), sleeper(other.path()));
        assert_eq!(running_below(mine.path()), [child.id()]);
        let mut children = BTreeMap::from([("m1".to_owned(), child)]);
        end_below(mine.path(), &mut children);
        assert!(running_below(mine.path()).is_empty());
        assert!(stranger.try_wait().unwrap().is_none(), "another's process was ended");
        stranger.kill().unwrap();
        stranger.wait().unwrap();
    }
}
