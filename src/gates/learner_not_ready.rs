//! Has the learner caught up?
//!
//! # Asks
//! The learner's raft index beside the leader's, and what etcd said to a promotion.
//!
//! # Blocks when
//! etcd has refused the promotion and nothing shows that the learner has caught up since, or its index is below nine
//! tenths of the leader's and it is to be promoted now.
//!
//! # Why
//! etcd promotes a learner whose index is at least nine tenths of the leader's. Until then it serves status and
//! serializable reads only.
//!
//! # Remedy
//! Wait until it has caught up, then promote. Do not remove one that moves.
//!
//! # Sources
//! - source-learners: when a learner is promoted.
//! - seen-reconfiguration: the refusals.

use super::question::{Question, seen};
use super::{Asked, FOR_MEMBERS, Finding, Gate, Group, Need, asks};
use crate::cluster::Member;
use crate::etcd::sources::key;
use crate::evidence::change::Change;
use crate::reconfiguration::Act;

/// The gate.
pub static GATE: Gate = Gate {
    id: "learner-not-ready",
    group: Group::Change,
    sources: &[key::SOURCE_LEARNERS, key::SEEN_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let course = q.course();
    let learners = q.indices(|m| m.is_learner() == Some(true) && m.listed.as_ref().is_none_or(|row| row.value.started));
    let newest = q.cluster.members.iter().filter_map(index).max();
    let mut findings = Vec::new();
    let mut all_ready = !learners.is_empty();
    for at in learners {
        let Some(member) = q.cluster.members.get(at) else { continue };
        let promoted = course
            .stages
            .iter()
            .any(|stage| stage.act == Act::Promote && course.seat(stage).is_some_and(|seat| seat.member == Some(at)));
        let Some((own, newest)) = index(member).zip(newest) else {
            all_ready = false;
            if promoted {
                let statement = format!("How far {} has come is not shown.", member.label());
                findings.push(Finding::cant_tell(statement, vec![asks::status(q)]).about(&[at]));
            }
            continue;
        };
        let statement = format!("{} is at raft index {own} of {newest}.", member.label());
        let grounds = seen(member.status.iter().map(|status| &status.span));
        if own.saturating_mul(10) >= newest.saturating_mul(9) {
            findings.push(Finding::passed(statement, grounds));
            continue;
        }
        all_ready = false;
        findings.push(if matches!(course.change(), Some(Change::Promote(_))) && promoted {
            Finding::blocked(statement, grounds, REMEDY).about(&[at])
        } else {
            Finding::passed(statement, grounds)
                .with_note("etcd promotes it from nine tenths on; the plan waits for it.")
        });
    }
    findings.extend(votes_already(q));
    findings.extend(q.told_to_stop(GATE.id, REMEDY).next().filter(|_| !all_ready));
    findings
}

const REMEDY: &str = "Leave it to catch up until its index meets the leader's, then promote it. If its index does not move, \
                      read its log; if it is dead, remove it. Nobody else joins meanwhile.";

/// `can only promote a learner member`, without what it says of one that is not in sync.
fn votes_already(q: &Question<'_>) -> Option<Finding> {
    let says = |text: &str| text.ends_with("can only promote a learner member");
    let error = q.cluster.tool_errors.iter().find(|error| says(error.value.text.trim()))?;
    let statement = "etcd says that the member to promote is no learner: it votes already.";
    Some(
        Finding::passed(statement, seen([&error.span]))
            .with_note("A promotion is done once; go on with the next step."),
    )
}

/// How far it is: what it has received.
fn index(member: &Member) -> Option<u64> {
    let status = &member.status.as_ref()?.value;
    status.raft_index.max(status.raft_applied_index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{Build, members};
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::changing;

    fn at(index: u64) -> Build {
        members(4, "3.5.33")
            .learner("m4")
            .status("m4", |s| (s.raft_index, s.raft_applied_index) = (Some(index), Some(index)))
    }

    /// `learner-promote`: strictly less than nine tenths is refused.
    #[test]
    fn nine_tenths_of_the_leaders_index_are_enough() {
        for (index, outcome) in [(107_999, Blocked), (108_000, Passed), (120_000, Passed)] {
            assert_eq!(changing(&GATE, &at(index), &["change=promote=m4"]), [outcome], "{index}");
        }
        assert_eq!(changing(&GATE, &at(10), &["change=replace=m2", "new-name=m4"]), [Passed], "the plan waits");
        assert_eq!(changing(&GATE, &members(3, "3.5.33"), &["change=add-voter"]), [NotLookedAt]);
    }

    #[test]
    fn a_refusal_is_over_once_the_learner_is_seen_in_sync() {
        let error = "etcdserver: can only promote a learner member which is in sync with leader";
        assert_eq!(changing(&GATE, &members(3, "3.5.33").tool_error(error), &[]), [Blocked]);
        assert_eq!(changing(&GATE, &at(120_000).tool_error(error), &["change=promote=m4"]), [Passed]);
    }
}
