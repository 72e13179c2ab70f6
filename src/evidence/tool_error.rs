//! An error of etcdctl or etcdutl that no other reader knows as an answer.

use super::detect::{Place, Taken};
use super::fact::{Body, Kind, ToolError};

/// `Error: …`, and a tool that is not there.
#[must_use]
pub fn read_line(place: &Place<'_>) -> Option<Taken> {
    let line = place.text().trim();
    let text = error(line).or_else(|| missing_tool(line))?;
    let fact = place.fact(place.span(1), Body::ToolError(ToolError { text: text.to_owned() }));
    Some(place.taken(1, Kind::ToolError, "lines", 0, vec![fact]))
}

fn error(line: &str) -> Option<&str> {
    let text = line.strip_prefix("Error:").or_else(|| line.strip_prefix("error:"))?.trim();
    (!text.is_empty()).then_some(text)
}

/// `bash: etcdctl: command not found`, `exec: "etcdutl": executable file not found in $PATH`
fn missing_tool(line: &str) -> Option<&str> {
    let tool = line.contains("etcdctl") || line.contains("etcdutl");
    let missing = ["command not found", "executable file not found", ": not found"].iter().any(|m| line.contains(m));
    (tool && missing && line.len() < 300).then_some(line)
}
