//! GET `/health`, `/livez`, `/readyz`.

use serde_json::Value;

use super::detect::{Place, Taken};
use super::fact::{Body, Fact, HttpHealth, Kind};
use super::json::{self, Document};
use super::version::endpoint;

/// `{"health":"true","reason":""}`: the value is a text, the reason is empty when there is none.
#[must_use]
pub fn from_json(document: &Document<'_>, place: &Place<'_>) -> Option<Vec<Fact>> {
    let object = document.value.as_object()?;
    let known = object.keys().all(|k| k == "health" || k == "reason");
    let healthy = object.get("health").filter(|_| known).and_then(json::boolean)?;
    let reason = object.get("reason").and_then(Value::as_str).filter(|r| !r.is_empty()).map(str::to_owned);
    let health = HttpHealth { healthy, reason, endpoint: endpoint(place) };
    Some(vec![place.fact(place.span(document.lines), Body::HttpHealth(health))])
}

/// The plain texts of `/livez` and `/readyz`, which are told from other words only by the command.
#[must_use]
pub fn read_probe(place: &Place<'_>) -> Option<Taken> {
    let asked = place.context.parsed.words.iter().any(|w| w.contains("/livez") || w.contains("/readyz"));
    if !asked && place.context.kind != Some(Kind::HttpHealth) {
        return None;
    }
    if place.text().contains("404 page not found") {
        // A server that does not know these paths yet.
        return Some(place.taken(1, Kind::HttpHealth, "lines", 0, Vec::new()));
    }
    let lines = place.lines.get(place.at..)?;
    let is_check = |text: &str| text.starts_with("[+]") || text.starts_with("[-]");
    let mut taken = lines.iter().take_while(|l| is_check(l.text.trim())).count();
    let failed = lines.iter().take(taken).any(|l| l.text.trim().starts_with("[-]"));
    let end = lines.get(taken).map_or("", |l| l.text.trim());
    let ends = end == "ok" || end.ends_with("check passed") || end.ends_with("check failed");
    taken += usize::from(ends);
    if taken == 0 {
        return None;
    }
    let healthy = !failed && !end.ends_with("check failed");
    let reason = lines.iter().take(taken).find(|l| l.text.trim().starts_with("[-]")).map(|l| l.text.trim().to_owned());
    let health = HttpHealth { healthy, reason, endpoint: endpoint(place) };
    let fact = place.fact(place.span(taken), Body::HttpHealth(health));
    Some(place.taken(taken, Kind::HttpHealth, "lines", 0, vec![fact]))
}
