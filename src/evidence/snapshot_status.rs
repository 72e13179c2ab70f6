//! `etcdutl snapshot status` (`etcdctl` before), in its four forms.

use super::detect::{Place, Taken};
use super::fact::{Body, Fact, Kind, SnapshotStatus};
use super::fields::Record;
use super::json::{self, Document};
use super::rows;
use super::table::Table;
use super::value;

/// The file, where the command was pasted too.
fn path(place: &Place<'_>) -> Option<String> {
    place.context.parsed.after(&["snapshot", "status"]).map(str::to_owned)
}

/// Does the header belong to this table?
#[must_use]
pub fn table_fits(header: &[String]) -> bool {
    let has = |name: &str| header.iter().any(|h| h == name);
    has("HASH") && has("REVISION") && has("TOTAL KEYS")
}

/// The rows of a table.
#[must_use]
pub fn from_table(table: &Table, place: &Place<'_>) -> Vec<Fact> {
    rows::of_table(table, place, &|row| {
        Some(Body::SnapshotStatus(SnapshotStatus {
            path: path(place),
            hash: u32::from_str_radix(row.get("HASH"), 16).ok(),
            revision: row.get("REVISION").parse().ok(),
            total_keys: row.get("TOTAL KEYS").parse().ok(),
            total_size: value::size(row.get("TOTAL SIZE")),
            version: row.get("VERSION").parse().ok(),
        }))
    })
}

/// Is it a record of this kind?
#[must_use]
pub fn fields_fit(record: &Record<'_>) -> bool {
    record.has("Hash") && record.has("Keys") && record.has("Size")
}

/// The record of the form fields.
#[must_use]
pub fn from_fields(records: &[Record<'_>], place: &Place<'_>) -> Vec<Fact> {
    rows::of_fields(records, place, &|record| {
        Some(Body::SnapshotStatus(SnapshotStatus {
            path: path(place),
            hash: record.get("Hash").and_then(|h| h.parse().ok()),
            revision: record.signed("Revision"),
            total_keys: record.number("Keys"),
            total_size: record.number("Size"),
            version: record.get("Version").and_then(|v| v.parse().ok()),
        }))
    })
}

/// `{"hash":…,"revision":…,"totalKey":…,"totalSize":…}`
#[must_use]
pub fn from_json(document: &Document<'_>, place: &Place<'_>) -> Option<Vec<Fact>> {
    let field = |name: &str| json::field(&document.value, name);
    field("totalKey").and(field("totalSize"))?;
    let status = SnapshotStatus {
        path: path(place),
        hash: field("hash").and_then(json::number).and_then(|h| u32::try_from(h).ok()),
        revision: field("revision").and_then(json::signed),
        total_keys: field("totalKey").and_then(json::number),
        total_size: field("totalSize").and_then(json::number),
        version: field("version").and_then(serde_json::Value::as_str).and_then(|v| v.parse().ok()),
    };
    Some(vec![place.fact(place.span(document.lines), Body::SnapshotStatus(status))])
}

/// `HASH, REVISION, TOTAL KEYS, TOTAL SIZE[, VERSION]`
#[must_use]
pub fn read_simple(place: &Place<'_>) -> Option<Taken> {
    let mut columns = place.text().trim_start().splitn(6, ", ").map(str::trim);
    let hash = columns.next().filter(|h| (1..=8).contains(&h.len()))?;
    let status = SnapshotStatus {
        path: path(place),
        hash: Some(u32::from_str_radix(hash, 16).ok()?),
        revision: Some(columns.next()?.parse().ok()?),
        total_keys: Some(columns.next()?.parse().ok()?),
        total_size: Some(value::size(columns.next()?.trim_end_matches(','))?),
        version: columns.next().and_then(|v| v.parse().ok()),
    };
    if columns.next().is_some() {
        return None;
    }
    let fact = place.fact(place.span(1), Body::SnapshotStatus(status));
    Some(place.taken(1, Kind::SnapshotStatus, "simple", 0, vec![fact]))
}
