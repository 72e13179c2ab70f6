//! Public reports whose right answer is known (`tests/cases/README.md`): the planner must say it, for the right reason.
//!
//! Judged as there: right, right for another reason, careful (can't tell where the case blocks or warns), wrong, false
//! green. A false green is never accepted.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use serde_json::Value;
use time::macros::datetime;

/// Gates that speak of the date of the advice; they do not count against a case that should pass.
const DATED: [&str; 6] = [
    "target-not-newest-patch",
    "release-advisory",
    "patch-below-advised",
    "end-of-life",
    "tools-too-old",
    "managed-by-platform",
];
/// Right answers of a hundred that are asked for, and those right for any reason.
const RIGHT: usize = 90;
const RIGHT_FOR_ANY_REASON: usize = 95;

/// How a report stands to a case; the better first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Result {
    Right,
    OtherReason,
    Careful,
    Wrong,
    FalseGreen,
}

/// The intent of an operation the cases name; `None` for those of other issues.
fn intent_of(operation: &str) -> Option<IntentKind> {
    Some(match operation {
        "upgrade" | "verify-after-upgrade" | "patch-upgrade" | "v2-migration" => IntentKind::Upgrade,
        "health-check" => IntentKind::Health,
        "flag-review" => IntentKind::Flags,
        "member-change" | "rolling-change" => IntentKind::Members,
        _ => return None,
    })
}

/// The versions a text names, in order: `3.5`, `3.5.9`.
fn versions(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '.')).map(|word| word.trim_matches('.'));
    words.filter(|word| (1..=2).contains(&word.matches('.').count())).collect()
}

fn target(text: &str) -> Option<Target> {
    text.parse().map(Target::Version).ok().or_else(|| text.parse().map(Target::Minor).ok())
}

fn report(folder: &Path, case: &Value, kind: IntentKind) -> Report {
    let plan = |key: &str| case["plan"][key].as_str().unwrap_or_default();
    let starts_with_version = plan("from").starts_with(|c: char| c.is_ascii_digit());
    let from = versions(plan("from")).first().filter(|_| starts_with_version).and_then(|v| target(v));
    let to = versions(plan("to")).last().and_then(|v| target(v)).unwrap_or(Target::Next);
    let intent = match kind {
        IntentKind::Upgrade | IntentKind::Flags => Intent { kind, from, to },
        _ => Intent::without_target(kind),
    };
    let file = case["raw_input_file"].as_str().unwrap();
    let text = fs::read_to_string(folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    etcd_upgrade_planner::judge(&[Paste::new(file, text)], &intent, &Answers::new(), datetime!(2026-11-30 0:00 UTC))
}

fn judged(wanted: &str, gates: &BTreeSet<&str>, report: &Report) -> Result {
    let of = |outcome: &str| -> BTreeSet<&str> {
        report.findings.iter().filter(|f| f.outcome == outcome).map(|f| f.gate.as_str()).collect()
    };
    let (blocked, warned) = (of("blocked"), of("warning"));
    // Nothing recognised: no claim is made.
    let unread = report.recognised.is_empty();
    let verdict = report.verdict.as_str();
    let open = unread || verdict == "cant-tell";
    match wanted {
        "ask" if open || verdict == "blocked" => return Result::Right,
        "ask" => return Result::FalseGreen,
        "pass" => {
            let quiet = blocked.is_empty() && warned.iter().all(|gate| DATED.contains(gate)) && !unread;
            return if quiet { Result::Right } else { Result::Wrong };
        }
        "warn" if verdict == "blocked" && !unread => return Result::Wrong,
        _ => {}
    }
    let fired = if wanted == "block" { &blocked } else { &warned };
    if !unread && !fired.is_empty() {
        let meant = gates.is_empty() || fired.iter().any(|gate| gates.contains(gate));
        return if meant { Result::Right } else { Result::OtherReason };
    }
    match wanted {
        _ if open => Result::Careful,
        "block" => Result::FalseGreen,
        _ => Result::Wrong,
    }
}

#[test]
fn public_reports_get_the_right_answer_for_the_right_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let text = fs::read_to_string(folder.join("cases.jsonl")).unwrap();
    let mut results: BTreeMap<Result, Vec<String>> = BTreeMap::new();
    let mut total = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let Some(kind) = intent_of(case["plan"]["op"].as_str().unwrap()) else { continue };
        let report = report(&folder, &case, kind);
        let words = |key: &str| case[key].as_array().into_iter().flatten().filter_map(Value::as_str);
        let gates: BTreeSet<&str> = words("gates").collect();
        let first = case["what_a_correct_planner_should_say"]["verdict"].as_str().unwrap();
        let all = std::iter::once(first).chain(words("also"));
        let best = all.map(|wanted| judged(wanted, &gates, &report)).min().unwrap();
        results.entry(best).or_default().push(format!("{} ({})", case["id"].as_str().unwrap(), report.verdict));
        total += 1;
    }
    let count = |result: Result| results.get(&result).map_or(0, Vec::len);
    assert!(total > 80, "only {total} cases were judged");
    assert_eq!(count(Result::FalseGreen), 0, "{results:#?}");
    let right = count(Result::Right);
    assert!(right * 100 >= RIGHT * total, "{right} of {total} right: {results:#?}");
    let any = right + count(Result::OtherReason);
    assert!(any * 100 >= RIGHT_FOR_ANY_REASON * total, "{any} of {total} right for any reason: {results:#?}");
}
