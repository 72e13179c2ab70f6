//! The collect script, run by `dash` over a made-up `/proc` with etcd's tools played from captures, and its real output
//! on real clusters: what commands can answer it answers, and it leaves nothing behind.
#![allow(clippy::unwrap_used)]

mod elsewhere;
mod host;

use std::fs;
use std::process::Command;

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::collect::{FILE_NAME, SCRIPT};
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use time::macros::datetime;

use host::{Host, fixtures, text};

fn judge(text: &str, to: &str) -> Report {
    let intent = Intent { kind: IntentKind::Upgrade, from: None, to: Target::Minor(to.parse().unwrap()) };
    let pastes = [Paste::new("collected", text)];
    etcd_upgrade_planner::judge(&pastes, &intent, &Answers::new(), datetime!(2026-11-30 12:00 UTC))
}

/// The gates that wait for evidence.
fn open(report: &Report) -> Vec<&str> {
    let open = report.findings.iter().filter(|f| f.outcome == "cant-tell");
    open.map(|f| f.gate.as_str()).collect()
}

fn assert_read(report: &Report, text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let unread: Vec<&str> = report.unread.iter().flat_map(|u| &lines[u.first_line - 1..u.last_line]).copied().collect();
    assert_eq!(unread, [""; 0], "the planner reads all that the script prints");
}

#[test]
fn dash_finds_no_fault_in_it() {
    let host = Host::new("syntax", "healthy-3.5.33");
    let output = Command::new("dash").arg("-n").arg(host.path(FILE_NAME)).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn real_clusters_leave_open_only_what_no_command_answers() {
    for (file, to, left) in [
        ("three-members-3.5.35", "3.6", &["snapshot-missing"][..]),
        ("three-members-3.6.16", "3.7", &["v2-entries-before-37", "snapshot-missing"]),
    ] {
        let text = fs::read_to_string(fixtures().join(format!("collect/{file}.txt"))).unwrap();
        let report = judge(&text, to);
        assert_eq!(open(&report), left, "{file}");
        assert!(report.findings.iter().all(|f| f.outcome != "blocked" && f.outcome != "warning"), "{file}");
        assert_read(&report, &text);
        assert_eq!(report.members.len(), 3);
    }
}

#[test]
fn a_real_cluster_with_a_member_down_is_blocked_by_it() {
    let text = fs::read_to_string(fixtures().join("collect/one-down-3.5.35.txt")).unwrap();
    let report = judge(&text, "3.6");
    let blocked: Vec<&str> =
        report.findings.iter().filter(|f| f.outcome == "blocked").map(|f| f.gate.as_str()).collect();
    assert_eq!(blocked, ["member-unreachable"]);
    assert_read(&report, &text);
}

#[test]
fn one_run_answers_every_gate_that_commands_can() {
    let host = Host::new("healthy", "healthy-3.5.33");
    host.three_members(&["PATH=/bin", "ETCD_AUTO_COMPACTION_RETENTION=1"]);
    let text = host.collect(&[]);
    let report = judge(&text, "3.6");
    assert_eq!(open(&report), ["snapshot-missing"], "{text}");
    assert_read(&report, &text);
    let checked = fs::read_to_string(host.path("checked")).unwrap();
    assert!(checked.contains(".wal") && checked.contains(".snap") && !checked.contains("db"), "{checked}");
    assert!(text.contains("etcdutl check v2store --data-dir=") && !text.contains("etcd-collect."), "{text}");
}

#[test]
fn secrets_are_masked() {
    let host = Host::new("secrets", "healthy-3.5.33");
    let data = host.data_dir("m1");
    let arguments =
        ["etcd", "--name", "m1", "--data-dir", &data, "--initial-cluster-token", "hush-1", "--auth-token=jwt,hush-2"];
    let environment = [
        "ETCD_ROOT_PASSWORD=hush-3 hush-4",
        "ETCD_CLIENT_SECRET='hush-5'",
        "AWS_SECRET=hush-6",
        "ETCD_DISCOVERY=https://user:hush-7@discovery.example",
        "ETCD_LOG_LEVEL=info",
    ];
    host.process(7, "etcd", &arguments, Some(&environment));
    fs::write(
        host.path("manifests/etcd.yaml"),
        "image: registry/etcd:3\n- --data-dir=/x\n- name: ETCD_AUTH_TOKEN\n  value: hush-8\n- --initial-cluster-token=hush-9\n",
    )
    .unwrap();
    let text = host.collect(&[]);
    assert!(!text.contains("hush"), "{text}");
    assert!(!text.contains("AWS_"), "only etcd's own variables are printed: {text}");
    assert!(text.contains("ETCD_LOG_LEVEL=info"), "{text}");
    assert!(text.contains("--initial-cluster-token '***'") || text.contains("--initial-cluster-token ***"), "{text}");
}

#[test]
fn an_unreadable_environment_leaves_the_flags_open() {
    let host = Host::new("environment", "healthy-3.5.33");
    let data = host.data_dir("m1");
    host.process(7, "etcd", &["etcd", "--name=m1", "--data-dir", &data], None);
    let output = host.run(&[]);
    assert!(text(&output.stderr).contains("the environment of process 7 can't be read: run this as root"));
    let report = judge(&text(&output.stdout), "3.6");
    assert!(open(&report).contains(&"flag-removed"));
}

#[test]
fn an_old_etcdctl_is_told_to_speak_the_new_api() {
    let mut host = Host::new("old-tool", "healthy-3.5.33");
    host.three_members(&[]);
    host.environment.push(("OLD_TOOL", "yes".to_owned()));
    assert_eq!(open(&judge(&host.collect(&[]), "3.6")), ["snapshot-missing"]);
}

#[test]
fn without_tools_the_member_is_still_shown() {
    let host = Host::new("no-tools", "healthy-3.5.33");
    host.three_members(&[]);
    fs::remove_file(host.path("bin/etcdctl")).unwrap();
    fs::remove_file(host.path("bin/etcdutl")).unwrap();
    let output = host.run(&[]);
    assert!(output.status.success());
    assert_eq!(text(&output.stderr), "etcd-collect: etcdctl was not found: give its path with --etcdctl\n");
    let out = text(&output.stdout);
    assert!(out.contains("member=m2") && out.contains("0000000000000002-0000000000000011.snap"), "{out}");
    let report = judge(&out, "3.6");
    assert!(open(&report).contains(&"v2store-not-checked"), "a tool that is missing is no answer");
    assert_read(&report, &out);
}

#[test]
fn the_file_of_a_config_file_is_shown_and_says_where_to_ask() {
    let host = Host::new("config-file", "healthy-3.5.33");
    let data = host.data_dir("m1");
    let config = host.path("etcd.conf.yml");
    let yaml = format!(
        "name: m1\ndata-dir: {data}\nlisten-client-urls: http://0.0.0.0:23790\nadvertise-client-urls: http://10.0.0.1:23790\n\
         initial-cluster-token: hush\n"
    );
    fs::write(&config, yaml).unwrap();
    host.process(7, "etcd", &["etcd", "--config-file", config.to_str().unwrap()], Some(&["ETCD_NAME=other"]));
    let text = host.collect(&[]);
    assert!(text.contains(&format!("command=cat {}##\nname: m1\n", config.display())), "{text}");
    assert!(!text.contains("hush"), "{text}");
    assert!(text.contains("member=m1 "), "the config file beats the environment: {text}");
}

#[test]
fn the_api_server_shows_which_etcd_it_uses_and_nothing_else() {
    let host = Host::new("api-server", "healthy-3.5.33");
    host.three_members(&[]);
    let arguments = ["kube-apiserver", "--token-auth-file=/hush", "--etcd-servers=https://127.0.0.1:2379", "--v=2"];
    host.process(9, "kube-apiserver", &arguments, Some(&[]));
    let text = host.collect(&[]);
    assert!(text.contains("\nkube-apiserver --etcd-servers=https://127.0.0.1:2379 \n"), "{text}");
    assert!(!text.contains("hush"));
}

#[test]
fn wrong_options_end_it() {
    let host = Host::new("options", "healthy-3.5.33");
    for options in [&["--fly"][..], &["--endpoints"]] {
        let output = host.run(options);
        assert_eq!(output.status.code(), Some(4));
        assert!(text(&output.stderr).contains("usage: sh etcd-collect.sh"));
        assert_eq!(text(&output.stdout), "");
    }
}

#[test]
fn the_command_line_prints_it() {
    let output = Command::new(env!("CARGO_BIN_EXE_etcd-upgrade-planner")).arg("collect-script").output().unwrap();
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), SCRIPT);
}
