//! Is what was pasted whole?
//!
//! # Asks
//! Whether a table or a row of etcdctl's lost columns, rows, its header or its end, and no whole one was pasted after it.
//!
//! # Blocks when
//! Never. It is "can't tell yet".
//!
//! # Why
//! A member, a version or an error that was cut off looks like one that is not there.
//!
//! # Remedy
//! Copy the output whole, from the command to the last line, and paste it again.
//!
//! # Sources
//! - seen-status: the columns that etcdctl prints.

use super::question::{Question, seen};
use super::{Ask, Asked, FOR_EVERY_INTENT, Finding, Gate, Group, Need, asks, sight, words};
use crate::etcd::sources::key;
use crate::evidence::fact::{Distrust, Kind, Span};

/// The gate.
pub static GATE: Gate = Gate {
    id: "paste-incomplete",
    group: Group::Health,
    sources: &[key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_EVERY_INTENT,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let mut each: Vec<(&str, Option<Kind>, Vec<&Span>)> = Vec::new();
    for doubt in q.cluster.doubts.iter().filter(|d| d.value.why == Distrust::Incomplete) {
        // Many pieces of one kind are one matter; so few things can be wrong that looking them up one by one is cheap.
        if let Some((_, _, spans)) = each.iter_mut().find(|(says, ..)| *says == doubt.value.says) {
            spans.push(&doubt.span);
        } else if each.len() < MOST {
            each.push((&doubt.value.says, doubt.value.kind, vec![&doubt.span]));
        }
    }
    if each.is_empty() {
        let rows = sight::rows(q);
        let shown = rows.iter().map(|(_, s)| &s.span).chain(&q.cluster.member_list);
        return sight::passed_on(shown, "Status and member list are whole.");
    }
    let finding = |(says, kind, spans): (&str, Option<Kind>, Vec<&Span>)| {
        Finding::cant_tell(format!("{}.", words::sentence(says)), again(q, kind)).with_grounds(seen(spans)).with_note(
            "Copy the output whole, from the command to its last line: what was cut off looks like what is not there.",
        )
    };
    each.into_iter().map(finding).collect()
}

/// The most different matters that are told; a paste with more is broken throughout.
const MOST: usize = 16;

/// What shows the same, whole.
fn again(q: &Question<'_>, kind: Option<Kind>) -> Vec<Ask> {
    match kind {
        Some(Kind::MemberList) => vec![asks::member_list(q)],
        Some(Kind::EndpointHealth) => vec![asks::health(q)],
        Some(Kind::EndpointHashKv) => asks::hashes(q),
        Some(Kind::ServerFlags) => asks::flags(q, &q.to_roll()),
        _ => vec![asks::status(q)],
    }
}
