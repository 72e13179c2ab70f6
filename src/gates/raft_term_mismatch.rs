//! Do all members stand at the same raft term?
//!
//! # Asks
//! Whether the raft terms in the rows of status are equal.
//!
//! # Blocks when
//! Never. Different terms warn.
//!
//! # Why
//! A term rises with every election. Rows that differ were taken around one, or a member is cut off and calls for
//! elections nobody hears.
//!
//! # Remedy
//! Ask for the status again. If the terms still differ, look at the network of the member that stands apart.
//!
//! # Sources
//! - seen-status: the raft term of each member.

use super::question::{Question, seen};
use super::{Asked, FOR_LIVE_CHANGES_AND_HEALTH, Finding, Gate, Group, Need, sight, words};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "raft-term-mismatch",
    group: Group::Health,
    sources: &[key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_LIVE_CHANGES_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let rows = sight::rows(q);
    let terms: Vec<_> = rows.iter().filter_map(|(at, s)| s.value.raft_term.map(|term| (*at, term, &s.span))).collect();
    let Some(newest) = terms.iter().map(|(_, term, _)| *term).max() else { return Vec::new() };
    let behind: Vec<_> = terms.iter().filter(|(_, term, _)| *term != newest).collect();
    let grounds = seen(terms.iter().map(|(_, _, span)| *span));
    if behind.is_empty() {
        return vec![Finding::passed(format!("Every row shows raft term {newest}."), grounds)];
    }
    let each: Vec<String> = behind.iter().map(|(at, term, _)| format!("{} is at {term}", q.label(*at))).collect();
    let members: Vec<usize> = behind.iter().map(|(at, _, _)| *at).collect();
    let statement = format!("The newest raft term is {newest}; {}.", words::list(&each));
    let remedy = "Ask for the status again. If the terms still differ, a member is cut off or elections go on: look at \
                  network, clocks and disks before anything is restarted.";
    vec![Finding::warning(statement, grounds, remedy).about(&members)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_term_apart_warns() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::Passed]);
        let apart = only(&GATE, &three_members("3.5.33").status("m3", |s| s.raft_term = Some(1)), "3.6", &[]);
        assert_eq!((apart.outcome, apart.member), (Outcome::Warning, Some(2)));
        assert_eq!(apart.statement, "The newest raft term is 2; m3 is at 1.");
    }
}
