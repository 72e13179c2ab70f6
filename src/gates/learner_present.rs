//! Is a member a learner?
//!
//! # Asks
//! Whether any member is a learner.
//!
//! # Blocks when
//! The cluster has a learner.
//!
//! # Why
//! A learner is a change of members that is not finished. It does not vote, so the quorum is smaller than the number of
//! members suggests, and it must run the new minor too before the cluster version rises. On the hop that makes the v3
//! store the truth about members, an unfinished promotion can turn voters back into learners.
//!
//! # Remedy
//! Promote the learner once it is in sync, or remove it. Then wait until all voters are healthy.
//!
//! # Sources
//! - source-learners: what learners are, and when they are promoted.
//! - blog-36-upgrade-issue: learners that come back.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_AND_HEALTH, Finding, Gate, Group, asks, words};
use crate::cluster::Member;
use crate::etcd::sources::key;
use crate::evidence::fact::Span;

/// The gate.
pub static GATE: Gate = Gate {
    id: "learner-present",
    group: Group::Membership,
    sources: &[key::SOURCE_LEARNERS, key::BLOG_36_UPGRADE_ISSUE],
    asked: Asked::Now,
    intents: FOR_UPGRADE_AND_HEALTH,
    need: |q| q.before_a_roll(),
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let learners = q.indices(|m| m.is_learner() == Some(true));
    if !learners.is_empty() {
        let voters = q.cluster.voters().count();
        let statement = format!(
            "{} {}; {} {}.",
            q.names(&learners),
            words::verb(learners.len(), "is a learner", "are learners"),
            words::count(voters, "voter"),
            words::verb(voters, "remains", "remain"),
        );
        let spans = learners.iter().filter_map(|m| q.cluster.members.get(*m).and_then(told_at));
        let behind = learners.iter().any(|m| is_behind(q, *m));
        let remedy = if behind {
            "Wait until it has nine tenths of the leader's raft index, before which a promotion is refused. Where the gap \
             does not shrink read its log, look at its disk and network, or remove it and add it again with an empty data \
             directory. A learner does not vote."
        } else {
            "Promote it once its raft index has caught up with the leader's, or remove it, and wait until every voter is \
             healthy. A learner does not vote: the cluster bears fewer failures than its number of members suggests."
        };
        let commands = if behind {
            [q.commands.status()]
                .into_iter()
                .chain(asks::remove_later(q, &learners, "where the gap does not shrink"))
                .collect()
        } else {
            asks::promote(q, &learners)
        };
        return vec![Finding::blocked(statement, seen(spans), remedy).with_commands(commands).about(&learners)];
    }
    let unknown = q.indices(|m| m.is_learner().is_none());
    if q.cluster.members.is_empty() || !unknown.is_empty() {
        let statement = if unknown.is_empty() {
            "Whether a member is a learner is not shown.".to_owned()
        } else {
            format!(
                "Whether {} {} is not shown.",
                q.names(&unknown),
                words::verb(unknown.len(), "is a learner", "are learners")
            )
        };
        return vec![Finding::cant_tell(statement, vec![asks::member_list(q)]).about(&unknown)];
    }
    vec![Finding::passed("No member is a learner.", seen(q.cluster.members.iter().filter_map(told_at)))]
}

/// Would etcd refuse to promote it? The rule is the ratio of the indices: below nine tenths of the leader's.
fn is_behind(q: &Question<'_>, learner: usize) -> bool {
    let index = |m: &Member| m.status.as_ref().and_then(|s| s.value.raft_applied_index.or(s.value.raft_index));
    let newest = q.cluster.members.iter().filter_map(index).max().unwrap_or(0);
    let own = q.cluster.members.get(learner).and_then(index);
    own.is_some_and(|own| own.saturating_mul(10) < newest.saturating_mul(9))
}

/// Where it is told whether a member is a learner.
fn told_at(member: &Member) -> Option<&Span> {
    let listed = member.listed.as_ref().filter(|l| l.value.is_learner.is_some()).map(|l| &l.span);
    listed.or_else(|| member.status.as_ref().map(|s| &s.span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_learner_blocks_and_its_promotion_is_written_out() {
        let finding = only(&GATE, &three_members("3.5.33").learner("m2"), "3.6", &[]);
        assert_eq!((finding.outcome, finding.member), (Outcome::Blocked, Some(1)));
        assert_eq!(finding.statement, "m2 is a learner; 2 voters remain.");
        assert!(finding.commands.iter().all(|c| c.contains("member promote a2")), "{:?}", finding.commands);
    }

    #[test]
    fn a_form_that_hides_learners_is_asked_for_again() {
        let hidden =
            three_members("3.5.33").listed("m2", |m| m.is_learner = None).status("m2", |s| s.is_learner = None);
        assert_eq!(outcomes(&GATE, &hidden, "3.6", &[]), [Outcome::CantTell]);
    }
}
