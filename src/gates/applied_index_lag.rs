//! Does every member keep up?
//!
//! # Asks
//! How far each member's applied index lies behind its own raft index, and behind the newest raft index of all members.
//!
//! # Blocks when
//! A member lies 5,000 entries behind or more, or below nine tenths of the newest index and 100 entries behind. From
//! 1,000 entries on it warns.
//!
//! # Why
//! Five thousand entries are what the leader keeps for followers: a member further behind needs a whole snapshot of the
//! database to catch up, and while it does the next restart can cost the quorum. Nine tenths is etcd's own measure of
//! "in sync", the one `member promote` uses; it catches a member that was cut off in a young cluster. `endpoint status`
//! asks one member after another, so a few hundred entries apart is a busy cluster and no lag.
//!
//! # Remedy
//! Wait until the member has caught up, or find out why it can't (disk, network, a defragmentation that runs).
//!
//! # Sources
//! - source-catch-up: entries kept for followers, and the measure of `member promote`.

use super::question::{Question, seen};
use super::{Asked, FOR_LIVE_CHANGES_AND_HEALTH, Finding, Gate, Group, asks, words};
use crate::cluster::{Member, NOTICEABLE_LAG};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "applied-index-lag",
    group: Group::Health,
    sources: &[key::SOURCE_CATCH_UP],
    asked: Asked::Now,
    intents: FOR_LIVE_CHANGES_AND_HEALTH,
    need: |q| q.before_a_roll(),
    check,
};

/// Entries the leader keeps for followers.
const CATCH_UP_ENTRIES: u64 = 5_000;
/// From here on a member is worth a look even on a busy cluster.
const WORTH_A_LOOK: u64 = NOTICEABLE_LAG;
/// Below this a gap in a young cluster is only the time between two rows.
const BETWEEN_TWO_ROWS: u64 = 100;

fn check(q: &Question<'_>) -> Vec<Finding> {
    let members = &q.cluster.members;
    // A learner that comes in is behind until it has caught up; another gate looks at it.
    let counts = |m: &Member| !(q.changes_members() && m.is_learner() == Some(true));
    let known: Vec<(usize, u64)> = members
        .iter()
        .enumerate()
        .filter(|(_, m)| counts(m))
        .filter_map(|(index, m)| applied(m).map(|a| (index, a)))
        .collect();
    let started = |m: &Member| !q.changes_members() || m.listed.as_ref().is_none_or(|row| row.value.started);
    let unknown = q.indices(|m| applied(m).is_none() && m.failed.is_none() && started(m));
    let span = |m: usize| members.get(m).and_then(|m| m.status.as_ref()).map(|s| &s.span);
    let newest = members.iter().filter_map(|m| raft_index(m).max(applied(m))).max().unwrap_or(0);
    let lag = |at: u64| newest.saturating_sub(at);
    let is_far = |at: u64| {
        lag(at) >= CATCH_UP_ENTRIES || (lag(at) > BETWEEN_TWO_ROWS && at.saturating_mul(10) < newest.saturating_mul(9))
    };
    let far: Vec<_> = known.iter().copied().filter(|(_, at)| is_far(*at)).collect();
    let near: Vec<_> = known.iter().copied().filter(|(_, at)| !is_far(*at) && lag(*at) >= WORTH_A_LOOK).collect();
    let words_for = |behind: &[(usize, u64)]| {
        let each: Vec<String> =
            behind.iter().map(|(m, at)| format!("{} is {} behind", q.label(*m), entries(lag(*at)))).collect();
        format!("{} (newest raft index {newest}).", words::list(&each))
    };
    let grounds_for = |behind: &[(usize, u64)]| {
        let newest_rows = members.iter().filter(|m| raft_index(m) == Some(newest)).filter_map(|m| m.status.as_ref());
        seen(behind.iter().filter_map(|(m, _)| span(*m)).chain(newest_rows.map(|s| &s.span).take(1)))
    };
    let indices = |behind: &[(usize, u64)]| behind.iter().map(|(m, _)| *m).collect::<Vec<_>>();
    let mut findings = Vec::new();
    if !far.is_empty() {
        let learners = far.iter().all(|(m, _)| members.get(*m).is_some_and(|m| m.is_learner() == Some(true)));
        let remedy = if learners {
            "Wait until it has caught up. If the gap does not shrink between two outputs, read its log, look at its disk \
             and network, or remove it and add it again with an empty data directory."
        } else {
            "Wait until the member has caught up, and look at its disk and network if it does not. So far behind it is not \
             in sync by etcd's own measure: the next restart can cost the quorum."
        };
        findings.push(Finding::blocked(words_for(&far), grounds_for(&far), remedy).about(&indices(&far)));
    }
    if !near.is_empty() {
        let remedy = "Ask for the status again. If the gap stays, find out why the member is slow before the roll: a \
                      gap of the time between two rows goes away, a slow disk does not.";
        findings.push(Finding::warning(words_for(&near), grounds_for(&near), remedy).about(&indices(&near)));
    }
    if members.is_empty() || !unknown.is_empty() {
        let whose = if unknown.is_empty() { "the members".to_owned() } else { q.names(&unknown) };
        let statement = format!("How far {whose} applied is not shown.");
        findings.push(Finding::cant_tell(statement, vec![asks::status(q)]).about(&unknown));
    }
    if findings.is_empty() && !known.is_empty() {
        let most = known.iter().map(|(_, at)| lag(*at)).max().unwrap_or(0);
        let who = if known.len() < members.len() { " that answered" } else { "" };
        let statement = match most {
            0 => format!("Every member{who} applied all entries."),
            _ => format!("No member{who} is more than {} behind.", entries(most)),
        };
        findings.push(Finding::passed(statement, seen(known.iter().filter_map(|(m, _)| span(*m)))));
    }
    findings
}

/// What the member applied; where only the raft index is printed, that stands for it.
fn applied(member: &Member) -> Option<u64> {
    let status = &member.status.as_ref()?.value;
    status.raft_applied_index.or(status.raft_index)
}

fn raft_index(member: &Member) -> Option<u64> {
    member.status.as_ref()?.value.raft_index
}

fn entries(number: u64) -> String {
    if number == 1 { "1 entry".to_owned() } else { format!("{number} entries") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn the_time_between_two_rows_is_no_lag() {
        for (behind, outcome) in [
            (0, Outcome::Passed),
            (12, Outcome::Passed),
            (999, Outcome::Passed),
            (1_000, Outcome::Warning),
            (4_999, Outcome::Warning),
            (5_000, Outcome::Blocked),
        ] {
            assert_eq!(
                outcomes(&GATE, &three_members("3.5.33").behind("m2", behind), "3.6", &[]),
                [outcome],
                "{behind}"
            );
        }
    }

    #[test]
    fn a_member_cut_off_in_a_young_cluster_is_far_behind() {
        let young = |index: u64| {
            let mut cluster = three_members("3.5.33");
            for (name, at) in [("m1", 308), ("m2", 308), ("m3", index)] {
                cluster = cluster.status(name, |s| {
                    s.raft_index = Some(at);
                    s.raft_applied_index = Some(at);
                });
            }
            cluster
        };
        let finding = only(&GATE, &young(8), "3.6", &[]);
        assert_eq!(finding.outcome, Outcome::Blocked);
        assert_eq!(finding.statement, "m3 is 300 entries behind (newest raft index 308).");
        assert_eq!(outcomes(&GATE, &young(250), "3.6", &[]), [Outcome::Passed]);
    }
}
