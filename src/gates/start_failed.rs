//! Did a member fail to start for a reason no other gate names?
//!
//! # Asks
//! Whether a log line says that the process ended, where no other gate speaks of that line.
//!
//! # Blocks when
//! Such a line was pasted.
//!
//! # Why
//! A member that does not start now does not start after the upgrade, and the roll waits for it.
//!
//! # Remedy
//! Mend what the line says, and start the member, before anything else is touched.
//!
//! # Sources
//! - seen-logs: what etcd logs when it does not start.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_MEMBERS_AND_HEALTH, Finding, Gate, Group, Need, sight};
use crate::etcd::log_messages::{self, Effect, LogMessage};
use crate::etcd::sources::key;
use crate::evidence::fact::LogEvent;

/// The gate.
pub static GATE: Gate = Gate {
    id: "start-failed",
    group: Group::Health,
    sources: &[key::SEEN_LOGS],
    asked: Asked::Now,
    intents: FOR_UPGRADE_MEMBERS_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let of_members = q.cluster.members.iter().enumerate().flat_map(|(at, m)| m.log.iter().map(move |l| (Some(at), l)));
    let all: Vec<_> = of_members.chain(q.cluster.log.iter().map(|l| (None, l))).collect();
    let ours = |event: &LogEvent| message(event).filter(|m| m.effect == Effect::Stops && is_ours(q, m));
    let mut findings: Vec<Finding> = Vec::new();
    for (at, line) in &all {
        let Some(message) = ours(&line.value) else { continue };
        let members: Vec<usize> = at.iter().copied().collect();
        let whose = at.map_or_else(String::new, |at| format!("{}: ", q.label(at)));
        let statement = format!("{whose}{}", message.meaning);
        if findings.iter().any(|f| f.statement == statement) {
            continue;
        }
        let remedy = "Mend what the line says and start the member before anything else is touched: one that does not start \
                      now does not start after the upgrade either.";
        findings.push(Finding::blocked(statement, seen([&line.span]), remedy).about(&members));
    }
    for error in &q.cluster.tool_errors {
        let Some(message) = log_messages::in_line(&error.value.text).filter(|m| m.gate == Some(GATE.id)) else {
            continue;
        };
        findings.push(Finding::blocked(
            message.meaning,
            seen([&error.span]),
            "Mend what the line says before anything else.",
        ));
    }
    if findings.is_empty() {
        return sight::passed_on(
            all.iter().map(|(_, l)| &l.span),
            "No log line that was pasted tells of another failed start.",
        );
    }
    findings
}

fn message(event: &LogEvent) -> Option<&'static LogMessage> {
    log_messages::by_id(event.message)
}

/// Does no other gate of this registry speak of the message?
fn is_ours(q: &Question<'_>, message: &LogMessage) -> bool {
    let asked = |id: &str| super::by_id(id).is_some_and(|gate| gate.intents.contains(&q.route.intent.kind));
    message.gate.is_none_or(|gate| gate == GATE.id || !asked(gate))
}
