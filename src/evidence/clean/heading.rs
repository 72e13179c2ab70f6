//! Lines that only say who the next lines are about: `=== m1`, `**POD-0**`, `member m3:`, Ansible's `m1 | CHANGED`,
//! and the marker lines of the collect script.
//!
//! # Marker of the collect script
//! `##etcd-collect member=m1 host=10.0.0.1 command=etcdctl endpoint status -w json##`, one line before each command's
//! output. `member=` and `host=` may be missing (a member beats a host); `command=` comes last and runs to the closing
//! `##`. `##etcd-collect end##` closes the last output, so that an empty one counts as finished.

use super::prefix::is_host;
use crate::etcd::version::Version;

/// What a heading says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heading {
    /// Who the next lines are about.
    Host(String),
    /// A marker of the collect script: who, and the command whose output follows. Both `None` at the end.
    Marker {
        /// The member's name or the host.
        host: Option<String>,
        /// The command.
        command: Option<String>,
    },
}

/// Is the line a heading? Only forms that are no output of etcd's.
#[must_use]
pub fn heading(text: &str) -> Option<Heading> {
    let line = text.trim();
    if let Some(body) = line.strip_prefix("##etcd-collect") {
        return Some(marker(body));
    }
    let name = ansible(line).or_else(|| banner(line)).or_else(|| labelled(line))?;
    Some(Heading::Host(name.to_owned()))
}

/// Is the line a bare `m1:`? A key of YAML looks the same, so this is asked last.
#[must_use]
pub fn bare_label(text: &str) -> Option<&str> {
    let line = text.trim_end();
    let name = line.strip_suffix(':')?;
    (!line.starts_with(' ') && names_a_host(name)).then_some(name)
}

fn marker(body: &str) -> Heading {
    let body = body.trim().trim_end_matches("##").trim_end();
    let (words, command) = match body.find("command=") {
        Some(at) => (body.get(..at).unwrap_or(""), body.get(at + "command=".len()..).map(str::to_owned)),
        None => (body, None),
    };
    let value = |key: &str| words.split_whitespace().find_map(|w| w.strip_prefix(key)).filter(|v| !v.is_empty());
    let host = value("member=").or_else(|| value("host=")).map(str::to_owned);
    Heading::Marker { host, command }
}

/// `m1 | CHANGED | rc=0 >>`
fn ansible(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(" | ")?;
    let fits = ["CHANGED", "SUCCESS", "FAILED", "UNREACHABLE!"].iter().any(|w| rest.starts_with(w));
    (fits && is_host(name)).then_some(name)
}

/// A name between signs: `=== m1 ===`, `## m1`, `**POD-0**`, `--- m1 ---`, `[m1]`, `==> m1 <==`.
fn banner(line: &str) -> Option<&str> {
    let inner = line.trim_matches(|c: char| matches!(c, '=' | '#' | '*' | '-' | '>' | '<' | '~' | '[' | ']'));
    // One dash or star is an item of a list.
    let signs = (line.len() - inner.len()) / if line.starts_with(['#', '[']) { 1 } else { 2 };
    let name = inner.trim().trim_end_matches(':');
    let name = without_label(name).unwrap_or(name);
    (signs >= 1 && names_a_host(name)).then_some(name)
}

/// `member m3:`, `on node2:`, `Host m1`
fn labelled(line: &str) -> Option<&str> {
    let name = without_label(line.trim_end_matches(':'))?;
    (line.ends_with(':') && is_host(name)).then_some(name)
}

fn without_label(text: &str) -> Option<&str> {
    const LABELS: [&str; 6] = ["member ", "node ", "host ", "pod ", "server ", "on "];
    LABELS.iter().find_map(|l| {
        let head = text.get(..l.len())?;
        head.eq_ignore_ascii_case(l).then(|| text.get(l.len()..))?.map(str::trim)
    })
}

/// One word that looks like a host's or member's name: a digit, dot or dash in it, and no version.
fn names_a_host(name: &str) -> bool {
    is_host(name)
        && name.bytes().any(|b| b.is_ascii_alphabetic() || b == b'.')
        && name.bytes().any(|b| b.is_ascii_digit())
        && name.parse::<Version>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_name_the_host() {
        for (line, name) in [
            ("=== m1 ===", "m1"),
            ("## m2", "m2"),
            ("# m1:", "m1"),
            ("**POD-0**", "POD-0"),
            ("member m3:", "m3"),
            ("--- 192.0.2.1 ---", "192.0.2.1"),
            ("m1 | CHANGED | rc=0 >>", "m1"),
            ("[node2]", "node2"),
            ("=== member etcd-a ===", "etcd-a"),
        ] {
            let want = if name == "etcd-a" { None } else { Some(Heading::Host(name.to_owned())) };
            assert_eq!(heading(line), want, "{line}");
        }
        assert_eq!(bare_label("m1:"), Some("m1"));
        assert_eq!(bare_label("services:"), None);
    }

    #[test]
    fn output_and_words_are_no_headings() {
        for line in [
            "## 3.5.33",
            "# comment",
            "[Service]",
            "- --name=m1",
            "+---+",
            "ok",
            "| m1 |",
            "#ETCD_NAME=m1",
            "- etcd1",
            "* m1",
            "",
        ] {
            assert_eq!(heading(line), None, "{line}");
        }
    }

    #[test]
    fn markers_carry_member_and_command() {
        assert_eq!(
            heading("##etcd-collect member=m1 host=192.0.2.1 command=etcdctl alarm list##"),
            Some(Heading::Marker { host: Some("m1".into()), command: Some("etcdctl alarm list".into()) })
        );
        assert_eq!(heading("##etcd-collect end##"), Some(Heading::Marker { host: None, command: None }));
    }
}
