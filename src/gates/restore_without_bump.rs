//! Do the revisions jump over everything that was served?
//!
//! # Asks
//! Whether the revision bump of the restore is known, or needed at all.
//!
//! # Blocks when
//! A restore command has no `--bump-revision` and something watches. Where that is not known it warns.
//!
//! # Why
//! A restore goes back to the revision of the backup snapshot. A client that has seen a newer one (a Kubernetes API
//! server, a controller) believes that it is up to date, and misses changes in silence.
//!
//! # Remedy
//! Restore with the bump that the worksheet gives.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.
//! - source-restore: which versions know the flag.

use super::question::Question;
use super::{Ask, Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need, asks};
use crate::bump::{Bump, NotNeeded, work_out};
use crate::etcd::sources::key;
use crate::etcd::tools::restore_flag::BUMP_REVISION;
use crate::evidence::answers::AnswerKey;

/// The gate.
pub static GATE: Gate = Gate {
    id: "restore-without-bump",
    group: Group::Restore,
    sources: &[key::RECOVERY, key::SOURCE_RESTORE],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::Required,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let sheet = q.bump_sheet();
    let bump = work_out(sheet);
    let without: Vec<Ground> = q
        .cluster
        .restores
        .iter()
        .filter(|r| !r.value.has(BUMP_REVISION))
        .map(|r| Ground::Seen(r.span.clone()))
        .collect();
    if let Bump::NotNeeded(why) = bump {
        let statement = match why {
            NotNeeded::NothingWatches => "Nothing keeps a watch cache, so the revisions may go back.",
            NotNeeded::NothingWritten => {
                "Nothing was written since the backup snapshot, so no client has seen a newer revision."
            }
        };
        return vec![Finding::passed(statement, q.bump_grounds(sheet))];
    }
    if !without.is_empty() {
        let remedy = match &bump {
            Bump::By { bump, .. } => {
                format!("Restore with --{BUMP_REVISION} {bump}: then every revision lies above what clients have seen.")
            }
            _ => format!("Restore with --{BUMP_REVISION}; the worksheet gives the number once its factors are known."),
        };
        let statement =
            "The restore takes the revisions back, and watch caches would believe that they are up to date.";
        // Without watchers it is right: what is not known does not stop it.
        return vec![match sheet.watch_caches {
            Some(true) => Finding::blocked(statement, without, remedy),
            _ => Finding::warning(statement, without, remedy),
        }];
    }
    match bump {
        Bump::By { bump, .. } => {
            let statement =
                format!("A revision bump of {bump} lies above everything written since the backup snapshot.");
            vec![Finding::passed(statement, q.bump_grounds(sheet))]
        }
        Bump::Missing(keys) => {
            let mut asks: Vec<Ask> = keys.iter().map(|key| Ask::Answer(*key)).collect();
            if keys.contains(&AnswerKey::SnapshotRevision) {
                asks.insert(0, asks::snapshot_status(q));
            }
            vec![Finding::cant_tell("How much was written since the backup snapshot is not known.", asks).with_note(
                "Either the two revisions, or the writes per second and the age of the backup snapshot, are enough.",
            )]
        }
        // `bump-invalid` says what is wrong with the factors.
        Bump::Refused(_) | Bump::NotNeeded(_) => {
            vec![Finding::not_looked_at("The factors of the revision bump can't be right.")]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, CantTell, NotLookedAt, Passed, Warning};
    use crate::gates::testing::restoring;

    #[test]
    fn the_bump_must_be_known_unless_nothing_watches() {
        let cluster = three_members("3.5.33");
        assert_eq!(restoring(&GATE, &cluster, &["watch-caches=yes"]), [CantTell]);
        assert_eq!(restoring(&GATE, &cluster, &["watch-caches=no"]), [Passed]);
        assert_eq!(restoring(&GATE, &cluster, &["writes-per-second=100", "snapshot-age=1d"]), [Passed]);
        assert_eq!(restoring(&GATE, &cluster, &["snapshot-revision=9", "current-revision=12"]), [Passed]);
        assert_eq!(restoring(&GATE, &cluster, &["snapshot-revision=12", "current-revision=9"]), [NotLookedAt]);
    }

    #[test]
    fn a_restore_without_it_blocks() {
        let given = ["writes-per-second=100", "snapshot-age=1d", "watch-caches=yes"];
        let plain = three_members("3.5.33").restore("etcdutl", "a.db", &["data-dir=/d"]);
        assert_eq!(restoring(&GATE, &plain, &given), [Blocked]);
        assert_eq!(restoring(&GATE, &plain, &given[..2]), [Warning]);
        assert_eq!(restoring(&GATE, &plain, &["watch-caches=no"]), [Passed]);
        let bumped = three_members("3.5.33").restore("etcdutl", "a.db", &["bump-revision=10000000"]);
        assert_eq!(restoring(&GATE, &bumped, &given), [Passed]);
    }
}
