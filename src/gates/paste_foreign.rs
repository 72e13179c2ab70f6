//! Was the output of another tool pasted that looks like etcd's?
//!
//! # Asks
//! Whether a table that was pasted has columns that no tool of etcd's prints.
//!
//! # Blocks when
//! Never. It is "can't tell yet" as long as nothing of etcd's own is shown beside it, and a warning then.
//!
//! # Why
//! Dashboards, articles and other products draw tables with the same words in them. What they mean by a word, and when
//! they asked, nobody can say: a verdict on them is a guess.
//!
//! # Remedy
//! Paste what etcdctl itself prints, and take the other table out.
//!
//! # Sources
//! - seen-status: the columns that etcdctl prints.

use super::question::{Question, seen};
use super::{Asked, FOR_EVERY_INTENT, Finding, Gate, Group, Need, asks, sight, words};
use crate::etcd::sources::key;
use crate::evidence::fact::Distrust;

/// The gate.
pub static GATE: Gate = Gate {
    id: "paste-foreign",
    group: Group::Health,
    sources: &[key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_EVERY_INTENT,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let own = sight::rows(q).iter().map(|(_, s)| &s.span).chain(&q.cluster.member_list).cloned().collect::<Vec<_>>();
    let foreign = q.cluster.doubts.iter().filter(|d| d.value.why == Distrust::Foreign);
    let findings = foreign.map(|doubt| {
        let statement = format!("{}.", words::sentence(&doubt.value.says));
        let grounds = seen([&doubt.span]);
        // A table that reads like etcdctl's is all there is of its kind, and so is one beside which nothing stands.
        if doubt.value.kind.is_some() || own.is_empty() {
            let note = "It is of another tool, or was drawn by hand: what it means by its words can't be told.";
            return Finding::cant_tell(statement, vec![asks::status(q), asks::member_list(q)])
                .with_grounds(grounds)
                .with_note(note);
        }
        let remedy =
            "Take this table out: it is of another tool, and was not read. What etcdctl prints is read instead.";
        Finding::warning(statement, grounds, remedy)
    });
    let findings: Vec<Finding> = findings.collect();
    if findings.is_empty() {
        return sight::passed_on(&own, "Status and member list are etcdctl's own.");
    }
    findings
}
