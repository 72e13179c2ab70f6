//! Clusters for unit tests, made as the product makes them: facts are built and merged.
//!
//! ```ignore
//! let cluster = three_members("3.5.33").version("m2", "3.6.16").flags("m1", &["enable-v2=true"]).build();
//! ```
//!
//! [`three_members`] is three healthy voters m1 (leader), m2 and m3 with a status, a member list and an empty alarm
//! list, and nothing else. Every fact stands on a line of its own in paste 0, in the order it was added.

#![allow(dead_code, reason = "a kit for the tests of every module; not each of them uses every part")]

use super::{Cluster, merge};
use crate::etcd::version::{Minor, Version};
use crate::evidence::Evidence;
use crate::evidence::fact::{
    Alarm, AlarmType, Body, DiskSnapshot, Downgrade, EndpointFailed, Fact, FlagForm, FlagSet, FlagSetting, FlagSource,
    Health, LogEvent, MemberHint, MemberRow, RestoreCommand, ServerVersion, SnapshotSaved, SnapshotStatus, Span,
    Status, ToolError, ToolVersion, V2Check,
};

/// A cluster in the making.
#[derive(Debug, Clone)]
pub(crate) struct Build {
    members: Vec<Draft>,
    member_list: bool,
    status: bool,
    alarm_list: bool,
    extra: Vec<(MemberHint, Body)>,
}

#[derive(Debug, Clone)]
struct Draft {
    row: MemberRow,
    status: Option<Status>,
    failed: Option<String>,
}

/// The version a text says.
pub(crate) fn version(text: &str) -> Version {
    text.parse().unwrap()
}

/// Three healthy voters of one version; m1 leads.
pub(crate) fn three_members(version: &str) -> Build {
    members(3, version)
}

/// `count` healthy voters m1, m2 … of one version; m1 leads.
pub(crate) fn members(count: u64, version: &str) -> Build {
    let drafts = (1..=count).map(|n| draft(n, version)).collect();
    Build { members: drafts, member_list: true, status: true, alarm_list: true, extra: Vec::new() }
}

/// No member known at all.
pub(crate) fn nothing() -> Build {
    Build { members: Vec::new(), member_list: false, status: false, alarm_list: false, extra: Vec::new() }
}

/// The id of the n-th member: 0xa1, 0xa2 …
pub(crate) fn id(n: u64) -> u64 {
    0xa0 + n
}

/// The client URL of the n-th member.
pub(crate) fn client_url(n: u64) -> String {
    format!("https://10.0.0.{n}:2379")
}

fn draft(n: u64, text: &str) -> Draft {
    let version = version(text);
    let row = MemberRow {
        id: id(n),
        cluster_id: Some(0xc1),
        name: Some(format!("m{n}")),
        started: true,
        peer_urls: vec![format!("https://10.0.0.{n}:2380")],
        client_urls: vec![client_url(n)],
        is_learner: Some(false),
    };
    let status = Status {
        endpoint: client_url(n),
        member_id: Some(id(n)),
        cluster_id: Some(0xc1),
        version: Some(version),
        db_size: Some(25_000_000),
        db_in_use: Some(20_000_000),
        is_leader: Some(n == 1),
        leader: Some(id(1)),
        is_learner: Some(false),
        raft_term: Some(2),
        raft_index: Some(120_000),
        raft_applied_index: Some(120_000),
        revision: Some(90_000),
        errors: Some(Vec::new()),
        ..Status::default()
    };
    Draft { row, status: Some(status), failed: None }
}

impl Build {
    fn draft(&mut self, name: &str) -> &mut Draft {
        self.members.iter_mut().find(|m| m.row.name.as_deref() == Some(name)).unwrap_or_else(|| panic!("no {name}"))
    }

    /// Changes the status of a member.
    pub(crate) fn status(mut self, name: &str, change: impl FnOnce(&mut Status)) -> Self {
        change(self.draft(name).status.as_mut().unwrap());
        self
    }

    /// Changes the row of a member in the member list.
    pub(crate) fn listed(mut self, name: &str, change: impl FnOnce(&mut MemberRow)) -> Self {
        change(&mut self.draft(name).row);
        self
    }

    /// The version a member runs.
    pub(crate) fn version(self, name: &str, text: &str) -> Self {
        self.status(name, |s| s.version = Some(version(text)))
    }

    /// The storage version every member shows.
    pub(crate) fn storage_version(mut self, text: &str) -> Self {
        for status in self.members.iter_mut().filter_map(|m| m.status.as_mut()) {
            status.storage_version = Some(version(text));
        }
        self
    }

    /// Another leader; `None` for no leader.
    pub(crate) fn leader(mut self, name: Option<&str>) -> Self {
        let leader = name.map_or(0, |name| self.draft(name).row.id);
        for draft in &mut self.members {
            let own = draft.row.id;
            if let Some(status) = &mut draft.status {
                status.is_leader = Some(own == leader);
                status.leader = Some(leader);
                if leader == 0 {
                    status.errors = Some(vec!["etcdserver: no leader".to_owned()]);
                }
            }
        }
        self
    }

    /// Makes a member a learner, in member list and status.
    pub(crate) fn learner(self, name: &str) -> Self {
        self.status(name, |s| s.is_learner = Some(true)).listed(name, |m| m.is_learner = Some(true))
    }

    /// A member whose applied index lags by so many entries.
    pub(crate) fn behind(self, name: &str, entries: u64) -> Self {
        self.status(name, |s| s.raft_applied_index = s.raft_applied_index.map(|i| i.saturating_sub(entries)))
    }

    /// A member whose endpoint does not answer.
    pub(crate) fn unreachable(mut self, name: &str) -> Self {
        let draft = self.draft(name);
        draft.status = None;
        draft.failed = Some("context deadline exceeded".to_owned());
        self
    }

    /// A member that the status does not name.
    pub(crate) fn not_in_status(mut self, name: &str) -> Self {
        self.draft(name).status = None;
        self
    }

    /// The n-th member is not in the status, whatever it is called.
    pub(crate) fn not_in_status_id(mut self, n: u64) -> Self {
        self.members.iter_mut().filter(|m| m.row.id == id(n)).for_each(|m| m.status = None);
        self
    }

    /// The member is not in the cluster any more.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.members.retain(|m| m.row.name.as_deref() != Some(name));
        self
    }

    /// No member list was pasted.
    pub(crate) fn no_member_list(mut self) -> Self {
        self.member_list = false;
        self
    }

    /// No status was pasted.
    pub(crate) fn no_status(mut self) -> Self {
        self.status = false;
        self
    }

    /// No alarm list was pasted, and the status has no errors column.
    pub(crate) fn no_alarm_list(mut self) -> Self {
        self.alarm_list = false;
        for status in self.members.iter_mut().filter_map(|m| m.status.as_mut()) {
            status.errors = None;
        }
        self
    }

    /// An alarm of a member, in the alarm list.
    pub(crate) fn alarm(mut self, name: &str, alarm: AlarmType) -> Self {
        let member_id = self.draft(name).row.id;
        self.fact(Body::Alarm(Alarm { member_id, alarm }))
    }

    /// Flags of a member on a command line that shows the whole start: `enable-v2=true`, `pre-vote`.
    pub(crate) fn flags(self, name: &str, settings: &[&str]) -> Self {
        self.flags_from(name, FlagSource::CommandLine, FlagForm::CommandLine, settings)
    }

    /// Flags of a member from a source.
    pub(crate) fn flags_from(mut self, name: &str, source: FlagSource, form: FlagForm, settings: &[&str]) -> Self {
        let line = self.extra.len();
        let setting = |text: &&str| {
            let (flag, value) = text.split_once('=').map_or((*text, None), |(f, v)| (f, Some(v.to_owned())));
            FlagSetting { name: flag.to_owned(), value, form, span: span_of_extra(line) }
        };
        let set = FlagSet {
            source,
            member_name: Some(name.to_owned()),
            version: None,
            program: None,
            settings: settings.iter().map(setting).collect(),
            elsewhere: Vec::new(),
            probes: Vec::new(),
            container: None,
            complete: source != FlagSource::EnvFile,
        };
        self.extra.push((MemberHint::default(), Body::Flags(Box::new(set))));
        self
    }

    /// Clean flags of every member: name, data directory, URLs, certificates.
    pub(crate) fn clean_flags(mut self) -> Self {
        let names: Vec<String> = self.members.iter().filter_map(|m| m.row.name.clone()).collect();
        for (at, name) in names.iter().enumerate() {
            let url = client_url(at as u64 + 1);
            let settings = [
                format!("name={name}"),
                "data-dir=/var/lib/etcd".to_owned(),
                format!("advertise-client-urls={url}"),
                format!("listen-client-urls={url}"),
                "trusted-ca-file=/etc/etcd/ca.crt".to_owned(),
                "cert-file=/etc/etcd/server.crt".to_owned(),
                "key-file=/etc/etcd/server.key".to_owned(),
            ];
            let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
            self = self.flags(name, &settings);
        }
        self
    }

    /// What `check v2store` said of a member.
    pub(crate) fn v2_check(self, name: &str, check: V2Check) -> Self {
        self.fact_of(name, Body::V2Check(check))
    }

    /// What `check v2store` said, for every member the same.
    pub(crate) fn v2_check_all(mut self, check: &V2Check) -> Self {
        let names: Vec<String> = self.members.iter().filter_map(|m| m.row.name.clone()).collect();
        for name in names {
            self = self.v2_check(&name, check.clone());
        }
        self
    }

    /// The disk snapshots of a member, as (term, index, time as printed with its Unix seconds).
    pub(crate) fn disk_snapshots(self, name: &str, snapshots: Vec<DiskSnapshot>) -> Self {
        self.fact_of(name, Body::DiskSnapshots(snapshots))
    }

    /// One row of `endpoint health`.
    pub(crate) fn health(mut self, name: &str, healthy: bool) -> Self {
        let endpoint = self.draft(name).row.client_urls.first().cloned().unwrap();
        let error = (!healthy).then(|| "context deadline exceeded".to_owned());
        self.fact(Body::Health(Health { endpoint, healthy, error }))
    }

    /// The cluster version, as `/version` of m1 says it.
    pub(crate) fn cluster_version(self, minor: Minor) -> Self {
        self.fact(Body::ServerVersion(ServerVersion { cluster: Some(minor), ..ServerVersion::default() }))
    }

    /// The version of a tool.
    pub(crate) fn tool(self, tool: &str, text: &str) -> Self {
        self.fact(Body::ToolVersion(ToolVersion { tool: tool.to_owned(), version: version(text) }))
    }

    /// What `auth status` said.
    pub(crate) fn auth(self, enabled: bool) -> Self {
        self.fact(Body::Auth(enabled))
    }

    /// An answer of `etcdctl downgrade`.
    pub(crate) fn downgrade(self, action: &str, ok: bool) -> Self {
        let answer = Downgrade { action: action.to_owned(), ok, cluster_version: None, error: None };
        self.fact(Body::Downgrade(answer))
    }

    /// A backup snapshot that was saved and whose status was shown.
    pub(crate) fn backup(self, path: &str) -> Self {
        let status =
            SnapshotStatus { path: Some(path.to_owned()), revision: Some(90_000), ..SnapshotStatus::default() };
        self.fact(Body::SnapshotSaved(SnapshotSaved { path: path.to_owned() })).fact(Body::SnapshotStatus(status))
    }

    /// The status of a backup snapshot with this hash.
    pub(crate) fn backup_with_hash(self, path: &str, hash: u32) -> Self {
        let path = Some(path.to_owned());
        self.fact(Body::SnapshotStatus(SnapshotStatus { path, hash: Some(hash), ..SnapshotStatus::default() }))
    }

    /// The status of a backup snapshot of this storage version.
    pub(crate) fn backup_of_version(self, path: &str, text: &str) -> Self {
        let path = Some(path.to_owned());
        self.fact(Body::SnapshotStatus(SnapshotStatus {
            path,
            version: Some(version(text)),
            ..SnapshotStatus::default()
        }))
    }

    /// A line of a member's log.
    pub(crate) fn log(self, name: &str, text: &str) -> Self {
        let message = crate::etcd::log_messages::in_line(text).map_or("", |m| m.id);
        let event = LogEvent { message, version: None, member: Some(name.to_owned()), text: text.to_owned() };
        self.fact_of(name, Body::Log(event))
    }

    /// An error of a tool.
    pub(crate) fn tool_error(self, text: &str) -> Self {
        self.fact(Body::ToolError(ToolError { text: text.to_owned() }))
    }

    /// A restore command with these flags, as `flag=value` or `flag`.
    pub(crate) fn restore(self, tool: &str, path: &str, flags: &[&str]) -> Self {
        let flag = |text: &&str| match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => ((*text).to_owned(), None),
        };
        let flags = flags.iter().map(flag).collect();
        let command = RestoreCommand { tool: tool.to_owned(), path: Some(path.to_owned()), flags };
        self.fact(Body::SnapshotRestore(command))
    }

    /// Any fact.
    pub(crate) fn fact(mut self, body: Body) -> Self {
        self.extra.push((MemberHint::default(), body));
        self
    }

    /// Any fact, said of a member by the person.
    pub(crate) fn fact_of(mut self, name: &str, body: Body) -> Self {
        self.extra.push((MemberHint { chosen: Some(name.to_owned()), ..MemberHint::default() }, body));
        self
    }

    /// The facts, as readers would give them.
    pub(crate) fn evidence(&self) -> Evidence {
        let mut facts = Vec::new();
        let mut add = |hint: MemberHint, body: Body, span: Span| facts.push(Fact { span, hint, body });
        for (at, draft) in self.members.iter().enumerate() {
            let none = MemberHint::default;
            if self.member_list {
                add(none(), Body::Member(draft.row.clone()), Span::line(0, at + 1));
            }
            if !self.status {
                continue;
            }
            if let Some(status) = &draft.status {
                add(none(), Body::Status(Box::new(status.clone())), Span::line(0, STATUS_AT + at));
            }
            if let Some(error) = &draft.failed {
                let endpoint = draft.row.client_urls.first().cloned().unwrap_or_default();
                let failed = EndpointFailed { endpoint, error: error.clone() };
                add(none(), Body::EndpointFailed(failed), Span::line(0, STATUS_AT + at));
            }
        }
        for (at, (hint, body)) in self.extra.iter().enumerate() {
            add(hint.clone(), body.clone(), span_of_extra(at));
        }
        if self.alarm_list {
            add(MemberHint::default(), Body::AlarmsListed, Span::line(0, ALARMS_AT));
        }
        Evidence { facts, ..Evidence::default() }
    }

    /// The merged cluster.
    pub(crate) fn build(&self) -> Cluster {
        merge(&self.evidence())
    }
}

/// Line of the first status row.
const STATUS_AT: usize = 100;
/// Line of the first added fact.
const EXTRA_AT: usize = 1_000;
/// Line of the alarm list's end.
const ALARMS_AT: usize = 100_000;

fn span_of_extra(at: usize) -> Span {
    Span::line(0, EXTRA_AT + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_members_are_healthy_and_whole() {
        let cluster = three_members("3.5.33").clean_flags().v2_check_all(&V2Check::CleanWithWal).build();
        let labels: Vec<String> = cluster.members.iter().map(super::super::Member::label).collect();
        assert_eq!(labels, ["m1", "m2", "m3"]);
        assert_eq!(cluster.leader(), Some(0));
        assert_eq!(cluster.lowest_minor(), Some(Minor::new(3, 5)));
        assert_eq!(cluster.alarms_looked_at.len(), 4);
        assert!(cluster.members.iter().all(|m| m.flags.len() == 1 && m.v2_check.is_some()));
        assert_eq!((cluster.contradictions, cluster.history, cluster.flags), (vec![], vec![], vec![]));
    }

    #[test]
    fn an_unreachable_member_stays_a_member() {
        let cluster = three_members("3.5.33").unreachable("m3").alarm("m1", AlarmType::NoSpace).build();
        assert_eq!(
            cluster.members.iter().map(super::super::Member::answers).collect::<Vec<_>>(),
            [Some(true), Some(true), Some(false)]
        );
        assert_eq!(cluster.alarms.len(), 1);
    }
}
