//! Do all members belong to one cluster?
//!
//! # Asks
//! Whether rows of one output name more than one cluster id, and whether a log says so.
//!
//! # Blocks when
//! One output shows two cluster ids, or a log line says that the ids of two members differ.
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
    match first {
        Some(first) => sight::passed_on(
            ids.iter().map(|(_, _, span)| *span),
            format!("Every member that shows a cluster id belongs to cluster {first:x}."),
        ),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn two_ids_in_one_output_are_two_clusters() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::Passed]);
        let two = three_members("3.5.33").status("m3", |s| s.cluster_id = Some(0xbad));
        let finding = only(&GATE, &two, "3.6", &[]);
        assert_eq!(finding.outcome, Outcome::Blocked);
        assert_eq!(finding.statement, "m1 and m2 belong to cluster c1, m3 to cluster bad.");
    }
}
