//! `etcdctl downgrade validate|enable|cancel`.

use super::detect::{Place, Taken};
use super::fact::{Body, Downgrade, Fact, Kind};
use super::json::{self, Document};

const ACTIONS: [&str; 3] = ["validate", "enable", "cancel"];

/// The action of the command whose output this is.
fn asked(place: &Place<'_>) -> Option<&'static str> {
    ACTIONS.into_iter().find(|action| place.context.parsed.says(&["downgrade", action]))
}

/// `Downgrade validate success, cluster version X.Y`, or the error after the command.
#[must_use]
pub fn read_line(place: &Place<'_>) -> Option<Taken> {
    let line = place.text().trim();
    let answer = success(line).or_else(|| refusal(line, place))?;
    let fact = place.fact(place.span(1), Body::Downgrade(answer));
    Some(place.taken(1, Kind::Downgrade, "lines", 0, vec![fact]))
}

fn success(line: &str) -> Option<Downgrade> {
    let rest = line.strip_prefix("Downgrade ")?;
    let (action, rest) = rest.split_once(" success")?;
    let action = ACTIONS.into_iter().find(|a| *a == action)?;
    let cluster_version = rest.split_once("cluster version ").and_then(|(_, v)| v.trim().parse().ok());
    Some(Downgrade { action: action.to_owned(), ok: true, cluster_version, error: None })
}

/// An error counts as an answer when the command is there, or when only `downgrade` prints it.
fn refusal(line: &str, place: &Place<'_>) -> Option<Downgrade> {
    let error = line.strip_prefix("Error:").map(str::trim)?;
    let own = error.contains("downgrade") && error.starts_with("etcdserver: ");
    let action = match asked(place) {
        Some(action) => action,
        None if own && error.contains("no inflight") => "cancel",
        None if own => "",
        None => return None,
    };
    Some(Downgrade { action: action.to_owned(), ok: false, cluster_version: None, error: Some(error.to_owned()) })
}

/// `{"header":…,"version":"X.Y"}`, after the command.
#[must_use]
pub fn from_json(document: &Document<'_>, place: &Place<'_>) -> Option<Vec<Fact>> {
    let action = asked(place)?;
    let version = json::field(&document.value, "version").and_then(serde_json::Value::as_str)?;
    let answer = Downgrade { action: action.to_owned(), ok: true, cluster_version: version.parse().ok(), error: None };
    Some(vec![place.fact(place.span(document.lines), Body::Downgrade(answer))])
}
