//! Are watchers told that their revision is gone?
//!
//! # Asks
//! Whether a restore command has both `--bump-revision` and `--mark-compacted`.
//!
//! # Blocks when
//! It has only one of the two, or the tool said so.
//!
//! # Why
//! The bump alone leaves the revisions in between open: a watcher of an old revision waits in silence. Marked as compacted,
//! it gets an error and reads anew. etcdutl 3.5 and later refuse one without the other (its text names `--revision-bump`);
//! etcdctl 3.4 ignores a lone one in silence.
//!
//! # Remedy
//! Give both.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.
//! - source-restore: the check and its text.

use super::question::Question;
use super::{Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need};
use crate::etcd::sources::key;
use crate::etcd::tools::restore_flag::{BUMP_REVISION, MARK_COMPACTED};

/// The gate.
pub static GATE: Gate = Gate {
    id: "restore-without-mark-compacted",
    group: Group::Restore,
    sources: &[key::RECOVERY, key::SOURCE_RESTORE],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let remedy =
        format!("Give both --{BUMP_REVISION} and --{MARK_COMPACTED}: the mark makes old watchers fail and read anew.");
    let told = q.told_to_stop(GATE.id, &remedy);
    let commands = q.cluster.restores.iter().filter_map(|restore| {
        let ground = vec![Ground::Seen(restore.span.clone())];
        match (restore.value.has(BUMP_REVISION), restore.value.has(MARK_COMPACTED)) {
            (true, true) => Some(Finding::passed("The restore bumps the revision and marks it compacted.", ground)),
            (true, false) => Some(Finding::blocked(
                format!("--{BUMP_REVISION} is given without --{MARK_COMPACTED}."),
                ground,
                remedy.clone(),
            )),
            (false, true) => Some(Finding::blocked(
                format!("--{MARK_COMPACTED} is given without --{BUMP_REVISION}."),
                ground,
                remedy.clone(),
            )),
            (false, false) => None,
        }
    });
    told.chain(commands).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::restoring;

    #[test]
    fn one_without_the_other_blocks() {
        let with = |flags: &[&str]| restoring(&GATE, &three_members("3.5.33").restore("etcdutl", "a.db", flags), &[]);
        assert_eq!(with(&["bump-revision=1000", "mark-compacted"]), [Passed]);
        assert_eq!(with(&["bump-revision=1000"]), [Blocked]);
        assert_eq!(with(&["bump-revision=1000", "mark-compacted=false"]), [Blocked]);
        assert_eq!(with(&["mark-compacted"]), [Blocked]);
        assert_eq!(with(&[]), [NotLookedAt]);
    }

    #[test]
    fn the_text_of_the_tool_is_known() {
        let cluster = three_members("3.5.33").tool_error("--mark-compacted required if --revision-bump > 0");
        assert_eq!(restoring(&GATE, &cluster, &[]), [Blocked]);
    }
}
