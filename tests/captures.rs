//! The readers held against what real clusters printed: every capture in `tests/fixtures/captures`, without its frame.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use etcd_upgrade_planner::evidence::fact::{Body, MemberRow, Status};
use etcd_upgrade_planner::evidence::paste::{self, Paste};
use etcd_upgrade_planner::evidence::{self, Evidence};

fn captures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/captures")
}

/// Every capture as (folder, file name, text), sorted.
fn all() -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for folder in fs::read_dir(captures()).unwrap() {
        let folder = folder.unwrap().path();
        for file in fs::read_dir(&folder).unwrap() {
            let file = file.unwrap().path();
            let name = |p: &Path| p.file_name().unwrap().to_string_lossy().into_owned();
            found.push((name(&folder), name(&file), fs::read_to_string(&file).unwrap()));
        }
    }
    found.sort();
    assert!(found.len() > 500, "the captures are gone: only {} found", found.len());
    found
}

fn read(name: &str, text: &str) -> Evidence {
    evidence::read(&[Paste::new(name, text)])
}

/// The captures of one command in its four forms: `endpoint-status` of `01-before-endpoint-status-table.txt` is
/// `before-endpoint-status`, `table`.
fn form_of(file: &str) -> Option<(&str, &str)> {
    let stem = file.strip_suffix(".txt")?.split_once('-')?.1;
    let (what, form) = stem.rsplit_once('-')?;
    let status = what.contains("endpoint-status") || what.contains("member-list");
    (["simple", "table", "json", "fields"].contains(&form) && status).then_some((what, form))
}

fn statuses(evidence: &Evidence) -> Vec<Status> {
    let status = |body: &Body| if let Body::Status(s) = body { Some(s.as_ref().clone()) } else { None };
    evidence.facts.iter().filter_map(|f| status(&f.body)).collect()
}

/// A size rounded as etcdctl does, compared with the exact one of another run of the command: two digits lose up to
/// 5 %, and the members of the captures with a full quota write a little between the two runs.
fn same_size(rounded: Option<u64>, exact: Option<u64>, place: &str) {
    match (rounded, exact) {
        (Some(rounded), Some(exact)) => {
            assert!(rounded.abs_diff(exact) * 10 <= exact, "{place}: {rounded} is not about {exact}");
        }
        (rounded, exact) => assert_eq!(rounded.unwrap_or(0), exact.unwrap_or(0), "{place}"),
    }
}

/// Servers print the alarms of one status in no fixed order.
fn sorted(errors: Option<&Vec<String>>) -> Option<Vec<String>> {
    let mut errors = errors?.clone();
    errors.sort();
    Some(errors)
}

/// Holds every other form of one output against the JSON form of the same capture, row by row. Each of the three forms
/// must have been compared at least so often.
fn hold_against_json<T>(
    output: &str,
    at_least: usize,
    rows: impl Fn(&Evidence) -> Vec<T>,
    same: impl Fn(&T, &T, &str, &str),
) {
    let mut compared = BTreeMap::new();
    let all = all();
    for (folder, file, text) in &all {
        let Some((what, form)) = form_of(file).filter(|(what, form)| what.contains(output) && *form != "json") else {
            continue;
        };
        let Some((_, _, json)) = all.iter().find(|(d, f, _)| d == folder && form_of(f) == Some((what, "json"))) else {
            continue;
        };
        let place = format!("{folder}/{file}");
        let evidence = read(file, text);
        assert_eq!(evidence.unread, [], "{place}");
        let (said, exact) = (rows(&evidence), rows(&read("json", json)));
        assert!(!exact.is_empty(), "{place}: the JSON form shows no member");
        assert_eq!(said.len(), exact.len(), "{place}");
        said.iter().zip(&exact).for_each(|(s, e)| same(s, e, form, &place));
        *compared.entry(form.to_owned()).or_insert(0) += 1;
    }
    assert!(compared.len() == 3 && compared.values().all(|n| *n >= at_least), "{compared:?}");
}

#[test]
fn every_form_of_a_status_says_what_its_json_says() {
    hold_against_json("status", 20, statuses, |s, e, form, place| {
        assert_eq!(s.endpoint, e.endpoint, "{place}");
        assert_eq!(s.member_id, e.member_id, "{place}");
        assert_eq!(s.version, e.version, "{place}");
        assert!(s.version.is_some(), "{place}");
        assert_eq!(s.is_leader, e.is_leader, "{place}");
        assert_eq!(s.is_learner, e.is_learner, "{place}");
        assert_eq!(s.raft_term, e.raft_term, "{place}");
        assert_eq!(s.raft_index, e.raft_index, "{place}");
        assert_eq!(s.raft_applied_index, e.raft_applied_index, "{place}");
        assert_eq!(sorted(s.errors.as_ref()), sorted(e.errors.as_ref()), "{place}");
        // A new storage version may be set between the two commands.
        assert_eq!(s.storage_version.is_some(), e.storage_version.is_some(), "{place}");
        assert_eq!(s.downgrade_target, e.downgrade_target, "{place}");
        same_size(s.db_size, e.db_size, place);
        if form == "fields" {
            assert_eq!((s.cluster_id, s.leader, s.revision), (e.cluster_id, e.leader, e.revision), "{place}");
        }
        if s.storage_version.is_some() {
            assert_eq!(s.downgrade_enabled, e.downgrade_enabled, "{place}");
            // What is in use moves between the two commands.
            assert_eq!(s.db_in_use.is_some(), e.db_in_use.is_some(), "{place}");
            same_size(s.quota, e.quota, place);
        }
    });
}

fn rows(evidence: &Evidence) -> Vec<MemberRow> {
    let row = |body: &Body| if let Body::Member(m) = body { Some(m.clone()) } else { None };
    evidence.facts.iter().filter_map(|f| row(&f.body)).collect()
}

#[test]
fn every_form_of_a_member_list_says_what_its_json_says() {
    hold_against_json("list", 15, rows, |s, e, form, place| {
        let cluster_id = if form == "fields" { e.cluster_id } else { None };
        assert_eq!(*s, MemberRow { cluster_id, ..e.clone() }, "{place}");
    });
}

/// Every start-up failure and warning that is known of etcd: each is read as that message, in whatever form a logger
/// writes it, also without its end.
#[test]
fn every_message_that_is_known_is_read_as_an_event() {
    let messages = include_str!("fixtures/log-lines.txt");
    assert!(messages.lines().count() > 20);
    for message in messages.lines() {
        let escaped = message.replace('"', "\\\"");
        for line in [
            format!(
                "{{\"level\":\"fatal\",\"ts\":\"2026-11-30T11:30:15.669Z\",\"caller\":\"a/b.go:1\",\"msg\":\"x\",\"error\":\"{escaped}\"}}"
            ),
            format!(
                "{{\"level\":\"fatal\",\"ts\":\"2026-11-30T11:30:15.669Z\",\"caller\":\"a/b.go:1\",\"msg\":\"{escaped}"
            ),
            format!("2026-11-30 11:38:48.806171 C | etcdmain: {message}"),
            format!("Nov 30 11:30:15 m1 etcd[2625]: {{\"level\":\"panic\",\"msg\":\"{escaped}\"}}"),
            format!("2026-11-30T11:30:15.669312Z stderr F {{\"level\":\"warn\",\"msg\":\"{escaped}\"}}"),
            format!("[pod/etcd-m1/etcd] {{\"level\":\"warn\",\"msg\":\"{escaped}\"}}"),
            format!("etcd-1  | {{\"level\":\"error\",\"msg\":\"{escaped}\"}}"),
            format!("2026-11-30T11:30:15.669Z\terror\ta/b.go:1\t{message}"),
        ] {
            let evidence = read("log", &line);
            let events = evidence.facts.iter().filter(|f| matches!(f.body, Body::Log(_))).count();
            assert_eq!((events, evidence.unread.len()), (1, 0), "{line}");
        }
    }
}

/// Which kind a capture is and how many members it shows: the first row whose folder and file parts are in its name.
/// The texts of help are not among them: they say nothing of a cluster, and are read as help wherever one is pasted.
/// `-` stands for captures that are no evidence of their own: what put, get and the v2 API answered.
const KINDS: &[(&str, &str, &str, usize)] = &[
    ("flags", "-log", "server-log", 0),
    ("nospace", "put-fails", "tool-error", 0),
    ("", "-put", "-", 0),
    ("restore-3.4", "12-get-old-revision", "-", 0),
    ("", "get-old-revision", "tool-error", 0),
    ("single", "endpoint-status", "endpoint-status", 1),
    ("learner", "endpoint-status", "endpoint-status", 4),
    ("learner", "endpoint-health", "endpoint-health", 4),
    ("", "endpoint-status", "endpoint-status", 3),
    ("", "endpoint-health", "endpoint-health", 3),
    ("", "endpoint-hashkv", "endpoint-hashkv", 3),
    ("single", "member-list", "member-list", 1),
    ("one-down-3.4", "no-quorum-member-list", "member-list", 3),
    ("", "no-quorum-member-list", "tool-error", 0),
    ("learner", "member-list", "member-list", 4),
    ("", "member-list", "member-list", 3),
    ("reconfig", "06-list-after", "member-list", 2),
    ("reconfig", "list", "member-list", 3),
    ("healthy", "alarm-list", "alarm-list", 0),
    ("nospace-3.6.16", "alarm-list", "alarm-list", 2),
    ("nospace", "alarm-list", "alarm-list", 1),
    ("", "etcdctl-version", "version", 0),
    ("", "etcdutl-version", "version", 0),
    ("", "etcd-version", "version", 0),
    ("", "curl-version", "version", 0),
    ("", "curl-health", "http-health", 0),
    ("", "curl-readyz", "http-health", 0),
    ("", "curl-livez", "http-health", 0),
    ("", "curl-metrics", "metrics", 0),
    ("", "snapshot-save", "snapshot-save", 0),
    ("healthy-3.6", "etcdctl-snapshot-status", "help", 0),
    ("healthy-3.7", "etcdctl-snapshot-status", "help", 0),
    ("", "snapshot-status", "snapshot-status", 0),
    ("learner", "promote-too-early", "tool-error", 0),
    ("learner", "second-learner", "tool-error", 0),
    ("learner", "promote-again", "tool-error", 0),
    ("learner", "17-promote", "member-change", 1),
    ("", "member-add", "member-change", 1),
    ("", "member-remove", "member-change", 1),
    ("reconfig", "05-remove", "member-change", 1),
    ("reconfig-3.4", "07-add", "tool-error", 0),
    ("reconfig", "07-add", "member-change", 1),
    ("reconfig", "", "tool-error", 0),
    ("upgrade-3.4", "downgrade-validate", "tool-error", 0),
    ("upgrade-3.4", "downgrade-enable-", "tool-error", 0),
    ("upgrade-3.4", "downgrade-cancel", "tool-error", 0),
    ("", "downgrade-validate", "downgrade", 0),
    ("", "downgrade-enable-", "downgrade", 0),
    ("", "downgrade-cancel", "downgrade", 0),
    ("", "status", "endpoint-status", 3),
    ("v2store", "check-while-running", "check-v2store", 0),
    ("", "check-v2store", "check-v2store", 0),
    ("v2store", "-start-", "server-log", 0),
    ("v2store", "-restart-", "server-log", 0),
    ("restore-3.4", "06-restore", "help", 0),
    ("restore-3.4", "03-restore", "tool-error", 0),
    ("restore-3.6", "07-restore", "tool-error", 0),
    ("restore-3.7", "07-restore", "tool-error", 0),
    ("restore", "05-restore", "tool-error", 0),
    ("restore", "06-restore", "tool-error", 0),
    ("restore", "-restore-", "server-log", 0),
];

/// A span points at whole lines of the paste; its focus lies within them.
#[test]
fn every_span_can_be_cut_out_of_its_paste() {
    let mut cut = 0;
    for (folder, file, text) in all() {
        let pastes = [Paste::new(file.clone(), text.clone())];
        let lines: Vec<&str> = text.lines().collect();
        let evidence = evidence::read(&pastes);
        let facts = evidence.facts.iter().map(|f| &f.span);
        let spans =
            facts.chain(evidence.recognised.iter().map(|r| &r.span)).chain(evidence.unread.iter().map(|u| &u.span));
        for span in spans {
            let place = format!("{folder}/{file}: {span:?}");
            assert!(1 <= span.first_line && span.first_line <= span.last_line, "{place}");
            assert!(span.last_line <= lines.len(), "{place}");
            let quoted = paste::Quotes::of(&pastes).quote(span);
            assert!(!quoted.trim().is_empty() && text.contains(&quoted), "{place}");
            if let Some((from, to)) = span.focus {
                let focus = lines[span.first_line - 1].get(from..to).unwrap_or_else(|| panic!("{place}"));
                assert!(focus.starts_with('{') && focus.ends_with('}'), "{place}: {focus}");
                assert!(quoted.contains(&focus[..focus.len().min(60)]), "{place}: {quoted}");
                cut += 1;
            }
        }
        for fact in &evidence.facts {
            let id = match &fact.body {
                Body::Status(status) => status.member_id,
                Body::Member(member) => Some(member.id),
                _ => None,
            };
            let Some(id) = id else { continue };
            let quoted = lines[fact.span.first_line - 1..fact.span.last_line].join("\n");
            let said = quoted.contains(&format!("{id:x}")) || quoted.contains(&id.to_string());
            assert!(said, "{folder}/{file}: {:?} does not hold member {id:x}", fact.span);
        }
    }
    assert!(cut > 100, "only {cut} spans point into a line");
}

#[test]
fn every_capture_is_recognised_as_what_it_is() {
    let mut wrong = Vec::new();
    let mut used = vec![false; KINDS.len()];
    for (folder, file, text) in all() {
        let row = KINDS.iter().position(|(d, f, ..)| folder.starts_with(d) && file.contains(f));
        let Some(row) = row else {
            wrong.push(format!("{folder}/{file}: no row"));
            continue;
        };
        used[row] = true;
        let (_, _, kind, members) = KINDS[row];
        let evidence = read(&file, &text);
        let found: Vec<(&str, usize)> = evidence.recognised.iter().map(|r| (r.kind.id(), r.members)).collect();
        if kind == "-" {
            continue;
        }
        let total: usize = found.iter().filter(|(k, _)| *k == kind).map(|(_, n)| n).sum();
        if !evidence.unread.is_empty() || !found.iter().any(|(k, _)| *k == kind) || total != members {
            wrong.push(format!("{folder}/{file}: {kind} {members} expected, {found:?}, unread {:?}", evidence.unread));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unused: Vec<_> = KINDS.iter().zip(&used).filter(|(_, u)| !**u).collect();
    assert!(unused.is_empty(), "rows without a capture: {unused:?}");
}
