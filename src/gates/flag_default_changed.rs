//! Does a default change under a setting that nobody made?
//!
//! # Asks
//! Which flags that are not set have another default on the target.
//!
//! # Blocks when
//! Never: it passes with a note.
//!
//! # Why
//! What nobody set follows the default, and the default of the new minor is what its makers hold for right.
//!
//! # Remedy
//! None is needed. Set the old value to keep today's behaviour.
//!
//! # Sources
//! - server-flags-3.5: the defaults of 3.5.
//! - server-flags-3.6: the defaults of 3.6.
//! - server-flags-3.7: the defaults of 3.7.

use std::collections::HashSet;

use super::flag_removed::flag_of;
use super::question::Question;
use super::{Asked, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Group, Need, sight, words};
use crate::etcd::flags;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "flag-default-changed",
    group: Group::Flags,
    sources: &[key::SERVER_FLAGS_3_5, key::SERVER_FLAGS_3_6, key::SERVER_FLAGS_3_7],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |q| if q.hop().is_some() { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(hop) = q.hop() else { return Vec::new() };
    let sets = q.flags();
    if !sets.iter().any(|f| f.seen.value.complete) {
        return Vec::new();
    }
    let settings = sets.iter().flat_map(|f| &f.seen.value.settings);
    let set: HashSet<&str> = settings.filter_map(|s| flag_of(s, hop.from)).map(|flag| flag.name).collect();
    let is_set = |name: &str| set.contains(name);
    let changed: Vec<String> = flags::all()
        .iter()
        .filter_map(|flag| {
            let (old, new) = flag.in_minor(hop.from).zip(flag.in_minor(hop.to))?;
            let differ = old.effective_default != new.effective_default && !is_set(flag.name);
            differ.then(|| {
                format!("--{} from {} to {}", flag.name, shown(old.effective_default), shown(new.effective_default))
            })
        })
        .collect();
    let passed = sight::passed_on_flags(q, "No default that changes needs a decision.");
    if changed.is_empty() {
        return passed;
    }
    let note = format!("Defaults that change: {}. Set the old value to keep it.", words::list(&changed));
    passed.into_iter().map(|finding| finding.with_note(note.clone())).collect()
}

fn shown(default: &str) -> &str {
    if default.is_empty() { "nothing" } else { default }
}
