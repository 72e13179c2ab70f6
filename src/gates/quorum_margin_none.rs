//! Can the cluster bear a member being stopped?
//!
//! # Asks
//! The number of voters in the member list.
//!
//! # Blocks when
//! Never. One or two voters warn: the cluster is down while a member restarts. In a change of members every moment warns
//! in which one more failure stops the cluster.
//!
//! # Why
//! A roll stops one member at a time. With one voter that is the whole cluster, and once it runs the new minor the
//! window has shut, so the binary can't be swapped back. With two, one that is down takes the quorum with it.
//!
//! # Remedy
//! Announce the outage, and take the backup snapshot right before: with one voter it is the only way back. Or add
//! members first.
//!
//! # Sources
//! - upgrading: a roll without downtime needs three members.
//! - source-version-monitor: the cluster version rises as soon as every member runs the new minor.

use super::question::{Question, Stage, seen};
use super::{Asked, FOR_EVERY_LIVE_CHANGE, Finding, Gate, Group, Need, words};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "quorum-margin-none",
    group: Group::Health,
    sources: &[key::UPGRADING, key::SOURCE_VERSION_MONITOR],
    asked: Asked::Now,
    intents: FOR_EVERY_LIVE_CHANGE,
    need: |q| if q.stage() == Stage::Ahead || q.changes_members() { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    if q.changes_members() {
        return during_a_change(q);
    }
    let Some(list) = &q.cluster.member_list else { return Vec::new() };
    let voters = q.cluster.voters().count();
    let (statement, remedy) = match voters {
        0 => return Vec::new(),
        1 => (
            "The cluster has one voter: it is down while that member restarts.",
            "Announce the outage and take the backup snapshot right before. As soon as the only member runs the new minor \
             the window has shut: restoring that backup snapshot is then the way back.",
        ),
        2 => (
            "The cluster has two voters: while one restarts there is no quorum and nothing is written.",
            "Announce the outage, or add a third member first: with two voters the quorum is both.",
        ),
        _ => {
            let statement = format!("{} bear one being stopped.", words::count(voters, "voter"));
            let passed = Finding::passed(statement, seen([list]));
            return vec![passed];
        }
    };
    vec![Finding::warning(statement, seen([list]), remedy)]
}

/// The leanest moment before, during and after a change of members.
fn during_a_change(q: &Question<'_>) -> Vec<Finding> {
    let course = q.course();
    let now = course.now;
    // Without a quorum there is no margin to speak of; another gate stops the change then.
    if now.started == 0 || !now.holds() {
        return Vec::new();
    }
    let grounds = q.member_grounds();
    if course.least_spare() > 0 {
        return vec![Finding::passed("At every step the quorum bears one member failing.", grounds)];
    }
    let lean =
        course.stages.iter().map(|stage| stage.after).chain([now]).find(|tally| tally.spare() == 0).unwrap_or(now);
    let when = if now.spare() == 0 { "Now" } else { "During the change" };
    let statement = format!(
        "{when} {} of {} {}, and a quorum is {}: one more failure stops the cluster.",
        lean.reachable,
        words::count(lean.voters, "voter"),
        words::verb(lean.reachable, "answers", "answer"),
        lean.quorum()
    );
    let remedy = "Do the steps without a pause, touch no other member until the last one is done, and take the backup \
                  snapshot right before.";
    vec![Finding::warning(statement, grounds, remedy)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{members, three_members};
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn one_or_two_voters_warn() {
        for (count, outcome) in [(1, Outcome::Warning), (2, Outcome::Warning), (3, Outcome::Passed)] {
            assert_eq!(outcomes(&GATE, &members(count, "3.5.33"), "3.6", &[]), [outcome], "{count}");
        }
        assert_eq!(outcomes(&GATE, &members(1, "3.5.33").no_member_list(), "3.6", &[]), [Outcome::NotLookedAt]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.33").learner("m3"), "3.6", &[]), [Outcome::Warning]);
    }
}
