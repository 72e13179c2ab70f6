//! Does a restore command say what the member is?
//!
//! # Asks
//! Whether a restore command names the data directory, and in a cluster of several members also the member, the members of
//! the cluster and its own peer URL.
//!
//! # Blocks when
//! One of them is missing, or the name is not in `--initial-cluster`.
//!
//! # Why
//! Without `--data-dir` the data land in `NAME.etcd` below the working directory, in a throw-away container that is lost.
//! Without the others the member believes that it is a cluster of its own called `default`.
//!
//! # Remedy
//! Give them all; `--endpoints` has no effect, since a restore works offline.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.
//! - source-restore: the defaults.

use std::collections::HashSet;

use super::question::Question;
use super::{Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need, words};
use crate::etcd::flags::name;
use crate::etcd::sources::key;
use crate::evidence::fact::RestoreCommand;

/// The gate.
pub static GATE: Gate = Gate {
    id: "restore-flags-incomplete",
    group: Group::Restore,
    sources: &[key::RECOVERY, key::SOURCE_RESTORE],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let named: HashSet<&str> = q.cluster.restores.iter().filter_map(|r| r.value.member()).collect();
    let listed = q.cluster.restores.iter().map(|r| r.value.initial_cluster().len()).max().unwrap_or(0);
    let several = q.cluster.members.len() > 1 || named.len() > 1 || listed > 1;
    let of = |restore: &crate::evidence::fact::Seen<RestoreCommand>| {
        let grounds = vec![Ground::Seen(restore.span.clone())];
        let missing = missing(&restore.value, several);
        if let Some(stranger) = not_in_its_cluster(&restore.value) {
            let statement = format!("{stranger} is not in the --{} of its restore command.", name::INITIAL_CLUSTER);
            return Finding::blocked(
                statement,
                grounds,
                "Name the member as the list of members does: the tool refuses it otherwise.",
            );
        }
        if missing.is_empty() {
            return Finding::passed("The restore command names the member and its data directory.", grounds);
        }
        let statement = format!("The restore command lacks {}.", words::list(&missing));
        let remedy = "Give them: without a data directory the data land below the working directory, without the others \
                      each member starts a cluster of its own.";
        Finding::blocked(statement, grounds, remedy)
    };
    q.cluster.restores.iter().map(of).collect()
}

fn missing(restore: &RestoreCommand, several: bool) -> Vec<String> {
    let always: &[&str] = &[name::DATA_DIR];
    let of_several: &[&str] = &[name::NAME, name::INITIAL_CLUSTER, name::INITIAL_ADVERTISE_PEER_URLS];
    let wanted = always.iter().chain(of_several.iter().filter(|_| several));
    wanted.filter(|flag| restore.value(flag).is_none_or(str::is_empty)).map(|flag| format!("--{flag}")).collect()
}

fn not_in_its_cluster(restore: &RestoreCommand) -> Option<&str> {
    let own = restore.member()?;
    let cluster = restore.initial_cluster();
    let listed = cluster.iter().any(|m| m.split_once('=').is_some_and(|(name, _)| name == own));
    (!cluster.is_empty() && !listed).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{members, three_members};
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::restoring;

    const CLUSTER: &str = "initial-cluster=m1=http://192.0.2.1:2380,m2=http://192.0.2.2:2380";

    #[test]
    fn several_members_need_their_names() {
        let with = |flags: &[&str]| restoring(&GATE, &three_members("3.5.33").restore("etcdutl", "a.db", flags), &[]);
        let all = ["data-dir=/d", "name=m1", CLUSTER, "initial-advertise-peer-urls=http://192.0.2.1:2380"];
        assert_eq!(with(&all), [Passed]);
        for left_out in 0..all.len() {
            let some: Vec<&str> = all.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, f)| *f).collect();
            assert_eq!(with(&some), [Blocked], "without {}", all[left_out]);
        }
        assert_eq!(with(&["data-dir=/d", "name=m9", CLUSTER, "initial-advertise-peer-urls=u"]), [Blocked]);
        assert_eq!(restoring(&GATE, &three_members("3.5.33"), &[]), [NotLookedAt]);
    }

    #[test]
    fn one_member_needs_its_directory_only() {
        let one = |flags: &[&str]| restoring(&GATE, &members(1, "3.5.33").restore("etcdutl", "a.db", flags), &[]);
        assert_eq!(one(&["data-dir=/d"]), [Passed]);
        assert_eq!(one(&[]), [Blocked]);
    }
}
