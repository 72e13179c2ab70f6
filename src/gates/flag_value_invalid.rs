//! Does the target take the values that are set?
//!
//! # Asks
//! Whether a value is none that the target takes: a choice it does not have, a switch that is neither true nor false,
//! a feature gate it does not know.
//!
//! # Blocks when
//! Such a value stands in the flags, or a log says that a start ended on one.
//!
//! # Why
//! etcd checks its values before it touches the data, and ends the process.
//!
//! # Remedy
//! Set a value the target takes, or take the setting out.
//!
//! # Sources
//! - server-flags-3.5: what 3.5 takes.
//! - server-flags-3.6: what 3.6 takes.
//! - server-flags-3.7: what 3.7 takes.
//! - feature-gates-3.6: the feature gates of 3.6.
//! - feature-gates-3.7: the feature gates of 3.7.
//! - seen-flags: starts with values that are refused.

use super::flag_removed::flag_of;
use super::question::Question;
use super::{Asked, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Group, Need, sight};
use crate::cluster::settings;
use crate::etcd::feature_gates;
use crate::etcd::flags::{self, name};
use crate::etcd::sources::key;
use crate::etcd::version::Version;
use crate::evidence::fact::{FlagForm, FlagSetting};

/// The gate.
pub static GATE: Gate = Gate {
    id: "flag-value-invalid",
    group: Group::Flags,
    sources: &[
        key::SERVER_FLAGS_3_5,
        key::SERVER_FLAGS_3_6,
        key::SERVER_FLAGS_3_7,
        key::FEATURE_GATES_3_6,
        key::FEATURE_GATES_3_7,
        key::SEEN_FLAGS,
    ],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |q| if q.hop().is_some() { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some((hop, target)) = q.hop().zip(q.leg.map(|leg| &leg.target)) else { return Vec::new() };
    let told = sight::logged(q, GATE.id, REMEDY);
    if !told.is_empty() {
        return told;
    }
    let refused = sight::settings_that(q, &|s| {
        let known = flag_of(s, hop.from).filter(|flag| flag.name != name::V2_DEPRECATION && flag.in_version(target));
        !sight::is_unset(s)
            && known.is_some_and(|flag| flags::refuses(flag, target, value_of(s)) || unknown_gate(s, target))
    });
    if refused.is_empty() {
        return sight::passed_on_flags(q, format!("{} takes every value that is set.", target.minor()));
    }
    let statement = format!("{} does not take {}.", target.minor(), sight::written(q, &refused));
    vec![Finding::blocked(statement, sight::grounds_of(&refused), REMEDY).about(&sight::members_of(&refused))]
}

const REMEDY: &str = "Set a value the target takes, or take the setting out, on every member before it starts the target: etcd \
                      checks its values first and does not start.";

/// The value as far as it can be judged: what a shell still has to fill in can't be.
fn value_of(setting: &FlagSetting) -> Option<&str> {
    setting.value.as_deref().filter(|value| settings::is_literal(value))
}

/// Does it set a feature gate that the target does not know?
fn unknown_gate(setting: &FlagSetting, target: &Version) -> bool {
    let names =
        value_of(setting).filter(|_| settings::is(setting, name::FEATURE_GATES) && setting.form != FlagForm::Yaml);
    names.is_some_and(|list| {
        list.split(',')
            .filter_map(|one| one.split_once('='))
            .any(|(gate, _)| feature_gates::by_name(gate.trim()).is_none_or(|known| !known.in_minor(target.minor())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn choices_switches_and_feature_gates_are_held_against_the_target() {
        let with = |setting: &str| three_members("3.6.16").flags("m1", &[setting]);
        for (setting, outcome) in [
            ("auto-compaction-mode=periodic", Outcome::Passed),
            ("auto-compaction-mode=hourly", Outcome::Blocked),
            ("pre-vote=maybe", Outcome::Blocked),
            ("pre-vote=T", Outcome::Passed),
            ("pre-vote=$PRE_VOTE", Outcome::Passed),
            ("feature-gates=NoSuchGate=true", Outcome::Blocked),
            ("feature-gates=StopGRPCServiceOnDefrag=true", Outcome::Passed),
        ] {
            assert_eq!(outcomes(&GATE, &with(setting), "3.7", &[]), [outcome], "{setting}");
        }
    }
}
