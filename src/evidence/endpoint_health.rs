//! `etcdctl endpoint health` in its four forms, and `cluster-health` of the v2 API.

use serde_json::Value;

use super::detect::{Place, Taken};
use super::doubt;
use super::fact::{Body, Fact, Health, Kind};
use super::fields::Record;
use super::json::{self, Document};
use super::rows;
use super::table::Table;

/// Does the header belong to this table?
#[must_use]
pub fn table_fits(header: &[String]) -> bool {
    let has = |name: &str| header.iter().any(|h| h == name);
    has("ENDPOINT") && has("HEALTH") && has("TOOK")
}

/// The rows of a table.
#[must_use]
pub fn from_table(table: &Table, place: &Place<'_>) -> Vec<Fact> {
    rows::of_table(table, place, &|row| {
        Some(Body::Health(Health {
            endpoint: row.get("ENDPOINT").to_owned(),
            healthy: json::boolean_text(row.get("HEALTH"))?,
            error: error(row.get("ERROR")),
        }))
    })
}

/// Is it a record of this kind?
#[must_use]
pub fn fields_fit(record: &Record<'_>) -> bool {
    record.has("Endpoint") && record.has("Health")
}

/// The records of the form fields.
#[must_use]
pub fn from_fields(records: &[Record<'_>], place: &Place<'_>) -> Vec<Fact> {
    rows::of_fields(records, place, &|record| {
        Some(Body::Health(Health {
            endpoint: record.get("Endpoint")?.to_owned(),
            healthy: record.get("Health").and_then(json::boolean_text)?,
            error: record.get("Error").and_then(error),
        }))
    })
}

/// `[{"endpoint":…,"health":true,"took":…}]`
#[must_use]
pub fn from_json(document: &Document<'_>, place: &Place<'_>) -> Option<Vec<Fact>> {
    let fits = |first: &Value| ["endpoint", "health", "took"].iter().all(|key| json::field(first, key).is_some());
    rows::of_json(document, place, &["endpoint", "health"], &fits, &|element| {
        Some(Body::Health(Health {
            endpoint: json::field(element, "endpoint")?.as_str()?.to_owned(),
            healthy: json::field(element, "health").and_then(json::boolean)?,
            error: json::field(element, "error").and_then(Value::as_str).and_then(error),
        }))
    })
}

/// One line of the simple form or of the v2 API.
#[must_use]
pub fn read_line(place: &Place<'_>) -> Option<Taken> {
    let text = place.text().trim();
    if matches!(
        text,
        "Error: unhealthy cluster" | "cluster is healthy" | "cluster is unhealthy" | "cluster is degraded"
    ) {
        return Some(place.taken(1, Kind::EndpointHealth, "simple", 0, Vec::new()));
    }
    let broken = text.contains(" is healthy: success") && !text.ends_with('s');
    let whole = |text: &str| text.contains(": took = ") && text.ends_with('s');
    if let Some((text, lines)) = broken.then(|| place.rejoined(&whole)).flatten() {
        let mut facts = vec![place.fact(place.span(lines), Body::Health(simple(text.trim())?))];
        facts.extend(doubt::about_time(&text, place));
        return Some(place.taken(lines, Kind::EndpointHealth, "simple", 1, facts));
    }
    let health = simple(text).or_else(|| v2(text))?;
    let mut facts = vec![place.fact(place.span(1), Body::Health(health))];
    facts.extend(doubt::about_time(text, place));
    Some(place.taken(1, Kind::EndpointHealth, "simple", 1, facts))
}

/// `EP is healthy: successfully committed proposal: took = …`, `EP is unhealthy: failed to commit proposal: …`
fn simple(text: &str) -> Option<Health> {
    let (before, healthy, after) = match text.split_once(" is healthy: successfully") {
        Some((before, after)) => (before, true, after),
        None => {
            let (before, after) = text.split_once(" is unhealthy: ")?;
            (before, false, after)
        }
    };
    if !healthy && !after.starts_with("failed to ") {
        return None;
    }
    // Ansible prints the line as `(item=EP is healthy: …)`.
    let endpoint = before.rsplit_once("item=").map_or(before, |(_, e)| e);
    let words = endpoint.split_whitespace().count();
    if endpoint.is_empty() || endpoint.len() > 300 || (words > 1 && !endpoint.contains("://")) {
        return None;
    }
    let error = after.split_once(": ").map_or(after, |(_, e)| e);
    Some(Health { endpoint: endpoint.to_owned(), healthy, error: if healthy { None } else { self::error(error) } })
}

/// `member ID is healthy: got healthy result from URL` and its kin.
fn v2(text: &str) -> Option<Health> {
    if let Some(rest) = text.strip_prefix("failed to check the health of member ") {
        let (_, rest) = rest.split_once(" on ")?;
        let (endpoint, error) = rest.split_once(": ")?;
        return Some(Health { endpoint: endpoint.to_owned(), healthy: false, error: self::error(error) });
    }
    let (id, rest) = text.strip_prefix("member ")?.split_once(" is ")?;
    json::hex_id(id)?;
    if let Some(endpoint) = rest.strip_prefix("healthy: got healthy result from ") {
        return Some(Health { endpoint: endpoint.to_owned(), healthy: true, error: None });
    }
    if let Some(endpoint) = rest.strip_prefix("unhealthy: got unhealthy result from ") {
        return Some(Health { endpoint: endpoint.to_owned(), healthy: false, error: error(rest) });
    }
    let reason = rest.strip_prefix("unreachable: ")?;
    let url = reason.strip_prefix('[').and_then(|r| r.split_once(']')).map(|(urls, _)| urls);
    let endpoint = url.and_then(|u| u.split_whitespace().next()).unwrap_or(id);
    Some(Health { endpoint: endpoint.to_owned(), healthy: false, error: error(reason) })
}

fn error(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
