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
//! - platform-kubeadm-stacked: kubeadm.
//! - platform-k3s-embedded: k3s.
//! - platform-rke2: RKE2.
//! - platform-talos: Talos Linux.
//! - platform-openshift: OpenShift.
//! - platform-managed-cloud: managed control planes.

use super::question::Question;
use super::{Asked, FOR_UPGRADE, Finding, Gate, Ground, Group, Need};
use crate::cluster::commands;
use crate::etcd::platforms::{self, PlannerMode};
use crate::etcd::sources::key;
use crate::evidence::answers::AnswerKey;
use crate::intent::Target;

/// The gate.
pub static GATE: Gate = Gate {
    id: "managed-by-platform",
    group: Group::Around,
    sources: &[
        key::PLATFORM_KUBEADM_STACKED,
        key::PLATFORM_K3S_EMBEDDED,
        key::PLATFORM_RKE2,
        key::PLATFORM_TALOS,
        key::PLATFORM_OPENSHIFT,
        key::PLATFORM_MANAGED_CLOUD,
    ],
    asked: Asked::Now,
    intents: FOR_UPGRADE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some((platform, answered)) = commands::platform(q.cluster, q.answers) else { return Vec::new() };
    let grounds = if answered { vec![Ground::Answered(AnswerKey::RunBy)] } else { q.flag_grounds() };
    let step = || platform.step_commands.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>();
    let finding = match platform.mode {
        PlannerMode::Plan => Finding::passed(format!("{}: the binaries are yours to move.", platform.name), grounds),
        PlannerMode::PlanNative => {
            let statement = format!("{} has a step of its own for this.", platform.name);
            Finding::passed(statement, grounds).with_note(platform.step)
        }
        PlannerMode::NativeOnly => {
            let statement = format!("{} moves etcd itself: its release decides which etcd runs.", platform.name);
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
