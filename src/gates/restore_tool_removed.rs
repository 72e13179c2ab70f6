//! Does the tool still restore?
//!
//! # Asks
//! Whether a restore is run with `etcdctl` of a minor that no longer has `snapshot restore`.
//!
//! # Blocks when
//! It is.
//!
//! # Why
//! From 3.6 on `etcdctl` only saves; checking and restoring are `etcdutl`'s. It prints its help and changes nothing.
//!
//! # Remedy
//! Use `etcdutl` of the minor that will serve the data.
//!
//! # Sources
//! - seen-commands: what each tool of each minor has.

use super::question::Question;
use super::{Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need};
use crate::etcd::features;
use crate::etcd::sources::key;
use crate::etcd::tools::{ETCDCTL, ETCDUTL};

/// The gate.
pub static GATE: Gate = Gate {
    id: "restore-tool-removed",
    group: Group::Restore,
    sources: &[key::SEEN_COMMANDS],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let newest_tool = q.cluster.tools.iter().filter(|t| t.value.tool == ETCDCTL).map(|t| t.value.version.minor()).max();
    let Some(minor) = newest_tool.or_else(|| q.cluster.lowest_minor()) else { return Vec::new() };
    let has = features::ETCDCTL_SNAPSHOT_OFFLINE.in_minor(minor);
    let by_client = q.cluster.restores.iter().filter(|r| r.value.tool == ETCDCTL);
    by_client
        .map(|restore| {
            let grounds = vec![Ground::Seen(restore.span.clone())];
            if has {
                return Finding::passed(format!("{ETCDCTL} of {minor} restores."), grounds);
            }
            let remedy = format!("Restore with {ETCDUTL} of {minor}: {ETCDCTL} prints its help and restores nothing.");
            Finding::blocked(format!("{ETCDCTL} of {minor} has no snapshot restore."), grounds, remedy)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::restoring;

    #[test]
    fn the_client_restores_up_to_its_last_minor() {
        let by = |version: &str, tool: &str| restoring(&GATE, &three_members(version).restore(tool, "a.db", &[]), &[]);
        assert_eq!(by("3.5.35", "etcdctl"), [Passed]);
        assert_eq!(by("3.6.0", "etcdctl"), [Blocked]);
        assert_eq!(by("3.6.0", "etcdutl"), [NotLookedAt]);
        let newer = three_members("3.5.35").tool("etcdctl", "3.6.16").restore("etcdctl", "a.db", &[]);
        assert_eq!(restoring(&GATE, &newer, &[]), [Blocked]);
    }
}
