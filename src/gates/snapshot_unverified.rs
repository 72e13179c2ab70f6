//! Was the backup snapshot verified?
//!
//! # Asks
//! Whether `snapshot status` was pasted, or the answer says that the backup snapshot was verified.
//!
//! # Blocks when
//! Never. A plain no warns, also where the plan takes the backup snapshot: then the answer belongs to another one.
//!
//! # Why
//! A damaged backup snapshot is found out now, or when it is needed.
//!
//! # Remedy
//! Run `snapshot status` on the file.
//!
//! # Sources
//! - recovery: how a backup snapshot is verified.

use super::question::{Question, Stage};
use super::{Asked, FOR_EVERY_LIVE_CHANGE, Finding, Gate, Ground, Group, Need, asks, sight};
use crate::etcd::sources::key;
use crate::evidence::answers::AnswerKey;

/// The gate.
pub static GATE: Gate = Gate {
    id: "snapshot-unverified",
    group: Group::Backup,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_EVERY_LIVE_CHANGE,
    need: |q| if matches!(q.stage(), Stage::Ahead | Stage::Stays) { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let answered = || vec![Ground::Answered(AnswerKey::SnapshotVerified)];
    // A status that was pasted may be of another file, so it does not overrule a plain no.
    match q.answers.yes(AnswerKey::SnapshotVerified) {
        Some(false) => {
            let remedy = "Run snapshot status on the file, and answer again once it was: a damaged backup snapshot is found \
                          out now, or when it is needed.";
            let finding = Finding::warning("The backup snapshot was not verified.", answered(), remedy);
            vec![finding.with_commands(asks::snapshot_again(q))]
        }
        Some(true) => vec![Finding::passed("The backup snapshot was verified.", answered())],
        None => {
            let statement = "snapshot status read the backup snapshot.";
            sight::passed_on(q.cluster.snapshots.iter().map(|s| &s.span), statement)
        }
    }
}
