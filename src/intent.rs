//! What the person wants, and the route of hops it takes.

pub mod change;
mod route;

use crate::cluster::Cluster;
use crate::etcd::platforms::PlatformRelease;
use crate::etcd::version::{Minor, Version};
use crate::evidence::fact::Span;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntentKind {
    /// Move to a newer version.
    Upgrade,
    /// Move to the minor below.
    Downgrade,
    /// Start the cluster again from a backup snapshot.
    Restore,
    /// Replace, add, remove or promote members.
    Members,
    /// See whether anything is wrong with the cluster now, and mend it.
    Health,
    /// See whether the target starts with these flags and loses no setting.
    Flags,
}

impl IntentKind {
    /// Every intent.
    pub const ALL: [Self; 6] =
        [Self::Upgrade, Self::Downgrade, Self::Restore, Self::Members, Self::Health, Self::Flags];

    /// The intent with this name.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }

    /// Its name in the JSON report and on the command line.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Upgrade => "upgrade",
            Self::Downgrade => "downgrade",
            Self::Restore => "restore",
            Self::Members => "members",
            Self::Health => "health",
            Self::Flags => "flags",
        }
    }

    /// Does it have a target, so that there is a route?
    #[must_use]
    pub fn moves_versions(self) -> bool {
        match self {
            Self::Upgrade | Self::Downgrade | Self::Flags => true,
            Self::Restore | Self::Members | Self::Health => false,
        }
    }
}

/// The target as the person gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Not given: the newest patch of the next minor.
    Next,
    /// A minor: its newest patch.
    Minor(Minor),
    /// A version.
    Version(Version),
    /// A release of what runs etcd: the etcd it brings.
    Shipped(PlatformRelease),
}

/// What the person wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intent {
    /// Which of the intents.
    pub kind: IntentKind,
    /// Where from, as the person says it; evidence wins.
    pub from: Option<Target>,
    /// Where to.
    pub to: Target,
}

impl Intent {
    /// An upgrade to a target.
    #[must_use]
    pub fn upgrade(to: Target) -> Self {
        Self { kind: IntentKind::Upgrade, from: None, to }
    }

    /// Work on a cluster that stays on its version.
    #[must_use]
    pub fn without_target(kind: IntentKind) -> Self {
        Self { kind, from: None, to: Target::Next }
    }
}

/// One step from a minor to the next, or, for a downgrade, to the one below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hop {
    /// The minor it leaves.
    pub from: Minor,
    /// The minor it reaches.
    pub to: Minor,
}

impl Hop {
    /// Does it go to an older minor?
    #[must_use]
    pub fn is_down(self) -> bool {
        self.to < self.from
    }
}

impl std::fmt::Display for Hop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} → {}", self.from, self.to)
    }
}

/// One stretch of the way: a hop with the version it ends on, or a patch roll within one minor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leg {
    /// The hop; `None` for a patch roll.
    pub hop: Option<Hop>,
    /// The version every member runs at its end.
    pub target: Version,
}

/// What kind of way it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteKind {
    /// One hop or more.
    Hops,
    /// Inside one minor.
    PatchRoll,
    /// Every member already runs the target's minor and the target or newer: only Close and After are left.
    Arrived,
    /// A member runs a newer minor than the target's.
    Backwards,
    /// Where the cluster stands is not known (no version seen, none given), or is no minor this rule set knows: the
    /// leg is the one that reaches the target. Without a target there is none.
    StartUnknown,
    /// One hop down, or, without a hop, to an older patch of the minor that runs.
    Down,
    /// A downgrade that etcd does not support in one go: to a minor that is not the one below. No legs.
    TooFarDown,
    /// Nothing moves: the intent has no target, and there are no legs.
    Stays,
    /// The target is no minor this rule set knows (no legs), or no patch it knows (legs as if it were one, so that
    /// what the minor asks is still checked).
    TargetUnknown,
}

/// The way from where the cluster stands to the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The intent it serves.
    pub intent: Intent,
    /// What kind of way.
    pub kind: RouteKind,
    /// The lowest minor any member runs, from evidence, else as the person said.
    pub from: Option<Minor>,
    /// What shows it; empty when it is only what the person said.
    pub from_seen: Vec<Span>,
    /// Did the person say another minor than the evidence shows?
    pub from_said_differs: bool,
    /// The target resolved to a version; `None` when nothing can be said (no start, no target).
    pub to: Option<Version>,
    /// The legs in order. Empty for `Backwards`, `Arrived` keeps the last leg so that its Close can be planned.
    pub legs: Vec<Leg>,
}

/// Finds the route: never skips a minor.
#[must_use]
pub fn route(intent: &Intent, cluster: &Cluster) -> Route {
    route::route(intent, cluster)
}
