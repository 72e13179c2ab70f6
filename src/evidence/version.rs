//! Versions: `etcd --version`, `etcdctl version`, `etcdutl version`, GET `/version`.

use serde_json::Value;

use super::detect::{Place, Taken};
use super::fact::{Body, Fact, Kind, ServerVersion, ToolVersion};
use super::json::{self, Document};

/// The lines of a tool's version.
#[must_use]
pub fn read_lines(place: &Place<'_>) -> Option<Taken> {
    const STARTS: [(&str, &str); 3] =
        [("etcd Version: ", "etcd"), ("etcdctl version: ", "etcdctl"), ("etcdutl version: ", "etcdutl")];
    let text = place.text().trim();
    let (tool, version) = STARTS.iter().find_map(|(start, tool)| Some((*tool, text.strip_prefix(start)?)))?;
    let tool_version = ToolVersion { tool: tool.to_owned(), version: version.trim().parse().ok()? };
    let more = place.lines.get(place.at + 1..)?.iter().take(3);
    let known = ["Git SHA: ", "Go Version: ", "Go OS/Arch: ", "API version: "];
    let lines = 1 + more.take_while(|l| known.iter().any(|k| l.text.trim().starts_with(k))).count();
    let fact = place.fact(place.span(1), Body::ToolVersion(tool_version));
    Some(place.taken(lines, Kind::Version, "lines", 0, vec![fact]))
}

/// `{"etcdserver":…,"etcdcluster":…,"storage":…}`; `not_decided` and `unknown` are no versions.
#[must_use]
pub fn from_json(document: &Document<'_>, place: &Place<'_>) -> Option<Vec<Fact>> {
    let text = |name: &str| json::field(&document.value, name).and_then(Value::as_str);
    let server = text("etcdserver")?;
    let version = ServerVersion {
        server: server.parse().ok(),
        cluster: text("etcdcluster").and_then(|v| v.parse().ok()),
        storage: text("storage").and_then(|v| v.parse().ok()),
        endpoint: endpoint(place),
    };
    Some(vec![place.fact(place.span(document.lines), Body::ServerVersion(version))])
}

/// The endpoint that was asked over HTTP: scheme, host and port of the URL in the command. `None` when the URL holds a
/// shell variable.
#[must_use]
pub fn endpoint(place: &Place<'_>) -> Option<String> {
    let url = place.context.parsed.words.iter().find(|w| w.starts_with("http://") || w.starts_with("https://"))?;
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?']).next()?;
    (!host.is_empty() && !host.contains(['$', '{', '*'])).then(|| format!("{scheme}://{host}"))
}
