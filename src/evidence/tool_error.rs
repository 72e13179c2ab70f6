//! An error of etcdctl or etcdutl that no other reader knows as an answer.

use super::detect::{Place, Taken};
use super::fact::{Body, Kind, ToolError};

/// `Error: …`, what a server refused through another tool, and a tool that is not there.
#[must_use]
pub fn read_line(place: &Place<'_>) -> Option<Taken> {
    let line = place.text().trim();
    let text = error(line).or_else(|| missing_tool(line)).or_else(|| refusal(line)).or_else(|| damaged_pages(line))?;
    let fact = place.fact(place.span(1), Body::ToolError(ToolError { text: text.to_owned() }));
    Some(place.taken(1, Kind::ToolError, "lines", 0, vec![fact]))
}

fn error(line: &str) -> Option<&str> {
    let text = line.strip_prefix("Error:").or_else(|| line.strip_prefix("error:"))?.trim();
    (!text.is_empty()).then_some(text)
}

/// What follows `desc =` of a gRPC error that another tool passes on: `"10.0.0.1": rpc error: code = … desc = …`.
fn refusal(line: &str) -> Option<&str> {
    let (_, error) = line.split_once("rpc error: code = ")?;
    let (_, text) = error.split_once(" desc = ")?;
    let text = text.trim();
    (text.contains("etcd") && line.len() < 1_000).then_some(text)
}

/// `14 errors found`, the last line of `bbolt check`.
fn damaged_pages(line: &str) -> Option<&str> {
    let count = line.trim_end_matches('.').strip_suffix(" errors found")?;
    (!count.is_empty() && count.bytes().all(|b| b.is_ascii_digit())).then_some(line)
}

/// `bash: etcdctl: command not found`, `exec: "etcdutl": executable file not found in $PATH`
fn missing_tool(line: &str) -> Option<&str> {
    let tool = line.contains("etcdctl") || line.contains("etcdutl");
    let missing = ["command not found", "executable file not found", ": not found"].iter().any(|m| line.contains(m));
    (tool && missing && line.len() < 300).then_some(line)
}
