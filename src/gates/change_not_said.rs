//! Is it known which change is wanted?
//!
//! # Asks
//! What the person said, else what the pasted commands show, and whether the member it names is there.
//!
//! # Blocks when
//! The member that is named is none, or is not what the change takes.
//!
//! # Why
//! Which member goes decides what is counted, and in which order it is done.
//!
//! # Remedy
//! Say the change, the new member's name and its peer URL.
//!
//! # Sources
//! - runtime-reconfiguration: the changes there are.

use super::question::Question;
use super::{Ask, Asked, FOR_MEMBERS, Finding, Gate, Group, Need, words};
use crate::etcd::sources::key;
use crate::evidence::answers::AnswerKey;
use crate::reconfiguration::{Course, Problem};

/// The gate.
pub static GATE: Gate = Gate {
    id: "change-not-said",
    group: Group::Change,
    sources: &[key::RUNTIME_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::Required,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let course = q.course();
    let Some(wanted) = &course.wanted else {
        let statement = "Which change of members is wanted is not said, and no command that was pasted shows it.";
        return vec![Finding::cant_tell(statement, vec![Ask::Answer(AnswerKey::Change)])];
    };
    let grounds = q.wanted_grounds(course);
    let labels: Vec<String> = q.cluster.members.iter().map(crate::cluster::Member::label).collect();
    let problem = match &course.problem {
        Some(Problem::NoSuchMember(member)) => Some((
            format!("No member that was shown is called {member}."),
            format!(
                "Name one of {} by its name, id or URL, or paste the member list that shows it.",
                words::list(&labels)
            ),
        )),
        Some(Problem::NoLearner(member)) => Some((
            format!("{member} votes already, so there is nothing to promote."),
            "Name the learner that is to be promoted.".to_owned(),
        )),
        Some(Problem::AlreadySo(voters)) => Some((
            format!("The cluster has {} already.", words::count(*voters, "voter")),
            "Say another number of voters.".to_owned(),
        )),
        None => None,
    };
    if let Some((statement, remedy)) = problem.filter(|_| !labels.is_empty()) {
        return vec![Finding::blocked(statement, grounds, remedy)];
    }
    let mut findings = Vec::new();
    if let Some(finding) = newcomer_not_said(course) {
        findings.push(finding.with_grounds(grounds.clone()));
    }
    if findings.is_empty() {
        let statement = if course.stages.is_empty() && !labels.is_empty() {
            format!("Wanted: {}. It is done: nothing is left of it.", wanted.change)
        } else {
            format!("Wanted: {}.", wanted.change)
        };
        findings.push(Finding::passed(statement, grounds));
    }
    findings
}

/// A member that is still to be added needs a name and a URL.
fn newcomer_not_said(course: &Course) -> Option<Finding> {
    let newcomers = course.wanted.as_ref().map_or(&[][..], |wanted| &wanted.newcomers);
    let coming: Vec<_> = course.incoming().filter(|seat| !seat.started).collect();
    let lacks = |part: fn(&crate::intent::change::Newcomer) -> bool| {
        coming.iter().any(|seat| seat.newcomer.and_then(|at| newcomers.get(at)).is_none_or(part))
    };
    let mut asks = Vec::new();
    if lacks(|new| new.name.is_none()) {
        asks.push(Ask::Answer(AnswerKey::NewName));
    }
    if lacks(|new| new.peer_url.is_none()) {
        asks.push(Ask::Answer(AnswerKey::NewPeerUrl));
    }
    if asks.is_empty() {
        return None;
    }
    let who = if coming.len() == 1 { "The new member's" } else { "The new members'" };
    Some(Finding::cant_tell(format!("{who} name and peer URL are not all said."), asks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, CantTell, Passed};
    use crate::gates::testing::changing;

    #[test]
    fn what_is_not_said_is_asked_for_and_what_is_wrong_is_told() {
        let three = || three_members("3.5.33");
        assert_eq!(changing(&GATE, &three(), &[]), [CantTell]);
        assert_eq!(changing(&GATE, &three(), &["change=remove=m2"]), [Passed]);
        assert_eq!(changing(&GATE, &three(), &["change=replace=m2"]), [CantTell], "by whom");
        let said = ["change=replace=m2", "new-name=m4", "new-peer-url=https://10.0.0.4:2380"];
        assert_eq!(changing(&GATE, &three(), &said), [Passed]);
        assert_eq!(changing(&GATE, &three(), &["change=remove=m9"]), [Blocked]);
        assert_eq!(changing(&GATE, &three(), &["change=grow=2"]), [Blocked]);
    }
}
