//! Do all members belong to one cluster?
//!
//! # Asks
//! Whether rows of one output name more than one cluster id, and whether a log says so.
//!
//! # Blocks when
//! One output shows two cluster ids, a member leads that the member list beside it does not hold, or a log line says that
//! the ids of two members differ.
//!
//! # Why
//! Each of them commits in a cluster of its own and calls itself healthy. Rolled together they are two clusters of
//! fewer members, each with less quorum than it looks.
//!
//! # Remedy
//! Find out which cluster is meant. Where a member was started by mistake as a cluster of its own, remove its data and
//! add it again.
//!
//! # Sources
//! - seen-status: what status shows of two clusters.
//! - seen-logs: what a member logs.

use super::question::{Question, seen};
use super::{Asked, FOR_EVERY_CHANGE_AND_HEALTH, Finding, Gate, Group, Need, sight};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "cluster-id-mismatch",
    group: Group::Health,
    sources: &[key::SEEN_STATUS, key::SEEN_LOGS],
    asked: Asked::Now,
    intents: FOR_EVERY_CHANGE_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    const REMEDY: &str = "Find out which cluster is meant and paste only its members. A member that was started as a \
                          cluster of its own has to be emptied and added again: rolled together, each part has less \
                          quorum than it looks.";
    let rows = sight::rows(q);
    let ids: Vec<_> = rows.iter().filter_map(|(at, s)| s.value.cluster_id.map(|id| (*at, id, &s.span))).collect();
    let first = ids.first().map(|(_, id, _)| *id);
    // Pastes of two days may be of two clusters; rows of one paste are of one command.
    let other = ids
        .iter()
        .find(|(_, id, span)| Some(*id) != first && ids.iter().any(|(_, one, at)| one != id && at.paste == span.paste));
    if let (Some(first), Some((_, other, _))) = (first, other) {
        let of = |id: u64| q.names(&ids.iter().filter(|(_, i, _)| *i == id).map(|(at, _, _)| *at).collect::<Vec<_>>());
        let statement = format!("{} belong to cluster {first:x}, {} to cluster {other:x}.", of(first), of(*other));
        return vec![Finding::blocked(statement, seen(ids.iter().map(|(_, _, span)| *span)), REMEDY)];
    }
    let told = q.logged(GATE.id, |_| true);
    if !told.is_empty() {
        let statement = "A member's log says that its peer belongs to another cluster.";
        return vec![Finding::blocked(statement, seen(told.iter().map(|l| &l.seen.span)), REMEDY)];
    }
    if let Some(finding) = leads_outside(q) {
        return vec![finding];
    }
    match first {
        Some(first) => sight::passed_on(
            ids.iter().map(|(_, _, span)| *span),
            format!("Every member that shows a cluster id belongs to cluster {first:x}."),
        ),
        None => Vec::new(),
    }
}

/// A member that leads and does not stand in the member list of the same paste: it leads a cluster of its own.
fn leads_outside(q: &Question<'_>) -> Option<Finding> {
    let list = q.cluster.member_list.as_ref()?;
    let beside = |m: &crate::cluster::Member| m.status.as_ref().is_some_and(|s| s.span.paste == list.paste);
    let alone = q.indices(|m| m.listed.is_none() && m.is_leader() == Some(true) && beside(m));
    let row = alone.first().and_then(|at| q.cluster.members.get(*at)).and_then(|m| m.status.as_ref())?;
    let statement =
        format!("{} leads and does not stand in the member list: it leads a cluster of its own.", q.names(&alone));
    let remedy = "Ask every member for its own list and id of the cluster. Choose the half that has the data, stop the other, \
                  empty its data directories and add its members again.";
    Some(Finding::blocked(statement, seen([&row.span, list]), remedy).about(&alone))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::evidence::fact::{Body, Status};
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_leader_that_is_no_member_leads_another_cluster() {
        let outside =
            |index| three_members("3.5.33").status("m1", |s| (s.is_leader, s.leader) = (Some(false), Some(index)));
        assert_eq!(outcomes(&GATE, &outside(2), "3.6", &[]), [Outcome::Passed]);
        let alone = Status {
            endpoint: "https://10.0.0.9:2379".to_owned(),
            member_id: Some(0xa9),
            is_leader: Some(true),
            ..Status::default()
        };
        assert_eq!(outcomes(&GATE, &outside(2).fact(Body::Status(Box::new(alone))), "3.6", &[]), [Outcome::Blocked]);
    }

    #[test]
    fn two_ids_in_one_output_are_two_clusters() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::Passed]);
        let two = three_members("3.5.33").status("m3", |s| s.cluster_id = Some(0xbad));
        let finding = only(&GATE, &two, "3.6", &[]);
        assert_eq!(finding.outcome, Outcome::Blocked);
        assert_eq!(finding.statement, "m1 and m2 belong to cluster c1, m3 to cluster bad.");
    }
}
