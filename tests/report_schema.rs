//! Every report made of any fixture fits `docs/report.schema.json`, and says the same when asked again.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use time::macros::datetime;

/// Every folder below `tests/fixtures` that holds text files, with the files as pastes.
fn fixture_folders() -> Vec<(PathBuf, Vec<Paste>)> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")];
    while let Some(folder) = open.pop() {
        let mut pastes = Vec::new();
        let mut entries: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                open.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                pastes.push(Paste::new(path.file_name().unwrap().to_string_lossy(), text));
            }
        }
        if !pastes.is_empty() {
            found.push((folder, pastes));
        }
    }
    found
}

fn for_kind(pastes: &[Paste], kind: IntentKind) -> Report {
    let intent = Intent { kind, from: None, to: Target::Next };
    etcd_upgrade_planner::judge(pastes, &intent, &Answers::new(), datetime!(2026-11-30 12:00 UTC))
}

fn judge(pastes: &[Paste], to: Target) -> Report {
    etcd_upgrade_planner::judge(pastes, &Intent::upgrade(to), &Answers::new(), datetime!(2026-11-30 12:00 UTC))
}

#[test]
fn every_fixture_gives_a_report_that_fits_the_schema() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap();
    let folders = fixture_folders();
    assert!(folders.len() > 40, "only {} folders of fixtures found", folders.len());
    for (folder, pastes) in folders {
        for kind in IntentKind::ALL {
            let report = serde_json::to_value(for_kind(&pastes, kind)).unwrap();
            let errors: Vec<String> =
                schema.iter_errors(&report).map(|e| format!("{}: {e}", e.instance_path())).collect();
            assert!(errors.is_empty(), "{} {}: {errors:#?}", kind.id(), folder.display());
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for (folder, pastes) in fixture_folders().into_iter().take(60) {
        let once = serde_json::to_string(&judge(&pastes, Target::Next)).unwrap();
        let again = serde_json::to_string(&judge(&pastes, Target::Next)).unwrap();
        assert_eq!(once, again, "{}", folder.display());
    }
}

#[test]
fn the_report_survives_a_round_trip() {
    for (folder, pastes) in fixture_folders().into_iter().take(20) {
        let report = judge(&pastes, Target::Next);
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report, "{}", folder.display());
    }
}

#[test]
fn every_quote_is_found_where_its_ground_says() {
    for (folder, pastes) in fixture_folders() {
        for ground in judge(&pastes, Target::Next).findings.iter().flat_map(|f| &f.grounds) {
            let lines: Vec<&str> = pastes[ground.paste_index].text.lines().collect();
            let cut = lines[ground.first_line - 1..ground.last_line].join("\n");
            assert!(!ground.quote.is_empty() && cut.contains(&ground.quote), "{}: {ground:?}", folder.display());
        }
    }
}
