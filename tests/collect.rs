//! The collect script, run by `dash` over a made-up `/proc` with etcd's tools played from captures, and its real output
//! on real clusters: what commands can answer it answers, and it leaves nothing behind.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::collect::{FILE_NAME, SCRIPT};
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use time::macros::datetime;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// A host made up in a folder of its own.
struct Host {
    folder: PathBuf,
    captures: &'static str,
    environment: Vec<(&'static str, String)>,
}

impl Host {
    fn new(name: &str, captures: &'static str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("collect").join(name);
        let _ = fs::remove_dir_all(&folder);
        for sub in ["proc/self", "tmp", "manifests", "bin"] {
            fs::create_dir_all(folder.join(sub)).unwrap();
        }
        fs::write(folder.join(FILE_NAME), SCRIPT).unwrap();
        let host = Self { folder, captures, environment: Vec::new() };
        for tool in ["etcd", "etcdctl", "etcdutl"] {
            symlink(fixtures().join("collect/bin").join(tool), host.path("bin").join(tool)).unwrap();
        }
        host
    }

    fn path(&self, part: &str) -> PathBuf {
        self.folder.join(part)
    }

    /// A process, and the data directory `data-NAME` beside it.
    fn process(&self, pid: u32, comm: &str, arguments: &[&str], environment: Option<&[&str]>) {
        let folder = self.path("proc").join(pid.to_string());
        fs::create_dir_all(&folder).unwrap();
        let joined = |parts: &[&str]| parts.iter().map(|p| format!("{p}\0")).collect::<String>();
        fs::write(folder.join("comm"), format!("{comm}\n")).unwrap();
        fs::write(folder.join("cmdline"), joined(arguments)).unwrap();
        if let Some(environment) = environment {
            fs::write(folder.join("environ"), joined(environment)).unwrap();
        }
        symlink(self.path("bin/etcd"), folder.join("exe")).unwrap();
    }

    /// Member `m1`, m2 and m3 as processes of this host, as in the captures.
    fn three_members(&self, environment: &[&str]) {
        for (pid, name, port) in [(101, "m1", 23790), (102, "m2", 23800), (103, "m3", 23810)] {
            let data = self.data_dir(name);
            let client = format!("http://127.0.0.1:{port}");
            let arguments = [
                "/usr/local/bin/etcd",
                &format!("--name={name}"),
                "--data-dir",
                &data,
                &format!("--listen-client-urls={client}"),
                &format!("--advertise-client-urls={client}"),
            ];
            self.process(pid, "etcd", &arguments, Some(environment));
        }
    }

    fn data_dir(&self, name: &str) -> String {
        let data = self.path("data").join(name);
        fs::create_dir_all(data.join("member/snap")).unwrap();
        fs::create_dir_all(data.join("member/wal")).unwrap();
        fs::write(data.join("member/snap/0000000000000002-0000000000000011.snap"), "snap").unwrap();
        fs::write(data.join("member/snap/db"), "db").unwrap();
        fs::write(data.join("member/wal/0000000000000000-0000000000000000.wal"), "wal").unwrap();
        data.to_str().unwrap().to_owned()
    }

    fn run(&self, options: &[&str]) -> Output {
        let path = format!("{}:/usr/bin:/bin", self.path("bin").display());
        let mut command = Command::new("dash");
        command.arg(self.path(FILE_NAME)).args(options).env_clear().env("PATH", path).env("HOME", "/");
        command.env("ETCD_COLLECT_PROC", self.path("proc")).env("ETCD_COLLECT_MANIFESTS", self.path("manifests"));
        command.env("TMPDIR", self.path("tmp")).env("CHECKED", self.path("checked"));
        command.env("CAPTURES", fixtures().join("captures").join(self.captures));
        command.envs(self.environment.iter().map(|(k, v)| (k, v)));
        command.output().expect("dash runs the script: install it")
    }

    /// What it prints, after a run without complaint.
    fn collect(&self, options: &[&str]) -> String {
        let output = self.run(options);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{out}\n{err}");
        assert_eq!(err, "");
        assert!(out.ends_with("##etcd-collect end##\n"), "{out}");
        assert_eq!(fs::read_dir(self.path("tmp")).unwrap().count(), 0, "nothing is left behind");
        out
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

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
