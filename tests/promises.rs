//! The promises of `docs/promises.md` that hold for the whole road, from pasted text to every format of the report.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use etcd_upgrade_planner::etcd::releases;
use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::{self, report::Report};
use etcd_upgrade_planner::intent::{Intent, Target};
use proptest::prelude::*;
use time::macros::datetime;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn fixture(path: &str) -> Paste {
    Paste::new(path, fs::read_to_string(fixtures().join(path)).unwrap_or_else(|e| panic!("{path}: {e}")))
}

fn judge(pastes: &[Paste], to: Target, answers: &[&str]) -> Report {
    let mut given = Answers::new();
    answers.iter().for_each(|answer| given.take(answer).unwrap());
    etcd_upgrade_planner::judge(pastes, &Intent::upgrade(to), &given, datetime!(2026-11-30 12:00 UTC))
}

/// A cluster that is ready: its target, what was pasted, what was answered.
struct ReadyCluster {
    to: &'static str,
    pastes: Vec<Paste>,
    answers: Vec<&'static str>,
}

fn ready_clusters() -> Vec<ReadyCluster> {
    let units = ["units/m1.service", "units/m2.service", "units/m3.service"];
    let of = |capture: &str, to, more: &[&str], answers: &[&'static str]| {
        let status = format!("captures/{capture}/02-endpoint-status-table.txt");
        let members = format!("captures/{capture}/14-member-list-simple.txt");
        let paths = [status.as_str(), members.as_str()].into_iter().chain(units).chain(more.iter().copied());
        // The captures are of patches below the one that is advised; the newest print the same but for their number.
        let newest = |path: &str| {
            let Paste { name, text, .. } = fixture(path);
            Paste::new(name, text.replace("3.4.23", "3.4.45").replace("3.5.33", "3.5.35"))
        };
        ReadyCluster { to, pastes: paths.map(newest).collect(), answers: answers.to_vec() }
    };
    vec![
        of("healthy-3.4.23", "3.5", &[], &["snapshot-taken=in-plan", "auth=no"]),
        of("healthy-3.5.33", "3.6", &["gates/v2store-not-checked/passes/checks.txt"], &["snapshot-taken=in-plan"]),
        of("healthy-3.6.16", "3.7", &[], &["snapshot-taken=in-plan", "born-on=3.6"]),
    ]
}

#[test]
fn no_required_gate_passes_without_evidence() {
    for cluster in ready_clusters() {
        let to = || Target::Minor(cluster.to.parse().unwrap());
        assert_eq!(judge(&cluster.pastes, to(), &cluster.answers).verdict, "ready", "to {}", cluster.to);
        for gone in 0..cluster.pastes.len() {
            let mut left = cluster.pastes.clone();
            let paste = left.remove(gone);
            let report = judge(&left, to(), &cluster.answers);
            assert_eq!(report.verdict, "cant-tell", "to {} without {}", cluster.to, paste.name);
            assert!(!report.asks.is_empty(), "to {} without {}: nothing is asked for", cluster.to, paste.name);
        }
        for gone in 0..cluster.answers.len() {
            let mut left = cluster.answers.clone();
            let answer = left.remove(gone);
            assert_eq!(judge(&cluster.pastes, to(), &left).verdict, "cant-tell", "to {} without {answer}", cluster.to);
        }
    }
}

#[test]
fn nothing_at_all_is_never_ready() {
    for to in [Target::Next, Target::Minor("3.6".parse().unwrap())] {
        assert_eq!(judge(&[], to, &["snapshot-taken=in-plan", "auth=no"]).verdict, "cant-tell");
    }
}

#[test]
fn a_line_nobody_understands_is_always_unread() {
    const NONSENSE: &str = "the quick brown fox owes 7 euros";
    for cluster in ready_clusters() {
        for (at, paste) in cluster.pastes.iter().enumerate() {
            let mut pastes = cluster.pastes.clone();
            let lines = paste.text.lines().count();
            pastes[at].text = format!("{}\n\n{NONSENSE}\n", paste.text.trim_end());
            let report = judge(&pastes, Target::Next, &[]);
            let shown =
                report.unread.iter().any(|u| u.paste_index == at && u.last_line >= lines && !u.tried.is_empty());
            assert!(shown, "{}: the line is not shown as unread: {:?}", paste.name, report.unread);
        }
    }
}

#[test]
fn every_report_carries_the_date_of_its_rules() {
    let report = judge(&ready_clusters()[1].pastes, Target::Next, &[]);
    let json = serde_json::to_string(&report).unwrap();
    for text in [json, export::text::write(&report), export::markdown::write(&report)] {
        assert!(text.contains(releases::RULESET_DATE) && text.contains(releases::RULESET_VERSION));
    }
}

#[test]
fn every_blocked_gate_and_every_step_is_in_every_format() {
    let unit = fixture("gates/v2-api-enabled/fires/m2.service");
    let mut pastes = ready_clusters()[1].pastes.clone();
    pastes[3] = unit;
    let report = judge(&pastes, Target::Minor("3.6".parse().unwrap()), &["snapshot-taken=in-plan"]);
    assert_eq!(report.verdict, "blocked");
    let formats = [export::text::write(&report), export::markdown::write(&report)];
    for format in formats {
        for f in report.findings.iter().filter(|f| f.outcome == "blocked") {
            assert!(format.contains(&f.gate), "{} is missing:\n{format}", f.gate);
        }
        for step in report.checklist.iter().flat_map(|p| &p.steps) {
            assert!(format.contains(&format!("{}. ", step.number)), "step {} is missing", step.number);
        }
    }
}

#[test]
fn hundreds_of_thousands_of_flags_return() {
    use std::fmt::Write as _;
    let mut line = String::from("etcd --name m1");
    for number in 0..60_000 {
        let _ = write!(line, " --made-up-{number}");
    }
    let report =
        judge(&[Paste::new("flags", line)], Target::Minor("3.6".parse().unwrap()), &["snapshot-taken=in-plan"]);
    assert_ne!(report.verdict, "ready");
}

#[test]
fn a_cluster_older_than_the_rules_is_never_ready_and_gets_no_plan() {
    let status = fixture("captures/healthy-3.5.33/02-endpoint-status-table.txt").text.replace("3.5.33", "3.1.20");
    for to in ["3.2.0", "3.4", "3.6"] {
        let to = if to.len() > 3 { Target::Version(to.parse().unwrap()) } else { Target::Minor(to.parse().unwrap()) };
        let report = judge(&[Paste::new("status", status.clone())], to, &["snapshot-taken=in-plan", "auth=no"]);
        assert!(["blocked", "cant-tell"].contains(&report.verdict.as_str()), "{}", report.summary);
        assert!(report.checklist.is_empty());
    }
}

#[test]
fn five_megabytes_of_anything_return() {
    let status = fixture("captures/healthy-3.5.33/02-endpoint-status-table.txt").text;
    let one_line =
        ["{", "[", "|", "+--", "\"Key\" : ", "$ etcdctl ", "\u{1b}[31m", "é", "'"].map(|unit| (unit, 5_000_000));
    // Tests run unoptimised: text of many short lines costs ten times as much there, so it is given in a tenth.
    let short_lines = ["{\n", "| a |\n", "a: b\n", "- a\n", "\n", "\\\n", "{\"a\":1}\n"].map(|unit| (unit, 500_000));
    for (unit, size) in one_line.into_iter().chain(short_lines).chain([(status.as_str(), 5_000_000)]) {
        let report = judge(&[Paste::new("large", unit.repeat(size / unit.len()))], Target::Next, &[]);
        assert_ne!(report.verdict, "ready", "{:?}", unit.get(..10));
    }
}

/// Text made of real outputs, cut and mixed.
fn mixed() -> impl Strategy<Value = String> {
    let mut texts = Vec::new();
    let mut open = vec![fixtures()];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                texts.push(text);
            }
        }
    }
    texts.sort_unstable();
    let piece =
        (proptest::sample::select(texts), any::<prop::sample::Index>(), 1_usize..400).prop_map(|(text, at, length)| {
            let chars: Vec<char> = text.chars().collect();
            let start = if chars.is_empty() { 0 } else { at.index(chars.len()) };
            chars.into_iter().skip(start).take(length).collect::<String>()
        });
    proptest::collection::vec(piece, 1..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        let report = judge(&[Paste::new("bytes", String::from_utf8_lossy(&bytes))], Target::Next, &[]);
        prop_assert_ne!(report.verdict, "ready");
    }

    #[test]
    fn cut_and_mixed_outputs_never_panic_and_every_quote_is_exact(text in mixed()) {
        let pastes = [Paste::new("mixed", text)];
        let report = judge(&pastes, Target::Next, &[]);
        for ground in report.findings.iter().flat_map(|f| &f.grounds) {
            let lines: Vec<&str> = pastes[0].text.lines().collect();
            prop_assert!(lines[ground.first_line - 1..ground.last_line].join("\n").contains(&ground.quote));
        }
        let _ = export::text::write(&report).len() + export::markdown::write(&report).len();
    }
}
