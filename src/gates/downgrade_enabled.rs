//! Is a downgrade enabled?
//!
//! # Asks
//! Whether the cluster has a downgrade job: by the columns of `endpoint status`, by the answers of `etcdctl downgrade`,
//! or by an error that says so.
//!
//! # Blocks when
//! A downgrade is enabled, or `downgrade enable` ran into a time-out, which does not keep it from being in force.
//!
//! # Why
//! While a downgrade is enabled the cluster accepts only members of its target, and a member of another minor dies at
//! its next start. Upgrading in this state takes members down one after another.
//!
//! # Remedy
//! Finish the downgrade, or cancel it, and wait until no member shows it any more.
//!
//! # Sources
//! - source-downgrade: what an enabled downgrade refuses.
//! - seen-downgrade: a downgrade that timed out at the client and was in force.

use super::question::{Question, seen};
use super::{Asked, Finding, Gate, Group, Need, asks, words};
use crate::etcd::sources::key;
use crate::evidence::fact::Span;

/// The gate.
pub static GATE: Gate = Gate {
    id: "downgrade-enabled",
    group: Group::Membership,
    sources: &[key::SOURCE_DOWNGRADE, key::SEEN_DOWNGRADE],
    asked: Asked::Now,
    need: |_| Need::OnSight,
    check,
};

/// What a server says when a downgrade is enabled twice.
const IN_PROGRESS: &str = "downgrade job in progress";
/// What etcdctl says when the answer does not come in time.
const TIMED_OUT: &str = "deadline exceeded";

fn check(q: &Question<'_>) -> Vec<Finding> {
    let rows = q.cluster.members.iter().enumerate().filter_map(|(index, m)| m.status.as_ref().map(|s| (index, s)));
    let enabled: Vec<_> = rows.clone().filter(|(_, s)| s.value.downgrade_enabled == Some(true)).collect();
    let remedy = "Finish the downgrade or cancel it, and wait until no member shows it any more. While it is enabled a \
                  member of another minor than its target dies at its next start.";
    if !enabled.is_empty() {
        let members: Vec<usize> = enabled.iter().map(|(index, _)| *index).collect();
        let target = enabled.iter().find_map(|(_, s)| s.value.downgrade_target.as_ref());
        let to = target.map_or_else(String::new, |version| format!(" to {version}"));
        let statement = format!(
            "{} {} a downgrade{to} that is enabled.",
            q.names(&members),
            words::verb(members.len(), "shows", "show")
        );
        let grounds = seen(enabled.iter().map(|(_, s)| &s.span));
        return vec![Finding::blocked(statement, grounds, remedy).with_commands(asks::cancel_downgrade(q))];
    }
    let said_off: Vec<&Span> =
        rows.filter(|(_, s)| s.value.downgrade_enabled == Some(false)).map(|(_, s)| &s.span).collect();
    if let Some((words, span)) = told(q).filter(|(_, span)| !said_off.iter().any(|off| later(off, span))) {
        let finding = Finding::blocked(words, seen([span]), remedy);
        return vec![finding.with_commands(asks::cancel_downgrade(q))];
    }
    if said_off.is_empty() {
        return Vec::new();
    }
    vec![Finding::passed("No downgrade is enabled.", seen(said_off))]
}

/// What the answers of `etcdctl downgrade` say last, when it is that a downgrade is on.
fn told<'a>(q: &Question<'a>) -> Option<(String, &'a Span)> {
    let mut on: Option<(String, &Span)> = None;
    for answer in &q.cluster.downgrades {
        let error = answer.value.error.as_deref().unwrap_or("");
        match answer.value.action.as_str() {
            "cancel" if answer.value.ok => on = None,
            "enable" if answer.value.ok => {
                on = Some(("A downgrade was enabled and not cancelled since.".to_owned(), &answer.span));
            }
            _ if error.contains(IN_PROGRESS) => on = Some((format!("The cluster says: {error}."), &answer.span)),
            "enable" if error.contains(TIMED_OUT) => {
                let words = "Enabling a downgrade timed out, which does not keep it from being in force.";
                on = Some((words.to_owned(), &answer.span));
            }
            _ => {}
        }
    }
    let errors = q.cluster.tool_errors.iter().rev().find(|e| e.value.text.contains(IN_PROGRESS));
    on.or_else(|| errors.map(|e| (format!("The cluster says: {}.", e.value.text), &e.span)))
}

fn later(a: &Span, b: &Span) -> bool {
    (a.paste, a.first_line) > (b.paste, b.first_line)
}
