//! What goes wrong on this platform beside etcd itself?
//!
//! # Asks
//! Which pitfalls of the way etcd is run touch this hop, this intent and the versions that run.
//!
//! # Blocks when
//! The platform has no way at all to what is asked. A pitfall that a person must decide on warns; all others are worth
//! knowing and pass.
//!
//! # Why
//! A platform that writes flags, restarts members or picks versions by itself can undo a plan that is right for etcd.
//!
//! # Remedy
//! Do what the pitfall's own words say, before the first member moves.
//!
//! # Sources
//! - platform-systemd-binary, platform-deb-package, platform-docker-run, platform-docker-compose: run by hand.
//! - platform-kubeadm-stacked, platform-kubeadm-external, platform-kubespray, platform-bitnami-chart: a plan with the
//!   platform's own steps.
//! - platform-k3s-embedded, platform-rke2, platform-rke1, platform-kops, platform-openshift, platform-talos: moved by the
//!   platform alone.
//! - platform-microk8s, platform-k0s, platform-gardener-druid, platform-capi-kcp, platform-etcd-operator: moved by the
//!   platform alone.
//! - platform-vcluster, platform-canonical-k8s, platform-managed-cloud: moved by the platform alone.

use super::managed_by_platform::{SOURCES, grounds};
use super::question::Question;
use super::{Asked, FOR_EVERY_INTENT, Finding, Gate, Group, Need, sight};
use crate::cluster::commands;
use crate::etcd::platforms::{self, Pitfall, Weight};

/// The gate.
pub static GATE: Gate = Gate {
    id: "platform-pitfall",
    group: Group::Around,
    sources: SOURCES,
    asked: Asked::EachLeg,
    intents: FOR_EVERY_INTENT,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some((platform, answered)) = commands::platform(q.cluster, q.answers) else { return Vec::new() };
    let mut findings: Vec<Finding> = platforms::pitfalls(platform.id)
        .filter(|pitfall| touches(q, pitfall))
        .map(|pitfall| {
            let mut grounds = grounds(q, answered);
            grounds.extend(sight::grounds_with(&below(q, pitfall)));
            let finding = match pitfall.weight {
                Weight::Note => Finding::passed(pitfall.says, grounds).with_note(pitfall.todo),
                Weight::Warning => Finding::warning(pitfall.says, grounds, pitfall.todo),
                Weight::Blocked => Finding::blocked(pitfall.says, grounds, pitfall.todo),
            };
            finding.from_source(platform.source)
        })
        .collect();
    if findings.is_empty() {
        let statement = format!("No pitfall of {} that is known touches this.", platform.name);
        findings.push(Finding::passed(statement, grounds(q, answered)).from_source(platform.source));
    }
    findings
}

/// Does the pitfall touch this intent, this leg and what runs?
fn touches(q: &Question<'_>, pitfall: &Pitfall) -> bool {
    let minor = q.hop().map(|hop| hop.to).or_else(|| if q.leg.is_none() { q.cluster.lowest_minor() } else { None });
    let here = if pitfall.hops_to.is_empty() { q.first } else { minor.is_some_and(|m| pitfall.hops_to.contains(&m)) };
    here && pitfall.intents.contains(&q.route.intent.kind.id())
        && (pitfall.below.is_none() || (q.first && !below(q, pitfall).is_empty()))
}

/// The versions in play that are older than the pitfall's.
fn below<'a>(q: &Question<'a>, pitfall: &Pitfall) -> Vec<super::question::VersionSeen<'a>> {
    let older = |than: &crate::etcd::version::Version| sight::versions_that(q, &|v| v.upstream() < *than);
    pitfall.below.as_ref().map_or_else(Vec::new, older)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::etcd::platforms::PlannerMode;
    use crate::gates::Outcome;
    use crate::gates::testing::{asked, outcomes};

    fn said(platform: &str, runs: &str, to: &str) -> Vec<String> {
        let answer = format!("run-by={platform}");
        asked(&GATE, &three_members(runs), to, &[&answer]).into_iter().map(|f| f.statement).collect()
    }

    #[test]
    fn a_pitfall_speaks_only_at_its_hop_and_below_its_version() {
        let zombies =
            |runs: &str, to: &str| said("k3s-embedded", runs, to).iter().any(|s| s.contains("zombie members"));
        for (runs, to, speaks) in [
            ("3.5.25-k3s1", "3.6", true),
            ("3.5.26-k3s1", "3.6", false),
            ("3.5.26-rc.0", "3.6", true),
            ("3.4.45", "3.5", false),
        ] {
            assert_eq!(zombies(runs, to), speaks, "{runs} to {to}");
        }
    }

    #[test]
    fn only_what_a_person_must_decide_is_more_than_worth_knowing() {
        let of = |platform: &str, to: &str| outcomes(&GATE, &three_members("3.5.35"), to, &[platform]);
        assert!(of("run-by=kubeadm-stacked", "3.6").iter().all(|o| *o == Outcome::Passed));
        assert_eq!(of("run-by=kubespray", "3.6").first(), Some(&Outcome::Warning));
        assert_eq!(of("run-by=rke1", "3.6").first(), Some(&Outcome::Blocked));
        assert_eq!(outcomes(&GATE, &three_members("3.5.35"), "3.6", &[]), [Outcome::NotLookedAt]);
    }

    #[test]
    fn each_leg_of_a_route_has_its_own() {
        let all = asked(&GATE, &three_members("3.5.35"), "3.7", &["run-by=talos"]);
        let port = all.iter().find(|f| f.statement.contains("2383")).unwrap();
        assert_eq!(port.hop.map(|h| h.to.to_string()).as_deref(), Some("3.7"));
    }

    #[test]
    fn every_pitfall_is_of_a_platform_and_every_platform_a_person_moves_or_watches_has_some() {
        let all: usize = platforms::all().iter().map(|p| platforms::pitfalls(p.id).count()).sum();
        assert!(all > 80);
        for platform in platforms::all() {
            let none = platforms::pitfalls(platform.id).next().is_none();
            assert!(!none || platform.mode == PlannerMode::Plan, "{}", platform.id);
        }
    }
}
