//! The checklist of an upgrade: leg by leg, phase by phase.

use super::order::Crew;
use super::scene::Scene;
use super::way_back::{Backup, Progress, Standing};
use super::writer::Writer;
use super::{PhaseKind, Plan, Window};
use super::{before, close, disk_snapshot, fix, hand, native, prepare, rehearsal, roll};
use crate::cluster::Cluster;
use crate::cluster::commands::{self, Commands};
use crate::etcd::platforms::PlannerMode;
use crate::etcd::{hops, releases};
use crate::evidence::answers::{AnswerKey, Answers, SnapshotTaken};
use crate::gates::Assessment;
use crate::intent::{Hop, Leg, Route, RouteKind};

/// Makes the plan.
pub(super) fn plan(cluster: &Cluster, route: &Route, assessment: &Assessment, answers: &Answers) -> Plan {
    if let Some(none_because) = no_way(route) {
        return Plan { none_because: Some(none_because), ..Plan::default() };
    }
    let today = Commands::new(cluster, answers);
    let native = today.platform().filter(|platform| platform.mode == PlannerMode::NativeOnly);
    let platform_only = by_platform_only(cluster, answers).filter(|_| native.is_none());
    let mut crew = Crew::of(cluster);
    let mut behind: Option<Hop> = None;
    let mut backup = backup_at_hand(cluster, answers);
    let mut plan = Plan::default();
    let mut rolled: Vec<Leg> = Vec::new();
    for (at, leg) in route.legs.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|i| route.legs.get(i));
        let commands = before.map_or_else(|| today.clone(), |leg| today.once_on(&leg.target));
        let scene = Scene {
            cluster,
            assessment,
            answers,
            commands: &commands,
            leg,
            first: at == 0,
            before,
            after: route.legs.get(at + 1),
        };
        let arrived = route.kind == RouteKind::Arrived;
        let mut writer = Writer::new(scene.prefix(), at, standing(&scene, &crew, arrived, behind, backup));
        fix_first(&scene, &mut crew, &mut writer);
        if arrived {
            finish(
                &scene,
                &crew,
                &mut writer,
                Some("Every member runs the target's minor: nothing is left to roll.".to_owned()),
            );
        } else if let Some(platform) = native {
            native::leg(&scene, &mut crew, platform, &mut writer);
        } else if platform_only.is_none() {
            rolled.extend(patch_to_the_floor(&scene, &mut crew, &mut writer));
            rolled.push(leg.clone());
            plan.windows.extend(leg_of(&scene, &mut crew, &mut writer));
        }
        backup = writer.standing.backup;
        plan.phases.extend(writer.done());
        if platform_only.is_some() || native.is_some() {
            break;
        }
        behind = match leg.hop {
            Some(hop) => hops::from(hop.from).filter(|r| r.formal_downgrade).map(|_| hop),
            None => behind,
        };
    }
    plan.none_because = platform_only;
    plan.rehearsal = rehearsal::script(cluster, &rolled);
    plan
}

/// Where a leg stands before its first step.
fn standing(scene: &Scene<'_>, crew: &Crew, arrived: bool, behind: Option<Hop>, backup: Backup) -> Standing {
    Standing {
        hop: scene.leg.hop,
        old: scene.old_minor(),
        formal: scene.rules().is_some_and(|r| r.formal_downgrade),
        behind,
        enabled: false,
        progress: if arrived || raised(scene.cluster, scene.leg) {
            Progress::AllStarted
        } else {
            roll::begun(scene, crew)
        },
        backup,
        native: hand::native(scene).map(|p| p.name),
        watch_caches: scene.answers.yes(AnswerKey::WatchCaches),
    }
}

/// Was the cluster version of the hop's target seen? Then the window shut before this plan, whoever still runs the old
/// minor.
fn raised(cluster: &Cluster, leg: &Leg) -> bool {
    let newest = cluster.cluster_versions.iter().map(|seen| seen.value).max();
    leg.hop.is_some_and(|hop| newest.is_some_and(|minor| minor >= hop.to))
}

fn fix_first(scene: &Scene<'_>, crew: &mut Crew, writer: &mut Writer) {
    fix::write(scene, writer);
    if fix::cleans_v2(scene) {
        disk_snapshot::write(scene, crew, "fix-first", disk_snapshot::Cause::V2Api, writer);
    }
    if disk_snapshot::blocked(scene) {
        disk_snapshot::write(scene, crew, "fix-first", disk_snapshot::Cause::OlderMinor, writer);
    }
    writer.phase(PhaseKind::FixFirst, None);
}

/// A roll of its own inside the old minor, where members run a patch below the floor of the hop.
fn patch_to_the_floor(scene: &Scene<'_>, crew: &mut Crew, writer: &mut Writer) -> Option<Leg> {
    let newest = releases::newest(scene.old_minor()).map(|release| release.version.clone());
    let target = newest.filter(|_| fix::below_the_floor(scene))?;
    let leg = Leg { hop: None, target };
    let on_the_way = Scene { leg: &leg, first: false, before: None, after: Some(scene.leg), ..*scene };
    if crew.left(&leg).is_empty() {
        return None;
    }
    let standing = Standing { hop: None, progress: roll::begun(&on_the_way, crew), ..writer.standing.clone() };
    let mut patches = Writer::new(on_the_way.prefix(), writer.leg(), standing);
    leg_of(&on_the_way, crew, &mut patches);
    writer.standing.backup = patches.standing.backup;
    writer.append(patches.done());
    Some(leg)
}

/// One leg from Prepare to After. Gives its window.
fn leg_of(scene: &Scene<'_>, crew: &mut Crew, writer: &mut Writer) -> Option<Window> {
    prepare::write(scene, crew, writer);
    if disk_snapshot::due_after_the_hop_before(scene) && !disk_snapshot::blocked(scene) {
        disk_snapshot::write(scene, crew, "prepare", disk_snapshot::Cause::OlderMinor, writer);
    }
    let again = scene.before.map(|leg| {
        format!(
            "Planned now, check again then: when every member runs {}, paste the outputs anew and let the gates of this part \
             answer.",
            leg.target,
        )
    });
    writer.phase(PhaseKind::Prepare, again);
    before::write(scene, crew, writer);
    writer.phase(PhaseKind::RightBefore, None);

    let stood = writer.standing.progress.clone();
    let note = roll::note(scene, crew, stood == Progress::AllStarted);
    let first_id = writer.first_id().map(ToOwned::to_owned);
    let starts = roll::write(scene, crew, writer);
    writer.phase(PhaseKind::Roll, note);
    finish(scene, crew, writer, None);

    let (hop, starts) = (scene.leg.hop?, starts?);
    let open_now = match stood {
        Progress::Untouched => false,
        Progress::Rolling { .. } => true,
        Progress::AllStarted | Progress::Raised => return None,
    };
    Some(Window {
        hop,
        opens_at: first_id.filter(|_| open_now).unwrap_or(starts.first),
        shuts_at: starts.last,
        shuts_when: format!("{} starts on {}", starts.last_member, hop.to),
        open_now,
    })
}

/// Close, for a hop, and After.
fn finish(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer, note: Option<String>) {
    if scene.leg.hop.is_some() {
        close::close(scene, crew, writer);
        writer.phase(PhaseKind::Close, note);
    }
    let commands = scene.commands.once_on(&scene.leg.target);
    close::after(&Scene { commands: &commands, ..*scene }, crew, writer);
    writer.phase(PhaseKind::After, None);
}

/// Why there is no plan.
fn no_way(route: &Route) -> Option<String> {
    let to = route.to.as_ref().map_or_else(|| "the target".to_owned(), ToString::to_string);
    match route.kind {
        RouteKind::Stays => None,
        RouteKind::Backwards => Some(format!(
            "{to} is older than what runs: going back is no upgrade, so there is nothing to plan here."
        )),
        RouteKind::TargetUnknown => Some(format!(
            "{to} is no release this rule set of {} knows, so no plan can be made for it.",
            releases::RULESET_DATE,
        )),
        RouteKind::StartUnknown if route.from.is_none() => Some(
            "No version was seen or given, so it is not known where the way to the target starts: paste endpoint status."
                .to_owned(),
        ),
        RouteKind::StartUnknown => route.from.map(|from| {
            format!(
                "The cluster stands at {from}, which the rules of {} do not know, so no way from there can be planned.",
                releases::RULESET_DATE
            )
        }),
        _ if route.legs.is_empty() => Some("There is no way from what runs to the target.".to_owned()),
        _ => None,
    }
}

/// Why nobody but the platform moves etcd here.
pub(super) fn by_platform_only(cluster: &Cluster, answers: &Answers) -> Option<String> {
    let (platform, _) = commands::platform(cluster, answers)?;
    match platform.mode {
        PlannerMode::Plan | PlannerMode::PlanNative => None,
        PlannerMode::NativeOnly => Some(format!(
            "{} moves etcd itself: roll it with the platform's own upgrade. Swapping its binary by hand would be undone or \
             break it.",
            platform.name,
        )),
        PlannerMode::Refuse => Some(format!(
            "With {} nobody outside of the provider can touch etcd: ask the provider for the move.",
            platform.name
        )),
    }
}

/// What is known of the backup snapshot before the first step.
pub(super) fn backup_at_hand(cluster: &Cluster, answers: &Answers) -> Backup {
    let said = matches!(answers.snapshot_taken(), Some(SnapshotTaken::At(_)));
    if !cluster.snapshots.is_empty() || said {
        Backup::Ready
    } else if cluster.snapshots_saved.is_empty() {
        Backup::Missing
    } else {
        Backup::Saved
    }
}
