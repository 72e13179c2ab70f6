//! Commands of a restore: checking and copying the backup snapshot, moving old data aside, restoring.

use super::shell::{INITIAL_CLUSTER, NAME, PEER_URL, SNAPSHOT, is_operand, word};
use super::{Access, Commands};
use crate::etcd::flags::name;
use crate::etcd::platforms::Runner;
use crate::etcd::tools::{self, restore_flag};

/// The manifest of an API server that runs as a static pod, and where it is laid aside.
const APISERVER: &str = "/etc/kubernetes/manifests/kube-apiserver.yaml";
const APISERVER_ASIDE: &str = "/root/kube-apiserver.yaml";
/// What the name of a data directory gets when it is moved aside.
const ASIDE: &str = ".before-restore";

/// What one restored cluster has in common on all its members.
#[derive(Debug, Clone, Copy)]
pub struct Restored<'a> {
    /// The backup snapshot, as it lies in the home directory of each host.
    pub file: &'a str,
    /// The token of the new cluster.
    pub token: &'a str,
    /// What the revision is bumped by, as it stands on the command line; `None` for a restore without a bump.
    pub bump: Option<&'a str>,
}

impl Commands {
    /// The tool that restores: the one of the minor that runs.
    #[must_use]
    pub fn restore_tool(&self) -> &'static str {
        self.minor.map_or(tools::ETCDUTL, tools::snapshot_restore_binary)
    }

    /// Checks a backup snapshot that lies in the working directory.
    #[must_use]
    pub fn check_snapshot(&self, file: &str) -> String {
        format!("{} snapshot status {} -w table", self.offline_tool(), word(file))
    }

    /// Shows the revision every member is at.
    #[must_use]
    pub fn revision(&self) -> String {
        self.endpoint("status", " -w json")
    }

    /// Copies the backup snapshot to a member's host and prints its checksum there.
    #[must_use]
    pub fn copy_snapshot(&self, member: Option<usize>, file: &str) -> Vec<String> {
        let file = word(file);
        let sum = self.on(member, &format!("sha256sum {file}"));
        match self.access(member).and_then(|a| a.host.as_deref()).filter(|h| is_operand(h)) {
            Some(host) => vec![format!("scp {file} {}:", word(host)), sum],
            None => vec![sum],
        }
    }

    /// Proves on any host that a backup snapshot restores: into a directory that goes away again.
    #[must_use]
    pub fn try_restore(&self, file: &str) -> Vec<String> {
        self.try_restore_of(&word(file))
    }

    /// The same of the file that the platform's own command wrote.
    #[must_use]
    pub fn try_restore_own(&self) -> Vec<String> {
        self.try_restore_of(&filled_in(SNAPSHOT))
    }

    fn try_restore_of(&self, file: &str) -> Vec<String> {
        let tool = self.offline_tool();
        vec![
            format!("{tool} snapshot restore {file} --{} restore-check", name::DATA_DIR),
            "rm -r restore-check".to_owned(),
        ]
    }

    /// Takes the API server on every host away, where it is a static pod beside the member.
    #[must_use]
    pub fn stop_apiservers(&self) -> Vec<String> {
        self.on_each_kubelet(&format!("sudo mv {APISERVER} {APISERVER_ASIDE}"))
    }

    /// Puts it back.
    #[must_use]
    pub fn start_apiservers(&self) -> Vec<String> {
        self.on_each_kubelet(&format!("sudo mv {APISERVER_ASIDE} {APISERVER}"))
    }

    fn on_each_kubelet(&self, command: &str) -> Vec<String> {
        if self.runner() != Some(Runner::StaticPod) {
            return Vec::new();
        }
        // Where no member is known the command stands once, for each host in turn.
        let hosts = if self.members.is_empty() { vec![None] } else { (0..self.members.len()).map(Some).collect() };
        hosts.into_iter().map(|member| self.on(member, command)).collect()
    }

    /// Moves the old data of a stopped member aside.
    #[must_use]
    pub fn move_data_aside(&self, member: Option<usize>) -> Vec<String> {
        let (dir, aside) = (self.data_dir(member), self.data_aside(member));
        let wal = self.wal_dir(member).map(|wal| self.on(member, &format!("sudo mv {wal} {wal}{ASIDE}")));
        [self.on(member, &format!("sudo mv {dir} {aside}"))].into_iter().chain(wal).collect()
    }

    /// Where the old data of a member lie then.
    #[must_use]
    pub fn data_aside(&self, member: Option<usize>) -> String {
        let dir = self.data_dir(member);
        match dir.strip_suffix(['"', '\'']) {
            // A quoted word ends behind its quote.
            Some(open) => format!("{open}{ASIDE}{}", dir.get(open.len()..).unwrap_or("")),
            None => dir + ASIDE,
        }
    }

    /// Puts the old data back in place of what was restored.
    #[must_use]
    pub fn put_data_back(&self, member: Option<usize>) -> Vec<String> {
        let (dir, aside) = (self.data_dir(member), self.data_aside(member));
        vec![self.on(member, &format!("sudo rm -r {dir}")), self.on(member, &format!("sudo mv {aside} {dir}"))]
    }

    /// Restores one member on its host, and gives the data to who owned the old ones.
    #[must_use]
    pub fn restore(&self, member: Option<usize>, restored: Restored<'_>) -> Vec<String> {
        let own = self.access(member);
        let own_name = own.and_then(|a| a.name.as_deref()).filter(|n| is_operand(n));
        let own_urls = own.map(Access::peer_urls).filter(|urls| !urls.is_empty());
        let dir = self.data_dir(member);
        let mut words = vec![
            format!("sudo {} snapshot restore {}", self.offline_tool(), word(restored.file)),
            flag(name::NAME, &own_name.map_or_else(|| filled_in(NAME), word)),
            flag(name::INITIAL_CLUSTER, &self.initial_cluster()),
            flag(name::INITIAL_CLUSTER_TOKEN, &word(restored.token)),
            flag(name::INITIAL_ADVERTISE_PEER_URLS, &own_urls.map_or_else(|| filled_in(PEER_URL), |u| word(&u))),
            flag(name::DATA_DIR, &dir),
        ];
        words.extend(self.wal_dir(member).map(|wal| flag(name::WAL_DIR, &wal)));
        if let Some(bump) = restored.bump {
            words.push(flag(restore_flag::BUMP_REVISION, bump));
            words.push(format!("--{}", restore_flag::MARK_COMPACTED));
        }
        let aside = self.data_aside(member);
        vec![
            self.on(member, &words.join(" ")),
            self.on(member, &format!("sudo chown -R --reference={aside} {dir}")),
            self.on(member, &format!("sudo chmod 700 {dir}")),
        ]
    }

    /// `m1=https://…,m2=https://…`; a variable when not every member is known by name and peer URL.
    fn initial_cluster(&self) -> String {
        let member = |a: &Access| {
            let name = a.name.as_deref().filter(|n| is_operand(n))?;
            let urls: Vec<String> = a.peer_urls.iter().map(|url| format!("{name}={url}")).collect();
            (!urls.is_empty()).then(|| urls.join(","))
        };
        let all: Option<Vec<String>> = self.members.iter().map(member).collect();
        match all {
            Some(all) if !all.is_empty() => word(&all.join(",")),
            _ => filled_in(INITIAL_CLUSTER),
        }
    }

    /// The tool as it is called: etcdctl of old minors needs to be told which API.
    fn offline_tool(&self) -> String {
        let tool = self.restore_tool();
        let by_client = tool == tools::ETCDCTL;
        if by_client && self.v2_by_default() { format!("env ETCDCTL_API=3 {tool}") } else { tool.to_owned() }
    }

    /// A WAL directory of its own, where the member has one.
    fn wal_dir(&self, member: Option<usize>) -> Option<String> {
        self.access(member)?.wal_dir.as_deref().filter(|d| is_operand(d)).map(|d| word(d.trim_end_matches('/')))
    }
}

impl Access {
    fn peer_urls(&self) -> String {
        self.peer_urls.join(",")
    }
}

/// A variable as a word.
fn filled_in(variable: &str) -> String {
    format!("\"{variable}\"")
}

fn flag(name: &str, value: &str) -> String {
    format!("--{name} {value}")
}
