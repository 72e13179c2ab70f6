//! Does a quorum answer before, during and after the change?
//!
//! # Asks
//! The voters, how many of them ever started and how many answer, now and after each step of the change.
//!
//! # Blocks when
//! There is no quorum now, a step would leave none, etcd refuses a step because too few members have started, or it has
//! refused one.
//!
//! # Why
//! Every change of members is itself agreed on by a quorum. A voter counts from the moment it is added, started or not;
//! without a quorum nothing is written and nothing can be changed, not even back.
//!
//! # Remedy
//! Start what was added, or bring back what is down, before anything else. Where no quorum comes back, the backup
//! snapshot is the way.
//!
//! # Sources
//! - source-reconfiguration: which steps etcd takes and which it refuses.
//! - runtime-reconfiguration: one change at a time, and what a quorum is.
//! - seen-reconfiguration: the refusals.

use super::question::Question;
use super::{Asked, FOR_MEMBERS, Finding, Gate, Group, Need, asks, words};
use crate::etcd::sources::key;
use crate::reconfiguration::{Act, Course, Refusal, Stage, Tally};

/// The gate.
pub static GATE: Gate = Gate {
    id: "quorum-lost-by-change",
    group: Group::Change,
    sources: &[key::SOURCE_RECONFIGURATION, key::RUNTIME_RECONFIGURATION, key::SEEN_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::Required,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let course = q.course();
    let mut findings: Vec<Finding> = q.told_to_stop(GATE.id, START_FIRST).collect();
    let now = course.now;
    if now.started == 0 {
        if findings.is_empty() {
            let asks = vec![asks::member_list(q), asks::status(q)];
            findings.push(Finding::cant_tell("No member was shown, so nobody can be counted.", asks));
        }
        return findings;
    }
    if !now.holds() {
        findings.push(no_quorum_now(q, course));
    } else if let Some((stage, refusal)) = course.refused() {
        findings.extend(step_not_taken(q, course, stage, refusal));
    }
    if findings.is_empty() {
        let least = course.stages.iter().map(|stage| stage.after).chain([now]).min_by_key(Tally::spare).unwrap_or(now);
        let when = if course.stages.is_empty() { "Now" } else { "At the leanest moment" };
        let statement = format!(
            "{when} {} of {} answer, and a quorum is {}.",
            least.reachable,
            words::count(least.voters, "voter"),
            least.quorum()
        );
        findings.push(Finding::passed(statement, q.member_grounds()));
    }
    findings
}

const START_FIRST: &str = "Start the member that was added last, with the flags member add printed, and wait until it is \
                           healthy; or remove it. One change at a time: only then the next one is taken.";

fn no_quorum_now(q: &Question<'_>, course: &Course) -> Finding {
    let now = course.now;
    let statement = format!(
        "{} of {} {}: that is no quorum of {}, so nothing is written and nothing can be changed.",
        now.reachable,
        words::count(now.voters, "voter"),
        words::verb(now.reachable, "answers", "answer"),
        now.quorum()
    );
    let unstarted: Vec<&str> = course
        .seats
        .iter()
        .filter(|seat| seat.listed && seat.votes && !seat.started)
        .map(|seat| seat.label.as_str())
        .collect();
    let remedy = if unstarted.is_empty() {
        "Bring a member back. Where none comes back, restore the backup snapshot: members can't be removed without a quorum."
            .to_owned()
    } else {
        format!(
            "Start {} now, with an empty data directory and exactly the flags member add printed: with it the quorum is \
             back. Next time add it as a learner, which does not count before it is promoted.",
            words::list(&unstarted)
        )
    };
    Finding::blocked(statement, q.member_grounds(), remedy)
}

fn step_not_taken(q: &Question<'_>, course: &Course, stage: &Stage, refusal: Refusal) -> Option<Finding> {
    let who = course.seat(stage).map_or("a member", |seat| seat.label.as_str());
    let now = course.now;
    let (statement, remedy) = match (refusal, &stage.act) {
        (Refusal::LastVoter, _) => (
            format!("{who} is the last voter, and a cluster can't be without one."),
            "Add another member first, or stop etcd there if the cluster is given up.",
        ),
        (Refusal::LosesQuorum, _) => (
            format!("{who} would vote before it runs: then 1 of 2 voters answers, which is no quorum."),
            "Bring the cluster to a version with learners first, or restore a backup snapshot as a cluster of three.",
        ),
        (Refusal::NotEnoughStarted, _) => (
            format!(
                "Only {} of {} have started: etcd refuses the step.",
                now.started,
                words::count(now.voters, "voter")
            ),
            START_FIRST,
        ),
        (Refusal::Unhealthy { .. }, Act::Remove) => (
            format!("With {who} gone too few of the other voters answer: etcd refuses to remove it."),
            "Bring the members that are down back, or remove those first.",
        ),
        (Refusal::NoQuorum, _) => {
            (format!("When {who} has its turn no quorum answers."), "Bring the members that are down back first.")
        }
        // Another gate's matter.
        (Refusal::Unhealthy { .. } | Refusal::TooManyLearners(_), _) => return None,
    };
    Some(Finding::blocked(statement, q.member_grounds(), remedy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{members, nothing, three_members};
    use crate::gates::Outcome::{Blocked, CantTell, Passed};
    use crate::gates::testing::changing;

    #[test]
    fn the_count_is_made_for_every_step() {
        assert_eq!(changing(&GATE, &three_members("3.5.33"), &["change=replace=m2"]), [Passed]);
        assert_eq!(changing(&GATE, &members(1, "3.5.33"), &["change=remove=m1"]), [Blocked]);
        assert_eq!(changing(&GATE, &members(1, "3.3.27"), &["change=add-voter"]), [Blocked]);
        assert_eq!(changing(&GATE, &three_members("3.5.33").unreachable("m3"), &["change=remove=m2"]), [Blocked]);
        assert_eq!(changing(&GATE, &three_members("3.5.33").unreachable("m3"), &["change=remove=m3"]), [Passed]);
    }

    #[test]
    fn without_a_quorum_nothing_can_be_changed() {
        let two_down = three_members("3.5.33").unreachable("m2").unreachable("m3");
        assert_eq!(changing(&GATE, &two_down, &["change=remove=m3"]), [Blocked]);
        assert_eq!(changing(&GATE, &nothing(), &[]), [CantTell]);
        let told =
            three_members("3.5.33").tool_error("etcdserver: re-configuration failed due to not enough started members");
        assert_eq!(changing(&GATE, &told, &[]), [Blocked]);
    }
}
