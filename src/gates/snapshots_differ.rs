//! Do all members restore from one file?
//!
//! # Asks
//! Whether restore commands and `snapshot status` name one backup snapshot.
//!
//! # Blocks when
//! Restore commands name different files, one file name shows different hashes, or it was saved at several members.
//!
//! # Why
//! Members that start from different data are one cluster with two histories; nothing in etcd finds it at once.
//!
//! # Remedy
//! Copy one file to every host and compare its checksum there.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.

use super::question::Question;
use super::{Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need, words};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "snapshots-differ",
    group: Group::Restore,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    const REMEDY: &str =
        "Copy one backup snapshot to every host, compare its checksum on each, and restore all members from it.";
    let file = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let restores = || q.cluster.restores.iter().filter_map(|r| Some((file(r.value.path.as_deref()?), &r.span)));
    let mut files: Vec<String> = restores().map(|(file, _)| file).collect();
    crate::sort::sort(&mut files);
    files.dedup();
    let mut hashes: Vec<(String, u32)> =
        q.cluster.snapshots.iter().filter_map(|s| Some((file(s.value.path.as_deref()?), s.value.hash?))).collect();
    crate::sort::sort(&mut hashes);
    hashes.dedup();
    let twice = hashes.iter().zip(hashes.iter().skip(1)).find(|(a, b)| a.0 == b.0);
    let grounds: Vec<Ground> = restores().map(|(_, span)| Ground::Seen(span.clone())).collect();
    if files.len() > 1 {
        let statement = format!("The restore commands name different files: {}.", words::list(&files));
        return vec![Finding::blocked(statement, grounds, REMEDY)];
    }
    if let Some((one, _)) = twice {
        let shown = q.cluster.snapshots.iter().map(|s| Ground::Seen(s.span.clone())).collect();
        return vec![Finding::blocked(format!("{} has different hashes in different places.", one.0), shown, REMEDY)];
    }
    if let Some(saves) = saved_apart(q) {
        let statement =
            "Each member has a backup snapshot of its own under one name: they were saved at different times.";
        return vec![Finding::blocked(statement, saves, REMEDY)];
    }
    if grounds.len() > 1 {
        return vec![Finding::passed("Every restore command names the same file.", grounds)];
    }
    Vec::new()
}

/// Saves of one file name at several members, of which one is restored.
fn saved_apart(q: &Question<'_>) -> Option<Vec<Ground>> {
    let saves = &q.cluster.saves;
    let restored = |path: &str| q.cluster.restores.iter().any(|r| r.value.path.as_deref() == Some(path));
    let one = saves.iter().find(|s| restored(&s.value.path))?;
    let same: Vec<_> = saves.iter().filter(|s| s.value.path == one.value.path).collect();
    let apart = same.iter().any(|s| s.value.from.is_some() && s.value.from != one.value.from);
    apart.then(|| same.iter().map(|s| Ground::Seen(s.span.clone())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::restoring;

    #[test]
    fn one_file_for_all() {
        let two = |one: &str, other: &str| {
            let cluster =
                three_members("3.5.33").restore("etcdutl", one, &["name=m1"]).restore("etcdutl", other, &["name=m2"]);
            restoring(&GATE, &cluster, &[])
        };
        assert_eq!(two("/a/backup.db", "/b/backup.db"), [Passed]);
        assert_eq!(two("backup-1.db", "backup-2.db"), [Blocked]);
        assert_eq!(restoring(&GATE, &three_members("3.5.33").restore("etcdutl", "a.db", &[]), &[]), [NotLookedAt]);
    }

    #[test]
    fn one_name_with_two_hashes_blocks() {
        let cluster = three_members("3.5.33").backup_with_hash("a.db", 1).backup_with_hash("a.db", 2);
        assert_eq!(restoring(&GATE, &cluster, &[]), [Blocked]);
        let cluster = three_members("3.5.33").backup_with_hash("a.db", 1).backup_with_hash("b.db", 2);
        assert_eq!(restoring(&GATE, &cluster, &[]), [NotLookedAt]);
    }
}
