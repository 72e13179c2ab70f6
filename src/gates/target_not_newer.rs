//! Does the target lie ahead of what runs?
//!
//! # Asks
//! Whether the target is newer than what every member runs.
//!
//! # Blocks when
//! A member already runs something newer than the target: that is a way back, not an upgrade.
//!
//! # Why
//! Once the cluster version was raised an older binary refuses to start. A way back has its own steps and its own
//! checks, and they depend on how far the roll has come.
//!
//! # Remedy
//! Choose a newer target, or plan the way back: swap the binaries back while the rollback window is open, else a
//! formal downgrade.
//!
//! # Sources
//! - source-downgrade: when a server refuses to start on a newer cluster.
//! - seen-downgrade: older binaries started on raised clusters.

use super::question::{Question, Stage, seen};
use super::{Asked, FOR_UPGRADE, Finding, Gate, Ground, Group, Need};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "target-not-newer",
    group: Group::Route,
    sources: &[key::SOURCE_DOWNGRADE, key::SEEN_DOWNGRADE],
    asked: Asked::Now,
    intents: FOR_UPGRADE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(target) = q.route.to.as_ref() else { return Vec::new() };
    let running: Vec<_> = q.versions().into_iter().filter(|v| v.running).collect();
    let newest = running.iter().rev().max_by_key(|v| v.version);
    let mut grounds = vec![Ground::Wanted];
    grounds.extend(seen(newest.map(|v| v.span)));
    match q.stage() {
        Stage::Backwards => {
            let runs = match newest {
                Some(v) => {
                    format!("{} runs {}", v.member.map_or_else(|| "a member".to_owned(), |m| q.label(m)), v.version)
                }
                None => format!("the cluster runs {}", q.route.from.map_or_else(String::new, |m| m.to_string())),
            };
            let remedy = "Choose a target newer than what runs. To go back, plan a downgrade instead: after the last \
                          member ran the newer minor an older binary refuses to start without one.";
            let statement = format!("The target {target} is older than what runs: {runs}.");
            vec![Finding::blocked(statement, grounds, remedy)]
        }
        Stage::Arrived => {
            let statement =
                format!("Every member already runs {target} or newer; what is left is to close the upgrade.");
            vec![Finding::passed(statement, grounds)]
        }
        Stage::Ahead if newest.is_some() => {
            vec![Finding::passed(format!("The target {target} is newer than what runs."), grounds)]
        }
        Stage::Ahead | Stage::Down | Stage::Stays | Stage::Unclear => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn an_older_target_is_a_way_back() {
        let finding = only(&GATE, &three_members("3.6.16"), "3.5", &[]);
        assert_eq!((finding.outcome, finding.hop), (Outcome::Blocked, None));
        assert_eq!(finding.statement, "The target 3.5.35 is older than what runs: m1 runs 3.6.16.");
    }

    #[test]
    fn a_cluster_that_is_there_is_not_held_up() {
        assert_eq!(outcomes(&GATE, &three_members("3.6.16"), "3.6.16", &[]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &three_members("3.6.0").version("m1", "3.6.16"), "3.6", &[]), [Outcome::Passed]);
    }
}
