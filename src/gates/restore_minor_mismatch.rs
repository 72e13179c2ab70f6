//! Is the backup snapshot of the minor that will serve it?
//!
//! # Asks
//! Whether the storage version of the backup snapshot is the minor that runs.
//!
//! # Blocks when
//! The backup snapshot is of a newer minor. One of an older minor warns.
//!
//! # Why
//! An older server refuses newer storage; a newer one raises older storage, and the way back to the older minor shuts.
//!
//! # Remedy
//! Start the restored members on the minor the backup snapshot was taken on.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.

use super::question::Question;
use super::{Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "restore-minor-mismatch",
    group: Group::Restore,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(minor) = q.route.from else { return Vec::new() };
    let snapshots = q.cluster.snapshots.iter().filter_map(|s| Some((s.value.version.as_ref()?.minor(), &s.span)));
    snapshots
        .map(|(of, span)| {
            let grounds = vec![Ground::Seen(span.clone())];
            let remedy = format!("Start the restored members on {of}, the minor the backup snapshot was taken on, and upgrade afterwards.");
            match of.cmp(&minor) {
                std::cmp::Ordering::Equal => Finding::passed(format!("The backup snapshot is of {of}, which is what runs."), grounds),
                std::cmp::Ordering::Greater => Finding::blocked(format!("The backup snapshot is of {of}; {minor} refuses it."), grounds, remedy),
                std::cmp::Ordering::Less => Finding::warning(format!("The backup snapshot is of {of}; what runs is {minor}."), grounds, remedy),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed, Warning};
    use crate::gates::testing::restoring;

    #[test]
    fn the_minor_of_the_snapshot_decides() {
        let of = |snapshot: &str| restoring(&GATE, &three_members("3.6.16").backup_of_version("a.db", snapshot), &[]);
        assert_eq!(of("3.6.0"), [Passed]);
        assert_eq!(of("3.7.0"), [Blocked]);
        assert_eq!(of("3.5.0"), [Warning]);
        assert_eq!(restoring(&GATE, &three_members("3.6.16").backup("a.db"), &[]), [NotLookedAt]);
    }
}
