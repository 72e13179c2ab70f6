//! Which kinds there are and who reads them, each list in the order it is tried.

use super::super::fact::{Fact, Kind};
use super::super::json::Document;
use super::super::table::Table;
use super::super::{
    alarm_list, auth_status, check_v2store, disk_snapshots, downgrade, endpoint_hashkv, endpoint_health,
    endpoint_status, fields, flags, help, http_health, member_change, member_list, metrics, server_log,
    snapshot_restore, snapshot_save, snapshot_status, tool_error, version,
};
use super::place::{Place, Reader};

/// A kind that comes as a table: does the header belong to it, and what do the rows say?
pub(super) struct TableKind {
    pub(super) kind: Kind,
    pub(super) fits: fn(&[String]) -> bool,
    pub(super) read: fn(&Table, &Place<'_>) -> Vec<Fact>,
}

/// A kind that comes as fields.
pub(super) struct FieldsKind {
    pub(super) kind: Kind,
    pub(super) fits: fn(&fields::Record<'_>) -> bool,
    pub(super) read: fn(&[fields::Record<'_>], &Place<'_>) -> Vec<Fact>,
}

/// A kind that comes as JSON: `None` when the value is of another kind.
pub(super) struct JsonKind {
    pub(super) kind: Kind,
    pub(super) read: fn(&Document<'_>, &Place<'_>) -> Option<Vec<Fact>>,
}

/// The kinds that come as tables. More columns make a header surer, so the ones with few columns come last.
pub(super) const TABLES: &[TableKind] = &[
    TableKind { kind: Kind::EndpointStatus, fits: endpoint_status::table_fits, read: endpoint_status::from_table },
    TableKind { kind: Kind::MemberList, fits: member_list::table_fits, read: member_list::from_table },
    TableKind { kind: Kind::SnapshotStatus, fits: snapshot_status::table_fits, read: snapshot_status::from_table },
    TableKind { kind: Kind::EndpointHealth, fits: endpoint_health::table_fits, read: endpoint_health::from_table },
    TableKind { kind: Kind::EndpointHashKv, fits: endpoint_hashkv::table_fits, read: endpoint_hashkv::from_table },
];

/// The kinds that come as fields.
pub(super) const FIELDS: &[FieldsKind] = &[
    FieldsKind { kind: Kind::EndpointStatus, fits: endpoint_status::fields_fit, read: endpoint_status::from_fields },
    FieldsKind { kind: Kind::MemberList, fits: member_list::fields_fit, read: member_list::from_fields },
    FieldsKind { kind: Kind::EndpointHealth, fits: endpoint_health::fields_fit, read: endpoint_health::from_fields },
    FieldsKind { kind: Kind::EndpointHashKv, fits: endpoint_hashkv::fields_fit, read: endpoint_hashkv::from_fields },
    FieldsKind { kind: Kind::SnapshotStatus, fits: snapshot_status::fields_fit, read: snapshot_status::from_fields },
    FieldsKind { kind: Kind::AlarmList, fits: alarm_list::fields_fit, read: alarm_list::from_fields },
    FieldsKind { kind: Kind::AuthStatus, fits: auth_status::fields_fit, read: auth_status::from_fields },
];

/// The kinds that come as JSON.
pub(super) const JSON: &[JsonKind] = &[
    JsonKind { kind: Kind::EndpointStatus, read: endpoint_status::from_json },
    JsonKind { kind: Kind::MemberList, read: member_list::from_json },
    JsonKind { kind: Kind::EndpointHashKv, read: endpoint_hashkv::from_json },
    JsonKind { kind: Kind::EndpointHealth, read: endpoint_health::from_json },
    JsonKind { kind: Kind::SnapshotStatus, read: snapshot_status::from_json },
    JsonKind { kind: Kind::Version, read: version::from_json },
    JsonKind { kind: Kind::HttpHealth, read: http_health::from_json },
    JsonKind { kind: Kind::AuthStatus, read: auth_status::from_json },
    JsonKind { kind: Kind::Downgrade, read: downgrade::from_json },
    JsonKind { kind: Kind::AlarmList, read: alarm_list::from_json },
];

/// The readers of lines, in the order they are tried: before those of server flags ([`flags::READERS`]).
pub(super) const READERS: &[(Kind, Reader)] = &[
    (Kind::EndpointStatus, endpoint_status::read_simple),
    (Kind::EndpointStatus, endpoint_status::read_failed),
    (Kind::MemberList, member_list::read_simple),
    (Kind::SnapshotStatus, snapshot_status::read_simple),
    (Kind::EndpointHashKv, endpoint_hashkv::read_simple),
    (Kind::EndpointHashKv, endpoint_hashkv::read_failed),
    (Kind::EndpointHealth, endpoint_health::read_line),
    (Kind::AlarmList, alarm_list::read_simple),
    (Kind::CheckV2Store, check_v2store::read_line),
    (Kind::CheckV2Store, check_v2store::read_missing_tool),
    (Kind::SnapshotSave, snapshot_save::read_line),
    (Kind::SnapshotRestore, snapshot_restore::read_note),
    (Kind::DiskSnapshots, disk_snapshots::read_lines),
    (Kind::Version, version::read_lines),
    (Kind::HttpHealth, http_health::read_probe),
    (Kind::Metrics, metrics::read_lines),
    (Kind::Downgrade, downgrade::read_line),
    (Kind::AuthStatus, auth_status::read_lines),
    (Kind::MemberChange, member_change::read_lines),
];

/// The readers tried last, because they take every line of a wide form: a log's lines may name flags, and what is an
/// error may be another command's answer.
pub(super) const LAST_READERS: &[(Kind, Reader)] = &[
    (Kind::ServerFlags, flags::api_server::read),
    (Kind::ServerLog, server_log::read_line),
    (Kind::ToolError, tool_error::read_line),
    (Kind::Help, help::read_lines),
];
