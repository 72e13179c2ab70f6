//! Changes of members held against what real etcd answered: `tests/fixtures/captures/reconfig-*` and `learner-*` hold the
//! commands' answers of four versions, and the planner must say beforehand which of them are taken.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::intent::{Intent, IntentKind};
use time::macros::datetime;

/// The versions whose answers were captured.
const VERSIONS: [&str; 4] = ["3.4.23", "3.5.33", "3.6.16", "3.7.3"];

/// The capture of a folder whose number is this.
fn capture(folder: &str, number: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/captures").join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files = entries.map(|entry| entry.unwrap().path());
    let starts = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(number));
    files.find(starts).unwrap_or_else(|| panic!("{}: no {number}", folder.display()))
}

/// Did etcd take the command?
fn taken(folder: &str, number: &str) -> bool {
    let text = fs::read_to_string(capture(folder, number)).unwrap();
    let done = ["added", "removed from cluster", "promoted in cluster"].iter().any(|word| text.contains(word));
    assert_ne!(done, text.contains("Error:"), "{folder}/{number} is no answer: {text}");
    done
}

fn report(captures: &[PathBuf], change: &str) -> Report {
    let pastes: Vec<Paste> =
        captures.iter().map(|p| Paste::new(p.to_string_lossy(), fs::read_to_string(p).unwrap())).collect();
    let mut answers = Answers::new();
    for answer in [&format!("change={change}"), "new-name=m9", "new-peer-url=http://127.0.0.1:23999"] {
        answers.take(answer).unwrap();
    }
    let intent = Intent::without_target(IntentKind::Members);
    etcd_upgrade_planner::judge(&pastes, &intent, &answers, datetime!(2026-11-30 12:00 UTC))
}

/// Is the step with this word written down and taken, or refused, as the report counts it?
fn said(report: &Report, step: &str) -> bool {
    let rows: Vec<_> = report.quorum.iter().filter(|row| row.when.contains(step)).collect();
    assert!(!rows.is_empty(), "no step of {step}: {:?}", report.quorum);
    let taken = rows.iter().all(|row| row.taken);
    let blocked = report.findings.iter().any(|f| f.outcome == "blocked");
    assert!(taken || blocked, "a step that is not taken blocks");
    taken
}

#[test]
fn with_one_of_three_down_the_planner_says_what_etcd_answered() {
    for version in VERSIONS {
        let folder = format!("reconfig-{version}");
        let before = [capture(&folder, "03"), capture(&format!("one-down-{version}"), "02")];
        let add = said(&report(&before, "add-voter"), "m9");
        assert_eq!(add, taken(&folder, "01"), "{version}: add a voter while one is down");
        let healthy = said(&report(&before, "remove=m2"), "m2");
        assert_eq!(healthy, taken(&folder, "04"), "{version}: remove a healthy one while one is down");
        let dead = said(&report(&before, "remove=m3"), "m3");
        assert_eq!(dead, taken(&folder, "05"), "{version}: remove the one that is down");
        let after = said(&report(&[capture(&folder, "06")], "add-voter"), "m9");
        assert!(after, "{version}: add one once the dead one is gone");
        if !taken(&folder, "07") {
            // Asked less than five seconds after the removal: it is taken when it is asked again.
            let rest = [capture(&folder, "06"), capture(&format!("one-down-{version}"), "02"), capture(&folder, "07")];
            let told = report(&rest, "add-voter");
            let refused = told.findings.iter().find(|f| f.gate == "member-add-refused").unwrap();
            assert_eq!(refused.outcome, "warning", "{version}: {}", refused.statement);
            assert!(refused.remedy.as_ref().is_some_and(|r| r.contains("wait five seconds")), "{version}");
        }
    }
}

#[test]
fn of_learners_the_planner_says_what_etcd_answered() {
    for version in VERSIONS {
        let folder = format!("learner-{version}");
        let unstarted = [capture(&folder, "03")];
        let second = said(&report(&unstarted, "add-learner"), "m9");
        assert_eq!(second, taken(&folder, "07"), "{version}: a second learner");
        let in_sync = [capture(&folder, "09"), capture(&folder, "13")];
        let promoted = report(&in_sync, "promote=m4");
        assert_eq!(said(&promoted, "m4 promoted"), taken(&folder, "17"), "{version}: promote");
        let ready = promoted.findings.iter().find(|f| f.gate == "learner-not-ready").unwrap();
        assert_eq!(ready.outcome, "passed", "{version}: {}", ready.statement);
        let early = report(&[capture(&folder, "06")], "promote=1e8183c723f9134c");
        let early = early.findings.iter().find(|f| f.gate == "learner-not-ready").unwrap();
        assert_eq!((early.outcome.as_str(), taken(&folder, "06")), ("blocked", false), "{version}: promoted too early");
    }
}
