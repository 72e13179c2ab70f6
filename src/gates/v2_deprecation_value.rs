//! Does the target take the v2 deprecation stage that is set?
//!
//! # Asks
//! Whether the stage in the flags is one the target takes, and whether it goes with the v2 API.
//!
//! # Blocks when
//! The stage stands on a command line or in the environment and the target does not take it, or today's stage and the
//! v2 API exclude each other.
//!
//! # Why
//! A stage that a minor no longer knows ends the process with exit code 2. A later stage is a promise that the v2
//! store is empty: a member with v2 content does not start under it.
//!
//! # Remedy
//! Take the flag off. The stage that only warns is for those who know what their v2 store holds.
//!
//! # Sources
//! - source-v2-stage: what each stage does.
//! - server-flags-3.6: the stages of 3.6.

use super::question::Question;
use super::{Asked, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Group, Need, sight};
use crate::etcd::flags::{self, name};
use crate::etcd::sources::key;
use crate::evidence::fact::FlagForm;

/// The gate.
pub static GATE: Gate = Gate {
    id: "v2-deprecation-value",
    group: Group::V2Store,
    sources: &[key::SOURCE_V2_STAGE, key::SERVER_FLAGS_3_6],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |q| if q.hop().is_some() { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let told = sight::logged(q, GATE.id, REMEDY);
    if !told.is_empty() {
        return told;
    }
    let Some((target, flag)) = q.leg.map(|leg| &leg.target).zip(flags::by_name(name::V2_DEPRECATION)) else {
        return Vec::new();
    };
    let sets = sight::of_flag(q, flag.name);
    let refused: Vec<sight::Set<'_>> =
        sets.iter().copied().filter(|s| flags::refuses(flag, target, s.setting.value.as_deref())).collect();
    let stops: Vec<sight::Set<'_>> = refused.iter().copied().filter(|s| s.setting.form != FlagForm::Yaml).collect();
    if !stops.is_empty() {
        let statement = format!("{} does not take the stage {}.", target.minor(), sight::written(q, &stops));
        return vec![Finding::blocked(statement, sight::grounds_of(&stops), REMEDY).about(&sight::members_of(&stops))];
    }
    let passed = "The target takes the v2 deprecation stage that is set.";
    if sets.is_empty() {
        return sight::passed_on_flags(q, "No flag sets a v2 deprecation stage.");
    }
    let finding = Finding::passed(passed, sight::grounds_of(&sets));
    vec![match refused.as_slice() {
        [] => finding,
        _ => finding.with_note(format!("{} is overridden.", sight::written(q, &refused))),
    }]
}

const REMEDY: &str = "Take the flag off on every member before it starts the target. The stage that only warns about v2 content \
                      is for those who know what their v2 store holds.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn a_stage_the_target_does_not_take_stops_it() {
        let stage = |stage: &str| three_members("3.5.35").flags("m1", &[&format!("v2-deprecation={stage}")]);
        for (value, to, outcome) in [
            ("not-yet", "3.6", Outcome::Blocked),
            ("write-only", "3.6", Outcome::Passed),
            ("write-only-skip-check", "3.6.12", Outcome::Blocked),
            ("write-only-skip-check", "3.6.13", Outcome::Passed),
        ] {
            assert_eq!(outcomes(&GATE, &stage(value), to, &[]), [outcome], "{value} on {to}");
        }
    }
}
