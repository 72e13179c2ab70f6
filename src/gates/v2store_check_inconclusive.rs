//! Did the check of the v2 store read the WAL too?
//!
//! # Asks
//! Whether a clean `check v2store` came from an `etcdutl` that reads the WAL records as well.
//!
//! # Blocks when
//! Never. A check that looked at the v2 store alone is "can't tell yet".
//!
//! # Why
//! v2 records in the WAL stop the new minor although the v2 store is clean: health probes write them while the v2 API is
//! on. Older patches of the check do not look there, and say "clean" of a missing disk snapshot too.
//!
//! # Remedy
//! Run the check again with an `etcdutl` that reads the WAL; its answer names both.
//!
//! # Sources
//! - source-check-v2store: what the check reads, by patch.
//! - seen-v2-36: a clean v2 store beside v2 records in the WAL.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE, Finding, Gate, Group, asks, words};
use crate::etcd::sources::key;
use crate::evidence::fact::V2Check;

/// The gate.
pub static GATE: Gate = Gate {
    id: "v2store-check-inconclusive",
    group: Group::V2Store,
    sources: &[key::SOURCE_CHECK_V2STORE, key::SEEN_V2_36],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |q| q.on_sight_of_hops(|rules| rules.checks_v2_store),
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let half = |check: &V2Check| *check == V2Check::CleanSnapshotOnly;
    let checked: Vec<usize> = q.to_roll().into_iter().filter(|m| check_of(q, *m).is_some()).collect();
    let inconclusive: Vec<usize> =
        checked.iter().copied().filter(|m| check_of(q, *m).is_some_and(|c| half(&c.value))).collect();
    let loose: Vec<_> = q.cluster.v2_checks.iter().filter(|c| half(&c.value)).collect();
    let spans = inconclusive.iter().filter_map(|m| check_of(q, *m)).chain(loose.iter().copied()).map(|c| &c.span);
    let grounds = seen(spans);
    if grounds.is_empty() {
        let of_members = checked.iter().filter_map(|m| check_of(q, *m));
        let whole = of_members.chain(&q.cluster.v2_checks).filter(|c| !matches!(c.value, V2Check::NotRun(_)));
        let grounds = seen(whole.map(|c| &c.span));
        return if grounds.is_empty() {
            Vec::new()
        } else {
            vec![Finding::passed("The checks that were pasted read the WAL records too.", grounds)]
        };
    }
    if let Some(mut never) = super::v2store_not_checked::never_on(q) {
        never.extend(grounds);
        let statement = "The check did not read the WAL, but the v2 API was never on.";
        return vec![Finding::passed(statement, never)];
    }
    let whose = match inconclusive.as_slice() {
        [] => words::sentence(&words::count(loose.len(), "check")),
        some => format!("The check of {}", q.names(some)),
    };
    let first = q.rules().and_then(|rules| rules.v2_check_with_wal.as_ref());
    let from = first.map_or_else(String::new, |version| format!("; the check reads it from etcdutl {version} on"));
    let statement = format!("{whose} did not read the WAL records{from}.");
    vec![
        Finding::cant_tell(statement, asks::check_v2store(q, &inconclusive)).with_grounds(grounds).about(&inconclusive),
    ]
}

fn check_of<'a>(q: &Question<'a>, member: usize) -> Option<&'a crate::evidence::fact::Seen<V2Check>> {
    q.cluster.members.get(member).and_then(|m| m.v2_check.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_clean_store_says_nothing_of_the_wal() {
        let half = three_members("3.5.33")
            .clean_flags()
            .v2_check_all(&V2Check::CleanWithWal)
            .v2_check("m3", V2Check::CleanSnapshotOnly);
        let finding = only(&GATE, &half, "3.6", &[]);
        assert_eq!((finding.outcome, finding.member), (Outcome::CantTell, Some(2)));
        assert_eq!(
            finding.statement,
            "The check of m3 did not read the WAL records; the check reads it from etcdutl 3.5.32 on."
        );
        // Where the v2 API was never on there is nothing in the WAL either.
        assert_eq!(outcomes(&GATE, &half, "3.6", &["v2-ever-enabled=no", "born-on=3.5"]), [Outcome::Passed]);
    }

    #[test]
    fn it_speaks_only_of_checks() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::NotLookedAt]);
    }
}
