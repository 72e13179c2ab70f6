//! A static pod, a pod as `kubectl get -o yaml` prints it, a StatefulSet, or a piece of one.

use super::container::{Container, word_of};
use super::stretch::Stretch;
use super::yaml::{Node, Value};
use super::{Draft, flag_of_env, is_known};
use crate::evidence::detect::Place;
use crate::evidence::fact::FlagSource;

/// Keys of a container's probes.
const PROBES: [&str; 3] = ["startupProbe", "livenessProbe", "readinessProbe"];

/// One draft for each container that runs etcd.
pub fn drafts(place: &Place<'_>, stretch: &Stretch, documents: &[Node]) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for document in documents {
        search(place, stretch, document, None, &mut drafts);
    }
    drafts
}

/// Looks through a node for containers. `pod` is the name of the pod around it. Nodes are never nested deeper than the
/// YAML reader keeps.
fn search(place: &Place<'_>, stretch: &Stretch, node: &Node, pod: Option<&str>, drafts: &mut Vec<Draft>) {
    match &node.value {
        Value::Map(pairs) => {
            if is_container(node) {
                let draft = container(node).draft(place, stretch, FlagSource::PodManifest, node);
                drafts.extend(draft.map(|d| named(d, node, pod)));
                return;
            }
            let pod = pod_name(node).or(pod);
            for (key, value) in pairs {
                if key.text() != Some("initContainers") {
                    search(place, stretch, value, pod, drafts);
                }
            }
        }
        Value::List(items) => {
            if let Some(draft) = bare_list(place, stretch, node) {
                drafts.push(draft);
                return;
            }
            for item in items {
                search(place, stretch, item, pod, drafts);
            }
        }
        Value::Scalar(..) | Value::Null => {}
    }
}

/// Is this map a container, or the piece of one?
fn is_container(node: &Node) -> bool {
    let list = |key| node.get(key).is_some_and(|n| !n.items().is_empty());
    list("command") || list("args") || list("env")
}

fn container(node: &Node) -> Container<'_> {
    let mut container = Container { image: node.get("image"), ..Container::default() };
    container.commands.extend(node.get("command"));
    container.commands.extend(node.get("args"));
    for entry in node.get("env").map(Node::items).unwrap_or(&[]) {
        if let Some(name) = entry.get("name") {
            container.variables.push((name, entry.get("value").or(entry.get("valueFrom"))));
        }
    }
    for source in node.get("envFrom").map(Node::items).unwrap_or(&[]) {
        let reference = source.pairs().iter().find_map(|(_, v)| v.get("name"));
        container.elsewhere.extend(reference);
    }
    container.probes.extend(PROBES.iter().filter_map(|key| node.get(key)));
    container
}

/// A pod's name, where this is a pod. That of what makes pods (StatefulSet and so on) is no member's.
fn pod_name(node: &Node) -> Option<&str> {
    let kind = node.get("kind").and_then(Node::text);
    let name = node.get("metadata")?.get("name")?.text()?;
    kind.is_none_or(|k| k == "Pod").then_some(name)
}

/// Names the member after its pod, unless its flags name it or the pod is only called what the container is.
fn named(mut draft: Draft, container: &Node, pod: Option<&str>) -> Draft {
    let own = container.get("name").and_then(Node::text).unwrap_or("etcd");
    if draft.set.member_name.is_none() {
        draft.set.member_name = pod.filter(|p| *p != own).map(str::to_owned);
    }
    draft
}

/// A list that stands alone: `- --name=m1`, or `- name: ETCD_NAME` with its value. A fragment, never complete.
fn bare_list(place: &Place<'_>, stretch: &Stretch, list: &Node) -> Option<Draft> {
    let items = list.items();
    let mut container = Container::default();
    if items.first().is_some_and(|i| i.text().is_some()) {
        let etcd = items.iter().filter_map(|i| word_of(stretch, i)).any(|w| super::arguments::is_server(&w.text));
        container.commands.push(list);
        let mut draft = container.draft(place, stretch, FlagSource::PodManifest, list)?;
        draft.set.complete &= etcd;
        return Some(draft);
    }
    let is_variable =
        |i: &&Node| i.get("name").and_then(Node::text).and_then(flag_of_env).is_some_and(|n| is_known(&n));
    items.iter().find(is_variable)?;
    for entry in items {
        if let Some(name) = entry.get("name") {
            container.variables.push((name, entry.get("value").or(entry.get("valueFrom"))));
        }
    }
    let mut draft = container.draft(place, stretch, FlagSource::PodManifest, list)?;
    draft.set.complete = false;
    Some(draft)
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::{FlagForm, FlagSource};
    use crate::evidence::flags::testing::read;

    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!("../../../tests/fixtures/flags/pod_manifest/", $name, ".txt"))
        };
    }

    #[test]
    fn a_static_pod() {
        let read = read(fixture!("static-pod"));
        let settings = read.settings();
        assert_eq!(settings.len(), 16);
        assert_eq!(settings[4], "experimental-initial-corrupt-check=true");
        assert_eq!(settings[5], "experimental-watch-progress-notify-interval=5s");
        assert_eq!(read.rows[0][4].3, "--experimental-initial-corrupt-check=true");
        let set = read.sets()[0];
        assert_eq!(set.settings[4].span.first_line, 20);
        assert_eq!(set.source, FlagSource::PodManifest);
        assert_eq!(set.member_name.as_deref(), Some("cp-a"));
        assert_eq!(set.version.as_ref().map(ToString::to_string).as_deref(), Some("3.6.4-0"));
        assert!(set.complete && read.left.is_empty());
    }

    #[test]
    fn a_piece_of_one() {
        let read = read(fixture!("static-pod-clean"));
        assert_eq!(read.settings().len(), 15);
        assert_eq!(read.settings()[4], "feature-gates=InitialCorruptCheck=true");
        assert_eq!(read.rows[0][4].3, "--feature-gates=InitialCorruptCheck=true");
        let versions: Vec<_> = read.sets().iter().map(|s| s.version.as_ref().map(ToString::to_string)).collect();
        assert_eq!(versions, [Some("3.6.12-0".to_owned())]);
    }

    #[test]
    fn pods_of_a_list_as_json_are_members_of_their_own() {
        let pod = |n: &str| {
            format!(
                r#"{{"kind": "Pod", "metadata": {{"name": "etcd-{n}"}}, "spec": {{"containers": [{{"name": "etcd", "image": "registry.k8s.io/etcd:3.5.15-0", "command": ["etcd", "--enable-v2"]}}]}}}}"#
            )
        };
        let read = read(&format!("{{\n\"kind\": \"List\",\n\"items\": [\n{},\n{}\n]\n}}\n", pod("cp1"), pod("cp2")));
        let names: Vec<_> = read.sets().iter().map(|s| s.member_name.clone().unwrap_or_default()).collect();
        assert_eq!(names, ["etcd-cp1", "etcd-cp2"]);
        assert_eq!(read.rows[0][0].3, "--enable-v2");
    }

    #[test]
    fn a_script_and_variables_from_elsewhere() {
        let text = "apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: etcd
spec:
  template:
    spec:
      containers:
      - name: etcd
        image: quay.io/coreos/etcd:v3.5.9@sha256:00ff
        envFrom:
        - configMapRef:
            name: etcd-env
        env:
        - name: ETCD_ENABLE_V2
          value: \"true\"
        - name: ETCD_NAME
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
        - name: ETCDCTL_API
          value: \"3\"
        command:
        - /bin/sh
        - -ec
        - |
          PEERS=\"etcd-0=http://etcd-0:2380\"
          # the members know each other
          if [ -d /data ]; then
            exec etcd --name ${HOSTNAME} \\
              --initial-cluster ${PEERS} \\
              --log-level=debug
          fi
      - name: sidecar
        image: busybox
        command: [sleep, infinity]
";
        let read = read(text);
        assert_eq!(
            read.settings(),
            [
                "enable-v2=true",
                "name",
                "name=${HOSTNAME}",
                "initial-cluster=etcd-0=http://etcd-0:2380",
                "log-level=debug",
            ]
        );
        assert_eq!(read.rows[0][0].2, FlagForm::Env);
        assert_eq!(read.rows[0][0].3, "ETCD_ENABLE_V2\n          value: \"true\"");
        assert_eq!(read.rows[0][3].3, "--initial-cluster ${PEERS}");
        let set = read.sets()[0];
        let elsewhere: Vec<_> = set.elsewhere.iter().map(|e| e.value.as_str()).collect();
        assert_eq!(elsewhere, ["ETCD_NAME", "etcd-env"]);
        assert_eq!(set.member_name, None, "what makes pods is no member");
        assert!(!set.complete && read.left.is_empty());
    }

    #[test]
    fn lists_that_stand_alone() {
        let read = read("    - --name=m1\n    - --enable-v2=true\n");
        assert_eq!(read.settings(), ["name=m1", "enable-v2=true"]);
        assert!(!read.sets()[0].complete);
    }

    #[test]
    fn a_hand_trimmed_manifest() {
        let read = read(
            "spec:\n  containers:\n  - command:\n    - etcd\n    ...\n    - --enable-v2=true\n    <snip>\n    image: registry.k8s.io/etcd:3.5.15-0\n",
        );
        assert_eq!(read.settings(), ["enable-v2=true"]);
    }

    #[test]
    fn other_pods_are_left() {
        for text in [
            "spec:\n  containers:\n  - command:\n    - kube-apiserver\n    - --etcd-servers=https://192.0.2.1:2379\n    - --secure-port=6443\n    image: registry.k8s.io/kube-apiserver:v1.33.1\n",
            "spec:\n  containers:\n  - name: backup\n    image: registry.k8s.io/etcd:3.5.15-0\n    command: [etcdctl, snapshot, save, /x]\n",
            "spec:\n  containers:\n  - image: quay.io/coreos/etcd:v3.5.9\n    command: [etcd, grpc-proxy, start, --endpoints=m1:2379]\n",
        ] {
            let read = read(text);
            assert!(read.taken.is_empty(), "{text}: {:?}", read.settings());
        }
    }
}
