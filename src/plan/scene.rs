//! What the steps of one leg are written from.

use crate::cluster::commands::Commands;
use crate::cluster::{Cluster, Member};
use crate::etcd::hops::{self, HopRules};
use crate::etcd::version::{Minor, Version};
use crate::evidence::answers::Answers;
use crate::gates::{Assessment, Finding};
use crate::intent::{Hop, Leg};

use super::order::Mover;

/// What the steps of one leg are written from.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// Everything known.
    pub(super) cluster: &'a Cluster,
    /// The gates' answers.
    pub(super) assessment: &'a Assessment,
    /// What the person answered.
    pub(super) answers: &'a Answers,
    /// How commands for this cluster are written.
    pub(super) commands: &'a Commands,
    /// The leg.
    pub(super) leg: &'a Leg,
    /// Is it the first leg?
    pub(super) first: bool,
    /// The leg before, if any.
    pub(super) before: Option<&'a Leg>,
    /// The leg after, if any.
    pub(super) after: Option<&'a Leg>,
}

impl<'a> Scene<'a> {
    /// The rules of the hop; `None` for a patch roll.
    pub(super) fn rules(&self) -> Option<&'static HopRules> {
        self.leg.hop.and_then(|hop| hops::from(hop.from).filter(|rules| rules.to == hop.to))
    }

    /// The minor the members run before the leg.
    pub(super) fn old_minor(&self) -> Minor {
        self.leg.hop.map_or_else(|| self.leg.target.minor(), |hop| hop.from)
    }

    /// The minor they run after it.
    pub(super) fn new_minor(&self) -> Minor {
        self.leg.target.minor()
    }

    /// What the leg reaches, in words: the minor of a hop, the version of a patch roll.
    pub(super) fn reaches(&self) -> String {
        self.leg.hop.map_or_else(|| self.leg.target.to_string(), |hop| hop.to.to_string())
    }

    /// What every step id of the leg starts with.
    pub(super) fn prefix(&self) -> String {
        self.reaches()
    }

    /// The flag, with its value, that makes a member write a disk snapshot at the next writes.
    pub(super) fn disk_snapshot_flag(&self) -> String {
        Commands::disk_snapshot_flag()
    }

    /// The findings that stand at this leg, in the gates' order. Those without a hop stand at the first.
    pub(super) fn findings(&self) -> Vec<&'a Finding> {
        let here = |hop: Option<Hop>| hop.map_or(self.first, |hop| self.leg.hop == Some(hop));
        self.assessment.findings.iter().filter(|f| here(f.hop)).collect()
    }

    /// The cluster's own member behind a mover; `None` for a stand-in.
    pub(super) fn member(&self, mover: &Mover) -> Option<&'a Member> {
        mover.index.and_then(|at| self.cluster.members.get(at))
    }

    /// The version a member runs when its turn comes: what was seen, else what the leg before ends on.
    pub(super) fn runs<'m>(&'m self, mover: &'m Mover) -> Option<&'m Version> {
        mover.version.as_ref().or_else(|| self.before.map(|leg| &leg.target))
    }
}
