//! Does a member that is down go before a new one comes?
//!
//! # Asks
//! Whether a voter is down while the change adds a member.
//!
//! # Blocks when
//! A voter is down, the change adds a member without removing that one first, and the version refuses it.
//!
//! # Why
//! A voter that is down still counts for the quorum. With three voters and one down every version refuses an add; with
//! five, only the newer patches take one. A removal of the dead one is taken by all of them.
//!
//! # Remedy
//! Remove the member that is down first, then add.
//!
//! # Sources
//! - source-reconfiguration: whom the member that is asked must be connected to.
//! - runtime-reconfiguration: replace a failed member: remove it, then add.
//! - seen-reconfiguration: the add that is refused, the removal that is not.

use super::question::{Question, seen};
use super::{Asked, FOR_MEMBERS, Finding, Gate, Group, Need, asks, words};
use crate::etcd::sources::key;
use crate::evidence::change::Change;
use crate::reconfiguration::{Act, Course, Refusal};

/// The gate.
pub static GATE: Gate = Gate {
    id: "remove-before-add",
    group: Group::Change,
    sources: &[key::SOURCE_RECONFIGURATION, key::RUNTIME_RECONFIGURATION, key::SEEN_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let course = q.course();
    let down: Vec<usize> = course
        .seats
        .iter()
        .filter(|seat| seat.listed && seat.votes && seat.started && !seat.up)
        .filter_map(|seat| seat.member)
        .collect();
    if !course.change().is_none_or(Change::adds) || course.now.started == 0 || !course.now.holds() {
        return Vec::new();
    }
    let grounds = q.member_grounds();
    if down.is_empty() {
        let answer = q.cluster.members.iter().any(|m| m.answers() == Some(true));
        let passed = Finding::passed("No voter is known to be down.", grounds);
        return if answer { vec![passed] } else { Vec::new() };
    }
    let left: Vec<usize> = down.iter().copied().filter(|member| !goes_first(course, *member)).collect();
    if left.is_empty() {
        let statement = format!(
            "{} {} down and {} first.",
            q.names(&down),
            words::verb(down.len(), "is", "are"),
            words::verb(down.len(), "goes", "go")
        );
        return vec![Finding::passed(statement, grounds)];
    }
    let span = |m: &usize| {
        let member = q.cluster.members.get(*m)?;
        member.failed.as_ref().map(|f| &f.span).or(member.health.as_ref().map(|h| &h.span))
    };
    let statement = format!(
        "{} {} down and still {}: a new member is refused, or comes with less to spare.",
        q.names(&left),
        words::verb(left.len(), "is", "are"),
        words::verb(left.len(), "counts", "count")
    );
    let remedy = "Remove what is down first, then add: every version takes that order. Or bring it back.";
    let grounds = seen(left.iter().filter_map(span));
    let commands = asks::remove(q, &left);
    let refused =
        matches!(course.refused(), Some((stage, Refusal::Unhealthy { certain: true })) if stage.act != Act::Remove);
    let finding = if refused {
        Finding::blocked(statement, grounds, remedy)
    } else {
        Finding::warning(statement, grounds, remedy)
    };
    vec![finding.with_commands(commands).about(&left)]
}

/// Does the change take this member out before it brings one in?
fn goes_first(course: &Course, member: usize) -> bool {
    let before = course.stages.iter().take_while(|stage| !matches!(stage.act, Act::AddLearner | Act::AddVoter));
    let mut removed = before.filter(|stage| stage.act == Act::Remove).filter_map(|stage| course.seat(stage));
    removed.any(|seat| seat.member == Some(member))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed, Warning};
    use crate::gates::testing::changing;

    #[test]
    fn each_side_of_the_rule_has_its_outcome() {
        for (version, outcome) in [("3.5.29", Blocked), ("3.5.30", Warning), ("3.6.10", Blocked), ("3.6.11", Warning)] {
            let five = members(5, version).unreachable("m5");
            assert_eq!(changing(&GATE, &five, &["change=add-voter"]), [outcome], "{version}");
            assert_eq!(changing(&GATE, &five, &["change=replace=m5"]), [Passed], "{version}");
            let three = members(3, version).unreachable("m3");
            assert_eq!(changing(&GATE, &three, &["change=add-voter"]), [Blocked], "{version}");
            assert_eq!(changing(&GATE, &three, &["change=remove=m3"]), [NotLookedAt], "{version}");
        }
    }
}
