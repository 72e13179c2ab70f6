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
use super::{Asked, Finding, Gate, Group, Need, asks};
use crate::etcd::flags::name;
use crate::etcd::sources::key;
use crate::evidence::fact::V2Check;

/// The gate.
pub static GATE: Gate = Gate {
    id: "v2-records-in-wal",
    group: Group::V2Store,
    sources: &[key::SEEN_V2_36, key::SOURCE_CHECK_V2STORE],
    asked: Asked::EachLeg,
    need: |q| match q.on_hops(|rules| rules.checks_v2_store) {
        Need::Required => Need::OnSight,
        other => other,
    },
    check,
};

/// What etcd says when it panics on such a record.
const PANIC: &str = "disallowed v2 WAL";

fn check(q: &Question<'_>) -> Vec<Finding> {
    let found =
        Found::of(q, |check| matches!(check, V2Check::WalRecords | V2Check::Both), |event| event.text.contains(PANIC));
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
    vec![finding.with_commands(asks::check_v2store_again(q, &found.members)).about(&found.members)]
}
