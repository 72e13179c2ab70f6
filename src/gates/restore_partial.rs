//! Are all members restored?
//!
//! # Asks
//! Whether the restore commands cover every member that their `--initial-cluster` names, and whether that is every member.
//!
//! # Blocks when
//! A member is left out. A restored member can't join one that kept its old data.
//!
//! # Why
//! A restore makes a new cluster with new ids. A member that kept its old data belongs to the old one.
//!
//! # Remedy
//! Restore every member from the same file, or restore one member alone and add the others as new, empty members.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.

use super::question::Question;
use super::{Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need, words};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "restore-partial",
    group: Group::Restore,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let restores = &q.cluster.restores;
    let named: Vec<&str> = restores.iter().filter_map(|r| r.value.member()).collect();
    let mut missing: Vec<String> = Vec::new();
    for restore in restores {
        for member in restore.value.initial_cluster() {
            let name = member.split_once('=').map_or(member, |(name, _)| name);
            if !named.contains(&name) && !missing.iter().any(|m| m == name) {
                missing.push(name.to_owned());
            }
        }
    }
    if named.is_empty() {
        return Vec::new();
    }
    let grounds: Vec<Ground> = restores.iter().map(|r| Ground::Seen(r.span.clone())).collect();
    if missing.is_empty() {
        return vec![Finding::passed("Every member of the restored cluster has its restore command.", grounds)];
    }
    let statement = format!("No restore command was shown for {}.", words::list(&missing));
    let remedy = "Restore every member from the same file with its own name: a member that keeps its old data belongs to \
                  the old cluster and never joins.";
    vec![Finding::warning(statement, grounds, remedy)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{NotLookedAt, Passed, Warning};
    use crate::gates::testing::restoring;

    #[test]
    fn every_member_of_the_new_cluster_is_restored() {
        let cluster = "initial-cluster=m1=http://192.0.2.1:2380,m2=http://192.0.2.2:2380";
        let one = three_members("3.5.33").restore("etcdutl", "a.db", &["name=m1", cluster]);
        assert_eq!(restoring(&GATE, &one, &[]), [Warning]);
        let both = one.restore("etcdutl", "a.db", &["name=m2", cluster]);
        assert_eq!(restoring(&GATE, &both, &[]), [Passed]);
        assert_eq!(restoring(&GATE, &three_members("3.5.33"), &[]), [NotLookedAt]);
    }
}
