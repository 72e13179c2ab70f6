//! Is the backup snapshot a copied database file?
//!
//! # Asks
//! Whether a tool said that the file has no hash: then it was copied out of the data directory.
//!
//! # Blocks when
//! A tool said so.
//!
//! # Why
//! A file copied from a running member may be torn, and its hash, which would tell, is not there. It holds nothing of
//! the WAL.
//!
//! # Remedy
//! Save a backup snapshot with `snapshot save`.
//!
//! # Sources
//! - recovery: what is verified at a restore.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_AND_MEMBERS, Finding, Gate, Group, Need, asks, sight};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "snapshot-copied-db",
    group: Group::Backup,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_UPGRADE_AND_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

/// What a tool says of a file without the hash that `snapshot save` puts at its end.
const NO_HASH: &str = "missing hash";

fn check(q: &Question<'_>) -> Vec<Finding> {
    let torn: Vec<_> =
        q.cluster.tool_errors.iter().filter(|e| e.value.text.contains(NO_HASH)).map(|e| &e.span).collect();
    if torn.is_empty() {
        let saved = q.cluster.snapshots_saved.iter().map(|s| &s.span);
        return sight::passed_on(saved, "The backup snapshot was saved by etcdctl.");
    }
    let remedy = "Save a backup snapshot with snapshot save: a copied database may be torn, and nothing tells.";
    let finding =
        Finding::blocked("The backup snapshot has no hash: it is a copied database file.", seen(torn), remedy);
    vec![finding.with_commands(asks::snapshot_again(q))]
}
