//! Files of what runs etcd, where they carry etcd's own flags: kubeadm's and Talos' `extraArgs`, RKE's `extra_args`,
//! k3s' `etcd-arg`, and values of charts.

use super::container::word_of;
use super::nixos::kebab;
use super::stretch::Stretch;
use super::yaml::{Node, Value};
use super::{Draft, is_known};
use crate::evidence::detect::Place;
use crate::evidence::fact::{FlagForm, FlagSetting, FlagSource};

/// Keys below `etcd` that hold its arguments.
const ARGUMENTS: &[&str] = &["extraArgs", "extra_args", "extra-args"];

/// k3s' and RKE2's key at the top.
const K3S: &str = "etcd-arg";

/// One draft for each place that carries flags of etcd. They come on top of what the platform sets: never complete.
pub fn drafts(place: &Place<'_>, stretch: &Stretch, documents: &[Node]) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for document in documents {
        search(place, stretch, document, false, &mut drafts);
    }
    drafts
}

fn search(place: &Place<'_>, stretch: &Stretch, node: &Node, in_etcd: bool, drafts: &mut Vec<Draft>) {
    let Value::Map(pairs) = &node.value else { return };
    let mut draft = Draft::new(
        FlagSource::PodManifest,
        stretch.line_at(node.from),
        stretch.line_at(node.to.saturating_sub(1).max(node.from)),
    );
    for (key, value) in pairs {
        let name = key.text().unwrap_or("");
        if (in_etcd && ARGUMENTS.contains(&name)) || name == K3S {
            arguments(place, stretch, value, &mut draft);
        } else if in_etcd && value.text().is_some() && is_chart_value(name) {
            let value = value.text().map(str::to_owned);
            let span = stretch.span(place, key.from, node_end(key, pairs));
            draft.add(FlagSetting { name: kebab(name), value, form: FlagForm::Env, span });
        } else {
            search(place, stretch, value, in_etcd || name == "etcd", drafts);
        }
    }
    if draft.set.settings.iter().any(|s| is_known(&s.name)) {
        drafts.push(draft);
    }
}

/// Where the value of a key ends.
fn node_end(key: &Node, pairs: &[(Node, Node)]) -> usize {
    pairs.iter().find(|(k, _)| k.from == key.from).map_or(key.to, |(k, v)| v.to.max(k.to))
}

/// A value of a chart that stands for a flag: `initialClusterState`.
fn is_chart_value(name: &str) -> bool {
    name.bytes().any(|b| b.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric())
        && is_known(&kebab(name))
}

/// `name: value`, a list of `name` and `value`, or a list of `name=value`.
fn arguments(place: &Place<'_>, stretch: &Stretch, node: &Node, draft: &mut Draft) {
    for (key, value) in node.pairs() {
        add(place, stretch, key, Some(value), draft);
    }
    for item in node.items() {
        if let Some(name) = item.get("name") {
            add(place, stretch, name, item.get("value"), draft);
        } else if let Some(word) = word_of(stretch, item) {
            let bare = word.text.trim_start_matches('-');
            let (name, value) = bare.split_once('=').map_or((bare, None), |(n, v)| (n, Some(v.to_owned())));
            let span = stretch.span(place, word.from, word.to);
            draft.add(FlagSetting { name: name.to_owned(), value, form: FlagForm::CommandLine, span });
        }
    }
}

fn add(place: &Place<'_>, stretch: &Stretch, name: &Node, value: Option<&Node>, draft: &mut Draft) {
    let Some(flag) = name.text() else { return };
    let to = value.map_or(name.to, |v| v.to.max(name.to));
    draft.add(FlagSetting {
        name: flag.trim_start_matches('-').to_owned(),
        value: value.and_then(Node::text).map(str::to_owned),
        form: FlagForm::CommandLine,
        span: stretch.span(place, name.from, to),
    });
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::FlagForm;
    use crate::evidence::flags::testing::read;

    #[test]
    fn extra_arguments_of_kubeadm_in_both_forms() {
        let old = read("kind: ClusterConfiguration\netcd:\n  local:\n    extraArgs:\n      enable-v2: \"true\"\n");
        let new = read(
            "kind: ClusterConfiguration\netcd:\n  local:\n    extraArgs:\n    - name: enable-v2\n      value: \"true\"\napiServer:\n  extraArgs:\n  - name: v\n    value: \"2\"\n",
        );
        for read in [old, new] {
            assert_eq!(read.settings(), ["enable-v2=true"]);
            assert_eq!(read.rows[0][0].2, FlagForm::CommandLine);
            assert!(!read.sets()[0].complete);
        }
    }

    #[test]
    fn arguments_of_k3s() {
        let read = read("etcd-arg:\n- quota-backend-bytes=8589934592\n- experimental-initial-corrupt-check=true\n");
        assert_eq!(read.settings(), ["quota-backend-bytes=8589934592", "experimental-initial-corrupt-check=true"]);
        assert_eq!(read.rows[0][1].3, "experimental-initial-corrupt-check=true");
    }

    #[test]
    fn values_of_a_chart() {
        let read = read(include_str!("../../../tests/fixtures/flags/platform_config/chart-values.txt"));
        assert_eq!(read.settings(), ["initial-cluster-state=new"]);
        assert_eq!(read.rows[0][0].3, "initialClusterState: new");
    }
}
