//! Do the tools fit the servers?
//!
//! # Asks
//! Whether the etcdctl or etcdutl that was shown is older than the minor that runs.
//!
//! # Blocks when
//! Never. It warns.
//!
//! # Why
//! An older tool lacks columns and commands of the newer server: no storage version, no downgrade, no check of the v2
//! store, and some of its answers are wrong.
//!
//! # Remedy
//! Use the tools of the release the members run, and of the target from the first member on.
//!
//! # Sources
//! - seen-commands: what each version of the tools has.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_AND_HEALTH, Finding, Gate, Group, Need, sight, words};
use crate::etcd::sources::key;
use crate::etcd::tools;

/// The gate.
pub static GATE: Gate = Gate {
    id: "tools-too-old",
    group: Group::Around,
    sources: &[key::SEEN_COMMANDS],
    asked: Asked::Now,
    intents: FOR_UPGRADE_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(runs) = q.cluster.lowest_minor() else { return Vec::new() };
    let of_tools = q.cluster.tools.iter().filter(|t| t.value.tool != tools::ETCD);
    let shown: Vec<_> = of_tools.collect();
    let old: Vec<_> = shown.iter().filter(|t| t.value.version.minor() < runs).collect();
    if old.is_empty() {
        return sight::passed_on(shown.iter().map(|t| &t.span), format!("The tools are of {runs} or newer."));
    }
    let mut each: Vec<String> = old.iter().map(|t| format!("{} {}", t.value.tool, t.value.version)).collect();
    crate::sort::sort(&mut each);
    each.dedup();
    let statement = format!("The members run {runs}, and the tools are older: {}.", words::list(&each));
    let remedy = "Use the tools of the release the members run: older ones lack columns and commands, and what they leave out \
                  reads as if nothing were there.";
    vec![Finding::warning(statement, seen(old.iter().map(|t| &t.span)), remedy)]
}
