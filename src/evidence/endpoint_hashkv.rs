//! `etcdctl endpoint hashkv` in its four forms.

use serde_json::Value;

use super::detect::{Place, Taken};
use super::endpoint_status;
use super::fact::{Body, Fact, HashKv, Kind};
use super::fields::Record;
use super::json::{self, Document};
use super::rows;
use super::table::Table;
use super::value;

/// Does the header belong to this table?
#[must_use]
pub fn table_fits(header: &[String]) -> bool {
    let has = |name: &str| header.iter().any(|h| h == name);
    has("ENDPOINT") && has("HASH")
}

/// The rows of a table.
#[must_use]
pub fn from_table(table: &Table, place: &Place<'_>) -> Vec<Fact> {
    rows::of_table(table, place, &|row| {
        Some(Body::HashKv(HashKv {
            endpoint: row.get("ENDPOINT").to_owned(),
            member_id: None,
            hash: row.get("HASH").parse().ok()?,
            hash_revision: row.get("HASH REVISION").parse().ok().or_else(|| asked_revision(place)),
            compact_revision: None,
            revision: None,
        }))
    })
}

/// The revision the command asked for; the table of older tools does not show it.
fn asked_revision(place: &Place<'_>) -> Option<i64> {
    let command = place.context.command.as_deref()?;
    let (_, after) = command.split_once("--rev")?;
    let revision: i64 = after.trim_start_matches(['=', ' ']).split_whitespace().next()?.parse().ok()?;
    // 0 stands for the newest, which is another one on every member.
    (revision > 0).then_some(revision)
}

/// Is it a record of this kind?
#[must_use]
pub fn fields_fit(record: &Record<'_>) -> bool {
    record.has("Endpoint") && record.has("Hash")
}

/// The records of the form fields.
#[must_use]
pub fn from_fields(records: &[Record<'_>], place: &Place<'_>) -> Vec<Fact> {
    rows::of_fields(records, place, &|record| {
        Some(Body::HashKv(HashKv {
            endpoint: record.get("Endpoint")?.to_owned(),
            member_id: record.get("MemberID").and_then(value::decimal_or_hex),
            hash: record.number("Hash")?,
            hash_revision: record.signed("HashRevision"),
            compact_revision: record.signed("CompactRevision"),
            revision: record.signed("Revision"),
        }))
    })
}

/// `[{"Endpoint":…,"HashKV":{…}}]`
#[must_use]
pub fn from_json(document: &Document<'_>, place: &Place<'_>) -> Option<Vec<Fact>> {
    let fits = |first: &Value| ["Endpoint", "HashKV"].iter().all(|key| json::field(first, key).is_some());
    rows::of_json(document, place, &["endpoint", "hashkv"], &fits, &|element| {
        let body = json::field(element, "HashKV")?;
        let header = json::field(body, "header");
        let in_header = |name: &str| header.and_then(|h| json::field(h, name));
        let decimal = json::field(body, "hash").is_some_and(Value::is_string);
        Some(Body::HashKv(HashKv {
            endpoint: json::field(element, "Endpoint")?.as_str()?.to_owned(),
            member_id: in_header("member_id").and_then(|v| json::id(v, decimal)),
            hash: json::field(body, "hash").and_then(json::number)?,
            hash_revision: json::field(body, "hash_revision").and_then(json::signed),
            compact_revision: json::field(body, "compact_revision").and_then(json::signed),
            revision: in_header("revision").and_then(json::signed),
        }))
    })
}

/// `EP, HASH[, HASH REVISION]`
#[must_use]
pub fn read_simple(place: &Place<'_>) -> Option<Taken> {
    let mut columns = place.text().trim().splitn(4, ", ");
    let endpoint = columns.next()?;
    let is_endpoint = !endpoint.contains(' ') && endpoint.len() <= 300 && endpoint.contains(':');
    let hash: u32 = columns.next()?.parse().ok()?;
    let hash_revision = match columns.next() {
        None => None,
        Some(revision) => Some(revision.parse().ok()?),
    };
    if !is_endpoint || columns.next().is_some() {
        return None;
    }
    let hash = HashKv {
        endpoint: endpoint.to_owned(),
        member_id: None,
        hash: u64::from(hash),
        hash_revision,
        compact_revision: None,
        revision: None,
    };
    let fact = place.fact(place.span(1), Body::HashKv(hash));
    Some(place.taken(1, Kind::EndpointHashKv, "simple", 1, vec![fact]))
}

/// `Failed to get the hash of endpoint EP (ERR)`
#[must_use]
pub fn read_failed(place: &Place<'_>) -> Option<Taken> {
    endpoint_status::failed(place, "Failed to get the hash of endpoint ", Kind::EndpointHashKv)
}
