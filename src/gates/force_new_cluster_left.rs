//! Is a member still told to make a new cluster of itself?
//!
//! # Asks
//! Whether the flag that makes a member start as a cluster of one is still set.
//!
//! # Blocks when
//! It is set.
//!
//! # Why
//! It was for one start after a disaster. Left in place, the next restart throws every other member out.
//!
//! # Remedy
//! Take it off before anything is restarted.
//!
//! # Sources
//! - recovery: what the flag is for.

use super::question::Question;
use super::{Asked, FOR_EVERY_INTENT, Finding, Gate, Group, Need, sight};
use crate::etcd::flags::name;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "force-new-cluster-left",
    group: Group::Flags,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_EVERY_INTENT,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let on: Vec<sight::Set<'_>> =
        sight::of_flag(q, name::FORCE_NEW_CLUSTER).into_iter().filter(|s| sight::is_on(s.setting)).collect();
    if on.is_empty() {
        return sight::passed_on_flags(q, "No member is told to make a new cluster of itself.");
    }
    let statement = format!("{} is still set.", sight::written(q, &on));
    let remedy = "Take it off before anything is restarted: at the next start that member throws every other one out.";
    vec![Finding::blocked(statement, sight::grounds_of(&on), remedy).about(&sight::members_of(&on))]
}
