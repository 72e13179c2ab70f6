//! Does one member stand behind several endpoints?
//!
//! # Asks
//! Whether rows of status for different endpoints name the same member.
//!
//! # Blocks when
//! Never. It warns.
//!
//! # Why
//! A service address or localhost leads to whichever member answers. Three rows of one member say nothing about the
//! other two.
//!
//! # Remedy
//! Ask every member by its own address.
//!
//! # Sources
//! - seen-status: rows that name the member that answered.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_MEMBERS_AND_HEALTH, Finding, Gate, Group, Need, sight};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "endpoint-repeated",
    group: Group::Health,
    sources: &[key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_UPGRADE_MEMBERS_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let rows = sight::rows(q);
    let listed = q.cluster.member_list.is_some();
    // Two names of one member are no fault as long as every member of the list has a row of its own.
    let missing = q.indices(|m| m.status.is_none() && m.failed.is_none() && m.listed.is_some());
    let repeated: Vec<usize> = rows.iter().filter(|(at, _)| several_endpoints(q, *at)).map(|(at, _)| *at).collect();
    if repeated.is_empty() || (listed && missing.is_empty()) {
        return sight::passed_on_status(q, "Every endpoint that was asked is another member.");
    }
    let statement = format!("Several endpoints lead to {}: the rows are of one member.", q.names(&repeated));
    let remedy =
        "Ask every member by its own address: a service address or localhost leads to whichever member answers.";
    let grounds = seen(rows.iter().filter(|(at, _)| repeated.contains(at)).map(|(_, s)| &s.span));
    vec![Finding::warning(statement, grounds, remedy).with_commands(vec![q.commands.status()]).about(&repeated)]
}

/// Was this member asked by more endpoints than it announces?
fn several_endpoints(q: &Question<'_>, member: usize) -> bool {
    q.cluster.members.get(member).is_some_and(|m| {
        let announced = m.listed.as_ref().map_or(0, |row| row.value.client_urls.len());
        m.endpoints.len() > announced.max(1) + usize::from(announced > 0)
    })
}
