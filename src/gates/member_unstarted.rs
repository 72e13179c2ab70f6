//! Is there a member that never started?
//!
//! # Asks
//! Whether the member list shows a member as unstarted, without a name.
//!
//! # Blocks when
//! Such a member is in the list. For the change of members that brought it in it warns.
//!
//! # Why
//! It counts for the quorum and never answers. No member may be added or removed as usual while it is there, and the
//! cluster version can't rise.
//!
//! # Remedy
//! Start it, with the flags `member add` printed, or remove it.
//!
//! # Sources
//! - source-reconfiguration: what an unstarted member counts for.
//! - seen-status: how the member list shows it.

use super::question::{Question, seen};
use super::{Asked, FOR_EVERY_CHANGE_AND_HEALTH, Finding, Gate, Group, Need, asks, change_already_open, sight};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "member-unstarted",
    group: Group::Membership,
    sources: &[key::SOURCE_RECONFIGURATION, key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_EVERY_CHANGE_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let unstarted = q.indices(|m| m.listed.as_ref().is_some_and(|row| !row.value.started));
    if unstarted.is_empty() {
        return sight::passed_on(&q.cluster.member_list, "Every member of the list has started.");
    }
    let row = |m: &usize| q.cluster.members.get(*m).and_then(|m| m.listed.as_ref()).map(|row| &row.span);
    let statement = format!("{} never started.", q.names(&unstarted));
    let remedy = "Start it with the flags that member add printed, or remove it. Until then it counts for the quorum, never \
                  answers, and keeps the cluster version from rising.";
    let grounds = seen(unstarted.iter().filter_map(row));
    if q.changes_members() && unstarted.iter().all(|m| change_already_open::brought_in(q.course(), *m)) {
        let remedy = "Start it with an empty data directory and exactly the flags that member add printed: the plan goes on \
                      from there. Until then it may count for the quorum and answers nothing.";
        return vec![Finding::warning(statement, grounds, remedy).about(&unstarted)];
    }
    vec![
        Finding::blocked(statement, grounds, remedy)
            .with_commands(asks::remove_later(q, &unstarted, "to remove it instead"))
            .about(&unstarted),
    ]
}
