//! Does anybody still speak the v2 API?
//!
//! # Asks
//! Whether an error that only a v2 client prints was pasted.
//!
//! # Blocks when
//! Never. It warns.
//!
//! # Why
//! A client of the v2 API fails for good once it is gone, and one that works today shows that the API is on and
//! writes.
//!
//! # Remedy
//! Find the client and move it to the v3 API before the hop.
//!
//! # Sources
//! - upgrade-3.6: the v2 API is gone.
//! - seen-commands: what v2 clients print.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Group, Need, sight};
use crate::etcd::hops;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "v2-client-present",
    group: Group::V2Store,
    sources: &[key::UPGRADE_3_6, key::SEEN_COMMANDS],
    asked: Asked::Now,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |_| Need::OnSight,
    check,
};

/// What the v2 client says when it is not answered in its own language.
const V2_WORDS: [&str; 3] =
    ["client: response is invalid json", "client: etcd cluster is unavailable or misconfigured", "client: etcd member"];

fn check(q: &Question<'_>) -> Vec<Finding> {
    let reached = hops::all().iter().find(|rules| rules.checks_v2_store).map(|rules| rules.to);
    let ends = q.route.legs.iter().any(|leg| Some(leg.target.minor()) >= reached);
    if !ends {
        return Vec::new();
    }
    let words = |e: &&crate::evidence::fact::Seen<crate::evidence::fact::ToolError>| {
        V2_WORDS.iter().any(|w| e.value.text.contains(w))
    };
    let errors: Vec<_> = q.cluster.tool_errors.iter().filter(words).map(|e| &e.span).collect();
    if errors.is_empty() {
        return sight::passed_on_flags(q, "No error of a v2 client was pasted.");
    }
    let remedy = "Find the client that speaks v2 (a script with ETCDCTL_API=2, an old library, flannel or the like) and move \
                  it to the v3 API before the hop: the new minor does not answer it any more.";
    vec![Finding::warning("A client of the v2 API was used.", seen(errors), remedy)]
}
