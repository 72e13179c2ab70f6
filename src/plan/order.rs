//! In which order members are rolled: followers, then learners, the leader last.

use super::wording;
use crate::cluster::Cluster;
use crate::etcd::version::Version;
use crate::intent::Leg;

/// What a member is to the roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// Votes and follows.
    Follower,
    /// Does not vote. It counts for the cluster version all the same.
    Learner,
    /// Leads.
    Leader,
}

/// One member as the roll sees it, or a stand-in for members that nobody named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mover {
    /// Index into the cluster's members; `None` for a stand-in.
    pub(super) index: Option<usize>,
    /// What people call it.
    pub(super) label: String,
    /// Its part of step ids, unique in the plan.
    pub(super) key: String,
    /// What it is.
    pub(super) role: Role,
    /// What it runs, as far as known.
    pub(super) version: Option<Version>,
    /// It did not answer.
    pub(super) silent: bool,
    /// It goes to an older version.
    pub(super) down: bool,
}

impl Mover {
    /// Does it vote?
    pub(super) fn votes(&self) -> bool {
        self.role != Role::Learner
    }

    /// Is it where the leg ends: on the minor a hop reaches, or on the patch a patch roll reaches?
    pub(super) fn arrived(&self, leg: &Leg) -> bool {
        self.version.as_ref().is_some_and(|version| match leg.hop {
            Some(hop) if self.down => version.minor() <= hop.to,
            Some(hop) => version.minor() >= hop.to,
            None if self.down => version.upstream() <= leg.target.upstream(),
            None => *version >= leg.target,
        })
    }
}

/// All members, carried from leg to leg: what they run and who leads after the legs before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Crew {
    /// The members.
    pub(super) movers: Vec<Mover>,
    /// Nobody is known: the movers are stand-ins for "each follower" and "the leader".
    pub(super) stand_ins: bool,
}

impl Crew {
    /// The members of a cluster; two stand-ins when none is known.
    pub(super) fn of(cluster: &Cluster) -> Self {
        if cluster.members.is_empty() {
            let stand_in = |label: &str, role| Mover {
                index: None,
                label: label.to_owned(),
                key: wording::key(label),
                role,
                version: None,
                silent: false,
                down: false,
            };
            let movers = vec![stand_in("each follower", Role::Follower), stand_in("the leader", Role::Leader)];
            return Self { movers, stand_ins: true };
        }
        let leader = cluster.leader();
        let mut movers: Vec<Mover> = Vec::with_capacity(cluster.members.len());
        for (index, member) in cluster.members.iter().enumerate() {
            let label = member.label();
            let role = if leader == Some(index) {
                Role::Leader
            } else if member.is_learner() == Some(true) {
                Role::Learner
            } else {
                Role::Follower
            };
            let plain = wording::key(&label);
            let taken = movers.iter().any(|m| m.key == plain);
            // Two members of one name are a finding of their own; their steps stay apart by place.
            let key = if taken { format!("{plain}.{}", index + 1) } else { plain };
            let version = member.version().map(|(version, _)| version.clone());
            movers.push(Mover {
                index: Some(index),
                label,
                key,
                role,
                version,
                silent: member.answers() == Some(false),
                down: false,
            });
        }
        Self { movers, stand_ins: false }
    }

    /// The same members, on their way to an older version.
    pub(super) fn going_down(mut self) -> Self {
        self.movers.iter_mut().for_each(|mover| mover.down = true);
        self
    }

    /// How many vote. Stand-ins are taken for three or more.
    pub(super) fn voters(&self) -> usize {
        if self.stand_ins { 3 } else { self.movers.iter().filter(|m| m.votes()).count() }
    }

    /// Members a quorum needs.
    pub(super) fn quorum(&self) -> usize {
        self.voters() / 2 + 1
    }

    /// Does a quorum stay while one voter is down?
    pub(super) fn bears_one_down(&self) -> bool {
        self.voters() > self.quorum()
    }

    /// Is it known who leads?
    pub(super) fn leader_known(&self) -> bool {
        self.movers.iter().any(|m| m.role == Role::Leader)
    }

    /// The positions of the members a leg still has to move, in the order to move them. A member that does not answer
    /// comes first: it is down already, so bringing it back costs no vote.
    pub(super) fn left(&self, leg: &Leg) -> Vec<usize> {
        let mut left: Vec<usize> =
            (0..self.movers.len()).filter(|&at| self.movers.get(at).is_some_and(|m| !m.arrived(leg))).collect();
        crate::sort::by_key(&mut left, |&at| self.movers.get(at).map(|m| (!m.silent, m.role)));
        left
    }

    /// The voter the leadership goes to: one that arrived and answers.
    pub(super) fn successor(&self, leg: &Leg) -> Option<usize> {
        self.movers.iter().position(|m| m.role == Role::Follower && !m.silent && m.arrived(leg))
    }

    /// Who leads.
    pub(super) fn leader(&self) -> Option<usize> {
        self.movers.iter().position(|m| m.role == Role::Leader)
    }

    /// The leadership moves.
    pub(super) fn hand_over(&mut self, to: usize) {
        for (at, mover) in self.movers.iter_mut().enumerate() {
            if at == to {
                mover.role = Role::Leader;
            } else if mover.role == Role::Leader {
                mover.role = Role::Follower;
            }
        }
    }

    /// A member was moved and answers.
    pub(super) fn moved(&mut self, at: usize, to: &Version) {
        if let Some(mover) = self.movers.get_mut(at) {
            mover.version = Some(to.clone());
            mover.silent = false;
        }
    }
}
