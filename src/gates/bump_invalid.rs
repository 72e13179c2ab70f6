//! Can the revision bump be counted?
//!
//! # Asks
//! Whether the factors of the bump fit together, and whether the sum fits into a revision.
//!
//! # Blocks when
//! The sum overflows, the bump is not a positive number, the revision now lies below the snapshot's, or the backup snapshot
//! lies in the future. A sum above 2^53 warns.
//!
//! # Why
//! etcd keeps a revision as a signed 64-bit number. Clients in JavaScript, and jq, round numbers above 2^53.
//!
//! # Remedy
//! Correct the factor that is named.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.

use super::question::Question;
use super::{Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need};
use crate::bump::{Bump, EXACT_AS_FLOAT, Refused, work_out};
use crate::etcd::sources::key;
use crate::etcd::tools::restore_flag::BUMP_REVISION;

/// The gate.
pub static GATE: Gate = Gate {
    id: "bump-invalid",
    group: Group::Restore,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let sheet = q.bump_sheet();
    let mut findings = Vec::new();
    for restore in &q.cluster.restores {
        let Some(given) = restore.value.value(BUMP_REVISION) else { continue };
        let sum = given
            .parse::<i64>()
            .ok()
            .filter(|n| *n > 0)
            .map(|n| sheet.snapshot_revision.as_ref().map_or(Some(n), |r| r.value.checked_add(n)));
        if sum.flatten().is_none() {
            let statement = format!("--{BUMP_REVISION} {given} is no number that can be added to a revision.");
            let remedy = "Give a whole number above 0 that keeps the sum below 2^63: etcd counts no further.";
            findings.push(Finding::blocked(statement, vec![Ground::Seen(restore.span.clone())], remedy));
        }
    }
    match work_out(sheet) {
        Bump::Refused(refused) => {
            let (statement, remedy) = match refused {
                Refused::Overflow => (
                    "The bumped revision is larger than etcd can count.",
                    "Check the writes per second, the age and the revision of the backup snapshot: one of them is too large.",
                ),
                Refused::NotPositive => (
                    "A bump of 0 is none.",
                    "Give the writes per second as they are, or the revision the cluster is at now.",
                ),
                Refused::NowBelowSnapshot => (
                    "The revision now lies below the one in the backup snapshot.",
                    "Check both: one of the two is of another cluster, or the cluster was restored before.",
                ),
                Refused::SnapshotInFuture => (
                    "The backup snapshot is dated after the date of this advice.",
                    "Correct when it was taken: the age is a factor of the bump.",
                ),
            };
            findings.push(Finding::blocked(statement, q.bump_grounds(sheet), remedy));
        }
        Bump::By { starts_at: Some(starts_at), .. } if starts_at > EXACT_AS_FLOAT => {
            let statement = format!("The restored cluster starts at revision {starts_at}, above 2^53.");
            let remedy = "Clients that read revisions as floating-point numbers (JavaScript, jq) round them: make sure \
                          that none compares revisions.";
            findings.push(Finding::warning(statement, q.bump_grounds(sheet), remedy));
        }
        Bump::By { .. } if findings.is_empty() => {
            findings.push(Finding::passed("The bumped revision can be counted.", q.bump_grounds(sheet)));
        }
        Bump::By { .. } | Bump::NotNeeded(_) | Bump::Missing(_) => {}
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{nothing, three_members};
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed, Warning};
    use crate::gates::testing::restoring;

    #[test]
    fn the_sum_must_fit() {
        let rate = ["writes-per-second=1", "snapshot-age=1d"];
        let at = |revision: i64| {
            let revision = format!("snapshot-revision={revision}");
            restoring(&GATE, &nothing(), &[rate[0], rate[1], &revision])
        };
        assert_eq!(at(1000), [Passed]);
        // 86,400 writes and 10 % are rounded up to 100,000.
        assert_eq!(at(EXACT_AS_FLOAT - 100_000), [Passed]);
        assert_eq!(at(EXACT_AS_FLOAT - 99_999), [Warning]);
        assert_eq!(at(i64::MAX - 100_000), [Warning]);
        assert_eq!(at(i64::MAX - 99_999), [Blocked]);
    }

    #[test]
    fn a_bump_that_is_no_number_blocks() {
        let with = |flag: &str| restoring(&GATE, &three_members("3.5.33").restore("etcdutl", "a.db", &[flag]), &[]);
        assert_eq!(with("bump-revision=0"), [Blocked]);
        assert_eq!(with("bump-revision=-5"), [Blocked]);
        assert_eq!(with("bump-revision=many"), [Blocked]);
        assert_eq!(with("bump-revision=9223372036854775808"), [Blocked]);
        assert_eq!(with("bump-revision=5"), [NotLookedAt]);
    }

    #[test]
    fn factors_that_contradict_each_other_block() {
        let cluster = three_members("3.5.33");
        assert_eq!(restoring(&GATE, &cluster, &["snapshot-revision=9", "current-revision=8"]), [Blocked]);
        assert_eq!(restoring(&GATE, &cluster, &["writes-per-second=0", "snapshot-age=1d"]), [Blocked]);
    }
}
