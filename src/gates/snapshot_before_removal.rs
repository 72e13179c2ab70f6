//! Was a member removed after the backup snapshot was taken?
//!
//! # Asks
//! Whether a removal was pasted, and whether a backup snapshot was saved after it.
//!
//! # Blocks when
//! Never. It warns when no younger one is shown and either the members of today are not known, or the tool that restores
//! leaves those of before in the data. Else it passes with a note.
//!
//! # Why
//! The backup snapshot still lists the removed member. Left in the data it comes back as a zombie with a later upgrade;
//! put into `--initial-cluster` it is a voter that never answers.
//!
//! # Remedy
//! Take a younger backup snapshot while a member answers. Else restore with the members of today, and keep the removed
//! member's old data from starting.
//!
//! # Sources
//! - source-restore: what a restore takes out of the data, and where the new members come from.
//! - blog-zombie-members: members that were removed and come back.

use super::question::{Question, seen};
use super::{Asked, FOR_RESTORE, Finding, Gate, Group, Need, words};
use crate::etcd::features::RESTORE_TRIMS_MEMBERS;
use crate::etcd::flags::name;
use crate::etcd::sources::key;
use crate::evidence::fact::{MemberAction, Span};

/// The gate.
pub static GATE: Gate = Gate {
    id: "snapshot-before-removal",
    group: Group::Restore,
    sources: &[key::SOURCE_RESTORE, key::BLOG_ZOMBIE_MEMBERS],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let place = |span: &Span| (span.paste, span.first_line);
    let removals: Vec<_> =
        q.cluster.member_changes.iter().filter(|c| c.value.action == MemberAction::Removed).collect();
    let Some(newest) = removals.iter().max_by_key(|c| place(&c.span)) else { return Vec::new() };
    let younger = q.cluster.snapshots_saved.iter().find(|saved| place(&saved.span) > place(&newest.span));
    if let Some(saved) = younger {
        let statement = "The backup snapshot was saved after the newest removal of a member.";
        return vec![Finding::passed(statement, seen([&saved.span, &newest.span]))];
    }
    let ids: Vec<String> = removals.iter().map(|c| format!("{:x}", c.value.member_id)).collect();
    let statement = format!(
        "{} {} removed, and nothing shows that the backup snapshot is younger than that.",
        words::list(&ids),
        words::verb(ids.len(), "was", "were"),
    );
    let grounds = || seen(removals.iter().map(|c| &c.span));
    let initial = name::INITIAL_CLUSTER;
    let keep = "Never start the removed member on its old data: its token and members are those of the old cluster.";
    let younger = "Take a younger backup snapshot if a member still answers.";
    if let Some(minor) = q.cluster.lowest_minor().filter(|minor| !RESTORE_TRIMS_MEMBERS.in_minor(*minor)) {
        let remedy = format!(
            "{younger} Else name only the members of today in --{initial}, and look at the member list again after every \
             later upgrade: the tool of {minor} leaves removed members in the data, and they can come back. {keep}"
        );
        return vec![Finding::warning(statement, grounds(), remedy)];
    }
    if q.cluster.member_list.is_some() {
        let passed = format!("{statement} The restore takes the members of before out of it.");
        let note = format!("The restore commands name the members of today in --{initial}. {keep}");
        return vec![Finding::passed(passed, grounds()).with_note(note)];
    }
    let remedy = format!(
        "{younger} Else name only the members of today in --{initial}: a removed one would be a voter that never answers. \
         {keep}"
    );
    vec![Finding::warning(statement, grounds(), remedy)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{Build, three_members};
    use crate::evidence::fact::{Body, MemberChange, SnapshotSaved};
    use crate::gates::Outcome::{NotLookedAt, Passed, Warning};
    use crate::gates::testing::restoring;

    fn removed(build: Build) -> Build {
        let change =
            MemberChange { action: MemberAction::Removed, member_id: 0xabc, cluster_id: None, environment: Vec::new() };
        build.fact(Body::MemberChange(change))
    }

    fn saved(build: Build) -> Build {
        build.fact(Body::SnapshotSaved(SnapshotSaved { path: "backup.db".to_owned() }))
    }

    #[test]
    fn what_counts_is_what_came_last_and_what_restores() {
        let of = |build: &Build| restoring(&GATE, build, &[]);
        assert_eq!(of(&removed(saved(three_members("3.4.45")))), [Warning]);
        assert_eq!(of(&saved(removed(three_members("3.4.45")))), [Passed]);
        assert_eq!(of(&removed(saved(three_members("3.5.0")))), [Passed], "the members of today are known");
        assert_eq!(of(&removed(saved(three_members("3.5.0").no_member_list()))), [Warning]);
        assert_eq!(of(&saved(three_members("3.4.45"))), [NotLookedAt]);
    }
}
