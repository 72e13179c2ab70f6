//! Is an alpha, beta or release candidate in play?
//!
//! # Asks
//! Whether the target, what a member runs, or what it is set up for is a prerelease.
//!
//! # Blocks when
//! The target is a prerelease, or a member is set up for one. A member that runs one already warns.
//!
//! # Why
//! Nobody tests an upgrade from or to a prerelease: its data format and flags may still change before the release.
//!
//! # Remedy
//! Take a release as the target. Bring members that run a prerelease to the release of the same minor first, with a
//! backup snapshot at hand.
//!
//! # Sources
//! - release-tags: which tags are prereleases.

use super::question::Question;
use super::{Asked, FOR_UPGRADE, Finding, Gate, Ground, Group, Need, sight};
use crate::etcd::releases;
use crate::etcd::sources::key;
use crate::etcd::version::Version;

/// The gate.
pub static GATE: Gate = Gate {
    id: "prerelease",
    group: Group::Release,
    sources: &[key::RELEASE_TAGS],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let newest = |v: &Version| {
        let newest = releases::newest(v.minor()).or_else(|| releases::newest_minor().and_then(releases::newest));
        newest.map_or_else(|| v.minor().to_string(), |release| release.version.to_string())
    };
    let mut findings = Vec::new();
    let target = q.leg.map(|leg| &leg.target);
    if let Some(target) = target.filter(|t| t.is_prerelease()) {
        let statement = format!("The target {target} is a prerelease.");
        let remedy = format!("Take {} as the target: nobody tests an upgrade to a prerelease.", newest(target));
        findings.push(Finding::blocked(statement, vec![Ground::Wanted], remedy));
    }
    let early = if q.first { sight::versions_that(q, &Version::is_prerelease) } else { Vec::new() };
    if let Some(first) = early.first() {
        let statement = format!("{}, which is a prerelease.", sight::who_runs(q, &early));
        let remedy = format!(
            "Bring these members to {} first, with a backup snapshot at hand: nobody tests an upgrade from a prerelease, \
             and what it wrote may differ from what the release reads.",
            newest(first.version)
        );
        let grounds = sight::grounds_with(&early);
        // What only is set up for one has not written anything yet, and can still be kept from it.
        let finding = if early.iter().all(|v| v.running) {
            Finding::warning(statement, grounds, remedy)
        } else {
            Finding::blocked(statement, grounds, remedy)
        };
        findings.push(finding.about(&sight::members_with(&early)));
    }
    if findings.is_empty() && target.is_some() {
        findings.push(Finding::passed("The target is a release.", vec![Ground::Wanted]));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_prerelease_is_no_target_and_no_start_and_a_vendor_suffix_is_none() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.35"), "3.6.0-rc.1", &[]), [Outcome::Blocked]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.35-0"), "3.6.4-0", &[]), [Outcome::Passed]);
        let runs = only(&GATE, &three_members("3.5.35").version("m2", "3.6.0-rc.1"), "3.6", &[]);
        assert_eq!((runs.outcome, runs.member), (Outcome::Warning, Some(1)));
    }
}
