//! Is the data directory of the new member empty?
//!
//! # Asks
//! A listing of its disk snapshots, and whether it says that it was a member before.
//!
//! # Blocks when
//! There is data in it.
//!
//! # Why
//! A member with data does not join: it goes on with what it has, as the member it was. Over another cluster's data it
//! founds that cluster again; over a live member's it destroys it.
//!
//! # Remedy
//! Move the old data aside and start it on an empty directory.
//!
//! # Sources
//! - source-join: a member with a WAL does not look at the flags of a first start.
//! - runtime-reconfiguration: a new member starts without data.

use super::question::{Question, seen};
use super::{Asked, FOR_MEMBERS, Finding, Gate, Group, Need};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "data-dir-not-empty",
    group: Group::Change,
    sources: &[key::SOURCE_JOIN, key::RUNTIME_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    const REMEDY: &str = "Move what lies there aside, after you have seen whose it is, and start the new member on an empty \
                          directory. It goes on with old data instead of joining.";
    let course = q.course();
    let coming = |at: usize| course.incoming().any(|seat| seat.member == Some(at) && !seat.started);
    let mut findings = Vec::new();
    for (at, member) in q.cluster.members.iter().enumerate().filter(|(at, _)| coming(*at)) {
        if let Some(listing) = &member.disk_snapshots {
            findings.push(if listing.value.is_empty() {
                Finding::passed(
                    format!("No disk snapshot lies in the data directory of {}.", q.label(at)),
                    seen([&listing.span]),
                )
            } else {
                let statement = format!("{} was never started, and its data directory holds data.", q.label(at));
                Finding::blocked(statement, seen([&listing.span]), REMEDY).about(&[at])
            });
        }
    }
    let own = |member: Option<usize>| member.is_none_or(coming);
    let logged = q.logged(GATE.id, |_| true).into_iter().find(|line| own(line.member));
    if let Some(line) = logged.filter(|_| course.incoming().any(|seat| !seat.started)) {
        let statement = "The new member says that its data directory was in use before.";
        findings.push(Finding::blocked(statement, seen([&line.seen.span]), REMEDY));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{Build, members};
    use crate::evidence::fact::DiskSnapshot;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::changing;

    fn unstarted(snapshots: Vec<DiskSnapshot>) -> Build {
        let four = members(4, "3.5.33").learner("m4").not_in_status("m4");
        four.disk_snapshots("m4", snapshots).listed("m4", |row| row.started = false)
    }

    #[test]
    fn data_of_a_member_that_never_started_are_somebody_elses() {
        let snapshot = DiskSnapshot { term: 2, index: 7, modified: None };
        let wanted = ["change=add-voter", "new-name=m4"];
        assert_eq!(changing(&GATE, &unstarted(vec![snapshot]), &wanted), [Blocked]);
        assert_eq!(changing(&GATE, &unstarted(Vec::new()), &wanted), [Passed]);
        assert_eq!(changing(&GATE, &members(3, "3.5.33"), &wanted), [NotLookedAt]);
    }
}
