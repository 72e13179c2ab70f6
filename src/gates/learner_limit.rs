//! Is there room for another learner?
//!
//! # Asks
//! How many learners there are, and how many the cluster takes.
//!
//! # Blocks when
//! The change adds a learner and the limit is reached, or etcd has refused one for that.
//!
//! # Why
//! A cluster takes one learner. From 3.6 on a flag raises the limit, and every member checks its own at each start.
//!
//! # Remedy
//! Promote or remove the learner that is there first.
//!
//! # Sources
//! - source-learner-limit: the limit.
//! - seen-reconfiguration: the refusal.

use super::question::Question;
use super::{Asked, FOR_MEMBERS, Finding, Gate, Group, Need, asks, words};
use crate::etcd::features;
use crate::etcd::flags::name;
use crate::etcd::sources::key;
use crate::reconfiguration::{Act, Refusal};

/// The gate.
pub static GATE: Gate = Gate {
    id: "learner-limit",
    group: Group::Change,
    sources: &[key::SOURCE_LEARNER_LIMIT, key::SEEN_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let course = q.course();
    let flag = match &course.version {
        Some(version) if features::MAX_LEARNERS_FLAG.in_version(version) => format!(
            " With --{} set to the same higher number on every member first, more are taken.",
            name::MAX_LEARNERS
        ),
        _ => String::new(),
    };
    let remedy =
        format!("Promote the learner that is there once it is in sync, or remove it; then add the next one.{flag}");
    let learners = q.indices(|m| m.is_learner() == Some(true));
    let commands = asks::promote(q, &learners);
    if let Some(told) = q.told_to_stop(GATE.id, &remedy).next() {
        return vec![told.with_commands(commands)];
    }
    if let Some((_, Refusal::TooManyLearners(most))) = course.refused() {
        let statement =
            format!("The cluster has {} and takes {most} at a time.", words::count(course.now.learners, "learner"));
        return vec![Finding::blocked(statement, q.member_grounds(), remedy).with_commands(commands)];
    }
    if course.stages.iter().any(|stage| stage.act == Act::AddLearner) {
        return vec![Finding::passed("There is room for a learner.", q.member_grounds())];
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::changing;

    #[test]
    fn a_second_learner_is_refused() {
        assert_eq!(changing(&GATE, &members(3, "3.5.33"), &["change=add-voter"]), [Passed]);
        let learner = members(4, "3.5.33").learner("m4");
        assert_eq!(changing(&GATE, &learner, &["change=add-voter", "new-name=m5"]), [Blocked]);
        let raised = members(4, "3.6.16").learner("m4").flags("m1", &["max-learners=2"]);
        assert_eq!(changing(&GATE, &raised, &["change=add-voter", "new-name=m5"]), [Passed]);
        assert_eq!(changing(&GATE, &members(3, "3.5.33"), &[]), [NotLookedAt]);
    }
}
