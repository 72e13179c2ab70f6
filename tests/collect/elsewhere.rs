//! The collect script where etcd is not a plain process of this host: behind TLS, in a pod, on other hosts over ssh, and
//! asked through the Kubernetes API.

use std::fs;
use std::os::unix::fs::symlink;

use super::host::{Host, text};
use super::{assert_read, judge, open};

/// Flags of a member behind TLS.
fn secure(name: &str, data: &str, port: u16) -> Vec<String> {
    [
        "etcd",
        &format!("--name={name}"),
        &format!("--data-dir={data}"),
        &format!("--listen-client-urls=https://127.0.0.1:{port},https://10.0.0.1:{port}"),
        &format!("--advertise-client-urls=https://10.0.0.1:{port}"),
        "--cert-file=/etc/kubernetes/pki/etcd/server.crt",
        "--key-file=/etc/kubernetes/pki/etcd/server.key",
        "--trusted-ca-file=/etc/kubernetes/pki/etcd/ca.crt",
        "--client-cert-auth=true",
    ]
    .map(str::to_owned)
    .to_vec()
}

fn calls(host: &Host) -> Vec<String> {
    fs::read_to_string(host.path("calls")).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[test]
fn behind_tls_the_servers_own_files_open_the_door() {
    let mut host = Host::new("tls", "healthy-3.5.33");
    host.environment.push(("CALLS", host.path("calls").display().to_string()));
    host.environment.push(("SCHEME", "https".to_owned()));
    for (pid, name, port) in [(101, "m1", 23790), (102, "m2", 23800), (103, "m3", 23810)] {
        let flags = secure(name, &host.data_dir(name), port);
        host.process(pid, "etcd", &flags.iter().map(String::as_str).collect::<Vec<_>>(), Some(&[]));
    }
    let out = host.collect(&[]);
    let asked: Vec<String> = calls(&host).into_iter().filter(|c| c.contains("endpoint status")).collect();
    assert!(!asked.is_empty());
    for call in &asked {
        for part in ["--cacert=/etc/kubernetes/pki/etcd/ca.crt", "--cert=/etc/kubernetes/pki/etcd/server.crt"] {
            assert!(call.contains(part), "{call}");
        }
        assert!(call.contains("--key=/etc/kubernetes/pki/etcd/server.key"), "{call}");
    }
    let first = calls(&host).into_iter().find(|c| c.contains("member list")).unwrap();
    assert!(first.contains("--endpoints=https://127.0.0.1:23790 "), "the local address is asked: {first}");
    let report = judge(&out, "3.6");
    assert_eq!(open(&report), ["snapshot-missing"], "{out}");
    assert_read(&report, &out);
    // What the page tells people to run takes the same files.
    let told: Vec<&String> = report
        .checklist
        .iter()
        .flat_map(|p| &p.steps)
        .flat_map(|s| &s.commands)
        .filter(|c| c.contains("etcdctl"))
        .collect();
    assert!(told.iter().any(|c| c.contains("--cacert=/etc/kubernetes/pki/etcd/ca.crt")), "{told:?}");
    // What was given by hand goes before.
    fs::remove_file(host.path("calls")).unwrap();
    host.collect(&["--cacert", "/home/me/ca.pem", "--cert=/home/me/me.pem", "--key=/home/me/me.key"]);
    let by_hand = calls(&host).into_iter().find(|c| c.contains("endpoint status")).unwrap();
    assert!(by_hand.contains("--cacert=/home/me/ca.pem") && !by_hand.contains("/etc/kubernetes"), "{by_hand}");
}

/// A container has its own mounts: paths are those inside of it, and so are the tools.
#[test]
fn a_static_pod_is_asked_inside_of_its_container() {
    let host = Host::new("static-pod", "healthy-3.5.33");
    let inside = host.path("container");
    fs::create_dir_all(inside.join("usr/local/bin")).unwrap();
    for tool in ["etcdctl", "etcdutl"] {
        fs::rename(host.path("bin").join(tool), inside.join("usr/local/bin").join(tool)).unwrap();
    }
    let data = host.data_dir("m1");
    fs::create_dir_all(inside.join("var/lib")).unwrap();
    fs::rename(&data, inside.join("var/lib/etcd")).unwrap();
    let flags = secure("m1", "/var/lib/etcd", 23790);
    host.process(101, "etcd", &flags.iter().map(String::as_str).collect::<Vec<_>>(), Some(&[]));
    let process = host.path("proc/101");
    fs::create_dir_all(process.join("ns")).unwrap();
    symlink("mnt:[4026532000]", process.join("ns/mnt")).unwrap();
    fs::create_dir_all(host.path("proc/self/ns")).unwrap();
    symlink("mnt:[4026531841]", host.path("proc/self/ns/mnt")).unwrap();
    symlink(&inside, process.join("root")).unwrap();
    // Plays the container: what runs in there is found below its root.
    host.program(
        "nsenter",
        "pid=$2\nshift 4\ncommand=$1\nshift\nprintf '%s\\n' \"$command $*\" >>\"$ENTERED\"\n\
         exec \"$ETCD_COLLECT_PROC/$pid/root$command\" \"$@\"\n",
    );
    let manifest = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: etcd\n  namespace: kube-system\nspec:\n  containers:\n  \
                    - command:\n    - etcd\n    - --name=m1\n    - --data-dir=/var/lib/etcd\n    image: registry.k8s.io/etcd:3.5.33-0\n    \
                    name: etcd\n";
    fs::write(host.path("manifests/etcd.yaml"), manifest).unwrap();
    let mut host = host;
    host.environment.push(("ENTERED", host.path("entered").display().to_string()));
    let out = host.collect(&[]);
    let entered = fs::read_to_string(host.path("entered")).unwrap();
    assert!(entered.contains("/usr/local/bin/etcdctl") && entered.contains("endpoint status"), "{entered}");
    assert!(out.contains("command=ls -l --time-style=full-iso /var/lib/etcd/member/snap"), "{out}");
    assert!(out.contains("etcdutl check v2store --data-dir=/var/lib/etcd"), "{out}");
    assert!(out.contains(&format!("command=cat {}", host.path("manifests/etcd.yaml").display())), "{out}");
    let report = judge(&out, "3.6");
    assert_read(&report, &out);
    let m1 = report.members.iter().find(|m| m.label == "m1").unwrap();
    assert!(m1.flags.is_some() && m1.v2.as_deref() == Some("clean"), "{m1:?}");
}

/// Three hosts, each with its own processes; ssh runs on them what it is given.
#[test]
fn over_ssh_every_host_shows_its_member_and_one_asks_for_all() {
    let mut host = Host::new("ssh", "healthy-3.5.33");
    let proc = host.path("proc");
    for (name, port) in [("m1", 23790), ("m2", 23800), ("m3", 23810)] {
        host.member(101, name, port, &[]);
        fs::create_dir_all(host.path("hosts").join(name)).unwrap();
        fs::rename(proc.join("101"), host.path("hosts").join(name).join("101")).unwrap();
    }
    host.program("sudo", "exit 1\n");
    host.program("uname", "echo \"${COLLECT_HOST:-jump}\"\n");
    host.program(
        "ssh",
        "while [ \"$1\" = -o ]; do shift 2; done\n[ \"$1\" != down ] || exit 255\n\
         COLLECT_HOST=$1 ETCD_COLLECT_PROC=\"$HOSTS/$1\" exec sh -c \"$2\"\n",
    );
    host.environment.push(("HOSTS", host.path("hosts").display().to_string()));
    let output = host.run(&["--ssh", "m1 m2 m3"]);
    let out = text(&output.stdout);
    assert_eq!(text(&output.stderr), "");
    assert!(output.status.success());
    for name in ["m1", "m2", "m3"] {
        assert!(out.contains(&format!("##etcd-collect member={name} host={name} command=cat ")), "{out}");
    }
    assert_eq!(out.matches("endpoint status -w json").count(), 1, "one host asks for all: {out}");
    let report = judge(&out, "3.6");
    assert_eq!(open(&report), ["snapshot-missing"], "{out}");
    assert_read(&report, &out);
    assert_eq!(report.members.len(), 3);
    // A host that can't be reached is named, and the others are shown.
    let output = host.run(&["--ssh=down m2 m3"]);
    assert_eq!(text(&output.stderr), "etcd-collect: down: ssh failed\n");
    let out = text(&output.stdout);
    assert!(out.contains("member=m3 host=m3") && out.contains("endpoint status -w json"), "{out}");
    assert!(open(&judge(&out, "3.6")).contains(&"v2store-not-checked"), "m1 was not looked at");
}

/// The pods of kube-system, as the Kubernetes API shows them.
#[test]
fn over_kubectl_the_pods_show_their_flags_and_one_asks_for_all() {
    let mut host = Host::new("kubectl", "healthy-3.5.33");
    fs::create_dir_all(host.path("pods")).unwrap();
    for (name, port) in [("m1", 23790), ("m2", 23800), ("m3", 23810)] {
        let flags: Vec<String> =
            secure(name, "/var/lib/etcd", port)[1..].iter().map(|flag| format!("    - {flag}\n")).collect();
        let pod = format!(
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: etcd-{name}\n  namespace: kube-system\nspec:\n  containers:\n  \
             - command:\n    - etcd\n{}    image: registry.k8s.io/etcd:3.5.33-0\n    name: etcd\n  nodeName: {name}\n",
            flags.concat()
        );
        fs::write(host.path("pods").join(format!("etcd-{name}")), pod).unwrap();
    }
    host.program(
        "kubectl",
        "shift 2\ncase $* in\n\
         'get pods -o name') for pod in \"$PODS\"/*; do echo \"pod/${pod##*/}\"; done; echo pod/coredns-1 ;;\n\
         get*) cat \"$PODS/$3\" ;;\n\
         *' ls '*) printf 'total 4\\n-rw-r--r-- 1 root root 8123 Nov 30 11:25 0000000000000002-0000000000000011.snap\\n' ;;\n\
         *) shift 3; exec \"$@\" ;;\nesac\n",
    );
    host.environment.push(("PODS", host.path("pods").display().to_string()));
    host.environment.push(("CALLS", host.path("calls").display().to_string()));
    let out = host.collect(&["--kubectl", "kube-system"]);
    assert!(out.contains("command=kubectl -n kube-system exec etcd-m1 -- etcdctl"), "{out}");
    assert!(
        calls(&host).iter().any(|c| c.contains("--cert=/etc/kubernetes/pki/etcd/server.crt")),
        "{:?}",
        calls(&host)
    );
    let report = judge(&out, "3.6");
    assert_read(&report, &out);
    assert_eq!(report.members.len(), 3);
    for member in &report.members {
        assert!(member.flags.is_some_and(|flags| flags >= 7), "{member:?}");
    }
    // What lies on the nodes' disks is not seen from here, and is asked for.
    assert_eq!(open(&report), ["v2store-not-checked", "snapshot-missing"], "{out}");
}
