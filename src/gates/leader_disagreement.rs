//! Do all members follow the same leader?
//!
//! # Asks
//! Whether the leaders that members name by id, in JSON or fields, are one.
//!
//! # Blocks when
//! Members of one output follow different leaders in one raft term.
//!
//! # Why
//! Within a raft term there is one leader. Members that name two are of two clusters, or cut off from each other.
//!
//! # Remedy
//! Find out which members reach each other before anything is restarted.
//!
//! # Sources
//! - seen-status: the leader each member names.

use super::question::{Question, seen};
use super::{Asked, FOR_LIVE_CHANGES_AND_HEALTH, Finding, Gate, Group, Need, sight};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "leader-disagreement",
    group: Group::Health,
    sources: &[key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_LIVE_CHANGES_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let rows = sight::rows(q);
    let told: Vec<_> = rows
        .iter()
        .filter_map(|(at, s)| s.value.leader.filter(|leader| *leader != 0).map(|leader| (*at, leader, *s)))
        .collect();
    let Some((_, first, row)) = told.first() else { return Vec::new() };
    let other = told.iter().find(|(_, leader, s)| leader != first && s.value.raft_term == row.value.raft_term);
    if let Some((_, other, _)) = other {
        let of = |id: u64| q.names(&told.iter().filter(|(_, l, _)| *l == id).map(|(at, _, _)| *at).collect::<Vec<_>>());
        let statement = format!(
            "Followers of {first:x}: {}. Followers of {other:x}: {}. A raft term has one leader.",
            of(*first),
            of(*other)
        );
        let remedy = "Find out which members reach each other (network, certificates) and whether the rows are of one \
                      cluster, before anything is restarted.";
        return vec![Finding::blocked(statement, seen(told.iter().map(|(_, _, s)| &s.span)), remedy)];
    }
    let same = told.iter().all(|(_, leader, _)| leader == first);
    if same {
        sight::passed_on(told.iter().map(|(_, _, s)| &s.span), "Every member that names a leader names the same.")
    } else {
        // Other terms: an election lay between two rows, which the gate on raft terms speaks of.
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn two_leaders_of_one_term_block() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::Passed]);
        let two = three_members("3.5.33").status("m3", |s| s.leader = Some(0xa3));
        assert_eq!(outcomes(&GATE, &two, "3.6", &[]), [Outcome::Blocked]);
        let later = two.status("m3", |s| s.raft_term = Some(3));
        assert_eq!(outcomes(&GATE, &later, "3.6", &[]), [Outcome::NotLookedAt]);
    }
}
