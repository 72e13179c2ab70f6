//! How a version, a flag name and a link are known in a text.

/// The first version of etcd in a text: a 3, a dot and a minor of one or two figures, with or without a patch. An
/// address such as 3.3.3.3 and a part of a longer number are none.
pub fn version(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let dot = |at: usize| bytes.get(at) == Some(&b'.');
    for start in text.match_indices("3.").map(|(at, _)| at) {
        let before = start.checked_sub(1).and_then(|at| bytes.get(at));
        let minor = digits(start + 2);
        if before.is_some_and(|b| b.is_ascii_digit() || *b == b'.') || !(1..=2).contains(&minor) {
            continue;
        }
        let mut end = start + 2 + minor;
        if dot(end) && digits(end + 1) > 0 {
            end += 1 + digits(end + 1);
        }
        if dot(end) && digits(end + 1) > 0 {
            continue;
        }
        return text.get(start..end);
    }
    None
}

/// The first flag in a text: `--name`, the name alone as the whole text when it has a dash, or its variable.
pub fn flag<'a>(text: &str, names: &[(&'a str, &'a str)]) -> Option<&'a str> {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let whole_word = |word: &str| {
        text.match_indices(word).any(|(at, _)| {
            let (before, after) = (&text.as_bytes()[..at], &text.as_bytes()[at + word.len()..]);
            !before.last().is_some_and(is_name) && !after.first().is_some_and(is_name)
        })
    };
    let named = |&&(name, env): &&(&str, &str)| {
        (name.contains('-') && text == name) || whole_word(&format!("--{name}")) || whole_word(env)
    };
    names.iter().find(named).map(|(name, _)| *name)
}

/// A link to a document or to code.
pub fn link(text: &str) -> Option<&'static str> {
    ["etcd.io/", "github.com/", "kubernetes.io/"].into_iter().find(|host| text.contains(host))
}

#[test]
fn versions_are_known() {
    for (text, found) in [
        ("3.5", Some("3.5")),
        ("from v3.6.11 on", Some("3.6.11")),
        ("upgrade to 3.7.", Some("3.7")),
        ("etcd-v3.6.0-rc.1", Some("3.6.0")),
        ("3.5.x", Some("3.5")),
        ("3.3.3.3:2379", None),
        ("192.0.2.3:2379", None),
        ("13.5 MB", None),
        ("1.3.5", None),
        ("3.141", None),
        ("3. then", None),
        ("{}.{}", None),
    ] {
        assert_eq!(version(text), found, "{text}");
    }
}

#[test]
fn flags_are_known() {
    let names = [("enable-v2", "ETCD_ENABLE_V2"), ("name", "ETCD_NAME"), ("data-dir", "ETCD_DATA_DIR")];
    for (text, found) in [
        ("enable-v2", Some("enable-v2")),
        ("turn off --enable-v2 first", Some("enable-v2")),
        ("ETCD_NAME=m1", Some("name")),
        ("--name={}", Some("name")),
        ("name", None),
        ("--enable-v2v3", None),
        ("--data-dir-x", None),
        ("ETCD_NAMES", None),
        ("the v2 API", None),
    ] {
        assert_eq!(flag(text, &names), found, "{text}");
    }
}

#[test]
fn links_are_known() {
    assert_eq!(link("see https://etcd.io/docs/"), Some("etcd.io/"));
    assert_eq!(link("https://"), None);
}
