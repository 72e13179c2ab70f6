//! Does etcd support this way down?
//!
//! # Asks
//! Whether the target is the minor right below the one that runs, and whether that minor can be left by a formal downgrade.
//!
//! # Blocks when
//! The target is more than one minor down, the minor can't be left formally, the target is not older, or the cluster refused
//! it. A patch with a known defect of downgrades warns.
//!
//! # Why
//! Only from 3.6 on servers lower the version of their data for an older minor, and only by one.
//!
//! # Remedy
//! Go down one minor at a time. Below that, restore the backup snapshot that was taken on the older minor.
//!
//! # Sources
//! - source-downgrade: which target the server accepts.
//! - seen-downgrade: downgrades of real clusters.

use super::question::{Question, seen};
use super::{Asked, FOR_DOWNGRADE, Finding, Gate, Ground, Group, Need, asks};
use crate::etcd::hops;
use crate::etcd::known_issues::{self, Topic};
use crate::etcd::sources::key;
use crate::intent::RouteKind;

/// The gate.
pub static GATE: Gate = Gate {
    id: "downgrade-unsupported",
    group: Group::Downgrade,
    sources: &[key::SOURCE_DOWNGRADE, key::SEEN_DOWNGRADE],
    asked: Asked::Now,
    intents: FOR_DOWNGRADE,
    need: |_| Need::Required,
    check,
};

/// What the cluster says to a target it does not take.
const REFUSED: &str = "invalid downgrade target version";

fn check(q: &Question<'_>) -> Vec<Finding> {
    let mut grounds = seen(&q.route.from_seen);
    grounds.push(Ground::Wanted);
    let to = q.route.to.as_ref().map_or_else(|| "the target".to_owned(), ToString::to_string);
    let from = q.route.from.map_or_else(|| "what runs".to_owned(), |from| from.to_string());
    let by_snapshot = "Restore the backup snapshot that was taken before the upgrade, on every member, with the older \
                       binary.";
    let blocked = |statement: String, remedy: &str| vec![Finding::blocked(statement, grounds.clone(), remedy)];
    match (&q.route.kind, q.hop()) {
        (RouteKind::TooFarDown, _) => {
            let statement = format!("From {from} to {to} is more than one minor down.");
            return blocked(statement, "Go down one minor, finish it on every member, and look again from there.");
        }
        (RouteKind::Backwards, _) => {
            return blocked(
                format!("{to} is newer than {from}, so this is no downgrade."),
                "Ask for the upgrade instead.",
            );
        }
        (RouteKind::StartUnknown, _) => {
            return vec![Finding::cant_tell("Which minor runs is not known.", vec![asks::status(q)])];
        }
        (_, Some(hop)) if !hops::leads_back(hop.from, hop.to) => {
            return blocked(format!("etcd has no supported downgrade from {} to {}.", hop.from, hop.to), by_snapshot);
        }
        _ => {}
    }
    let refused = q.answered_downgrade(REFUSED);
    if !refused.is_empty() {
        let remedy =
            "Ask for the minor right below the cluster version, and only when every member runs the same minor.";
        return vec![Finding::blocked("The cluster refused the target.", refused, remedy)];
    }
    if q.route.to.is_none() {
        return Vec::new();
    }
    let Some(hop) = q.hop() else {
        return vec![Finding::passed(format!("Within {from} an older patch starts on the same data."), grounds)];
    };
    let mut findings = known_defects(q);
    if findings.is_empty() {
        findings
            .push(Finding::passed(format!("{} can be left for {} by a formal downgrade.", hop.from, hop.to), grounds));
    }
    findings
}

/// Known issues of what runs that touch a downgrade.
fn known_defects(q: &Question<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for version in q.versions().iter().filter(|v| v.running) {
        let touching = known_issues::all()
            .iter()
            .filter(|i| i.topics.contains(&Topic::Downgrade) && i.in_version(version.version));
        for issue in touching {
            if !findings.iter().any(|f| f.statement == issue.title) {
                findings.push(Finding::warning(issue.title, vec![Ground::Seen(version.span.clone())], issue.remedy));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{nothing, three_members};
    use crate::gates::Outcome::{Blocked, CantTell, Passed, Warning};
    use crate::gates::testing::going_down;

    #[test]
    fn one_minor_at_a_time_and_only_where_it_is_supported() {
        let down = |runs: &str, to: &str| going_down(&GATE, &three_members(runs), to, &[]);
        assert_eq!(down("3.6.16", "3.5"), [Passed]);
        assert_eq!(down("3.7.3", "3.6"), [Passed]);
        assert_eq!(down("3.7.3", "3.5"), [Blocked]);
        assert_eq!(down("3.5.35", "3.4"), [Blocked]);
        assert_eq!(down("3.5.35", "3.6"), [Blocked]);
        assert_eq!(down("3.5.35", "3.5.30"), [Passed]);
        assert_eq!(going_down(&GATE, &nothing(), "3.5", &[]), [CantTell]);
    }

    #[test]
    fn a_patch_with_a_defect_of_downgrades_warns() {
        assert_eq!(going_down(&GATE, &three_members("3.7.1"), "3.6", &[]), [Warning]);
        assert_eq!(going_down(&GATE, &three_members("3.7.2"), "3.6", &[]), [Passed]);
    }

    #[test]
    fn what_the_cluster_refused_blocks() {
        let refused = three_members("3.6.16").tool_error("etcdserver: invalid downgrade target version");
        assert_eq!(going_down(&GATE, &refused, "3.5", &[]), [Blocked]);
    }
}
