//! The facts readers produce. A field is `None` when the output did not say it; nothing is filled in by guess.

mod flags;
mod kind;
mod rows;
mod told;

pub use flags::{ContainerRun, FlagForm, FlagSet, FlagSetting, FlagSource};
pub use kind::Kind;
pub use rows::{Alarm, AlarmType, EndpointFailed, HashKv, Health, MemberRow, Status};
pub use told::{
    DiskSnapshot, Distrust, Doubt, Downgrade, HttpHealth, ListedTime, LogEvent, MemberAction, MemberChange,
    MemberCommand, RestoreCommand, SaveCommand, ServerVersion, SnapshotSaved, SnapshotStatus, ToolError, ToolVersion,
    V2Check,
};

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
pub enum Body {
    /// One row of `endpoint status`. Boxed, as the flags are: a fact of another kind does not carry their size.
    Status(Box<Status>),
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
    Flags(Box<FlagSet>),
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
    /// A `member add`, `remove`, `update` or `promote` that was typed; what became of it is another fact.
    MemberCommand(MemberCommand),
    /// An error of etcdctl or etcdutl that is not about one endpoint.
    ToolError(ToolError),
    /// A log line that speaks of a start-up failure or a warning worth knowing.
    Log(LogEvent),
    /// What looks like etcd's output and can't be taken at its word.
    Doubt(Doubt),
}
