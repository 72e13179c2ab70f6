//! Did a member go back to an older version?
//!
//! # Asks
//! Whether a newer paste shows an older version of a member than an earlier one.
//!
//! # Blocks when
//! Never. It warns.
//!
//! # Why
//! An upgrade that was swapped back had a reason. Records that the newer minor wrote stay in the WAL, and the gates of
//! this hop must be answered anew.
//!
//! # Remedy
//! Find out why it was swapped back, and paste all evidence anew: what was clean before may not be now.
//!
//! # Sources
//! - source-version-monitor: how long a swap back is open.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE, Finding, Gate, Group, Need, sight, words};
use crate::etcd::sources::key;
use crate::etcd::version::Version;

/// The gate.
pub static GATE: Gate = Gate {
    id: "upgrade-rolled-back",
    group: Group::Route,
    sources: &[key::SOURCE_VERSION_MONITOR],
    asked: Asked::Now,
    intents: FOR_UPGRADE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let back: Vec<_> = q
        .cluster
        .history
        .iter()
        .filter(|h| h.what == "version")
        .filter(|h| {
            let version = |text: &str| text.parse::<Version>().ok();
            version(&h.before).zip(version(&h.after)).is_some_and(|(before, after)| after < before)
        })
        .collect();
    if back.is_empty() {
        let newer = q.cluster.history.iter().filter(|h| h.what == "version").map(|h| &h.after_at);
        return sight::passed_on(newer, "No member went back to an older version.");
    }
    let each: Vec<String> =
        back.iter().map(|h| format!("{} ran {} and now runs {}", h.member, h.before, h.after)).collect();
    let statement = format!("{}.", words::list(&each));
    let remedy = "Find out why it was swapped back, and paste all evidence anew: what the newer version wrote stays in the \
                  WAL, and what was clean before may not be now.";
    vec![Finding::warning(statement, seen(back.iter().flat_map(|h| [&h.before_at, &h.after_at])), remedy)]
}
