//! Is a binary about to run that is two minors or more above the cluster?
//!
//! # Asks
//! Whether anything pasted (an image, a binary's version, a log) shows a server two minors or more above the lowest
//! minor the cluster runs. A target several minors on is no skip: it becomes a route of one hop each.
//!
//! # Blocks when
//! A version two minors or more above the cluster is shown to be installed, configured or started.
//!
//! # Why
//! etcd supports moving by one minor at a time. No binary enforces it: every server accepts any cluster of its major
//! and starts on data two minors old, then dies on the first entry that it can't read, or runs untested.
//!
//! # Remedy
//! Put the next minor on every member first, wait until the cluster version shows it, then go on.
//!
//! # Sources
//! - upgrading: etcd's documentation supports one minor at a time.
//! - source-version-window: no binary of etcd enforces it.
//! - seen-skip: three members taken from 3.5.33 straight to 3.7.3.

use super::question::{Question, Stage, seen};
use super::{Ask, Asked, FOR_UPGRADE, Finding, Gate, Ground, Group, Need};
use crate::etcd::log_messages::Effect;
use crate::etcd::releases;
use crate::etcd::sources::key;
use crate::etcd::tools;
use crate::etcd::version::{Minor, Version};
use crate::evidence::fact::Span;
use crate::intent::RouteKind;

/// The gate.
pub static GATE: Gate = Gate {
    id: "minor-skipped",
    group: Group::Route,
    sources: &[key::UPGRADING, key::SOURCE_VERSION_WINDOW, key::SEEN_SKIP],
    asked: Asked::Now,
    intents: FOR_UPGRADE,
    need: |_| Need::OnSight,
    check,
};

/// What a member says to a peer that is too many minors older.
const TOO_LOW: &str = "remote version is too low";

/// A start that the rules do not know has no route: nobody can say that no minor is skipped.
fn older_than_the_rules(q: &Question<'_>) -> Option<Finding> {
    let from = q.route.from.filter(|_| q.route.kind == RouteKind::StartUnknown)?;
    let to = q.route.to.as_ref()?.minor();
    let mut grounds = seen(&q.route.from_seen);
    grounds.push(Ground::Wanted);
    if from.major == to.major && !skips(from, to) {
        let statement =
            format!("The cluster stands at {from}, which the rules of {} do not know.", releases::RULESET_DATE);
        let choose = "Bring the cluster to a minor these rules know, by the guide of its own minor.".to_owned();
        return Some(Finding::cant_tell(statement, vec![Ask::Choose(choose)]).with_grounds(grounds));
    }
    let statement = format!("The cluster stands at {from}, and {to} is wanted: that skips minors.");
    let remedy = "Go up one minor at a time, the whole cluster at each minor, by the guide of each. etcd supports one \
                  minor at a time, and no binary refuses to skip: it starts and may die on data it can't read.";
    Some(Finding::blocked(statement, grounds, remedy))
}

fn check(q: &Question<'_>) -> Vec<Finding> {
    let refused = q.logged(GATE.id, |effect| effect == Effect::Warns);
    let refused: Vec<_> =
        refused.iter().filter(|l| l.seen.value.text.contains(TOO_LOW)).map(|l| &l.seen.span).collect();
    if !refused.is_empty() {
        let statement = "Members refuse each other because one of them is too old for the other.";
        let remedy = "Bring the older members up one minor at a time, the whole cluster at each minor. etcd supports two \
                      neighbouring minors in one cluster, and no more.";
        return vec![Finding::blocked(statement, seen(refused), remedy)];
    }
    if let Some(finding) = older_than_the_rules(q) {
        return vec![finding];
    }
    let Some((lowest, lowest_at)) = lowest(q) else { return Vec::new() };
    let mut skipping: Vec<(&Version, &Span)> = meant_to_run(q);
    skipping.retain(|(version, _)| version.minor().major == lowest.major && skips(lowest, version.minor()));
    let Some((newest, _)) = skipping.iter().max_by_key(|(version, _)| *version) else {
        if q.stage() == Stage::Ahead && lowest_at.is_some() {
            let statement = format!("Nothing pasted runs or starts a server two minors above {lowest}.");
            return vec![Finding::passed(statement, seen(lowest_at))];
        }
        return Vec::new();
    };
    let statement = format!(
        "The cluster stands at {lowest}, and etcd {newest} is meant to run on it: that skips {}.",
        lowest.next()
    );
    let remedy = format!(
        "Put the newest {next} on every member first and wait until the cluster version is {next}. Then go on to {}. \
         etcd supports one minor at a time, and no binary refuses to skip: it starts and may die on data it can't read.",
        lowest.next().next(),
        next = lowest.next(),
    );
    vec![Finding::blocked(statement, seen(skipping.iter().map(|(_, span)| *span).chain(lowest_at)), remedy)]
}

/// Is there a whole minor between them?
fn skips(from: Minor, to: Minor) -> bool {
    to > from.next()
}

/// The lowest minor that is shown to be the cluster's: what members run, else the cluster version, else what the
/// person said.
fn lowest<'a>(q: &Question<'a>) -> Option<(Minor, Option<&'a Span>)> {
    let running = q.versions().into_iter().filter(|v| v.running).map(|v| (v.version.minor(), Some(v.span)));
    let cluster = q.cluster.cluster_versions.iter().map(|c| (c.value, Some(&c.span)));
    let said = q.route.from.map(|minor| (minor, None));
    running.chain(cluster).chain(said).min_by_key(|(minor, _)| *minor)
}

/// Every version that something pasted starts, or is set up to start.
fn meant_to_run<'a>(q: &Question<'a>) -> Vec<(&'a Version, &'a Span)> {
    let mut found: Vec<(&Version, &Span)> = q
        .flags()
        .into_iter()
        .filter_map(|f| f.seen.value.version.as_ref().map(|version| (version, &f.seen.span)))
        .collect();
    let logs = q.cluster.members.iter().flat_map(|m| &m.log).chain(&q.cluster.log);
    found.extend(logs.filter_map(|l| l.value.version.as_ref().map(|version| (version, &l.span))));
    let binaries = q.cluster.tools.iter().filter(|t| t.value.tool == tools::ETCD);
    found.extend(binaries.map(|t| (&t.value.version, &t.span)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_target_several_minors_on_is_a_route_and_no_skip() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.7", &[]), [Outcome::Passed, Outcome::NotLookedAt]);
    }

    #[test]
    fn a_binary_two_minors_on_is_a_skip_and_a_tool_is_not() {
        let binary = three_members("3.5.33").tool("etcd", "3.7.3");
        let finding = only(&GATE, &binary, "3.6", &[]);
        assert_eq!(finding.outcome, Outcome::Blocked);
        assert_eq!(
            finding.statement,
            "The cluster stands at 3.5, and etcd 3.7.3 is meant to run on it: that skips 3.6."
        );
        let tool = three_members("3.5.33").tool("etcdctl", "3.7.3").tool("etcd", "3.6.16");
        assert_eq!(outcomes(&GATE, &tool, "3.6", &[]), [Outcome::Passed]);
    }
}
