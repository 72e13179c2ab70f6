//! Can a defragmentation during the roll damage data?
//!
//! # Asks
//! Whether what runs, or the target, has the defect that a leader's snapshot applied while a defragmentation runs can
//! corrupt the database.
//!
//! # Blocks when
//! Never. It passes with a note: the plan pauses the jobs anyway.
//!
//! # Why
//! A member that was down during the roll may receive a snapshot of the leader. Where a timer defragments at that
//! moment, patches with the defect can write a broken database.
//!
//! # Remedy
//! Pause every job that defragments before the roll and start it again afterwards.
//!
//! # Sources
//! - changelog-3.5: the patch that cures it.
//! - changelog-3.6: the patch that cures it.

use super::question::Question;
use super::{Asked, FOR_UPGRADE, Finding, Gate, Ground, Group, Need, sight};
use crate::etcd::known_issues;
use crate::etcd::sources::key;
use crate::etcd::version::Version;

/// The gate.
pub static GATE: Gate = Gate {
    id: "defrag-during-roll",
    group: Group::Release,
    sources: &[key::CHANGELOG_3_5, key::CHANGELOG_3_6],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |_| Need::OnSight,
    check,
};

/// The defect.
const ISSUE: &str = "snapshot-defrag-corruption";

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some((issue, target)) = known_issues::by_id(ISSUE).zip(q.leg.map(|leg| &leg.target)) else {
        return Vec::new();
    };
    let has = |v: &Version| issue.in_version(v);
    let running = if q.first { sight::versions_that(q, &has) } else { Vec::new() };
    if running.is_empty() && !has(target) {
        let statement = "Neither what runs nor the target corrupts data when a defragmentation meets a snapshot.";
        return vec![Finding::passed(statement, vec![Ground::Wanted])];
    }
    let mut grounds = sight::grounds_with(&running);
    grounds.push(Ground::Wanted);
    let finding = Finding::passed("No defragmentation may run during the roll; the plan pauses the jobs.", grounds);
    vec![finding.with_note(format!("{} {}", issue.title, issue.remedy))]
}
