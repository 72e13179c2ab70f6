//! Is what was pasted an example out of a document?
//!
//! # Asks
//! Whether an endpoint or a URL still holds a place to be filled in.
//!
//! # Blocks when
//! Never. It warns, and what was pasted counts for nothing.
//!
//! # Why
//! A judgement about the example of a document is one about no cluster.
//!
//! # Remedy
//! Run the commands on your own cluster and paste what they print.
//!
//! # Sources
//! - seen-status: what real output looks like.

use super::question::{Question, seen};
use super::{Asked, FOR_EVERY_INTENT, Finding, Gate, Group, Need, sight, words};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "paste-is-sample",
    group: Group::Health,
    sources: &[key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_EVERY_INTENT,
    need: |_| Need::OnSight,
    check,
};

/// What stands where a name or an address is to be filled in.
const PLACES: [&str; 7] = ["[HOST", "HOST0", "<", "${", "YOUR", "x.x.x.x", " IP]"];

fn check(q: &Question<'_>) -> Vec<Finding> {
    let mut shown = Vec::new();
    let mut open = Vec::new();
    for (at, member) in q.cluster.members.iter().enumerate() {
        let place = member.status.as_ref().map(|s| &s.span);
        let place = place
            .or_else(|| member.health.as_ref().map(|h| &h.span))
            .or_else(|| member.listed.as_ref().map(|l| &l.span));
        let Some(span) = place else { continue };
        shown.push(span);
        if member.endpoints.iter().chain(&member.peer_urls).any(|url| PLACES.iter().any(|p| url.contains(p))) {
            open.push((at, span));
        }
    }
    if open.is_empty() {
        return sight::passed_on(shown, "No endpoint that was pasted is a place to be filled in.");
    }
    let members: Vec<usize> = open.iter().map(|(at, _)| *at).collect();
    let statement = format!(
        "{} {} no address: this is an example out of a document.",
        q.names(&members),
        words::verb(members.len(), "is", "are")
    );
    let remedy = "Run the commands on your own cluster and paste what they print: an example says nothing about it.";
    vec![Finding::warning(statement, seen(open.iter().map(|(_, span)| *span)), remedy)]
}
