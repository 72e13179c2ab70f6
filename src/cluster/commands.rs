//! How commands for this cluster are written: its endpoints, certificates, and the way etcd is run.
//!
//! Every command runs as it stands. Values that came from a paste are quoted. What nobody said is asked for
//! ([`Commands::asks_for`]); until then a variable stands in its place.

mod container;
mod host;
mod join;
mod platform;
mod process;
mod restore;
pub mod shell;
#[cfg(test)]
mod tests;

pub use join::Joining;
pub use platform::platform;
pub use restore::Restored;

use super::endpoint::{Endpoint, split_urls};
use super::{Cluster, Member, settings};
use crate::etcd::features;
use crate::etcd::flags::name;
use crate::etcd::platforms::{PlannerMode, Platform, Runner};
use crate::etcd::version::{Minor, Version};
use crate::evidence::answers::{AnswerKey, Answers};
use crate::evidence::fact::FlagSet;
use shell::{is_operand, word};

/// How commands for this cluster are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Commands {
    /// Client URLs that reach the cluster.
    endpoints: Vec<String>,
    /// Do they name every member? Else `--cluster` finds the others.
    whole: bool,
    members: Vec<Access>,
    tls: Tls,
    platform: Option<&'static Platform>,
    /// The lowest minor that runs; decides which tools are there.
    minor: Option<Minor>,
    /// Who leads.
    leader: Option<usize>,
    /// Do containers hold members, also such as a unit starts?
    contained: bool,
}

/// How one member is reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Access {
    label: String,
    name: Option<String>,
    id: Option<u64>,
    endpoint: Option<String>,
    /// The host it runs on, for ssh; `None` where only local addresses are known.
    host: Option<String>,
    data_dir: Option<String>,
    /// A directory of its own for the WAL.
    wal_dir: Option<String>,
    peer_urls: Vec<String>,
    /// How its process was started, where its own command line was seen.
    start: Option<process::Start>,
    /// How its container is made, where the command or the service was seen.
    container: Option<container::Container>,
    /// Files its flags come from besides what was pasted.
    flag_files: Vec<String>,
    version: Option<Version>,
    /// It votes and answered.
    steady: bool,
    tls: Tls,
}

/// Files for TLS.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Tls {
    cacert: Option<String>,
    cert: Option<String>,
    key: Option<String>,
}

impl Tls {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What is set here, else there.
    fn or(&self, other: &Self) -> Self {
        let pick = |a: &Option<String>, b: &Option<String>| a.clone().or_else(|| b.clone());
        Self {
            cacert: pick(&self.cacert, &other.cacert),
            cert: pick(&self.cert, &other.cert),
            key: pick(&self.key, &other.key),
        }
    }

    fn of_answers(answers: &Answers) -> Self {
        let get = |key| answers.get(key).map(str::to_owned);
        Self { cacert: get(AnswerKey::CaCert), cert: get(AnswerKey::Cert), key: get(AnswerKey::Key) }
    }

    /// The server's own files, which serve as a client's too.
    fn of_flags<'a>(sets: impl Iterator<Item = &'a FlagSet> + Clone) -> Self {
        let find = |flag| sets.clone().find_map(|set| settings::value(set, flag)).map(str::to_owned);
        Self { cacert: find(name::TRUSTED_CA_FILE), cert: find(name::CERT_FILE), key: find(name::KEY_FILE) }
    }
}

impl Commands {
    /// From what is known of the cluster and what the person answered.
    #[must_use]
    pub fn new(cluster: &Cluster, answers: &Answers) -> Self {
        let platform = platform(cluster, answers).map(|(p, _)| p);
        let answered = Tls::of_answers(answers);
        let members: Vec<Access> =
            cluster.members.iter().map(|m| Access::of(m, answers, platform, &answered)).collect();
        let (endpoints, whole) = endpoints(cluster, &members, answers);
        let any = cluster.members.iter().flat_map(|m| &m.flags).chain(&cluster.flags).map(|s| &s.value);
        Self {
            contained: any.clone().any(|set| set.container.is_some()),
            tls: answered.or(&Tls::of_flags(any)).or(&Tls::of_platform(platform)),
            endpoints,
            whole,
            members,
            platform,
            minor: cluster.lowest_minor(),
            leader: cluster.leader(),
        }
    }

    /// The same, as it is once every member runs this version: what tools can do then is what counts.
    #[must_use]
    pub fn once_on(&self, version: &Version) -> Self {
        let mut later = self.clone();
        later.minor = Some(version.minor());
        later.members.iter_mut().for_each(|m| m.version = Some(version.clone()));
        later
    }

    /// What the person could still say to make the commands complete.
    #[must_use]
    pub fn asks_for(&self) -> Vec<AnswerKey> {
        let mut keys = Vec::new();
        if self.endpoints.is_empty() {
            keys.push(AnswerKey::Endpoints);
        }
        if self.endpoints.iter().any(|e| e.starts_with("https://")) && self.tls.is_empty() {
            keys.extend([AnswerKey::CaCert, AnswerKey::Cert, AnswerKey::Key]);
        }
        if self.members.iter().any(|m| m.data_dir.is_none()) {
            keys.push(AnswerKey::DataDir);
        }
        if self.platform.is_none() {
            keys.push(AnswerKey::RunBy);
        }
        keys
    }

    /// How etcd is run, when known.
    #[must_use]
    pub fn platform(&self) -> Option<&'static Platform> {
        self.platform
    }

    /// How a member is stopped and started by hand, when known; where the platform alone may do it, it is something else.
    #[must_use]
    pub fn runner(&self) -> Option<Runner> {
        let by_hand = |p: &&Platform| matches!(p.mode, PlannerMode::Plan | PlannerMode::PlanNative);
        self.platform.map(|p| if by_hand(&p) { p.runner } else { Runner::Other })
    }

    /// The endpoint of a member as [`Self::status`] and [`Self::health`] print it.
    #[must_use]
    pub fn shown_endpoint(&self, member: Option<usize>) -> Option<&str> {
        let access = member.and_then(|m| self.members.get(m))?;
        access.endpoint.as_deref().filter(|_| self.whole)
    }

    // etcdctl

    /// `etcdctl` over all members: `member list`, `alarm list`.
    #[must_use]
    pub fn etcdctl(&self, args: &str) -> String {
        self.run_etcdctl(self.steady(), &self.endpoints, &self.tls, args)
    }

    /// `etcdctl` at one member; at any that answers when none is named.
    #[must_use]
    pub fn etcdctl_at(&self, member: Option<usize>, args: &str) -> String {
        let access = member.and_then(|m| self.members.get(m));
        let endpoints: Vec<String> = match access {
            Some(access) => access.endpoint.iter().cloned().collect(),
            None => self.endpoints.iter().take(1).cloned().collect(),
        };
        self.run_etcdctl(member, &endpoints, access.map_or(&self.tls, |a| &a.tls), args)
    }

    /// `etcdctl` at an endpoint that is no member's yet.
    fn etcdctl_of(&self, endpoint: &str, args: &str) -> String {
        self.run_etcdctl(None, &[endpoint.to_owned()], &self.tls, args)
    }

    fn run_etcdctl(&self, pod_of: Option<usize>, endpoints: &[String], tls: &Tls, args: &str) -> String {
        let mut words = Vec::new();
        let inside = self.inside(pod_of);
        let v2_by_default = self.v2_by_default();
        match &inside {
            // The image has no shell: the tool is called directly.
            Some(lead) if v2_by_default => words.push(format!("{}env ETCDCTL_API=3", lead)),
            None if v2_by_default => words.push("ETCDCTL_API=3".to_owned()),
            _ => {}
        }
        let lead = inside.filter(|_| !v2_by_default).unwrap_or_default();
        words.push(format!("{lead}etcdctl"));
        if !endpoints.is_empty() {
            words.push(format!("--endpoints={}", word(&endpoints.join(","))));
        }
        if self.speaks_tls(endpoints) {
            let files = [("--cacert=", &tls.cacert), ("--cert=", &tls.cert), ("--key=", &tls.key)];
            words.extend(files.iter().filter_map(|(flag, file)| Some(format!("{flag}{}", word(file.as_ref()?)))));
        }
        words.push(args.to_owned());
        words.join(" ")
    }

    /// Without a scheme etcdctl speaks TLS when it is given certificates.
    fn speaks_tls(&self, endpoints: &[String]) -> bool {
        !endpoints.iter().any(|e| e.starts_with("http://"))
    }

    /// The words that lead into the pod of a member, where its platform keeps etcdctl there.
    fn inside(&self, member: Option<usize>) -> Option<String> {
        let text = self.platform?.etcdctl.filter(|text| text.starts_with("kubectl") || text.starts_with("oc "))?;
        let access = member.and_then(|m| self.members.get(m));
        let name = access.and_then(|a| a.name.as_deref()).filter(|n| is_operand(n));
        let node = name.map(|name| if self.platform.is_some_and(|p| p.id == RKE2) { without_hash(name) } else { name });
        let version = access.and_then(|a| a.version.as_ref()).map(|v| v.upstream().to_string());
        let (lead, _) = text.split_once("etcdctl --endpoints").or_else(|| text.rsplit_once("etcdctl"))?;
        let mut lead = lead.to_owned();
        for (blank, value, variable) in [
            ("{node}", node.map(word), "$NODE"),
            ("{pod}", name.map(word), "$POD"),
            ("{version}", version, "$VERSION"),
            ("{ns}", None, "$NAMESPACE"),
            ("{name}", None, "$NAME"),
            ("{release}", None, "$RELEASE"),
            ("{workload}", None, "$WORKLOAD_KUBECONFIG"),
        ] {
            lead = lead.replace(blank, value.as_deref().unwrap_or(variable));
        }
        Some(lead)
    }

    /// The pod of a member, where etcd runs in pods that kubectl reaches.
    fn pod(&self, member: Option<usize>) -> Option<String> {
        if self.runner() != Some(Runner::StaticPod) {
            return None;
        }
        let node = member.and_then(|m| self.members.get(m)).and_then(|a| a.name.as_deref()).filter(|n| is_operand(n));
        Some(node.map_or_else(|| "etcd-$NODE".to_owned(), |node| format!("etcd-{node}")))
    }

    /// `etcdctl endpoint …` of every member, in a form (` -w table`).
    fn endpoint(&self, what: &str, form: &str) -> String {
        let all = if self.whole { "" } else { " --cluster" };
        self.etcdctl(&format!("endpoint {what}{all}{form}"))
    }

    /// Are the commands of etcdctl those of the v2 API unless it is told otherwise?
    fn v2_by_default(&self) -> bool {
        self.minor.is_some_and(|minor| features::ETCDCTL_V2_DEFAULT.in_minor(minor))
    }

    /// `endpoint status` of every member.
    #[must_use]
    pub fn status(&self) -> String {
        self.endpoint("status", " -w table")
    }

    /// `endpoint health` of every member.
    #[must_use]
    pub fn health(&self) -> String {
        self.endpoint("health", "")
    }

    /// `endpoint hashkv` of every member.
    #[must_use]
    pub fn hash(&self) -> String {
        self.endpoint("hashkv", " -w table")
    }

    /// `member list`.
    #[must_use]
    pub fn member_list(&self) -> String {
        self.etcdctl("member list -w table")
    }

    /// `alarm list`.
    #[must_use]
    pub fn alarm_list(&self) -> String {
        self.etcdctl("alarm list")
    }

    /// `auth status`; `None` where etcdctl does not have it.
    #[must_use]
    pub fn auth_status(&self) -> Option<String> {
        let has = self.minor.is_none_or(|minor| features::ETCDCTL_AUTH_STATUS.in_minor(minor));
        has.then(|| self.etcdctl("auth status"))
    }

    /// Moves the leader to another member. It must be asked at the leader.
    #[must_use]
    pub fn move_leader(&self, from: Option<usize>, to: Option<usize>) -> String {
        let id = to.and_then(|m| self.members.get(m)).and_then(|a| a.id);
        let id = id.map_or_else(|| "$MEMBER_ID".to_owned(), |id| format!("{id:x}"));
        self.etcdctl_at(from.or(self.leader), &format!("move-leader {id}"))
    }

    /// `downgrade validate`, `enable` (both to a minor) or `cancel`.
    #[must_use]
    pub fn downgrade(&self, action: &str, to: Option<Minor>) -> String {
        let to = to.map_or_else(String::new, |minor| format!(" {minor}"));
        self.etcdctl_at(self.leader.or_else(|| self.steady()), &format!("downgrade {action}{to}"))
    }

    // Backup snapshots

    /// Where a backup snapshot is written by [`Self::snapshot_save`]: in the working directory of the shell, or, from
    /// a pod, in the data directory, which is all a pod can write to.
    #[must_use]
    pub fn snapshot_path(&self, file: &str) -> String {
        match self.runner() {
            Some(Runner::StaticPod) => format!("{}/{file}", host::POD_DATA_DIR),
            _ => file.to_owned(),
        }
    }

    /// Saves a backup snapshot, from one member: the one named, else one that answers and does not lead.
    #[must_use]
    pub fn snapshot_save(&self, member: Option<usize>, file: &str) -> String {
        let path = self.snapshot_path(file);
        self.etcdctl_at(member.or_else(|| self.steady()), &format!("snapshot save {}", word(&path)))
    }

    /// Verifies a backup snapshot with the tool that this version has for it.
    #[must_use]
    pub fn snapshot_status(&self, member: Option<usize>, file: &str) -> String {
        let path = self.snapshot_path(file);
        let with_etcdctl = self.minor.is_some_and(|minor| !features::ETCDUTL.in_minor(minor));
        let in_pod = self.runner() == Some(Runner::StaticPod)
            && self.minor.is_some_and(|minor| features::ETCDCTL_SNAPSHOT_OFFLINE.in_minor(minor));
        let args = format!("snapshot status {} -w table", word(&path));
        if in_pod {
            let pod = self.pod(member.or_else(|| self.steady())).unwrap_or_default();
            format!("kubectl -n kube-system exec {} -- etcdctl {args}", word(&pod))
        } else if self.runner() == Some(Runner::StaticPod) {
            // The image may come without etcdutl.
            self.on(member.or_else(|| self.steady()), &format!("sudo etcdutl {args}"))
        } else if with_etcdctl {
            format!("{}etcdctl {args}", if self.v2_by_default() { "ETCDCTL_API=3 " } else { "" })
        } else {
            format!("etcdutl {args}")
        }
    }

    /// A member that answers, votes and does not lead; else one that answers; else the first.
    fn steady(&self) -> Option<usize> {
        let steady = |leads: bool| {
            self.members.iter().enumerate().find(|(at, m)| m.steady && (Some(*at) == self.leader) == leads)
        };
        let found = steady(false).or_else(|| steady(true)).map(|(at, _)| at);
        found.or((!self.members.is_empty()).then_some(0))
    }
}

impl Access {
    fn of(member: &Member, answers: &Answers, platform: Option<&'static Platform>, answered: &Tls) -> Self {
        let flags = member.flags.iter().map(|s| &s.value);
        let data_dir = answers.get(AnswerKey::DataDir).map(str::to_owned);
        let own_dir = flags.clone().find_map(|set| settings::value(set, name::DATA_DIR)).map(str::to_owned);
        let container = container::Container::of(member);
        // Inside of a container the path is another one than on its host.
        let own_dir = match &container {
            Some(container) => own_dir.and_then(|dir| container.on_host(&dir)),
            None => own_dir,
        };
        Self {
            label: member.label(),
            name: member.name.clone(),
            id: member.id,
            endpoint: endpoint(member),
            host: host_of(member).filter(|host| !container.as_ref().is_some_and(|c| c.is_called(host))),
            data_dir: data_dir.or(own_dir).or_else(|| host::default_data_dir(platform)),
            wal_dir: flags.clone().find_map(|set| settings::value(set, name::WAL_DIR)).map(str::to_owned),
            peer_urls: member.peer_urls.clone(),
            start: process::Start::of(member),
            container,
            flag_files: flag_files(member),
            version: member.version().map(|(version, _)| version.clone()),
            steady: member.answers() == Some(true) && member.is_learner() != Some(true),
            tls: answered.or(&Tls::of_flags(flags)).or(&Tls::of_platform(platform)),
        }
    }
}

/// The platform whose members are called after their node and eight more letters.
const RKE2: &str = "rke2";

/// `cp-1-b2d65fd0` without its hash: the node.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((node, hash)) if hash.len() == 8 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => node,
        _ => name,
    }
}

/// The endpoint that reaches a member from anywhere: one with a scheme before one without, a local one last.
fn endpoint(member: &Member) -> Option<String> {
    let rank = |text: &&String| {
        let local = Endpoint::read(text).is_none_or(|e| e.is_local());
        (local, !text.contains("://"))
    };
    member.endpoints.iter().min_by_key(rank).cloned()
}

/// The files that a member's flags are said to come from.
fn flag_files(member: &Member) -> Vec<String> {
    let elsewhere = member.flags.iter().flat_map(|set| &set.value.elsewhere).map(|seen| &seen.value);
    let mut files: Vec<String> =
        elsewhere.filter(|file| file.starts_with('/') && settings::is_literal(file)).cloned().collect();
    crate::sort::sort(&mut files);
    files.dedup();
    files
}

/// The host a member runs on, as its URLs say.
fn host_of(member: &Member) -> Option<String> {
    let urls = member.endpoints.iter().chain(&member.peer_urls);
    let hosts = urls.filter_map(|url| Endpoint::read(url)).filter(|e| !e.is_local());
    hosts.map(|e| e.host).find(|host| is_operand(host))
}

/// The endpoints commands use, and whether they name every member.
fn endpoints(cluster: &Cluster, members: &[Access], answers: &Answers) -> (Vec<String>, bool) {
    if let Some(said) = answers.get(AnswerKey::Endpoints) {
        let said: Vec<String> = split_urls(said).map(str::to_owned).collect();
        let whole = cluster.member_list.is_some() && said.len() >= members.len();
        return (said, whole);
    }
    let known: Vec<String> = members.iter().filter_map(|m| m.endpoint.clone()).collect();
    let whole = cluster.member_list.is_some() && known.len() == members.len();
    (known, whole)
}
