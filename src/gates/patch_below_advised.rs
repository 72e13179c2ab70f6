//! Does every member run the patch that is advised before this hop?
//!
//! # Asks
//! The patch of every member that runs the minor this hop leaves, against the patch that is advised for it.
//!
//! # Blocks when
//! Never. A member below the advised patch warns. A floor that etcd demands is a gate of its own.
//!
//! # Why
//! The advised patch cures something that can bite on this very hop. Official documents do not demand it, so a person
//! decides.
//!
//! # Remedy
//! Roll every member to the newest patch of its minor first, or go on and know what is not cured.
//!
//! # Sources
//! - changelog-3.3: what the patches of 3.3 cure.
//! - changelog-3.4: what the patches of 3.4 cure.
//! - source-snap-fsync: the defect that 3.5 and 3.6 cure last.

use super::question::Question;
use super::{Asked, FOR_UPGRADE, Finding, Gate, Group, Need, sight};
use crate::etcd::releases;
use crate::etcd::sources::key;
use crate::etcd::version::Version;

/// The gate.
pub static GATE: Gate = Gate {
    id: "patch-below-advised",
    group: Group::Release,
    sources: &[key::CHANGELOG_3_3, key::CHANGELOG_3_4, key::SOURCE_SNAP_FSYNC],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |q| if q.hop().is_some() { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some((rules, floor)) = q.rules().and_then(|r| r.advised.as_ref().map(|floor| (r, floor))) else {
        return Vec::new();
    };
    if !q.first {
        // The leg before ends on a patch of the plan's own choice.
        return Vec::new();
    }
    let of_minor = |v: &Version| v.minor() == rules.from;
    let below = sight::versions_that(q, &|v| of_minor(v) && (v.is_prerelease() || v.upstream() < floor.version));
    if below.is_empty() {
        let statement = format!("No member runs a {} below {}.", rules.from, floor.version);
        return sight::passed_on_versions(q, statement);
    }
    let demanded = rules.required.as_ref();
    if demanded.is_some_and(|d| below.iter().any(|v| v.version.upstream() < d.version)) {
        let statement = format!("The floor that etcd demands comes first; {} is advised beyond it.", floor.version);
        return vec![Finding::passed(statement, sight::grounds_with(&below))];
    }
    let statement = format!("{}; {} is advised before {}.", sight::who_runs(q, &below), floor.version, rules.to);
    let newest = releases::newest(rules.from).map_or_else(|| floor.version.to_string(), |r| r.version.to_string());
    let remedy = format!(
        "Roll every member to {newest}, the newest {}, before the hop, or go on with what it cures in mind: {}.",
        rules.from, floor.cures
    );
    vec![Finding::warning(statement, sight::grounds_with(&below), remedy).about(&sight::members_with(&below))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn below_the_advised_patch_warns_and_a_floor_that_is_demanded_comes_first() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.34"), "3.6", &[]), [Outcome::Warning]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.35"), "3.6", &[]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.9"), "3.6", &[]), [Outcome::Passed]);
        let old = only(&GATE, &three_members("3.4.37").version("m1", "3.4.38"), "3.5", &[]);
        assert_eq!(old.statement, "m2 and m3 run 3.4.37; 3.4.38 is advised before 3.5.");
    }
}
