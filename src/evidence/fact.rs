//! The facts readers produce. A field is `None` when the output did not say it; nothing is filled in by guess.

use crate::etcd::version::{Minor, Version};

/// Where something was read: whole lines of one paste.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Index of the paste.
    pub paste: usize,
    /// First line, 1-based.
    pub first_line: usize,
    /// Last line, 1-based, inclusive.
    pub last_line: usize,
    /// The part that matters: byte range within the lines joined by `\n`, counted from the start of the first line.
    pub focus: Option<(usize, usize)>,
}

impl Span {
    /// One whole line.
    #[must_use]
    pub fn line(paste: usize, line: usize) -> Self {
        Self { paste, first_line: line, last_line: line, focus: None }
    }

    /// Several whole lines, both ends included.
    #[must_use]
    pub fn lines(paste: usize, first_line: usize, last_line: usize) -> Self {
        Self { paste, first_line, last_line, focus: None }
    }
}

/// A value with the place it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen<T> {
    /// What was read.
    pub value: T,
    /// Where.
    pub span: Span,
}

/// The kinds of output that can be recognised. The string form is part of the JSON report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `etcdctl endpoint status`
    EndpointStatus,
    /// `etcdctl endpoint health`
    EndpointHealth,
    /// `etcdctl endpoint hashkv`
    EndpointHashKv,
    /// `etcdctl member list`
    MemberList,
    /// `etcdctl alarm list`
    AlarmList,
    /// `etcdutl check v2store`
    CheckV2Store,
    /// `etcdutl snapshot status`
    SnapshotStatus,
    /// `etcdctl snapshot save`
    SnapshotSave,
    /// The command `snapshot restore`.
    SnapshotRestore,
    /// A listing of `member/snap`
    DiskSnapshots,
    /// Server flags, whatever they were read from
    ServerFlags,
    /// `etcd --version`, `etcdctl version`, GET `/version`
    Version,
    /// GET `/health`, `/livez`, `/readyz`
    HttpHealth,
    /// A GET `/metrics` excerpt
    Metrics,
    /// `etcdctl downgrade …`
    Downgrade,
    /// `etcdctl auth status`
    AuthStatus,
    /// What `member add`, `promote`, `remove` answered
    MemberChange,
    /// Log lines of a server
    ServerLog,
    /// An error printed by etcdctl or etcdutl
    ToolError,
    /// Help text of etcd, etcdctl or etcdutl
    Help,
}

impl Kind {
    /// Every kind, in the order of the table of design chapter 5.
    pub const ALL: [Self; 20] = [
        Self::EndpointStatus,
        Self::EndpointHealth,
        Self::EndpointHashKv,
        Self::MemberList,
        Self::AlarmList,
        Self::CheckV2Store,
        Self::SnapshotStatus,
        Self::SnapshotSave,
        Self::SnapshotRestore,
        Self::DiskSnapshots,
        Self::ServerFlags,
        Self::Version,
        Self::HttpHealth,
        Self::Metrics,
        Self::Downgrade,
        Self::AuthStatus,
        Self::MemberChange,
        Self::ServerLog,
        Self::ToolError,
        Self::Help,
    ];

    /// The stable name used in reports and stored settings.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::EndpointStatus => "endpoint-status",
            Self::EndpointHealth => "endpoint-health",
            Self::EndpointHashKv => "endpoint-hashkv",
            Self::MemberList => "member-list",
            Self::AlarmList => "alarm-list",
            Self::CheckV2Store => "check-v2store",
            Self::SnapshotStatus => "snapshot-status",
            Self::SnapshotSave => "snapshot-save",
            Self::SnapshotRestore => "snapshot-restore",
            Self::DiskSnapshots => "disk-snapshots",
            Self::ServerFlags => "server-flags",
            Self::Version => "version",
            Self::HttpHealth => "http-health",
            Self::Metrics => "metrics",
            Self::Downgrade => "downgrade",
            Self::AuthStatus => "auth-status",
            Self::MemberChange => "member-change",
            Self::ServerLog => "server-log",
            Self::ToolError => "tool-error",
            Self::Help => "help",
        }
    }

    /// What people call it, in the operator's words.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::EndpointStatus => "endpoint status",
            Self::EndpointHealth => "endpoint health",
            Self::EndpointHashKv => "endpoint hashkv",
            Self::MemberList => "member list",
            Self::AlarmList => "alarm list",
            Self::CheckV2Store => "check v2store",
            Self::SnapshotStatus => "snapshot status",
            Self::SnapshotSave => "snapshot save",
            Self::SnapshotRestore => "snapshot restore",
            Self::DiskSnapshots => "disk snapshots",
            Self::ServerFlags => "server flags",
            Self::Version => "version",
            Self::HttpHealth => "health over HTTP",
            Self::Metrics => "metrics",
            Self::Downgrade => "downgrade",
            Self::AuthStatus => "auth status",
            Self::MemberChange => "member change",
            Self::ServerLog => "server log",
            Self::ToolError => "error",
            Self::Help => "help text",
        }
    }

    /// The kind with this id.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.id() == id)
    }
}

/// A stretch that was recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognised {
    /// What it is.
    pub kind: Kind,
    /// Its lines.
    pub span: Span,
    /// The form: "table", "json", "fields", "simple", "systemd unit", "command line" and so on.
    pub form: &'static str,
    /// How many members (rows, endpoints) it shows; 0 where that has no meaning.
    pub members: usize,
}

/// A stretch that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Its lines.
    pub span: Span,
    /// What was tried, and where it failed, in words for the person.
    pub tried: String,
}

/// Who a fact is about, where the output itself does not say: from the prompt, a heading, the paste's member.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberHint {
    /// The member as the person set it for the paste; beats everything else.
    pub chosen: Option<String>,
    /// Host of the prompt, the ssh or kubectl exec command, or a heading (`m1`, `etcd-0`, `192.0.2.1`).
    pub host: Option<String>,
    /// The data directory named in the command, e.g. by `check v2store --data-dir`.
    pub data_dir: Option<String>,
}

/// One fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Where it stands.
    pub span: Span,
    /// Who it is about, as far as the surroundings say.
    pub hint: MemberHint,
    /// What it says.
    pub body: Body,
}

/// What a fact says.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a paste has few facts, and most of them are of the large kinds")]
pub enum Body {
    /// One row of `endpoint status`.
    Status(Status),
    /// An endpoint that did not answer `status`, `health` or `hashkv`.
    EndpointFailed(EndpointFailed),
    /// One row of `endpoint health`.
    Health(Health),
    /// One row of `endpoint hashkv`.
    HashKv(HashKv),
    /// One row of `member list`.
    Member(MemberRow),
    /// One alarm.
    Alarm(Alarm),
    /// `alarm list` was run and ended; its alarms, if any, are facts of their own.
    AlarmsListed,
    /// What `check v2store` said.
    V2Check(V2Check),
    /// What `snapshot status` said of a backup snapshot.
    SnapshotStatus(SnapshotStatus),
    /// `snapshot save` wrote a backup snapshot.
    SnapshotSaved(SnapshotSaved),
    /// A `snapshot restore` that was run or is planned.
    SnapshotRestore(RestoreCommand),
    /// A `snapshot save` that was typed; whether it succeeded is another fact.
    SnapshotSave(SaveCommand),
    /// A listing of the disk snapshots of one member. May be empty.
    DiskSnapshots(Vec<DiskSnapshot>),
    /// The server flags of one member, from one source.
    Flags(FlagSet),
    /// The etcd servers that a kube-apiserver uses (`--etcd-servers`).
    ApiServer(Vec<String>),
    /// What a server says of its version.
    ServerVersion(ServerVersion),
    /// The version of etcd, etcdctl or etcdutl as a tool on some host.
    ToolVersion(ToolVersion),
    /// GET `/health` and its kin.
    HttpHealth(HttpHealth),
    /// `auth status`: true when authentication is enabled.
    Auth(bool),
    /// An answer of `etcdctl downgrade`.
    Downgrade(Downgrade),
    /// What `member add`, `remove`, `update` or `promote` answered.
    MemberChange(MemberChange),
    /// An error of etcdctl or etcdutl that is not about one endpoint.
    ToolError(ToolError),
    /// A log line that speaks of a start-up failure or a warning worth knowing.
    Log(LogEvent),
}

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

/// Server flags of one member from one source.
#[derive(Debug, Clone, PartialEq)]
pub struct FlagSet {
    /// What they were read from.
    pub source: FlagSource,
    /// The member's own name (`--name`, `ETCD_NAME`, `name:`), or the pod's.
    pub member_name: Option<String>,
    /// Version of the image or binary path it names.
    pub version: Option<Version>,
    /// The program as the process was started: its path, or its bare name. `None` where the text does not name one.
    pub program: Option<String>,
    /// Every setting, in order. Comments and unset lines are not settings. An environment variable set to nothing is
    /// one, with an empty value: etcd takes it as unset, but it still clashes with the flag of that name.
    pub settings: Vec<FlagSetting>,
    /// Where the text says further settings come from and does not show them: a file (`/etc/etcd.env`, the file
    /// behind `--config-file`), a variable (`$ETCD_OPTS`).
    pub elsewhere: Vec<Seen<String>>,
    /// Does the text show the whole start of the process or the whole config file, so that a flag not in it is not
    /// set? False for a fragment (a diff, a list of flags without the program), for an environment file alone, and
    /// whenever `elsewhere` is not empty.
    pub complete: bool,
}

/// What flags were read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlagSource {
    /// A command line typed or in a script.
    CommandLine,
    /// A `ps` line.
    Ps,
    /// A systemd unit or drop-in.
    SystemdUnit,
    /// An environment file or `export` lines.
    EnvFile,
    /// The YAML file behind `--config-file`.
    ConfigFile,
    /// A static pod or other pod manifest.
    PodManifest,
    /// `kubectl describe`.
    Describe,
    /// `docker run`.
    DockerRun,
    /// A compose file.
    Compose,
    /// Read from etcd's own log.
    Log,
}

/// How one setting was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlagForm {
    /// On the command line: a removed flag stops the start.
    CommandLine,
    /// As `ETCD_…` environment variable: a removed one is lost with a warning.
    Env,
    /// As key of the config file: a removed one is lost in silence.
    Yaml,
}

/// One setting.
#[derive(Debug, Clone, PartialEq)]
pub struct FlagSetting {
    /// Flag name without dashes (`enable-v2`); for env the flag it stands for (`ETCD_ENABLE_V2` → `enable-v2`); for
    /// YAML the key path (`peer-transport-security.client-cert-auth`).
    pub name: String,
    /// The value; `None` for a bare boolean flag.
    pub value: Option<String>,
    /// How it was given.
    pub form: FlagForm,
    /// Where.
    pub span: Span,
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
