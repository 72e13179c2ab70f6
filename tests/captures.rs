//! The readers held against what real clusters printed: every capture in `tests/fixtures/captures`, without its frame.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use etcd_upgrade_planner::evidence::fact::{Body, Status};
use etcd_upgrade_planner::evidence::paste::Paste;
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
    let status = |body: &Body| if let Body::Status(s) = body { Some(s.clone()) } else { None };
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

#[test]
fn every_form_of_a_status_says_what_its_json_says() {
    let mut compared = BTreeMap::new();
    let all = all();
    for (folder, file, text) in &all {
        let Some((what, form)) = form_of(file).filter(|(what, form)| what.contains("status") && *form != "json") else {
            continue;
        };
        let Some((_, _, json)) = all.iter().find(|(d, f, _)| d == folder && form_of(f) == Some((what, "json"))) else {
            continue;
        };
        let place = format!("{folder}/{file}");
        let evidence = read(file, text);
        assert_eq!(evidence.unread, [], "{place}");
        let (said, exact) = (statuses(&evidence), statuses(&read("json", json)));
        assert!(!exact.is_empty(), "{place}: the JSON form shows no member");
        assert_eq!(said.len(), exact.len(), "{place}");
        for (s, e) in said.iter().zip(&exact) {
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
            assert_eq!(s.storage_version, e.storage_version, "{place}");
            assert_eq!(s.downgrade_target, e.downgrade_target, "{place}");
            same_size(s.db_size, e.db_size, &place);
            if form == "fields" {
                assert_eq!((s.cluster_id, s.leader, s.revision), (e.cluster_id, e.leader, e.revision), "{place}");
            }
            if s.storage_version.is_some() {
                assert_eq!(s.downgrade_enabled, e.downgrade_enabled, "{place}");
                // What is in use moves between the two commands.
                assert_eq!(s.db_in_use.is_some(), e.db_in_use.is_some(), "{place}");
                same_size(s.quota, e.quota, &place);
            }
        }
        *compared.entry(form.to_owned()).or_insert(0) += 1;
    }
    assert!(compared.len() == 3 && compared.values().all(|n| *n >= 20), "{compared:?}");
}
