//! Do member list and status say the same about learners?
//!
//! # Asks
//! Whether a member is a learner in one output and a voter in the other.
//!
//! # Blocks when
//! They disagree about a member.
//!
//! # Why
//! The member list of 3.5 comes from the v2 store, what 3.6 starts from is the v3 store. Where the two disagree, a
//! voter can come back as a learner, and the quorum with it.
//!
//! # Remedy
//! Bring every member to the newest patch of its minor, which sets the v3 store right, and look again.
//!
//! # Sources
//! - blog-36-upgrade-issue: promotions that reached one store only.
//! - seen-status: where each output takes it from.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_MEMBERS_AND_HEALTH, Finding, Gate, Group, Need, words};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "learner-columns-disagree",
    group: Group::Membership,
    sources: &[key::BLOG_36_UPGRADE_ISSUE, key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_UPGRADE_MEMBERS_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let told = |m: &crate::cluster::Member| {
        let listed = m.listed.as_ref().and_then(|row| row.value.is_learner);
        listed.zip(m.status.as_ref().and_then(|s| s.value.is_learner))
    };
    let differ = q.indices(|m| told(m).is_some_and(|(listed, status)| listed != status));
    let both = q.indices(|m| told(m).is_some());
    let spans = |of: &[usize]| {
        let members = of.iter().filter_map(|m| q.cluster.members.get(*m));
        let spans = members.flat_map(|m| [m.listed.as_ref().map(|r| &r.span), m.status.as_ref().map(|s| &s.span)]);
        seen(spans.flatten())
    };
    if differ.is_empty() {
        let grounds = spans(&both);
        let statement = "Member list and status agree about who is a learner.";
        return if grounds.is_empty() { Vec::new() } else { vec![Finding::passed(statement, grounds)] };
    }
    let statement = format!(
        "Member list and status disagree whether {} {}.",
        q.names(&differ),
        words::verb(differ.len(), "is a learner", "are learners")
    );
    let remedy = "Ask for both again at the same time. If they still disagree, bring every member to the newest patch of its \
                  minor and look again: the two stores of the membership differ, and the next minor starts from the other \
                  one.";
    if q.changes_members() {
        let remedy = "Trust the status: it shows what raft counts. Do not count on its vote. Remove it and add it again, on a \
                      patch that keeps a learner a learner when its URLs are changed.";
        return vec![Finding::warning(statement, spans(&differ), remedy).about(&differ)];
    }
    vec![Finding::blocked(statement, spans(&differ), remedy).about(&differ)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn one_output_alone_can_not_disagree() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.33").no_member_list(), "3.6", &[]), [Outcome::NotLookedAt]);
        let apart = three_members("3.5.33").status("m3", |s| s.is_learner = Some(true));
        assert_eq!(outcomes(&GATE, &apart, "3.6", &[]), [Outcome::Blocked]);
    }
}
