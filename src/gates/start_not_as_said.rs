//! Does the cluster run what the person says it runs?
//!
//! # Asks
//! Whether the minor the person named as the start is the one that was pasted.
//!
//! # Blocks when
//! Never: what was pasted wins, and the difference warns.
//!
//! # Why
//! Either the paste is of another cluster or of another day, or the person has another cluster in mind.
//!
//! # Remedy
//! Look which of the two is right, and paste or say it again.
//!
//! # Sources
//! - rule-set: this planner's own rule.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE, Finding, Gate, Ground, Group, Need};
use crate::etcd::sources::key;
use crate::intent::Target;

/// The gate.
pub static GATE: Gate = Gate {
    id: "start-not-as-said",
    group: Group::Route,
    sources: &[key::RULE_SET],
    asked: Asked::Now,
    intents: FOR_UPGRADE,
    need: |q| if q.route.intent.from.is_some() { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let said = match &q.route.intent.from {
        Some(Target::Minor(minor)) => *minor,
        Some(Target::Version(version)) => version.minor(),
        Some(Target::Shipped(release)) => match release.etcd() {
            Some(version) => version.minor(),
            None => return Vec::new(),
        },
        Some(Target::Next) | None => return Vec::new(),
    };
    let Some(runs) = q.route.from.filter(|_| !q.route.from_seen.is_empty()) else { return Vec::new() };
    let mut grounds = seen(&q.route.from_seen);
    grounds.push(Ground::Wanted);
    if !q.route.from_said_differs {
        return vec![Finding::passed(format!("The cluster runs {runs}, as you say."), grounds)];
    }
    let statement = format!("You say {said}, and what was pasted runs {runs}.");
    let remedy =
        format!("Look which is right. This plan goes on from {runs}: it may be another cluster, or another day.");
    vec![Finding::warning(statement, grounds, remedy)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{asked_from, outcomes};

    #[test]
    fn what_was_pasted_wins_and_the_difference_is_said() {
        let of = |from| asked_from(&GATE, &three_members("3.5.33"), Some(from), "3.6", &[]).remove(0);
        assert_eq!(of("3.5.30").outcome, Outcome::Passed);
        let differs = of("3.4");
        assert_eq!(differs.outcome, Outcome::Warning);
        assert_eq!(differs.statement, "You say 3.4, and what was pasted runs 3.5.");
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::NotApplicable]);
    }
}
