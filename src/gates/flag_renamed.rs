//! Does a flag get a new name?
//!
//! # Asks
//! Whether a flag is set that the target still knows, under a name that it calls deprecated.
//!
//! # Blocks when
//! Never: it passes with a note. The minor that drops the old name has a gate of its own.
//!
//! # Why
//! The target starts with the old name and says so in its log. The hop after it may not.
//!
//! # Remedy
//! After the hop replace the old name by the new one; the old minor does not know the new one.
//!
//! # Sources
//! - server-flags-3.6: the names of 3.6.
//! - server-flags-3.7: the names of 3.7.

use super::flag_removed::flag_of;
use super::question::Question;
use super::{Asked, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Group, Need, sight, words};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "flag-renamed",
    group: Group::Flags,
    sources: &[key::SERVER_FLAGS_3_6, key::SERVER_FLAGS_3_7],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |q| if q.hop().is_some() { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some((hop, target)) = q.hop().zip(q.leg.map(|leg| leg.target.minor())) else { return Vec::new() };
    let new_name = |s: &crate::evidence::fact::FlagSetting| {
        let row = flag_of(s, hop.from).and_then(|flag| flag.in_minor(target)).filter(|row| row.deprecated);
        row.and_then(|row| row.replaced_by)
    };
    let old = sight::settings_that(q, &|s| !sight::is_unset(s) && new_name(s).is_some());
    let passed = sight::passed_on_flags(q, format!("{target} starts with the names that are set."));
    if old.is_empty() {
        return passed;
    }
    let mut pairs: Vec<String> = old
        .iter()
        .filter_map(|s| new_name(s.setting).map(|new| format!("{} becomes {new}", sight::text_of(s.setting))))
        .collect();
    crate::sort::sort(&mut pairs);
    pairs.dedup();
    let note = format!("After the hop replace the old names: {}.", words::list(&pairs));
    passed.into_iter().map(|finding| finding.with_note(note.clone())).collect()
}
