//! Does the leader hand over before it is removed?
//!
//! # Asks
//! Whether the change removes the member that leads.
//!
//! # Blocks when
//! Never: the plan moves the leader first, and it passes with a note.
//!
//! # Why
//! A leader that is removed steps down when the removal is applied; until another one is elected, up to an election
//! timeout, nothing is written.
//!
//! # Remedy
//! Move the leader to a member that stays, then remove.
//!
//! # Sources
//! - runtime-reconfiguration: removing the leader.
//! - seen-reconfiguration: a leader that was removed.

use super::question::{Question, seen};
use super::{Asked, FOR_MEMBERS, Finding, Gate, Group, Need, sight};
use crate::etcd::sources::key;
use crate::reconfiguration::Act;

/// The gate.
pub static GATE: Gate = Gate {
    id: "leader-removed",
    group: Group::Change,
    sources: &[key::RUNTIME_RECONFIGURATION, key::SEEN_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let course = q.course();
    if !course.stages.iter().any(|stage| stage.act == Act::Remove) {
        return Vec::new();
    }
    let moved = course.stages.iter().find_map(|stage| match stage.act {
        Act::MoveLeader { to } => Some((course.seat(stage)?, course.seats.get(to)?)),
        _ => None,
    });
    if let Some((from, to)) = moved {
        let row = from.member.and_then(|at| q.cluster.members.get(at)).and_then(|m| m.status.as_ref());
        let statement = format!("{} leads and is removed.", from.label);
        let note = format!("The plan moves the leader to {} first.", to.label);
        return vec![Finding::passed(statement, seen(row.map(|status| &status.span))).with_note(note)];
    }
    if q.cluster.leader().is_none() {
        return Vec::new();
    }
    sight::passed_on_status(q, "The member that leads stays.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{NotLookedAt, Passed};
    use crate::gates::testing::changing;

    #[test]
    fn the_plan_moves_the_leader() {
        for change in ["change=remove=m1", "change=remove=m2"] {
            assert_eq!(changing(&GATE, &three_members("3.5.33"), &[change]), [Passed], "{change}");
        }
        assert_eq!(changing(&GATE, &three_members("3.5.33"), &["change=add-voter"]), [NotLookedAt]);
    }
}
