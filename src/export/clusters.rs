//! Several clusters in one table, the worst first.

use super::document::Block;
use super::report::Report;
use super::words;

/// One cluster.
#[derive(Debug, Clone)]
pub struct Entry {
    /// How the person calls it.
    pub name: String,
    /// Its report, or why there is none.
    pub result: Result<Report, String>,
}

impl Entry {
    /// The verdict's id; `could-not-read` without a report.
    #[must_use]
    pub fn verdict(&self) -> &str {
        self.result.as_ref().map_or("could-not-read", |report| report.verdict.as_str())
    }

    /// 0 is worst. What could not be read is worse than what is blocked: nobody knows it.
    fn rank(&self) -> usize {
        const ORDER: [&str; 5] = ["could-not-read", "blocked", "cant-tell", "ready-with-warnings", "ready"];
        ORDER.iter().position(|verdict| *verdict == self.verdict()).unwrap_or(0)
    }
}

/// Puts the worst first; clusters alike stand in the order of their names.
pub fn worst_first(entries: &mut [Entry]) {
    crate::sort::by_key(entries, |entry| (entry.rank(), entry.name.clone()));
}

const HEADER: [&str; 9] =
    ["cluster", "verdict", "versions", "to", "members", "blocked", "can't tell", "warnings", "next"];

/// The table.
#[must_use]
pub fn document(entries: &[Entry]) -> Vec<Block> {
    let header = HEADER.iter().map(|&column| column.to_owned()).collect();
    vec![Block::Table { header, rows: entries.iter().map(row).collect() }]
}

fn row(entry: &Entry) -> Vec<String> {
    let report = match &entry.result {
        Ok(report) => report,
        Err(why) => {
            let mut cells = vec![entry.name.clone(), "Could not read".to_owned()];
            cells.resize(HEADER.len() - 1, String::new());
            cells.push(why.lines().next().unwrap_or_default().to_owned());
            return cells;
        }
    };
    let mut versions: Vec<String> = report.members.iter().filter_map(|m| m.version.clone()).collect();
    crate::sort::sort(&mut versions);
    versions.dedup();
    let count = |outcome: &str| words::gates_at(report, outcome).len().to_string();
    vec![
        entry.name.clone(),
        word(&report.verdict).to_owned(),
        if versions.is_empty() { "?".to_owned() } else { versions.join(", ") },
        report.intent.to.clone().unwrap_or_else(|| "?".to_owned()),
        report.members.len().to_string(),
        count("blocked"),
        count("cant-tell"),
        count("warning"),
        report.next.clone(),
    ]
}

/// A verdict in words.
#[must_use]
pub fn word(verdict: &str) -> &'static str {
    match verdict {
        "ready" => "Ready",
        "ready-with-warnings" => "Ready with warnings",
        "blocked" => "Blocked",
        "cant-tell" => "Can't tell yet",
        _ => "Could not read",
    }
}
