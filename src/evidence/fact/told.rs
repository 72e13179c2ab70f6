//! What single commands, files and log lines say, and what can't be taken at its word.

use super::{FlagSetting, Kind};
use crate::etcd::version::{Minor, Version};

/// Why an output can't be taken at its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Distrust {
    /// No tool of etcd's prints it.
    Foreign,
    /// Columns, rows or the end of a line are missing.
    Incomplete,
    /// It is the example of a document.
    Sample,
}

/// An output that can't be taken at its word. What could be read of it is in facts of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// Why.
    pub why: Distrust,
    /// What it would be, where that much is clear: a later one of the same kind makes up for it.
    pub kind: Option<Kind>,
    /// What is wrong with it, as a clause: `the endpoint status lacks the column VERSION`.
    pub says: String,
}

/// What `etcdutl check v2store` found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum V2Check {
    /// `No custom content found in both v2store and WAL records.` (3.5.32 and newer)
    CleanWithWal,
    /// `No custom content found in v2store.` (before 3.5.32: the WAL was not looked at)
    CleanSnapshotOnly,
    /// `detected custom content in v2store`
    CustomContent,
    /// `detected custom v2 content in WAL records`
    WalRecords,
    /// `detected custom v2 content in both v2store and WAL records`
    Both,
    /// The check did not run: unknown command, no such directory, a flag missing. etcdutl's words.
    NotRun(String),
}

/// What `snapshot status` said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SnapshotStatus {
    /// The file, where the command was pasted too.
    pub path: Option<String>,
    /// Hash.
    pub hash: Option<u32>,
    /// Newest revision.
    pub revision: Option<i64>,
    /// Keys; what is counted differs between minors.
    pub total_keys: Option<u64>,
    /// Size in bytes; rounded in table and simple form.
    pub total_size: Option<u64>,
    /// Storage version (3.6 and newer).
    pub version: Option<Version>,
}

/// `snapshot save` ended well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotSaved {
    /// The file.
    pub path: String,
}

/// A `snapshot save`, as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaveCommand {
    /// The file it writes.
    pub path: String,
    /// The host or the endpoints it was typed for.
    pub from: Option<String>,
}

/// A `snapshot restore`, as it was run or is planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreCommand {
    /// The tool.
    pub tool: String,
    /// The file it restores from.
    pub path: Option<String>,
    /// Its flags, without dashes, each with its value where it has one.
    pub flags: Vec<(String, Option<String>)>,
}

/// One `member/snap/<term>-<index>.snap`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskSnapshot {
    /// Raft term.
    pub term: u64,
    /// Raft index it was taken at.
    pub index: u64,
    /// When it was written, as `ls` printed it (no zone known): seconds since 1970 read as UTC, and whether `ls` gave
    /// a year. `None` when the listing shows no time.
    pub modified: Option<ListedTime>,
}

/// A time as `ls -l` prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedTime {
    /// Text as printed.
    pub text: String,
    /// Unix seconds with the printed zone, or read as UTC where none is printed; `None` when no year is printed.
    pub unix: Option<i64>,
}

/// What a server says of its version: GET `/version`, `etcd --version`, a metric, a log line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerVersion {
    /// Binary version.
    pub server: Option<Version>,
    /// Cluster version.
    pub cluster: Option<Minor>,
    /// Storage version.
    pub storage: Option<Minor>,
    /// The endpoint asked, where the command was pasted too.
    pub endpoint: Option<String>,
}

/// Version of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolVersion {
    /// `etcd`, `etcdctl` or `etcdutl`.
    pub tool: String,
    /// Its version.
    pub version: Version,
}

/// GET `/health`, `/livez`, `/readyz`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpHealth {
    /// Healthy?
    pub healthy: bool,
    /// The reason given, if any.
    pub reason: Option<String>,
    /// The endpoint asked, where the command was pasted too.
    pub endpoint: Option<String>,
}

/// An answer of `etcdctl downgrade`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Downgrade {
    /// `validate`, `enable` or `cancel`.
    pub action: String,
    /// Did it succeed? (`cancel` always says so on 3.6 and 3.7.)
    pub ok: bool,
    /// The cluster version in the answer.
    pub cluster_version: Option<Minor>,
    /// The error in etcd's words.
    pub error: Option<String>,
}

/// What became of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemberAction {
    /// Added; as a voter, unless the command that says otherwise is not shown.
    Added,
    /// Added as a learner.
    AddedAsLearner,
    /// Removed.
    Removed,
    /// Its peer URLs were changed.
    Updated,
    /// A learner became a voter.
    Promoted,
}

/// An answer of `member add`, `remove`, `update` or `promote`.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberChange {
    /// What became of it.
    pub action: MemberAction,
    /// The member.
    pub member_id: u64,
    /// Its cluster.
    pub cluster_id: Option<u64>,
    /// The environment that `member add` prints for the new member's first start; no member's own yet.
    pub environment: Vec<FlagSetting>,
}

/// `member add`, `remove`, `update` or `promote`, as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberCommand {
    /// What becomes of the member.
    pub action: MemberAction,
    /// The name of a member to add, else the id as it was typed.
    pub member: String,
    /// The peer URLs it is given.
    pub peer_urls: Vec<String>,
}

/// An error of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError {
    /// The error in the tool's words.
    pub text: String,
}

/// A log line worth knowing.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEvent {
    /// Which known message it is: a row of the `log_messages` table, by id.
    pub message: &'static str,
    /// The server's version, where the log says it.
    pub version: Option<Version>,
    /// The member's name or id in hex, where the log says it.
    pub member: Option<String>,
    /// The line's own text (message and error).
    pub text: String,
}
