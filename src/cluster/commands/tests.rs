//! Commands as an operator copies them, and as a shell reads them.

use std::process::Command;

use super::{Commands, Restored};
use crate::cluster::Cluster;
use crate::cluster::testing::{Build, nothing, three_members, version};
use crate::etcd::version::Minor;
use crate::evidence::answers::Answers;
use crate::evidence::fact::{FlagForm, FlagSource, V2Check};

fn answers(given: &[&str]) -> Answers {
    let mut answers = Answers::new();
    for answer in given {
        answers.take(answer).unwrap();
    }
    answers
}

fn commands(build: &Build, given: &[&str]) -> Commands {
    Commands::new(&build.build(), &answers(given))
}

const ALL: &str = "--endpoints=https://10.0.0.1:2379,https://10.0.0.2:2379,https://10.0.0.3:2379";
const TLS: &str = "--cacert=/etc/etcd/ca.crt --cert=/etc/etcd/server.crt --key=/etc/etcd/server.key";

#[test]
fn endpoints_and_certificates_are_filled_in() {
    let commands = commands(&three_members("3.5.33").clean_flags(), &[]);
    assert_eq!(commands.status(), format!("etcdctl {ALL} {TLS} endpoint status -w table"));
    assert_eq!(commands.member_list(), format!("etcdctl {ALL} {TLS} member list -w table"));
    assert_eq!(
        commands.etcdctl_at(Some(1), "defrag"),
        format!("etcdctl --endpoints=https://10.0.0.2:2379 {TLS} defrag")
    );
    assert_eq!(
        commands.curl(Some(2), "/version"),
        "curl -s --cacert /etc/etcd/ca.crt --cert /etc/etcd/server.crt --key /etc/etcd/server.key \
         https://10.0.0.3:2379/version"
    );
}

#[test]
fn answers_come_before_what_was_pasted() {
    let given = ["endpoints=https://lb:2379", "cacert=/a b/ca.pem", "cert=/c.pem", "key=/k.pem"];
    let commands = commands(&three_members("3.5.33").clean_flags(), &given);
    let tls = "--cacert='/a b/ca.pem' --cert=/c.pem --key=/k.pem";
    assert_eq!(
        commands.status(),
        format!("etcdctl --endpoints=https://lb:2379 {tls} endpoint status --cluster -w table")
    );
    assert_eq!(
        commands.etcdctl_at(Some(0), "defrag"),
        format!("etcdctl --endpoints=https://10.0.0.1:2379 {tls} defrag")
    );
}

#[test]
fn without_a_member_list_etcd_is_asked_for_all_members() {
    let commands = commands(&three_members("3.5.33").no_member_list(), &[]);
    assert_eq!(commands.health(), format!("etcdctl {ALL} endpoint health --cluster"));
    assert_eq!(
        super::Commands::new(&nothing().build(), &answers(&[])).status(),
        "etcdctl endpoint status --cluster -w table"
    );
}

#[test]
fn plain_http_takes_no_certificates() {
    let mut build = three_members("3.5.33").clean_flags();
    for name in ["m1", "m2", "m3"] {
        build = build.listed(name, |m| m.client_urls[0] = m.client_urls[0].replace("https", "http"));
    }
    let commands = commands(&build, &[]);
    assert!(!commands.member_list().contains("cacert"), "{}", commands.member_list());
    assert_eq!(commands.curl(Some(0), "/health"), "curl -s http://10.0.0.1:2379/health");
}

#[test]
fn the_variable_for_the_v3_tool_is_set_only_where_it_is_needed() {
    assert!(commands(&three_members("3.3.27"), &[]).status().starts_with("ETCDCTL_API=3 etcdctl "));
    for newer in ["3.4.23", "3.5.33", "3.6.16", "3.7.3"] {
        assert!(!commands(&three_members(newer), &[]).status().contains("ETCDCTL_API"), "{newer}");
    }
}

#[test]
fn the_leader_is_moved_at_the_leader() {
    let commands = commands(&three_members("3.5.33").leader(Some("m2")), &[]);
    assert_eq!(commands.move_leader(Some(1), Some(2)), "etcdctl --endpoints=https://10.0.0.2:2379 move-leader a3");
    assert_eq!(commands.move_leader(None, Some(0)), "etcdctl --endpoints=https://10.0.0.2:2379 move-leader a1");
}

#[test]
fn a_backup_snapshot_comes_from_one_follower_that_answers() {
    let build = three_members("3.5.33").unreachable("m2");
    let commands = commands(&build, &[]);
    assert_eq!(
        commands.snapshot_save(None, "backup.db"),
        "etcdctl --endpoints=https://10.0.0.3:2379 snapshot save backup.db"
    );
    assert_eq!(commands.snapshot_status(None, "backup.db"), "etcdutl snapshot status backup.db -w table");
    let old = super::Commands::new(&three_members("3.4.23").build(), &answers(&[]));
    assert_eq!(old.snapshot_status(None, "backup.db"), "etcdctl snapshot status backup.db -w table");
}

#[test]
fn the_formal_downgrade_names_a_minor() {
    let commands = commands(&three_members("3.6.16"), &[]);
    assert_eq!(
        commands.downgrade("enable", Some(Minor::new(3, 5))),
        "etcdctl --endpoints=https://10.0.0.1:2379 downgrade enable 3.5"
    );
    assert_eq!(commands.downgrade("cancel", None), "etcdctl --endpoints=https://10.0.0.1:2379 downgrade cancel");
}

#[test]
fn auth_status_is_asked_only_where_it_exists() {
    assert_eq!(commands(&three_members("3.4.23"), &[]).auth_status(), None);
    assert_eq!(commands(&three_members("3.5.33"), &[]).auth_status(), Some(format!("etcdctl {ALL} auth status")));
}

#[test]
fn systemd_members_are_moved_by_their_unit() {
    let commands = commands(&three_members("3.5.33").clean_flags(), &["run-by=systemd-binary"]);
    assert_eq!(commands.stop(Some(1)), ["ssh 10.0.0.2 sudo systemctl stop etcd"]);
    assert_eq!(commands.start(Some(1)), ["ssh 10.0.0.2 sudo systemctl start etcd"]);
    let files = "etcd-v3.6.16-linux-amd64";
    assert_eq!(
        commands.replace(Some(1), &version("3.6.16")),
        [
            format!("ssh 10.0.0.2 sudo install -m 0755 {files}/etcd {files}/etcdctl {files}/etcdutl /usr/local/bin/"),
            "ssh 10.0.0.2 etcd --version".to_owned()
        ]
    );
    assert!(!commands.replace(None, &version("3.4.38"))[0].contains("etcdutl"), "3.4 has none");
    assert_eq!(
        commands.list_disk_snapshots(Some(0)),
        "ssh 10.0.0.1 sudo ls -l --time-style=full-iso /var/lib/etcd/member/snap"
    );
}

#[test]
fn static_pods_are_moved_by_their_manifest_and_asked_in_their_pod() {
    let commands = commands(&three_members("3.5.33"), &["run-by=kubeadm-stacked"]);
    let pki = "/etc/kubernetes/pki/etcd";
    assert_eq!(
        commands.etcdctl_at(Some(2), "endpoint health"),
        format!(
            "kubectl -n kube-system exec etcd-m3 -- etcdctl --endpoints=https://10.0.0.3:2379 --cacert={pki}/ca.crt \
             --cert={pki}/server.crt --key={pki}/server.key endpoint health"
        )
    );
    assert_eq!(commands.stop(Some(0))[0], "ssh 10.0.0.1 sudo mv /etc/kubernetes/manifests/etcd.yaml /root/etcd.yaml");
    assert_eq!(commands.start(Some(0)), ["ssh 10.0.0.1 sudo mv /root/etcd.yaml /etc/kubernetes/manifests/etcd.yaml"]);
    assert_eq!(commands.show_flags(Some(0)), "ssh 10.0.0.1 sudo cat /etc/kubernetes/manifests/etcd.yaml");
    assert!(commands.snapshot_save(None, "b.db").ends_with(" snapshot save /var/lib/etcd/b.db"));
    assert_eq!(
        commands.snapshot_status(None, "b.db"),
        "kubectl -n kube-system exec etcd-m2 -- etcdctl snapshot status /var/lib/etcd/b.db -w table"
    );
}

#[test]
fn an_unknown_way_of_running_gets_no_made_up_steps() {
    let commands = commands(&three_members("3.5.33"), &[]);
    assert_eq!(commands.platform(), None);
    assert!(commands.stop(Some(0)).is_empty() && commands.start(Some(0)).is_empty());
    assert!(commands.replace(Some(0), &version("3.6.16")).is_empty());
    let asked: Vec<&str> = commands.asks_for().into_iter().map(crate::evidence::answers::AnswerKey::id).collect();
    assert_eq!(asked, ["cacert", "cert", "key", "data-dir", "run-by"]);
    let known =
        super::Commands::new(&three_members("3.5.33").clean_flags().build(), &answers(&["run-by=systemd-binary"]));
    assert_eq!(known.asks_for(), []);
}

#[test]
fn how_etcd_is_run_is_read_off_the_flags_or_not_at_all() {
    let of = |source, settings: &[&str]| {
        let build = three_members("3.5.33").flags_from("m1", source, FlagForm::CommandLine, settings);
        super::platform(&build.build(), &answers(&[])).map(|(p, said)| (p.id, said))
    };
    assert_eq!(of(FlagSource::SystemdUnit, &["data-dir=/data"]), Some(("systemd-binary", false)));
    assert_eq!(of(FlagSource::SystemdUnit, &["data-dir=/var/lib/etcd/default"]), Some(("deb-package", false)));
    let kubeadm = ["cert-file=/etc/kubernetes/pki/etcd/server.crt"];
    assert_eq!(of(FlagSource::PodManifest, &kubeadm), Some(("kubeadm-stacked", false)));
    assert_eq!(of(FlagSource::PodManifest, &["cert-file=/tls/server.crt"]), None);
    for (setting, id) in [
        ("data-dir=/var/lib/rancher/k3s/server/db/etcd", "k3s-embedded"),
        ("config-file=/var/lib/rancher/rke2/server/db/etcd/config", "rke2"),
        ("cert-file=/etc/ssl/etcd/ssl/member-a.pem", "kubespray"),
        ("cert-file=/etc/kubernetes/static-pod-certs/secrets/etcd-all-certs/etcd-serving-a.crt", "openshift"),
        ("cert-file=/system/secrets/etcd/server.crt", "talos"),
        ("data-dir=/var/lib/k0s/etcd", "k0s"),
        ("data-dir=/bitnami/etcd/data", "bitnami-chart"),
    ] {
        assert_eq!(of(FlagSource::SystemdUnit, &[setting]), Some((id, false)), "{setting}");
    }
    assert_eq!(of(FlagSource::SystemdUnit, &["data-dir=/var/lib/rancher/other"]), None);
    assert_eq!(of(FlagSource::CommandLine, &["data-dir=/data"]), None);
    let both = three_members("3.5.33")
        .flags_from("m1", FlagSource::SystemdUnit, FlagForm::CommandLine, &["data-dir=/data"])
        .flags_from("m2", FlagSource::PodManifest, FlagForm::CommandLine, &kubeadm);
    assert_eq!(super::platform(&both.build(), &answers(&[])), None);
    let said = super::platform(&both.build(), &answers(&["run-by=systemd-binary"]));
    assert_eq!(said.map(|(p, said)| (p.id, said)), Some(("systemd-binary", true)));
}

#[test]
fn the_v2_store_is_checked_by_a_tool_that_reads_the_wal() {
    let new = commands(&three_members("3.5.33").clean_flags(), &[]);
    assert_eq!(new.check_v2store(Some(0)), ["ssh 10.0.0.1 sudo etcdutl check v2store --data-dir /var/lib/etcd"]);
    let old = commands(&three_members("3.5.21").clean_flags(), &[]);
    let check = old.check_v2store(Some(0));
    assert!(check[0].starts_with("# unpack etcd 3.5.") && check[0].contains("3.5.32"), "{}", check[0]);
    assert!(check[1].contains("-linux-amd64/etcdutl check v2store"), "{}", check[1]);
}

#[test]
fn a_copy_to_check_is_named_after_its_member() {
    let build = three_members("3.5.33").clean_flags();
    let commands = commands(&build, &[]);
    let check = commands.check_v2store_of_copy(Some(1)).into_iter().find(|c| c.contains("check v2store")).unwrap();
    let dir = check.split_whitespace().last().unwrap();
    let hint = crate::evidence::fact::MemberHint { data_dir: Some(dir.to_owned()), ..Default::default() };
    let mut evidence = build.evidence();
    evidence.facts.push(crate::evidence::fact::Fact {
        span: crate::evidence::fact::Span::line(1, 1),
        hint,
        body: crate::evidence::fact::Body::V2Check(V2Check::CleanWithWal),
    });
    let cluster = crate::cluster::merge(&evidence);
    let checked: Vec<bool> = cluster.members.iter().map(|m| m.v2_check.is_some()).collect();
    assert_eq!(checked, [false, true, false]);
}

/// Every command there is, for every member and for none.
fn every_command(cluster: &Cluster, answers: &Answers) -> Vec<String> {
    let c = Commands::new(cluster, answers);
    let mut all = vec![c.status(), c.health(), c.hash(), c.member_list(), c.alarm_list()];
    all.extend(c.auth_status());
    let target = version("3.6.16");
    for member in std::iter::once(None).chain((0..cluster.members.len()).map(Some)) {
        all.extend([
            c.etcdctl_at(member, "endpoint status"),
            c.move_leader(member, member),
            c.snapshot_save(member, "backup.db"),
            c.snapshot_status(member, "backup.db"),
            c.show_flags(member),
            c.list_disk_snapshots(member),
            c.curl(member, "/version"),
        ]);
        all.extend([c.stop(member), c.start(member), c.replace(member, &target), c.log(member)].concat());
        all.extend([c.check_v2store(member), c.check_v2store_of_copy(member)].concat());
        let file = "backup $(touch pwned).db";
        let restored = Restored { file, token: "restored-from-7", bump: Some("1000") };
        all.extend([c.copy_snapshot(member, file), c.try_restore(file), c.move_data_aside(member)].concat());
        all.extend([c.restore(member, restored), c.put_data_back(member)].concat());
        all.extend([c.check_snapshot(file), c.revision()]);
    }
    all
}

/// A cluster whose names, URLs and paths try to run something.
fn hostile() -> Build {
    const BAD: &str = "x$(touch pwned)`touch pwned`';touch pwned;\"|touch pwned\n&touch pwned";
    three_members("3.5.21")
        .listed("m2", |m| {
            m.client_urls = vec![format!("https://{BAD}:2379")];
            m.peer_urls = vec![format!("https://{BAD}:2380")];
            m.name = Some(BAD.to_owned());
        })
        .listed("m3", |m| {
            m.client_urls = vec!["https://-oProxyCommand=touch:2379".to_owned()];
            m.peer_urls.clear();
            m.name = Some("--help".to_owned());
        })
        .flags(
            "m1",
            &[&format!("data-dir=/x{}", BAD.replace(['$', '`'], "")), &format!("cert-file=/{BAD}"), "key-file=-k"],
        )
}

/// What a shell makes of a command: every tool only shows its words, ssh runs what it is given as the other host would.
const STUBS: &str = r#"
PATH=/nonexistent
show() { printf '<%s>' "$@"; echo; }
sudo() { "$@"; }
env() { show "$@"; }
for tool in cp etcd etcdctl etcdutl kubectl curl systemctl install mv crictl sed grep journalctl ps ls mkdir tar rm cat tr scp sha256sum chown chmod; do
    eval "$tool() { show $tool \"\$@\"; }"
done
sh() { [ "$1" = -c ] && eval "$2"; }
pgrep() { echo self; }
ssh() { show ssh "$1"; shift; eval "$*"; }
"#;

/// Runs a command among the stubs; a downloaded etcdutl stands for the installed one.
fn run(command: &str, dir: &std::path::Path) -> (bool, String) {
    let downloaded = super::host::check_release().map(|v| format!("{}/etcdutl", super::host::release_dir(&v))).unwrap();
    let script = format!("{STUBS}\nset -e\n{}", command.replace(&downloaded, "etcdutl"));
    let out = Command::new("sh").current_dir(dir).args(["-c", &script]).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    (out.status.success(), text)
}

#[test]
fn every_command_runs_and_nothing_pasted_runs_with_it() {
    let dir = std::env::temp_dir().join(format!("etcd-upgrade-planner-commands-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for build in [three_members("3.3.27"), three_members("3.5.21").clean_flags(), hostile(), nothing()] {
        for run_by in [&[][..], &["run-by=systemd-binary"], &["run-by=kubeadm-stacked"]] {
            for command in every_command(&build.build(), &answers(run_by)) {
                let (ok, text) = run(&command, &dir);
                assert!(ok && !text.contains("not found"), "{command}\n{text}");
                assert!(!command.contains('\n'), "one line each: {command}");
            }
        }
    }
    let left: Vec<_> = std::fs::read_dir(&dir).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    std::fs::remove_dir(&dir).unwrap();
}
