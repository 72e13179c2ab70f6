//! `etcdutl check v2store`: every text of every patch, and why it did not run.

use super::detect::{Place, Taken};
use super::fact::{Body, Kind, V2Check};

/// One line.
#[must_use]
pub fn read_line(place: &Place<'_>) -> Option<Taken> {
    let line = place.text().trim();
    let check = answer(line).or_else(|| not_run(line, place))?;
    let fact = place.fact(place.span(1), Body::V2Check(check));
    Some(place.taken(1, Kind::CheckV2Store, "lines", 0, vec![fact]))
}

/// What the check said, word for word as etcdutl prints it.
fn answer(line: &str) -> Option<V2Check> {
    let said = line.strip_prefix("Error:").map_or(line, str::trim_start);
    match said.strip_suffix('.').unwrap_or(said) {
        "No custom content found in both v2store and WAL records" => Some(V2Check::CleanWithWal),
        "No custom content found in v2store" => Some(V2Check::CleanSnapshotOnly),
        "detected custom content in v2store" => Some(V2Check::CustomContent),
        "detected custom v2 content in WAL records" => Some(V2Check::WalRecords),
        "detected custom v2 content in both v2store and WAL records" => Some(V2Check::Both),
        _ => None,
    }
}

/// Why it did not run. Errors that other commands print as well count only after the command itself.
fn not_run(line: &str, place: &Place<'_>) -> Option<V2Check> {
    let said = line.strip_prefix("Error:").map(str::trim_start)?;
    let own =
        said.starts_with("unknown command \"check\" for ") || said.starts_with("unknown command \"v2store\" for ");
    let asked = place.context.parsed.says(&["check", "v2store"]) || place.context.kind == Some(Kind::CheckV2Store);
    // A directory that is no data directory: etcdutl names the WAL it could not open.
    let no_wal =
        said.starts_with("open ") && said.contains("/member/wal") && said.contains("no such file or directory");
    let no_flag = said == "required flag(s) \"data-dir\" not set";
    (own || no_wal || no_flag || asked).then(|| V2Check::NotRun(said.to_owned()))
}

/// `command not found` and the like, after the command.
#[must_use]
pub fn read_missing_tool(place: &Place<'_>) -> Option<Taken> {
    let line = place.text().trim();
    let missing = ["command not found", "executable file not found", "No such file or directory", "not found"];
    let asked = place.context.parsed.says(&["check", "v2store"]);
    let says = line.contains("etcdutl") && missing.iter().any(|m| line.contains(m));
    if !(asked && says) {
        return None;
    }
    let fact = place.fact(place.span(1), Body::V2Check(V2Check::NotRun(line.to_owned())));
    Some(place.taken(1, Kind::CheckV2Store, "lines", 0, vec![fact]))
}
