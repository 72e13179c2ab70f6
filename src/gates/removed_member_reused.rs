//! Does a removed member try to come back?
//!
//! # Asks
//! Whether a log or a tool says that the member was removed, or that the id it asks for is no member.
//!
//! # Blocks when
//! It says so.
//!
//! # Why
//! A removal is for good: the id never comes back, and a member that starts with its old data ends at once, again and
//! again.
//!
//! # Remedy
//! Empty its data directory, add it as a new member, and start it with the flags member add prints.
//!
//! # Sources
//! - source-join: what a removed member is told.
//! - seen-reconfiguration: the log of one.

use super::question::Question;
use super::{Asked, FOR_MEMBERS, Finding, Gate, Group, Need};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "removed-member-reused",
    group: Group::Change,
    sources: &[key::SOURCE_JOIN, key::SEEN_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    const REMEDY: &str = "Stop it, empty its data directory and what its platform keeps of the old member, remove the old id \
                          if it is still listed, and add it as a new member. Its old data never start again in this cluster.";
    let mut findings: Vec<Finding> = Vec::new();
    for finding in q.told_to_stop(GATE.id, REMEDY) {
        if !findings.iter().any(|known| known.statement == finding.statement) {
            findings.push(finding);
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt};
    use crate::gates::testing::changing;

    #[test]
    fn what_etcd_says_to_a_removed_member_blocks() {
        for error in ["the member has been permanently removed from the cluster", "etcdserver: member not found"] {
            assert_eq!(changing(&GATE, &three_members("3.5.33").tool_error(error), &[]), [Blocked], "{error}");
        }
        assert_eq!(changing(&GATE, &three_members("3.5.33"), &[]), [NotLookedAt]);
    }
}
