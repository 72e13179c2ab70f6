//! The report: one row a scenario and case, one column a version or route.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use etcd_upgrade_planner::etcd::releases as rules;
use time::OffsetDateTime;

use crate::binaries::Releases;

/// How one check of the advice against etcd ended.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cell {
    /// What was compared, short: "154 flags".
    says: String,
    /// How advice and etcd differ; empty when they do not.
    differs: Vec<String>,
}

/// Everything that was checked.
#[derive(Debug, Default)]
pub struct Table {
    /// By scenario and case, in the order they ran; then by version or route.
    rows: Vec<((String, String), BTreeMap<String, Cell>)>,
    times: Vec<(String, Duration)>,
}

impl Table {
    /// Notes one check. `differs` says how advice and etcd differ, and is empty when they agree.
    pub fn note(&mut self, scenario: &str, case: &str, version: &str, says: String, differs: Vec<String>) {
        let key = (scenario.to_owned(), case.to_owned());
        if !self.rows.iter().any(|(k, _)| *k == key) {
            self.rows.push((key.clone(), BTreeMap::new()));
        }
        if let Some((_, cells)) = self.rows.iter_mut().find(|(k, _)| *k == key) {
            cells.insert(version.to_owned(), Cell { says, differs });
        }
    }

    /// Notes what one check came to: what it says and how advice and etcd differ, or the error that broke it off.
    pub fn came_to(&mut self, scenario: &str, case: &str, version: &str, result: Result<(String, Vec<String>)>) {
        let (says, differs) = result.unwrap_or_else(|error| ("broken off".to_owned(), vec![format!("{error:#}")]));
        self.note(scenario, case, version, says, differs);
    }

    /// Takes the rows of another table behind its own.
    pub fn take(&mut self, other: Self) {
        self.rows.extend(other.rows);
        self.times.extend(other.times);
    }

    /// Notes how long a scenario took.
    pub fn took(&mut self, scenario: &str, time: Duration) {
        self.times.push((scenario.to_owned(), time));
    }

    /// Do advice and etcd agree everywhere, and was anything looked at?
    pub fn passed(&self) -> bool {
        !self.rows.is_empty() && self.failures().is_empty()
    }

    /// Each difference, with where it was seen.
    pub fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for ((scenario, case), cells) in &self.rows {
            for (version, cell) in cells {
                failures.extend(cell.differs.iter().map(|d| format!("{scenario}, {case}, {version}: {d}")));
            }
        }
        failures
    }

    /// The versions and routes that were looked at, in order.
    fn columns(&self) -> Vec<&str> {
        let mut columns: Vec<&str> = self.rows.iter().flat_map(|(_, cells)| cells.keys().map(String::as_str)).collect();
        columns.sort_unstable_by_key(|c| (c.matches('→').count(), *c));
        columns.dedup();
        columns
    }

    /// As Markdown, which reads well on a terminal too. One table for single versions, one for routes.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let (routes, versions): (Vec<&str>, Vec<&str>) = self.columns().into_iter().partition(|c| c.contains('→'));
        for columns in [versions, routes] {
            if columns.is_empty() {
                continue;
            }
            let _ = writeln!(out, "| scenario | case | {} |", columns.join(" | "));
            let _ = writeln!(out, "|{}", "---|".repeat(columns.len() + 2));
            for ((scenario, case), cells) in &self.rows {
                if !columns.iter().any(|c| cells.contains_key(*c)) {
                    continue;
                }
                let cells: Vec<String> =
                    columns.iter().map(|c| cells.get(*c).map_or_else(|| "–".to_owned(), Cell::text)).collect();
                let _ = writeln!(out, "| {scenario} | {case} | {} |", cells.join(" | "));
            }
            out.push('\n');
        }
        out
    }

    /// Writes the page of the documentation.
    pub fn write(&self, path: &Path, releases: &Releases) -> Result<()> {
        let today = OffsetDateTime::now_utc().date();
        let etcd: Vec<String> = releases.all.iter().map(|b| format!("{} ({})", b.version, b.from)).collect();
        let times: Vec<String> = self.times.iter().map(|(name, t)| format!("{name} {} s", t.as_secs())).collect();
        let text = format!(
            "# Conformance\n\nWhat the planner says, held against real etcd by `cargo xtask conformance`, which writes this page. A cell says \
             what was compared; every one of them agreed.\n\nLast run: {today}, rules of {}, etcd {}. Times: {}.\n\n{}",
            rules::RULESET_DATE,
            etcd.join(", "),
            times.join(", "),
            self.text().trim_end().to_owned() + "\n",
        );
        std::fs::write(path, text).with_context(|| path.display().to_string())
    }
}

impl Cell {
    fn text(&self) -> String {
        if self.differs.is_empty() { format!("✓ {}", self.says) } else { format!("✗ {}", self.says) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::default();
        table.note("flags", "command line", "3.6.16", "120 flags".to_owned(), Vec::new());
        table.note("flags", "command line", "3.5.35", "140 flags".to_owned(), Vec::new());
        table.note("upgrade", "as written", "3.5 → 3.6", "41 steps".to_owned(), Vec::new());
        table
    }

    #[test]
    fn versions_are_columns_and_routes_have_a_table_of_their_own() {
        assert_eq!(
            table().text(),
            "| scenario | case | 3.5.35 | 3.6.16 |\n|---|---|---|---|\n| flags | command line | ✓ 140 flags | ✓ 120 flags |\n\n\
             | scenario | case | 3.5 → 3.6 |\n|---|---|---|\n| upgrade | as written | ✓ 41 steps |\n\n"
        );
    }

    #[test]
    fn one_difference_fails_the_whole() {
        let mut table = table();
        assert!(table.passed());
        table.note("flags", "YAML", "3.6.16", "90 keys".to_owned(), vec!["x is read".to_owned()]);
        assert!(!table.passed());
        assert_eq!(table.failures(), ["flags, YAML, 3.6.16: x is read"]);
        assert!(table.text().contains("| flags | YAML | – | ✗ 90 keys |"), "{}", table.text());
    }

    #[test]
    fn nothing_looked_at_is_no_pass() {
        assert!(!Table::default().passed());
    }
}
