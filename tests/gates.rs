//! The gates held against themselves and against pasted text.
//!
//! `tests/fixtures/gates/<gate id>/` has one folder a case, its name starting with what it shows: `fires`, `passes` or
//! `no-evidence`. A case is its pastes (the files beside `case.toml`, and those `pastes` names under `tests/fixtures`)
//! and what the gate must say of them. A `boundary` case says in `[versions]` what the gate answers when the version that
//! `replace` names in the pastes, or the target, is another one: `outcome`, or `outcome: part of the statement or remedy`.

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
const KINDS: [&str; 4] = ["fires", "passes", "no-evidence", "boundary"];
/// The date the advice of a case is for, unless it says another.
const DATE: &str = "2026-11-30T12:00:00Z";
/// Files of `src/gates` that are no gate.
const NO_GATES: [&str; 10] =
    ["asks", "assess", "catalogue", "finding", "known", "question", "sight", "testing", "waiver", "words"];
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

    /// One case for each version of a boundary; else the case itself.
    fn each(self) -> Vec<Self> {
        let Some(versions) = self.table.get("versions").and_then(|v| v.as_table()) else { return vec![self] };
        let replaced = self.text("replace").unwrap_or_else(|| panic!("{}/{} replaces nothing", self.gate, self.name));
        let one = |(version, said): (&String, &toml::Value)| {
            let mut table = self.table.clone();
            let said = said.as_str().unwrap();
            let (outcome, statement) = said.split_once(": ").map_or((said, None), |(o, s)| (o, Some(s)));
            table.insert("outcome".to_owned(), outcome.into());
            statement.map(|statement| table.insert("said".to_owned(), statement.into()));
            let mut pastes = self.pastes.clone();
            if replaced == "to" {
                table.insert("to".to_owned(), version.as_str().into());
            } else {
                assert!(pastes.iter().any(|p| p.text.contains(replaced)), "{}/{}: no {replaced}", self.gate, self.name);
                pastes = pastes.iter().map(|p| Paste::new(p.name.clone(), p.text.replace(replaced, version))).collect();
            }
            Self { gate: self.gate.clone(), name: format!("{} {version}", self.name), table, pastes }
        };
        versions.iter().map(one).collect()
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
    let of =
        |gate: String| names_in(&folder.join(&gate)).into_iter().flat_map(move |name| Case::read(&gate, &name).each());
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
        && case.text("said").is_none_or(|part| {
            let remedy = finding.remedy.as_deref().unwrap_or_default();
            finding.statement.contains(part) || remedy.contains(part)
        })
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
        gates::ALL.iter().map(|gate| (gate.id.to_owned(), KINDS[..3].iter().copied().collect())).collect();
    kinds.values_mut().for_each(|kinds| {
        kinds.remove(KINDS[3]);
    });
    assert_eq!(kinds, wanted);
}

/// What in the code of a gate shows that versions decide it: ranges, floors, known defects, what a release has.
const VERSIONS_DECIDE: [&str; 9] = [
    "in_version(",
    ".floor",
    "rules.required",
    "rules.advised",
    "known_bad",
    "is_prerelease()",
    ".vendor()",
    "releases::newest(",
    "releases::support(",
];
/// Gates in whose code that stands only to name a release in a sentence, or whose versions are those of a tool.
const NAMES_A_RELEASE: [&str; 0] = [];

/// Which gates those are is read off their code, so a new one can't be forgotten.
#[test]
fn every_gate_that_a_version_decides_is_tried_on_both_sides_of_it() {
    let code_of = |gate: &Gate| {
        let text = fs::read_to_string(root().join("src/gates").join(file_of(gate))).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap().to_owned();
        code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
    };
    let mut tried: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for case in cases().iter().filter(|c| c.name.starts_with("boundary")) {
        let said = format!("{:?} {:?}", case.text("outcome"), case.text("said"));
        let version = case.name.rsplit_once(' ').map(|(_, version)| version.to_owned()).unwrap();
        tried.entry(case.gate.clone()).or_default().push((version, said));
    }
    let decided = gates::ALL.iter().filter(|gate| VERSIONS_DECIDE.iter().any(|word| code_of(gate).contains(word)));
    let mut missing = Vec::new();
    for gate in decided.filter(|gate| !NAMES_A_RELEASE.contains(&gate.id)) {
        let said = tried.get(gate.id).cloned().unwrap_or_default();
        let answers: BTreeSet<&String> = said.iter().map(|(_, said)| said).collect();
        // A vendor's suffix or a prerelease stands behind a dash: `3.5.32-k3s1`, `3.5.32-rc.0`.
        let marked = said.iter().any(|(version, _)| version.contains(['-', '+']));
        if answers.len() < 2 || !marked {
            missing.push(format!("{}: {said:?}", gate.id));
        }
    }
    assert!(missing.is_empty(), "no boundary case on both sides, with a suffix:\n{}", missing.join("\n"));
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
        let speaks = ["blocked", "cant-tell", "warning"];
        for finding in single.findings.iter().filter(|f| speaks.contains(&f.outcome.as_str())) {
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
        let again = format!("Asked again right before {later}.");
        assert!(route.findings.iter().any(|f| f.statement == again), "{}/{}", case.gate, case.name);
        let noted = |p: &etcd_upgrade_planner::export::report::PhaseOut| {
            p.note.as_ref().is_some_and(|n| n.contains("check again then"))
        };
        let planned: Vec<_> = route.checklist.iter().filter(|p| p.hop.as_deref() == Some(later.as_str())).collect();
        assert!(planned.is_empty() || planned.iter().any(|p| noted(p)), "{}/{}", case.gate, case.name);
    }
    assert!(compared > 50, "only {compared} routes were compared");
}

fn now() -> OffsetDateTime {
    OffsetDateTime::parse(DATE, &Rfc3339).unwrap()
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

/// Pastes and answers without those that a finding rests on.
fn without(case: &Case, finding: &FindingOut) -> Case {
    let gone: BTreeSet<usize> = finding.grounds.iter().map(|g| g.paste_index).collect();
    let pastes = case.pastes.iter().enumerate().filter(|(at, _)| !gone.contains(at)).map(|(_, p)| p.clone()).collect();
    let mut table = case.table.clone();
    if let Some(answers) = table.get_mut("answers").and_then(|a| a.as_table_mut()) {
        for answer in &finding.answers {
            answers.remove(answer.split_once('=').map_or(answer.as_str(), |(key, _)| key));
        }
    }
    Case { gate: case.gate.clone(), name: case.name.clone(), table, pastes }
}

/// Takes away all that a gate passes on, and what it passes on then, until it does not pass; gives the report of that.
fn robbed(mut case: Case, gate: &str) -> Report {
    for _ in 0..10 {
        let report = case.report();
        let passed = report
            .findings
            .iter()
            .find(|f| f.gate == gate && f.outcome == "passed" && !(f.grounds.is_empty() && f.answers.is_empty()));
        let Some(passed) = passed else { return report };
        case = without(&case, passed);
    }
    panic!("{gate} still passes on something");
}

#[test]
fn no_gate_passes_once_all_it_passes_on_is_taken_away() {
    let mut compared = 0;
    for case in cases().into_iter().filter(|c| c.name.starts_with("passes")) {
        let (gate, place) = (case.gate.clone(), format!("{}/{}", case.gate, case.name));
        let report = robbed(case, &gate);
        for finding in report.findings.iter().filter(|f| f.gate == gate && f.outcome == "passed") {
            assert!(finding.wanted, "{place} passes on nothing: {}", finding.statement);
        }
        compared += 1;
    }
    assert!(compared > 80, "only {compared} cases were robbed");
}

/// All that an operator can show of a healthy cluster before a hop: the verdict of each is ready.
fn ready_cases() -> Vec<Case> {
    [("healthy-3.4.23", "3.5", "auth"), ("healthy-3.5.33", "3.6", ""), ("healthy-3.6.16", "3.7", "born-on")]
        .into_iter()
        .map(|(capture, to, answer)| {
            let fixtures = root().join("tests/fixtures");
            let read = |path: &str| Paste::new(path, fs::read_to_string(fixtures.join(path)).unwrap());
            let files = ["02-endpoint-status-table.txt", "14-member-list-simple.txt", "18-alarm-list.txt"];
            let mut pastes: Vec<Paste> = files.iter().map(|f| read(&format!("captures/{capture}/{f}"))).collect();
            pastes.extend(UNITS.iter().map(|path| read(path)));
            if to == "3.6" {
                pastes.push(Paste::new("checks.txt", CLEAN));
            }
            let value = if answer == "auth" { "no" } else { "3.6" };
            let more = if answer.is_empty() { String::new() } else { format!("{answer} = \"{value}\"\n") };
            let text = format!("to = \"{to}\"\n[answers]\nsnapshot-taken = \"in-plan\"\n{more}");
            Case { gate: capture.to_owned(), name: to.to_owned(), table: text.parse().unwrap(), pastes }
        })
        .collect()
}

#[test]
fn without_the_evidence_of_one_required_gate_the_verdict_falls_to_cant_tell() {
    for case in ready_cases() {
        let report = case.report();
        assert!(report.verdict.starts_with("ready"), "{}: {}", case.gate, report.verdict);
        // Required is what can't tell where nothing at all was shown.
        let from = report.intent.from.clone().unwrap();
        let nothing = Case {
            table: format!("from = \"{from}\"\nto = \"{}\"", case.name).parse().unwrap(),
            pastes: Vec::new(),
            gate: case.gate.clone(),
            name: case.name.clone(),
        };
        let required = gates_that(&nothing.report(), "cant-tell");
        assert!(required.len() >= 9, "{required:?}");
        for gate in required {
            let copy = Case {
                table: case.table.clone(),
                pastes: case.pastes.clone(),
                gate: case.gate.clone(),
                name: case.name.clone(),
            };
            let report = robbed(copy, &gate);
            assert_eq!(report.verdict, "cant-tell", "{} without what {gate} rests on", case.gate);
            let outcomes: BTreeSet<&str> =
                report.findings.iter().filter(|f| f.gate == gate).map(|f| f.outcome.as_str()).collect();
            assert!(outcomes.contains("cant-tell"), "{} {gate}: {outcomes:?}", case.gate);
        }
    }
}

/// Does a line of a remedy take a member out of the cluster when it is pasted?
fn removes(command: &str) -> bool {
    !command.starts_with('#') && command.contains(" member remove ")
}

#[test]
fn pasting_all_commands_of_a_remedy_removes_nobody_for_whom_it_says_something_else_first() {
    let mut kept_back = 0;
    for case in cases() {
        for finding in case.report().findings {
            let at_once = finding.commands.iter().filter(|c| removes(c)).count();
            let is_all = at_once == finding.commands.len();
            assert!(at_once == 0 || is_all, "{}/{}: {:#?}", case.gate, case.name, finding.commands);
            kept_back +=
                finding.commands.iter().filter(|c| c.starts_with('#') && c.contains(" member remove ")).count();
        }
    }
    assert!(kept_back > 0, "no case has a removal that waits");
}

/// What mends a cluster on a look at its health: for each fault a case that shows it, and the commands in their order.
const MENDING: [(&str, &str, &[&str]); 5] = [
    ("alarm-raised", "fires", &["compact ", "defrag", "defrag", "defrag", "alarm disarm"]),
    ("no-leader", "fires", &["endpoint status"]),
    ("data-diverged", "fires-one-of-three", &["endpoint hashkv", "snapshot save", "member remove "]),
    ("zombie-member", "fires", &["endpoint status"]),
    ("learner-present", "fires-far-behind", &["endpoint status", "member remove "]),
];

#[test]
fn each_fault_of_a_clusters_health_has_its_mending_steps_in_order() {
    for (gate, name, commands) in MENDING {
        let mut case = Case::read(gate, name);
        case.table.insert("intent".to_owned(), "health".into());
        case.table.remove("to");
        let report = case.report();
        let prefix = format!("health/fix-first/{gate}");
        let steps = report.checklist.iter().flat_map(|p| &p.steps);
        let step = steps.into_iter().find(|s| s.id.starts_with(&prefix)).unwrap_or_else(|| panic!("{gate}: no step"));
        let mut found = step.commands.iter();
        for wanted in commands {
            assert!(found.any(|c| c.contains(wanted)), "{gate}: no {wanted} in its place in {:#?}", step.commands);
        }
        assert!(!step.why.is_empty() && !step.expect.is_empty() && !step.stop_when.is_empty(), "{gate}");
    }
}
