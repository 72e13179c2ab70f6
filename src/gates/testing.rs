//! Asking one gate about a cluster made by the kit of [`crate::cluster::testing`].

use time::macros::datetime;

use super::{Finding, Gate, Outcome, assess};
use crate::cluster::testing::Build;
use crate::evidence::answers::Answers;
use crate::intent::{self, Intent, IntentKind, Target};

/// What the gate says on the way to a target (a minor or a version), with these answers.
pub(crate) fn asked(gate: &Gate, cluster: &Build, to: &str, answers: &[&str]) -> Vec<Finding> {
    asked_from(gate, cluster, None, to, answers)
}

/// The same, with the start the person said.
pub(crate) fn asked_from(gate: &Gate, cluster: &Build, from: Option<&str>, to: &str, answers: &[&str]) -> Vec<Finding> {
    let target = |text: &str| text.parse().map_or_else(|_| Target::Minor(text.parse().unwrap()), Target::Version);
    let mut given = Answers::new();
    answers.iter().for_each(|answer| given.take(answer).unwrap());
    let intent = Intent { kind: IntentKind::Upgrade, from: from.map(target), to: target(to) };
    let cluster = cluster.build();
    let route = intent::route(&intent, &cluster);
    let assessment = assess(&cluster, &route, &given, &[], datetime!(2026-11-30 12:00 UTC));
    assessment.findings.into_iter().filter(|f| f.gate == gate.id).collect()
}

/// The one finding of the gate.
pub(crate) fn only(gate: &Gate, cluster: &Build, to: &str, answers: &[&str]) -> Finding {
    let mut findings = asked(gate, cluster, to, answers);
    assert_eq!(findings.len(), 1, "{findings:#?}");
    findings.remove(0)
}

/// The outcomes of the gate, most urgent first.
pub(crate) fn outcomes(gate: &Gate, cluster: &Build, to: &str, answers: &[&str]) -> Vec<Outcome> {
    asked(gate, cluster, to, answers).iter().map(|f| f.outcome).collect()
}

/// The outcomes of the gate for a restore, most urgent first.
pub(crate) fn restoring(gate: &Gate, cluster: &Build, answers: &[&str]) -> Vec<Outcome> {
    let mut given = Answers::new();
    answers.iter().for_each(|answer| given.take(answer).unwrap());
    let cluster = cluster.build();
    let route = intent::route(&Intent::without_target(IntentKind::Restore), &cluster);
    let assessment = assess(&cluster, &route, &given, &[], datetime!(2026-11-30 12:00 UTC));
    assessment.findings.iter().filter(|f| f.gate == gate.id).map(|f| f.outcome).collect()
}

/// The outcomes of the gate for a downgrade, most urgent first.
pub(crate) fn going_down(gate: &Gate, cluster: &Build, to: &str, answers: &[&str]) -> Vec<Outcome> {
    let mut given = Answers::new();
    answers.iter().for_each(|answer| given.take(answer).unwrap());
    let cluster = cluster.build();
    let to = to.parse().map_or_else(|_| Target::Minor(to.parse().unwrap()), Target::Version);
    let intent = Intent { kind: IntentKind::Downgrade, from: None, to };
    let assessment = assess(&cluster, &intent::route(&intent, &cluster), &given, &[], datetime!(2026-11-30 12:00 UTC));
    assessment.findings.iter().filter(|f| f.gate == gate.id).map(|f| f.outcome).collect()
}

/// The outcomes of the gate for a change of members, most urgent first.
pub(crate) fn changing(gate: &Gate, cluster: &Build, answers: &[&str]) -> Vec<Outcome> {
    let mut given = Answers::new();
    answers.iter().for_each(|answer| given.take(answer).unwrap());
    let cluster = cluster.build();
    let route = intent::route(&Intent::without_target(IntentKind::Members), &cluster);
    let assessment = assess(&cluster, &route, &given, &[], datetime!(2026-11-30 12:00 UTC));
    assessment.findings.iter().filter(|f| f.gate == gate.id).map(|f| f.outcome).collect()
}
