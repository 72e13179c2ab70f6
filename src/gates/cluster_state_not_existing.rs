//! Is the new member started to join, and not to found a cluster?
//!
//! # Asks
//! The initial cluster state in the flags of the new member, and what its log says.
//!
//! # Blocks when
//! The state is new, or is not set where the whole start was shown, or etcd has refused the start for it.
//!
//! # Why
//! With the state new the member founds a cluster of its own: it gets another cluster id, the others never see it, and
//! what clients write to it is lost.
//!
//! # Remedy
//! Stop it, empty its data directory, and start it with the state existing.
//!
//! # Sources
//! - source-join: how a member joins.
//! - runtime-reconfiguration: the flags of a new member.
//! - seen-reconfiguration: the log of a member that was started with new.

use super::question::{Question, seen};
use super::sight::newcomer_flags;
use super::{Asked, FOR_MEMBERS, Finding, Gate, Group, Need};
use crate::cluster::settings;
use crate::etcd::flags::name;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "cluster-state-not-existing",
    group: Group::Change,
    sources: &[key::SOURCE_JOIN, key::RUNTIME_RECONFIGURATION, key::SEEN_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let remedy = format!(
        "Set --{}=existing, give it the list that member add printed, and empty its data directory if it was started \
         already: what it founded is another cluster.",
        name::INITIAL_CLUSTER_STATE
    );
    let mut findings: Vec<Finding> = q.told_to_stop(GATE.id, &remedy).collect();
    for set in newcomer_flags(q) {
        let flags = &set.seen.value;
        let whose = set.name.clone().unwrap_or_else(|| "The new member".to_owned());
        let given = settings::of(flags, name::INITIAL_CLUSTER_STATE).last();
        match given.and_then(|setting| setting.value.as_deref().map(|value| (value.trim().to_owned(), &setting.span))) {
            Some((value, span)) if value == "existing" => {
                findings.push(Finding::passed(format!("{whose} starts with the state existing."), seen([span])));
            }
            Some((value, span)) => {
                let statement = format!("{whose} starts with the state {value}: it would found a cluster of its own.");
                findings.push(Finding::blocked(statement, seen([span]), &*remedy));
            }
            None if flags.complete && set.sure => {
                let statement =
                    format!("{whose} starts without a state, which means new: it would found a cluster of its own.");
                findings.push(Finding::blocked(statement, seen([&set.seen.span]), &*remedy));
            }
            None => {}
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::changing;

    #[test]
    fn the_flags_of_the_new_member_alone_are_looked_at() {
        let with = |state: &str| three_members("3.5.33").flags("m4", &["name=m4", state]);
        let wanted = ["change=add-voter", "new-name=m4"];
        assert_eq!(changing(&GATE, &with("initial-cluster-state=new"), &wanted), [Blocked]);
        assert_eq!(changing(&GATE, &with("initial-cluster-state=existing"), &wanted), [Passed]);
        assert_eq!(changing(&GATE, &with("pre-vote"), &wanted), [Blocked], "new is what it means when it is not set");
        let old = three_members("3.5.33").flags("m1", &["name=m1", "initial-cluster-state=new"]);
        assert_eq!(changing(&GATE, &old, &wanted), [NotLookedAt], "a member with data does not look at it");
    }
}
