//! Do these rules know the releases that run?
//!
//! # Asks
//! Whether any member runs a release newer than those this rule set knows of its minor, or a newer minor.
//!
//! # Blocks when
//! Never. Such a release is "can't tell yet".
//!
//! # Why
//! The rules were made with the releases known on their date. What a later one changed, nobody wrote down here, and
//! silence about it would read as "fine".
//!
//! # Remedy
//! Take a newer rule set.
//!
//! # Sources
//! - rule-set: the releases known, and the date.

use super::question::{Question, seen};
use super::{Ask, Asked, FOR_EVERY_INTENT, Finding, Gate, Group, Need};
use crate::etcd::releases;
use crate::etcd::sources::key;
use crate::etcd::version::Version;

/// The gate.
pub static GATE: Gate = Gate {
    id: "release-unknown",
    group: Group::Release,
    sources: &[key::RULE_SET],
    asked: Asked::Now,
    intents: FOR_EVERY_INTENT,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let members = q.cluster.members.iter().enumerate();
    let running: Vec<_> =
        members.filter_map(|(at, m)| m.version().map(|(version, span)| (at, version, span))).collect();
    let newer: Vec<_> = running.iter().filter(|(_, version, _)| is_newer(version)).collect();
    let Some((_, version, _)) = newer.first() else {
        if running.is_empty() {
            return Vec::new();
        }
        let statement = format!("No member runs a release newer than the rules of {}.", releases::RULESET_DATE);
        return vec![Finding::passed(statement, seen(running.iter().map(|(_, _, span)| *span)))];
    };
    let at: Vec<usize> = newer.iter().map(|(at, _, _)| *at).collect();
    let statement = format!(
        "{} run{} etcd {version}, which is newer than the rules of {}: they say nothing about it.",
        q.names(&at),
        if at.len() == 1 { "s" } else { "" },
        releases::RULESET_DATE
    );
    let choose = "Take a newer rule set, or look up yourself what this release changed.".to_owned();
    let grounds = seen(newer.iter().map(|(_, _, span)| *span));
    vec![Finding::cant_tell(statement, vec![Ask::Choose(choose)]).with_grounds(grounds).about(&at)]
}

/// Is it newer than every release of its minor, or of a minor after the newest?
fn is_newer(version: &Version) -> bool {
    let minor = version.minor();
    match releases::newest(minor) {
        Some(newest) => version.upstream() > newest.version,
        None => releases::newest_minor().is_some_and(|newest| minor > newest) && releases::find(version).is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_than_the_newest_known_is_newer_and_a_vendor_build_of_it_is_not() {
        for version in ["3.5.36", "3.6.99", "3.9.0", "4.0.0"] {
            assert!(is_newer(&version.parse().unwrap()), "{version}");
        }
        for version in ["3.5.35", "3.5.35-k3s1", "3.6.0-rc.1", "3.8.0-alpha.0", "3.2.32"] {
            assert!(!is_newer(&version.parse().unwrap()), "{version}");
        }
    }
}
