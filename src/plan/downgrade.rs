//! The checklist of a formal downgrade: validate, enable, wait until the storage version has fallen on every member,
//! swap one by one; and of a way back to an older patch, which needs none of that.
//!
//! Source: `dg-flow` and its neighbours of the facts, seen on 3.6 → 3.5 and 3.7 → 3.6.

use super::order::{Crew, Mover};
use super::scene::Scene;
use super::upgrade::{backup_at_hand, by_platform_only};
use super::way_back::{Progress, Standing};
use super::writer::{Draft, Writer};
use super::{Check, Phase, PhaseKind, Plan, Window, before, checks, close, hand, prepare, roll};
use crate::cluster::Cluster;
use crate::cluster::commands::Commands;
use crate::etcd::{features, hops};
use crate::evidence::answers::{AnswerKey, Answers};
use crate::gates::Assessment;
use crate::intent::{Hop, Route, RouteKind};

/// Makes the plan, below the steps that mend what the gates found.
pub(super) fn plan(
    cluster: &Cluster,
    route: &Route,
    assessment: &Assessment,
    answers: &Answers,
    fix_first: Vec<Phase>,
) -> Plan {
    let none_because = by_platform_only(cluster, answers).or_else(|| no_way(route));
    let (None, Some(leg)) = (&none_because, route.legs.first()) else {
        return Plan { phases: fix_first, none_because, ..Plan::default() };
    };
    let commands = Commands::new(cluster, answers);
    let mut crew = Crew::of(cluster).going_down();
    let scene =
        Scene { cluster, assessment, answers, commands: &commands, leg, first: true, before: None, after: None };
    let enabled = cluster.downgrades_enabled().next().is_some();
    let standing = Standing {
        native: None,
        hop: leg.hop,
        old: scene.old_minor(),
        formal: true,
        behind: None,
        enabled,
        progress: roll::begun(&scene, &crew),
        backup: backup_at_hand(cluster, answers),
        watch_caches: answers.yes(AnswerKey::WatchCaches),
    };
    let mut writer = Writer::new(format!("downgrade/{}", scene.prefix()), 0, standing);
    prepare::write(&scene, &crew, &mut writer);
    writer.phase(PhaseKind::Prepare, None);
    before::write(&scene, &crew, &mut writer);
    writer.phase(PhaseKind::RightBefore, None);
    let opens_at = leg.hop.map(|hop| lower(&scene, hop, &crew, &mut writer));
    let note = roll::note(&scene, &crew, false);
    let starts = roll::write(&scene, &mut crew, &mut writer);
    writer.phase(PhaseKind::Roll, note);
    if let Some(hop) = leg.hop {
        done(&scene, hop, &crew, &mut writer);
        writer.phase(PhaseKind::Close, None);
    }
    close::after(&scene, &crew, &mut writer);
    if let Some(hop) = leg.hop {
        trap_on_the_way_up(&scene, hop, &mut writer);
    }
    writer.phase(PhaseKind::After, None);
    let windows = match (leg.hop, opens_at, starts) {
        (Some(hop), Some(opens_at), Some(starts)) => vec![Window {
            hop,
            opens_at,
            shuts_when: format!("{} starts on {}", starts.last_member, hop.to),
            shuts_at: starts.last,
            open_now: enabled,
        }],
        _ => Vec::new(),
    };
    let mut phases = fix_first;
    phases.extend(writer.done());
    Plan { phases, windows, ..Plan::default() }
}

/// Why there is no plan.
fn no_way(route: &Route) -> Option<String> {
    let to = route.to.as_ref().map_or_else(|| "the target".to_owned(), ToString::to_string);
    let from = route.from.map_or_else(|| "what runs".to_owned(), |from| from.to_string());
    match (&route.kind, route.legs.first().and_then(|leg| leg.hop)) {
        (RouteKind::TooFarDown, _) => {
            Some(format!("From {from} to {to} is more than one minor down: etcd goes down one minor at a time."))
        }
        (RouteKind::Backwards, _) => Some(format!("{to} is newer than {from}: that is an upgrade.")),
        (RouteKind::StartUnknown, _) => Some(
            "No version was seen or given, so it is not known where the way down starts: paste endpoint status."
                .to_owned(),
        ),
        (RouteKind::TargetUnknown, _) => {
            Some(format!("{to} is no release these rules know, so no plan can be made for it."))
        }
        (_, Some(hop)) if !hops::leads_back(hop.from, hop.to) => Some(format!(
            "etcd has no supported downgrade from {} to {}: the way back is the backup snapshot.",
            hop.from, hop.to
        )),
        _ => None,
    }
}

/// Validate, enable, wait. Gives the id of the step that enables.
fn lower(scene: &Scene<'_>, hop: Hop, crew: &Crew, writer: &mut Writer) -> String {
    let Hop { from, to } = hop;
    if !writer.standing.enabled {
        writer.step(Draft {
            id: "lower/validate".to_owned(),
            title: format!("Ask the cluster whether it may go down to {to}"),
            why:
                "It checks the target and whether another downgrade is on, and nothing else: that every member answers \
                  is for you to see."
                    .to_owned(),
            commands: vec![scene.commands.downgrade("validate", Some(to))],
            checks: vec![Check::shows(0, &["Downgrade validate success"])],
            expect: format!("`Downgrade validate success, cluster version {from}`"),
            stop_when:
                "`invalid downgrade target version` or `cluster has a downgrade job in progress`: paste it here."
                    .to_owned(),
            ..Draft::default()
        });
    }
    let fresh = !writer.standing.enabled;
    writer.standing.enabled = true;
    let enable = if fresh {
        writer.step(Draft {
            id: "lower/enable".to_owned(),
            title: format!("Enable the downgrade to {to}"),
            why: format!(
                "From here on the cluster accepts no new member, of {from} or {to}, until the downgrade has ended. Add, \
                 remove and promote nobody."
            ),
            commands: vec![scene.commands.downgrade("enable", Some(to))],
            checks: vec![Check::shows(0, &["Downgrade enable success"])],
            expect: format!("`Downgrade enable success, cluster version {from}`"),
            stop_when: "A time-out does not mean that it is off: look at DOWNGRADE ENABLED in the status.".to_owned(),
            ..Draft::default()
        })
    } else {
        String::new()
    };
    // Who runs the older minor already shows no storage version.
    let above: Vec<Mover> = crew.movers.iter().filter(|m| !m.arrived(scene.leg)).cloned().collect();
    let mut looks = hand::versions(scene, &above);
    looks.push(scene.commands.status());
    let wait = writer.step(Draft {
        id: "lower/storage-version".to_owned(),
        title: format!("Wait until STORAGE VERSION is {to}.0 on every member"),
        why: format!(
            "It falls within about 5 s when every member answers. A member started on {to} before that looks healthy on its \
             probes, or does not start at all, serves nothing, and holds up the downgrade."
        ),
        checks: checks::storage_versions(above.len(), to),
        commands: looks,
        expect: format!(
            "All {} members answer with STORAGE VERSION {to}.0, DOWNGRADE TARGET VERSION {to}.0 and DOWNGRADE ENABLED true; \
             members already on {to} show no storage version.",
            crew.movers.len(),
        ),
        stop_when: format!(
            "A member still shows {from}.0 after a minute: a member does not answer the leader. Bring it up on {from}, or \
             cancel the downgrade. Swap nothing."
        ),
        ..Draft::default()
    });
    writer.phase(PhaseKind::Lower, None);
    if fresh { enable } else { wait }
}

/// The downgrade has ended.
fn done(scene: &Scene<'_>, hop: Hop, crew: &Crew, writer: &mut Writer) {
    let Hop { from, to } = hop;
    writer.standing.progress = Progress::Raised;
    writer.step(Draft {
        id: "close/cluster-version".to_owned(),
        title: format!("See the downgrade ended and the cluster version at {to} on every member"),
        why: "The job ends by itself when every member runs the older minor; as long as it is on, no member can join."
            .to_owned(),
        commands: hand::versions(scene, &crew.movers),
        checks: checks::cluster_versions(crew.movers.len(), to, &scene.leg.target),
        expect: format!("Every member says etcdcluster {to}.0 and etcdserver {}.", scene.leg.target),
        stop_when: if features::STORAGE_VERSION.in_version(&scene.leg.target) {
            "DOWNGRADE ENABLED stays true in the status: a member in the list was never started. Remove it from the list."
                .to_owned()
        } else {
            format!("A member says another version: look whether it was swapped. The status of {to} shows no more than that.")
        },
        ..Draft::default()
    });
    writer.step(Draft {
        id: "close/data".to_owned(),
        title: "Compare the data of all members".to_owned(),
        why: format!("Members that went from {from} to {to} must hold the same data."),
        commands: vec![scene.commands.health(), scene.commands.hash()],
        expect: "Every member is healthy; members at the same revision show the same hash.".to_owned(),
        stop_when: "Hashes differ at the same revision: stop all changes and keep the data directories.".to_owned(),
        ..Draft::default()
    });
}

/// `dg-up-again-v2-trap`: members that ran the older minor wrote v2 entries again.
fn trap_on_the_way_up(scene: &Scene<'_>, hop: Hop, writer: &mut Writer) {
    let trap = hops::from(hop.from).filter(|rules| rules.needs_disk_snapshot);
    let (Some(rules), false) = (trap, features::STORAGE_VERSION.in_version(&scene.leg.target)) else { return };
    writer.step(Draft {
        id: "after/way-up".to_owned(),
        title: format!("Keep in mind for the way up: a disk snapshot on {} before {}", hop.from, rules.to),
        why: format!(
            "{} writes v2 entries again, also in a cluster that was born on {}. After the next upgrade to {} every member \
             needs a disk snapshot, or {} panics.",
            hop.to, hop.from, hop.from, rules.to
        ),
        expect: "It stands in the notes of this cluster.".to_owned(),
        stop_when: format!("Someone plans {} without it.", rules.to),
        ..Draft::default()
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{Build, three_members, version};
    use crate::gates::Verdict;
    use crate::intent::{self, Intent, IntentKind, Target};

    fn plan_of(cluster: &Build, to: &str) -> Plan {
        let mut answers = Answers::new();
        answers.take("run-by=systemd-binary").unwrap();
        let to = to.parse().map_or_else(|_| Target::Minor(to.parse().unwrap()), Target::Version);
        let intent = Intent { kind: IntentKind::Downgrade, from: None, to };
        let cluster = cluster.build();
        let route = intent::route(&intent, &cluster);
        let nothing = Assessment { verdict: Verdict::Ready, findings: Vec::new(), known: Vec::new() };
        plan(&cluster, &route, &nothing, &answers, Vec::new())
    }

    fn on(build: Build, enabled: bool) -> Build {
        let job = |s: &mut crate::evidence::fact::Status| {
            s.downgrade_enabled = Some(enabled);
            s.downgrade_target = enabled.then(|| version("3.5.0"));
        };
        build.status("m1", job).status("m2", job).status("m3", job)
    }

    #[test]
    fn the_version_is_lowered_before_anyone_is_swapped_and_the_leader_goes_last() {
        let plan = plan_of(&three_members("3.6.16"), "3.5");
        let at = |id: &str| plan.steps().position(|s| s.id == id).unwrap_or_else(|| panic!("{id}"));
        let order = [
            "downgrade/3.5/right-before/backup-save",
            "downgrade/3.5/lower/validate",
            "downgrade/3.5/lower/enable",
            "downgrade/3.5/lower/storage-version",
            "downgrade/3.5/roll/m2/stop",
            "downgrade/3.5/roll/m3/stop",
            "downgrade/3.5/roll/m1/move-leader",
            "downgrade/3.5/roll/m1/start",
            "downgrade/3.5/close/cluster-version",
        ];
        assert!(order.map(at).is_sorted(), "{:?}", order.map(at));
        let enable = plan.step(order[2]).unwrap();
        assert!(enable.commands[0].ends_with("downgrade enable 3.5"), "{:?}", enable.commands);
    }

    /// `dg-cancel`: cancel works at every moment before the last swap.
    #[test]
    fn it_can_be_cancelled_from_enabling_to_the_last_start() {
        let plan = plan_of(&three_members("3.6.16"), "3.5");
        let open: Vec<&str> = plan.steps().filter(|s| s.ways_back.downgrade.open).map(|s| s.id.as_str()).collect();
        assert_eq!(open.first(), Some(&"downgrade/3.5/lower/enable"));
        assert_eq!(open.last(), Some(&"downgrade/3.5/roll/m1/replace"));
        let window = plan.windows.first().unwrap();
        assert_eq!(
            (window.opens_at.as_str(), window.shuts_at.as_str()),
            ("downgrade/3.5/lower/enable", "downgrade/3.5/roll/m1/start")
        );
        for step in plan.steps() {
            let after = step.id.contains("/close/")
                || step.id.contains("/after/")
                || step.id.ends_with("m1/verify")
                || step.id.ends_with("m1/start");
            assert_eq!(step.ways_back.swap.open, !after, "{}", step.id);
        }
    }

    #[test]
    fn one_that_is_on_goes_on_where_it_stands() {
        let half = on(three_members("3.6.16"), true).version("m2", "3.5.35");
        let plan = plan_of(&half, "3.5");
        assert!(plan.step("downgrade/3.5/lower/enable").is_none());
        assert!(plan.step("downgrade/3.5/lower/storage-version").is_some());
        assert!(plan.step("downgrade/3.5/roll/m2/stop").is_none());
        assert!(plan.step("downgrade/3.5/roll/m3/stop").is_some());
        assert!(plan.windows.first().is_some_and(|w| w.open_now));
    }

    #[test]
    fn the_trap_on_the_way_up_is_named_where_it_is_armed() {
        let step = "after/way-up";
        assert!(plan_of(&three_members("3.6.16"), "3.5").step(&format!("downgrade/3.5/{step}")).is_some());
        assert!(plan_of(&three_members("3.7.3"), "3.6").step(&format!("downgrade/3.6/{step}")).is_none());
    }

    #[test]
    fn an_older_patch_needs_no_lowering() {
        let plan = plan_of(&three_members("3.5.35").version("m2", "3.5.30"), "3.5.30");
        assert!(plan.steps().all(|s| !s.id.contains("/lower/") && !s.id.contains("/close/")));
        assert!(
            plan.steps().any(|s| s.id.ends_with("roll/m3/start")) && plan.steps().all(|s| !s.id.contains("roll/m2/"))
        );
        assert!(plan.steps().all(|s| s.ways_back.swap.open));
        assert!(plan.windows.is_empty());
    }

    #[test]
    fn where_there_is_no_way_one_sentence_says_why() {
        for (runs, to, why) in [
            ("3.7.3", "3.5", "one minor at a time"),
            ("3.5.35", "3.4", "no supported downgrade"),
            ("3.5.35", "3.6", "is newer than"),
        ] {
            let plan = plan_of(&three_members(runs), to);
            assert!(plan.phases.is_empty(), "{runs} to {to}");
            assert!(plan.none_because.as_ref().is_some_and(|b| b.contains(why)), "{:?}", plan.none_because);
        }
    }
}
