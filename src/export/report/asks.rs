//! Everything still asked for, merged into as few commands and questions as can be.

use super::AskOut;
use crate::gates::{Ask, Finding, Outcome};

/// Merges what the open findings ask for: each command and each question once, what answers most gates first.
pub(super) fn merge(findings: &[Finding]) -> Vec<AskOut> {
    let mut asks: Vec<AskOut> = Vec::new();
    for finding in findings.iter().filter(|f| f.outcome == Outcome::CantTell) {
        for ask in &finding.asks {
            let (command, members, answer, question) = match ask {
                Ask::Command { command, members } => (command.as_str(), members.as_slice(), None, None),
                Ask::Answer(key) => ("", &[][..], Some(key.id()), Some(key.question())),
                Ask::Choose(text) => ("", &[][..], None, Some(text.as_str())),
            };
            let same =
                |a: &AskOut| a.command == command && a.answer.as_deref() == answer && a.question.as_deref() == question;
            let known = asks.iter_mut().find(|a| same(a));
            if let Some(known) = known {
                add(&mut known.gates, finding.gate);
                members.iter().for_each(|m| add(&mut known.members, m));
                continue;
            }
            asks.push(AskOut {
                gates: vec![finding.gate.to_owned()],
                command: command.to_owned(),
                members: members.to_vec(),
                answer: answer.map(str::to_owned),
                question: question.map(str::to_owned),
            });
        }
    }
    crate::sort::by_key(&mut asks, |a| std::cmp::Reverse(a.gates.len()));
    asks
}

/// What would answer one finding, in words: the command, or the question.
pub(super) fn in_words(asks: &[Ask]) -> Option<String> {
    let words: Vec<String> = asks
        .iter()
        .map(|ask| match ask {
            Ask::Command { command, .. } => command.clone(),
            Ask::Answer(key) => format!("{} ({}={})", key.question(), key.id(), key.takes()),
            Ask::Choose(text) => text.clone(),
        })
        .collect();
    (!words.is_empty()).then(|| words.join("\n"))
}

fn add(list: &mut Vec<String>, value: &str) {
    if !list.iter().any(|v| v == value) {
        list.push(value.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::answers::AnswerKey;

    fn open(gate: &'static str, asks: Vec<Ask>) -> Finding {
        Finding {
            gate,
            outcome: Outcome::CantTell,
            member: None,
            hop: None,
            statement: String::new(),
            grounds: Vec::new(),
            remedy: None,
            commands: Vec::new(),
            asks,
            note: None,
            accepted: None,
            source: None,
            cause: None,
        }
    }

    fn command(text: &str, members: &[&str]) -> Ask {
        Ask::Command { command: text.to_owned(), members: members.iter().map(|m| (*m).to_owned()).collect() }
    }

    #[test]
    fn one_command_that_answers_three_gates_is_asked_once_and_first() {
        let findings = [
            open("auth", vec![Ask::Answer(AnswerKey::Auth)]),
            open("leader", vec![command("status", &["m1"])]),
            open("lag", vec![command("status", &["m1", "m2"])]),
            open("reach", vec![command("status", &["m3"])]),
        ];
        let asks = merge(&findings);
        assert_eq!(asks.len(), 2);
        assert_eq!(asks[0].gates, ["leader", "lag", "reach"]);
        assert_eq!(asks[0].members, ["m1", "m2", "m3"]);
        assert_eq!(asks[1].answer.as_deref(), Some("auth"));
    }

    #[test]
    fn what_is_answered_asks_nothing() {
        let mut passed = open("leader", vec![command("status", &[])]);
        passed.outcome = Outcome::Passed;
        assert!(merge(&[passed]).is_empty());
    }
}
