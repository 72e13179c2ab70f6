//! Is a setting given on the command line and in the environment at once?
//!
//! # Asks
//! Whether a flag of one member stands on its command line and in its environment.
//!
//! # Blocks when
//! Both are set, also when they agree, and also when the variable is empty.
//!
//! # Why
//! etcd refuses the pair: "conflicting environment variable is shadowed by corresponding command-line flag".
//!
//! # Remedy
//! Take one of the two out.
//!
//! # Sources
//! - seen-flags: starts with both.

use std::collections::HashSet;

use super::question::{Question, Stage};
use super::{Asked, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Group, Need, sight};
use crate::etcd::sources::key;
use crate::evidence::fact::FlagForm;

/// The gate.
pub static GATE: Gate = Gate {
    id: "flag-env-conflict",
    group: Group::Flags,
    sources: &[key::SEEN_FLAGS],
    asked: Asked::Now,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |q| if q.stage() == Stage::Ahead { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    const REMEDY: &str = "Take one of the two out on every member: etcd refuses the pair even when both agree.";
    let told = sight::logged(q, GATE.id, REMEDY);
    if !told.is_empty() {
        return told;
    }
    let to_roll = q.to_roll();
    let mut both: Vec<sight::Set<'_>> = Vec::new();
    let sets = q.flags();
    let mut given: HashSet<(Option<usize>, usize, &str)> = HashSet::new();
    // Files nobody could place may be of two members, so each of them counts for itself.
    let place = |at: usize, member: Option<usize>| if member.is_some() { 0 } else { at };
    let ours = || sets.iter().enumerate().filter(|(_, f)| f.member.is_none_or(|m| to_roll.contains(&m)));
    for (at, flags) in ours() {
        let named = flags.seen.value.settings.iter().filter(|s| s.form == FlagForm::CommandLine);
        given.extend(named.map(|s| (flags.member, place(at, flags.member), s.name.as_str())));
    }
    for (at, flags) in ours() {
        let variables = flags.seen.value.settings.iter().filter(|s| s.form == FlagForm::Env);
        let clash = variables.filter(|s| given.contains(&(flags.member, place(at, flags.member), s.name.as_str())));
        both.extend(clash.map(|setting| sight::Set { member: flags.member, setting }));
    }
    if both.is_empty() {
        return sight::passed_on_flags(q, "No setting is given by flag and by variable at once.");
    }
    let statement = format!("The command line sets this too: {}.", sight::written(q, &both));
    vec![Finding::blocked(statement, sight::grounds_of(&both), REMEDY).about(&sight::members_of(&both))]
}
