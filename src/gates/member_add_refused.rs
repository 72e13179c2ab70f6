//! Does etcd take the new member?
//!
//! # Asks
//! Whether the voters that must be connected are, by the rule of the version, and whether etcd has refused.
//!
//! # Blocks when
//! A voter that must be connected is down, or etcd has refused and not every voter was seen to answer since.
//!
//! # Why
//! The member that gets the request must have been connected for five seconds: to every voter on older patches, to a
//! quorum of the larger cluster on newer ones.
//!
//! # Remedy
//! Bring the members that are down back, or remove them first, wait five seconds, and repeat.
//!
//! # Sources
//! - source-reconfiguration: whom the member that is asked must be connected to.
//! - seen-reconfiguration: `etcdserver: unhealthy cluster`.

use super::question::Question;
use super::{Ask, Asked, FOR_MEMBERS, Finding, Gate, Group, Need, asks};
use crate::etcd::features;
use crate::etcd::sources::key;
use crate::reconfiguration::{Act, Course, Refusal};

/// The gate.
pub static GATE: Gate = Gate {
    id: "member-add-refused",
    group: Group::Change,
    sources: &[key::SOURCE_RECONFIGURATION, key::SEEN_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let course = q.course();
    let mut findings: Vec<Finding> = Vec::new();
    let well = course.now.started > 0
        && course.now.reachable == course.now.voters
        && q.cluster.members.iter().all(|m| m.answers() == Some(true));
    for (message, ground) in q.told(GATE.id) {
        let finding = if well {
            let remedy = "Every voter answers now: wait five seconds and repeat the command. A member counts as connected \
                          only so long after it came back.";
            Finding::warning(message, vec![ground], remedy)
        } else {
            Finding::blocked(message, vec![ground], REMEDY)
        };
        if !findings.iter().any(|known| known.statement == finding.statement) {
            findings.push(finding);
        }
    }
    match course.refused() {
        Some((stage, Refusal::Unhealthy { certain })) if stage.act != Act::Remove => {
            findings.push(refused(q, course, certain));
        }
        _ if findings.is_empty() && adds(course) => {
            findings.push(Finding::passed("Enough voters answer for etcd to take the new member.", q.member_grounds()));
        }
        _ => {}
    }
    findings
}

const REMEDY: &str = "Bring the members that are down back, or remove them first; wait five seconds and repeat. etcd adds \
                      nobody while the member that is asked is not connected to enough voters.";

fn adds(course: &Course) -> bool {
    course.stages.iter().any(|stage| matches!(stage.act, Act::AddLearner | Act::AddVoter))
}

fn refused(q: &Question<'_>, course: &Course, certain: bool) -> Finding {
    let now = course.now;
    let answer = format!("{} of {} voters answer", now.reachable, now.voters);
    if !certain {
        let newer: Vec<String> = features::ADD_WITH_MEMBER_DOWN
            .ranges
            .iter()
            .map(|range| format!("{}.{}.{}", range.from.0, range.from.1, range.from.2))
            .collect();
        let statement = format!(
            "{answer}: patches from {} on take a new member all the same, older ones refuse, and which runs is not shown.",
            newer.join(" and ")
        );
        let first = Ask::Choose("Remove the member that is down first: every version takes that order.".to_owned());
        return Finding::cant_tell(statement, vec![asks::status(q), first]).with_grounds(q.member_grounds());
    }
    let whose = course.version.as_ref().map_or_else(|| "etcd".to_owned(), |version| format!("etcd {version}"));
    Finding::blocked(format!("{answer}: {whose} refuses to add a member."), q.member_grounds(), REMEDY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::members;
    use crate::gates::Outcome::{Blocked, CantTell, Passed, Warning};
    use crate::gates::testing::changing;

    #[test]
    fn the_rule_of_the_version_decides() {
        for (version, outcome) in [("3.5.29", Blocked), ("3.5.30", Passed), ("3.6.10", Blocked), ("3.6.11", Passed)] {
            let five = members(5, version).unreachable("m5");
            assert_eq!(changing(&GATE, &five, &["change=add-voter"]), [outcome], "{version}");
        }
        let unknown = members(5, "3.5.33").no_status().health("m5", false);
        assert_eq!(changing(&GATE, &unknown, &["change=add-voter"]), [CantTell]);
    }

    #[test]
    fn a_refusal_that_is_over_asks_for_patience_only() {
        let told = |cluster: crate::cluster::testing::Build| cluster.tool_error("etcdserver: unhealthy cluster");
        assert_eq!(changing(&GATE, &told(members(3, "3.5.33")), &[]), [Warning]);
        assert_eq!(changing(&GATE, &told(members(3, "3.5.33").unreachable("m3")), &[]), [Blocked]);
    }
}
