//! Does the WAL hold v2 records?
//!
//! # Asks
//! Whether a check of the v2 store, or a start of the new minor, found v2 records in the WAL after the last disk
//! snapshot.
//!
//! # Blocks when
//! Any member's WAL holds v2 records other than those every member writes about itself.
//!
//! # Why
//! The new minor panics on them, in every patch and with every value of the v2 deprecation flag, when it replays the WAL
//! or when a member of the old minor sends them. They come from v2 clients, from keys with a TTL, and from health probes
//! while the v2 API is on.
//!
//! # Remedy
//! Turn the v2 API off on all members, let each take a disk snapshot (the records before it are not replayed), then
//! check again.
//!
//! # Sources
//! - seen-v2-36: members that panic on v2 records, and the cure.
//! - source-check-v2store: the check that finds them.

use super::question::{Question, seen, target_name};
use super::v2store_custom_content::{BACK, Found, passed};
use super::{Asked, Cause, FOR_UPGRADE, Finding, Gate, Group, asks};
use crate::etcd::flags::name;
use crate::etcd::log_messages::Effect;
use crate::etcd::sources::key;
use crate::evidence::fact::V2Check;

/// The gate.
pub static GATE: Gate = Gate {
    id: "v2-records-in-wal",
    group: Group::V2Store,
    sources: &[key::SEEN_V2_36, key::SOURCE_CHECK_V2STORE],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |q| q.on_sight_of_hops(|rules| rules.checks_v2_store),
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let bad = |check: &V2Check| matches!(check, V2Check::WalRecords | V2Check::Both);
    let found = Found::of(q, bad, GATE.id, |effect| effect == Effect::Stops);
    if found.spans.is_empty() {
        return passed(q, |check| *check == V2Check::CleanWithWal, "No check found v2 records in the WAL.");
    }
    let statement = format!("{} v2 records in the WAL.", found.who(q));
    let remedy = format!(
        "Turn {} off on every member, restart each once with --{}=1 and write a few keys so that a disk snapshot is \
         taken, take that flag off again, then stop each member and check again. {} panics on these records, and no \
         other flag helps.",
        name::ENABLE_V2,
        name::SNAPSHOT_COUNT,
        target_name(q),
    );
    let remedy =
        if found.logged { format!("Put the old binary back on that member first: {BACK} {remedy}") } else { remedy };
    let finding = Finding::blocked(statement, seen(found.spans.iter().copied()), remedy);
    // A member that already failed on them needs its old binary first, which is a step of its own.
    let finding = if found.logged { finding } else { finding.caused_by(Cause::V2Api) };
    vec![finding.with_commands(asks::check_v2store_again(q, &found.members)).about(&found.members)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::evidence::fact::{Body, LogEvent};
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn only_a_check_that_read_the_wal_passes() {
        for (check, outcome) in [
            (V2Check::CleanWithWal, Outcome::Passed),
            (V2Check::CleanSnapshotOnly, Outcome::NotLookedAt),
            (V2Check::CustomContent, Outcome::NotLookedAt),
            (V2Check::WalRecords, Outcome::Blocked),
            (V2Check::Both, Outcome::Blocked),
            (V2Check::NotRun("no such file or directory".to_owned()), Outcome::NotLookedAt),
        ] {
            let cluster = three_members("3.5.33").v2_check_all(&check);
            assert_eq!(outcomes(&GATE, &cluster, "3.6", &[]), [outcome], "{check:?}");
        }
    }

    #[test]
    fn a_panic_in_a_log_proves_it() {
        let text = "detected disallowed v2 WAL for stage --v2-deprecation=write-only".to_owned();
        let event = LogEvent { message: "", version: None, member: None, text };
        let finding = only(&GATE, &three_members("3.5.33").fact(Body::Log(event)), "3.6", &[]);
        assert_eq!(finding.outcome, Outcome::Blocked);
        assert!(finding.remedy.is_some_and(|r| r.starts_with("Put the old binary back")));
    }
}
