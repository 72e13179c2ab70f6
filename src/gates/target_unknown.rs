//! Do these rules know the target?
//!
//! # Asks
//! Whether the target is a release this rule set knows.
//!
//! # Blocks when
//! Never. A release newer than the rules, or one that does not exist, is "can't tell yet": it may bring flags, floors
//! and start-up checks that nobody wrote down here.
//!
//! # Why
//! Every statement of this planner is about the releases it was made with. About a later one silence would read as
//! "fine".
//!
//! # Remedy
//! Choose a release the rules know, or take a newer rule set.
//!
//! # Sources
//! - rule-set: the releases known, and the date.

use super::question::Question;
use super::{Ask, Asked, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Ground, Group, Need, Outcome, sight};
use crate::etcd::sources::key;
use crate::etcd::version::Minor;
use crate::etcd::{platforms, releases};
use crate::intent::{RouteKind, Target};

/// The gate.
pub static GATE: Gate = Gate {
    id: "target-unknown",
    group: Group::Route,
    sources: &[key::RULE_SET],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |_| Need::Required,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let told = sight::logged(q, GATE.id, "Take a target that this tool brings, or bring its binaries first.");
    if !told.is_empty() {
        return told.into_iter().map(|f| Finding { outcome: Outcome::Blocked, ..f }).collect();
    }
    let wanted = q.leg.map(|leg| &leg.target).or(q.route.to.as_ref());
    let Some(version) = wanted else {
        return vec![match q.route.intent.to {
            Target::Minor(minor) => unknown(&format!("etcd {minor}"), minor, true),
            Target::Version(ref version) => unknown(&format!("etcd {version}"), version.minor(), true),
            Target::Shipped(release) => {
                let seen_until = platforms::shipped(release.platform.id).map_or("", |s| s.seen_until);
                let statement =
                    format!("Which etcd {release} brings is not known to the rules of {}.", releases::RULESET_DATE);
                let choose = format!(
                    "Look up which etcd {} brings there, and give that version as the target.",
                    release.platform.name
                );
                let finding = Finding::cant_tell(statement, vec![Ask::Choose(choose)]);
                if seen_until.is_empty() {
                    finding
                } else {
                    finding.with_note(format!("Its releases were seen until {seen_until}."))
                }
            }
            Target::Next if q.route.kind == RouteKind::TargetUnknown => {
                let newest = releases::newest_minor().map_or_else(String::new, |m| m.to_string());
                let statement = format!(
                    "No minor after {newest} is known to the rules of {}, so there is no next one to plan for.",
                    releases::RULESET_DATE
                );
                Finding::cant_tell(statement, vec![Ask::Choose("Name the target to plan for.".to_owned())])
            }
            Target::Next => {
                let ask = "Paste endpoint status, or say which version runs and which one you want.".to_owned();
                Finding::cant_tell(
                    "Where the cluster stands is not known, so there is no next minor yet.",
                    vec![super::asks::status(q), Ask::Choose(ask)],
                )
            }
        }];
    };
    match releases::find(version) {
        Some(release) => {
            let statement = format!(
                "etcd {} of {} is known to the rules of {}.",
                release.version,
                release.date,
                releases::RULESET_DATE
            );
            vec![Finding::passed(statement, vec![Ground::Wanted])]
        }
        None => vec![unknown(&format!("etcd {version}"), version.minor(), false)],
    }
}

/// Words for a target that is not known, with what to take instead.
fn unknown(what: &str, minor: Minor, whole_minor: bool) -> Finding {
    let known = releases::newest(minor).or_else(|| releases::newest_minor().and_then(releases::newest));
    let known = known.map_or_else(String::new, |r| r.version.to_string());
    let kind = if whole_minor { "minor" } else { "release" };
    let statement = format!(
        "{what} is no {kind} known to the rules of {}: it is newer than they are, or does not exist. They say nothing \
         about it.",
        releases::RULESET_DATE
    );
    let choose = format!("Choose a release these rules know, for example {known}, or take a newer rule set.");
    Finding::cant_tell(statement, vec![Ask::Choose(choose)]).with_grounds(vec![Ground::Wanted])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{nothing, three_members};
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_target_newer_than_the_rules_is_not_fine_and_says_their_date() {
        for target in ["3.8", "3.6.99", "4.0", "3.8.1"] {
            let finding = only(&GATE, &three_members("3.6.16"), target, &[]);
            assert_eq!(finding.outcome, Outcome::CantTell, "{target}");
            assert!(finding.statement.contains(releases::RULESET_DATE), "{}", finding.statement);
            assert!(!finding.asks.is_empty());
        }
    }

    #[test]
    fn every_leg_of_a_route_ends_on_a_release_that_is_known() {
        let outcomes = outcomes(&GATE, &three_members("3.4.45"), "3.7", &[]);
        assert_eq!(outcomes, [Outcome::Passed, Outcome::Passed, Outcome::Passed]);
    }

    #[test]
    fn without_a_start_a_target_can_still_be_known() {
        assert_eq!(outcomes(&GATE, &nothing(), "3.6", &[]), [Outcome::Passed]);
    }
}
