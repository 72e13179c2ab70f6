//! Is a flag set that the binary does not know yet?
//!
//! # Asks
//! Whether the flags of a member name one that its target does not have and only a later version has, or one that only
//! the target knows while the member still runs the older minor.
//!
//! # Blocks when
//! The target does not know the flag and it stands on a command line. A flag that only the target knows warns.
//!
//! # Why
//! A flag that a binary does not know ends the process, also when a later minor has it. One put in before the roll
//! stops the next restart on the old binary, and a swap back with it.
//!
//! # Remedy
//! Put a flag in together with the binary that knows it.
//!
//! # Sources
//! - seen-flags: starts with flags of another minor.
//! - server-flags-3.6: the flags of 3.6.
//! - server-flags-3.7: the flags of 3.7.

use super::flag_removed::flag_of;
use super::question::Question;
use super::{Asked, FOR_ROLLS_AND_FLAGS, Finding, Gate, Group, Need, sight};
use crate::etcd::flags::Flag;
use crate::etcd::sources::key;
use crate::evidence::fact::{FlagForm, FlagSetting};
use crate::intent::IntentKind;

/// The gate.
pub static GATE: Gate = Gate {
    id: "flag-too-new",
    group: Group::Flags,
    sources: &[key::SEEN_FLAGS, key::SERVER_FLAGS_3_6, key::SERVER_FLAGS_3_7],
    asked: Asked::EachLeg,
    intents: FOR_ROLLS_AND_FLAGS,
    need: |q| if q.hop().is_some() { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some((hop, target)) = q.hop().zip(q.leg.map(|leg| &leg.target)) else { return Vec::new() };
    let flag = |s: &FlagSetting| flag_of(s, hop.to).filter(|_| s.form == FlagForm::CommandLine);
    let later = |f: &Flag| !f.in_version(target) && f.first_version().is_some_and(|first| first > *target);
    let unknown = sight::settings_that(q, &|s| flag(s).is_some_and(later));
    if !unknown.is_empty() {
        let statement = format!("{target} does not know {} yet and exits with code 2.", sight::written(q, &unknown));
        let remedy = "Take it off, or take a target that has it.";
        return vec![
            Finding::blocked(statement, sight::grounds_of(&unknown), remedy).about(&sight::members_of(&unknown)),
        ];
    }
    let early = |f: &Flag| f.in_version(target) && f.first_version().is_some_and(|first| first.minor() == hop.to);
    let upgrade = q.first && q.route.intent.kind == IntentKind::Upgrade;
    let early = if upgrade { sight::settings_that(q, &|s| flag(s).is_some_and(early)) } else { Vec::new() };
    if !early.is_empty() {
        let statement =
            format!("Only {} knows {}, and the member still runs {}.", hop.to, sight::written(q, &early), hop.from);
        let remedy = "Put it in together with the new binary: until then the member does not restart, and a swap back wants \
                      it off again.";
        return vec![Finding::warning(statement, sight::grounds_of(&early), remedy).about(&sight::members_of(&early))];
    }
    sight::passed_on_flags(q, "No flag is set that the binary does not know yet.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn a_flag_of_the_next_minor_warns_before_the_roll() {
        let with = |runs: &str| three_members(runs).flags("m1", &["feature-gates=InitialCorruptCheck=true"]);
        assert_eq!(outcomes(&GATE, &with("3.5.35"), "3.6", &[]), [Outcome::Warning]);
        assert_eq!(outcomes(&GATE, &with("3.6.16"), "3.7", &[]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &with("3.4.45"), "3.5", &[]), [Outcome::Blocked]);
    }
}
