//! Is a setting given in its old and its new form at once?
//!
//! # Asks
//! Whether an experimental flag and what replaces it are both set for one member, on a target that knows both.
//!
//! # Blocks when
//! Both stand in the flags of one member.
//!
//! # Why
//! The minor that knows both forms refuses the pair, even when they agree.
//!
//! # Remedy
//! Keep the new form only.
//!
//! # Sources
//! - server-flags-3.6: the pairs 3.6 refuses.
//! - seen-flags: starts with both forms.

use super::flag_removed::flag_of;
use std::collections::HashMap;

use super::question::Question;
use super::{Asked, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Group, Need, sight};
use crate::cluster::settings;
use crate::etcd::flags::name;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "flag-both-forms",
    group: Group::Flags,
    sources: &[key::SERVER_FLAGS_3_6, key::SEEN_FLAGS],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |q| if q.hop().is_some() { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    const REMEDY: &str = "Keep the new form only: the target refuses the pair, even when both agree.";
    let Some((hop, target)) = q.hop().zip(q.leg.map(|leg| leg.target.minor())) else { return Vec::new() };
    let told = sight::logged(q, GATE.id, REMEDY);
    if !told.is_empty() {
        return told;
    }
    let all = sight::settings_that(q, &|s| !sight::is_unset(s));
    // Under a feature gate's name stand the settings that turn it on or off, else those of the flag itself.
    let mut new_forms: HashMap<(Option<usize>, &str), sight::Set<'_>> = HashMap::new();
    for set in &all {
        let names =
            set.setting.value.as_deref().filter(|_| settings::is(set.setting, name::FEATURE_GATES)).unwrap_or("");
        let gates = names.split(',').filter_map(|one| one.split('=').next()).filter(|gate| !gate.is_empty());
        let own = flag_of(set.setting, target).map(|flag| flag.name);
        for key in gates.chain(own) {
            new_forms.entry((set.member, key)).or_insert(*set);
        }
    }
    let mut pairs: Vec<sight::Set<'_>> = Vec::new();
    for old in &all {
        let flag = flag_of(old.setting, hop.from).and_then(|flag| flag.in_minor(target));
        let Some(by) = flag.and_then(|row| row.replaced_by) else { continue };
        let new = by.split_once('=').map_or(by, |(new, gate)| if new == name::FEATURE_GATES { gate } else { new });
        if let Some(twin) = new_forms.get(&(old.member, new)) {
            pairs.extend([*old, *twin]);
        }
    }
    if pairs.is_empty() {
        return sight::passed_on_flags(q, "No setting is given in two forms.");
    }
    let statement = format!("One setting in two forms: {}. {target} refuses that.", sight::written(q, &pairs));
    vec![Finding::blocked(statement, sight::grounds_of(&pairs), REMEDY).about(&sight::members_of(&pairs))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn both_forms_stop_the_minor_that_knows_both() {
        let both = ["experimental-initial-corrupt-check=true", "feature-gates=InitialCorruptCheck=true"];
        let with = |settings: &[&str]| three_members("3.5.35").flags("m1", settings);
        assert_eq!(outcomes(&GATE, &with(&both), "3.6", &[]), [Outcome::Blocked]);
        assert_eq!(outcomes(&GATE, &with(&both[..1]), "3.6", &[]), [Outcome::Passed]);
        let other = ["experimental-initial-corrupt-check=true", "feature-gates=StopGRPCServiceOnDefrag=true"];
        assert_eq!(outcomes(&GATE, &with(&other), "3.6", &[]), [Outcome::Passed]);
    }
}
