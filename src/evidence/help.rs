//! Help texts of etcd, etcdctl and etcdutl: recognised, so that they are not shown as unread; they say nothing of the
//! cluster.

use super::clean::Role;
use super::detect::{Place, Taken};
use super::fact::Kind;

/// A help text from its first line to the next prompt or the next line that is no part of one.
#[must_use]
pub fn read_lines(place: &Place<'_>) -> Option<Taken> {
    let first = place.text().trim();
    if first.starts_with("Run 'etcd") && first.ends_with("for usage.") {
        return Some(place.taken(1, Kind::Help, "lines", 0, Vec::new()));
    }
    let below = place.lines.get(place.at + 1..)?;
    let next = below.iter().take(3).map(|l| l.text.trim()).find(|t| !t.is_empty());
    // Newer help texts begin with a sentence.
    let introduced =
        next == Some("Usage:") && first.len() <= 200 && first.starts_with(|c: char| c.is_ascii_uppercase());
    if !(is_start(first) || introduced) || first.starts_with("Error") {
        return None;
    }
    let more = below.iter().take_while(|l| {
        let text = l.text.as_ref();
        let indented = text.starts_with([' ', '\t']) && !text.trim_start().starts_with(['|', '+', '{', '[']);
        !l.prompted && l.role != Role::Noise && (l.is_blank() || indented || is_heading(text))
    });
    let lines = 1 + more.count();
    Some(place.taken(lines, Kind::Help, "lines", 0, Vec::new()))
}

/// The headings of a help text; its examples may hold lines that end a stretch.
fn is_start(line: &str) -> bool {
    const HEADINGS: [&str; 11] = [
        "Usage:",
        "USAGE:",
        "NAME:",
        "COMMANDS:",
        "OPTIONS:",
        "GLOBAL OPTIONS:",
        "Available Commands:",
        "Flags:",
        "Global Flags:",
        "Examples:",
        "API VERSION:",
    ];
    HEADINGS.contains(&line)
}

/// `Flags:`, `Member:`, `Global Flags:`, and the hint cobra ends with.
fn is_heading(text: &str) -> bool {
    let text = text.trim_end();
    let titled = text.ends_with(':') && text.len() <= 40 && text.starts_with(|c: char| c.is_ascii_uppercase());
    titled || text.starts_with("Use \"etcd")
}
