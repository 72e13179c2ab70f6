//! Verdict and report do not depend on the order of pastes of different kinds, nor on what people leave around them.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use proptest::prelude::*;
use proptest::sample::Index;
use time::macros::datetime;

const UNITS: [&str; 3] = ["units/m1.service", "units/m2.service", "units/m3.service"];
const CHECKS: &str = "gates/v2store-not-checked/passes/checks.txt";

/// What is pasted, each file of a kind or a member of its own, and what is wanted.
const SCENES: [(&[&str], IntentKind, &str); 8] = [
    (
        &[
            "captures/healthy-3.5.33/02-endpoint-status-table.txt",
            "captures/healthy-3.5.33/14-member-list-simple.txt",
            "captures/healthy-3.5.33/18-alarm-list.txt",
            UNITS[0],
            UNITS[1],
            UNITS[2],
            CHECKS,
        ],
        IntentKind::Upgrade,
        "3.6",
    ),
    (
        &[
            "captures/healthy-3.5.33/03-endpoint-status-json.txt",
            "captures/healthy-3.5.33/16-member-list-json.txt",
            "captures/healthy-3.5.33/11-endpoint-hashkv-table.txt",
            "gates/v2-api-enabled/fires/m2.service",
        ],
        IntentKind::Upgrade,
        "3.7",
    ),
    (
        &[
            "captures/healthy-3.6.16/04-endpoint-status-fields.txt",
            "captures/healthy-3.6.16/15-member-list-table.txt",
            "captures/healthy-3.6.16/18-alarm-list.txt",
            UNITS[0],
        ],
        IntentKind::Upgrade,
        "3.7",
    ),
    (
        &[
            "captures/one-down-3.5.33/02-endpoint-status-table.txt",
            "captures/healthy-3.5.33/14-member-list-simple.txt",
            "captures/healthy-3.5.33/18-alarm-list.txt",
        ],
        IntentKind::Upgrade,
        "3.6",
    ),
    (
        &[
            "captures/nospace-3.5.33/03-endpoint-status-table.txt",
            "captures/nospace-3.5.33/06-alarm-list.txt",
            "captures/healthy-3.5.33/14-member-list-simple.txt",
        ],
        IntentKind::Health,
        "3.6",
    ),
    (
        &["captures/learner-3.6.16/09-endpoint-status-table.txt", "captures/healthy-3.6.16/18-alarm-list.txt"],
        IntentKind::Health,
        "3.7",
    ),
    (
        &[
            "captures/healthy-3.7.3/02-endpoint-status-table.txt",
            "captures/healthy-3.7.3/15-member-list-table.txt",
            "captures/healthy-3.7.3/18-alarm-list.txt",
        ],
        IntentKind::Downgrade,
        "3.6",
    ),
    (
        &[
            "captures/healthy-3.4.23/02-endpoint-status-table.txt",
            "captures/healthy-3.4.23/14-member-list-simple.txt",
            UNITS[2],
            UNITS[1],
        ],
        IntentKind::Upgrade,
        "3.5",
    ),
];

fn read(path: &str) -> Option<Paste> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path)).ok()?;
    Some(Paste::new(path, text))
}

/// What may stand around a paste without saying anything. A prompt or a host with a member's name would say whose it is.
const NOISE: [fn(&str) -> String; 8] = [
    |text| text.to_owned(),
    |text| text.replace('\n', "\r\n"),
    |text| format!("hello, here is what you asked for:\n\n{text}\n\nthat is all\n"),
    |text| format!("```\n{text}```\n"),
    |text| format!("\u{feff}{text}"),
    |text| format!("\n\n\n{text}\n\n\n"),
    |text| format!("Warning: Permanently added '192.0.2.77' (ED25519) to the list of known hosts.\n{text}"),
    |text| format!("$ \n{text}$ \n"),
];

fn judge(pastes: &[Paste], kind: IntentKind, to: &str) -> Report {
    let to = if kind == IntentKind::Health { Target::Next } else { Target::Minor(to.parse().unwrap()) };
    let intent = Intent { kind, from: None, to };
    etcd_upgrade_planner::judge(pastes, &intent, &Answers::new(), datetime!(2026-11-30 12:00 UTC))
}

/// All that a report says, without where in the pastes it stands and in which order they came.
fn said(report: &Report) -> (Vec<String>, BTreeSet<String>) {
    let mut ordered = vec![report.verdict.clone(), report.summary.clone(), report.next.clone()];
    for phase in &report.checklist {
        ordered.push(format!("{:?} {} {:?}", phase.hop, phase.phase, phase.note));
        for step in &phase.steps {
            ordered.push(format!("{} {} {:?} {} {}", step.id, step.title, step.commands, step.expect, step.stop_when));
        }
    }
    ordered.extend(report.asks.iter().map(|ask| format!("{:?} {} {:?}", ask.gates, ask.command, ask.members)));
    ordered.extend(report.known_issues.iter().map(|i| format!("{} {}", i.id, i.had_by)));
    let member = |m: &etcd_upgrade_planner::export::report::MemberOut| {
        format!("{} {:?} {:?} {:?} {:?}", m.label, m.version, m.role, m.alarms, m.v2)
    };
    let mut unordered: BTreeSet<String> = report.members.iter().map(member).collect();
    unordered.extend(
        report
            .findings
            .iter()
            .map(|f| format!("{} {} {:?} {} {:?}", f.gate, f.outcome, f.member, f.statement, f.remedy)),
    );
    (ordered, unordered)
}

#[test]
fn every_scene_says_something() {
    let mut verdicts = BTreeSet::new();
    for (files, kind, to) in SCENES {
        let pastes: Vec<Paste> = files.iter().filter_map(|file| read(file)).collect();
        assert_eq!(pastes.len(), files.len(), "{files:?}");
        verdicts.insert(judge(&pastes, kind, to).verdict);
    }
    assert!(verdicts.len() >= 2, "{verdicts:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, max_shrink_iters: 40, ..ProptestConfig::default() })]

    #[test]
    fn neither_order_nor_noise_changes_what_is_said(
        scene in 0..SCENES.len(),
        order in Just((0..8).collect::<Vec<usize>>()).prop_shuffle(),
        noise in prop::collection::vec(any::<Index>(), 8),
    ) {
        let (files, kind, to) = SCENES[scene];
        let plain: Vec<Paste> = files.iter().filter_map(|file| read(file)).collect();
        let expected = said(&judge(&plain, kind, to));
        let mixed: Vec<Paste> = order
            .iter()
            .filter_map(|at| plain.get(*at))
            .zip(&noise)
            .map(|(paste, noise)| Paste::new(paste.name.clone(), noise.get(&NOISE)(&paste.text)))
            .collect();
        let found = said(&judge(&mixed, kind, to));
        let other: Vec<_> = found.0.iter().zip(&expected.0).find(|(found, expected)| found != expected).into_iter().collect();
        prop_assert!(found.0 == expected.0, "{other:?}");
        let other: Vec<_> = found.1.symmetric_difference(&expected.1).collect();
        prop_assert!(other.is_empty(), "{other:?}");
    }
}
