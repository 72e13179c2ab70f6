//! Is a downgrade under way?
//!
//! # Asks
//! Whether a downgrade is enabled already, and whether its target is the one asked for.
//!
//! # Blocks when
//! The cluster said that a downgrade job is in progress, or the job that is on goes elsewhere. A member in the list that was
//! never started warns: the job does not end before it is removed.
//!
//! # Why
//! One job is on at a time. While it is on no member can join, and after the last swap it stays on as long as an unstarted
//! member is in the list.
//!
//! # Remedy
//! Finish the downgrade that is on, or cancel it.
//!
//! # Sources
//! - source-downgrade: which target the server accepts.
//! - seen-downgrade: downgrades of real clusters.

use super::downgrade_enabled::IN_PROGRESS;
use super::question::{Question, seen};
use super::{Asked, FOR_DOWNGRADE, Finding, Gate, Group, Need, asks};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "downgrade-unfinished",
    group: Group::Downgrade,
    sources: &[key::SOURCE_DOWNGRADE, key::SEEN_DOWNGRADE],
    asked: Asked::Now,
    intents: FOR_DOWNGRADE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let remedy = "Finish the downgrade that is on, or cancel it; then look again.";
    let statuses: Vec<_> = q.cluster.members.iter().filter_map(|m| m.status.as_ref()).collect();
    let on: Vec<_> = q.cluster.downgrades_enabled().collect();
    let grounds = || seen(on.iter().map(|s| &s.span));
    if !on.is_empty() {
        let target = on.iter().find_map(|s| s.value.downgrade_target.as_ref());
        let wanted = q.route.to.as_ref().map(|to| to.minor());
        if let Some(target) = target.filter(|target| wanted.is_some_and(|wanted| target.minor() != wanted)) {
            let statement = format!("A downgrade to {} is on, which is not where you want to go.", target.minor());
            return vec![Finding::blocked(statement, grounds(), remedy).with_commands(asks::cancel_downgrade(q))];
        }
        let unstarted = q.indices(|m| m.listed.as_ref().is_some_and(|row| !row.value.started));
        if !unstarted.is_empty() {
            let statement = format!(
                "{} never started: the downgrade does not end before it is removed from the list.",
                q.names(&unstarted)
            );
            let remedy = "Remove it from the member list. A new member can join only after the downgrade.";
            return vec![Finding::warning(statement, grounds(), remedy)];
        }
        let left = q.to_roll().len();
        let statement = match left {
            0 => "The downgrade is under way, and every member runs the older minor.".to_owned(),
            left => format!(
                "The downgrade is under way: {left} of {} members are still to be swapped.",
                q.cluster.members.len()
            ),
        };
        return vec![Finding::passed(statement, grounds())];
    }
    let told = q.answered_downgrade(IN_PROGRESS);
    if !told.is_empty() {
        let statement = "The cluster says that a downgrade is on already.";
        return vec![Finding::blocked(statement, told, remedy).with_commands(asks::cancel_downgrade(q))];
    }
    let off = seen(statuses.iter().filter(|s| s.value.downgrade_enabled == Some(false)).map(|s| &s.span));
    if off.is_empty() { Vec::new() } else { vec![Finding::passed("No downgrade is on.", off)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{three_members, version};
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed, Warning};
    use crate::gates::testing::going_down;

    #[test]
    fn the_job_that_is_on_is_the_one_that_is_wanted() {
        let on = |target: &str| {
            let target = version(target);
            three_members("3.7.3").status("m1", move |s| {
                s.downgrade_enabled = Some(true);
                s.downgrade_target = Some(target.clone());
            })
        };
        assert_eq!(going_down(&GATE, &on("3.6.0"), "3.6", &[]), [Passed]);
        assert_eq!(going_down(&GATE, &on("3.5.0"), "3.6", &[]), [Blocked]);
        let unstarted = on("3.6.0").listed("m3", |row| row.started = false);
        assert_eq!(going_down(&GATE, &unstarted, "3.6", &[]), [Warning]);
        assert_eq!(going_down(&GATE, &three_members("3.7.3"), "3.6", &[]), [NotLookedAt]);
    }

    #[test]
    fn the_text_of_the_cluster_blocks() {
        let told = three_members("3.7.3").tool_error("etcdserver: cluster has a downgrade job in progress");
        assert_eq!(going_down(&GATE, &told, "3.6", &[]), [Blocked]);
    }
}
