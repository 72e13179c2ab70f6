use super::*;

fn found(text: &str) -> Vec<(Kind, String)> {
    let mut found = Found::default();
    find::in_text(text, &mut found);
    found.redaction().pairs.into_iter().map(|pair| (pair.kind, pair.original)).collect()
}

#[track_caller]
fn finds(text: &str, kind: Kind, original: &str) {
    let all = found(text);
    assert!(all.contains(&(kind, original.to_owned())), "{text}: {all:?}");
}

#[test]
fn what_has_a_form_is_found_by_it() {
    finds("at 10.1.2.3:2379", Kind::V4, "10.1.2.3");
    finds("peer [fd00:1::2]:2380", Kind::V6, "fd00:1::2");
    finds("member 8e9e05c52164694d", Kind::Id, "8e9e05c52164694d");
    finds("member 8e9e05c52164694d", Kind::Id, "10276657743932975437");
    finds("\"member_id\":10276657743932975437", Kind::Id, "8e9e05c52164694d");
    finds("etcd-1.dc.acme.com is down", Kind::Host, "etcd-1.dc.acme.com");
    finds("etcd-1.dc.acme.com is down", Kind::Host, "dc.acme.com");
    finds("boot 3f2504e0-4f89-11d3-9a0c-0305e82c3301", Kind::Token, "3f2504e0-4f89-11d3-9a0c-0305e82c3301");
}

#[test]
fn what_stands_where_names_stand_is_found() {
    finds("https://store7:2379/health", Kind::Host, "store7");
    finds("store7:2379, 8e9e05c52164694d", Kind::Host, "store7");
    finds("ops@bastion3:~$ etcdctl", Kind::User, "ops");
    finds("ops@bastion3:~$ etcdctl", Kind::Host, "bastion3");
    finds("--initial-cluster=red7=https://10.0.0.1:2380,blue7=https://10.0.0.2:2380", Kind::Member, "blue7");
    finds("ETCD_NAME=red7", Kind::Member, "red7");
    finds("etcd --name red7 --data-dir /x", Kind::Member, "red7");
    finds("--initial-cluster-token=s3cret-9", Kind::Token, "s3cret-9");
    finds("initial-cluster-token: 's3cret-9'", Kind::Token, "s3cret-9");
    finds("Nov 30 21:40:00 store7 etcd[812]: ready", Kind::Host, "store7");
    finds("https://ann:pa55word@store7:2379", Kind::Token, "pa55word");
    finds("\"remote-peer-name\":\"red7\"", Kind::Member, "red7");
}

#[test]
fn versions_revisions_sizes_and_places_stay() {
    for text in [
        "etcd 3.5.33 → 3.6.16, cluster version 3.6.0",
        "revision 123456789012, raft index 18446, term 2, 2.1 GB of 8.6 GB",
        "member/snap/0000000000000002-000000000001869f.snap",
        "http://127.0.0.1:2379 and http://localhost:2379 and 0.0.0.0 and [::1]:2379 and [::]:2380",
        "/etc/etcd/etcd.conf.yml and etcd.service and ca.crt, kube-apiserver.yaml",
        "quay.io/coreos/etcd:v3.5.33 registry.k8s.io/etcd:3.5.33-0",
        "caller\":\"etcdserver/server.go:861\"",
        "2026-11-30T12:00:00.123Z and 12:00:00",
        "--listen-client-urls=https://127.0.0.1:2379 ETCD_LISTEN_PEER_URLS=https://127.0.0.1:2380",
        "Snapshot hash fe01cf57, hash 3245678912",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn stand_ins_are_told_apart_and_never_meet_a_name() {
    let mut made = Found::default();
    for name in ["member-1", "red7", "member-2"] {
        made.add(Kind::Member, name);
    }
    let stand_ins: Vec<String> = made.redaction().pairs.into_iter().map(|pair| pair.stand_in).collect();
    assert_eq!(stand_ins, ["member-3", "member-4", "member-5"]);
    assert_eq!([1, 26, 27, 53].map(letters), ["a", "z", "aa", "ba"]);
    assert_eq!([1, 254, 255, 763].map(v4), ["192.0.2.1", "192.0.2.254", "198.51.100.1", "198.18.3.1"]);
}

#[test]
fn a_key_maps_an_answer_back() {
    let mut made = Found::default();
    find::in_text("https://store7:2379 8e9e05c52164694d 10.1.2.3", &mut made);
    let redaction = made.redaction();
    let text = "store7 (8e9e05c52164694d, 10276657743932975437) at 10.1.2.3:2379";
    let hidden = redaction.text(text);
    assert_eq!(hidden, "host-a (1d00000000000001, 2089670227099910145) at 192.0.2.1:2379");
    assert_eq!(put_back(&hidden, &redaction.key()).unwrap(), text);
    assert!(put_back("x", "[1]").unwrap_err().contains("expected the key"));
}

#[test]
fn a_quote_that_was_cut_loses_its_halves() {
    let mut quote = format!("cme-prod-7 {} acme-pro", "x ".repeat(195));
    whole_words(&mut quote);
    assert!(!quote.contains("cme"), "{quote}");
    let mut short = "acme-prod-7".to_owned();
    whole_words(&mut short);
    assert_eq!(short, "acme-prod-7");
}
