//! The kinds of output that can be recognised.

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
