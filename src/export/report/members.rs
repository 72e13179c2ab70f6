//! One row a member: what the matrix on the page shows.

use super::MemberOut;
use crate::cluster::{Cluster, Member, settings};
use crate::etcd::flags::name;
use crate::evidence::fact::{AlarmType, FlagSet, SaveCommand, Seen, V2Check};
use crate::gates::{Finding, Outcome};

/// The rows, in the cluster's order.
pub(super) fn rows(cluster: &Cluster, findings: &[Finding]) -> Vec<MemberOut> {
    let newest = cluster.members.iter().filter_map(|m| m.status.as_ref()?.value.raft_index).max();
    cluster.members.iter().enumerate().map(|(i, m)| row(i, m, cluster, findings, newest)).collect()
}

fn row(index: usize, member: &Member, cluster: &Cluster, findings: &[Finding], newest: Option<u64>) -> MemberOut {
    let status = member.status.as_ref().map(|s| &s.value);
    let applied = status.and_then(|s| s.raft_applied_index.or(s.raft_index));
    let settings: usize = member.flags.iter().map(|set| set.value.settings.len()).sum();
    let api_on =
        findings.iter().any(|f| f.gate == "v2-api-enabled" && f.outcome == Outcome::Blocked && f.member == Some(index));
    let v2 = if api_on { Some("api-on") } else { member.v2_check.as_ref().and_then(|c| v2_word(&c.value)) };
    MemberOut {
        id: member.id.map(|id| format!("{id:x}")),
        name: member.name.clone(),
        label: member.label(),
        endpoint: member.endpoints.first().cloned(),
        version: member.version().map(|(v, _)| v.to_string()),
        role: role(member).map(str::to_owned),
        answers: member.answers(),
        storage_version: status.and_then(|s| s.storage_version.as_ref()).map(ToString::to_string),
        db_size: status.and_then(|s| s.db_size),
        quota: status.and_then(|s| s.quota).or_else(|| set_quota(member)),
        behind: newest.zip(applied).map(|(newest, applied)| newest.saturating_sub(applied)),
        alarms: cluster
            .alarms
            .iter()
            .filter(|a| member.id == Some(a.value.member_id))
            .map(|a| alarm_word(a.value.alarm).to_owned())
            .collect(),
        alarms_looked_at: !cluster.alarms_looked_at.is_empty(),
        flags: (!member.flags.is_empty()).then_some(settings),
        v2: v2.map(str::to_owned),
        backup: cluster.saves.iter().rev().find(|s| from(&s.value, member)).map(|s| s.value.path.clone()),
    }
}

/// The quota its flags set, where its answers say none.
fn set_quota(member: &Member) -> Option<u64> {
    let set = |flags: &Seen<FlagSet>| settings::value(&flags.value, name::QUOTA_BACKEND_BYTES)?.parse().ok();
    member.flags.iter().find_map(set).filter(|quota| *quota > 0)
}

/// Was this backup snapshot saved from the member? One that was typed for several endpoints came from nobody knows which.
fn from(save: &SaveCommand, member: &Member) -> bool {
    let typed = save.from.as_deref();
    typed.is_some() && (typed == member.name.as_deref() || member.endpoints.iter().any(|e| typed == Some(e)))
}

fn role(member: &Member) -> Option<&'static str> {
    if member.listed.as_ref().is_some_and(|l| !l.value.started) {
        return Some("unstarted");
    }
    match (member.is_learner(), member.is_leader()) {
        (Some(true), _) => Some("learner"),
        (_, Some(true)) => Some("leader"),
        (_, Some(false)) => Some("follower"),
        _ => None,
    }
}

fn alarm_word(alarm: AlarmType) -> &'static str {
    match alarm {
        AlarmType::NoSpace => "NOSPACE",
        AlarmType::Corrupt => "CORRUPT",
    }
}

fn v2_word(check: &V2Check) -> Option<&'static str> {
    match check {
        V2Check::CleanWithWal => Some("clean"),
        V2Check::CleanSnapshotOnly => Some("inconclusive"),
        V2Check::CustomContent | V2Check::WalRecords | V2Check::Both => Some("content"),
        V2Check::NotRun(_) => None,
    }
}
