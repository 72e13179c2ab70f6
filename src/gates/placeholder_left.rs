//! Is every placeholder filled in?
//!
//! # Asks
//! Whether a restore command still holds a placeholder such as `<PATH>`.
//!
//! # Blocks when
//! Never: the shell or the tool stops such a command by itself. It warns, so that nobody meets it at night.
//!
//! # Why
//! A shell reads `<` as a redirection: the command runs with other arguments than meant.
//!
//! # Remedy
//! Fill it in.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.

use super::question::Question;
use super::{Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "placeholder-left",
    group: Group::Restore,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for restore in &q.cluster.restores {
        let values = restore.value.flags.iter().filter_map(|(_, value)| value.as_deref());
        if let Some(word) = values.chain(restore.value.path.as_deref()).find(|word| is_placeholder(word)) {
            let remedy =
                "Fill it in: a shell reads < as a redirection, and the command runs with other arguments than meant.";
            let statement = format!("The restore command still holds the placeholder {word}.");
            findings.push(Finding::warning(statement, vec![Ground::Seen(restore.span.clone())], remedy));
        }
    }
    findings
}

/// `<PATH>`, `[IP]`, `{{ name }}`, `YOUR_HOST`
fn is_placeholder(word: &str) -> bool {
    let between = |open: &str, close: &str| {
        word.find(open).is_some_and(|at| word.get(at + open.len()..).is_some_and(|rest| rest.contains(close)))
    };
    // An IPv6 address stands in brackets too.
    let brackets = between("[", "]")
        && !word.contains("[:")
        && !word.contains("::")
        && word
            .split(['[', ']'])
            .nth(1)
            .is_some_and(|inner| inner.bytes().all(|b| b.is_ascii_uppercase() || b == b'_' || b == b'-'));
    between("<", ">") || between("{{", "}}") || brackets || word.contains("YOUR_") || word.contains("YOUR-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{NotLookedAt, Warning};
    use crate::gates::testing::restoring;

    #[test]
    fn a_placeholder_warns() {
        for word in ["<PATH-TO-SNAPSHOT>", "/backup/[DATE].db", "{{ snapshot }}", "YOUR_SNAPSHOT.db"] {
            assert_eq!(
                restoring(&GATE, &three_members("3.5.33").restore("etcdutl", word, &[]), &[]),
                [Warning],
                "{word}"
            );
        }
        for word in ["/backup/a.db", "$SNAPSHOT", "/b/a[1].db"] {
            assert_eq!(
                restoring(&GATE, &three_members("3.5.33").restore("etcdutl", word, &[]), &[]),
                [NotLookedAt],
                "{word}"
            );
        }
        let url = "initial-cluster=m1=https://[2001:db8::1]:2380";
        assert_eq!(restoring(&GATE, &three_members("3.5.33").restore("etcdutl", "a.db", &[url]), &[]), [NotLookedAt]);
    }
}
