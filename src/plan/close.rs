//! Close: the cluster version is raised on all, the window has shut. After: what was paused goes on.

use super::backup;
use super::checks;
use super::disk_snapshot;
use super::hand;
use super::order::Crew;
use super::scene::Scene;
use super::way_back::Progress;
use super::writer::{Draft, Writer};
use crate::etcd::features;
use crate::evidence::answers::AnswerKey;
use crate::gates::words;

/// Writes the Close steps of a hop. From the raised cluster version on the formal downgrade is a way back.
pub(super) fn close(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    let (old, new) = (scene.old_minor(), scene.new_minor());
    writer.standing.progress = Progress::Raised;
    writer.step(Draft {
        id: "close/cluster-version".to_owned(),
        title: format!("See the cluster version at {new} on every member"),
        why: format!(
            "The leader looks at all members every 4 s, learners too, and raises the cluster version when the last one runs \
             {new}. With it the rollback window has shut: {old} binaries refuse to start."
        ),
        commands: hand::versions(scene, &crew.movers),
        checks: checks::cluster_versions(crew.movers.len(), new, &scene.leg.target),
        expect: format!("Within 10 s of the last start every member says etcdcluster {new}.0 and etcdserver {}.", scene.leg.target),
        stop_when: format!(
            "A member still says etcdcluster {old}.0 after 30 s: the leader can't reach a member or one still runs {old}. \
             Until it is raised the window is open; decide now whether to go on or to swap back."
        ),
        ..Draft::default()
    });
    if features::STORAGE_VERSION.in_version(&scene.leg.target) {
        writer.step(Draft {
            id: "close/storage-version".to_owned(),
            title: format!("See the storage version at {new} on every member"),
            why: format!(
                "Each member lifts the version of its data after the cluster version; a formal downgrade starts from there. \
                 etcdctl {new} shows it too, in the column STORAGE VERSION of the status."
            ),
            commands: hand::versions(scene, &crew.movers),
            checks: checks::storage_versions(crew.movers.len(), new),
            expect: format!("Every member says storage {new}.0."),
            stop_when: "A member shows an older storage version after 30 s: read its log, do not plan on with the next hop."
                .to_owned(),
            ..Draft::default()
        });
    }
    tools(scene, crew, writer);
    writer.step(Draft {
        id: "close/data".to_owned(),
        title: "Compare the data of all members".to_owned(),
        why: "Members that were restarted and caught up must hold the same data.".to_owned(),
        commands: vec![scene.commands.hash()],
        expect:
            "Members at the same revision show the same hash; with writes going on, run it again until the revisions \
                 meet."
                .to_owned(),
        stop_when: "Hashes differ at the same revision: stop all changes and keep the data directories.".to_owned(),
        ..Draft::default()
    });
}

/// From now on the tools of the new release are called: what backup jobs use must know the new data.
fn tools(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    let target = &scene.leg.target;
    let commands: Vec<String> = crew.movers.iter().flat_map(|m| scene.commands.tools_say(m.index, target)).collect();
    writer.step(Draft {
        id: "close/tools".to_owned(),
        title: format!("See that etcdctl and etcdutl are those of {target} wherever they are called"),
        why: format!(
            "The next steps and every backup job from now on use them: tools of {} leave out columns and commands, and may \
             not read what {} saves.",
            scene.old_minor(),
            scene.new_minor(),
        ),
        commands,
        expect: format!("Each says version {target}, on the members and where you type."),
        stop_when: format!("One says an older version: install that of {target} there before the backup is taken."),
        ..Draft::default()
    });
}

/// Writes the After steps.
pub(super) fn after(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    let target = &scene.leg.target;
    if scene.leg.hop.is_none() {
        writer.step(Draft {
            id: "after/versions".to_owned(),
            title: format!("See every member on {target}, healthy and with the same data"),
            why: "A patch counts only where it runs.".to_owned(),
            commands: vec![scene.commands.status(), scene.commands.health(), scene.commands.hash()],
            checks: checks::status(scene.commands, 0, crew.movers.iter().map(|m| (m, Some(target.clone()))))
                .into_iter()
                .chain(checks::health(scene.commands, 1, crew.movers.iter().filter(|m| m.votes())))
                .collect(),
            expect: format!(
                "Every member shows {target} and is healthy; members at the same revision show the same hash."
            ),
            stop_when: "A member shows another version, is not healthy, or its hash differs at the same revision."
                .to_owned(),
            ..Draft::default()
        });
    }
    if let (None, Some(hop)) = (scene.leg.hop, scene.after.and_then(|leg| leg.hop)) {
        writer.step(Draft {
            id: "after/check-again".to_owned(),
            title: format!("Let the gates of {hop} answer again"),
            why: format!("They were answered for the patches before; what {target} and its tools show counts now."),
            expect: format!("With the new outputs pasted, nothing blocks {hop}."),
            stop_when: format!("A gate of {hop} still says blocked or can't tell yet."),
            ..Draft::default()
        });
    }
    uneven(scene, crew, writer);
    passwords(scene, writer);
    writer.step(Draft {
        id: "after/resume-jobs".to_owned(),
        title: "Let defragmentation jobs run again".to_owned(),
        why: "They were paused for the roll; a database that is never defragmented grows towards its quota.".to_owned(),
        expect: "The jobs that were paused under Right before are scheduled again, one member at a time.".to_owned(),
        stop_when: "A member still catches up: wait until its applied index meets the others'.".to_owned(),
        ..Draft::default()
    });
    backup::after(scene, crew, writer);
    if scene.leg.hop.is_some() {
        around(scene, writer);
        disk_snapshot::advice(scene, crew, writer);
    }
}

/// Members that were on the new minor before the plan, on another patch than the rest now runs.
fn uneven(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    let target = &scene.leg.target;
    let older: Vec<&str> = crew
        .movers
        .iter()
        .filter(|m| m.version.as_ref().is_some_and(|v| v.upstream() < target.upstream()))
        .map(|m| m.label.as_str())
        .collect();
    if older.is_empty() || scene.leg.hop.is_none() {
        return;
    }
    let names = words::list(&older);
    writer.step(Draft {
        id: "after/same-patch".to_owned(),
        title: format!("Bring {names} to {target} too"),
        why: format!(
            "{names} moved before this plan, to an older patch than {target}; one patch everywhere is what was tested."
        ),
        commands: vec![scene.commands.status()],
        expect: format!("Stop, replace, start and verify, one member at a time, until every member shows {target}."),
        stop_when: "A member does not come back: put its patch back, which is open at any time within a minor."
            .to_owned(),
        ..Draft::default()
    });
}

/// `auth-empty-password-34-35`: what was set during the mixed time is set again.
fn passwords(scene: &Scene<'_>, writer: &mut Writer) {
    let asked = scene.rules().is_some_and(|r| r.auth_rolling_unsupported);
    if !asked || scene.answers.yes(AnswerKey::Auth) == Some(false) {
        return;
    }
    let old = scene.old_minor();
    writer.step(Draft {
        id: "after/passwords".to_owned(),
        title: "Set every password again that was set during the roll".to_owned(),
        why: format!(
            "Members that still ran {old} stored the empty password for users added or changed through a newer member, and \
             they keep it. The hashes of the data do not show it."
        ),
        expect: "Each such user logs in with the right password at every endpoint alone, and not with an empty one.".to_owned(),
        stop_when: "An empty password is accepted anywhere.".to_owned(),
        ..Draft::default()
    });
}

fn around(scene: &Scene<'_>, writer: &mut Writer) {
    let (old, new) = (scene.old_minor(), scene.new_minor());
    writer.step(Draft {
        id: "after/around".to_owned(),
        title: format!("Bring what stands around the cluster to {new}"),
        why: format!(
            "Scripts, backup jobs, alerts and dashboards that call etcdctl or read metrics were made for {old}; the unit or \
             manifest in version control still names it."
        ),
        expect: format!(
            "Backup job, probes, alerts and dashboards work against {new}; etcdctl and etcdutl of {} are what scripts call.",
            scene.leg.target,
        ),
        stop_when: "A job fails with an unknown command or flag, or an alert lost its metric.".to_owned(),
        ..Draft::default()
    });
}
