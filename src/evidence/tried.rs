//! Why a stretch was left unread, in words for the person.

use super::clean::Line;
use super::detect::Context;
use super::table;

/// What was tried with these lines, and where it failed.
#[must_use]
pub fn tried(lines: &[Line<'_>], context: &Context) -> String {
    if let Some(kind) = context.kind {
        return format!("Read as {} only, as set for this paste; these lines are none.", kind.title());
    }
    let first = lines.iter().map(|l| l.text.trim()).find(|t| !t.is_empty()).unwrap_or("");
    if first.starts_with(['{', '[']) {
        return json(lines);
    }
    if table::is_border(first) || table::cells(first).is_some_and(|c| c.len() >= 3) {
        return columns(lines);
    }
    "Tried as each kind of output of etcdctl, etcdutl and etcd, as server flags and as a log; these lines are none."
        .to_owned()
}

/// JSON that does not parse, or is of no known kind.
fn json(lines: &[Line<'_>]) -> String {
    let text: String = lines.iter().take(200).map(|l| format!("{}\n", l.text)).collect();
    match serde_json::from_str::<serde_json::Value>(&text) {
        Err(error) => format!("Tried as JSON; it breaks off at line {} of this stretch: {error}.", error.line()),
        Ok(value) => {
            let object = value.as_array().and_then(|a| a.first()).unwrap_or(&value);
            let keys: Vec<&str> = object.as_object().into_iter().flatten().map(|(k, _)| k.as_str()).take(6).collect();
            format!("Tried as JSON; none of etcd's answers has the keys {}.", keys.join(", "))
        }
    }
}

/// A table that is none of etcd's.
fn columns(lines: &[Line<'_>]) -> String {
    match lines.iter().find_map(|l| table::cells(l.text.trim())) {
        Some(header) => {
            let names: Vec<&str> = header.iter().map(String::as_str).filter(|h| !h.is_empty()).take(8).collect();
            format!("Tried as a table; none of etcdctl's has the columns {}.", names.join(", "))
        }
        None => "Tried as a table; it has no header and no row.".to_owned(),
    }
}
