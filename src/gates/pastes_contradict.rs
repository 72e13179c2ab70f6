//! Do the pastes say the same of the same cluster?
//!
//! # Asks
//! Whether what was pasted agrees: one cluster id, one leader in a raft term, no newer raft term than the leader's, one
//! role and one version of a member, one member behind an endpoint, one name of a member.
//!
//! # Blocks when
//! Never. What contradicts itself is "can't tell yet": one of the two is of another cluster or of another day, or the
//! cluster itself is at odds.
//!
//! # Why
//! A verdict that rests on one half of a contradiction is a guess. A learner that only one of the two outputs shows is
//! the very state that costs a member its vote on the new minor; a status of another cluster hides this one's faults.
//!
//! # Remedy
//! Take out the paste that is of another cluster or of another day, and paste member list and status again, asked at
//! the same time.
//!
//! # Sources
//! - seen-status: what member list and status show.

use super::question::{Question, seen};
use super::{Asked, FOR_EVERY_INTENT, Finding, Gate, Group, Need, asks};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "pastes-contradict",
    group: Group::Health,
    sources: &[key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_EVERY_INTENT,
    need: |_| Need::OnSight,
    check,
};

/// The cluster version is that of the oldest member the leader sees. Below every member shown it means a member that
/// is not shown, a leader that has not looked yet, or pastes of two days.
fn cluster_version_behind(q: &Question<'_>) -> Option<Finding> {
    let newest = q.cluster.cluster_versions.iter().max_by_key(|seen| seen.value)?;
    let lowest = q.cluster.lowest_minor()?;
    let all_shown = q.cluster.members.iter().all(|m| m.version().is_some());
    if !all_shown || newest.value >= lowest {
        return None;
    }
    let statement = format!(
        "The cluster version is {}, but every member shown runs {lowest} or newer: a member is not shown, or the leader \
         has not raised it yet.",
        newest.value
    );
    let statuses = q.cluster.members.iter().filter_map(|m| m.version().map(|(_, span)| span));
    let grounds = seen(std::iter::once(&newest.span).chain(statuses));
    Some(Finding::cant_tell(statement, vec![asks::member_list(q), asks::status(q)]).with_grounds(grounds))
}

fn check(q: &Question<'_>) -> Vec<Finding> {
    let compared = q.indices(|m| m.status.is_some() && m.listed.is_some());
    if let Some(finding) = cluster_version_behind(q) {
        return vec![finding];
    }
    if q.cluster.contradictions.is_empty() && !compared.is_empty() {
        let statuses = q.cluster.members.iter().filter_map(|m| m.status.as_ref()).map(|s| &s.span);
        let grounds = seen(q.cluster.member_list.iter().chain(statuses));
        return vec![Finding::passed("Member list and status say the same of the members both show.", grounds)];
    }
    let found = q.cluster.contradictions.iter();
    found
        .map(|contradiction| {
            let statement = format!("The pastes contradict each other: {}.", contradiction.about);
            Finding::cant_tell(statement, vec![asks::member_list(q), asks::status(q)])
                .with_grounds(seen(&contradiction.places))
                .with_note(
                    "Take out the paste that is of another cluster or of another day. Where both are right, the cluster \
                     is at odds with itself: find out why before anything is restarted.",
                )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{Build, three_members};
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn one_half_of_a_contradiction_is_no_ground() {
        let said = |cluster: &Build| {
            let finding = only(&GATE, cluster, "3.6", &[]);
            assert_eq!((finding.outcome, finding.grounds.len()), (Outcome::CantTell, 2), "{}", finding.statement);
            finding.statement.replace("The pastes contradict each other: ", "")
        };
        let healthy = || three_members("3.5.33");
        let other = healthy().status("m3", |s| s.cluster_id = Some(0xc2));
        assert_eq!(said(&other), "two clusters are shown, c1 and c2.");
        let learner = healthy().status("m3", |s| s.is_learner = Some(true));
        assert_eq!(said(&learner), "m3 is a voter in the member list and a learner in the status.");
        let leaders = healthy().status("m2", |s| s.is_leader = Some(true));
        assert_eq!(said(&leaders), "m1 and m2 both say they lead.");
        let followed = healthy().status("m3", |s| s.leader = Some(0xa2));
        assert_eq!(said(&followed), "m1 follows the leader a1 and m3 the leader a2, in one raft term.");
        let terms = healthy().status("m3", |s| s.raft_term = Some(9));
        assert_eq!(said(&terms), "m1 leads in raft term 2 and m3 is in raft term 9.");
    }

    #[test]
    fn it_speaks_only_of_contradictions() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::Passed]);
        let status_alone = three_members("3.5.33").no_member_list();
        assert_eq!(outcomes(&GATE, &status_alone, "3.6", &[]), [Outcome::NotLookedAt]);
    }
}
