//! Do all member lists that were pasted show the same members?
//!
//! # Asks
//! Whether a member that one member list shows is missing in another of the same paste.
//!
//! # Blocks when
//! One paste holds two member lists with different members.
//!
//! # Why
//! Each list is what one member believes. Members that believe different things are of two clusters, or one of them is
//! cut off and behind.
//!
//! # Remedy
//! Ask every member for its own list and find out which one is right before anything is restarted.
//!
//! # Sources
//! - seen-status: member lists of single members.

use super::question::{Question, seen};
use super::{Asked, FOR_EVERY_CHANGE_AND_HEALTH, Finding, Gate, Group, Need, sight, words};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "member-lists-differ",
    group: Group::Health,
    sources: &[key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_EVERY_CHANGE_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let left = |h: &&crate::cluster::Superseded| h.what == "membership" && h.before_at.paste == h.after_at.paste;
    let gone: Vec<_> = q.cluster.history.iter().filter(left).collect();
    let remedy = "Ask every member for its own list (--endpoints of that member alone) and find out which is right. Members \
                  that believe different things are of two clusters, or one is cut off.";
    if let Some(outside) = q.cluster.not_in_own_list.first() {
        let statement = format!("{} answers with a member list in which it does not stand.", outside.value);
        return vec![Finding::blocked(statement, seen([&outside.span]), remedy)];
    }
    if gone.is_empty() {
        return sight::passed_on(&q.cluster.member_list, "No member list that was pasted contradicts another.");
    }
    let names: Vec<&str> = gone.iter().map(|h| h.member.as_str()).collect();
    let statement = format!(
        "Two member lists of one paste differ: {} {} in one of them only.",
        words::list(&names),
        words::verb(names.len(), "stands", "stand")
    );
    let grounds = seen(gone.iter().flat_map(|h| [&h.before_at, &h.after_at]));
    vec![Finding::blocked(statement, grounds, remedy)]
}
