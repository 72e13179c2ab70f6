//! The way of a downgrade: one minor down, or to an older patch of the minor that runs.

use super::{Start, minor_of};
use crate::cluster::Cluster;
use crate::etcd::releases;
use crate::etcd::version::{Minor, Version};
use crate::intent::{Hop, Intent, Leg, Route, RouteKind, Target};

/// Finds it. It starts from the newest minor seen: a cluster half-way down still has its job to finish.
pub(super) fn route(intent: &Intent, cluster: &Cluster, start: Start) -> Route {
    let said = intent.from.as_ref().and_then(minor_of);
    let raised = cluster.cluster_versions.iter().map(|seen| seen.value).max();
    let seen = start.highest.max(raised);
    // Every member down and the job still shown: the storage says where it came from.
    let from = above_the_job(cluster).max(seen).or(said);
    let to = target(&intent.to, from);
    let known = to.as_ref().is_some_and(|to| releases::find(to).is_some());
    let (kind, legs) = match (from, &to) {
        (_, None) => (RouteKind::TargetUnknown, Vec::new()),
        (Some(from), Some(to)) if from < to.minor() => (RouteKind::Backwards, Vec::new()),
        (Some(from), Some(to)) if from == to.minor() => (RouteKind::Down, vec![Leg { hop: None, target: to.clone() }]),
        (Some(from), Some(to)) if from.previous() == Some(to.minor()) => {
            (RouteKind::Down, vec![Leg { hop: Some(Hop { from, to: to.minor() }), target: to.clone() }])
        }
        (Some(_), Some(_)) => (RouteKind::TooFarDown, Vec::new()),
        (None, Some(_)) => (RouteKind::StartUnknown, Vec::new()),
    };
    Route {
        intent: intent.clone(),
        kind: if known || legs.is_empty() { kind } else { RouteKind::TargetUnknown },
        from,
        from_said_differs: said.is_some() && seen.is_some() && said != from,
        from_seen: start.seen_at(from),
        to,
        legs,
    }
}

/// The minor above the target of a downgrade that is on.
fn above_the_job(cluster: &Cluster) -> Option<Minor> {
    let on = cluster.downgrades_enabled();
    on.filter_map(|s| s.value.downgrade_target.as_ref()).map(|target| target.minor().next()).max()
}

fn target(target: &Target, from: Option<Minor>) -> Option<Version> {
    let newest = |minor| releases::newest(minor).map(|release| release.version.clone());
    match target {
        Target::Version(version) => Some(version.clone()),
        Target::Shipped(release) => release.etcd().cloned(),
        Target::Minor(minor) => newest(*minor),
        Target::Next => newest(from?.previous()?),
    }
}
