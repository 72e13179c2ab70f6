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
use super::{Asked, FOR_UPGRADE, Finding, Gate, Group, asks, words};
use crate::etcd::flags::name;
use crate::etcd::log_messages::Effect;
use crate::etcd::sources::key;
use crate::evidence::fact::{Span, V2Check};

/// The gate.
pub static GATE: Gate = Gate {
    id: "v2store-custom-content",
    group: Group::V2Store,
    sources: &[key::UPGRADE_3_6, key::SEEN_V2_36],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |q| q.on_sight_of_hops(|rules| rules.checks_v2_store),
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let found = Found::of(q, |check| matches!(check, V2Check::CustomContent | V2Check::Both), GATE.id, |_| true);
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
    /// Looks through the checks, and through the log lines that a gate explains.
    pub(super) fn of(q: &Question<'a>, bad: fn(&V2Check) -> bool, gate: &str, effect: fn(Effect) -> bool) -> Self {
        let logs = q.logged(gate, effect);
        let of_members =
            q.cluster.members.iter().enumerate().filter_map(|(at, m)| m.v2_check.as_ref().map(|c| (at, c)));
        let checks: Vec<_> = of_members.filter(|(_, check)| bad(&check.value)).collect();
        let loose = q.cluster.v2_checks.iter().filter(|c| bad(&c.value)).map(|c| &c.span);
        let mut members: Vec<usize> =
            checks.iter().map(|(at, _)| *at).chain(logs.iter().filter_map(|l| l.member)).collect();
        crate::sort::sort(&mut members);
        members.dedup();
        let spans = checks.iter().map(|(_, check)| &check.span).chain(loose);
        Self { members, spans: spans.chain(logs.iter().map(|l| &l.seen.span)).collect(), logged: !logs.is_empty() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::evidence::fact::{Body, LogEvent};
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    fn log(text: &str) -> Body {
        Body::Log(LogEvent { message: "", version: None, member: None, text: text.to_owned() })
    }

    #[test]
    fn a_bad_check_of_nobody_in_particular_blocks_too() {
        let loose = three_members("3.5.33").fact(Body::V2Check(V2Check::Both));
        let finding = only(&GATE, &loose, "3.6", &[]);
        assert_eq!((finding.outcome, finding.member), (Outcome::Blocked, None));
        assert_eq!(finding.statement, "A member has custom content in the v2 store.");
    }

    #[test]
    fn the_answer_does_not_outweigh_the_check() {
        let found = three_members("3.5.33").clean_flags().v2_check("m2", V2Check::CustomContent);
        let never = ["v2-ever-enabled=no", "born-on=3.5"];
        assert_eq!(outcomes(&GATE, &found, "3.6", &never), [Outcome::Blocked]);
    }

    #[test]
    fn a_start_that_was_refused_proves_it_and_the_old_binary_comes_back_first() {
        let text = "illegal v2store content: detected disallowed custom content in v2store for stage";
        let finding = only(&GATE, &three_members("3.5.33").fact(log(text)), "3.6", &[]);
        assert_eq!(finding.outcome, Outcome::Blocked);
        assert!(finding.remedy.is_some_and(|r| r.starts_with("Put the old binary back")));
    }
}
