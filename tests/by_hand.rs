//! What a person may set by hand: the kind of a paste, and the member it is of.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use etcd_upgrade_planner::cluster::{self, Cluster, Member};
use etcd_upgrade_planner::evidence::fact::Kind;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::evidence::{self, Evidence};

fn read(text: &str, kind: Option<Kind>) -> Evidence {
    evidence::read(&[Paste { kind, ..Paste::new("paste", text) }])
}

/// Texts of every kind: real captures, output of the collect script, flags, and what neither of them holds.
fn texts() -> Vec<String> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut found: Vec<String> = vec![
        "$ etcdctl auth status\nAuthentication Status: false\nAuthRevision: 1\n".to_owned(),
        "$ etcdutl snapshot restore backup.db --data-dir /var/lib/etcd-new\n".to_owned(),
        "$ ls -l /var/lib/etcd/member/snap\n-rw-r--r-- 1 root root 8123 Nov 30 11:25 0000000000000002-0000000000000011.snap\n".to_owned(),
    ];
    let mut folders = vec![fixtures.join("captures"), fixtures.join("units"), fixtures.join("collect")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.extend(fs::read_to_string(path)) }
        }
    }
    found
}

#[test]
fn a_paste_of_each_kind_is_read_as_the_kind_that_was_set_and_as_no_other() {
    let mut seen = BTreeSet::new();
    for text in texts() {
        let plain = read(&text, None);
        for kind in Kind::ALL {
            let only = read(&text, Some(kind));
            let strays: Vec<_> = only.recognised.iter().filter(|r| r.kind != kind).collect();
            assert!(strays.is_empty(), "set to {}: {strays:?} in\n{text}", kind.id());
            let rows = |evidence: &Evidence| {
                evidence.recognised.iter().filter(|r| r.kind == kind).map(|r| r.members).sum::<usize>()
            };
            let was = plain.recognised.iter().any(|r| r.kind == kind);
            if was {
                assert!(only.recognised.iter().any(|r| r.kind == kind), "{} is lost in\n{text}", kind.id());
                assert!(rows(&only) >= rows(&plain), "set to {}, fewer members in\n{text}", kind.id());
                seen.insert(kind);
            }
        }
    }
    let missing: Vec<_> = Kind::ALL.iter().filter(|k| !seen.contains(k)).map(|k| k.id()).collect();
    assert!(missing.is_empty(), "no text of {missing:?}");
}

#[test]
fn what_is_not_of_the_kind_that_was_set_is_unread_and_says_so() {
    let evidence = read(
        "ed683a91a8f49cc4, started, m1, http://10.0.0.1:2380, http://10.0.0.1:2379, false\n",
        Some(Kind::AlarmList),
    );
    assert_eq!(evidence.recognised, []);
    assert_eq!(evidence.unread[0].tried, "Read as alarm list only, as set for this paste; these lines are none.");
}

const LIST: &str = "ed683a91a8f49cc4, started, m1, http://10.0.0.1:2380, http://10.0.0.1:2379, false\n\
                    6c120a4f29d80e03, started, m2, http://10.0.0.2:2380, http://10.0.0.2:2379, false\n\
                    93554fe264581731, started, m3, http://10.0.0.3:2380, http://10.0.0.3:2379, false\n";

/// The list, and a text that is said to be of a member.
fn said(text: &str, member: &str) -> Cluster {
    let of = Paste { member: Some(member.to_owned()), ..Paste::new("of a member", text) };
    cluster::merge(&evidence::read(&[Paste::new("list", LIST), of]))
}

#[test]
fn everything_that_is_of_one_member_goes_to_the_member_that_was_set() {
    type Has = fn(&Member) -> bool;
    let texts: [(&str, Has); 10] = [
        ("127.0.0.1:2379 is healthy: successfully committed proposal: took = 2ms\n", |m| m.health.is_some()),
        ("127.0.0.1:2379, 1234, 7\n", |m| m.hash.is_some()),
        ("Failed to get the status of endpoint 127.0.0.1:2379 (context deadline exceeded)\n", |m| m.failed.is_some()),
        ("{\"etcdserver\":\"3.5.33\",\"etcdcluster\":\"3.5.0\"}\n", |m| m.server_version.is_some()),
        ("{\"health\":\"true\",\"reason\":\"\"}\n", |m| m.http_health.is_some()),
        ("No custom content found in v2store.\n", |m| m.v2_check.is_some()),
        ("-rw-r--r-- 1 root root 8123 Nov 30 11:25 0000000000000002-0000000000000011.snap\n", |m| {
            m.disk_snapshots.is_some()
        }),
        ("ETCD_DATA_DIR=/var/lib/etcd\nETCD_ENABLE_V2=true\n", |m| !m.flags.is_empty()),
        ("[Service]\nExecStart=/usr/bin/etcd --data-dir=/x\n", |m| !m.flags.is_empty()),
        ("panic: unmarshal should never fail (proto: cannot parse invalid wire-format data)\n", |m| !m.log.is_empty()),
    ];
    for (text, has) in texts {
        for member in ["m2", "6c120a4f29d80e03", "http://10.0.0.2:2379", "10.0.0.2"] {
            let cluster = said(text, member);
            let who: Vec<String> = cluster.members.iter().filter(|m| has(m)).map(Member::label).collect();
            assert_eq!(who, ["m2"], "{member}: {text}");
        }
        // A member nobody lists takes it from all of them.
        assert!(!said(text, "m9").members.iter().filter(|m| m.listed.is_some()).any(has), "{text}");
    }
}

#[test]
fn a_row_with_an_id_is_the_ids_whatever_was_set() {
    let row = "127.0.0.1:2379, 93554fe264581731, 3.5.33, 25 kB, false, false, 2, 31, 31, \n";
    let cluster = said(row, "m2");
    let who: Vec<String> = cluster.members.iter().filter(|m| m.status.is_some()).map(Member::label).collect();
    assert_eq!(who, ["m3"]);
}
