//! What people paste when they mangle it: each file of `tests/fixtures/nasty` is either read right, or refused with a
//! finding that asks for it again. None makes a cluster look better than it was shown.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::fact::Body;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::evidence::{self, Evidence};
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::intent::{Intent, Target};
use time::macros::datetime;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/nasty")
}

fn text(name: &str) -> String {
    fs::read_to_string(folder().join(name).with_extension("txt")).unwrap()
}

fn read(name: &str) -> Evidence {
    evidence::read(&[Paste::new(name, text(name))])
}

fn report(name: &str) -> Report {
    let intent = Intent::upgrade(Target::Next);
    let pastes = [Paste::new(name, text(name))];
    etcd_upgrade_planner::judge(&pastes, &intent, &Answers::new(), datetime!(2026-11-30 12:00 UTC))
}

/// The versions that the rows of status show, in order.
fn versions(name: &str) -> Vec<String> {
    let evidence = read(name);
    let version = |body: &Body| match body {
        Body::Status(status) => Some(status.version.as_ref().map_or_else(String::new, ToString::to_string)),
        _ => None,
    };
    evidence.facts.iter().filter_map(|f| version(&f.body)).collect()
}

/// Read right, whatever stands around it: the version that all of its three rows show.
const READ: [(&str, &str); 10] = [
    ("slack", "3.6.16"),
    ("jira", "3.5.33"),
    ("windows-terminal", "3.6.16"),
    ("cat-A", "3.5.33"),
    ("spreadsheet", "3.5.33"),
    ("markdown", "3.5.33"),
    ("watch", "3.7.3"),
    ("word-quotes", "3.6.16"),
    ("mail-quoted-and-wrapped", "3.5.33"),
    ("two-clusters", ""),
];

/// Asked for again, by this gate.
const REFUSED: [(&str, &str); 9] = [
    ("tmux-two-panes", "paste-foreign"),
    ("ocr", "paste-foreign"),
    ("ocr-ids", "paste-incomplete"),
    ("half-a-table", "paste-incomplete"),
    ("two-clusters", "pastes-contradict"),
    ("json-cut-by-a-pager", "paste-incomplete"),
    ("rows-without-their-ends", "paste-incomplete"),
    ("systemctl-status", "paste-incomplete"),
    ("pd-members", "paste-foreign"),
];

/// Logs, and what must come out of them.
const LOGS: [&str; 3] = ["journald-json", "kubectl-logs-prefix", "compose-logs"];

/// Of nobody: nothing is read of it, and all of it is shown as unread.
const UNREAD: [&str; 2] = ["as-yaml", "html-entities"];

#[test]
fn every_file_stands_in_a_list() {
    let files =
        fs::read_dir(folder()).unwrap().map(|f| f.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned());
    let named = READ.iter().map(|r| r.0).chain(REFUSED.iter().map(|r| r.0)).chain(LOGS).chain(UNREAD);
    assert_eq!(files.collect::<BTreeSet<_>>(), named.map(str::to_owned).collect());
}

#[test]
fn mangled_statuses_are_read() {
    for (name, version) in READ.iter().filter(|(_, version)| !version.is_empty()) {
        assert_eq!(versions(name), [*version; 3], "{name}");
        let report = report(name);
        let doubted = report.findings.iter().any(|f| f.gate.starts_with("paste-") && f.outcome == "cant-tell");
        assert!(!doubted, "{name}");
    }
}

#[test]
fn what_can_not_be_read_is_asked_for_again() {
    for (name, gate) in REFUSED {
        let report = report(name);
        let asked = report.findings.iter().find(|f| f.gate == gate && f.outcome == "cant-tell");
        assert!(asked.is_some_and(|f| f.ask.is_some()), "{name}: {:?}", report.recognised);
        assert!(["cant-tell", "blocked"].contains(&report.verdict.as_str()), "{name}");
    }
}

#[test]
fn nothing_is_read_of_what_is_nobodys() {
    for name in UNREAD {
        let evidence = read(name);
        assert!(evidence.facts.iter().all(|f| matches!(f.body, Body::Doubt(_))), "{name}: {:?}", evidence.facts);
        assert!(!evidence.unread.is_empty(), "{name}");
    }
}

/// Message, version and host of each event.
fn events(name: &str) -> Vec<(String, String, String)> {
    let evidence = read(name);
    let event = |fact: &evidence::fact::Fact| match &fact.body {
        Body::Log(e) => Some((
            e.message.to_owned(),
            e.version.as_ref().map_or_else(String::new, ToString::to_string),
            fact.hint.host.clone().unwrap_or_default(),
        )),
        _ => None,
    };
    evidence.facts.iter().filter_map(event).collect()
}

#[test]
fn logs_of_several_hosts_keep_their_versions_apart() {
    let said = |rows: &[(&str, &str, &str)]| -> Vec<(String, String, String)> {
        rows.iter().map(|(a, b, c)| ((*a).to_owned(), (*b).to_owned(), (*c).to_owned())).collect()
    };
    assert_eq!(
        events("compose-logs"),
        said(&[
            ("server-started", "3.5.33", "etcd1-1"),
            ("server-started", "3.6.16", "etcd2-1"),
            ("env-unknown", "3.5.33", "etcd1-1"),
            ("v2-content", "3.6.16", "etcd2-1"),
        ])
    );
    assert_eq!(
        events("journald-json"),
        said(&[("server-started", "3.6.16", "m1"), ("v2-wal-records", "3.6.16", "m1")])
    );
    assert_eq!(
        events("kubectl-logs-prefix"),
        said(&[("server-started", "3.6.16", "etcd-m1"), ("v2-wal-records", "", "etcd-m2")])
    );
    let flags = read("kubectl-logs-prefix").facts.into_iter().filter(|f| matches!(f.body, Body::Flags(_))).count();
    assert_eq!(flags, 1);
}
