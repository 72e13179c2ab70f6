//! Goes through a checklist. It knows shell commands, what they must print and when to stop, and nothing of etcd.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::Result;
use etcd_upgrade_planner::export::report::{CheckOut, StepOut};

use crate::host::Host;
use crate::shell::Ended;

/// How long one command may take: a loop that waits for a member ends here when the member never comes.
const LIMIT: Duration = Duration::from_secs(60);

/// Why a step was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stopped {
    /// Its id.
    step: String,
    /// What did not happen.
    because: String,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.step, self.because)
    }
}

/// What a walk through a checklist came to.
#[derive(Debug, Default)]
pub struct Walked {
    /// Steps that were done.
    pub steps: usize,
    /// Commands that were run.
    pub commands: usize,
    /// Ways back that were tried.
    pub ways: usize,
    /// How advice and etcd differ.
    pub differs: Vec<String>,
}

impl Walked {
    /// In one line of the table.
    pub fn says(&self) -> String {
        format!("{} steps, {} commands, {} ways back", self.steps, self.commands, self.ways)
    }
    /// Does one step and counts it. False when it stopped: then why stands among what differs, with what `at_stop` adds.
    pub fn step(&mut self, host: &Host, step: &StepOut, at_stop: impl FnOnce() -> String) -> Result<bool> {
        if let Err(stopped) = self::step(host, step)? {
            self.differs.push(format!("{stopped}{}", at_stop()));
            return Ok(false);
        }
        self.steps += 1;
        self.commands += step.commands.len();
        Ok(true)
    }
}

/// Does one step: its commands one by one, each with what it must print.
fn step(host: &Host, step: &StepOut) -> Result<Result<(), Stopped>> {
    for (at, command) in step.commands.iter().enumerate() {
        let checks: Vec<&CheckOut> = step.checks.iter().filter(|c| c.command == at).collect();
        let patience = checks.iter().map(|c| u64::from(c.within_seconds)).max().unwrap_or(0);
        let start = Instant::now();
        let because = loop {
            let because = match host.sh(command, LIMIT) {
                Ok(ended) => missing(&ended, &checks),
                Err(error) => Some(error.to_string()),
            };
            match because {
                Some(_) if start.elapsed() < Duration::from_secs(patience) => sleep(Duration::from_millis(300)),
                because => break because,
            }
        };
        if let Some(because) = because {
            return Ok(Err(Stopped { step: step.id.clone(), because: format!("`{command}`: {because}") }));
        }
    }
    Ok(Ok(()))
}

/// What a command should have done and did not.
fn missing(ended: &Ended, checks: &[&CheckOut]) -> Option<String> {
    let said = ended.text();
    if ended.code != Some(0) {
        return Some(format!("ended with {:?}: {}", ended.code, tail(&said)));
    }
    for check in checks {
        if check.nothing && !said.trim().is_empty() {
            return Some(format!("it prints something: {}", tail(&said)));
        }
        for texts in &check.lines {
            if !said.lines().any(|line| texts.iter().all(|text| line.contains(text.as_str()))) {
                return Some(format!("no line with {texts:?}: {}", tail(&said)));
            }
        }
    }
    None
}

/// The end of an output.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().collect();
    let last = lines.get(lines.len().saturating_sub(6)..).unwrap_or_default().join(" · ");
    last.chars().take(900).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: i32, stdout: &str) -> Ended {
        Ended { code: Some(code), stdout: stdout.to_owned(), stderr: String::new() }
    }

    fn check(lines: &[&[&str]], nothing: bool) -> CheckOut {
        let lines = lines.iter().map(|texts| texts.iter().map(|t| (*t).to_owned()).collect()).collect();
        CheckOut { command: 0, lines, nothing, within_seconds: 0 }
    }

    #[test]
    fn texts_of_a_check_stand_on_one_line() {
        let said = ended(0, "| m1 | 3.6.16 |\n| m2 | 3.5.35 |\n");
        assert_eq!(missing(&said, &[&check(&[&["m1", "3.6.16"], &["m2"]], false)]), None);
        assert!(missing(&said, &[&check(&[&["m2", "3.6.16"]], false)]).unwrap().contains("m2"));
    }

    #[test]
    fn a_command_that_fails_or_prints_where_it_must_not_stops_the_walk() {
        assert!(missing(&ended(1, "m1 is healthy"), &[]).unwrap().contains("ended with Some(1)"));
        assert_eq!(missing(&ended(0, "\n"), &[&check(&[], true)]), None);
        assert!(missing(&ended(0, "memberID:1 alarm:NOSPACE"), &[&check(&[], true)]).is_some());
    }
}
