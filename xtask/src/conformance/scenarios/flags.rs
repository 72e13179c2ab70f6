//! Every row of `data/flags.toml` on every version at hand: the flag is accepted, refused or silently ignored exactly
//! as the data say, on the command line, in the environment and in the config file.
//!
//! No member is ever started. Each run is given one thing that is known to fail, so etcd ends while it reads its
//! settings, and what it printed until then is the answer:
//!
//! - *Command line*: the parser stops at the first flag it does not know. All flags the data know stand before one that
//!   nobody knows; the message must name that one. Flags the data do not know are tried one by one.
//! - *Environment*: all names in one start. etcd warns of each name it does not know.
//! - *Config file*: a key that is read refuses a value of a wrong type and names itself; one that is not read is passed
//!   over, so all of those stand in one file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use etcd_upgrade_planner::etcd::feature_gates::{self, FeatureGate};
use etcd_upgrade_planner::etcd::flags::{self, Flag, FlagMinor, name};
use etcd_upgrade_planner::etcd::version::Version;

use crate::binaries::{Binaries, Releases};
use crate::shell::{self, Ended};
use crate::table::Table;

const SCENARIO: &str = "flags";

/// A flag and an environment variable that no etcd knows.
const NOBODY: &str = "no-such-flag-anywhere";

/// A data directory that can't be made: it ends the start once the whole config file was read.
const CAN_NOT_BE: &str = "/dev/null/no-such";

/// Runs it on every version.
pub fn run(releases: &Releases, table: &mut Table) -> Result<()> {
    for etcd in &releases.all {
        let folder = tempfile::tempdir()?;
        let subject = Subject { etcd, folder: folder.path() };
        let version = etcd.version.to_string();
        for (case, check) in CASES {
            let (says, differs) = check(&subject)?;
            table.note(SCENARIO, case, &version, says, differs);
        }
    }
    Ok(())
}

/// A check says what it compared and what differs.
type Check = fn(&Subject<'_>) -> Result<(String, Vec<String>)>;

const CASES: [(&str, Check); 6] = [
    ("command line", command_line),
    ("values of enums", enums),
    ("feature gates", feature_gates),
    ("environment", environment),
    ("config file", config_file),
    ("config file: time and text", config_file_durations),
];

/// One version that is looked at.
struct Subject<'a> {
    etcd: &'a Binaries,
    folder: &'a Path,
}

impl Subject<'_> {
    fn version(&self) -> &Version {
        &self.etcd.version
    }

    /// The row of a flag that this version knows.
    fn row(&self, flag: &Flag) -> Option<&'static FlagMinor> {
        if flag.in_version(self.version()) { flag.in_minor(self.version().minor()) } else { None }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.etcd.program("etcd"));
        command.env_clear().current_dir(self.folder);
        command
    }

    /// etcd with these flags, then one that nobody knows.
    fn with_flags(&self, given: &[String]) -> Result<Ended> {
        let mut command = self.command();
        command.args(given).arg(format!("--{NOBODY}"));
        let ended = shell::ended(&mut command)?;
        if ended.code == Some(0) {
            bail!("etcd {} took --{NOBODY}", self.version());
        }
        Ok(ended)
    }

    /// etcd with this config file, and in it a setting that is read and can't be: it never starts.
    fn with_file(&self, text: &str) -> Result<Ended> {
        // Any port: nothing may be in the way before the data directory is.
        let anywhere = [name::LISTEN_PEER_URLS, name::LISTEN_CLIENT_URLS, name::ADVERTISE_CLIENT_URLS];
        let fixed = anywhere.map(|key| (key, "http://127.0.0.1:0")).into_iter().chain([(name::DATA_DIR, CAN_NOT_BE)]);
        let fixed = fixed.filter(|(key, _)| !text.starts_with(&format!("{key}:")));
        let fixed: String = fixed.map(|(key, value)| format!("{key}: {value}\n")).collect();
        let file = self.folder.join("etcd.yml");
        fs::write(&file, format!("{text}{fixed}"))?;
        shell::ended(self.command().arg("--config-file").arg(&file))
    }
}

/// A value that a flag of this kind takes.
fn value(row: &FlagMinor) -> &str {
    if let Some(value) = row.values.iter().find(|v| !v.is_empty()) {
        return value;
    }
    match row.kind {
        "bool" => "true",
        "duration" => "7s",
        "uint" | "uint32" | "uint64" | "int" | "int64" => "7",
        "feature-gates" => "AllAlpha=false",
        "url-list" => "http://127.0.0.1:1",
        // An empty variable counts as none.
        _ if row.default.is_empty() => "x",
        _ => row.default,
    }
}

/// Names that every version takes and ignores, as the data say.
fn ignored() -> impl Iterator<Item = &'static str> {
    flags::ignored().iter().copied()
}

/// `flag provided but not defined: -NAME`, or a value that the flag does not take.
fn refused(ended: &Ended) -> Option<String> {
    let text = ended.text();
    let line = text.lines().find(|l| {
        l.contains("flag provided but not defined")
            || l.contains("invalid value")
            || l.contains("invalid boolean value")
    })?;
    Some(line.trim().to_owned())
}

fn names_nobody(ended: &Ended) -> bool {
    refused(ended).is_some_and(|line| line.ends_with(&format!("-{NOBODY}")))
}

fn command_line(subject: &Subject<'_>) -> Result<(String, Vec<String>)> {
    let mut differs = Vec::new();
    let known: Vec<(&str, String)> = flags::all()
        .iter()
        .filter_map(|flag| Some((flag.name, format!("--{}={}", flag.name, value(subject.row(flag)?)))))
        .chain(ignored().map(|name| (name, format!("--{name}=1"))))
        .collect();
    let all: Vec<String> = known.iter().map(|(_, given)| given.clone()).collect();
    if !names_nobody(&subject.with_flags(&all)?) {
        for (name, given) in &known {
            let ended = subject.with_flags(std::slice::from_ref(given))?;
            if !names_nobody(&ended) {
                differs.push(format!(
                    "the data know --{name}, etcd says: {}",
                    refused(&ended).unwrap_or(last_line(&ended))
                ));
            }
        }
    }
    let unknown: Vec<&Flag> = flags::all().iter().filter(|flag| subject.row(flag).is_none()).collect();
    for flag in &unknown {
        let ended = subject.with_flags(&[format!("--{}=1", flag.name)])?;
        let says = refused(&ended).unwrap_or_default();
        if !says.ends_with(&format!(" -{}", flag.name)) {
            differs.push(format!("the data do not know --{}, etcd says: {says}", flag.name));
        }
        if ended.code != Some(2) {
            differs.push(format!("--{} ends with {:?} instead of 2", flag.name, ended.code));
        }
    }
    Ok((format!("{} taken, {} refused", known.len(), unknown.len()), differs))
}

/// Each value the data list is taken; one that nobody lists is not.
fn enums(subject: &Subject<'_>) -> Result<(String, Vec<String>)> {
    let mut differs = Vec::new();
    let mut given = Vec::new();
    for flag in flags::all() {
        let Some(row) = subject.row(flag) else { continue };
        let late = |value: &str| {
            row.late_values.iter().any(|(late, since)| *late == value && subject.version().patch() < *since)
        };
        given.extend(row.values.iter().filter(|v| !late(v)).map(|v| format!("--{}={v}", flag.name)));
    }
    if !names_nobody(&subject.with_flags(&given)?) {
        for one in &given {
            let ended = subject.with_flags(std::slice::from_ref(one))?;
            if !names_nobody(&ended) {
                differs
                    .push(format!("the data list {one}, etcd says: {}", refused(&ended).unwrap_or(last_line(&ended))));
            }
        }
    }
    Ok((format!("{} values", given.len()), differs))
}

/// Each gate the data know is taken at its default; every other one stops the start.
fn feature_gates(subject: &Subject<'_>) -> Result<(String, Vec<String>)> {
    let minor = subject.version().minor();
    if flags::by_name(name::FEATURE_GATES).is_none_or(|flag| subject.row(flag).is_none()) {
        return Ok(("none".to_owned(), Vec::new()));
    }
    let mut differs = Vec::new();
    let (known, unknown): (Vec<&FeatureGate>, Vec<&FeatureGate>) =
        feature_gates::all().iter().partition(|gate| gate.in_minor(minor));
    for (gates, taken) in [(&known, true), (&unknown, false)] {
        for gate in gates {
            let ended = subject.with_flags(&[format!("--{}={}={}", name::FEATURE_GATES, gate.name, gate.default)])?;
            if names_nobody(&ended) != taken {
                let says = refused(&ended).unwrap_or(last_line(&ended));
                differs.push(format!("{} is taken: {taken}, say the data; etcd says: {says}", gate.name));
            }
        }
    }
    Ok((format!("{} taken, {} refused", known.len(), unknown.len()), differs))
}

/// The variables that etcd says it does not know.
fn unrecognized(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|l| l.contains("unrecognized environment variable"));
    lines.filter_map(|line| line.find("ETCD_").map(|at| line.get(at..).unwrap_or_default())).map(env_name).collect()
}

/// The name that a text starts with.
fn env_name(text: &str) -> String {
    text.chars().take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == '_' || *c == '.').collect()
}

fn environment(subject: &Subject<'_>) -> Result<(String, Vec<String>)> {
    let mut command = subject.command();
    let mut known = BTreeSet::new();
    let mut unknown = BTreeSet::new();
    for flag in flags::all() {
        // With it etcd reads the file and nothing else; `version` prints and ends.
        if [name::CONFIG_FILE, name::VERSION].contains(&flag.name) {
            continue;
        }
        let row = subject.row(flag);
        command.env(flag.env, row.map_or("1", value));
        if row.is_some() {
            known.insert(flag.env.to_owned())
        } else {
            unknown.insert(flag.env.to_owned())
        };
    }
    // The one that ends the start, after every name was looked at.
    command.env("ETCD_HEARTBEAT_INTERVAL", "no number");
    let ended = shell::ended(&mut command)?;
    let says = unrecognized(&ended.text());
    if ended.code == Some(0) {
        bail!("etcd {} took a word for a number: {}", subject.version(), last_line(&ended));
    }
    let mut differs: Vec<String> =
        known.intersection(&says).map(|env| format!("the data know {env}, etcd does not")).collect();
    differs
        .extend(unknown.difference(&says).map(|env| format!("the data do not know {env}, etcd does not warn of it")));
    Ok((format!("{} read, {} ignored", known.len(), unknown.len()), differs))
}

/// A line of YAML for a key that may stand in sections.
fn yaml(key: &str, value: &str) -> String {
    let mut parts = key.rsplit('.');
    let innermost = format!("{}: {value}", parts.next().unwrap_or_default());
    parts.fold(innermost, |inner, section| format!("{section}: {{{inner}}}")) + "\n"
}

/// A value of a type that no setting has.
const WRONG: &str = "{wrong: [1]}";

/// Does the message say that this key has a value of a wrong type?
fn complains_of(ended: &Ended, key: &str) -> bool {
    let last = key.rsplit('.').next().unwrap_or(key);
    let text = ended.text();
    text.contains("cannot unmarshal")
        && (text.contains(&format!(".{last} of type")) || text.contains(&format!("field {last} of type")))
}

fn config_file(subject: &Subject<'_>) -> Result<(String, Vec<String>)> {
    let mut differs = Vec::new();
    let mut read = 0;
    let mut passed_over: Vec<String> = Vec::new();
    let keys: BTreeSet<&str> = flags::all().iter().filter_map(|f| key(subject, f)).collect();
    for key in &keys {
        read += 1;
        let ended = subject.with_file(&yaml(key, WRONG))?;
        if !complains_of(&ended, key) {
            differs.push(format!("the data say that {key} is read, etcd says: {}", last_line(&ended)));
        }
    }
    for flag in flags::all().iter().filter(|f| key(subject, f).is_none()) {
        // As its name, and as the key it has in other minors.
        let elsewhere = flag.minors.iter().filter_map(|m| m.yaml_key);
        for key in elsewhere.chain([flag.name]).filter(|k| !keys.contains(k)) {
            if !passed_over.iter().any(|k| k == key) {
                passed_over.push(key.to_owned());
            }
        }
    }
    // One file with all of them: what ends the start must be the setting that can't be.
    let (sections, plain): (Vec<&String>, Vec<&String>) = passed_over.iter().partition(|k| k.contains('.'));
    let mut files = vec![plain.iter().map(|key| yaml(key, WRONG)).collect::<String>()];
    files.extend(sections.iter().map(|key| yaml(key, WRONG)));
    for file in files {
        if !passes_over(&subject.with_file(&file)?) {
            for line in file.lines() {
                let ended = subject.with_file(&format!("{line}\n"))?;
                if !passes_over(&ended) {
                    differs
                        .push(format!("the data say that `{line}` is passed over, etcd says: {}", last_line(&ended)));
                }
            }
        }
    }
    Ok((format!("{read} read, {} passed over", passed_over.len()), differs))
}

/// Did etcd get past the keys to the setting that can't be?
fn passes_over(ended: &Ended) -> bool {
    ended.code != Some(0) && !ended.text().contains("cannot unmarshal") && ended.text().contains(CAN_NOT_BE)
}

/// The key of a flag in this version, if it has one there.
fn key(subject: &Subject<'_>, flag: &Flag) -> Option<&'static str> {
    let row = subject.row(flag)?;
    row.yaml_key.filter(|_| subject.version().patch() >= row.yaml_since_patch)
}

/// A time in the config file is a number of nanoseconds: the text that the flag takes stops the start.
fn config_file_durations(subject: &Subject<'_>) -> Result<(String, Vec<String>)> {
    let mut differs = Vec::new();
    let mut looked_at = 0;
    for flag in flags::all() {
        let Some(row) = subject.row(flag).filter(|row| row.kind == "duration") else { continue };
        let Some(key) = key(subject, flag) else { continue };
        looked_at += 1;
        let ended = subject.with_file(&yaml(key, "\"7s\""))?;
        if !complains_of(&ended, key) {
            differs.push(format!("{key} ({}) takes a text: {}", row.kind, last_line(&ended)));
        }
    }
    Ok((format!("{looked_at} keys"), differs))
}

fn last_line(ended: &Ended) -> String {
    ended.text().lines().last().unwrap_or("nothing").chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(stderr: &str) -> Ended {
        Ended { code: Some(2), stdout: String::new(), stderr: stderr.to_owned() }
    }

    #[test]
    fn the_flag_that_is_refused_is_the_one_named() {
        let of_nobody = ended("flag provided but not defined: -no-such-flag-anywhere\nUsage:\n");
        assert!(names_nobody(&of_nobody));
        assert!(!names_nobody(&ended("flag provided but not defined: -enable-v2\nUsage:\n")));
        assert!(!names_nobody(&ended("")));
    }

    #[test]
    fn names_of_variables_are_read_from_both_kinds_of_log() {
        let text = "2026-11-30 09:16:03 W | pkg/flags: unrecognized environment variable ETCD_NO_SUCH=1\n\
                    {\"level\":\"warn\",\"msg\":\"unrecognized environment variable\",\"environment-variable\":\"ETCD_PROXY=off\"}\n\
                    {\"msg\":\"recognized and used environment variable\",\"variable-name\":\"ETCD_NAME\"}\n";
        assert_eq!(unrecognized(text), BTreeSet::from(["ETCD_NO_SUCH".to_owned(), "ETCD_PROXY".to_owned()]));
    }

    #[test]
    fn a_key_in_a_section_is_written_in_its_section() {
        assert_eq!(yaml("name", "1"), "name: 1\n");
        assert_eq!(yaml("client-transport-security.auto-tls", "1"), "client-transport-security: {auto-tls: 1}\n");
        assert_eq!(yaml("a.b.c", "1"), "a: {b: {c: 1}}\n");
    }

    #[test]
    fn a_message_about_another_key_is_no_answer() {
        let said = ended(
            "error unmarshaling JSON: json: cannot unmarshal object into Go struct field configYAML.Config.name of type string",
        );
        assert!(complains_of(&said, "name"));
        assert!(!complains_of(&said, "data-dir"));
    }
}
