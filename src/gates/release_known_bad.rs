//! Is a release in play that nobody should run?
//!
//! # Asks
//! Whether the target, or what a member runs now, is a release known to be bad.
//!
//! # Blocks when
//! The target is one, or a member runs one under which the data of members can differ in silence. Other bad releases
//! that already run warn.
//!
//! # Why
//! A bad target trades a working cluster for one with a known fault. Data that differ stay different over an upgrade:
//! the next minor then starts on the wrong ones.
//!
//! # Remedy
//! Choose the newest patch of the minor. Where a member runs such a release, move every member to the newest patch of
//! its own minor and compare the hashes of all members before the hop.
//!
//! # Sources
//! - changelog-3.3, changelog-3.4, changelog-3.5, changelog-3.6: what each patch cures.
//! - postmortem-3.5-inconsistency: data that differ in silence.
//! - go-module-proxy: the prerelease that is older than the release before it.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_AND_HEALTH, Finding, Gate, Ground, Group, Need, asks, words};
use crate::etcd::known_issues::{self, Binary, Topic};
use crate::etcd::releases;
use crate::etcd::sources::key;
use crate::etcd::version::Version;

/// The gate.
pub static GATE: Gate = Gate {
    id: "release-known-bad",
    group: Group::Release,
    sources: &[
        key::CHANGELOG_3_3,
        key::CHANGELOG_3_4,
        key::CHANGELOG_3_5,
        key::CHANGELOG_3_6,
        key::POSTMORTEM_3_5_INCONSISTENCY,
        key::GO_MODULE_PROXY,
    ],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let target = q.leg.map(|leg| &leg.target);
    if let Some((version, why)) = target.and_then(|version| known_bad(version).map(|why| (version, why))) {
        let statement = format!("The target {version} is known to be bad: {}", ended(why));
        let remedy = format!("Choose {} instead, the newest patch of its minor.", newest(version));
        findings.push(Finding::blocked(statement, vec![Ground::Wanted], remedy));
    }
    if q.first {
        findings.extend(running(q));
    }
    if findings.is_empty() && target.is_some() {
        let mut grounds = vec![Ground::Wanted];
        grounds.extend(seen(q.versions().iter().map(|v| v.span)));
        findings.push(Finding::passed("No release in play is known to be bad.", grounds));
    }
    findings
}

/// What runs already: one finding for all members of one version.
fn running(q: &Question<'_>) -> Vec<Finding> {
    let mut bad: Vec<(&Version, &'static str)> = Vec::new();
    let seen_versions = q.versions();
    for one in &seen_versions {
        if let Some(why) = known_bad(one.version).filter(|_| !bad.iter().any(|(v, _)| *v == one.version)) {
            bad.push((one.version, why));
        }
    }
    let of = |version: &Version| seen_versions.iter().filter(|v| v.version == version).copied().collect::<Vec<_>>();
    bad.into_iter()
        .map(|(version, why)| {
            let these = of(version);
            let mut members: Vec<usize> = these.iter().filter_map(|v| v.member).collect();
            members.dedup();
            let who = if members.is_empty() { "What was pasted".to_owned() } else { q.names(&members) };
            let verb = words::verb(members.len().max(1), "runs", "run");
            let statement = format!("{who} {verb} {version}, which is known to be bad: {}", ended(why));
            let grounds = seen(these.iter().map(|v| v.span));
            let newest = newest(version);
            if can_differ(version) {
                let remedy = format!(
                    "Roll every member to {newest} and compare the hashes of all members before anything else: data that \
                     differ stay different over an upgrade."
                );
                let finding = Finding::blocked(statement, grounds, remedy);
                finding.with_commands(asks::compare_hashes(q)).about(&members)
            } else {
                let remedy = format!("Roll every member to {newest}, the newest patch of its minor, before the upgrade.");
                Finding::warning(statement, grounds, remedy).about(&members)
            }
        })
        .collect()
}

fn known_bad(version: &Version) -> Option<&'static str> {
    releases::find(version).and_then(|release| release.known_bad).map(|(why, _)| why)
}

/// Can data of members differ in silence under this bad release?
fn can_differ(version: &Version) -> bool {
    known_issues::of_version(Binary::Server, version)
        .any(|issue| issue.gate == Some(GATE.id) && issue.topics.contains(&Topic::Corruption))
}

fn newest(version: &Version) -> String {
    let of_minor = releases::newest(version.minor()).or_else(|| releases::newest_minor().and_then(releases::newest));
    of_minor.map_or_else(|| version.minor().to_string(), |release| release.version.to_string())
}

/// A reason as the end of a sentence.
fn ended(why: &str) -> String {
    let mut letters = why.trim_end_matches('.').chars();
    let first = letters.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{asked, only, outcomes};

    #[test]
    fn a_bad_target_is_refused_and_the_newest_offered() {
        let finding = only(&GATE, &three_members("3.5.35"), "3.6.1", &[]);
        assert_eq!((finding.outcome, finding.grounds), (Outcome::Blocked, vec![Ground::Wanted]));
        assert!(finding.remedy.is_some_and(|r| r.contains("3.6.16")));
    }

    #[test]
    fn data_that_may_differ_block_and_other_faults_of_what_runs_warn() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.2"), "3.6", &[]), [Outcome::Blocked]);
        assert_eq!(outcomes(&GATE, &three_members("3.6.0"), "3.7", &[]), [Outcome::Warning]);
        let one = only(&GATE, &three_members("3.5.35").version("m2", "3.5.1"), "3.6", &[]);
        assert_eq!((one.outcome, one.member), (Outcome::Blocked, Some(1)));
    }

    #[test]
    fn what_runs_is_said_once_on_a_route() {
        let findings = asked(&GATE, &three_members("3.5.2"), "3.7", &[]);
        assert_eq!(findings.iter().filter(|f| f.outcome == Outcome::Blocked).count(), 1);
    }
}
