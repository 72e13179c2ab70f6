//! Commands of a change of members: adding, starting the new member, promoting, removing.

use super::process::Own;
use super::shell::{INITIAL_CLUSTER, NAME, PEER_URL, over_ssh, word};
use super::{Access, Commands};
use crate::cluster::endpoint::Endpoint;
use crate::etcd::features;
use crate::etcd::flags::name;
use crate::etcd::platforms::Runner;

/// A member that comes in.
#[derive(Debug, Clone, Copy, Default)]
pub struct Joining<'a> {
    /// Its name.
    pub name: Option<&'a str>,
    /// Its peer URL.
    pub peer_url: Option<&'a str>,
    /// Its id, once it was added.
    pub id: Option<u64>,
    /// Every member of the cluster it joins, itself too, as `name=URL,…`; `None` where one is not known.
    pub initial_cluster: Option<&'a str>,
}

impl Commands {
    /// The same cluster once these members are gone, reached at these endpoints; at those from before where there are none.
    pub fn go_on_at(&mut self, endpoints: Vec<String>, gone: &[usize]) {
        if !endpoints.is_empty() {
            self.endpoints = endpoints;
        }
        for member in gone {
            if let Some(access) = self.members.get_mut(*member) {
                access.steady = false;
            }
        }
    }

    /// `member add`, with the flag for a learner where it comes in as one.
    #[must_use]
    pub fn member_add(&self, new: Joining<'_>, learner: bool) -> String {
        let learner = if learner { " --learner" } else { "" };
        self.etcdctl(&format!("member add {} --peer-urls={}{learner}", name_of(new), peer_url_of(new)))
    }

    /// `member promote` or `member remove` of a member of the cluster, by its id.
    #[must_use]
    pub fn member_by_id(&self, action: &str, id: u64) -> String {
        self.etcdctl(&format!("member {action} {id:x}"))
    }

    /// `member remove`, asked of the others: the one that goes may stop before it has answered (seen on etcd 3.7.3).
    #[must_use]
    pub fn member_remove(&self, member: Option<usize>, id: u64) -> String {
        let leaving = self.access(member).and_then(|access| access.endpoint.as_deref());
        let mut others: Vec<String> =
            self.endpoints.iter().filter(|endpoint| Some(endpoint.as_str()) != leaving).cloned().collect();
        if others.is_empty() {
            others.clone_from(&self.endpoints);
        }
        let steady = self.steady().filter(|steady| Some(*steady) != member);
        let pod_of = steady.or_else(|| (0..self.members.len()).find(|at| Some(*at) != member));
        self.run_etcdctl(pod_of, &others, &self.tls, &format!("member remove {id:x}"))
    }

    /// The same of a member that comes in: its id, or, while that is not known, what the member list says beside its
    /// peer URL.
    #[must_use]
    pub fn member_by_url(&self, action: &str, new: Joining<'_>) -> String {
        self.etcdctl(&format!("member {action} {}", self.id_of(new)))
    }

    /// Moves the leader to a member that came in.
    #[must_use]
    pub fn move_leader_to(&self, from: Option<usize>, new: Joining<'_>) -> String {
        self.etcdctl_at(from, &format!("move-leader {}", self.id_of(new)))
    }

    fn id_of(&self, new: Joining<'_>) -> String {
        match new.id {
            Some(id) => format!("{id:x}"),
            None => {
                let list = self.etcdctl("member list");
                format!("$({list} | grep -F \", {},\" | cut -d, -f1)", peer_url_of(new).trim_matches('"'))
            }
        }
    }

    /// `endpoint status` of whoever is a member by then.
    #[must_use]
    pub fn status_of_all(&self) -> String {
        self.etcdctl("endpoint status --cluster -w table")
    }

    /// `endpoint status` of these members alone: one that is down would make the command fail.
    #[must_use]
    pub fn status_of(&self, members: &[usize]) -> String {
        let endpoints: Vec<String> =
            members.iter().filter_map(|m| self.access(Some(*m))).filter_map(|a| a.endpoint.clone()).collect();
        if endpoints.is_empty() {
            return self.status();
        }
        self.run_etcdctl(self.steady(), &endpoints, &self.tls, "endpoint status -w table")
    }

    /// `endpoint health` of whoever is a member by then.
    #[must_use]
    pub fn health_of_all(&self) -> String {
        self.etcdctl("endpoint health --cluster")
    }

    /// Prints what lies in the data directory of a member that comes in: nothing, when it may start.
    #[must_use]
    pub fn data_dir_of_new(&self, new: Joining<'_>) -> String {
        let dir = self.new_data_dir(new);
        let look = format!("test ! -e {dir} || ls -A {dir}");
        let look = if self.runner() == Some(Runner::Process) { look } else { format!("sudo sh -c {}", word(&look)) };
        on_new(new, &look)
    }

    /// The data directory of a member that comes in: as the others', with its own name where theirs is part of it.
    fn new_data_dir(&self, new: Joining<'_>) -> String {
        let template = self.template();
        let dir = template.and_then(|access| access.data_dir.clone());
        let dir = dir.unwrap_or_else(|| "/var/lib/etcd".to_owned());
        let old = template.and_then(|access| access.name.as_deref());
        word(&own_folder(&dir, old, new.name))
    }

    /// Starts a member that comes in, as far as it is known how; else says with which flags.
    #[must_use]
    pub fn start_new(&self, new: Joining<'_>) -> Vec<String> {
        let template = self.template().filter(|_| self.runner() == Some(Runner::Process));
        if let (Some(access), Some(own)) = (template, new.name.zip(new.peer_url))
            && let (Some(start), Some(version)) = (&access.start, &access.version)
        {
            let from = access.peer_urls.first().and_then(|url| Endpoint::read(url)).map(|e| e.host).unwrap_or_default();
            let to = Endpoint::read(own.1).map(|e| e.host).unwrap_or_default();
            let own = Own {
                name: (access.name.as_deref().unwrap_or_default(), own.0),
                host: (&from, &to),
                peer_url: own.1,
                initial_cluster: new.initial_cluster,
            };
            let mut commands = vec![on_new(
                new,
                &start.of_newcomer(&own).start(version, &format!("etcd-{}.log", own.name.1), None, &[]),
            )];
            commands.extend(self.client_url_of_new(new).map(|url| {
                let status = self.etcdctl_of(&url, "endpoint status");
                format!("until {status}; do sleep 1; done")
            }));
            return commands;
        }
        let flags = format!("# flags of {}: {}", name_of(new).trim_matches('"'), self.flags_of_new(new).join(" "));
        let start = (self.runner() == Some(Runner::Systemd)).then(|| on_new(new, "sudo systemctl start etcd"));
        [flags].into_iter().chain(start).collect()
    }

    /// The flags that a member joins with, whatever else it is started with.
    #[must_use]
    pub fn flags_of_new(&self, new: Joining<'_>) -> Vec<String> {
        let cluster = new.initial_cluster.map_or_else(|| format!("\"{INITIAL_CLUSTER}\""), word);
        vec![
            format!("--{}={}", name::NAME, name_of(new)),
            format!("--{}={}", name::INITIAL_ADVERTISE_PEER_URLS, peer_url_of(new)),
            format!("--{}={cluster}", name::INITIAL_CLUSTER),
            format!("--{}=existing", name::INITIAL_CLUSTER_STATE),
            format!("--{}={}", name::DATA_DIR, self.new_data_dir(new)),
        ]
    }

    /// The client URL that a member will have: as another member's, on its own host.
    #[must_use]
    pub fn client_url_of_new(&self, new: Joining<'_>) -> Option<String> {
        let access = self.template()?;
        let old = access.endpoint.as_deref()?;
        let (from, to) = (Endpoint::read(old)?.host, Endpoint::read(new.peer_url?)?.host);
        // On one host ports tell members apart, and the new one's is not known.
        (from != to).then(|| old.replacen(&from, &to, 1))
    }

    /// Ends a removed member for good: its process, and what would start it again.
    #[must_use]
    pub fn retire(&self, member: Option<usize>) -> Vec<String> {
        match self.runner() {
            Some(Runner::Systemd) => vec![self.on(member, "sudo systemctl disable --now etcd")],
            _ => self.stop(member),
        }
    }

    /// Shows for which names a member's certificate holds, on the host of one that comes in.
    #[must_use]
    pub fn names_in_certificate(&self, new: Joining<'_>) -> Option<String> {
        let cert = self.template()?.tls.cert.clone()?;
        let show = format!("sudo openssl x509 -in {} -noout -ext subjectAltName", word(&cert));
        Some(on_new(new, &show))
    }

    /// The member whose way of being run a new one is given: one that answers.
    fn template(&self) -> Option<&Access> {
        self.access(self.steady())
    }

    /// Can learners be added?
    #[must_use]
    pub fn has_learners(&self) -> bool {
        self.minor.is_none_or(|minor| features::LEARNERS.in_minor(minor))
    }
}

/// A folder of the same kind for another member.
pub(super) fn own_folder(folder: &str, old: Option<&str>, new: Option<&str>) -> String {
    let (Some(old), Some(new)) = (old, new) else { return folder.to_owned() };
    let part = |part: &str| {
        if part == old {
            new.to_owned()
        } else if let Some(rest) = part.strip_prefix(old).filter(|rest| rest.starts_with('.')) {
            format!("{new}{rest}")
        } else {
            part.to_owned()
        }
    };
    folder.split('/').map(part).collect::<Vec<_>>().join("/")
}

fn name_of(new: Joining<'_>) -> String {
    new.name.filter(|name| super::shell::is_operand(name)).map_or_else(|| format!("\"{NAME}\""), word)
}

fn peer_url_of(new: Joining<'_>) -> String {
    new.peer_url.map_or_else(|| format!("\"{PEER_URL}\""), word)
}

/// A command on the host of a member that comes in; as it stands where that is not known.
fn on_new(new: Joining<'_>, command: &str) -> String {
    let host = new.peer_url.and_then(Endpoint::read).filter(|endpoint| !endpoint.is_local());
    match host.filter(|endpoint| super::shell::is_operand(&endpoint.host)) {
        Some(endpoint) => over_ssh(&endpoint.host, command),
        None => command.to_owned(),
    }
}
