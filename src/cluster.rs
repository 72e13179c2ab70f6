//! All evidence merged: members with everything known of each; contradictions and history kept.
//!
//! Members are matched by id, then by name, then by URL. A later paste of the same kind supersedes an earlier one for
//! the members it names; the earlier is kept as history.

#[cfg(test)]
mod captures;
pub mod commands;
mod contradictions;
pub mod endpoint;
mod history;
mod index;
pub mod merge;
pub mod settings;
mod stretches;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod unplaced;

use crate::etcd::version::{Minor, Version};
use crate::evidence::Evidence;
use crate::evidence::fact::{
    Alarm, AlarmType, DiskSnapshot, Doubt, Downgrade, EndpointFailed, FlagSet, HashKv, Health, HttpHealth, LogEvent,
    MemberChange, MemberCommand, MemberRow, RestoreCommand, SaveCommand, Seen, ServerVersion, SnapshotSaved,
    SnapshotStatus, Span, Status, ToolError, ToolVersion, V2Check,
};

/// More members than this are no cluster: etcd's documents advise against more than seven.
const MOST_MEMBERS: usize = 64;

/// Everything known of one member.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Member {
    /// Member id.
    pub id: Option<u64>,
    /// Name.
    pub name: Option<String>,
    /// What it is called instead, where name or endpoint alone would call several members the same.
    pub called: Option<String>,
    /// Client endpoints, as printed, without duplicates.
    pub endpoints: Vec<String>,
    /// Peer URLs.
    pub peer_urls: Vec<String>,
    /// Its row of the member list.
    pub listed: Option<Seen<MemberRow>>,
    /// Its newest status.
    pub status: Option<Seen<Status>>,
    /// It did not answer `status`, and no later status shows that it does.
    pub failed: Option<Seen<EndpointFailed>>,
    /// Its newest health.
    pub health: Option<Seen<Health>>,
    /// GET `/health`.
    pub http_health: Option<Seen<HttpHealth>>,
    /// GET `/version` or the like.
    pub server_version: Option<Seen<ServerVersion>>,
    /// Hash of its data.
    pub hash: Option<Seen<HashKv>>,
    /// Its flags, one set a source (unit, env file, config file).
    pub flags: Vec<Seen<FlagSet>>,
    /// What `check v2store` said of it.
    pub v2_check: Option<Seen<V2Check>>,
    /// Its disk snapshots; an empty list is a listing that showed none.
    pub disk_snapshots: Option<Seen<Vec<DiskSnapshot>>>,
    /// Log lines of it.
    pub log: Vec<Seen<LogEvent>>,
}

/// Two pastes that say different things of the same matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// What about, in words: "m1 is leader and follower at once".
    pub about: String,
    /// The two places.
    pub places: [Span; 2],
}

/// A fact of an older paste that a newer one replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Superseded {
    /// The member's label.
    pub member: String,
    /// What: "version", "leader", "lag", "alarms", "flags", "reachable", "role", "membership".
    pub what: &'static str,
    /// The older value in words.
    pub before: String,
    /// The newer value in words.
    pub after: String,
    /// The older place.
    pub before_at: Span,
    /// The newer place.
    pub after_at: Span,
}

/// Entries a member may be behind without being late: so many are written between two rows of one table.
pub const NOTICEABLE_LAG: u64 = 1_000;

/// All evidence merged.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cluster {
    /// Members in the order of the member list, else of the status, else as found.
    pub members: Vec<Member>,
    /// Every cluster id seen, with its places.
    pub cluster_ids: Vec<Seen<u64>>,
    /// Was a member list pasted?
    pub member_list: Option<Span>,
    /// Alarms raised, each once.
    pub alarms: Vec<Seen<Alarm>>,
    /// What shows that alarms were looked at: an `alarm list`, or status rows with an errors column.
    pub alarms_looked_at: Vec<Span>,
    /// Cluster versions seen (`/version`, metrics, logs), the newest of each server, in the order of the pastes.
    pub cluster_versions: Vec<Seen<Minor>>,
    /// Authentication, where `auth status` was pasted.
    pub auth: Option<Seen<bool>>,
    /// Backup snapshots whose status was pasted.
    pub snapshots: Vec<Seen<SnapshotStatus>>,
    /// Backup snapshots saved.
    pub snapshots_saved: Vec<Seen<SnapshotSaved>>,
    /// `snapshot save` as it was typed.
    pub saves: Vec<Seen<SaveCommand>>,
    /// Members that printed a list with their brothers and without themselves (`etcd-0` beside `etcd-1`, `etcd-2`).
    pub not_in_own_list: Vec<Seen<String>>,
    /// Restores that were run or are planned.
    pub restores: Vec<Seen<RestoreCommand>>,
    /// Versions of tools.
    pub tools: Vec<Seen<ToolVersion>>,
    /// Answers of `etcdctl downgrade`.
    pub downgrades: Vec<Seen<Downgrade>>,
    /// The etcd servers that kube-apiservers use.
    pub api_servers: Vec<Seen<Vec<String>>>,
    /// Answers of `member add`, `remove`, `update` and `promote`.
    pub member_changes: Vec<Seen<MemberChange>>,
    /// `member add`, `remove`, `update` and `promote` as they were typed.
    pub member_commands: Vec<Seen<MemberCommand>>,
    /// Errors of tools.
    pub tool_errors: Vec<Seen<ToolError>>,
    /// Checks of the v2 store that no member could be found for.
    pub v2_checks: Vec<Seen<V2Check>>,
    /// Flags that no member could be found for.
    pub flags: Vec<Seen<FlagSet>>,
    /// Disk snapshot listings that no member could be found for.
    pub disk_snapshots: Vec<Seen<Vec<DiskSnapshot>>>,
    /// Versions that no member could be found for.
    pub server_versions: Vec<Seen<ServerVersion>>,
    /// Endpoints that did not answer and that no member of the member list could be found for.
    pub failed: Vec<Seen<EndpointFailed>>,
    /// Health of endpoints that no member of the member list could be found for.
    pub health: Vec<Seen<Health>>,
    /// Hashes of endpoints that no member of the member list could be found for.
    pub hashes: Vec<Seen<HashKv>>,
    /// HTTP health that no member could be found for.
    pub http_health: Vec<Seen<HttpHealth>>,
    /// Log lines that no member could be found for.
    pub log: Vec<Seen<LogEvent>>,
    /// Contradictions between pastes.
    pub contradictions: Vec<Contradiction>,
    /// Facts that no member could be found for and that stand for none: a paste given before holds them already, a
    /// later one speaks of the same place, or they are of a member nobody lists.
    pub repeated: Vec<Span>,
    /// What can't be taken at its word, and no later output of its kind makes up for.
    pub doubts: Vec<Seen<Doubt>>,
    /// What newer pastes replaced.
    pub history: Vec<Superseded>,
}

/// Merges the evidence.
#[must_use]
pub fn merge(evidence: &Evidence) -> Cluster {
    merge::merge(evidence)
}

impl Member {
    /// How the member is called everywhere: its name, else its endpoint, else its id in hex. No two members of a
    /// cluster are called the same.
    #[must_use]
    pub fn label(&self) -> String {
        if let Some(called) = self.called.as_ref().or(self.name.as_ref()) {
            return called.clone();
        }
        if let Some(endpoint) = self.endpoints.first() {
            return endpoint.clone();
        }
        self.id.map_or_else(|| "a member".to_owned(), |id| format!("{id:x}"))
    }

    /// The server version it runs, with the place that shows it. A status wins over other sources.
    #[must_use]
    pub fn version(&self) -> Option<(&Version, &Span)> {
        let status = self.status.as_ref().and_then(|s| s.value.version.as_ref().map(|v| (v, &s.span)));
        status.or_else(|| self.server_version.as_ref().and_then(|s| s.value.server.as_ref().map(|v| (v, &s.span))))
    }

    /// Is it a learner? Member list first, then status; `None` when neither says.
    #[must_use]
    pub fn is_learner(&self) -> Option<bool> {
        let listed = self.listed.as_ref().and_then(|m| m.value.is_learner);
        listed.or_else(|| self.status.as_ref().and_then(|s| s.value.is_learner))
    }

    /// Is it the leader? Where the form has no such column, the leader it follows tells.
    #[must_use]
    pub fn is_leader(&self) -> Option<bool> {
        let status = &self.status.as_ref()?.value;
        status.is_leader.or_else(|| Some(status.leader? == status.member_id?))
    }

    /// Did it answer, in whatever words? A status is an answer, also one with errors; so is an unhealthy line whose error
    /// comes from the server: a learner, a raised alarm. Seen on etcd 3.5.35 to 3.7.3: `endpoint health` calls members
    /// unhealthy that serve their status.
    #[must_use]
    pub fn answers(&self) -> Option<bool> {
        const FROM_SERVER: [&str; 3] = ["etcdserver:", "Active Alarm", "learner"];
        const NOT_REACHED: [&str; 4] = ["connection refused", "no such host", "no route to host", "connection reset"];
        let says = |error: &str, words: &[&str]| words.iter().any(|word| error.contains(word));
        if let Some(failed) = &self.failed {
            return Some(says(&failed.value.error, &FROM_SERVER));
        }
        let Some(health) = self.health.as_ref().map(|h| &h.value).filter(|h| !h.healthy) else {
            return (self.status.is_some() || self.health.is_some()).then_some(true);
        };
        let error = health.error.as_deref().unwrap_or("");
        Some(says(error, &FROM_SERVER) || (self.status.is_some() && !says(error, &NOT_REACHED)))
    }
}

impl Cluster {
    /// Members that vote: not known to be learners.
    pub fn voters(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|m| m.is_learner() != Some(true))
    }

    /// Statuses that show a downgrade that is enabled.
    pub fn downgrades_enabled(&self) -> impl Iterator<Item = &Seen<Status>> {
        let statuses = self.members.iter().filter_map(|m| m.status.as_ref());
        statuses.filter(|s| s.value.downgrade_enabled == Some(true))
    }

    /// The leader, if a status shows one; of several the one of the newest raft term.
    #[must_use]
    pub fn leader(&self) -> Option<usize> {
        let term = |m: &Member| m.status.as_ref().and_then(|s| s.value.raft_term);
        let leaders = self.members.iter().enumerate().filter(|(_, m)| m.is_leader() == Some(true));
        leaders.max_by_key(|(at, m)| (term(m), std::cmp::Reverse(*at))).map(|(at, _)| at)
    }

    /// Members a quorum needs: floor(voters/2)+1. 0 when no member is known.
    #[must_use]
    pub fn quorum(&self) -> usize {
        let voters = self.voters().count();
        if voters == 0 { 0 } else { voters / 2 + 1 }
    }

    /// Does it show more members than any cluster has? Then the pastes are of several clusters, or of none.
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        self.members.len() > MOST_MEMBERS
    }

    /// The lowest minor any member runs.
    #[must_use]
    pub fn lowest_minor(&self) -> Option<Minor> {
        self.members.iter().filter_map(|m| m.version()).map(|(v, _)| v.minor()).min()
    }

    /// The highest minor any member runs.
    #[must_use]
    pub fn highest_minor(&self) -> Option<Minor> {
        self.members.iter().filter_map(|m| m.version()).map(|(v, _)| v.minor()).max()
    }

    /// Alarms of one type.
    pub fn alarms_of(&self, alarm: AlarmType) -> impl Iterator<Item = &Seen<Alarm>> {
        self.alarms.iter().filter(move |a| a.value.alarm == alarm)
    }
}
