//! Rows of the commands over endpoints and members.

use crate::etcd::version::Version;

/// One row of `etcdctl endpoint status`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Status {
    /// As printed, with or without scheme.
    pub endpoint: String,
    /// Member id.
    pub member_id: Option<u64>,
    /// Cluster id (JSON and fields only).
    pub cluster_id: Option<u64>,
    /// Server version.
    pub version: Option<Version>,
    /// Storage version (etcdctl and server 3.6 or newer).
    pub storage_version: Option<Version>,
    /// Database size in bytes; rounded by etcdctl in tables (two or three digits).
    pub db_size: Option<u64>,
    /// Bytes in use.
    pub db_in_use: Option<u64>,
    /// Quota in bytes; `None` also when etcdctl printed `0 B` because the server did not say.
    pub quota: Option<u64>,
    /// Is it the leader?
    pub is_leader: Option<bool>,
    /// The leader it follows (JSON and fields only); `Some(0)` when it has none.
    pub leader: Option<u64>,
    /// Is it a learner?
    pub is_learner: Option<bool>,
    /// Raft term.
    pub raft_term: Option<u64>,
    /// Raft index.
    pub raft_index: Option<u64>,
    /// Applied index.
    pub raft_applied_index: Option<u64>,
    /// Revision (JSON and fields only).
    pub revision: Option<i64>,
    /// Errors the server reported (alarms, `etcdserver: no leader`). `None` when the form has no such column.
    pub errors: Option<Vec<String>>,
    /// Downgrade target (etcdctl 3.6 or newer), when one is set.
    pub downgrade_target: Option<Version>,
    /// Is a downgrade enabled? `None` when the form does not say.
    pub downgrade_enabled: Option<bool>,
}

/// An endpoint that did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointFailed {
    /// The endpoint.
    pub endpoint: String,
    /// etcdctl's words.
    pub error: String,
}

/// One row of `etcdctl endpoint health`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// The endpoint.
    pub endpoint: String,
    /// Healthy?
    pub healthy: bool,
    /// Why not, in etcdctl's words.
    pub error: Option<String>,
}

/// One row of `etcdctl endpoint hashkv`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashKv {
    /// The endpoint.
    pub endpoint: String,
    /// Member id (JSON and fields only).
    pub member_id: Option<u64>,
    /// The hash.
    pub hash: u64,
    /// Revision the hash was taken at, where printed.
    pub hash_revision: Option<i64>,
    /// Compact revision, where printed; hashes compare only when it is equal.
    pub compact_revision: Option<i64>,
    /// The member's newest revision, where printed.
    pub revision: Option<i64>,
}

/// One row of `etcdctl member list`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberRow {
    /// Member id.
    pub id: u64,
    /// Cluster id (JSON and fields only).
    pub cluster_id: Option<u64>,
    /// Name; `None` when it never started.
    pub name: Option<String>,
    /// Did it ever start (publish its name)?
    pub started: bool,
    /// Peer URLs.
    pub peer_urls: Vec<String>,
    /// Client URLs.
    pub client_urls: Vec<String>,
    /// Learner? `None` when the form hides it (`--hex` JSON of 3.5 and 3.6, 3.3).
    pub is_learner: Option<bool>,
}

/// What an alarm says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AlarmType {
    /// The database reached its quota.
    NoSpace,
    /// Data of members differ.
    Corrupt,
}

/// One alarm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alarm {
    /// The member that raised it.
    pub member_id: u64,
    /// What it is.
    pub alarm: AlarmType,
}
