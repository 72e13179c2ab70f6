//! Does the project still maintain the target's minor?
//!
//! # Asks
//! Whether the minor the route ends on, or on a look at health the one that runs, still gets releases.
//!
//! # Blocks when
//! Never. A minor that gets no more releases warns.
//!
//! # Why
//! A defect found there is not cured any more: the next advisory has no patch to go to.
//!
//! # Remedy
//! Go on to a minor that is maintained; it may be one more hop on the same route.
//!
//! # Sources
//! - changelog-readme: what is maintained.
//! - blog-june-2026: the end of 3.4.

use super::question::{Question, Stage, seen};
use super::{Asked, FOR_UPGRADE_AND_HEALTH, Finding, Gate, Ground, Group, Need};
use crate::etcd::releases;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "end-of-life",
    group: Group::Release,
    sources: &[key::CHANGELOG_README, key::BLOG_JUNE_2026],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let last = q.route.legs.last();
    let (minor, grounds, whose) = match (q.leg, last) {
        (Some(leg), Some(last)) if leg == last => (leg.target.minor(), vec![Ground::Wanted], "The target is"),
        (None, _) if q.stage() == Stage::Stays => match q.cluster.lowest_minor() {
            Some(minor) => (minor, seen(&q.route.from_seen), "What runs is"),
            None => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    let Some(support) = releases::support(minor) else { return Vec::new() };
    if support.ended {
        let statement = format!("{whose} {minor}, which gets no more releases.");
        let maintained = releases::newest_minor().map_or_else(String::new, |newest| format!(" such as {newest}"));
        let remedy =
            format!("Go on to a minor that is maintained{maintained}: what is found in {minor} now is not cured.");
        return vec![Finding::warning(statement, grounds, remedy)];
    }
    let until = support.until.map_or_else(String::new, |until| format!(" until {until}"));
    vec![Finding::passed(format!("{minor} is maintained{until}."), grounds)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{asked, outcomes};

    #[test]
    fn only_where_the_route_ends_counts() {
        assert_eq!(outcomes(&GATE, &three_members("3.3.27"), "3.4", &[]), [Outcome::Warning]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.35"), "3.6", &[]), [Outcome::Passed]);
        let route = asked(&GATE, &three_members("3.4.45"), "3.6", &[]);
        assert!(route.iter().all(|f| f.outcome != Outcome::Warning), "{route:?}");
    }
}
