//! The command line: the same engine, for jump hosts and pipelines.
//!
//! Exit codes: 0 ready, 1 ready with warnings, 2 blocked, 3 can't tell yet, 4 could not read (nothing recognised, bad
//! arguments, unreadable file).

mod arguments;
mod input;

use std::io::Write as _;
use std::process::ExitCode;

use arguments::{Arguments, Command, Common, Format};
use clap::Parser as _;
use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::collect;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::{self, report::Report};
use etcd_upgrade_planner::gates::waiver::{self, Waiver};
use etcd_upgrade_planner::intent::{Intent, IntentKind};
use time::OffsetDateTime;

/// Could not read: nothing recognised, bad arguments, unreadable file.
const COULD_NOT_READ: u8 = 4;

/// Runs it.
pub fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() { COULD_NOT_READ } else { 0 };
            // Nothing better can be done when even the message can't be written.
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let result = match arguments.command {
        Command::Upgrade(way) => judge(&way.intent(IntentKind::Upgrade), &way.common),
        Command::Downgrade(way) => judge(&way.intent(IntentKind::Downgrade), &way.common),
        Command::Flags(way) => judge(&way.intent(IntentKind::Flags), &way.common),
        Command::Restore(common) => judge(&Intent::without_target(IntentKind::Restore), &common),
        Command::Health(common) => judge(&Intent::without_target(IntentKind::Health), &common),
        Command::CollectScript => write_out(collect::SCRIPT).map(|()| 0),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "etcd-upgrade-planner: {message}");
            ExitCode::from(COULD_NOT_READ)
        }
    }
}

fn judge(intent: &Intent, given: &Common) -> Result<u8, String> {
    let mut answers = Answers::new();
    for answer in &given.answers {
        answers.take(answer).map_err(|e| format!("--answer {answer}: {e}"))?;
    }
    let now = given.date.unwrap_or_else(OffsetDateTime::now_utc);
    let pastes = given.files.iter().map(|f| input::read(f)).collect::<Result<Vec<Paste>, _>>()?;
    let waivers = given.waivers.as_deref().map(read_waivers).transpose()?.unwrap_or_default();
    let report = etcd_upgrade_planner::judge_with_waivers(&pastes, intent, &answers, &waivers, now);
    if report.recognised.is_empty() {
        return Err(nothing_recognised(&report));
    }
    let text = match given.format {
        Format::Text => export::text::write(&report),
        Format::Markdown => export::markdown::write(&report),
        Format::Json => serde_json::to_string_pretty(&report).map_err(|e| e.to_string())? + "\n",
    };
    write_out(&text)?;
    Ok(exit_code(&report))
}

fn read_waivers(path: &str) -> Result<Vec<Waiver>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    waiver::read(&text).map_err(|e| format!("{path}: {e}"))
}

/// Writes to stdout; a reader that went away (`| head`) is no error.
fn write_out(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(format!("could not write the report: {error}"))
        }
        _ => Ok(()),
    }
}

fn nothing_recognised(report: &Report) -> String {
    let mut message = String::from(
        "nothing in the input was recognised. Expected output of etcdctl or etcdutl, server flags or etcd's log.",
    );
    for u in report.unread.iter().take(5) {
        message.push_str(&format!("\n  {}, lines {} to {}: {}", u.paste, u.first_line, u.last_line, u.tried));
    }
    message
}

fn exit_code(report: &Report) -> u8 {
    match report.verdict.as_str() {
        "ready" => 0,
        "ready-with-warnings" => 1,
        "blocked" => 2,
        _ => 3,
    }
}
