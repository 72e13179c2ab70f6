//! Is what was pasted an example out of a document?
//!
//! # Asks
//! Whether an endpoint or a URL still holds a place to be filled in, or a member's id or the time of an answer is the one
//! that etcd's own documents print.
//!
//! # Blocks when
//! Never. It warns; where nothing else was pasted, it is "can't tell yet".
//!
//! # Why
//! A judgement about the example of a document is one about no cluster.
//!
//! # Remedy
//! Run the commands on your own cluster and paste what they print.
//!
//! # Sources
//! - seen-status: what real output looks like.
//! - docs-cluster-status: the ids and times of the examples.

use super::question::{Question, seen};
use super::{Asked, FOR_EVERY_INTENT, Finding, Gate, Group, Need, asks, sight, words};
use crate::cluster::Member;
use crate::cluster::endpoint::Endpoint;
use crate::etcd::sources::key;
use crate::evidence::fact::{Distrust, Span};

/// The gate.
pub static GATE: Gate = Gate {
    id: "paste-is-sample",
    group: Group::Health,
    sources: &[key::SEEN_STATUS, key::DOCS_CLUSTER_STATUS],
    asked: Asked::Now,
    intents: FOR_EVERY_INTENT,
    need: |_| Need::OnSight,
    check,
};

/// What stands where a name or an address is to be filled in.
const PLACES: [&str; 7] = ["[HOST", "HOST0", "<", "${", "YOUR", "x.x.x.x", " IP]"];

/// The members of the examples in etcd's documents, which articles copy.
const SAMPLE_IDS: [u64; 3] = [0x4917_a7ab_173f_abe7, 0x5979_6ba9_cd1b_cd72, 0x94df_724b_6634_3e6c];

/// The members of the cluster on one machine in etcd's documents. Whoever starts that one has these ids too, at local
/// addresses; elsewhere they were copied.
const LOCAL_SAMPLE_IDS: [u64; 3] = [0x8211_f1d0_f64f_3269, 0x91bc_3c39_8fb3_c146, 0xfd42_2379_fda5_0e48];

/// Is the member one out of a document?
fn is_sample(member: &Member) -> bool {
    let urls = || member.endpoints.iter().chain(&member.peer_urls);
    let elsewhere = || urls().filter_map(|url| Endpoint::read(url)).any(|e| !e.is_local());
    let copied = |id: u64| SAMPLE_IDS.contains(&id) || (LOCAL_SAMPLE_IDS.contains(&id) && elsewhere());
    member.id.is_some_and(copied) || urls().any(|url| PLACES.iter().any(|p| url.contains(p)))
}

fn check(q: &Question<'_>) -> Vec<Finding> {
    let told = q.cluster.doubts.iter().filter(|d| d.value.why == Distrust::Sample);
    let told: Vec<&Span> = told.map(|d| &d.span).collect();
    let mut shown = Vec::new();
    let mut open = Vec::new();
    for (at, member) in q.cluster.members.iter().enumerate() {
        let place = member.status.as_ref().map(|s| &s.span);
        let place = place
            .or_else(|| member.health.as_ref().map(|h| &h.span))
            .or_else(|| member.listed.as_ref().map(|l| &l.span));
        let Some(span) = place else { continue };
        shown.push(span);
        if is_sample(member) || told.contains(&span) {
            open.push((at, span));
        }
    }
    if open.is_empty() && told.is_empty() {
        return sight::passed_on(shown, "Nothing that was pasted is an example out of a document.");
    }
    let members: Vec<usize> = open.iter().map(|(at, _)| *at).collect();
    let statement = if members.is_empty() {
        "A line that was pasted stands in etcd's documents: it is an example.".to_owned()
    } else {
        format!("{} {} out of the example of a document.", q.names(&members), words::verb(members.len(), "is", "are"))
    };
    let grounds = || seen(open.iter().map(|(_, span)| *span).chain(told.iter().copied()));
    let remedy = "Run the commands on your own cluster and paste what they print: an example says nothing about it.";
    let mut findings = vec![Finding::warning(statement, grounds(), remedy)];
    if open.len() == shown.len() {
        let statement = "Nothing was pasted of a cluster of your own.";
        let asks = vec![asks::status(q), asks::member_list(q)];
        findings.push(Finding::cant_tell(statement, asks).with_grounds(grounds()));
    }
    findings
}
