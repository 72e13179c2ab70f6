//! `etcdctl auth status`.

use super::detect::{Place, Taken};
use super::fact::{Body, Fact, Kind};
use super::fields::Record;
use super::json::{self, Document};

/// `Authentication Status: false` and the revision after it.
#[must_use]
pub fn read_lines(place: &Place<'_>) -> Option<Taken> {
    let status = place.text().trim().strip_prefix("Authentication Status: ")?;
    let enabled = json::boolean_text(status)?;
    let follows = place.lines.get(place.at + 1).is_some_and(|l| l.text.trim().starts_with("AuthRevision: "));
    let fact = place.fact(place.span(1), Body::Auth(enabled));
    Some(place.taken(if follows { 2 } else { 1 }, Kind::AuthStatus, "lines", 0, vec![fact]))
}

/// `{"header":…,"enabled":true,"authRevision":2}`; `enabled` is left out when false.
#[must_use]
pub fn from_json(document: &Document<'_>, place: &Place<'_>) -> Option<Vec<Fact>> {
    json::field(&document.value, "authRevision").and_then(json::number)?;
    let enabled = json::field(&document.value, "enabled").and_then(json::boolean).unwrap_or(false);
    Some(vec![place.fact(place.span(document.lines), Body::Auth(enabled))])
}

/// Is it a record of this kind?
#[must_use]
pub fn fields_fit(record: &Record<'_>) -> bool {
    record.has("Enabled") && record.has("AuthRevision")
}

/// The record of the form fields.
#[must_use]
pub fn from_fields(records: &[Record<'_>], place: &Place<'_>) -> Vec<Fact> {
    let facts = records.iter().filter_map(|record| {
        let (first, last) = record.range()?;
        let enabled = record.get("Enabled").and_then(json::boolean_text)?;
        Some(place.fact(place.range(first, last), Body::Auth(enabled)))
    });
    facts.collect()
}
