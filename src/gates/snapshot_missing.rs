//! Is there a backup snapshot to restore from?
//!
//! # Asks
//! Whether a backup snapshot was taken, verified and brought off the member's host, or is a step of the plan.
//!
//! # Blocks when
//! Never by itself: no answer is "can't tell yet". A snapshot that lies on the member's host warns. Its age, and whether
//! it was verified, are gates of their own.
//!
//! # Why
//! Once the last member runs the new minor, restoring the backup snapshot can be the only way back. It loses everything
//! written since it was taken; a damaged one, or one that burned with the host, is no way back at all.
//!
//! # Remedy
//! Save it right before the roll, run `snapshot status` on it, and copy it off the host. A change review sits days
//! before that: answer that the plan takes it.
//!
//! # Sources
//! - recovery: saving, verifying and restoring a backup snapshot.

use time::Duration;

use super::question::{Question, seen};
use super::{Ask, Asked, FOR_EVERY_LIVE_CHANGE, Finding, Gate, Ground, Group, Need, asks};
use crate::etcd::sources::key;
use crate::evidence::answers::{AnswerKey, SnapshotTaken};

/// The gate.
pub static GATE: Gate = Gate {
    id: "snapshot-missing",
    group: Group::Backup,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_EVERY_LIVE_CHANGE,
    need: |q| match q.before_a_roll() {
        Need::OnSight => Need::NotApplicable,
        other => other,
    },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    match q.answers.snapshot_taken() {
        Some(SnapshotTaken::InPlan) => {
            let statement = "A step of the plan saves the backup snapshot, verifies it and brings it off the host.";
            let note = "Ready once that backup snapshot is saved and verified: stop there if it is not.";
            vec![Finding::passed(statement, vec![Ground::Answered(AnswerKey::SnapshotTaken)]).with_note(note)]
        }
        Some(SnapshotTaken::At(taken)) if taken > q.now => {
            let statement = "The backup snapshot is dated after the date of this advice.";
            let asks = vec![Ask::Answer(AnswerKey::SnapshotTaken)];
            vec![Finding::cant_tell(statement, asks).with_grounds(vec![Ground::Answered(AnswerKey::SnapshotTaken)])]
        }
        Some(SnapshotTaken::At(taken)) => taken_before(q, q.now - taken),
        None => {
            let saved = seen(q.cluster.snapshots_saved.iter().map(|s| &s.span));
            let statement = if saved.is_empty() && q.cluster.snapshots.is_empty() {
                "No backup snapshot was shown or answered."
            } else {
                "A backup snapshot was pasted, but not when it was taken."
            };
            let mut asks = vec![Ask::Answer(AnswerKey::SnapshotTaken)];
            if saved.is_empty() {
                asks.insert(0, asks::snapshot_save(q));
            }
            let grounds = saved.into_iter().chain(seen(q.cluster.snapshots.iter().map(|s| &s.span))).collect();
            vec![Finding::cant_tell(statement, asks).with_grounds(grounds)]
        }
    }
}

/// Of a backup snapshot that exists.
fn taken_before(q: &Question<'_>, age: Duration) -> Vec<Finding> {
    let taken = || vec![Ground::Answered(AnswerKey::SnapshotTaken)];
    let status: Vec<Ground> = seen(q.cluster.snapshots.iter().map(|s| &s.span));
    let verified = match q.answers.yes(AnswerKey::SnapshotVerified) {
        // A status that was pasted may be of another file, so it does not overrule a plain no.
        Some(false) => Some(false),
        _ if !status.is_empty() => Some(true),
        answer => answer,
    };
    let off_host = q.answers.yes(AnswerKey::SnapshotOffHost);
    let mut findings = Vec::new();
    if off_host == Some(false) {
        let remedy = "Copy it off the host: what takes the member's disk takes the backup snapshot with it.";
        let grounds = vec![Ground::Answered(AnswerKey::SnapshotOffHost)];
        findings.push(Finding::warning("The backup snapshot lies on the member's host.", grounds, remedy));
    }
    if verified.is_none() {
        let asks = vec![Ask::Answer(AnswerKey::SnapshotVerified), asks::snapshot_status(q)];
        findings.push(Finding::cant_tell("Whether the backup snapshot was verified is not known.", asks));
    }
    if off_host.is_none() {
        let asks = vec![Ask::Answer(AnswerKey::SnapshotOffHost)];
        findings.push(Finding::cant_tell("Whether the backup snapshot is off the member's host is not known.", asks));
    }
    if findings.is_empty() {
        let mut grounds = taken();
        grounds.extend(status);
        grounds.extend(
            [AnswerKey::SnapshotVerified, AnswerKey::SnapshotOffHost]
                .iter()
                .filter_map(|key| q.answers.get(*key).map(|_| Ground::Answered(*key))),
        );
        let state = if verified == Some(true) { ", verified and off the host" } else { " and off the host" };
        let statement = format!("The backup snapshot is {} old{state}.", super::snapshot_stale::in_words(age));
        findings.push(Finding::passed(statement, grounds));
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
    fn a_snapshot_of_the_plan_is_a_condition() {
        let finding = only(&GATE, &three_members("3.5.33"), "3.6", &["snapshot-taken=in-plan"]);
        assert_eq!(finding.outcome, Outcome::Passed);
        assert!(finding.note.is_some_and(|n| n.starts_with("Ready once")));
    }

    #[test]
    fn each_thing_about_it_is_asked_for() {
        let cluster = three_members("3.5.33");
        let taken = "snapshot-taken=2026-11-30T09:00:00Z";
        let (good, away) = ("snapshot-verified=yes", "snapshot-off-host=yes");
        assert_eq!(outcomes(&GATE, &cluster, "3.6", &[taken]), [Outcome::CantTell, Outcome::CantTell]);
        assert_eq!(outcomes(&GATE, &cluster, "3.6", &[taken, good]), [Outcome::CantTell]);
        assert_eq!(outcomes(&GATE, &cluster, "3.6", &[taken, good, away]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &cluster, "3.6", &[taken, "snapshot-verified=no", away]), [Outcome::Passed]);
        let shown = cluster.backup("backup.db");
        assert_eq!(outcomes(&GATE, &shown, "3.6", &[taken, away]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &shown, "3.6", &[taken, "snapshot-verified=no", away]), [Outcome::Passed]);
    }

    #[test]
    fn its_age_is_said_and_a_date_to_come_is_no_answer() {
        let of = |taken: &str| {
            let taken = format!("snapshot-taken={taken}");
            let answers = [taken.as_str(), "snapshot-verified=yes", "snapshot-off-host=yes"];
            only(&GATE, &three_members("3.5.33"), "3.6", &answers)
        };
        assert_eq!(of("2026-11-29T12:00:00Z").outcome, Outcome::Passed);
        // A bare date is taken from its start: the oldest it can be.
        assert_eq!(of("2026-11-29").statement, "The backup snapshot is 36 hours old, verified and off the host.");
        assert_eq!(of("2026-12-24").outcome, Outcome::CantTell);
    }

    #[test]
    fn a_patch_roll_needs_it_too() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.30"), "3.5", &[]), [Outcome::CantTell]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.35"), "3.5", &[]), [Outcome::NotApplicable]);
    }
}
