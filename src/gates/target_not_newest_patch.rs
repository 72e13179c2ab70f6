//! Is the target the newest patch of its minor?
//!
//! # Asks
//! Whether a newer patch of the target's minor is known to these rules.
//!
//! # Blocks when
//! Never. An older target warns.
//!
//! # Why
//! What a later patch cured is still in an older one, and a roll costs the same whichever patch it brings.
//!
//! # Remedy
//! Take the newest patch as the target, unless something holds you to this one.
//!
//! # Sources
//! - release-tags: the releases there are.
//! - changelog-readme: what is maintained.

use super::question::Question;
use super::{Asked, FOR_UPGRADE, Finding, Gate, Ground, Group, Need};
use crate::etcd::known_issues::{self, Binary};
use crate::etcd::platforms::PlannerMode;
use crate::etcd::releases;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "target-not-newest-patch",
    group: Group::Release,
    sources: &[key::RELEASE_TAGS, key::CHANGELOG_README],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(target) = q.leg.map(|leg| &leg.target) else { return Vec::new() };
    let Some(newest) = releases::newest(target.minor()) else { return Vec::new() };
    if target.upstream() >= newest.version {
        let statement = format!("{target} is the newest {} these rules know.", target.minor());
        return vec![Finding::passed(statement, vec![Ground::Wanted])];
    }
    let statement = format!("The target {target} is not the newest patch: {} is out.", newest.version);
    let native = q.commands.platform().filter(|p| matches!(p.mode, PlannerMode::NativeOnly | PlannerMode::Refuse));
    if let Some(platform) = native {
        let note = format!("Which patch it is, the release of {} decides.", platform.name);
        return vec![Finding::passed(statement, vec![Ground::Wanted]).with_note(note)];
    }
    let cured = known_issues::of_version(Binary::Server, target).filter(|issue| !issue.in_version(&newest.version));
    let cured: Vec<&str> = cured.map(|issue| issue.title).take(3).collect();
    let mut remedy = format!("Take {} as the target, unless something holds you to {target}.", newest.version);
    if !cured.is_empty() {
        remedy.push_str(" It cures: ");
        remedy.push_str(&cured.join(" "));
    }
    vec![Finding::warning(statement, vec![Ground::Wanted], remedy)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn an_older_patch_warns_and_a_vendor_suffix_does_not_count() {
        for (to, outcome) in [
            ("3.6.16", Outcome::Passed),
            ("3.6.15", Outcome::Warning),
            ("3.6.16-k3s1", Outcome::Passed),
            ("3.6", Outcome::Passed),
        ] {
            assert_eq!(outcomes(&GATE, &three_members("3.5.35"), to, &[]), [outcome], "{to}");
        }
    }
}
