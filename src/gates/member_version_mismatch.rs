//! Does the new member run the version of the others?
//!
//! # Asks
//! The version that the new member runs or is set up with, beside the members', and what its log says.
//!
//! # Blocks when
//! Its minor is older than what the members run, or etcd has refused the start for it. Another patch warns.
//!
//! # Why
//! A new member may be newer, never older than the cluster version: an older one ends its start, and stays in the list
//! as a member that never started. Defects differ between patches.
//!
//! # Remedy
//! Install the version that the other members run.
//!
//! # Sources
//! - source-join: which versions may join.
//! - seen-mixed: older and newer members that join.

use super::question::{Question, seen};
use super::sight::newcomer_flags;
use super::{Asked, FOR_MEMBERS, Finding, Gate, Group, Need};
use crate::etcd::sources::key;
use crate::etcd::version::Version;
use crate::evidence::fact::Span;
use crate::reconfiguration::Course;

/// The gate.
pub static GATE: Gate = Gate {
    id: "member-version-mismatch",
    group: Group::Change,
    sources: &[key::SOURCE_JOIN, key::SEEN_MIXED],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    const REMEDY: &str = "Install the version that the other members run, empty the data directory and start it again. Until \
                          it has started it counts for the quorum and answers nothing.";
    let course = q.course();
    let mut findings: Vec<Finding> = q.told_to_stop(GATE.id, REMEDY).take(1).collect();
    let own: Vec<(String, &Version, &Span)> = versions(q, course);
    let others: Vec<(&Version, &Span)> = q
        .cluster
        .members
        .iter()
        .enumerate()
        .filter(|(at, _)| !course.incoming().any(|seat| seat.member == Some(*at)))
        .filter_map(|(_, member)| member.version())
        .collect();
    let (Some(lowest), Some(highest)) = (others.iter().map(|(v, _)| *v).min(), others.iter().map(|(v, _)| *v).max())
    else {
        return findings;
    };
    for (whose, version, span) in own {
        let grounds = seen([span].into_iter().chain(others.iter().map(|(_, span)| *span)));
        findings.push(if version.minor() < lowest.minor() {
            Finding::blocked(
                format!("{whose} is set up with {version}, and the members run {lowest}: an older one can't join."),
                grounds,
                REMEDY,
            )
        } else if version.upstream() != lowest.upstream() || version.upstream() != highest.upstream() {
            let remedy =
                "Install the patch that the other members run: it joins as it is, but defects differ between patches.";
            Finding::warning(
                format!("{whose} is set up with {version}, and the members run {lowest}."),
                grounds,
                remedy,
            )
        } else {
            Finding::passed(format!("{whose} runs {version}, as the others do."), grounds)
        });
    }
    findings
}

/// The versions of those that come in: as they run, else as their flags name them.
fn versions<'a>(q: &Question<'a>, course: &Course) -> Vec<(String, &'a Version, &'a Span)> {
    let mut found = Vec::new();
    for seat in course.incoming() {
        let member = seat.member.and_then(|at| q.cluster.members.get(at));
        found.extend(member.and_then(|m| m.version()).map(|(version, span)| (seat.label.clone(), version, span)));
    }
    if found.is_empty() {
        for set in newcomer_flags(q) {
            let whose = set.name.unwrap_or_else(|| "The new member".to_owned());
            found.extend(set.seen.value.version.as_ref().map(|version| (whose, version, &set.seen.span)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed, Warning};
    use crate::gates::testing::changing;

    #[test]
    fn older_can_not_join_and_another_patch_warns() {
        let wanted = ["change=replace=m2", "new-name=m4"];
        for (version, outcome) in [("3.5.33", Passed), ("3.5.30", Warning), ("3.6.16", Warning), ("3.4.45", Blocked)] {
            let four = members(4, "3.5.33").version("m4", version).learner("m4");
            assert_eq!(changing(&GATE, &four, &wanted), [outcome], "{version}");
        }
        assert_eq!(changing(&GATE, &members(3, "3.5.33"), &wanted), [NotLookedAt]);
        let told = members(3, "3.5.33").tool_error("incompatible with current running cluster");
        assert_eq!(changing(&GATE, &told, &wanted), [Blocked]);
    }
}
