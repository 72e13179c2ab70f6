//! Right before: the cluster is well, jobs are paused, the backup snapshot is saved, verified and off the host.

use super::hand;
use super::order::{Crew, Mover, Role};
use super::scene::Scene;
use super::way_back::Backup;
use super::writer::{Draft, Writer};
use super::{BACKUP_STEP, Check, checks};

/// Writes the steps. From the verified backup snapshot on, the restore is a way back.
pub(super) fn write(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    health(scene, crew, writer);
    pause_jobs(scene, writer);
    if scene.rules().is_some_and(|r| r.auth_rolling_unsupported) {
        no_auth_calls(scene, writer);
    }
    backup(scene, crew, writer);
}

fn health(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    let old = scene.old_minor();
    let named = crew.leader().and_then(|at| crew.movers.get(at)).filter(|m| m.index.is_some());
    let leads = named.map_or_else(
        || "exactly one leads".to_owned(),
        |leader| format!("exactly one leads ({} when this was planned)", leader.label),
    );
    let runs = match crew.movers.as_slice() {
        [only] => format!("{} answers", only.label),
        _ if crew.stand_ins => "Every member answers".to_owned(),
        all => format!("All {} members answer", all.len()),
    };
    let versions = if crew.movers.iter().any(|m| m.arrived(scene.leg)) {
        format!("the ones not moved yet show {old}")
    } else {
        format!("every version shown is a {old}")
    };
    writer.step(Draft {
        id: "right-before/health".to_owned(),
        title: "See every member healthy".to_owned(),
        why: "A roll takes one member away at a time, so every other one must be able to carry the cluster.".to_owned(),
        commands: vec![scene.commands.status(), scene.commands.health(), scene.commands.alarm_list()],
        checks: [
            checks::status(scene, 0, crew.movers.iter().map(|m| (m, scene.runs(m).cloned()))),
            checks::health(scene, 1, crew.movers.iter().filter(|m| m.votes())),
            Some(Check::nothing(2)),
        ]
        .into_iter()
        .flatten()
        .collect(),
        expect: format!(
            "{runs}, {versions}, {leads}, the raft term is the same everywhere, every applied index is within a few \
             entries of the raft index, and no alarm is listed."
        ),
        stop_when:
            "A member does not answer, none or two lead, an applied index stays behind, or an alarm is listed. If \
                    another member leads than planned, roll that one last."
                .to_owned(),
        ..Draft::default()
    });
}

fn pause_jobs(scene: &Scene<'_>, writer: &mut Writer) {
    writer.step(Draft {
        id: "right-before/pause-jobs".to_owned(),
        title: "Pause defragmentation jobs".to_owned(),
        why: format!(
            "A defragmentation blocks its member; on some patches one that runs while a member takes over the leader's \
             snapshot corrupts its data, and members catch up all through the move to {}.",
            scene.leg.target,
        ),
        expect: "No cron job, timer or operator defragments a member until the After steps.".to_owned(),
        stop_when: "A defragmentation is running: wait until it ends.".to_owned(),
        ..Draft::default()
    });
}

/// `auth-status-kills-34`, `auth-empty-password-34-35`.
fn no_auth_calls(scene: &Scene<'_>, writer: &mut Writer) {
    let (old, new) = (scene.old_minor(), scene.new_minor());
    writer.step(Draft {
        id: "right-before/no-auth-calls".to_owned(),
        title: format!("Stop everything that asks for auth status or changes users until all members run {new}"),
        why: format!(
            "While {old} and {new} are mixed, one `auth status` answered by a {new} member can make every {old} member \
             panic, with authentication on or off; a user added or a password changed through a {new} member is stored \
             with the empty password on {old} members."
        ),
        expect: "No script, exporter or collector calls auth status, user add or user passwd until the Close steps."
            .to_owned(),
        stop_when: "A client that does so can't be stopped.".to_owned(),
        ..Draft::default()
    });
}

fn backup(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
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
        commands: hand::snapshot_save(scene, source),
        checks: vec![Check::shows(0, &["Snapshot saved at"])],
        expect: "`Snapshot saved at` and the path, exit 0.".to_owned(),
        stop_when: "It ends with an error, or a file whose name ends in .part is left.".to_owned(),
    });

    writer.standing.backup = Backup::Ready;
    writer.step(Draft {
        id: "right-before/backup-verify".to_owned(),
        title: "Verify the backup snapshot".to_owned(),
        member: member.clone(),
        why: "A file nobody looked at is no backup: the status reads the whole file and checks its pages.".to_owned(),
        commands: hand::snapshot_verify(scene, source),
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
        commands: hand::snapshot_copy(scene, source),
        checks: Vec::new(),
        expect: "The same command on the copy, on the other host, prints the same checksum.".to_owned(),
        stop_when: "The checksums differ or there is no copy: nothing is touched before there is one.".to_owned(),
    });
}

/// The member the backup snapshot is read from: a follower, since reading the whole database costs the leader more.
fn source(crew: &Crew) -> Option<&Mover> {
    crew.movers.iter().filter(|m| !m.silent).min_by_key(|m| match m.role {
        Role::Follower => 0,
        Role::Leader => 1,
        Role::Learner => 2,
    })
}
