//! The planner's own command line, as a person calls it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use etcd_upgrade_planner::export::report::{FindingOut, Report, StepOut};

use crate::host::Host;
use crate::shell;

/// The command line, built beside this program.
fn program() -> Result<PathBuf> {
    let me = std::env::current_exe()?;
    let planner = me.with_file_name("etcd-upgrade-planner");
    if planner.is_file() { Ok(planner) } else { bail!("{} is not built", planner.display()) }
}

/// What the collect script prints on a host.
pub fn collect(host: &Host) -> Result<String> {
    let script = host.path().join("etcd-collect.sh");
    if !script.is_file() {
        fs::write(&script, shell::output(Command::new(program()?).arg("collect-script"))?)?;
    }
    let mut ids = Vec::new();
    for member in &host.members {
        ids.extend(host.ids(&member.name)?.iter().map(u32::to_string));
    }
    // Without a quorum each question waits for its own end.
    let command = format!("sh {} --pid '{}'", script.display(), ids.join(" "));
    let ended = host.sh(&command, Duration::from_secs(180))?;
    if ended.code != Some(0) {
        bail!("the collect script ended with {:?}: {}", ended.code, ended.stderr);
    }
    Ok(ended.stdout)
}

/// The report on what was pasted, for an upgrade to a version.
pub fn judge(host: &Host, paste: &str, to: &str, answers: &[&str]) -> Result<Report> {
    judge_for(host, &["upgrade", "--to", to], paste, answers)
}

/// The report on what was pasted, for the change of members that the answers name.
pub fn change_of_members(host: &Host, paste: &str, answers: &[&str]) -> Result<Report> {
    judge_for(host, &["members"], paste, answers)
}

/// The report on what was pasted, for any intent: its name and what it takes.
pub fn judge_for(host: &Host, intent: &[&str], paste: &str, answers: &[&str]) -> Result<Report> {
    let file = host.path().join("paste.txt");
    fs::write(&file, paste)?;
    let mut command = Command::new(program()?);
    command.args(intent).args(["--format", "json"]);
    for answer in answers {
        command.args(["--answer", answer]);
    }
    let ended = shell::ended(command.arg(&file))?;
    if ended.code == Some(4) {
        bail!("the planner could not read: {}", ended.stderr);
    }
    serde_json::from_str(&ended.stdout).context("the planner's report is not what it promises")
}

/// Every finding of a gate.
pub fn findings<'a>(report: &'a Report, gate: &'a str) -> impl Iterator<Item = &'a FindingOut> {
    report.findings.iter().filter(move |f| f.gate == gate)
}

/// What a report says that is not passed, in short.
pub fn open(report: &Report) -> Vec<String> {
    let is_open = |f: &&FindingOut| !matches!(f.outcome.as_str(), "passed" | "not-applicable" | "not-looked-at");
    report.findings.iter().filter(is_open).map(|f| format!("{} {}: {}", f.gate, f.outcome, f.statement)).collect()
}

/// Every step, with the hop and the name of its phase.
pub fn steps(report: &Report) -> impl Iterator<Item = (&str, Option<&str>, &StepOut)> {
    report.checklist.iter().flat_map(|p| p.steps.iter().map(|s| (p.phase.as_str(), p.hop.as_deref(), s)))
}
