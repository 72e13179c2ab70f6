//! Did a member refuse its status for want of credentials?
//!
//! # Asks
//! Whether a status, health or other answer only asked for a user, or said that the user may not.
//!
//! # Blocks when
//! Never. It is "can't tell yet" for the members without another status.
//!
//! # Why
//! Authentication is on, and newer patches let only root read the status. The refusal comes from a member that is up,
//! and says nothing about its health, version or alarms.
//!
//! # Remedy
//! Run the command as root (`--user root`), and not with `--cluster` where that fails.
//!
//! # Sources
//! - seen-auth: what members answer without credentials.
//! - changelog-3.5: the patch from which only root may read the status.

use super::question::{Question, seen};
use super::{Asked, FOR_LIVE_CHANGES_AND_HEALTH, Finding, Gate, Group, Need, asks, sight};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "status-refused",
    group: Group::Health,
    sources: &[key::SEEN_AUTH, key::CHANGELOG_3_5],
    asked: Asked::Now,
    intents: FOR_LIVE_CHANGES_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let refused = q.indices(|m| m.status.is_none() && sight::refusal_at(m).is_some());
    let loose = q.cluster.tool_errors.iter().filter(|e| sight::asks_for_credentials(&e.value.text)).map(|e| &e.span);
    let loose: Vec<_> = if q.cluster.members.iter().any(|m| m.status.is_some()) { Vec::new() } else { loose.collect() };
    if refused.is_empty() && loose.is_empty() {
        return sight::passed_on_status(q, "Every member that was asked answered with its status.");
    }
    let who = if refused.is_empty() { "A member".to_owned() } else { q.names(&refused) };
    let statement =
        format!("{who} asked for credentials, which says nothing about health: run it as root (--user root).");
    let spans = refused.iter().filter_map(|m| q.cluster.members.get(*m).and_then(sight::refusal_at)).chain(loose);
    vec![Finding::cant_tell(statement, vec![asks::status(q)]).with_grounds(seen(spans)).about(&refused)]
}
