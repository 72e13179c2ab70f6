//! Is the number of voters even?
//!
//! # Asks
//! The number of voters in the member list.
//!
//! # Blocks when
//! Never: it passes with a note.
//!
//! # Why
//! Four voters bear one failure, as three do, and there is one more that can fail. Nothing about an upgrade asks for a
//! change.
//!
//! # Remedy
//! None is needed. After the upgrade a member more or less makes the number odd.
//!
//! # Sources
//! - upgrading: members and quorum.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_MEMBERS_AND_HEALTH, Finding, Gate, Group, Need, words};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "even-voters",
    group: Group::Health,
    sources: &[key::UPGRADING],
    asked: Asked::Now,
    intents: FOR_UPGRADE_MEMBERS_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let voters = if q.changes_members() { q.course().end().voters } else { q.cluster.voters().count() };
    let Some(list) = q.cluster.member_list.as_ref().filter(|_| voters > 0) else { return Vec::new() };
    let passed = Finding::passed(format!("The cluster {} {}.", has(q), words::count(voters, "voter")), seen([list]));
    if voters % 2 == 1 {
        return vec![passed];
    }
    let spare = voters - (voters / 2 + 1);
    vec![passed.with_note(format!("An even number bears {spare} failing, as one voter fewer would."))]
}

/// A change of members is judged by what it ends on.
fn has(q: &Question<'_>) -> &'static str {
    if q.changes_members() { "will have" } else { "has" }
}
