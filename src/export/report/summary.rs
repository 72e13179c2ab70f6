//! The verdict as one sentence with its counts, and the next thing to do.

use std::collections::HashMap;

use super::{AskOut, FindingOut, PhaseOut, StepOut};
use crate::evidence::answers::{Answers, SnapshotTaken};
use crate::export::words::for_members;
use crate::gates::{Outcome, Verdict};
use crate::intent::IntentKind;
use crate::plan::{BACKUP_STEP, Plan};

/// The two sentences on top of every report.
pub(super) struct Words {
    /// The verdict with its counts.
    pub summary: String,
    /// The next thing to do.
    pub next: String,
}

/// How many gates stand at which outcome; a gate counts once, by its most urgent finding.
struct Counts {
    blocked: usize,
    cant_tell: usize,
    warnings: usize,
    passed: usize,
}

impl Counts {
    fn of(findings: &[FindingOut]) -> Self {
        let mut worst: HashMap<&str, &str> = HashMap::new();
        let rank = |outcome: &str| RANK.iter().position(|o| o.id() == outcome).unwrap_or(RANK.len());
        for f in findings {
            let entry = worst.entry(&f.gate).or_insert(&f.outcome);
            if rank(&f.outcome) < rank(entry) {
                *entry = &f.outcome;
            }
        }
        let count = |outcome: Outcome| worst.values().filter(|o| **o == outcome.id()).count();
        Self {
            blocked: count(Outcome::Blocked),
            cant_tell: count(Outcome::CantTell),
            warnings: count(Outcome::Warning),
            passed: count(Outcome::Passed),
        }
    }

    fn asked(&self) -> usize {
        self.blocked + self.cant_tell + self.warnings + self.passed
    }
}

/// Most urgent first.
const RANK: [Outcome; 6] = [
    Outcome::Blocked,
    Outcome::CantTell,
    Outcome::Warning,
    Outcome::Passed,
    Outcome::NotLookedAt,
    Outcome::NotApplicable,
];

/// Makes the two sentences.
pub(super) fn words(
    kind: IntentKind,
    verdict: Verdict,
    findings: &[FindingOut],
    plan: &Plan,
    checklist: &[PhaseOut],
    answers: &Answers,
    asks: &[AskOut],
) -> Words {
    let counts = Counts::of(findings);
    Words {
        summary: summary(kind, verdict, &counts, checklist, answers),
        next: next(verdict, findings, plan, checklist, asks),
    }
}

fn summary(kind: IntentKind, verdict: Verdict, counts: &Counts, checklist: &[PhaseOut], answers: &Answers) -> String {
    let (stops, matter) = match kind {
        IntentKind::Upgrade => ("stop", "this upgrade"),
        IntentKind::Health => ("find", "something wrong with this cluster"),
        IntentKind::Downgrade => ("stop", "this downgrade"),
        IntentKind::Restore => ("stop", "this restore"),
        IntentKind::Members => ("stop", "this change of members"),
        IntentKind::Flags => ("stop", "the target from starting with these flags"),
    };
    let total = counts.asked();
    let condition = backup_condition(checklist, answers);
    match verdict {
        Verdict::Blocked => {
            let open = match counts.cant_tell {
                0 => String::new(),
                n => format!(", and {n} can't tell yet"),
            };
            format!("Blocked: {} of {} {} {matter}{open}", counts.blocked, gates(total), verb(counts.blocked, stops))
        }
        Verdict::CantTell => {
            format!(
                "Can't tell yet: {} of {} {} evidence",
                counts.cant_tell,
                gates(total),
                verb(counts.cant_tell, "need")
            )
        }
        Verdict::ReadyWithWarnings => {
            format!(
                "Ready with warnings: {} of {} {}, none {stops}s {matter}{condition}",
                counts.warnings,
                gates(total),
                verb(counts.warnings, "warn")
            )
        }
        Verdict::Ready => format!("Ready: all {} passed{condition}", gates(counts.passed)),
    }
}

/// The snapshot a plan takes itself is a condition of its verdict.
fn backup_condition(checklist: &[PhaseOut], answers: &Answers) -> String {
    if answers.snapshot_taken() != Some(SnapshotTaken::InPlan) {
        return String::new();
    }
    let step = checklist.iter().flat_map(|p| &p.steps).find(|s| s.id.ends_with(BACKUP_STEP));
    step.map_or_else(String::new, |s| format!(", once the backup snapshot of step {} is saved and verified", s.number))
}

fn next(verdict: Verdict, findings: &[FindingOut], plan: &Plan, checklist: &[PhaseOut], asks: &[AskOut]) -> String {
    match verdict {
        Verdict::Blocked => {
            let first = findings.iter().find(|f| f.outcome == Outcome::Blocked.id());
            first.and_then(|f| f.remedy.as_deref()).map_or_else(String::new, first_sentence)
        }
        Verdict::CantTell => asks.first().map_or_else(String::new, ask_in_words),
        Verdict::Ready | Verdict::ReadyWithWarnings => match checklist.iter().flat_map(|p| &p.steps).next() {
            Some(StepOut { number, title, .. }) => format!("Step {number}: {title}."),
            None => plan.none_because.clone().unwrap_or_default(),
        },
    }
}

/// The longest command that a sentence holds, in bytes.
const LONGEST_COMMAND: usize = 100;

fn ask_in_words(ask: &AskOut) -> String {
    if let Some(question) = &ask.question {
        return format!("Answer: {question}");
    }
    let who = for_members(&ask.members);
    // A sentence holds a short command. A long one stands where it can be copied.
    if ask.command.len() > LONGEST_COMMAND || ask.command.contains('\n') {
        return format!("Run the first command under “Asked for”{who} and paste what it prints.");
    }
    format!("Run this{who} and paste what it prints: {}", ask.command)
}

/// Up to the first full stop that ends a sentence; version numbers hold dots too.
fn first_sentence(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.find(". ").and_then(|end| line.get(..=end)).unwrap_or(line).to_owned()
}

fn gates(n: usize) -> String {
    if n == 1 { "1 gate".to_owned() } else { format!("{n} gates") }
}

fn verb(n: usize, verb: &str) -> String {
    if n == 1 { format!("{verb}s") } else { verb.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::answers::AnswerKey;

    fn counts(blocked: usize, cant_tell: usize, warnings: usize, passed: usize) -> Counts {
        Counts { blocked, cant_tell, warnings, passed }
    }

    #[test]
    fn the_sentence_names_the_counts() {
        let none = Answers::new();
        let say = |v, c| summary(IntentKind::Upgrade, v, &c, &[], &none);
        assert_eq!(say(Verdict::Blocked, counts(1, 0, 0, 21)), "Blocked: 1 of 22 gates stops this upgrade");
        assert_eq!(
            say(Verdict::Blocked, counts(2, 3, 0, 17)),
            "Blocked: 2 of 22 gates stop this upgrade, and 3 can't tell yet"
        );
        assert_eq!(say(Verdict::CantTell, counts(0, 3, 1, 18)), "Can't tell yet: 3 of 22 gates need evidence");
        assert_eq!(
            say(Verdict::ReadyWithWarnings, counts(0, 0, 1, 21)),
            "Ready with warnings: 1 of 22 gates warns, none stops this upgrade"
        );
        assert_eq!(say(Verdict::Ready, counts(0, 0, 0, 1)), "Ready: all 1 gate passed");
    }

    #[test]
    fn a_command_too_long_for_a_sentence_is_pointed_at() {
        let ask = |command: &str| AskOut {
            gates: vec!["v2-api-enabled".to_owned()],
            command: command.to_owned(),
            members: vec!["m1".to_owned(), "m2".to_owned()],
            answer: None,
            question: None,
        };
        let short = ask_in_words(&ask("systemctl cat etcd"));
        assert_eq!(short, "Run this for m1 and m2 and paste what it prints: systemctl cat etcd");
        let pointed_at = "Run the first command under “Asked for” for m1 and m2 and paste what it prints.";
        assert_eq!(ask_in_words(&ask("mkdir a\nrm -r a")), pointed_at);
        assert_eq!(ask_in_words(&ask(&"x".repeat(LONGEST_COMMAND + 1))), pointed_at);
    }

    #[test]
    fn a_backup_in_the_plan_is_a_condition_of_ready() {
        let mut answers = Answers::new();
        answers.set(AnswerKey::SnapshotTaken, "in-plan").unwrap();
        let way = || super::super::WayOut { open: true, reason: String::new() };
        let step = StepOut {
            id: format!("3.6/right-before/{BACKUP_STEP}"),
            number: 5,
            title: String::new(),
            member: None,
            why: String::new(),
            commands: Vec::new(),
            checks: Vec::new(),
            expect: String::new(),
            stop_when: String::new(),
            ways_back: super::super::WaysBackOut { swap: way(), downgrade: way(), restore: way() },
            record: None,
        };
        let phase = PhaseOut { hop: None, phase: String::new(), note: None, steps: vec![step] };
        assert_eq!(
            summary(IntentKind::Upgrade, Verdict::Ready, &counts(0, 0, 0, 9), &[phase], &answers),
            "Ready: all 9 gates passed, once the backup snapshot of step 5 is saved and verified"
        );
    }

    #[test]
    fn a_version_does_not_end_a_sentence() {
        assert_eq!(first_sentence("Move m3 to 3.5.35 first. It cures zombies."), "Move m3 to 3.5.35 first.");
        assert_eq!(first_sentence("Move m3 first"), "Move m3 first");
    }
}
