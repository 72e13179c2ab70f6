//! A backup snapshot is saved, verified, copied off the host, and proven to restore: before a leg moves anything, and
//! once more when the cluster has arrived.

use super::BACKUP_STEP;
use super::hand;
use super::order::{Crew, Mover, Role};
use super::scene::Scene;
use super::way_back::Backup;
use super::writer::{Draft, Writer};

/// Before anything moves. From the verified backup snapshot on, the restore is a way back.
pub(super) fn before(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    let file = format!("etcd-before-{}.db", scene.reaches());
    let source = source(crew);
    let member = source.filter(|m| m.index.is_some()).map(|m| m.label.clone());
    let of = member.as_deref().unwrap_or("one healthy member");
    let held = writer.standing.backup;

    writer.standing.backup = if held == Backup::Ready { Backup::Ready } else { Backup::Saved };
    writer.step(Draft {
        id: format!("right-before/{BACKUP_STEP}"),
        title: format!("Save a backup snapshot from {of}"),
        member: member.clone(),
        why:
            "Once the roll is done, restoring it is the one way back that always works; the younger it is, the less it \
              loses."
                .to_owned(),
        commands: hand::snapshot_save(scene, source, &file),
        checks: hand::saved(scene),
        expect: saved(scene),
        stop_when: "It ends with an error, or a file whose name ends in .part is left.".to_owned(),
    });

    writer.standing.backup = Backup::Ready;
    writer.step(Draft {
        id: "right-before/backup-verify".to_owned(),
        title: "Verify the backup snapshot".to_owned(),
        member: member.clone(),
        why: "A file nobody looked at is no backup: the status reads the whole file and checks its pages.".to_owned(),
        commands: hand::snapshot_verify(scene, source, &file),
        checks: Vec::new(),
        expect: "One row with hash, revision, total keys and total size; the revision is the one the cluster had a \
                 moment ago, the size is close to the members' database size in use."
            .to_owned(),
        stop_when:
            "It reports an error, the revision is far behind, or the size is near zero: save it again from another \
                    member."
                .to_owned(),
    });

    writer.step(Draft {
        id: "right-before/backup-copy".to_owned(),
        title: "Copy the backup snapshot off the host and compare its checksum".to_owned(),
        member,
        why: "A backup on a member's own disk is lost with that member.".to_owned(),
        commands: hand::snapshot_copy(scene, source, &file),
        checks: Vec::new(),
        expect: COPIED.to_owned(),
        stop_when: "The checksums differ or there is no copy: nothing is touched before there is one.".to_owned(),
    });
    writer.step(prove("right-before", hand::snapshot_prove(scene, &file)));
}

/// Once the cluster has arrived on the target.
pub(super) fn after(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    let target = &scene.leg.target;
    let file = format!("etcd-on-{target}.db");
    let source = source(crew);
    let member = source.filter(|m| m.index.is_some()).map(|m| m.label.clone());
    let save = hand::snapshot_save(scene, source, &file);
    writer.step(Draft {
        id: "after/backup".to_owned(),
        title: format!("Save and verify a backup snapshot of the cluster on {target}"),
        member: member.clone(),
        why: "From now on this is the backup to restore; the one from before the roll leads back to the older version and \
              is kept until nobody wants to go there."
            .to_owned(),
        commands: [save, hand::snapshot_verify(scene, source, &file)].concat(),
        checks: hand::saved(scene),
        expect: format!("{} Then one row with the cluster's revision.", saved(scene)),
        stop_when: "It ends with an error: the older backup snapshot stays the newest good one.".to_owned(),
    });
    writer.step(Draft {
        id: "after/backup-copy".to_owned(),
        title: "Copy it off the host and compare its checksum".to_owned(),
        member,
        why: "A backup on a member's own disk is lost with that member.".to_owned(),
        commands: hand::snapshot_copy(scene, source, &file),
        checks: Vec::new(),
        expect: COPIED.to_owned(),
        stop_when: "The checksums differ: copy it again.".to_owned(),
    });
    writer.step(prove("after", hand::snapshot_prove(scene, &file)));
}

const COPIED: &str = "The same command on the copy, on the other host, prints the same checksum.";

fn saved(scene: &Scene<'_>) -> String {
    let own = hand::own_snapshot(scene).is_some();
    let words = if own {
        "It ends without an error and names the file or the archive."
    } else {
        "`Snapshot saved at` and the path, exit 0."
    };
    words.to_owned()
}

/// The throw-away restore.
pub(super) fn prove(phase: &str, commands: Vec<String>) -> Draft {
    Draft {
        id: format!("{phase}/backup-prove"),
        title: "Prove that the backup snapshot restores".to_owned(),
        why:
            "It is the only proof that the file is whole. Run it on the host that holds the copy: it writes the whole \
              database once more, into a directory of its own, and touches no member."
                .to_owned(),
        commands,
        expect: "`restored snapshot`, and no error.".to_owned(),
        stop_when: "It does not restore: save another backup snapshot, from another member.".to_owned(),
        ..Draft::default()
    }
}

/// The member the backup snapshot is read from: a follower, since reading the whole database costs the leader more.
fn source(crew: &Crew) -> Option<&Mover> {
    crew.movers.iter().filter(|m| !m.silent).min_by_key(|m| match m.role {
        Role::Follower => 0,
        Role::Leader => 1,
        Role::Learner => 2,
    })
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use crate::evidence::answers::Answers;
    use crate::evidence::paste::Paste;
    use crate::intent::{Intent, IntentKind, Target};

    const MEMBERS: &str = include_str!("../../tests/fixtures/captures/healthy-3.6.16/15-member-list-table.txt");
    const STATUS: &str = include_str!("../../tests/fixtures/captures/healthy-3.6.16/03-endpoint-status-json.txt");

    #[test]
    fn every_backup_is_proven_to_restore_in_the_phase_that_saves_it() {
        for (kind, answers) in [
            (IntentKind::Upgrade, vec![]),
            (IntentKind::Upgrade, vec!["run-by=kubeadm-stacked"]),
            (IntentKind::Upgrade, vec!["run-by=k3s-embedded"]),
            (IntentKind::Downgrade, vec![]),
            (IntentKind::Restore, vec!["watch-caches=no"]),
            (IntentKind::Members, vec!["change=replace=m2", "new-name=m4", "new-peer-url=http://127.0.0.1:24"]),
        ] {
            let mut given = Answers::new();
            for answer in &answers {
                given.take(answer).unwrap();
            }
            let pastes = [Paste::new("status", STATUS), Paste::new("members", MEMBERS)];
            let intent = Intent { kind, from: None, to: Target::Next };
            let report = crate::judge(&pastes, &intent, &given, datetime!(2026-11-30 12:00 UTC));
            let mut saved = 0;
            // What is mended first is the gates' matter, and in the roll a platform's own commands may save once more.
            for phase in report.checklist.iter().filter(|phase| !["Fix first", "Roll"].contains(&phase.phase.as_str()))
            {
                let saves = |c: &String| c.contains("snapshot save");
                let save = phase.steps.iter().position(|s| s.commands.iter().any(saves));
                let restores = |c: &String| c.contains("snapshot restore") && c.contains("restore-check");
                let prove = phase.steps.iter().position(|s| s.commands.iter().any(restores));
                if save.is_some() {
                    saved += 1;
                    assert!(prove > save, "{kind:?} {answers:?} {}: {save:?} {prove:?}", phase.phase);
                }
            }
            assert!(saved > 0, "{kind:?} {answers:?} saves none");
        }
    }
}
