//! The catalogue of gates: what each asks, when it blocks, why, what mends it and what proves it. Made by `build.rs` of
//! the documentation of the gate files, so that words and code can't part.

use super::{ALL, Gate};
use crate::etcd::packed::Rows;
use crate::etcd::{hops, sources, tables};
use std::sync::LazyLock;

/// What a gate file says of itself. Paragraphs are one line each; sources one line a key, `- key: what it proves.`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The gate's id.
    pub gate: &'static str,
    /// Its question.
    pub question: &'static str,
    /// What it looks at.
    pub asks: &'static str,
    /// When it stops the plan.
    pub blocks_when: &'static str,
    /// Why it is asked.
    pub why: &'static str,
    /// What mends it.
    pub remedy: &'static str,
    /// What proves it.
    pub sources: &'static str,
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    Rows::second(tables::CATALOGUE).rows(|row| {
        Some(Entry {
            gate: row.text(),
            question: row.text(),
            asks: row.text(),
            blocks_when: row.text(),
            why: row.text(),
            remedy: row.text(),
            sources: row.text(),
        })
    })
});

/// Every gate with its words, by urgency.
pub fn entries() -> impl Iterator<Item = (&'static Gate, &'static Entry)> {
    ALL.iter().copied().filter_map(|gate| ENTRIES.iter().find(|e| e.gate == gate.id).map(|entry| (gate, entry)))
}

/// The whole catalogue as a document (`docs/gates.md`).
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from(
        "# Gates\n\nOne question a hop asks, by urgency. Generated from `src/gates/` by `UPDATE=1 cargo test --test docs`; a \
         test fails when it is stale.\n",
    );
    for (gate, entry) in entries() {
        let intents: Vec<&str> = gate.intents.iter().map(|kind| kind.id()).collect();
        out.push_str(&format!("\n## {}\n\n{}\n\n", gate.id, entry.question));
        out.push_str(&format!("- **Group**: {}, for {}\n", gate.group.title(), intents.join(", ")));
        for (title, text) in
            [("Asks", entry.asks), ("Blocks when", entry.blocks_when), ("Why", entry.why), ("Remedy", entry.remedy)]
        {
            out.push_str(&format!("- **{title}**: {text}\n"));
        }
        out.push_str("- **Sources**:\n");
        for line in entry.sources.lines().filter_map(|line| line.strip_prefix("- ")) {
            let (keys, proves) = line.split_once(':').unwrap_or((line, ""));
            let named = keys.split(", ").filter_map(sources::by_key).map(|s| match s.url {
                Some(url) => format!("[{}]({url}) ({})", s.title, s.holds_for),
                None => format!("{} ({})", s.title, s.holds_for),
            });
            out.push_str(&format!("  - {}:{proves}\n", named.collect::<Vec<_>>().join(", ")));
        }
        for rule in hops::guides().iter().filter(|g| g.gate == gate.id) {
            out.push_str(&format!("- **{} says**: {}\n", rule.guide, rule.says));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gate_has_its_words() {
        assert_eq!(entries().count(), ALL.len());
        for (gate, entry) in entries() {
            assert!(entry.question.ends_with('?'), "{}: {}", gate.id, entry.question);
            for text in [entry.asks, entry.blocks_when, entry.why, entry.remedy, entry.sources] {
                assert!(!text.is_empty(), "{}", gate.id);
            }
        }
    }
}
