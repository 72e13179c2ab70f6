//! Checklists of changes of members, walked as an operator would.

use std::collections::BTreeMap;

use time::macros::datetime;

use super::*;
use crate::bump::Worksheet;
use crate::cluster::testing::{Build, members};
use crate::gates;
use crate::intent::{self, Intent, IntentKind};
use crate::plan::Step;

/// The plan, made the way the product makes it.
fn plan_of(build: &Build, given: &[&str]) -> Plan {
    let mut answers = Answers::new();
    given.iter().for_each(|answer| answers.take(answer).unwrap());
    let cluster = build.build();
    let now = datetime!(2026-11-30 12:00 UTC);
    let route = intent::route(&Intent::without_target(IntentKind::Members), &cluster);
    let assessment = gates::assess(&cluster, &route, &answers, &[], now);
    super::super::make(&cluster, &route, &assessment, &answers, &Worksheet::fill(&cluster, &answers, now))
}

const NEW: [&str; 2] = ["new-name=m9", "new-peer-url=https://10.0.0.9:2380"];

fn plan_for(build: &Build, change: &str) -> Plan {
    let change = format!("change={change}");
    plan_of(build, &[&change, NEW[0], NEW[1], "run-by=systemd-binary"])
}

/// One member during the walk.
#[derive(Debug, Clone, Copy)]
struct Node {
    votes: bool,
    up: bool,
}

/// The cluster during the walk. It knows votes and who runs, and of the plan nothing but the ids of its steps.
struct World {
    nodes: BTreeMap<String, Node>,
    leader: Option<String>,
}

impl World {
    fn of(cluster: &Cluster) -> Self {
        let node =
            |m: &crate::cluster::Member| Node { votes: m.is_learner() != Some(true), up: m.answers() != Some(false) };
        let nodes = cluster.members.iter().map(|m| (m.label(), node(m))).collect();
        Self { nodes, leader: cluster.leader().map(|at| cluster.members[at].label()) }
    }

    /// Voters that answer beyond a quorum; negative without one.
    fn margin(&self) -> i64 {
        let voters = self.nodes.values().filter(|n| n.votes);
        let (all, up) = (voters.clone().count(), voters.filter(|n| n.up).count());
        i64::try_from(up).unwrap() - i64::try_from(all / 2 + 1).unwrap()
    }

    fn take(&mut self, step: &Step) -> Result<(), String> {
        let parts: Vec<&str> = step.id.split('/').collect();
        let ["members", "change", who, action] = parts[..] else { return Ok(()) };
        let learners = self.nodes.values().filter(|n| !n.votes).count();
        let known = self.nodes.get(who).copied();
        match (action, known) {
            ("add-learner", None) if learners == 0 => self.set(who, false, false),
            ("add-voter", None) => self.set(who, true, false),
            ("start", Some(node)) if !node.up => self.set(who, node.votes, true),
            ("catch-up", Some(node)) if node.up => {}
            ("promote", Some(node)) if node.up && !node.votes => self.set(who, true, true),
            ("move-leader", Some(_)) if self.leader.as_deref() == Some(who) => {
                let to = step.title.rsplit(" to ").next().unwrap_or_default().to_owned();
                match self.nodes.get(&to) {
                    Some(heir) if heir.votes && heir.up => self.leader = Some(to),
                    _ => return Err(format!("{to} can't lead")),
                }
            }
            ("remove", Some(_)) if self.leader.as_deref() == Some(who) => {
                return Err(format!("{who} leads while it is removed"));
            }
            ("remove", Some(_)) => drop(self.nodes.remove(who)),
            ("retire", None) => {}
            _ => return Err(format!("{action} of {who}, which is {known:?}")),
        }
        Ok(())
    }

    fn set(&mut self, who: &str, votes: bool, up: bool) {
        self.nodes.insert(who.to_owned(), Node { votes, up });
    }
}

/// Walks the plan: after no step do fewer voters answer than a quorum, where they did before.
fn walk(plan: &Plan, cluster: &Cluster) -> Result<World, String> {
    let mut world = World::of(cluster);
    for step in plan.steps() {
        let before = world.margin();
        world.take(step).map_err(|what| format!("{}: {what}", step.id))?;
        if before >= 0 && world.margin() < 0 {
            return Err(format!("{}: {} voters more are needed for a quorum", step.id, -world.margin()));
        }
    }
    Ok(world)
}

fn changes(size: u64) -> Vec<String> {
    let mut changes: Vec<String> =
        ["replace=m1", "add-voter", "add-learner", "remove=m1", "move", "grow=5", "grow=7", "shrink=1", "shrink=3"]
            .map(str::to_owned)
            .to_vec();
    changes.extend([format!("replace=m{size}"), format!("remove=m{size}")]);
    changes
}

/// Every change over every size, members down and version: no step of any checklist costs the quorum.
#[test]
fn no_step_of_any_checklist_costs_the_quorum() {
    let mut walked = 0;
    for version in ["3.3.27", "3.4.45", "3.5.29", "3.5.30", "3.6.10", "3.6.11", "3.7.3"] {
        for size in 1..=7_u64 {
            for down in 0..=3_u64.min(size - 1) {
                let mut build = members(size, version);
                for n in 0..down {
                    build = build.unreachable(&format!("m{}", size - n));
                }
                for change in changes(size) {
                    let mut answers = Answers::new();
                    answers.take(&format!("change={change}")).unwrap();
                    NEW.iter().for_each(|answer| answers.take(answer).unwrap());
                    let cluster = build.build();
                    let plan = plan(&cluster, &answers, Vec::new());
                    let place = format!("{version}: {size} voters, {down} down, {change}");
                    let world = walk(&plan, &cluster).unwrap_or_else(|what| panic!("{place}: {what}"));
                    assert!(plan.none_because.is_some() || world.margin() >= 0, "{place}");
                    walked += usize::from(plan.steps().any(|step| step.id.starts_with("members/change/")));
                }
            }
        }
    }
    assert!(walked > 400, "only {walked} checklists had a change in them");
}

/// The walk is no rubber stamp.
#[test]
fn the_walk_finds_a_plan_that_costs_the_quorum() {
    let build = members(3, "3.5.33").unreachable("m3");
    let mut plan = plan_for(&build, "replace=m3");
    walk(&plan, &build.build()).unwrap();
    for step in plan.phases.iter_mut().flat_map(|phase| &mut phase.steps) {
        step.id = step.id.replace("members/change/m3/", "members/change/m2/");
    }
    assert!(walk(&plan, &build.build()).is_err());
}

#[test]
fn every_change_starts_with_a_backup_and_ends_with_what_stands_around() {
    let plan = plan_for(&members(3, "3.5.33"), "replace=m2");
    let ids: Vec<&str> = plan.steps().map(|step| step.id.as_str()).collect();
    let at = |id: &str| ids.iter().position(|known| *known == id).unwrap_or_else(|| panic!("{id} is not in {ids:?}"));
    assert!(at("members/right-before/backup-save") < at("members/change/m9/add-learner"));
    assert!(at("members/change/m9/promote") < at("members/change/m2/remove"));
    for id in ["verify", "clients", "certificates", "around", "backup"] {
        assert!(at("members/change/m2/retire") < at(&format!("members/after/{id}")), "{id}");
    }
    for step in plan.steps() {
        assert!(!step.ways_back.swap.open && step.ways_back.restore.open, "{}", step.id);
        assert!(!step.why.is_empty() && !step.expect.is_empty() && !step.stop_when.is_empty(), "{}", step.id);
    }
}

#[test]
fn the_new_member_is_given_the_whole_list_and_the_state_existing() {
    let plan = plan_for(&members(3, "3.5.33"), "replace=m2");
    let start = plan.step("members/change/m9/start").unwrap();
    for part in [
        "--name=m9",
        "--initial-advertise-peer-urls=https://10.0.0.9:2380",
        "m1=https://10.0.0.1:2380,m2=https://10.0.0.2:2380,m3=https://10.0.0.3:2380,m9=https://10.0.0.9:2380",
        "--initial-cluster-state=existing",
    ] {
        assert!(start.commands.iter().any(|c| c.contains(part)), "{part} is not in {:?}", start.commands);
    }
    let dead = plan_for(&members(3, "3.5.33").unreachable("m2"), "replace=m2");
    let start = dead.step("members/change/m9/start").unwrap();
    assert!(!start.commands.iter().any(|c| c.contains("m2=")), "who was removed is not in it: {:?}", start.commands);
    assert_eq!(start.checks, [Check::nothing(0)], "its data directory is empty");
}

#[test]
fn the_leader_is_moved_before_it_goes() {
    let plan = plan_for(&members(3, "3.5.33"), "remove=m1");
    let ids: Vec<&str> = plan.steps().map(|step| step.id.as_str()).filter(|id| id.contains("/change/")).collect();
    assert_eq!(ids, ["members/change/m1/move-leader", "members/change/m1/remove", "members/change/m1/retire"]);
    let remove = &plan.step(ids[1]).unwrap().commands[0];
    assert!(remove.contains("member remove a1") && !remove.contains("10.0.0.1:"), "asked of the others: {remove}");
}

#[test]
fn commands_ask_nobody_who_has_left() {
    let plan = plan_of(
        &members(3, "3.5.33"),
        &[
            "change=move",
            "new-name=n1,n2,n3",
            "new-peer-url=https://10.0.1.1:2380,https://10.0.1.2:2380,https://10.0.1.3:2380",
        ],
    );
    let mut gone: Vec<String> = Vec::new();
    for step in plan.steps() {
        for url in &gone {
            let asks = step.commands.iter().any(|c| c.contains(&format!("{url}:2379")));
            assert!(!asks, "{} asks {url}: {:?}", step.id, step.commands);
        }
        if step.id.ends_with("/remove") {
            gone.push(format!("10.0.0.{}", step.member.as_deref().unwrap().trim_start_matches('m')));
        }
    }
    assert_eq!(gone.len(), 3);
    let last = plan.step("members/after/backup").unwrap();
    assert!(last.commands[0].contains("--endpoints=https://10.0.1."), "{:?}", last.commands);
}

#[test]
fn what_was_begun_is_gone_on_with() {
    let next = |build: &Build| {
        let plan = plan_of(build, &["change=replace=m2", "new-name=m4", "new-peer-url=https://10.0.0.4:2380"]);
        let change = plan.phases.iter().find(|phase| phase.kind == PhaseKind::Change).unwrap();
        (change.steps[0].id.rsplit('/').next().unwrap().to_owned(), change.note.is_some())
    };
    let learner = || members(4, "3.5.33").learner("m4");
    let unstarted = learner().not_in_status("m4").listed("m4", |row| (row.started, row.name) = (false, None));
    assert_eq!(next(&unstarted), ("start".to_owned(), true));
    assert_eq!(next(&learner().behind("m4", 90_000)), ("catch-up".to_owned(), true));
    assert_eq!(next(&members(4, "3.5.33")), ("remove".to_owned(), true));
}

#[test]
fn a_change_that_is_refused_or_not_known_is_not_written_down() {
    for (build, change) in [
        (members(3, "3.5.33").unreachable("m3"), "add-voter"),
        (members(1, "3.5.33"), "remove=m1"),
        (members(3, "3.5.33"), "remove=m8"),
    ] {
        let plan = plan_for(&build, change);
        assert!(plan.none_because.is_some(), "{change}");
        assert!(!plan.steps().any(|step| step.id.starts_with("members/change/")), "{change}");
    }
    assert!(plan_of(&members(3, "3.5.33"), &[]).none_because.is_some());
}

/// Every stage that the report counts is a step of the checklist.
#[test]
fn the_counts_and_the_checklist_name_the_same_steps() {
    for change in ["replace=m1", "move", "grow=7", "shrink=1"] {
        let build = members(5, "3.6.16");
        let plan = plan_for(&build, change);
        let mut answers = Answers::new();
        answers.take(&format!("change={change}")).unwrap();
        NEW.iter().for_each(|answer| answers.take(answer).unwrap());
        let course = Course::of(&build.build(), &answers);
        assert!(!course.stages.is_empty(), "{change}");
        for at in 0..course.stages.len() {
            let id = step_id(&course, at).unwrap();
            assert!(plan.step(&id).is_some(), "{change}: {id}");
        }
    }
}
