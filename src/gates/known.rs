//! Known issues of the versions in play that touch this cluster, this hop or this intent and that no gate speaks of: one
//! list, worth knowing, with nothing to decide. Critical ones are findings of their own (`release-advisory`).

use super::question::Question;
use super::{by_id, release_advisory, sight};
use crate::etcd::known_issues::{self, Binary, KnownIssue, Severity, Topic};
use crate::etcd::tools;
use crate::etcd::version::Version;
use crate::intent::IntentKind;

/// One known issue, and what has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// The issue.
    pub issue: &'static KnownIssue,
    /// What has it, in words: `m1 and m2 run 3.5.30, the target 3.6.14`.
    pub had_by: String,
    /// The first patch with the cure, of the newest minor that has the issue here.
    pub fixed_in: Option<&'static Version>,
}

/// The list, the worst first.
#[must_use]
pub(super) fn all(q: &Question<'_>) -> Vec<Known> {
    let kind = q.route.intent.kind;
    let mut list: Vec<Known> = known_issues::all()
        .iter()
        .filter(|issue| !spoken_of(issue, kind))
        .filter_map(|issue| known(q, issue))
        .collect();
    crate::sort::by_key(&mut list, |known| known.issue.severity);
    list
}

/// Does a gate that is asked for this intent speak of it?
fn spoken_of(issue: &KnownIssue, kind: IntentKind) -> bool {
    let gate = issue.gate.and_then(by_id).filter(|gate| gate.intents.contains(&kind));
    gate.is_some_and(|gate| gate.id != release_advisory::GATE.id)
}

fn known(q: &Question<'_>, issue: &'static KnownIssue) -> Option<Known> {
    let kind = q.route.intent.kind;
    let to_hop = |hop: Option<crate::intent::Hop>| hop.is_some_and(|hop| issue.touches_hop_to(hop.to));
    let hops = q.route.legs.iter().any(|leg| to_hop(leg.hop));
    let about = |topic: Topic| issue.topics.contains(&topic);
    let while_running = match kind {
        // What is cured by the upgrade itself is no news for it.
        IntentKind::Upgrade => hops || about(Topic::Corruption),
        IntentKind::Downgrade => about(Topic::Downgrade) || about(Topic::Corruption),
        IntentKind::Restore => about(Topic::Restore) || about(Topic::Corruption),
        IntentKind::Members => about(Topic::Membership) || about(Topic::Corruption),
        IntentKind::Health => issue.severity < Severity::Info && (issue.hops_to.is_empty() || !issue.topics.is_empty()),
        IntentKind::Flags => false,
    };
    let mut had_by: Vec<String> = Vec::new();
    let mut newest: Option<Version> = None;
    let mut has = |version: &Version| newest = newest.take().max(Some(version.clone()));
    if while_running && issue.on == Binary::Server {
        let runs = sight::versions_that(q, &|v| issue.in_version(v));
        if !runs.is_empty() {
            // A critical one of what runs is a finding.
            if issue.severity == Severity::Critical && release_advisory::GATE.intents.contains(&kind) {
                return None;
            }
            runs.iter().for_each(|one| has(one.version));
            had_by.push(sight::who_runs(q, &runs));
        }
    }
    let tool = match issue.on {
        Binary::Etcdctl => Some(tools::ETCDCTL),
        Binary::Etcdutl => Some(tools::ETCDUTL),
        Binary::Server | Binary::GrpcProxy | Binary::Client => None,
    };
    let seen = q
        .cluster
        .tools
        .iter()
        .map(|t| &t.value)
        .filter(|t| Some(t.tool.as_str()) == tool && issue.in_version(&t.version));
    for one in seen.filter(|_| kind != IntentKind::Flags) {
        has(&one.version);
        let text = format!("{} {}", one.tool, one.version);
        if !had_by.contains(&text) {
            had_by.push(text);
        }
    }
    for leg in q.route.legs.iter().filter(|_| matches!(kind, IntentKind::Upgrade | IntentKind::Downgrade)) {
        let at_stake = to_hop(leg.hop) || (issue.on == Binary::Server && issue.severity < Severity::Info);
        if at_stake && issue.in_version(&leg.target) {
            if issue.severity == Severity::Critical && issue.on == Binary::Server {
                return None;
            }
            has(&leg.target);
            had_by.push(format!("the target {}", leg.target));
        }
    }
    let fixed_in = newest.and_then(|version| issue.fixed_in(version.minor()));
    (!had_by.is_empty()).then(|| Known { issue, had_by: had_by.join(", "), fixed_in })
}
