//! Walks a checklist as an operator would and says where it breaks the cluster. It knows members, votes and versions,
//! and of the plan nothing but step ids, members, titles and legs.

use std::collections::BTreeMap;

use super::{Phase, PhaseKind, Plan, Step};
use crate::cluster::Cluster;
use crate::etcd::version::Version;
use crate::intent::Leg;

#[derive(Debug, Clone)]
struct Node {
    votes: bool,
    up: bool,
    runs: Version,
    binary: Version,
    verified: bool,
}

/// The cluster during the walk.
#[derive(Debug, Clone)]
pub(super) struct World {
    nodes: BTreeMap<String, Node>,
    leader: Option<String>,
    /// Was the cluster sound before: then no step may cost its quorum.
    sound: bool,
}

impl World {
    /// The cluster as the evidence shows it. Every member must have a version.
    pub(super) fn of(cluster: &Cluster) -> Self {
        let mut nodes = BTreeMap::new();
        for member in &cluster.members {
            let runs = member.version().expect("a version").0.clone();
            let node = Node {
                votes: member.is_learner() != Some(true),
                up: member.answers() != Some(false),
                binary: runs.clone(),
                runs,
                verified: true,
            };
            nodes.insert(member.label(), node);
        }
        let leader = cluster.leader().map(|at| cluster.members[at].label());
        let voters = nodes.values().filter(|n| n.votes).count();
        let sound = voters >= 3 && nodes.values().all(|n| n.up);
        Self { nodes, leader, sound }
    }

    fn quorum(&self) -> usize {
        self.nodes.values().filter(|n| n.votes).count() / 2 + 1
    }

    fn carried(&self) -> bool {
        self.nodes.values().filter(|n| n.votes && n.up).count() >= self.quorum()
    }

    /// Does every member run the minor? Only then can the leader raise the cluster version.
    fn all_on(&self, leg: &Leg) -> bool {
        self.nodes.values().all(|n| n.up && n.runs.minor() >= leg.target.minor())
    }

    fn take(&mut self, step: &Step, leg: &Leg) -> Result<(), String> {
        let action = step.id.rsplit('/').next().unwrap_or_default();
        let roll = step.id.contains("/roll/") || step.id.contains("/disk-snapshot/");
        let (Some(label), true) = (step.member.clone(), roll) else { return Ok(()) };
        match action {
            "move-leader" => {
                let to = step.title.rsplit(" to ").next().unwrap_or_default().to_owned();
                let heir = self.nodes.get(&to).ok_or(format!("{to} is no member"))?;
                if !heir.votes || !heir.up {
                    return Err(format!("{to} can't lead"));
                }
                if self.leader.as_deref() != Some(&label) {
                    return Err(format!("{label} does not lead"));
                }
                self.leader = Some(to);
            }
            "stop" | "restart" | "restore-flag" => {
                let others = self.nodes.iter().filter(|(name, n)| **name != label && n.votes && n.up).count();
                if self.leader.as_deref() == Some(&label) && others > 0 {
                    return Err(format!("{label} leads while it is stopped"));
                }
                let node = self.nodes.get_mut(&label).ok_or(format!("{label} is no member"))?;
                node.up = false;
                node.verified = false;
                if self.sound && !self.carried() {
                    return Err(format!("without {label} there is no quorum"));
                }
                if self.sound && self.nodes.iter().any(|(name, n)| *name != label && !(n.up && n.verified)) {
                    return Err(format!("{label} is stopped before the one before it was verified"));
                }
                if action != "stop"
                    && let Some(node) = self.nodes.get_mut(&label)
                {
                    node.up = true;
                    node.verified = true;
                }
            }
            "replace" | "start" | "verify" => {
                let node = self.nodes.get_mut(&label).ok_or(format!("{label} is no member"))?;
                match action {
                    "replace" if node.up => return Err(format!("{label} still runs while its binary is replaced")),
                    "replace" => node.binary = leg.target.clone(),
                    "start" if node.up => return Err(format!("{label} runs already")),
                    "start" => {
                        node.up = true;
                        node.runs = node.binary.clone();
                    }
                    _ if !node.up || node.runs != leg.target => return Err(format!("{label} can't be verified")),
                    _ => node.verified = true,
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Walks the plan over the cluster. The error says at which step what broke.
///
/// After each step of a hop the ways back are held against what the world is: swapping back works as long as not every
/// member runs the new minor; a formal downgrade only once the raised cluster version was seen.
pub(super) fn walk(plan: &Plan, cluster: &Cluster, legs: &[Leg]) -> Result<World, String> {
    let mut world = World::of(cluster);
    let mut raised: Option<usize> = None;
    for phase in &plan.phases {
        let leg = leg_of(phase, &legs[phase.leg]);
        let leg = &leg;
        for step in &phase.steps {
            let at = |what: String| format!("{}: {what}", step.id);
            world.take(step, leg).map_err(at)?;
            if phase.kind == PhaseKind::Close && world.all_on(leg) {
                raised = Some(phase.leg);
            }
            ways_back(&world, phase, step, leg, raised).map_err(at)?;
        }
    }
    Ok(world)
}

/// The leg of a phase: a patch roll that stands before a hop ends on the newest patch of the old minor.
fn leg_of(phase: &Phase, leg: &Leg) -> Leg {
    match (phase.hop, leg.hop) {
        (None, Some(hop)) => {
            Leg { hop: None, target: crate::etcd::releases::newest(hop.from).expect("a release").version.clone() }
        }
        _ => leg.clone(),
    }
}

fn ways_back(world: &World, phase: &Phase, step: &Step, leg: &Leg, raised: Option<usize>) -> Result<(), String> {
    let ways = &step.ways_back;
    let Some(hop) = phase.hop else {
        return if ways.swap.open { Ok(()) } else { Err("a patch roll shuts the swap".to_owned()) };
    };
    if ways.swap.open == world.all_on(leg) {
        return Err(format!("swap open: {}, while every member on {}: {}", ways.swap.open, hop.to, world.all_on(leg)));
    }
    if raised == Some(phase.leg) {
        let formal = crate::etcd::hops::from(hop.from).is_some_and(|r| r.formal_downgrade);
        if ways.downgrade.open != formal {
            return Err(format!("downgrade open: {}, formal downgrade: {formal}", ways.downgrade.open));
        }
    } else if world.nodes.values().any(|n| n.runs.minor() >= hop.to || !n.up) && ways.downgrade.open {
        return Err("downgrade open in a mixed cluster".to_owned());
    }
    Ok(())
}

impl World {
    /// Does every member run exactly this version and answer?
    pub(super) fn all_run(&self, version: &Version) -> bool {
        self.nodes.values().all(|n| n.up && n.runs == *version)
    }
}
