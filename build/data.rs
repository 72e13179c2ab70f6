//! What `build.rs` does with `data/`, apart from files: parse the texts, check the rows, write Rust.
//! A test includes this module too, to see every refusal.

pub mod check;
pub mod emit;
pub mod notation;
pub mod packed;
pub mod rows;

use std::collections::BTreeMap;
use std::fmt;

/// A row that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file, relative to `data/`.
    pub file: &'static str,
    /// Which row: its key, name or id; a line where the file does not even parse.
    pub row: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "data/{}, {}: expected {}, found {}", self.file, self.row, self.expected, self.found)
    }
}

/// All of `data/`.
#[derive(Debug)]
pub struct Data {
    /// `ruleset.toml`
    pub ruleset: rows::Ruleset,
    /// `releases.toml`
    pub releases: rows::Releases,
    /// `hops.toml`
    pub hops: rows::Hops,
    /// `flags.toml`
    pub flags: rows::Flags,
    /// `feature_gates.toml`
    pub feature_gates: rows::FeatureGates,
    /// `platforms.toml`
    pub platforms: rows::Platforms,
    /// `pitfalls.toml`
    pub pitfalls: rows::Pitfalls,
    /// `platform_releases.toml`
    pub platform_releases: rows::PlatformReleases,
    /// `properties.toml`
    pub properties: rows::Properties,
    /// `log_messages.toml`
    pub log_messages: rows::LogMessages,
    /// `known_issues.toml`
    pub known_issues: rows::KnownIssues,
    /// `sources.toml`
    pub sources: rows::Sources,
}

/// Parses and checks the files, given by name and text.
///
/// # Errors
/// Every problem found; when a file does not parse, only that is told.
pub fn read(files: &BTreeMap<String, String>) -> Result<Data, Vec<Problem>> {
    let mut problems = check::known_files(files);
    let data = (|| {
        Some(Data {
            ruleset: parse(files, "ruleset.toml", &mut problems)?,
            releases: parse(files, "releases.toml", &mut problems)?,
            hops: parse(files, "hops.toml", &mut problems)?,
            flags: parse(files, "flags.toml", &mut problems)?,
            feature_gates: parse(files, "feature_gates.toml", &mut problems)?,
            platforms: parse(files, "platforms.toml", &mut problems)?,
            pitfalls: parse(files, "pitfalls.toml", &mut problems)?,
            platform_releases: parse(files, "platform_releases.toml", &mut problems)?,
            properties: parse(files, "properties.toml", &mut problems)?,
            log_messages: parse(files, "log_messages.toml", &mut problems)?,
            known_issues: parse(files, "known_issues.toml", &mut problems)?,
            sources: parse(files, "sources.toml", &mut problems)?,
        })
    })();
    let Some(data) = data else { return Err(problems) };
    problems.extend(check::all(&data));
    if problems.is_empty() { Ok(data) } else { Err(problems) }
}

fn parse<T: serde::de::DeserializeOwned>(
    files: &BTreeMap<String, String>,
    file: &'static str,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let Some(text) = files.get(file) else {
        problems.push(Problem { file, row: "file".into(), expected: "the file".into(), found: "none".into() });
        return None;
    };
    match toml::from_str(text) {
        Ok(rows) => Some(rows),
        Err(error) => {
            let line = error.span().map_or(0, |span| text.get(..span.start).unwrap_or("").matches('\n').count() + 1);
            let found = error.message().to_owned();
            problems.push(Problem {
                file,
                row: format!("line {line}"),
                expected: "a row as its head says".into(),
                found,
            });
            None
        }
    }
}
