//! The YAML file behind `--config-file`.
//!
//! etcd reads it without looking at case, passes over keys it does not know, and then reads neither flags nor
//! environment (v3.7.1 server/embed/config.go `configFromFile`, server/etcdmain/config.go `parse`).

use std::collections::HashSet;
use std::sync::LazyLock;

use super::Draft;
use super::stretch::Stretch;
use super::yaml::{Node, Value};
use crate::etcd::flags::{self, name};
use crate::evidence::detect::Place;
use crate::evidence::fact::{FlagForm, FlagSetting, FlagSource};

/// Keys of etcd's file a text needs before it counts as one.
const ENOUGH: usize = 2;

/// Every key of the file in any minor: the first part of its path, and the path.
static KEYS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let keys = flags::all().iter().flat_map(|f| f.minors).filter_map(|m| m.yaml_key);
    keys.flat_map(|key| [key.split('.').next().unwrap_or(key), key]).map(str::to_ascii_lowercase).collect()
});

/// Is this a key at the top of etcd's file, in any minor?
pub fn is_known_key(key: &str) -> bool {
    KEYS.contains(key) || (key.bytes().any(|b| b.is_ascii_uppercase()) && KEYS.contains(&key.to_ascii_lowercase()))
}

/// Could only etcd mean this key? Names of several words are its own; `name` or `debug` are anyone's.
fn is_telling(key: &str) -> bool {
    key.matches('-').count() >= 2 && is_known_key(key)
}

/// One draft for each config file in the documents; a key that comes again starts the next file.
pub fn drafts(place: &Place<'_>, stretch: &Stretch, documents: &[Node]) -> Vec<Draft> {
    documents.iter().flat_map(|document| files(document)).filter_map(|file| draft(place, stretch, file)).collect()
}

/// The pairs of a document, cut before each key that is there already.
fn files(document: &Node) -> Vec<&[(Node, Node)]> {
    let pairs = document.pairs();
    let mut files = Vec::new();
    let mut start = 0;
    let mut keys: HashSet<String> = HashSet::new();
    for (index, (key, _)) in pairs.iter().enumerate() {
        if !keys.insert(key.text().unwrap_or("").to_ascii_lowercase()) {
            files.extend(pairs.get(start..index));
            start = index;
            keys.clear();
            keys.insert(key.text().unwrap_or("").to_ascii_lowercase());
        }
    }
    files.extend(pairs.get(start..));
    files
}

fn draft(place: &Place<'_>, stretch: &Stretch, pairs: &[(Node, Node)]) -> Option<Draft> {
    let keys = || pairs.iter().filter_map(|(k, _)| k.text());
    let known = keys().filter(|k| is_known_key(k)).count();
    let named_so = place.name.contains("etcd") && known > 0;
    let enough = known >= ENOUGH || keys().any(is_telling) || named_so;
    if !enough || known * 2 < pairs.len() {
        return None;
    }
    let (first, last) = (pairs.first()?, pairs.last()?);
    let mut draft = Draft::new(
        FlagSource::ConfigFile,
        stretch.line_at(first.0.from),
        stretch.line_at(last.1.to.max(last.0.to).saturating_sub(1)),
    );
    // A file has its name, or it is a part of one.
    draft.set.complete = pairs.iter().any(|(key, _)| key.text().is_some_and(|k| k.eq_ignore_ascii_case(name::NAME)));
    for (key, value) in pairs {
        add(place, stretch, key.text().unwrap_or(""), key, value, &mut draft);
    }
    Some(draft)
}

/// Adds a key and what is nested in it. Nothing (`key:`) leaves etcd's default: no setting.
fn add(place: &Place<'_>, stretch: &Stretch, path: &str, key: &Node, value: &Node, draft: &mut Draft) {
    match &value.value {
        Value::Null => {}
        Value::Map(pairs) => {
            for (inner, value) in pairs {
                let path = format!("{path}.{}", inner.text().unwrap_or(""));
                add(place, stretch, &path, inner, value, draft);
            }
        }
        Value::Scalar(..) | Value::List(_) => draft.add(FlagSetting {
            name: path.to_ascii_lowercase(),
            value: Some(scalar_or_list(value)),
            form: FlagForm::Yaml,
            span: stretch.span(place, key.from, value.to.max(key.to)),
        }),
    }
}

/// A scalar's text, or a list's, separated by commas as etcd's own lists are.
fn scalar_or_list(value: &Node) -> String {
    match value.text() {
        Some(text) => text.to_owned(),
        None => value.items().iter().filter_map(Node::text).collect::<Vec<_>>().join(","),
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::FlagForm;
    use crate::evidence::flags::testing::{read, read_with};

    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!("../../../tests/fixtures/flags/config_file/", $name, ".txt"))
        };
    }

    #[test]
    fn keys_of_the_top() {
        let read = read(fixture!("shoot"));
        assert_eq!(
            read.settings(),
            [
                "name=etcd-main-0",
                "data-dir=/var/etcd/data/new.etcd",
                "metrics=extensive",
                "snapshot-count=75000",
                "enable-v2=false",
                "next-cluster-version-compatible=true",
                "quota-backend-bytes=8589934592",
                "listen-client-urls=https://0.0.0.0:2379",
                "advertise-client-urls=https://etcd-main-0.etcd-main-peer.shoot--foo--bar.svc:2379",
                "initial-cluster-state=new",
                "auto-compaction-mode=periodic",
                "auto-compaction-retention=30m",
            ]
        );
        assert_eq!(read.rows[0][4].3, "enable-v2: false");
        assert!(read.rows[0].iter().all(|r| r.2 == FlagForm::Yaml));
        assert_eq!(read.sets()[0].member_name.as_deref(), Some("etcd-main-0"));
        assert!(read.left.is_empty());
    }

    #[test]
    fn comments_and_quotes() {
        let read = read(fixture!("sample"));
        assert_eq!(
            read.settings(),
            [
                "name=infra1",
                "data-dir=/var/lib/etcd",
                "enable-v2=true",
                "proxy=off",
                "proxy-failure-wait=5000",
                "strict-reconfig-check=false",
            ]
        );
        assert_eq!(read.rows[0][3].3, "proxy: 'off'");
        assert!(read.left.is_empty(), "{:?}", read.left);
    }

    #[test]
    fn nested_keys_have_their_path() {
        let read = read(fixture!("nested-tls"));
        let settings = read.settings();
        assert_eq!(settings[2], "experimental-initial-corrupt-check=true");
        assert_eq!(settings[9], "client-transport-security.client-cert-auth=true");
        assert_eq!(read.rows[0][9].3, "client-cert-auth: true");
        assert_eq!(read.sets()[0].settings[9].span.first_line, 11);
    }

    #[test]
    fn case_lists_and_empty_keys() {
        let read = read("Name: m1\nEnable-V2: true\nlog-outputs: [stderr, /x]\ncors:\ndiscovery: ''\n");
        assert_eq!(read.settings(), ["name=m1", "enable-v2=true", "log-outputs=stderr,/x", "discovery="]);
    }

    #[test]
    fn a_repeated_key_starts_the_next_members_file() {
        let read = read("name: m1\nenable-v2: true\n\nname: m2\ndata-dir: /x\n---\nname: m3\ndata-dir: /y\n");
        let names: Vec<_> = read.sets().iter().map(|s| s.member_name.clone().unwrap_or_default()).collect();
        assert_eq!(names, ["m1", "m2", "m3"]);
        assert_eq!(read.sets()[1].settings[0].span.first_line, 4);
    }

    #[test]
    fn a_line_that_is_no_yaml_does_not_hide_the_others() {
        let read = read("name: m1\n[...]\n\tdata-dir: /x\nenable-v2: \"true\nsnapshot-count: 5\n");
        assert_eq!(read.settings(), ["name=m1", "snapshot-count=5"]);
    }

    #[test]
    fn text_of_another_kind_is_left() {
        for text in [
            "name: web\nimage: nginx\nversion: 2\n",
            "name: x\n",
            "Error: etcdserver: member not found\n",
            "note: etcd is down\nname: etcd\nwhen: today\nwho: me\nwhat: all\n",
        ] {
            let read = read(text);
            assert!(read.taken.is_empty(), "{text}: {:?}", read.settings());
        }
        let read = read_with("etcd.conf.yml", crate::evidence::flags::READERS, "name: x\n");
        assert_eq!(read.settings(), ["name=x"], "the file's name says what it is");
    }
}
