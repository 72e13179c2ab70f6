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
use super::{Asked, FOR_UPGRADE_MEMBERS_AND_HEALTH, Finding, Gate, Group, Need, asks, words};
use crate::etcd::log_messages::Effect;
use crate::etcd::sources::key;
use crate::evidence::fact::Span;

/// The gate.
pub static GATE: Gate = Gate {
    id: "downgrade-enabled",
    group: Group::Membership,
    sources: &[key::SOURCE_DOWNGRADE, key::SEEN_DOWNGRADE],
    asked: Asked::Now,
    intents: FOR_UPGRADE_MEMBERS_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

/// What a server says when a downgrade is enabled twice.
pub(super) const IN_PROGRESS: &str = "downgrade job in progress";
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
    let refused = q.logged(GATE.id, |effect| effect == Effect::Stops);
    if !refused.is_empty() {
        let statement = "A member did not start because a downgrade is enabled.";
        let finding = Finding::blocked(statement, seen(refused.iter().map(|l| &l.seen.span)), remedy);
        return vec![finding.with_commands(asks::cancel_downgrade(q))];
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{three_members, version};
    use crate::evidence::fact::{Body, Downgrade, Status, ToolError};
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    fn shows(on: bool) -> impl Fn(&mut Status) {
        move |status| {
            status.downgrade_enabled = Some(on);
            status.downgrade_target = on.then(|| version("3.5.0"));
        }
    }

    #[test]
    fn the_columns_of_any_member_tell() {
        let none = three_members("3.6.16").status("m1", shows(false)).status("m2", shows(false));
        assert_eq!(outcomes(&GATE, &none, "3.7", &[]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &none.status("m3", shows(true)), "3.7", &[]), [Outcome::Blocked]);
    }

    #[test]
    fn the_last_answer_of_the_command_tells_where_no_column_does() {
        let enabled = three_members("3.5.33").downgrade("enable", true);
        assert_eq!(outcomes(&GATE, &enabled, "3.6", &[]), [Outcome::Blocked]);
        assert_eq!(outcomes(&GATE, &enabled.downgrade("cancel", true), "3.6", &[]), [Outcome::NotLookedAt]);
    }

    #[test]
    fn a_time_out_does_not_keep_a_downgrade_from_being_in_force() {
        let answer = |error: &str| {
            Body::Downgrade(Downgrade {
                action: "enable".to_owned(),
                ok: false,
                cluster_version: None,
                error: Some(error.to_owned()),
            })
        };
        let timed_out = three_members("3.5.33").fact(answer("context deadline exceeded"));
        assert_eq!(outcomes(&GATE, &timed_out, "3.6", &[]), [Outcome::Blocked]);
        let refused = three_members("3.5.33").fact(answer("etcdserver: invalid downgrade target version"));
        assert_eq!(outcomes(&GATE, &refused, "3.6", &[]), [Outcome::NotLookedAt]);
        let text = "etcdserver: cluster has a downgrade job in progress".to_owned();
        let told = three_members("3.5.33").fact(Body::ToolError(ToolError { text }));
        assert_eq!(outcomes(&GATE, &told, "3.6", &[]), [Outcome::Blocked]);
    }
}
