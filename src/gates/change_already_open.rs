//! Is another change of members half done?
//!
//! # Asks
//! Whether a member was added and never started, or is still a learner, and whether the change that is wanted is the
//! one that brought it in.
//!
//! # Blocks when
//! A change is half done and is not the one that is wanted, or nobody said what is wanted.
//!
//! # Why
//! etcd takes one change at a time in earnest: a member that never started counts for the quorum, a learner takes the
//! only place there is for one.
//!
//! # Remedy
//! Finish the change, or take it back, before another one is begun.
//!
//! # Sources
//! - runtime-reconfiguration: one change at a time.
//! - source-learners: what a learner is on the way to.

use super::finding::Ground;
use super::question::{Question, seen};
use super::{Asked, FOR_MEMBERS, Finding, Gate, Group, Need, sight};
use crate::etcd::sources::key;
use crate::intent::change::Origin;
use crate::reconfiguration::{Act, Course, Seat};

/// The gate.
pub static GATE: Gate = Gate {
    id: "change-already-open",
    group: Group::Change,
    sources: &[key::RUNTIME_RECONFIGURATION, key::SOURCE_LEARNERS],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let course = q.course();
    let half: Vec<(usize, &Seat)> =
        course.seats.iter().enumerate().filter(|(_, seat)| seat.listed && is_half_way(q, seat)).collect();
    if half.is_empty() {
        return sight::passed_on(&q.cluster.member_list, "No change of members is half done.");
    }
    let said = course.wanted.as_ref().is_some_and(|wanted| !matches!(wanted.origin, Origin::Open(_)));
    let ours = |at: usize| course.stages.iter().any(|stage| stage.seat == at && stage.act != Act::AddLearner);
    let mut findings: Vec<Finding> = Vec::new();
    for (at, seat) in half {
        let grounds = grounds_of(q, seat);
        if said && ours(at) {
            let statement =
                format!("{} is {}, and the change that is wanted goes on from there.", seat.label, state(seat));
            findings.push(Finding::passed(statement, grounds));
        } else {
            findings.push(
                Finding::blocked(
                    format!("{} is {}: a change is half done.", seat.label, state(seat)),
                    grounds,
                    remedy(seat),
                )
                .about(&seat.member.into_iter().collect::<Vec<_>>())
                .with_commands(commands(q, seat)),
            );
        }
    }
    findings
}

/// Was it brought in and is not done? Where list and status disagree about a learner, another gate speaks.
fn is_half_way(q: &Question<'_>, seat: &Seat) -> bool {
    let learner =
        seat.member.and_then(|at| q.cluster.members.get(at)).map_or(!seat.votes, |m| m.is_learner() == Some(true));
    !seat.started || (learner && !seat.votes)
}

fn state(seat: &Seat) -> &'static str {
    if seat.started { "a learner" } else { "added and was never started" }
}

fn remedy(seat: &Seat) -> &'static str {
    if seat.started {
        "Promote it once it is in sync, or remove it, before anything else is changed. To finish it, say promote= and the \
         member."
    } else {
        "Start it with exactly the flags member add printed and an empty data directory, or remove it, before anything else \
         is changed."
    }
}

fn commands(q: &Question<'_>, seat: &Seat) -> Vec<String> {
    let action = if seat.started { "promote" } else { "remove" };
    seat.id.map(|id| q.commands.member_by_id(action, id)).into_iter().collect()
}

fn grounds_of(q: &Question<'_>, seat: &Seat) -> Vec<Ground> {
    let member = seat.member.and_then(|at| q.cluster.members.get(at));
    let shown = member.and_then(|m| m.listed.as_ref().map(|row| &row.span).or(m.status.as_ref().map(|s| &s.span)));
    let added = q.cluster.member_changes.iter().filter(|change| Some(change.value.member_id) == seat.id);
    seen(shown.into_iter().chain(added.map(|change| &change.span)))
}

/// Members that the change brings in or promotes, and that stand half way.
#[must_use]
pub(super) fn brought_in(course: &Course, member: usize) -> bool {
    let said = course.wanted.as_ref().is_some_and(|wanted| !matches!(wanted.origin, Origin::Open(_)));
    said && course.stages.iter().filter_map(|stage| course.seat(stage)).any(|seat| seat.member == Some(member))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::members;
    use crate::gates::Outcome::{Blocked, Passed};
    use crate::gates::testing::changing;

    #[test]
    fn a_half_done_change_blocks_every_other_one() {
        let learner = || members(4, "3.5.33").learner("m4");
        assert_eq!(changing(&GATE, &members(3, "3.5.33"), &[]), [Passed]);
        assert_eq!(changing(&GATE, &learner(), &[]), [Blocked], "nobody said what is wanted");
        assert_eq!(changing(&GATE, &learner(), &["change=remove=m1"]), [Blocked]);
        for ours in ["change=promote=m4", "change=remove=m4", "change=replace=m2"] {
            assert_eq!(changing(&GATE, &learner(), &[ours, "new-name=m4"]), [Passed], "{ours}");
        }
    }
}
