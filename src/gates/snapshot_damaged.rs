//! Is the file a whole backup snapshot?
//!
//! # Asks
//! Whether `snapshot status` could read the backup snapshot, and whether a tool said that the file is damaged.
//!
//! # Blocks when
//! A tool refused the file (no checksum, wrong checksum, failed integrity check), or the file is an unfinished or packed one.
//!
//! # Why
//! A backup snapshot ends with its checksum. A file without one is unfinished, packed, or a copied database; skipping the
//! check restores whatever is in it.
//!
//! # Remedy
//! Take a finished, unpacked file, and check it with `snapshot status` before anything is stopped.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.
//! - source-restore: the checks of the tool.

use super::question::{Question, seen};
use super::{Ask, Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need, asks};
use crate::etcd::sources::key;
use crate::etcd::tools::restore_flag;
use crate::evidence::answers::AnswerKey;

/// The gate.
pub static GATE: Gate = Gate {
    id: "snapshot-damaged",
    group: Group::Restore,
    sources: &[key::RECOVERY, key::SOURCE_RESTORE],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::Required,
    check,
};

/// Names of files that are no finished backup snapshot.
const UNFINISHED: [&str; 6] = [".part", ".zip", ".gz", ".tgz", ".xz", ".zst"];

fn check(q: &Question<'_>) -> Vec<Finding> {
    const REMEDY: &str = "Take a finished, unpacked backup snapshot and check it with snapshot status. Do not skip the \
                          hash check: it is what finds a cut file.";
    let mut findings = Vec::new();
    findings.extend(q.told_to_stop(GATE.id, REMEDY).map(|told| told.with_commands(vec![asks::snapshot_check(q)])));
    for restore in &q.cluster.restores {
        let ground = || vec![Ground::Seen(restore.span.clone())];
        let path = restore.value.path.as_deref().unwrap_or("");
        if UNFINISHED.iter().any(|end| path.ends_with(end)) {
            let statement = format!("{path} is an unfinished or packed file.");
            findings.push(Finding::blocked(statement, ground(), REMEDY));
        } else if restore.value.has(restore_flag::SKIP_HASH_CHECK) {
            let statement = format!("--{} takes the file as it is, whole or not.", restore_flag::SKIP_HASH_CHECK);
            let remedy = "Leave it out, unless the file is a database copied from a stopped member: only that one has \
                          no checksum.";
            findings.push(Finding::warning(statement, ground(), remedy));
        }
    }
    if !findings.is_empty() {
        return findings;
    }
    let status = seen(q.cluster.snapshots.iter().map(|s| &s.span));
    if !status.is_empty() {
        return vec![Finding::passed("snapshot status reads the backup snapshot.", status)];
    }
    match q.answers.yes(AnswerKey::SnapshotVerified) {
        Some(true) => {
            let grounds = vec![Ground::Answered(AnswerKey::SnapshotVerified)];
            vec![Finding::passed("The backup snapshot was verified.", grounds)]
        }
        _ => {
            let asks = vec![asks::snapshot_status(q), Ask::Answer(AnswerKey::SnapshotVerified)];
            vec![Finding::cant_tell("Whether the backup snapshot is whole is not known.", asks)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, CantTell, Passed, Warning};
    use crate::gates::testing::restoring;

    #[test]
    fn a_file_that_was_read_passes_and_one_nobody_looked_at_does_not() {
        let cluster = three_members("3.5.33");
        assert_eq!(restoring(&GATE, &cluster, &[]), [CantTell]);
        assert_eq!(restoring(&GATE, &cluster, &["snapshot-verified=no"]), [CantTell]);
        assert_eq!(restoring(&GATE, &cluster, &["snapshot-verified=yes"]), [Passed]);
        assert_eq!(restoring(&GATE, &cluster.backup("backup.db"), &[]), [Passed]);
    }

    #[test]
    fn what_the_tool_refused_blocks() {
        for error in [
            "snapshot missing hash but --skip-hash-check=false",
            "expected sha256 [1 2], got [3 4]",
            "snapshot file integrity check failed. 3 errors found.",
        ] {
            let cluster = three_members("3.5.33").backup("backup.db").tool_error(error);
            assert_eq!(restoring(&GATE, &cluster, &[]), [Blocked], "{error}");
        }
    }

    #[test]
    fn an_unfinished_file_blocks_and_a_skipped_check_warns() {
        let cluster = || three_members("3.5.33").backup("backup.db");
        assert_eq!(restoring(&GATE, &cluster().restore("etcdutl", "a.db.part", &[]), &[]), [Blocked]);
        assert_eq!(restoring(&GATE, &cluster().restore("etcdutl", "a.db", &["skip-hash-check"]), &[]), [Warning]);
        assert_eq!(restoring(&GATE, &cluster().restore("etcdutl", "a.db", &[]), &[]), [Passed]);
    }
}
