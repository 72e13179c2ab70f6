//! Was every member of the cluster looked at?
//!
//! # Asks
//! Whether the member list was pasted and every member in it has a row of `endpoint status`, with its version.
//!
//! # Blocks when
//! Never. A member nobody looked at is "can't tell yet".
//!
//! # Why
//! What is not in the paste can be the member that is down, on an old patch, or a learner. `endpoint status` shows only
//! the endpoints it was asked for, so only the member list tells who is missing.
//!
//! # Remedy
//! Ask all members, by the endpoints of the member list.
//!
//! # Sources
//! - seen-status: which members `endpoint status` shows.

use super::question::{Question, Stage, seen};
use super::{Asked, FOR_LIVE_CHANGES_AND_HEALTH, Finding, Gate, Group, Need, asks, words};
use crate::cluster::Member;
use crate::etcd::sources::key;
use crate::evidence::fact::Span;

/// The gate.
pub static GATE: Gate = Gate {
    id: "member-not-in-status",
    group: Group::Health,
    sources: &[key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_LIVE_CHANGES_AND_HEALTH,
    // Also of a cluster that has arrived: a member nobody looked at may be the one that did not.
    need: |q| if q.stage() == Stage::Backwards { Need::OnSight } else { Need::Required },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let members = &q.cluster.members;
    let mut findings = Vec::new();
    // One that never started has no row; in a change of members another gate speaks of it.
    let started = |m: &Member| !q.changes_members() || m.listed.as_ref().is_none_or(|row| row.value.started);
    let unseen = q.indices(|m| m.status.is_none() && m.failed.is_none() && started(m));
    let no_version = q.indices(|m| m.status.is_some() && m.version().is_none());
    let list = q.cluster.member_list.as_ref();
    let list_span: Vec<&Span> = list.into_iter().collect();
    if members.iter().all(|m| m.status.is_none() && m.failed.is_none()) {
        findings.push(
            Finding::cant_tell(
                "No endpoint status was pasted, so no member's version and role is known.",
                vec![asks::status(q)],
            )
            .with_grounds(seen(list_span.clone())),
        );
    } else if !unseen.is_empty() {
        let statement =
            format!("{} {} no row of endpoint status.", q.names(&unseen), words::verb(unseen.len(), "has", "have"));
        let spans = unseen.iter().filter_map(|m| members.get(*m).and_then(known_from));
        findings.push(Finding::cant_tell(statement, vec![asks::status(q)]).with_grounds(seen(spans)).about(&unseen));
    }
    if !no_version.is_empty() {
        let statement = format!("The status of {} shows no version.", q.names(&no_version));
        let spans =
            no_version.iter().filter_map(|m| members.get(*m)).filter_map(|m| m.status.as_ref().map(|s| &s.span));
        findings
            .push(Finding::cant_tell(statement, vec![asks::status(q)]).with_grounds(seen(spans)).about(&no_version));
    }
    if list.is_none() {
        let statement = "No member list was pasted, so a member may be missing here.";
        findings.push(Finding::cant_tell(statement, vec![asks::member_list(q)]));
    }
    if q.cluster.is_too_large() {
        let statement = format!(
            "{} are shown, and no cluster has so many: the pastes are of several clusters.",
            words::count(members.len(), "member")
        );
        let asks = vec![asks::one_member_list()];
        findings.push(Finding::cant_tell(statement, asks).with_grounds(seen(list_span.clone())));
    }
    if let Some(stranger) = not_in_list(q) {
        findings.push(stranger);
    }
    if findings.is_empty() {
        let spans = list_span.into_iter().chain(members.iter().filter_map(|m| m.status.as_ref().map(|s| &s.span)));
        let silent = q.indices(|m| m.status.is_none());
        let statement = if silent.is_empty() {
            format!("All {} of the member list have a row of endpoint status.", words::count(members.len(), "member"))
        } else {
            format!("Every member has a row of endpoint status but {}, whose failure is shown.", q.names(&silent))
        };
        findings.push(Finding::passed(statement, seen(spans)));
    }
    findings
}

/// Where a member without a status is known from.
fn known_from(member: &Member) -> Option<&Span> {
    let listed = member.listed.as_ref().map(|l| &l.span);
    listed.or_else(|| member.health.as_ref().map(|h| &h.span)).or_else(|| member.flags.first().map(|f| &f.span))
}

/// A row of status that the member list does not hold: list and status are of different times or clusters.
fn not_in_list(q: &Question<'_>) -> Option<Finding> {
    q.cluster.member_list.as_ref()?;
    let strangers = q.indices(|m| m.listed.is_none() && m.status.is_some());
    if strangers.is_empty() {
        return None;
    }
    let statement = format!(
        "{} {} not in the member list: list and status are of different times, or of different clusters.",
        q.names(&strangers),
        words::verb(strangers.len(), "is", "are")
    );
    let spans = strangers.iter().filter_map(|m| q.cluster.members.get(*m)).filter_map(|m| m.status.as_ref());
    let grounds = seen(spans.map(|s| &s.span));
    Some(
        Finding::cant_tell(statement, vec![asks::member_list(q), asks::status(q)])
            .with_grounds(grounds)
            .about(&strangers),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::members;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_member_of_the_list_that_nobody_looked_at_is_named() {
        let finding = only(&GATE, &three_members("3.5.33").not_in_status("m2"), "3.6", &[]);
        assert_eq!((finding.outcome, finding.member), (Outcome::CantTell, Some(1)));
        assert_eq!(finding.statement, "m2 has no row of endpoint status.");
        assert_eq!(finding.grounds.len(), 1);
    }

    #[test]
    fn a_status_without_the_member_list_may_lack_a_member() {
        let finding = only(&GATE, &three_members("3.5.33").no_member_list(), "3.6", &[]);
        assert_eq!(finding.outcome, Outcome::CantTell);
        assert!(finding.statement.starts_with("No member list"));
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::Passed]);
    }

    #[test]
    fn a_member_that_is_down_is_the_other_gates_matter() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33").unreachable("m2"), "3.6", &[]), [Outcome::Passed]);
    }

    #[test]
    fn a_cluster_that_has_arrived_is_still_looked_at_whole() {
        let arrived = three_members("3.6.16").no_member_list();
        assert_eq!(outcomes(&GATE, &arrived, "3.6.16", &[]), [Outcome::CantTell]);
    }

    #[test]
    fn no_cluster_has_hundreds_of_members() {
        let findings = crate::gates::testing::asked(&GATE, &members(200, "3.5.33"), "3.6", &[]);
        assert_eq!(findings.len(), 1, "{findings:#?}");
        assert!(findings[0].statement.starts_with("200 members are shown"), "{}", findings[0].statement);
        assert_eq!(findings[0].outcome, Outcome::CantTell);
        assert_eq!(outcomes(&GATE, &members(9, "3.5.33"), "3.6", &[]), [Outcome::Passed]);
    }
}
