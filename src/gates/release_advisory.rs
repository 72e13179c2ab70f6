//! Does a release in play have a critical defect that no other gate names?
//!
//! # Asks
//! Whether what runs has a defect of the worst kind that touches data or this hop, and whether the target has one.
//!
//! # Blocks when
//! Never. Each critical defect warns; all others are one list beside the gates.
//!
//! # Why
//! Data that went wrong under the old release stay wrong on the new one, and the upgrade hides when it happened.
//! Lesser defects are worth knowing and need no decision.
//!
//! # Remedy
//! Do what the row of the defect says, first of all compare the data of the members.
//!
//! # Sources
//! - changelog-3.4: defects of 3.4 and their cures.
//! - changelog-3.5: defects of 3.5 and their cures.
//! - changelog-3.6: defects of 3.6 and their cures.
//! - changelog-3.7: defects of 3.7 and their cures.

use super::question::Question;
use super::{Asked, FOR_UPGRADE_AND_HEALTH, Finding, Gate, Ground, Group, Need, sight};
use crate::etcd::known_issues::{self, Binary, KnownIssue, Severity, Topic};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "release-advisory",
    group: Group::Release,
    sources: &[key::CHANGELOG_3_4, key::CHANGELOG_3_5, key::CHANGELOG_3_6, key::CHANGELOG_3_7],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let to = q.hop().map(|hop| hop.to);
    let touches = |i: &KnownIssue| i.topics.contains(&Topic::Corruption) || to.is_some_and(|to| i.touches_hop_to(to));
    let mut findings = Vec::new();
    let ours = |i: &&KnownIssue| i.on == Binary::Server && i.gate.is_none_or(|gate| gate == GATE.id);
    if q.first {
        for issue in known_issues::all().iter().filter(ours).filter(|i| i.severity == Severity::Critical && touches(i))
        {
            let runs = sight::versions_that(q, &|v| issue.in_version(v));
            if !runs.is_empty() {
                let statement = format!("{}: {}", sight::who_runs(q, &runs), lower(issue.title));
                let finding = Finding::warning(statement, sight::grounds_with(&runs), issue.remedy);
                findings.push(finding.from_source(issue.source).about(&sight::members_with(&runs)));
            }
        }
    }
    let Some(target) = q.leg.map(|leg| &leg.target) else {
        return if findings.is_empty() {
            sight::passed_on_versions(q, "No release that runs has a critical defect of its own.")
        } else {
            findings
        };
    };
    for issue in known_issues::of_version(Binary::Server, target).filter(ours) {
        if issue.severity == Severity::Critical {
            let statement = format!("The target {target}: {}", lower(issue.title));
            let finding = Finding::warning(statement, vec![Ground::Wanted], issue.remedy);
            findings.push(finding.from_source(issue.source));
        }
    }
    if findings.is_empty() {
        let statement = "No release in play has a critical defect that no other gate names.";
        findings.push(Finding::passed(statement, vec![Ground::Wanted]));
    }
    findings
}

/// A sentence inside another: its first letter small, unless it starts a name.
fn lower(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next();
    let is_name = letters.clone().next().is_some_and(char::is_uppercase);
    match first {
        Some(first) if !is_name => first.to_lowercase().chain(letters).collect(),
        _ => sentence.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn only_critical_defects_of_what_runs_warn() {
        let old = outcomes(&GATE, &three_members("3.5.5"), "3.6", &[]);
        assert!(old.contains(&Outcome::Warning), "{old:?}");
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::Passed]);
    }

    #[test]
    fn a_critical_defect_of_the_target_warns() {
        for (to, outcome) in [("3.5.5", Outcome::Warning), ("3.5.6", Outcome::Passed)] {
            let said = outcomes(&GATE, &three_members("3.4.45"), to, &[]);
            assert!(said.iter().all(|o| *o == outcome), "{to}: {said:?}");
        }
    }
}
