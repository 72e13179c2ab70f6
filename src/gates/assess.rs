//! The loop over gates and legs, and the verdict.

use time::OffsetDateTime;

use super::known::{self, Known};
use super::question::{Shared, Stage};
use super::waiver::Waiver;
use super::{ALL, Asked, Finding, Gate, Ground, Need, Outcome, Question, Verdict, asks, waiver, waiver_stale};
use crate::cluster::Cluster;
use crate::cluster::commands::Commands;
use crate::evidence::answers::Answers;
use crate::intent::{IntentKind, Route};

/// All findings and their sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// The verdict.
    pub verdict: Verdict,
    /// Every gate's answers, most urgent first. Each gate that serves the intent is in it at least once.
    pub findings: Vec<Finding>,
    /// Known issues that touch what is asked and that no gate speaks of, the worst first.
    pub known: Vec<Known>,
}

/// The gate that says when the pastes show more members than a cluster has, and holds the verdict.
const SAYS_TOO_LARGE: &str = "member-not-in-status";

/// Asks every gate about every leg.
#[must_use]
pub fn assess(
    cluster: &Cluster,
    route: &Route,
    answers: &Answers,
    waivers: &[Waiver],
    now: OffsetDateTime,
) -> Assessment {
    let commands = Commands::new(cluster, answers);
    let shared = Shared::default();
    let base = Question { cluster, route, leg: None, first: true, answers, commands: &commands, now, shared: &shared };
    let mut ranked: Vec<(usize, Finding)> = Vec::new();
    let asked = ALL.iter().enumerate().filter(|(_, gate)| gate.intents.contains(&route.intent.kind));
    for (rank, gate) in asked {
        let mut findings = Vec::new();
        if cluster.is_too_large() && gate.id != SAYS_TOO_LARGE {
            // What is no cluster answers nothing, and asking it costs members times members.
            let mut finding = Finding::not_looked_at("Not asked: the pastes show more members than a cluster has.");
            finding.gate = gate.id;
            ranked.push((rank, finding));
            continue;
        }
        if route.legs.is_empty() {
            findings.extend(gate.ask(&base));
        }
        for (index, leg) in route.legs.iter().enumerate() {
            findings.extend(gate.ask(&Question { leg: Some(leg), first: index == 0, ..base }));
        }
        ranked.extend(without_filler(findings).into_iter().map(|f| (rank, f)));
    }
    crate::sort::by_key(&mut ranked, |(rank, finding)| (finding.outcome, *rank));
    let mut findings: Vec<Finding> = ranked.into_iter().map(|(_, finding)| finding).collect();
    let stale = waiver::apply(&mut findings, waivers, &base, now);
    if !stale.is_empty() {
        findings.retain(|f| f.gate != waiver_stale::GATE.id);
        let last_warning = findings.iter().rposition(|f| f.outcome <= Outcome::Warning).map_or(0, |at| at + 1);
        findings.splice(last_warning..last_warning, stale);
    } else if !waivers.is_empty() {
        for finding in findings.iter_mut().filter(|f| f.gate == waiver_stale::GATE.id) {
            let passed = Finding::passed("Every waiver accepts a warning.", vec![Ground::Wanted]);
            *finding = Finding { gate: finding.gate, ..passed };
        }
    }
    let known = if cluster.is_too_large() { Vec::new() } else { known::all(&base) };
    Assessment { verdict: verdict(&findings), findings, known }
}

/// A gate that says something on one leg need not say that it does not apply to another; one line is kept.
fn without_filler(mut findings: Vec<Finding>) -> Vec<Finding> {
    let says_something = findings.iter().any(|f| f.outcome != Outcome::NotApplicable);
    if says_something {
        findings.retain(|f| f.outcome != Outcome::NotApplicable);
    } else {
        findings.truncate(1);
    }
    findings
}

/// Blocked wins over can't tell, which wins over warnings; one that was accepted counts no more.
fn verdict(findings: &[Finding]) -> Verdict {
    let any = |outcome| findings.iter().any(|f| f.outcome == outcome && f.accepted.is_none());
    if any(Outcome::Blocked) {
        Verdict::Blocked
    } else if any(Outcome::CantTell) {
        Verdict::CantTell
    } else if any(Outcome::Warning) {
        Verdict::ReadyWithWarnings
    } else {
        Verdict::Ready
    }
}

impl Gate {
    /// Asks it about one leg. Never empty; gate and hop of the findings are set.
    #[must_use]
    pub fn ask(&self, question: &Question<'_>) -> Vec<Finding> {
        let need = (self.need)(question);
        let mut findings = if need == Need::NotApplicable {
            vec![Finding::not_applicable(does_not_arise(question))]
        } else if self.asked == Asked::Now && !question.first {
            vec![asked_again(question)]
        } else {
            (self.check)(question)
        };
        if !question.first {
            // Later legs are planned now and judged then: what is not known today holds nothing up.
            for finding in findings.iter_mut().filter(|f| f.outcome == Outcome::CantTell) {
                let note = std::mem::take(&mut finding.statement);
                *finding = asked_again(question).with_note(note);
            }
        }
        if findings.is_empty() {
            findings.push(if need == Need::Required && question.first {
                // A gate that owes an answer and has none must never read as green.
                Finding::cant_tell("Nothing that was pasted answers this.", vec![asks::status(question)])
            } else {
                Finding::not_looked_at("Nothing that was pasted speaks of this.")
            });
        }
        for finding in &mut findings {
            finding.gate = self.id;
            finding.hop = question.hop();
        }
        findings
    }
}

fn does_not_arise(question: &Question<'_>) -> String {
    let kind = question.route.intent.kind;
    match (question.stage(), question.hop()) {
        (Stage::Arrived, _) => "The cluster already runs the target.".to_owned(),
        _ if kind != IntentKind::Upgrade => format!("This question does not arise for {}.", kind.id()),
        (_, Some(hop)) => format!("This question does not arise on {hop}."),
        (_, None) => "This question does not arise on this way.".to_owned(),
    }
}

fn asked_again(question: &Question<'_>) -> Finding {
    Finding::not_looked_at(match question.hop() {
        Some(hop) => format!("Asked again right before {hop}."),
        None => "Asked again right before that roll.".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(outcomes: &[Outcome]) -> Verdict {
        let finding = |outcome: &Outcome| {
            let mut finding = Finding::not_looked_at("");
            finding.outcome = *outcome;
            finding
        };
        verdict(&outcomes.iter().map(finding).collect::<Vec<_>>())
    }

    #[test]
    fn the_most_urgent_outcome_decides() {
        use Outcome::{Blocked, CantTell, NotApplicable, NotLookedAt, Passed, Warning};
        assert_eq!(of(&[Passed, Warning, CantTell, Blocked]), Verdict::Blocked);
        assert_eq!(of(&[Passed, Warning, CantTell]), Verdict::CantTell);
        assert_eq!(of(&[Passed, Warning]), Verdict::ReadyWithWarnings);
        assert_eq!(of(&[Passed, NotApplicable, NotLookedAt]), Verdict::Ready);
    }

    #[test]
    fn a_gate_that_does_not_apply_is_named_once() {
        let twice = vec![Finding::not_applicable("a"), Finding::not_applicable("b")];
        assert_eq!(without_filler(twice).len(), 1);
        let mixed = vec![Finding::passed("a", Vec::new()), Finding::not_applicable("b")];
        assert_eq!(without_filler(mixed), vec![Finding::passed("a", Vec::new())]);
    }
}
