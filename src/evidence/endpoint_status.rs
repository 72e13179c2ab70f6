//! `etcdctl endpoint status`: simple, table, fields and JSON, with 7, 10 and 16 columns, and the endpoints that failed.
//!
//! The version of etcdctl decides the columns, the version of the server which of them are filled.

use serde_json::Value;

use super::detect::{FAILED, Place, Taken};
use super::doubt;
use super::fact::{Body, EndpointFailed, Fact, Kind, Status};
use super::fields::Record;
use super::json::{self, Document};
use super::rows;
use super::table::Table;
use super::value;
use crate::etcd::version::Version;

/// Does the header belong to this table? Columns may have been cut out by hand.
#[must_use]
pub fn table_fits(header: &[String]) -> bool {
    let has = |name: &str| header.iter().any(|h| h == name);
    let etcdctl = has("ENDPOINT") && has("ID") && (has("RAFT TERM") || has("IS LEADER") || has("DB SIZE"));
    let talosctl = has("NODE") && has("MEMBER") && has("RAFT INDEX");
    etcdctl || talosctl
}

/// The rows of a table.
#[must_use]
pub fn from_table(table: &Table, place: &Place<'_>) -> Vec<Fact> {
    let talosctl = table.has(&["NODE", "MEMBER"]);
    table
        .rows
        .iter()
        .map(|row| {
            let cell = |name: &str| table.cell(row, name).unwrap_or("");
            let filled = |name: &str| Some(cell(name)).filter(|c| !c.is_empty());
            let number = |name: &str| cell(name).parse().ok();
            let has = |name: &str| table.column(name).is_some();
            let mut status = Status {
                endpoint: cell(if talosctl { "NODE" } else { "ENDPOINT" }).to_owned(),
                member_id: json::hex_id(cell(if talosctl { "MEMBER" } else { "ID" })),
                version: filled("VERSION").or_else(|| filled("PROTOCOL")).and_then(|v| v.parse().ok()),
                storage_version: filled("STORAGE VERSION").or_else(|| filled("STORAGE")).and_then(|v| v.parse().ok()),
                db_size: value::size(cell("DB SIZE")),
                db_in_use: value::size(cell("IN USE")),
                quota: value::size(cell("QUOTA")).filter(|q| *q > 0),
                is_leader: json::boolean_text(cell("IS LEADER")),
                is_learner: json::boolean_text(cell(if talosctl { "LEARNER" } else { "IS LEARNER" })),
                raft_term: number("RAFT TERM"),
                raft_index: number("RAFT INDEX"),
                raft_applied_index: number("RAFT APPLIED INDEX"),
                errors: has("ERRORS").then(|| value::errors(cell("ERRORS"))),
                downgrade_target: target(cell("DOWNGRADE TARGET VERSION")),
                downgrade_enabled: json::boolean_text(cell("DOWNGRADE ENABLED")),
                ..Status::default()
            };
            if talosctl {
                status.leader = json::hex_id(cell("LEADER"));
                status.is_leader = status.leader.zip(status.member_id).map(|(leader, member)| leader == member);
            }
            place.fact(place.range(row.first, row.last), Body::Status(Box::new(status)))
        })
        .collect()
}

/// Is it a record of this kind?
#[must_use]
pub fn fields_fit(record: &Record<'_>) -> bool {
    record.has("Endpoint") && record.has("MemberID") && (record.has("RaftIndex") || record.has("DBSize"))
}

/// The records of the form fields, one an endpoint.
#[must_use]
pub fn from_fields(records: &[Record<'_>], place: &Place<'_>) -> Vec<Fact> {
    rows::of_fields(records, place, &|record| {
        let id = |key: &str| record.get(key).and_then(value::decimal_or_hex);
        let member_id = id("MemberID");
        let leader = record.number("Leader");
        let status = Status {
            endpoint: record.get("Endpoint")?.to_owned(),
            member_id,
            cluster_id: id("ClusterID"),
            version: record.get("Version").and_then(|v| v.parse().ok()),
            storage_version: record.get("StorageVersion").and_then(|v| v.parse().ok()),
            db_size: record.number("DBSize"),
            db_in_use: record.number("DBSizeInUse"),
            quota: record.number("DBSizeQuota").filter(|q| *q > 0),
            is_leader: leader.zip(member_id).map(|(leader, member)| leader == member),
            leader,
            is_learner: record.get("IsLearner").and_then(json::boolean_text),
            raft_term: record.number("RaftTerm"),
            raft_index: record.number("RaftIndex"),
            raft_applied_index: record.number("RaftAppliedIndex"),
            revision: record.signed("Revision"),
            errors: record.get("Errors").map(|e| value::errors(e.trim_matches(['[', ']']))),
            downgrade_target: record.get("DowngradeTargetVersion").and_then(target),
            downgrade_enabled: record.get("DowngradeEnabled").and_then(json::boolean_text),
        };
        Some(Body::Status(Box::new(status)))
    })
}

/// The elements of the JSON array, or one object a line. `null` is no status, and neither is `[]` without the command.
#[must_use]
pub fn from_json(document: &Document<'_>, place: &Place<'_>) -> Option<Vec<Fact>> {
    let fits = |first: &Value| ["Endpoint", "Status"].iter().all(|key| json::field(first, key).is_some());
    rows::of_json(document, place, &["endpoint", "status"], &fits, &|element| {
        let endpoint = json::field(element, "Endpoint")?.as_str()?;
        status_of(endpoint, json::field(element, "Status")?).map(|status| Body::Status(Box::new(status)))
    })
}

/// One `Status` object. JSON leaves out what is zero, false or empty.
fn status_of(endpoint: &str, status: &Value) -> Option<Status> {
    let header = json::field(status, "header");
    let in_header = |name: &str| header.and_then(|h| json::field(h, name));
    let number = |name: &str| json::field(status, name).and_then(json::number);
    let text = |name: &str| json::field(status, name).and_then(Value::as_str);
    // The gateway prints every number as text, `--hex` only the ids.
    let decimal = json::field(status, "raftIndex").is_some_and(Value::is_string);
    let id = |value: Option<&Value>| value.and_then(|v| json::id(v, decimal));
    let version: Option<Version> = text("version").and_then(|v| v.parse().ok());
    let downgrade = json::field(status, "downgradeInfo");
    let member_id = id(in_header("member_id"));
    // etcd leaves the leader out when there is none.
    let leader = id(json::field(status, "leader")).unwrap_or(0);
    let knows_applied = json::field(status, "raftAppliedIndex").is_some();
    let errors = json::field(status, "errors").and_then(Value::as_array);
    status.as_object()?;
    Some(Status {
        endpoint: endpoint.to_owned(),
        member_id,
        cluster_id: id(in_header("cluster_id")),
        version,
        storage_version: text("storageVersion").and_then(|v| v.parse().ok()),
        db_size: number("dbSize"),
        db_in_use: number("dbSizeInUse"),
        quota: number("dbSizeQuota").filter(|q| *q > 0),
        is_leader: member_id.map(|member| member == leader),
        leader: Some(leader),
        is_learner: match json::field(status, "isLearner").and_then(json::boolean) {
            // Before etcd knew learners it did not know the applied index either.
            None => knows_applied.then_some(false),
            learner => learner,
        },
        raft_term: number("raftTerm"),
        raft_index: number("raftIndex"),
        raft_applied_index: number("raftAppliedIndex"),
        revision: in_header("revision").and_then(json::signed),
        errors: match errors {
            Some(list) => Some(list.iter().filter_map(Value::as_str).flat_map(value::errors).collect()),
            None => knows_applied.then(Vec::new),
        },
        downgrade_target: downgrade
            .and_then(|d| json::field(d, "targetVersion"))
            .and_then(Value::as_str)
            .and_then(target),
        downgrade_enabled: downgrade.map(|d| json::field(d, "enabled").and_then(json::boolean).unwrap_or(false)),
    })
}

/// A downgrade target; etcd prints nothing when there is none, and accepts a minor as well as a full version.
fn target(text: &str) -> Option<Version> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let minor: crate::etcd::version::Minor = text.parse().ok()?;
        Some(Version::new(minor.major, minor.minor, 0))
    })
}

/// The simple form: columns joined by `, `, one line an endpoint. The columns are told by their number; the errors may
/// hold `, ` themselves, so the ones after them are counted from the right.
#[must_use]
pub fn read_simple(place: &Place<'_>) -> Option<Taken> {
    let mut facts = Vec::new();
    let mut lines = 0;
    for (offset, line) in place.lines.get(place.at..)?.iter().enumerate() {
        if offset < lines {
            continue;
        }
        if offset > 0 && (line.role == super::clean::Role::Noise || line.is_blank()) {
            break;
        }
        if !begins_row(&line.text) {
            break;
        }
        let here = Place { at: place.at + offset, ..*place };
        let (status, height) = match simple(&line.text).filter(|_| ends_whole(&line.text)) {
            Some(status) => (Some(status), 1),
            // A terminal broke the row, or its end is gone.
            None => match here.rejoined(&|text| ends_whole(text) && simple(text).is_some()) {
                Some((text, height)) => (simple(&text), height),
                None => (simple(&line.text).map(without_end), 1),
            },
        };
        let Some(status) = status else { break };
        facts.push(here.fact(here.span(height), Body::Status(Box::new(status))));
        if height == 1 && !ends_whole(&line.text) {
            facts.push(doubt::about_row(Kind::EndpointStatus, &here));
        }
        lines = offset + height;
    }
    let rows = facts.iter().filter(|f| matches!(f.body, Body::Status(_))).count();
    (lines > 0).then(|| place.taken(lines, Kind::EndpointStatus, "simple", rows, facts))
}

/// Does the line begin a row: an endpoint and an id?
fn begins_row(text: &str) -> bool {
    let mut columns = text.trim_start().splitn(3, ", ");
    columns.next().is_some_and(|e| !e.is_empty()) && columns.next().and_then(json::hex_id).is_some()
}

/// Does the row show its end? The columns tell which tool printed it, and so what comes last: the raft index, the errors
/// (their comma at the least), or whether a downgrade is enabled.
fn ends_whole(text: &str) -> bool {
    let text = text.trim();
    let columns: Vec<&str> = text.split(", ").collect();
    let is_flag = |column: Option<&&str>| column.is_some_and(|c| json::boolean_text(c.trim_end_matches(',')).is_some());
    if columns.get(3).is_some_and(|c| value::size(c).is_none()) {
        return columns.len() >= 16 && is_flag(columns.last());
    }
    if is_flag(columns.get(5)) {
        columns.len() > 9 || (columns.len() == 9 && text.ends_with(','))
    } else {
        columns.len() == 7
    }
}

/// A row whose end is gone: its last numbers may have lost digits, and what stood behind them is not known.
fn without_end(status: Status) -> Status {
    Status {
        raft_term: None,
        raft_index: None,
        raft_applied_index: None,
        errors: None,
        downgrade_target: None,
        downgrade_enabled: None,
        ..status
    }
}

fn simple(text: &str) -> Option<Status> {
    let text = text.trim();
    let endpoint = text.split(", ").next()?;
    if text.len() > 4_000 || endpoint.contains(' ') && !endpoint.contains("://") {
        return None;
    }
    let columns: Vec<&str> = text.strip_suffix(',').unwrap_or(text).split(", ").map(str::trim).collect();
    let column = |i: usize| columns.get(i).copied().unwrap_or("");
    let number = |i: usize| column(i).parse().ok();
    let flag = |i: usize| json::boolean_text(column(i));
    let member_id = json::hex_id(column(1))?;
    let version: Version = column(2).parse().ok()?;
    let mut status = Status {
        endpoint: endpoint.to_owned(),
        member_id: Some(member_id),
        version: Some(version),
        ..Status::default()
    };
    if value::size(column(3)).is_some() {
        status.db_size = value::size(column(3));
        status.is_leader = Some(flag(4)?);
        match flag(5) {
            Some(learner) => {
                status.is_learner = Some(learner);
                status.raft_term = number(6);
                status.raft_index = number(7);
                status.raft_applied_index = number(8);
                status.errors = Some(value::errors(&columns.get(9..).unwrap_or_default().join(", ")));
            }
            None => {
                status.raft_term = number(5);
                status.raft_index = number(6);
            }
        }
    } else {
        status.storage_version = column(3).parse().ok();
        status.db_size = Some(value::size(column(4))?);
        status.db_in_use = value::size(column(5));
        status.quota = value::size(column(7)).filter(|q| *q > 0);
        status.is_leader = Some(flag(8)?);
        status.is_learner = flag(9);
        status.raft_term = number(10);
        status.raft_index = number(11);
        status.raft_applied_index = number(12);
        let right = columns.len().checked_sub(2).filter(|r| *r >= 13)?;
        status.errors = Some(value::errors(&columns.get(13..right).unwrap_or_default().join(", ")));
        status.downgrade_target = target(column(right));
        status.downgrade_enabled = flag(right + 1);
    }
    status.raft_term.is_some().then_some(status)
}

/// `Failed to get the status of endpoint EP (ERR)`
#[must_use]
pub fn read_failed(place: &Place<'_>) -> Option<Taken> {
    failed(place, "Failed to get the status of endpoint ", Kind::EndpointStatus)
}

/// An endpoint and its error, as etcdctl prints them after a start of its own; a terminal may have broken the line.
#[must_use]
pub fn failed(place: &Place<'_>, start: &str, kind: Kind) -> Option<Taken> {
    let line = place.text().trim();
    let rest = line.strip_prefix(start)?;
    let broken = if line.ends_with(')') { None } else { place.rejoined(&|text| text.ends_with(')')) };
    let (text, lines) = broken.unwrap_or_else(|| (line.to_owned(), 1));
    let (endpoint, error) = text.trim().strip_prefix(start).unwrap_or(rest).split_once(" (")?;
    let error = error.strip_suffix(')').unwrap_or(error);
    let failed = EndpointFailed { endpoint: endpoint.to_owned(), error: error.to_owned() };
    let fact = place.fact(place.span(lines), Body::EndpointFailed(failed));
    Some(place.taken(lines, kind, FAILED, 1, vec![fact]))
}
