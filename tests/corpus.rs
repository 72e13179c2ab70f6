//! Everything real at once: each capture, each output of the collect script, each public case and what fuzzing once found
//! goes through the whole pipeline, and each ground of each report is cut out of its paste again.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export;
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use time::macros::datetime;

/// The folders that fuzzing starts from, and the one of what it found.
const FOLDERS: [&str; 8] = [
    "tests/fixtures/captures",
    "tests/fixtures/collect",
    "tests/fixtures/flags",
    "tests/fixtures/gates",
    "tests/fixtures/nasty",
    "tests/fixtures/units",
    "tests/cases/inputs",
    "fuzz/regressions",
];

fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(|f| Path::new(env!("CARGO_MANIFEST_DIR")).join(f)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

fn judge(paste: Paste, kind: IntentKind) -> Report {
    let intent = Intent { kind, from: None, to: Target::Next };
    etcd_upgrade_planner::judge(&[paste], &intent, &Answers::new(), datetime!(2026-11-30 12:00 UTC))
}

#[test]
fn the_corpus_goes_through_and_every_ground_is_found_where_it_stands() {
    let files = files();
    assert!(files.len() > 1_200, "the corpus is gone: {} files", files.len());
    let mut cut = 0;
    for file in files {
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        let place = file.display();
        for kind in IntentKind::ALL {
            let report = judge(Paste::new("paste", text.clone()), kind);
            let _ = export::text::write(&report);
            let _ = export::markdown::write(&report);
            let lines: Vec<&str> = text.lines().collect();
            for finding in &report.findings {
                for ground in finding.grounds.iter().filter(|g| g.paste == "paste") {
                    let shown = lines.get(ground.first_line - 1..ground.last_line);
                    let shown = shown.unwrap_or_else(|| panic!("{place}: {} points outside", finding.gate)).join("\n");
                    assert!(
                        shown.contains(&ground.quote),
                        "{place}: {}: {shown:?} lacks {:?}",
                        finding.gate,
                        ground.quote
                    );
                    assert!(!ground.quote.trim().is_empty(), "{place}: {} quotes nothing", finding.gate);
                    if let Some(mark) = &ground.mark {
                        assert!(ground.quote.contains(mark.as_str()), "{place}: {}: {mark:?}", finding.gate);
                    }
                    cut += 1;
                }
            }
            for unread in &report.unread {
                assert!(lines.get(unread.first_line - 1..unread.last_line).is_some(), "{place}");
            }
        }
    }
    assert!(cut > 2_000, "only {cut} grounds");
}
