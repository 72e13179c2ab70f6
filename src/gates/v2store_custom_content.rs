//! Does the v2 store hold custom content?
//!
//! # Asks
//! Whether a check of the v2 store, or a start of the new minor, found keys of users in the v2 store.
//!
//! # Blocks when
//! Any member's v2 store holds custom content.
//!
//! # Why
//! The new minor refuses to start on it, and a running member panics when the leader sends it such a snapshot. Turning
//! the v2 API off does not remove the data, and no patch of the old minor wipes it by itself: what is in the store is
//! copied into every new disk snapshot.
//!
//! # Remedy
//! Move the keys to v3 if anything still needs them, delete them through the v2 API on the old minor, turn the API off,
//! let each member take a disk snapshot, and check again.
//!
//! # Sources
//! - upgrade-3.6: what etcd's guide asks for.
//! - seen-v2-36: starts on a v2 store with custom content.

use super::question::{Question, seen};
use super::{Asked, Finding, Gate, Group, Need, asks, words};
use crate::etcd::flags::name;
use crate::etcd::sources::key;
use crate::evidence::fact::{LogEvent, Seen, Span, V2Check};

/// The gate.
pub static GATE: Gate = Gate {
    id: "v2store-custom-content",
    group: Group::V2Store,
    sources: &[key::UPGRADE_3_6, key::SEEN_V2_36],
    asked: Asked::EachLeg,
    need: |q| match q.on_hops(|rules| rules.checks_v2_store) {
        Need::Required => Need::OnSight,
        other => other,
    },
    check,
};

/// What etcd says when it refuses the v2 store.
const REFUSED: [&str; 2] = ["custom content in v2store", "custom v2store content"];

fn check(q: &Question<'_>) -> Vec<Finding> {
    let found = Found::of(
        q,
        |check| matches!(check, V2Check::CustomContent | V2Check::Both),
        |event| REFUSED.iter().any(|words| event.text.contains(words)),
    );
    if found.spans.is_empty() {
        let clean =
            |check: &V2Check| matches!(check, V2Check::CleanWithWal | V2Check::CleanSnapshotOnly | V2Check::WalRecords);
        return passed(q, clean, "No check found custom content in the v2 store.");
    }
    let statement = format!("{} custom content in the v2 store.", found.who(q));
    let remedy = format!(
        "Move the keys to v3 if something still uses them, delete them through the v2 API while the members run {from}, \
         turn {v2} off, restart each member once with --{snapshot}=1 and write a few keys so that a disk snapshot is \
         taken, then check again. {to} refuses to start on such a store.",
        from = q.hop().map_or_else(|| "the old minor".to_owned(), |hop| hop.from.to_string()),
        to = super::question::target_name(q),
        v2 = name::ENABLE_V2,
        snapshot = name::SNAPSHOT_COUNT,
    );
    let remedy =
        if found.logged { format!("Put the old binary back on that member first: {BACK} {remedy}") } else { remedy };
    let finding = Finding::blocked(statement, seen(found.spans.iter().copied()), remedy);
    vec![finding.with_commands(asks::check_v2store_again(q, &found.members)).about(&found.members)]
}

/// Why the old binary may come back.
pub(super) const BACK: &str = "the cluster is still mixed, so that is open.";

/// Where v2 data were found.
pub(super) struct Found<'a> {
    /// Members they were found on.
    pub(super) members: Vec<usize>,
    /// The places.
    pub(super) spans: Vec<&'a Span>,
    /// Was it a log line of the new minor that told?
    pub(super) logged: bool,
}

impl<'a> Found<'a> {
    /// Looks through the checks and the log lines of all members and of nobody in particular.
    pub(super) fn of(q: &Question<'a>, bad: fn(&V2Check) -> bool, event: impl Fn(&LogEvent) -> bool) -> Self {
        let mut found = Self { members: Vec::new(), spans: Vec::new(), logged: false };
        for (index, member) in q.cluster.members.iter().enumerate() {
            let check = member.v2_check.iter().filter(|c| bad(&c.value)).map(|c| &c.span);
            let log: Vec<&Span> = member.log.iter().filter(|l| event(&l.value)).map(|l| &l.span).collect();
            let before = found.spans.len();
            found.logged |= !log.is_empty();
            found.spans.extend(check.chain(log));
            if found.spans.len() > before {
                found.members.push(index);
            }
        }
        found.spans.extend(q.cluster.v2_checks.iter().filter(|c| bad(&c.value)).map(|c| &c.span));
        let loose = |l: &&'a Seen<LogEvent>| event(&l.value);
        let log: Vec<&Span> = q.cluster.log.iter().filter(loose).map(|l| &l.span).collect();
        found.logged |= !log.is_empty();
        found.spans.extend(log);
        found
    }

    /// Who holds it, as the start of a sentence.
    pub(super) fn who(&self, q: &Question<'_>) -> String {
        if self.members.is_empty() {
            return "A member has".to_owned();
        }
        format!("{} {}", q.names(&self.members), words::verb(self.members.len(), "has", "have"))
    }
}

/// Passed on the checks that are so; nothing when there is none.
pub(super) fn passed(q: &Question<'_>, clean: fn(&V2Check) -> bool, statement: &str) -> Vec<Finding> {
    let of_members = q.cluster.members.iter().filter_map(|m| m.v2_check.as_ref());
    let checks = of_members.chain(&q.cluster.v2_checks).filter(|c| clean(&c.value));
    let grounds = seen(checks.map(|c| &c.span));
    if grounds.is_empty() { Vec::new() } else { vec![Finding::passed(statement, grounds)] }
}
