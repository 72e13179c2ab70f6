//! Merging of what real clusters printed: every capture folder, not a list of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Cluster, Member};
use crate::evidence;
use crate::evidence::fact::{AlarmType, Body};
use crate::evidence::paste::Paste;

fn captures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/captures")
}

/// Folders whose names start so; at least one.
fn folders(start: &str) -> Vec<PathBuf> {
    let all = std::fs::read_dir(captures()).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = all.filter(|p| file_name(p).starts_with(start)).collect();
    found.sort();
    assert!(!found.is_empty(), "no folder {start}…");
    found
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// The files of a folder whose name holds the word, each a paste; at least one.
fn pastes(folder: &Path, word: &str) -> Vec<Paste> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| file_name(path).contains(word));
    files.sort();
    assert!(!files.is_empty(), "{}: no {word}", folder.display());
    files.iter().map(|path| Paste::new(file_name(path), std::fs::read_to_string(path).unwrap())).collect()
}

fn merge(pastes: &[Paste]) -> Cluster {
    super::merge(&evidence::read(pastes))
}

/// All ids that a status or a member list shows.
fn ids(pastes: &[Paste]) -> BTreeSet<u64> {
    let facts = evidence::read(pastes).facts;
    let id = |body: &Body| match body {
        Body::Member(row) => Some(row.id),
        Body::Status(status) => status.member_id,
        _ => None,
    };
    facts.iter().filter_map(|fact| id(&fact.body)).collect()
}

/// The two outputs that are merged most, in every form against every form.
fn each_pair(folder: &Path, status: &str, list: &str, check: impl Fn(&str, &Cluster, &[Paste])) {
    let (statuses, lists) = (pastes(folder, status), pastes(folder, list));
    for status in &statuses {
        for list in &lists {
            for pair in [[status.clone(), list.clone()], [list.clone(), status.clone()]] {
                let what = format!("{}: {}, {}", folder.display(), pair[0].name, pair[1].name);
                check(&what, &merge(&pair), &pair);
            }
        }
    }
}

#[test]
fn a_status_and_a_member_list_make_one_member_an_id() {
    for folder in folders("healthy-").into_iter().chain(folders("single-")).chain(folders("learner-")) {
        each_pair(&folder, "endpoint-status", "member-list", |what, cluster, pair| {
            assert_eq!(cluster.members.len(), ids(pair).len(), "{what}");
            assert!(cluster.members.iter().all(|m| m.listed.is_some()), "{what}");
            assert!(cluster.cluster_ids.windows(2).all(|ids| ids[0].value == ids[1].value), "{what}");
        });
    }
}

#[test]
fn healthy_clusters_have_one_leader_names_and_nothing_to_contradict() {
    for folder in folders("healthy-") {
        each_pair(&folder, "endpoint-status", "member-list", |what, cluster, _| {
            assert_eq!(cluster.members.iter().filter(|m| m.is_leader() == Some(true)).count(), 1, "{what}");
            assert!(cluster.members.iter().all(|m| m.name.is_some() && m.answers() == Some(true)), "{what}");
            assert!(cluster.contradictions.is_empty(), "{what}: {:?}", cluster.contradictions);
            assert!(cluster.failed.is_empty() && cluster.alarms.is_empty(), "{what}");
        });
    }
}

#[test]
fn everything_a_healthy_cluster_printed_makes_its_three_members() {
    for folder in folders("healthy-") {
        let all = pastes(&folder, "");
        let cluster = merge(&all);
        let what = folder.display();
        assert_eq!(cluster.members.len(), 3, "{what}");
        assert!(cluster.members.iter().all(|m| m.status.is_some() && m.listed.is_some()), "{what}");
        assert!(cluster.members.iter().all(|m| m.health.is_some() && m.hash.is_some()), "{what}");
        assert!(cluster.contradictions.is_empty(), "{what}: {:?}", cluster.contradictions);
        assert_eq!((cluster.failed.len(), cluster.health.len(), cluster.hashes.len()), (0, 0, 0), "{what}");
    }
}

#[test]
fn the_member_that_is_down_is_the_one_that_failed() {
    for folder in folders("one-down-") {
        each_pair(&folder, "-endpoint-status-", "-member-list-", |what, cluster, pair| {
            if pair.iter().any(|p| p.name.contains("no-quorum")) {
                return;
            }
            let down: Vec<&Member> = cluster.members.iter().filter(|m| m.answers() != Some(true)).collect();
            assert_eq!((cluster.members.len(), down.len()), (3, 1), "{what}");
            assert!(down[0].failed.is_some() && down[0].status.is_none() && down[0].listed.is_some(), "{what}");
            assert!(cluster.failed.is_empty(), "{what}");
        });
    }
}

#[test]
fn without_a_quorum_nobody_leads_and_the_rest_failed() {
    for folder in folders("one-down-") {
        for status in pastes(&folder, "no-quorum-endpoint-status") {
            let cluster = merge(std::slice::from_ref(&status));
            let what = format!("{} {}", folder.display(), status.name);
            assert_eq!(cluster.leader(), None, "{what}");
            assert_eq!(cluster.members.iter().filter(|m| m.failed.is_some()).count(), 2, "{what}");
            assert_eq!(cluster.members.len(), 3, "{what}");
        }
    }
}

#[test]
fn a_mixed_cluster_shows_both_minors() {
    for folder in folders("upgrade-") {
        for count in ["after-1-status", "after-2-status"] {
            for status in pastes(&folder, count) {
                let cluster = merge(std::slice::from_ref(&status));
                let what = format!("{} {}", folder.display(), status.name);
                let (low, high) = (cluster.lowest_minor().unwrap(), cluster.highest_minor().unwrap());
                assert_eq!((low.next(), cluster.members.len()), (high, 3), "{what}");
            }
        }
        for status in pastes(&folder, "after-3-status") {
            let cluster = merge(std::slice::from_ref(&status));
            assert_eq!(cluster.lowest_minor(), cluster.highest_minor(), "{} {}", folder.display(), status.name);
        }
    }
}

#[test]
fn a_roll_pasted_table_after_table_is_told_as_changes() {
    for folder in folders("upgrade-") {
        let all: Vec<Paste> = pastes(&folder, "-status").into_iter().filter(|p| p.name.contains("-table")).collect();
        let tables: Vec<Paste> =
            all.into_iter().filter(|p| p.name.contains("before") || p.name.contains("after-")).collect();
        let cluster = merge(&tables);
        let versions = cluster.history.iter().filter(|change| change.what == "version").count();
        assert_eq!((cluster.members.len(), versions), (3, 3), "{}: {:?}", folder.display(), cluster.history);
        assert!(cluster.history.iter().all(|c| (c.before_at.paste) < c.after_at.paste), "{}", folder.display());
    }
}

#[test]
fn alarms_are_the_same_from_every_output_that_shows_them() {
    let alarms = |cluster: &Cluster| -> Vec<(u64, AlarmType)> {
        cluster.alarms.iter().map(|a| (a.value.member_id, a.value.alarm)).collect()
    };
    for folder in folders("nospace-") {
        let (statuses, lists) = (pastes(&folder, "endpoint-status"), pastes(&folder, "alarm-list"));
        let all: Vec<Paste> = [statuses, lists].concat();
        let cluster = merge(&all);
        let expected: BTreeSet<_> = alarms(&cluster).into_iter().collect();
        assert_eq!((expected.is_empty(), expected.len()), (false, cluster.alarms.len()), "{}", folder.display());
        for (id, alarm) in &expected {
            assert_eq!(*alarm, AlarmType::NoSpace, "{}", folder.display());
            assert!(cluster.members.iter().any(|m| m.id == Some(*id)), "{}", folder.display());
        }
        for paste in &all {
            let cluster = merge(std::slice::from_ref(paste));
            let what = format!("{} {}", folder.display(), paste.name);
            assert_eq!(alarms(&cluster).into_iter().collect::<BTreeSet<_>>(), expected, "{what}");
            assert_eq!(cluster.alarms.len(), expected.len(), "{what}");
            assert!(!cluster.alarms_looked_at.is_empty(), "{what}");
        }
    }
}

#[test]
fn a_learner_is_one_in_the_list_and_in_the_status() {
    for folder in folders("learner-") {
        each_pair(&folder, "endpoint-status", "-member-list-", |what, cluster, pair| {
            if pair.iter().any(|p| p.name.contains("before-start")) {
                return;
            }
            assert_eq!(cluster.members.iter().filter(|m| m.is_learner() == Some(true)).count(), 1, "{what}");
            assert_eq!(cluster.voters().count() + 1, cluster.members.len(), "{what}");
        });
    }
}

/// The order of pastes of different kinds does not matter for real output either: two halves of a folder, swapped.
#[test]
fn real_pastes_of_different_kinds_come_in_any_order() {
    for folder in folders("healthy-").into_iter().chain(folders("one-down-")) {
        each_pair(&folder, "endpoint-status", "endpoint-health", |what, cluster, pair| {
            let swapped = merge(&[pair[1].clone(), pair[0].clone()]);
            let of = |cluster: &Cluster| -> Vec<_> {
                let mut of: Vec<_> = cluster.members.iter().map(|m| (m.id, m.label(), m.answers())).collect();
                of.sort();
                of
            };
            assert_eq!(of(cluster), of(&swapped), "{what}");
        });
    }
}
