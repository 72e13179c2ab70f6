//! Does the restore write beside the old data?
//!
//! # Asks
//! Whether the tool said that the data directory is not empty.
//!
//! # Blocks when
//! It said so.
//!
//! # Why
//! The tool refuses a directory that holds data. Emptying it by hand destroys the only other way back.
//!
//! # Remedy
//! Stop the member, move its old data aside, and restore again.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.
//! - source-restore: the check.

use super::question::Question;
use super::{Asked, FOR_RESTORE_AND_MEMBERS, Finding, Gate, Group, Need};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "restore-over-live",
    group: Group::Restore,
    sources: &[key::RECOVERY, key::SOURCE_RESTORE],
    asked: Asked::Now,
    intents: FOR_RESTORE_AND_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    const REMEDY: &str = "Stop the member, move the old data directory aside and restore again. Do not delete it: until the \
                          restored cluster is verified it is the way back.";
    q.told_to_stop(GATE.id, REMEDY).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt};
    use crate::gates::testing::restoring;

    #[test]
    fn a_directory_with_data_blocks() {
        for error in ["data-dir \"/var/lib/etcd\" not empty or could not be read", "data-dir \"/var/lib/etcd\" exists"]
        {
            assert_eq!(restoring(&GATE, &three_members("3.5.33").tool_error(error), &[]), [Blocked], "{error}");
        }
        assert_eq!(restoring(&GATE, &three_members("3.5.33"), &[]), [NotLookedAt]);
    }
}
