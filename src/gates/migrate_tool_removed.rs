//! Is there v2 content that only a tool of the old minor migrates?
//!
//! # Asks
//! Whether v2 content was found while the target drops `etcdctl migrate`.
//!
//! # Blocks when
//! Never. It warns.
//!
//! # Why
//! `etcdctl migrate` turns v2 keys of a stopped member into v3 keys. The minor that this hop reaches has it no more.
//!
//! # Remedy
//! Migrate the v2 keys before the hop, with the tool of the old minor, or delete them when nobody reads them.
//!
//! # Sources
//! - seen-commands: which versions have the command.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE, Finding, Gate, Group, Need, sight};
use crate::etcd::features;
use crate::etcd::sources::key;
use crate::evidence::fact::V2Check;

/// The gate.
pub static GATE: Gate = Gate {
    id: "migrate-tool-removed",
    group: Group::Around,
    sources: &[key::SEEN_COMMANDS],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |q| if q.hop().is_some() { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(hop) = q.hop() else { return Vec::new() };
    let has = |minor| features::ETCDCTL_MIGRATE.in_minor(minor);
    if !has(hop.from) || has(hop.to) {
        return Vec::new();
    }
    let checks = q.cluster.members.iter().filter_map(|m| m.v2_check.as_ref()).chain(&q.cluster.v2_checks);
    let content: Vec<_> =
        checks.filter(|c| matches!(c.value, V2Check::CustomContent | V2Check::Both)).map(|c| &c.span).collect();
    if content.is_empty() {
        return sight::passed_on_flags(q, "No v2 content was shown that would have to be migrated first.");
    }
    let statement = format!("v2 content was found, and {} has no tool to migrate it.", hop.to);
    let remedy =
        "Migrate the v2 keys with etcdctl of the old minor before the hop, or delete them when nobody reads them.";
    vec![Finding::warning(statement, seen(content), remedy)]
}
