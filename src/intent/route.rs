//! Finds the legs of a way: never skips a minor, and ends every hop before the last on the newest patch of its minor.

mod down;

use std::cmp::Ordering;

use super::{Hop, Intent, IntentKind, Leg, Route, RouteKind, Target};
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
    if !intent.kind.moves_versions() {
        return Route {
            intent: intent.clone(),
            kind: RouteKind::Stays,
            from,
            from_seen: start.seen,
            from_said_differs: said.is_some() && start.lowest.is_some() && said != start.lowest,
            to: None,
            legs: Vec::new(),
        };
    }
    if intent.kind == IntentKind::Downgrade {
        return down::route(intent, cluster, start);
    }
    let target = resolve(&intent.to, from);
    let (kind, legs) = match &target {
        // Flags are reviewed for the target whatever runs: no member moves, so none stands in the way.
        Resolved::Known(to) if intent.kind == IntentKind::Flags => (RouteKind::Hops, for_review(from, to)),
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
    /// Every server's minor, and what shows it.
    all: Vec<(Minor, Span)>,
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
            all: minors.iter().map(|(minor, span)| (*minor, (*span).clone())).collect(),
        }
    }

    /// What shows this minor; everything that shows one when nothing shows this.
    fn seen_at(&self, minor: Option<Minor>) -> Vec<Span> {
        let at = self.all.iter().filter(|(m, _)| Some(*m) == minor);
        let found: Vec<Span> = at.map(|(_, span)| span.clone()).collect();
        if found.is_empty() { self.all.iter().map(|(_, span)| span.clone()).collect() } else { found }
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
        (Target::Shipped(release), _) => release.etcd().map_or(Resolved::Unknown(None), |v| Resolved::Known(v.clone())),
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
        Target::Shipped(release) => release.etcd().map(Version::minor),
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

/// The hops between what runs and the target; of a start that is not below the target the hop that reaches it.
fn for_review(from: Option<Minor>, to: &Version) -> Vec<Leg> {
    let below = from.filter(|from| *from < to.minor());
    below.and_then(|from| hops(from, to)).unwrap_or_else(|| vec![last_leg(to)])
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{nothing, three_members, version};
    use crate::evidence::fact::{Body, ServerVersion};

    fn minor(text: &str) -> Minor {
        text.parse().unwrap()
    }

    fn newest(text: &str) -> Version {
        releases::newest(minor(text)).unwrap().version.clone()
    }

    fn to(target: &str) -> Intent {
        let target = target.parse().map_or_else(|_| Target::Minor(minor(target)), Target::Version);
        Intent::upgrade(target)
    }

    /// `3.5>3.6@3.6.16`, or `@3.5.35` for a patch roll.
    fn legs(route: &Route) -> Vec<String> {
        let hop = |leg: &Leg| leg.hop.map_or_else(String::new, |hop| format!("{}>{}", hop.from, hop.to));
        route.legs.iter().map(|leg| format!("{}@{}", hop(leg), leg.target)).collect()
    }

    #[test]
    fn without_a_target_it_is_the_newest_patch_of_the_next_minor() {
        let cluster = three_members("3.5.33").build();
        let route = route(&Intent::upgrade(Target::Next), &cluster);
        assert_eq!(route.kind, RouteKind::Hops);
        assert_eq!(route.to, Some(newest("3.6")));
        assert_eq!(legs(&route), [format!("3.5>3.6@{}", newest("3.6"))]);
        assert_eq!(route.from_seen.len(), 3);
    }

    #[test]
    fn no_minor_is_skipped_and_hops_in_between_end_on_the_newest_patch() {
        let cluster = three_members("3.4.23").build();
        let route = route(&to("3.7.1"), &cluster);
        assert_eq!(route.kind, RouteKind::Hops);
        assert_eq!(
            legs(&route),
            [format!("3.4>3.5@{}", newest("3.5")), format!("3.5>3.6@{}", newest("3.6")), "3.6>3.7@3.7.1".to_owned()]
        );
    }

    #[test]
    fn inside_the_minor_it_is_a_patch_roll() {
        let cluster = three_members("3.5.21").build();
        let route = route(&to("3.5"), &cluster);
        assert_eq!((route.kind.clone(), legs(&route)), (RouteKind::PatchRoll, vec![format!("@{}", newest("3.5"))]));
    }

    #[test]
    fn it_has_arrived_when_every_member_runs_the_target_or_newer() {
        let cluster = three_members("3.6.16").build();
        for target in ["3.6", "3.6.11"] {
            let route = route(&to(target), &cluster);
            assert_eq!(route.kind, RouteKind::Arrived, "{target}");
            assert_eq!(route.legs.len(), 1);
            assert_eq!(route.legs[0].hop, Some(Hop { from: minor("3.5"), to: minor("3.6") }));
        }
    }

    #[test]
    fn a_member_whose_version_nobody_saw_has_not_arrived() {
        let cluster = three_members("3.6.16").unreachable("m3").build();
        assert_eq!(route(&to("3.6"), &cluster).kind, RouteKind::PatchRoll);
    }

    #[test]
    fn a_member_not_seen_may_be_the_one_that_holds_the_cluster_version_down() {
        let cluster = three_members("3.6.16").unreachable("m3").cluster_version(minor("3.5")).build();
        let route = route(&to("3.6"), &cluster);
        assert_eq!((route.kind.clone(), route.from), (RouteKind::Hops, Some(minor("3.5"))));
        assert_eq!(legs(&route), ["3.5>3.6@3.6.16"]);
    }

    #[test]
    fn a_mixed_cluster_resumes_its_hop() {
        let cluster = three_members("3.5.33").version("m2", "3.6.16").build();
        let route = route(&to("3.6"), &cluster);
        assert_eq!((route.kind.clone(), legs(&route)), (RouteKind::Hops, vec![format!("3.5>3.6@{}", newest("3.6"))]));
        assert_eq!(route.from_seen.len(), 2);
    }

    #[test]
    fn no_member_may_run_a_newer_minor_than_the_target() {
        let cluster = three_members("3.5.33").version("m2", "3.6.16").build();
        let route = route(&to("3.5"), &cluster);
        assert_eq!((route.kind.clone(), route.legs.len()), (RouteKind::Backwards, 0));
        assert_eq!(super::route(&to("3.4"), &cluster).kind, RouteKind::Backwards);
    }

    #[test]
    fn evidence_wins_over_what_the_person_says() {
        let mut intent = to("3.7");
        intent.from = Some(Target::Minor(minor("3.6")));
        let route = route(&intent, &three_members("3.5.33").build());
        assert_eq!((route.from, route.from_said_differs), (Some(minor("3.5")), true));
        assert_eq!(route.legs.len(), 2);
    }

    #[test]
    fn without_evidence_the_person_says_where_it_starts() {
        let mut intent = to("3.7");
        intent.from = Some(Target::Version(version("3.5.33")));
        let route = route(&intent, &nothing().build());
        assert_eq!((route.kind.clone(), route.from, route.from_seen.len()), (RouteKind::Hops, Some(minor("3.5")), 0));
        assert!(!route.from_said_differs);
        assert_eq!(route.legs.len(), 2);
    }

    #[test]
    fn a_start_nobody_knows_leaves_the_last_hop_only() {
        let route = route(&to("3.6"), &nothing().build());
        assert_eq!((route.kind.clone(), route.from), (RouteKind::StartUnknown, None));
        assert_eq!(legs(&route), [format!("3.5>3.6@{}", newest("3.6"))]);
        let route = super::route(&Intent::upgrade(Target::Next), &nothing().build());
        assert_eq!((route.kind.clone(), route.to.clone(), route.legs.len()), (RouteKind::StartUnknown, None, 0));
    }

    #[test]
    fn a_version_that_no_member_could_be_found_for_still_says_where_it_starts() {
        let seen = ServerVersion { server: Some(version("3.5.33")), ..ServerVersion::default() };
        let cluster = nothing().fact(Body::ServerVersion(seen)).build();
        assert_eq!(route(&to("3.6"), &cluster).from, Some(minor("3.5")));
    }

    #[test]
    fn what_the_rules_do_not_know_is_no_known_target() {
        let cluster = three_members("3.6.16").build();
        let minor_unknown = route(&to("3.99"), &cluster);
        assert_eq!((minor_unknown.kind.clone(), minor_unknown.to.clone()), (RouteKind::TargetUnknown, None));
        assert_eq!(minor_unknown.legs, []);
        let patch_unknown = route(&to("3.7.999"), &cluster);
        assert_eq!(patch_unknown.kind, RouteKind::TargetUnknown);
        assert_eq!(legs(&patch_unknown), ["3.6>3.7@3.7.999"]);
        assert_eq!(route(&to("4.0.0"), &cluster).legs, []);
    }

    #[test]
    fn a_prerelease_that_exists_and_a_vendor_build_are_known() {
        let cluster = three_members("3.5.33").build();
        for target in ["3.6.0-rc.1", "3.6.4-0", "3.6.11-k3s1"] {
            assert_eq!(route(&to(target), &cluster).kind, RouteKind::Hops, "{target}");
        }
        assert_eq!(route(&to("3.6.0-rc.99"), &cluster).kind, RouteKind::TargetUnknown);
    }

    #[test]
    fn on_the_newest_minor_the_next_step_is_its_newest_patch() {
        let newest_minor = releases::newest_minor().unwrap();
        let newest = releases::newest(newest_minor).unwrap().version.to_string();
        let next = Intent::upgrade(Target::Next);
        assert_eq!(route(&next, &three_members(&newest).build()).kind, RouteKind::Arrived);
        let first = format!("{newest_minor}.0");
        assert_eq!(route(&next, &three_members(&first).build()).kind, RouteKind::PatchRoll);
    }

    #[test]
    fn flags_are_reviewed_for_the_target_whatever_runs_and_health_goes_nowhere() {
        for runs in ["3.5.33", "3.6.16", "3.7.1"] {
            let intent = Intent { kind: IntentKind::Flags, ..to("3.6") };
            assert_eq!(legs(&route(&intent, &three_members(runs).build())), ["3.5>3.6@3.6.16"], "{runs}");
        }
        let still = route(&Intent::without_target(IntentKind::Health), &three_members("3.5.33").build());
        assert_eq!((still.kind.clone(), still.from, still.legs.len()), (RouteKind::Stays, Some(minor("3.5")), 0));
    }

    #[test]
    fn a_start_older_than_the_rules_has_no_way_written_down() {
        let cluster = three_members("3.1.20").build();
        let route = route(&to("3.6"), &cluster);
        assert_eq!((route.kind.clone(), route.from), (RouteKind::StartUnknown, Some(minor("3.1"))));
    }
}
