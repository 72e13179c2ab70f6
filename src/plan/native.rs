//! A leg where the platform alone moves etcd: the same checks before and after, and the platform's own step between.

use super::before;
use super::close;
use super::order::Crew;
use super::prepare;
use super::scene::Scene;
use super::way_back::Progress;
use super::writer::{Draft, Writer};
use super::{Check, PhaseKind, checks};
use crate::etcd::platforms::Platform;
use crate::gates::{platform_pitfall, words};

/// Writes the phases from Prepare to After.
pub(super) fn leg(scene: &Scene<'_>, crew: &mut Crew, platform: &'static Platform, writer: &mut Writer) {
    pitfalls(scene, platform, writer);
    prepare::around(scene, crew, writer);
    writer.phase(PhaseKind::Prepare, None);
    before::write(scene, crew, writer);
    writer.phase(PhaseKind::RightBefore, None);
    roll(scene, crew, platform, writer);
    let note =
        format!("{} moves etcd itself: no binary is swapped by hand, it would be undone or break it.", platform.name);
    writer.phase(PhaseKind::Roll, Some(note));
    if scene.leg.hop.is_some() {
        close::close(scene, crew, writer);
        writer.phase(PhaseKind::Close, None);
    }
    close::after(scene, crew, writer);
    writer.phase(PhaseKind::After, None);
}

/// What is known to go wrong there: the gate says it, the step sees to it.
fn pitfalls(scene: &Scene<'_>, platform: &'static Platform, writer: &mut Writer) {
    let notes = |f: &&&crate::gates::Finding| f.gate == platform_pitfall::GATE.id && f.note.is_some();
    let many = scene.findings().iter().filter(notes).count();
    if many > 0 {
        writer.step(Draft {
            id: "prepare/platform".to_owned(),
            title: format!("Know what {} does in such an upgrade", platform.name),
            why: format!(
                "The notes of {} name {}, each with what to do.",
                platform_pitfall::GATE.id,
                words::count(many, "pitfall")
            ),
            expect: "Each is cared for or does not touch you.".to_owned(),
            stop_when: "One of them touches you and nobody has cared for it.".to_owned(),
            ..Draft::default()
        });
    }
}

fn roll(scene: &Scene<'_>, crew: &mut Crew, platform: &'static Platform, writer: &mut Writer) {
    let (target, reaches) = (&scene.leg.target, scene.reaches());
    let left = crew.left(scene.leg);
    writer.standing.progress = Progress::AllStarted;
    writer.step(Draft {
        id: "roll/platform".to_owned(),
        title: format!("Move {} to the release that brings etcd {reaches}, one node at a time", platform.name),
        why: format!(
            "{} Which etcd a release brings is in its release notes; {target} is what these rules aim at.",
            platform.step
        ),
        commands: platform.step_commands.iter().map(|c| (*c).to_owned()).collect(),
        expect: format!("After each node its member answers on {reaches}, every member is healthy, and one leads."),
        stop_when: "A member does not come back or stays behind: the next node is not touched.".to_owned(),
        ..Draft::default()
    });
    for at in left {
        crew.moved(at, target);
    }
    let commands = vec![scene.commands.status(), scene.commands.health()];
    let health: Option<Check> = checks::health(scene.commands, 1, crew.movers.iter().filter(|m| m.votes()));
    writer.step(Draft {
        id: "roll/verify".to_owned(),
        title: format!("See every member on {reaches}, healthy and caught up"),
        why: "The platform's own word that it is done says nothing of etcd's members.".to_owned(),
        commands,
        checks: health.into_iter().collect(),
        expect: format!(
            "Every member shows a {reaches}, is healthy, and its applied index is within a few entries of the others'."
        ),
        stop_when: "A member is missing, runs another version or stays behind: find out why before anything else."
            .to_owned(),
        ..Draft::default()
    });
}
