//! Do the members run minors that belong to one hop?
//!
//! # Asks
//! Whether the minors the members run lie at most one apart and none of them above the target.
//!
//! # Blocks when
//! The members span two minors or more, or a mixed cluster already runs a minor above the target.
//!
//! # Why
//! etcd supports a mixed cluster of two neighbouring minors, for the time of a roll. Wider spans are not supported and
//! not tested, and no binary refuses them.
//!
//! # Remedy
//! Bring the members to one minor first: the lowest ones up by one, member by member.
//!
//! # Sources
//! - upgrading: one minor at a time, a mixed cluster only for the time of the roll.
//! - source-version-window: no binary of etcd enforces it.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_MEMBERS_AND_HEALTH, Finding, Gate, Group, Need, words};
use crate::etcd::sources::key;
use crate::etcd::version::Minor;

/// The gate.
pub static GATE: Gate = Gate {
    id: "members-span-minors",
    group: Group::Route,
    sources: &[key::UPGRADING, key::SOURCE_VERSION_WINDOW],
    asked: Asked::Now,
    intents: FOR_UPGRADE_MEMBERS_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

/// How a member is called that no member could be found for.
const NOBODY: &str = "a member";

fn check(q: &Question<'_>) -> Vec<Finding> {
    let running: Vec<_> = q.versions().into_iter().filter(|v| v.running).collect();
    let minors = running.iter().map(|v| v.version.minor());
    let (Some(low), Some(high)) = (minors.clone().min(), minors.max()) else { return Vec::new() };
    let grounds = seen(running.iter().map(|v| v.span));
    let who = |minor: Minor| {
        let mut names: Vec<String> = Vec::new();
        for one in running.iter().filter(|v| v.version.minor() == minor) {
            let name = one.member.map_or_else(|| NOBODY.to_owned(), |m| q.label(m));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        format!("{} {} {minor}", words::list(&names), words::verb(names.len(), "runs", "run"))
    };
    let both = || {
        let low = who(low);
        // Members have names of their own; only "a member" begins the sentence with a word of ours.
        let low = if low.starts_with(NOBODY) { words::sentence(&low) } else { low };
        format!("{low} and {}", who(high))
    };
    if high > low.next() {
        let remedy = format!(
            "Bring every member that runs {low} to {next} first, one by one, and every member that runs {high} back to \
             {next} if the cluster version still allows it. etcd supports two neighbouring minors in one cluster, for \
             the time of a roll, and no more.",
            next = low.next(),
        );
        return vec![Finding::blocked(format!("{}: that is more than one minor apart.", both()), grounds, remedy)];
    }
    match q.route.to.as_ref() {
        Some(target) if high > low && high > target.minor() => {
            let remedy = format!(
                "Finish the upgrade to {high} with {high} as the target, or swap the binaries of those members back to \
                 {low} while the rollback window is open. A target below what already runs is a way back."
            );
            let statement = format!("{}, and the target is {target}.", both());
            vec![Finding::blocked(statement, grounds, remedy)]
        }
        _ if high > low => {
            vec![Finding::passed(format!("{}: two neighbouring minors, as in a roll.", both()), grounds)]
        }
        _ => vec![Finding::passed(format!("Every version that was pasted is of {low}."), grounds)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{asked, outcomes};

    #[test]
    fn two_minors_apart_is_too_wide_whatever_the_target() {
        let wide = three_members("3.4.45").version("m3", "3.6.16");
        let finding = asked(&GATE, &wide, "3.6", &[]).remove(0);
        assert_eq!(finding.outcome, Outcome::Blocked);
        assert_eq!(finding.statement, "m1 and m2 run 3.4 and m3 runs 3.6: that is more than one minor apart.");
    }

    #[test]
    fn neighbours_are_a_roll_only_towards_the_newer() {
        let mixed = three_members("3.5.33").version("m3", "3.6.16");
        assert_eq!(outcomes(&GATE, &mixed, "3.6", &[]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &mixed, "3.5", &[]), [Outcome::Blocked]);
    }
}
