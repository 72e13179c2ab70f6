//! Who may move etcd here?
//!
//! # Asks
//! How etcd is run: by hand, by hand with the platform's own steps, by the platform alone, or by a provider.
//!
//! # Blocks when
//! A provider runs it and nobody outside can touch etcd.
//!
//! # Why
//! A platform that manages etcd puts its own binary back, or breaks. What it brings is decided by its release, not by
//! a target of etcd.
//!
//! # Remedy
//! Move the platform, in its own way, to a release that brings the etcd you want.
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

use super::question::Question;
use super::{Asked, FOR_UPGRADE_AND_MEMBERS, Finding, Gate, Ground, Group, Need};
use crate::cluster::commands;
use crate::etcd::platforms::{self, PlannerMode};
use crate::etcd::sources::key;
use crate::evidence::answers::AnswerKey;
use crate::intent::Target;

/// What proves how each platform moves etcd, and what goes wrong there.
pub(super) static SOURCES: &[&str] = &[
    key::PLATFORM_SYSTEMD_BINARY,
    key::PLATFORM_DEB_PACKAGE,
    key::PLATFORM_DOCKER_RUN,
    key::PLATFORM_DOCKER_COMPOSE,
    key::PLATFORM_KUBEADM_STACKED,
    key::PLATFORM_KUBEADM_EXTERNAL,
    key::PLATFORM_KUBESPRAY,
    key::PLATFORM_BITNAMI_CHART,
    key::PLATFORM_K3S_EMBEDDED,
    key::PLATFORM_RKE2,
    key::PLATFORM_RKE1,
    key::PLATFORM_KOPS,
    key::PLATFORM_OPENSHIFT,
    key::PLATFORM_TALOS,
    key::PLATFORM_MICROK8S,
    key::PLATFORM_K0S,
    key::PLATFORM_GARDENER_DRUID,
    key::PLATFORM_CAPI_KCP,
    key::PLATFORM_ETCD_OPERATOR,
    key::PLATFORM_VCLUSTER,
    key::PLATFORM_CANONICAL_K8S,
    key::PLATFORM_MANAGED_CLOUD,
];

/// The gate.
pub static GATE: Gate = Gate {
    id: "managed-by-platform",
    group: Group::Around,
    sources: SOURCES,
    asked: Asked::Now,
    intents: FOR_UPGRADE_AND_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some((platform, answered)) = commands::platform(q.cluster, q.answers) else { return Vec::new() };
    let grounds = grounds(q, answered);
    let step = || platform.step_commands.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>();
    let finding = match platform.mode {
        PlannerMode::Plan => Finding::passed(format!("{}: etcd is yours to change.", platform.name), grounds),
        PlannerMode::PlanNative => {
            let statement = format!("{} has a step of its own for this.", platform.name);
            Finding::passed(statement, grounds).with_note(platform.step)
        }
        PlannerMode::NativeOnly => {
            let statement = if q.changes_members() {
                format!("{} adds and removes its members itself: use its own commands for it.", platform.name)
            } else {
                format!("{} moves etcd itself: its release decides which etcd runs.", platform.name)
            };
            Finding::warning(statement, grounds, platform.step).with_commands(step())
        }
        PlannerMode::Refuse => {
            let statement = format!("With {} nobody outside of the provider can touch etcd.", platform.name);
            Finding::blocked(statement, grounds, platform.step)
        }
    };
    let brings = match &q.route.intent.to {
        Target::Shipped(release) => release.etcd().map(|etcd| (release, etcd)),
        _ => None,
    };
    let finding = finding.from_source(platform.source);
    vec![match brings {
        Some((release, etcd)) => {
            let seen_until = platforms::shipped(platform.id).map_or("", |shipped| shipped.seen_until);
            let note = finding.note.clone().map_or_else(String::new, |note| format!(" {note}"));
            finding.with_note(format!(
                "{release} brings etcd {etcd}, as far as its releases were seen ({seen_until}).{note}"
            ))
        }
        None => finding,
    }]
}

/// What says how etcd is run: the answer, else the flags.
pub(super) fn grounds(q: &Question<'_>, answered: bool) -> Vec<Ground> {
    if answered { vec![Ground::Answered(AnswerKey::RunBy)] } else { q.flag_grounds() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn each_mode_of_the_planner_has_its_outcome() {
        for (platform, outcome) in [
            ("systemd-binary", Outcome::Passed),
            ("kubeadm-stacked", Outcome::Passed),
            ("talos", Outcome::Warning),
            ("managed-cloud", Outcome::Blocked),
        ] {
            let answer = format!("run-by={platform}");
            assert_eq!(outcomes(&GATE, &three_members("3.5.35"), "3.6", &[&answer]), [outcome], "{platform}");
        }
        assert_eq!(outcomes(&GATE, &three_members("3.5.35"), "3.6", &[]), [Outcome::NotLookedAt]);
    }
}
