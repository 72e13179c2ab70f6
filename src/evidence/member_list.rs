//! `etcdctl member list`: simple, table, fields, JSON (also `--hex` and the gRPC gateway's), the form of the v2 API, and
//! `talosctl etcd members`.

use serde_json::Value;

use super::detect::{Place, Taken};
use super::doubt;
use super::fact::{Body, Fact, Kind, MemberRow};
use super::fields::Record;
use super::json::{self, Document};
use super::rows;
use super::table::Table;
use super::value;

/// Does the header belong to this table?
#[must_use]
pub fn table_fits(header: &[String]) -> bool {
    let has = |name: &str| header.iter().any(|h| h == name);
    has("ID") && (has("PEER ADDRS") || has("PEER URLS"))
}

/// The rows of a table.
#[must_use]
pub fn from_table(table: &Table, place: &Place<'_>) -> Vec<Fact> {
    let talosctl = table.column("HOSTNAME").is_some();
    rows::of_table(table, place, &|row| {
        let name = row.either("NAME", "HOSTNAME");
        Some(Body::Member(MemberRow {
            id: json::hex_id(row.get("ID"))?,
            cluster_id: None,
            started: if talosctl { !name.is_empty() } else { row.get("STATUS") == "started" },
            name: Some(name.to_owned()).filter(|n| !n.is_empty()),
            peer_urls: urls(row.either("PEER ADDRS", "PEER URLS")),
            client_urls: urls(row.either("CLIENT ADDRS", "CLIENT URLS")),
            is_learner: json::boolean_text(row.either("IS LEARNER", "LEARNER")),
        }))
    })
}

/// Is it a record of this kind? The first one holds the header's keys too.
#[must_use]
pub fn fields_fit(record: &Record<'_>) -> bool {
    record.has("ID") && record.has("PeerURL")
}

/// The records of the form fields, one a member.
#[must_use]
pub fn from_fields(records: &[Record<'_>], place: &Place<'_>) -> Vec<Fact> {
    let id = |record: &Record<'_>, key: &str| record.get(key).and_then(value::decimal_or_hex);
    let cluster_id = records.first().and_then(|r| id(r, "ClusterID"));
    let rows = records.iter().filter_map(|record| {
        let all = |key: &str| record.pairs.iter().filter(|p| p.key == key).map(|p| p.value.to_owned()).collect();
        let name = record.get("Name").filter(|n| !n.is_empty()).map(str::to_owned);
        let member = MemberRow {
            id: id(record, "ID")?,
            cluster_id,
            started: name.is_some(),
            name,
            peer_urls: all("PeerURL"),
            client_urls: all("ClientURL"),
            is_learner: record.get("IsLearner").and_then(json::boolean_text),
        };
        let (_, last) = record.range()?;
        let first = record.pairs.iter().find(|p| p.key == "ID").map_or(last, |p| p.at);
        Some(place.fact(place.range(first, last), Body::Member(member)))
    });
    rows.collect()
}

/// `{"header":…,"members":[…]}`
#[must_use]
pub fn from_json(document: &Document<'_>, place: &Place<'_>) -> Option<Vec<Fact>> {
    let header = json::field(&document.value, "header");
    let listed = json::field(&document.value, "members")?.as_array()?;
    // Only a member has peer URLs; other answers of etcd's hold members too (member add).
    listed.first().and_then(|m| json::field(m, "peerURLs"))?;
    if json::field(&document.value, "member").is_some() {
        return None;
    }
    if listed.iter().all(|m| json::field(m, "ID").is_none()) {
        let says = "the JSON reads like member list, but its members have no ID as etcd's have";
        return Some(vec![doubt::about_json(says, document, place)]);
    }
    let in_header = |name: &str| header.and_then(|h| json::field(h, name));
    // The gateway prints every number as text, `--hex` only the ids.
    let decimal = in_header("raft_term").is_some_and(Value::is_string);
    let hex = !decimal && listed.iter().any(|m| json::field(m, "ID").is_some_and(Value::is_string));
    let cluster_id = in_header("cluster_id").and_then(|v| json::id(v, decimal));
    let rows = document.members(place, "members")?.into_iter().filter_map(|(member, span)| {
        let text = |name: &str| json::field(&member, name).and_then(Value::as_str).filter(|t| !t.is_empty());
        let list = |name: &str| -> Vec<String> {
            let list = json::field(&member, name).and_then(Value::as_array);
            list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let name = text("name").map(str::to_owned);
        let row = MemberRow {
            id: json::field(&member, "ID").and_then(|v| json::id(v, decimal))?,
            cluster_id,
            started: name.is_some(),
            name,
            peer_urls: list("peerURLs"),
            client_urls: list("clientURLs"),
            is_learner: match json::field(&member, "isLearner").and_then(json::boolean) {
                // `--hex` hides learners in some minors.
                None => (!hex).then_some(false),
                learner => learner,
            },
        };
        Some(place.fact(span, Body::Member(row)))
    });
    Some(rows.collect())
}

/// The simple form, and the form of the v2 API.
#[must_use]
pub fn read_simple(place: &Place<'_>) -> Option<Taken> {
    let mut facts = Vec::new();
    let mut lines = 0;
    while let Some(line) = place.lines.get(place.at + lines) {
        let here = Place { at: place.at + lines, ..*place };
        let Some((row, height)) = one(&line.text, &here) else { break };
        facts.push(here.fact(here.span(height), Body::Member(row)));
        lines += height;
    }
    (lines > 0).then(|| place.taken(lines, Kind::MemberList, "simple", facts.len(), facts))
}

/// The row at the place, and on how many lines it stands.
fn one(text: &str, here: &Place<'_>) -> Option<(MemberRow, usize)> {
    let row = simple(text).or_else(|| v2(text));
    let begins = text.contains(", started, ") || text.contains(", unstarted, ");
    if !begins || row.as_ref().is_some_and(|r| r.is_learner.is_some()) {
        return row.map(|row| (row, 1));
    }
    // A terminal broke the row: before its last column, or within its last URL.
    let whole = |text: &str| simple(text).is_some_and(|row| row.is_learner.is_some());
    let ends = |text: &str| {
        let url = text.rsplit(", ").next().unwrap_or(text);
        let port = url.rsplit_once(':').map_or("", |(_, port)| port);
        simple(text).is_some() && url.contains("://") && !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit())
    };
    let tail = |line: &super::clean::Line<'_>| {
        line.text.len() < text.len() && line.text.bytes().all(|b| b.is_ascii_alphanumeric() || b":/.-,[]".contains(&b))
    };
    let tailed = here.lines.get(here.at + 1).is_some_and(|l| !l.is_blank() && tail(l));
    let joined = here.rejoined(&whole).or_else(|| here.rejoined(&ends).filter(|_| tailed));
    match joined {
        Some((text, height)) => simple(&text).map(|row| (row, height)),
        None => row.map(|row| (row, 1)),
    }
}

/// `ID, status, name, peer addrs, client addrs[, is learner]`
fn simple(text: &str) -> Option<MemberRow> {
    let text = text.trim();
    let text = text.strip_suffix(',').unwrap_or(text);
    let mut columns = text.splitn(7, ", ").map(str::trim);
    let id = json::hex_id(columns.next()?)?;
    let started = match columns.next()? {
        "started" => true,
        "unstarted" => false,
        _ => return None,
    };
    let name = columns.next()?;
    let peers = columns.next()?;
    let clients = columns.next().unwrap_or("");
    Some(MemberRow {
        id,
        cluster_id: None,
        name: Some(name.to_owned()).filter(|n| !n.is_empty()),
        started,
        peer_urls: urls(peers),
        client_urls: urls(clients),
        is_learner: columns.next().and_then(json::boolean_text),
    })
}

/// `id: name=m1 peerURLs=http://… clientURLs=http://… isLeader=true` and `id[unstarted]: peerURLs=http://…`
fn v2(text: &str) -> Option<MemberRow> {
    let (id, rest) = text.trim().split_once(": ")?;
    let (id, started) = match id.strip_suffix("[unstarted]") {
        Some(id) => (id, false),
        None => (id, true),
    };
    let value = |key: &str| rest.split_whitespace().find_map(|w| w.strip_prefix(key));
    let id = json::hex_id(id)?;
    let peers = value("peerURLs=")?;
    Some(MemberRow {
        id,
        cluster_id: None,
        name: value("name=").filter(|n| !n.is_empty()).map(str::to_owned),
        started,
        peer_urls: urls(peers),
        client_urls: urls(value("clientURLs=").unwrap_or("")),
        is_learner: None,
    })
}

/// URLs joined by commas.
fn urls(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|u| !u.is_empty()).map(str::to_owned).collect()
}
