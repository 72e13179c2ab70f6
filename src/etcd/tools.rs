//! Which binary does what in which minor.

use super::features;
use super::version::Minor;

/// The name of the server's binary.
pub const ETCD: &str = "etcd";
/// The name of the client's binary.
pub const ETCDCTL: &str = "etcdctl";
/// The name of the binary for work on files.
pub const ETCDUTL: &str = "etcdutl";

/// Flags of `snapshot restore` that the server does not have. Source: `etcdutl snapshot restore --help`, 3.5 to 3.7.
pub mod restore_flag {
    /// How much is added to the newest revision of the backup snapshot.
    pub const BUMP_REVISION: &str = "bump-revision";
    /// Marks the bumped revision as compacted, so that watchers are told.
    pub const MARK_COMPACTED: &str = "mark-compacted";
    /// Restores a file without an appended checksum: a copied database.
    pub const SKIP_HASH_CHECK: &str = "skip-hash-check";
}

/// The binary that reads, checks and restores backup snapshots in this minor.
#[must_use]
pub fn offline_binary(minor: Minor) -> &'static str {
    if features::ETCDUTL.in_minor(minor) { ETCDUTL } else { ETCDCTL }
}

/// The binary whose `snapshot status` verifies a backup snapshot in this minor.
#[must_use]
pub fn snapshot_status_binary(minor: Minor) -> &'static str {
    offline_binary(minor)
}

/// The binary whose `snapshot restore` restores a backup snapshot in this minor.
#[must_use]
pub fn snapshot_restore_binary(minor: Minor) -> &'static str {
    offline_binary(minor)
}
