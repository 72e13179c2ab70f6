//! Does every waiver still accept something?
//!
//! # Asks
//! Whether a waiver that was given has run out, or no warning answers to it.
//!
//! # Blocks when
//! Never. It warns.
//!
//! # Why
//! A waiver that outlives its reason accepts the next fault in silence.
//!
//! # Remedy
//! Decide anew, or take it out of the file.
//!
//! # Sources
//! - rule-set: warnings are accepted for a time, with a reason and a name.

use super::question::Question;
use super::{Asked, FOR_EVERY_INTENT, Finding, Gate, Group, Need};
use crate::etcd::sources::key;

/// The gate. What it says depends on all others, so [`super::waiver`] says it once they have answered.
pub static GATE: Gate = Gate {
    id: "waiver-stale",
    group: Group::Around,
    sources: &[key::RULE_SET],
    asked: Asked::Now,
    intents: FOR_EVERY_INTENT,
    need: |_| Need::OnSight,
    check,
};

fn check(_: &Question<'_>) -> Vec<Finding> {
    Vec::new()
}
