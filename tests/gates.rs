//! The gates held against themselves and against pasted text.
//!
//! `tests/fixtures/gates/<gate id>/` has one folder a case, its name starting with what it shows: `fires`, `passes` or
//! `no-evidence`. A case is its pastes (the files beside `case.toml`, and those `pastes` names under `tests/fixtures`)
//! and what the gate must say of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::report::{FindingOut, Report};
use etcd_upgrade_planner::gates::{self, Gate, waiver};
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// What a folder of a gate shows.
const KINDS: [&str; 3] = ["fires", "passes", "no-evidence"];
/// The date the advice of a case is for, unless it says another.
const DATE: &str = "2026-11-30T12:00:00Z";
/// Files of `src/gates` that are no gate.
const NO_GATES: [&str; 9] =
    ["asks", "assess", "catalogue", "finding", "question", "sight", "testing", "waiver", "words"];
/// What every gate file's documentation is made of, in this order.
const HEADINGS: [&str; 5] = ["# Asks", "# Blocks when", "# Why", "# Remedy", "# Sources"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// One case of a gate.
struct Case {
    gate: String,
    name: String,
    table: toml::Table,
    pastes: Vec<Paste>,
}

impl Case {
    fn read(gate: &str, name: &str) -> Self {
        let fixtures = root().join("tests/fixtures");
        let folder = fixtures.join("gates").join(gate).join(name);
        let text = fs::read_to_string(folder.join("case.toml")).unwrap_or_else(|e| panic!("{gate}/{name}: {e}"));
        let table: toml::Table = text.parse().unwrap_or_else(|e| panic!("{gate}/{name}: {e}"));
        let paste = |path: &Path| {
            let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{gate}/{name}: {}: {e}", path.display()));
            Paste::new(path.file_name().unwrap().to_string_lossy(), text)
        };
        let shared = table.get("pastes").and_then(|p| p.as_array()).into_iter().flatten();
        let mut pastes: Vec<Paste> = shared.map(|p| paste(&fixtures.join(p.as_str().unwrap()))).collect();
        let own = names_in(&folder).into_iter().filter(|file| file != "case.toml");
        pastes.extend(own.map(|file| paste(&folder.join(file))));
        Self { gate: gate.to_owned(), name: name.to_owned(), table, pastes }
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.table.get(key).map(|value| value.as_str().unwrap())
    }

    fn target(&self, key: &str) -> Option<Target> {
        let text = self.text(key)?;
        let minor = || text.parse().ok().map(Target::Minor);
        text.parse().ok().map(Target::Version).or_else(minor)
    }

    fn kind(&self) -> IntentKind {
        let kind = self.text("intent").map_or(Some(IntentKind::Upgrade), IntentKind::from_id);
        kind.unwrap_or_else(|| panic!("{}/{}: no such intent", self.gate, self.name))
    }

    fn report(&self) -> Report {
        let intent =
            Intent { kind: self.kind(), from: self.target("from"), to: self.target("to").unwrap_or(Target::Next) };
        let mut answers = Answers::new();
        for (key, value) in self.table.get("answers").and_then(|a| a.as_table()).into_iter().flatten() {
            answers.take(&format!("{key}={}", value.as_str().unwrap())).unwrap();
        }
        let now = OffsetDateTime::parse(self.text("date").unwrap_or(DATE), &Rfc3339).unwrap();
        let waivers = self.text("waivers").map_or_else(Vec::new, |text| waiver::read(text).unwrap());
        etcd_upgrade_planner::judge_with_waivers(&self.pastes, &intent, &answers, &waivers, now)
    }
}

fn cases() -> Vec<Case> {
    let folder = root().join("tests/fixtures/gates");
    let of = |gate: String| names_in(&folder.join(&gate)).into_iter().map(move |name| Case::read(&gate, &name));
    names_in(&folder).into_iter().flat_map(of).collect()
}

/// Is this finding what the case says the gate must say?
fn is_as_said(finding: &FindingOut, case: &Case) -> bool {
    let same = |key: &str, found: Option<&str>| case.text(key).is_none_or(|wanted| found == Some(wanted));
    finding.gate == case.gate
        && same("outcome", Some(&finding.outcome))
        && same("member", finding.member.as_deref())
        && same("hop", finding.hop.as_deref())
        && case.text("note").is_none_or(|part| finding.note.as_ref().is_some_and(|note| note.contains(part)))
        && case.text("statement").is_none_or(|part| finding.statement.contains(part))
        && case.text("quote").is_none_or(|part| finding.grounds.iter().any(|g| g.quote.contains(part)))
}

#[test]
fn each_gate_says_of_its_cases_what_it_must() {
    let mut wrong = Vec::new();
    for case in cases() {
        assert!(case.text("outcome").is_some(), "{}/{} does not say what the outcome is", case.gate, case.name);
        let report = case.report();
        if !report.findings.iter().any(|f| is_as_said(f, &case)) {
            let found: Vec<String> = report
                .findings
                .iter()
                .filter(|f| f.gate == case.gate)
                .map(|f| {
                    let quotes: Vec<&str> = f.grounds.iter().map(|g| g.quote.as_str()).collect();
                    format!("  {} {:?} {:?}: {} {quotes:?}", f.outcome, f.member, f.hop, f.statement)
                })
                .collect();
            let recognised: Vec<_> = report.recognised.iter().map(|r| r.kind.as_str()).collect();
            let found = found.join("\n");
            wrong.push(format!("{}/{} (of {recognised:?}):\n{found}", case.gate, case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_case_that_shows_nothing_wrong_has_no_finding_that_does() {
    for case in cases().iter().filter(|c| c.name.starts_with("passes") || c.name.starts_with("no-evidence")) {
        for finding in case.report().findings.iter().filter(|f| f.gate == case.gate) {
            let bad = ["blocked", "warning"].contains(&finding.outcome.as_str());
            assert!(!bad, "{}/{}: {}", case.gate, case.name, finding.statement);
        }
    }
}

#[test]
fn every_gate_has_a_case_that_fires_one_that_passes_and_one_without_evidence() {
    let mut kinds: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for case in cases() {
        let kind = KINDS.into_iter().find(|kind| case.name.starts_with(kind));
        let kind = kind.unwrap_or_else(|| panic!("{}/{} says none of {KINDS:?}", case.gate, case.name));
        kinds.entry(case.gate).or_default().insert(kind);
    }
    let wanted: BTreeMap<String, BTreeSet<&str>> =
        gates::ALL.iter().map(|gate| (gate.id.to_owned(), BTreeSet::from(KINDS))).collect();
    assert_eq!(kinds, wanted);
}

#[test]
fn every_finding_shows_what_its_outcome_owes() {
    for case in cases() {
        let report = case.report();
        for finding in &report.findings {
            let place = format!("{}/{}: {} says \"{}\"", case.gate, case.name, finding.gate, finding.statement);
            let grounds = !finding.grounds.is_empty() || !finding.answers.is_empty() || finding.wanted;
            match finding.outcome.as_str() {
                "blocked" | "warning" => {
                    assert!(grounds, "{place} without grounds");
                    assert!(finding.remedy.as_ref().is_some_and(|r| r.ends_with('.')), "{place} without remedy");
                }
                "passed" => assert!(grounds, "{place} without grounds"),
                "cant-tell" => assert!(finding.ask.is_some(), "{place} without what would answer it"),
                "not-applicable" | "not-looked-at" => {}
                other => panic!("{place}: no outcome is called {other}"),
            }
            assert!(finding.statement.ends_with('.'), "{place} is no sentence");
            assert!(!finding.statement.contains("  "), "{place} has a gap");
            assert!(finding.grounds.iter().all(|g| !g.quote.is_empty()), "{place} quotes nothing");
        }
    }
}

#[test]
fn every_gate_answers_in_every_report_and_the_verdict_is_their_sum() {
    for case in cases() {
        let asked = gates::ALL.iter().filter(|gate| gate.intents.contains(&case.kind()));
        let all: BTreeSet<&str> = asked.map(|gate| gate.id).collect();
        let report = case.report();
        let answered: BTreeSet<&str> = report.findings.iter().map(|f| f.gate.as_str()).collect();
        assert_eq!(answered, all, "{}/{}", case.gate, case.name);
        let any = |outcome: &str| report.findings.iter().any(|f| f.outcome == outcome && f.accepted.is_none());
        let verdict = match (any("blocked"), any("cant-tell"), any("warning")) {
            (true, _, _) => "blocked",
            (_, true, _) => "cant-tell",
            (_, _, true) => "ready-with-warnings",
            _ => "ready",
        };
        assert_eq!(report.verdict, verdict, "{}/{}", case.gate, case.name);
    }
}

fn file_of(gate: &Gate) -> String {
    format!("{}.rs", gate.id.replace('-', "_"))
}

#[test]
fn every_gate_is_one_file_named_by_its_id_and_registered_once() {
    let files: BTreeSet<String> = names_in(&root().join("src/gates")).into_iter().collect();
    let gates: Vec<String> = gates::ALL.iter().map(|gate| file_of(gate)).collect();
    let registered: BTreeSet<String> = gates.iter().cloned().collect();
    assert_eq!(registered.len(), gates.len(), "a gate is registered twice");
    let others: BTreeSet<String> = NO_GATES.iter().map(|name| format!("{name}.rs")).collect();
    assert_eq!(files, registered.union(&others).cloned().collect());
}

#[test]
fn every_gate_file_reads_from_its_documentation_to_its_sources() {
    for gate in gates::ALL {
        let text = fs::read_to_string(root().join("src/gates").join(file_of(gate))).unwrap();
        let lines = text.lines().take_while(|line| line.starts_with("//!"));
        let doc: Vec<&str> = lines.map(|line| line.trim_start_matches("//!").trim()).collect();
        let headings: Vec<&str> = doc.iter().copied().filter(|line| line.starts_with('#')).collect();
        assert_eq!(headings, HEADINGS, "{}", gate.id);
        let sources = doc.iter().position(|line| *line == "# Sources").map_or(&[][..], |at| &doc[at + 1..]);
        let mut named: Vec<&str> = sources
            .iter()
            .filter_map(|line| line.strip_prefix("- "))
            .filter_map(|line| line.split_once(':'))
            .flat_map(|(keys, _)| keys.split(", "))
            .collect();
        let mut wanted = gate.sources.to_vec();
        named.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(named, wanted, "{}: its documentation names other sources than its code", gate.id);
        assert!(!wanted.is_empty(), "{} rests on nothing", gate.id);
    }
}

/// The report on these pastes (paths under `tests/fixtures`) and texts.
fn report_on(pastes: &[&str], texts: &[(&str, &str)], to: &str, answers: &[&str]) -> Report {
    let fixtures = root().join("tests/fixtures");
    let mut all: Vec<Paste> =
        pastes.iter().map(|path| Paste::new(*path, fs::read_to_string(fixtures.join(path)).unwrap())).collect();
    all.extend(texts.iter().map(|(name, text)| Paste::new(*name, *text)));
    let mut given = Answers::new();
    answers.iter().for_each(|answer| given.take(answer).unwrap());
    let intent = Intent::upgrade(Target::Minor(to.parse().unwrap()));
    let now = OffsetDateTime::parse(DATE, &Rfc3339).unwrap();
    etcd_upgrade_planner::judge(&all, &intent, &given, now)
}

fn gates_that(report: &Report, outcome: &str) -> BTreeSet<String> {
    report.findings.iter().filter(|f| f.outcome == outcome).map(|f| f.gate.clone()).collect()
}

const UNITS: [&str; 3] = ["units/m1.service", "units/m2.service", "units/m3.service"];
const HEALTHY_35: [&str; 3] = [
    "captures/healthy-3.5.33/02-endpoint-status-table.txt",
    "captures/healthy-3.5.33/14-member-list-simple.txt",
    "captures/healthy-3.5.33/18-alarm-list.txt",
];
/// Three runs of the check, one for each member, as 3.5.33 prints them.
const CLEAN: &str = include_str!("fixtures/gates/v2store-not-checked/passes/checks.txt");

#[test]
fn a_status_alone_is_not_enough_and_what_is_missing_is_named() {
    let report = report_on(&HEALTHY_35[..1], &[], "3.6", &[]);
    assert_eq!(report.verdict, "cant-tell");
    let missing = ["flag-removed", "member-not-in-status", "snapshot-missing", "v2-api-enabled", "v2store-not-checked"];
    assert_eq!(gates_that(&report, "cant-tell"), BTreeSet::from(missing.map(str::to_owned)));
    assert_eq!(gates_that(&report, "blocked"), BTreeSet::new());
    assert!(!report.asks.is_empty());
}

#[test]
fn everything_pasted_and_answered_is_ready() {
    let mut pastes = HEALTHY_35.to_vec();
    pastes.extend(UNITS);
    let report = report_on(&pastes, &[("checks.txt", CLEAN)], "3.6", &["snapshot-taken=in-plan"]);
    assert_eq!(gates_that(&report, "cant-tell"), BTreeSet::new());
    assert_ready_but_for_the_advised_patch(&report);
    let never = ["snapshot-taken=in-plan", "v2-ever-enabled=no", "born-on=3.4"];
    assert_ready_but_for_the_advised_patch(&report_on(&pastes, &[], "3.6", &never));
}

/// The captures are of 3.5.33 and 3.4.23, below the patch that is advised before their hop: that warns, and nothing else.
fn assert_ready_but_for_the_advised_patch(report: &Report) {
    let advised = BTreeSet::from(["patch-below-advised".to_owned()]);
    assert_eq!((report.verdict.as_str(), gates_that(report, "warning")), ("ready-with-warnings", advised));
}

#[test]
fn one_removed_flag_blocks_what_was_ready() {
    let mut pastes = HEALTHY_35.to_vec();
    pastes.extend([UNITS[0], UNITS[2]]);
    let unit = include_str!("fixtures/gates/v2-api-enabled/fires/m2.service");
    let texts = [("checks.txt", CLEAN), ("m2.service", unit)];
    let report = report_on(&pastes, &texts, "3.6", &["snapshot-taken=in-plan"]);
    assert_eq!(report.verdict, "blocked");
    let blocked = ["flag-removed", "v2-api-enabled"].map(str::to_owned);
    assert_eq!(gates_that(&report, "blocked"), BTreeSet::from(blocked));
    // Both come from one setting, so one step mends both.
    let fix_first = report.checklist.iter().find(|phase| phase.phase == "Fix first").unwrap();
    let of = |gate: &str| fix_first.steps.iter().filter(|step| step.id.contains(gate)).count();
    assert_eq!((of("v2-api-enabled"), of("flag-removed")), (1, 0));
}

#[test]
fn each_other_hop_can_be_ready_too() {
    let of = |name: &str| {
        let files = ["02-endpoint-status-table.txt", "14-member-list-simple.txt", "18-alarm-list.txt"];
        let mut pastes: Vec<String> = files.iter().map(|file| format!("captures/{name}/{file}")).collect();
        pastes.extend(UNITS.map(str::to_owned));
        pastes
    };
    for (from, to, answer) in [("healthy-3.4.23", "3.5", "auth=no"), ("healthy-3.6.16", "3.7", "born-on=3.6")] {
        let pastes = of(from);
        let pastes: Vec<&str> = pastes.iter().map(String::as_str).collect();
        let report = report_on(&pastes, &[], to, &["snapshot-taken=in-plan", answer]);
        assert_eq!(gates_that(&report, "cant-tell"), BTreeSet::new(), "{from}");
        if from == "healthy-3.6.16" {
            assert_eq!(report.verdict, "ready", "{:?}", gates_that(&report, "warning"));
        } else {
            assert_ready_but_for_the_advised_patch(&report);
        }
        let unanswered = report_on(&pastes, &[], to, &["snapshot-taken=in-plan"]);
        assert_eq!(unanswered.verdict, "cant-tell", "{from}");
    }
}

#[test]
fn every_finding_of_the_first_hop_alone_stands_in_the_route_at_that_hop_or_before() {
    let mut compared = 0;
    for case in cases().iter().filter(|c| c.kind() == IntentKind::Upgrade) {
        let lowest = etcd_upgrade_planner::judge(&case.pastes, &Intent::upgrade(Target::Next), &Answers::new(), now());
        let Some(from) = lowest.intent.from.as_deref() else { continue };
        let from: etcd_upgrade_planner::etcd::version::Minor = from.parse().unwrap();
        let report = |to| {
            let intent = Intent::upgrade(Target::Minor(to));
            etcd_upgrade_planner::judge(&case.pastes, &intent, &Answers::new(), now())
        };
        let (single, route) = (report(from.next()), report(from.next().next()));
        if single.intent.hops.len() != 1 || route.intent.hops.len() != 2 {
            continue;
        }
        let first = &route.intent.hops[0];
        for finding in single.findings.iter().filter(|f| ["blocked", "cant-tell"].contains(&f.outcome.as_str())) {
            let stands = route.findings.iter().any(|f| {
                let early =
                    f.hop.is_none() || f.hop.as_deref() == Some(format!("{} → {}", first.from, first.to).as_str());
                early
                    && (f.gate.as_str(), f.outcome.as_str(), &f.member)
                        == (finding.gate.as_str(), finding.outcome.as_str(), &finding.member)
            });
            assert!(
                stands,
                "{}/{}: {} {} is lost on the longer route",
                case.gate, case.name, finding.gate, finding.statement
            );
        }
        compared += 1;
        let later = format!("{} → {}", route.intent.hops[1].from, route.intent.hops[1].to);
        let open = route.findings.iter().any(|f| f.hop.as_deref() == Some(later.as_str()) && f.outcome == "cant-tell");
        assert!(!open, "{}/{}: a later hop holds the route up", case.gate, case.name);
    }
    assert!(compared > 50, "only {compared} routes were compared");
}

fn now() -> OffsetDateTime {
    OffsetDateTime::parse(DATE, &Rfc3339).unwrap()
}

#[test]
fn neither_the_order_of_pastes_of_different_kinds_nor_noise_around_them_changes_the_verdict() {
    let mut pastes: Vec<Paste> = HEALTHY_35
        .iter()
        .chain(&UNITS)
        .map(|path| Paste::new(*path, fs::read_to_string(root().join("tests/fixtures").join(path)).unwrap()))
        .collect();
    pastes.push(Paste::new("checks.txt", CLEAN));
    let said = |pastes: &[Paste]| {
        let report = etcd_upgrade_planner::judge(
            pastes,
            &Intent::upgrade(Target::Minor("3.6".parse().unwrap())),
            &Answers::new(),
            now(),
        );
        let each: BTreeSet<String> = report
            .findings
            .iter()
            .map(|f| format!("{} {} {:?} {}", f.gate, f.outcome, f.member, f.statement))
            .collect();
        (report.verdict, each)
    };
    let expected = said(&pastes);
    for turn in 1..pastes.len() {
        let mut turned = pastes.clone();
        turned.rotate_left(turn);
        assert_eq!(said(&turned), expected, "turned by {turn}");
        turned.reverse();
        assert_eq!(said(&turned), expected, "turned by {turn} and reversed");
    }
    let noisy: Vec<Paste> = pastes
        .iter()
        .map(|p| {
            Paste::new(
                p.name.clone(),
                format!(
                    "hello, here is what you asked for:\r\n\r\n{}\r\n\r\nthat is all\r\n",
                    p.text.replace('\n', "\r\n")
                ),
            )
        })
        .collect();
    assert_eq!(said(&noisy), expected, "with noise");
}

#[test]
fn a_warning_that_was_accepted_counts_no_more_and_stays_in_sight() {
    let mut pastes = HEALTHY_35.to_vec();
    pastes.extend(UNITS);
    let texts: Vec<Paste> = pastes
        .iter()
        .map(|path| Paste::new(*path, fs::read_to_string(root().join("tests/fixtures").join(path)).unwrap()))
        .chain([Paste::new("checks.txt", CLEAN)])
        .collect();
    let mut answers = Answers::new();
    answers.take("snapshot-taken=in-plan").unwrap();
    let intent = Intent::upgrade(Target::Minor("3.6".parse().unwrap()));
    let judged = |until: &str, gate: &str| {
        let text = format!(r#"[{{"gate":"{gate}","reason":"next patch day","name":"A. Person","until":"{until}"}}]"#);
        let waivers = waiver::read(&text).unwrap();
        etcd_upgrade_planner::judge_with_waivers(&texts, &intent, &answers, &waivers, now())
    };
    let accepted = judged("2026-12-31", "patch-below-advised");
    assert_eq!((accepted.verdict.as_str(), accepted.waivers.len()), ("ready", 1));
    let text = etcd_upgrade_planner::export::text::write(&accepted);
    assert!(text.contains("Accepted by A. Person until 2026-12-31: next patch day"), "{text}");
    for stale in [judged("2026-11-29", "patch-below-advised"), judged("2026-12-31", "flag-removed")] {
        assert_eq!(stale.verdict, "ready-with-warnings");
        assert!(gates_that(&stale, "warning").contains("waiver-stale"));
    }
}
