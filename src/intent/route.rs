//! Finds the legs of a way: never skips a minor, and ends every hop before the last on the newest patch of its minor.

use std::cmp::Ordering;

use super::{Hop, Intent, Leg, Route, RouteKind, Target};
use crate::cluster::{Cluster, Member};
use crate::etcd::releases;
use crate::etcd::version::{Minor, Version};
use crate::evidence::fact::Span;

/// Finds the route.
#[must_use]
pub fn route(intent: &Intent, cluster: &Cluster) -> Route {
    let start = Start::of(cluster);
    let said = intent.from.as_ref().and_then(minor_of);
    let from = start.lowest.or(said);
    let target = resolve(&intent.to, from);
    let (kind, legs) = match &target {
        Resolved::Known(to) => way(from, to, &start),
        Resolved::Unknown(to) => (RouteKind::TargetUnknown, legs_to_unknown(from, to.as_ref())),
        Resolved::NoStart => (RouteKind::StartUnknown, Vec::new()),
    };
    Route {
        intent: intent.clone(),
        kind,
        from,
        from_seen: start.seen,
        from_said_differs: said.is_some() && start.lowest.is_some() && said != start.lowest,
        to: target.version(),
        legs,
    }
}

/// Where the evidence shows the cluster.
#[derive(Default)]
struct Start {
    /// The lowest minor that runs.
    lowest: Option<Minor>,
    /// The highest minor that runs.
    highest: Option<Minor>,
    /// The lowest version seen.
    version: Option<Version>,
    /// Is the version of every member known?
    whole: bool,
    /// What shows the lowest minor.
    seen: Vec<Span>,
}

impl Start {
    fn of(cluster: &Cluster) -> Self {
        let of_members = cluster.members.iter().filter_map(Member::version);
        let unplaced = cluster.server_versions.iter();
        let unplaced = unplaced.filter_map(|s| s.value.server.as_ref().map(|version| (version, &s.span)));
        let servers: Vec<(&Version, &Span)> = of_members.chain(unplaced).collect();
        let whole = !cluster.members.is_empty() && cluster.members.iter().all(|m| m.version().is_some());
        let mut minors: Vec<(Minor, &Span)> = servers.iter().map(|(v, span)| (v.minor(), *span)).collect();
        if !whole {
            // The cluster version is the minor of the oldest member; one of those not seen may be that member.
            minors.extend(cluster.cluster_versions.iter().map(|s| (s.value, &s.span)));
        }
        let lowest = minors.iter().map(|(minor, _)| *minor).min();
        let at_lowest = minors.iter().filter(|(minor, _)| Some(*minor) == lowest);
        Self {
            lowest,
            highest: servers.iter().map(|(v, _)| v.minor()).max(),
            version: servers.iter().map(|(v, _)| *v).min().cloned(),
            whole,
            seen: at_lowest.map(|(_, span)| (*span).clone()).collect(),
        }
    }
}

/// What a target comes to.
enum Resolved {
    /// A release this rule set knows.
    Known(Version),
    /// A minor or version it does not know; the version where one was given.
    Unknown(Option<Version>),
    /// The next minor of a start that is not known.
    NoStart,
}

impl Resolved {
    fn version(self) -> Option<Version> {
        match self {
            Self::Known(version) => Some(version),
            Self::Unknown(version) => version,
            Self::NoStart => None,
        }
    }
}

fn resolve(target: &Target, from: Option<Minor>) -> Resolved {
    let newest = |minor| match releases::newest(minor) {
        Some(release) => Resolved::Known(release.version.clone()),
        None => Resolved::Unknown(None),
    };
    match (target, from) {
        (Target::Version(version), _) if releases::find(version).is_some() => Resolved::Known(version.clone()),
        (Target::Version(version), _) => Resolved::Unknown(Some(version.clone())),
        (Target::Minor(minor), _) => newest(*minor),
        (Target::Next, None) => Resolved::NoStart,
        // After the newest minor comes no other: its newest patch is as far as it goes.
        (Target::Next, Some(from)) if releases::newest_minor() == Some(from) => newest(from),
        (Target::Next, Some(from)) => newest(from.next()),
    }
}

fn minor_of(target: &Target) -> Option<Minor> {
    match target {
        Target::Next => None,
        Target::Minor(minor) => Some(*minor),
        Target::Version(version) => Some(version.minor()),
    }
}

fn way(from: Option<Minor>, to: &Version, start: &Start) -> (RouteKind, Vec<Leg>) {
    let Some(from) = from else { return (RouteKind::StartUnknown, vec![last_leg(to)]) };
    if start.highest.unwrap_or(from) > to.minor() || from > to.minor() {
        return (RouteKind::Backwards, Vec::new());
    }
    if from < to.minor() {
        // A start that is no minor of the rule set has no way that could be written down.
        return hops(from, to)
            .map_or_else(|| (RouteKind::StartUnknown, vec![last_leg(to)]), |legs| (RouteKind::Hops, legs));
    }
    let arrived = start.whole && start.version.as_ref().is_some_and(|lowest| lowest.cmp(to) != Ordering::Less);
    if arrived {
        (RouteKind::Arrived, vec![last_leg(to)])
    } else {
        (RouteKind::PatchRoll, vec![Leg { hop: None, target: to.clone() }])
    }
}

/// The hop that reaches a target, whatever came before.
fn last_leg(to: &Version) -> Leg {
    let hop = to.minor().previous().map(|from| Hop { from, to: to.minor() });
    Leg { hop, target: to.clone() }
}

/// One hop after the other. `None` when one of them ends on a minor without a release, or the majors differ.
fn hops(from: Minor, to: &Version) -> Option<Vec<Leg>> {
    if from.major != to.minor().major || !releases::minors().contains(&from) {
        return None;
    }
    let mut legs = Vec::new();
    let mut at = from;
    while at < to.minor() {
        let hop = Hop { from: at, to: at.next() };
        let target = if hop.to == to.minor() { to.clone() } else { releases::newest(hop.to)?.version.clone() };
        legs.push(Leg { hop: Some(hop), target });
        at = hop.to;
    }
    Some(legs)
}

/// A patch that the rule set does not know, of a minor it knows: what the minor asks can still be checked.
fn legs_to_unknown(from: Option<Minor>, to: Option<&Version>) -> Vec<Leg> {
    let known = to.filter(|to| releases::minors().contains(&to.minor()));
    match (from, known) {
        (Some(from), Some(to)) if from < to.minor() => hops(from, to).unwrap_or_default(),
        (Some(from), Some(to)) if from == to.minor() => vec![Leg { hop: None, target: to.clone() }],
        _ => Vec::new(),
    }
}
