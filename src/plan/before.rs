//! Right before: the cluster is well, jobs are paused, the backup snapshot is saved, verified and off the host.

use super::order::Crew;
use super::scene::Scene;
use super::writer::{Draft, Writer};
use super::{Check, backup, checks};

/// Writes the steps. From the verified backup snapshot on, the restore is a way back.
pub(super) fn write(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    health(scene, crew, writer);
    pause_jobs(scene, writer);
    if scene.rules().is_some_and(|r| r.auth_rolling_unsupported) {
        no_auth_calls(scene, writer);
    }
    backup::before(scene, crew, writer);
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
            checks::status(scene.commands, 0, crew.movers.iter().map(|m| (m, scene.runs(m).cloned()))),
            checks::health(scene.commands, 1, crew.movers.iter().filter(|m| m.votes())),
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
