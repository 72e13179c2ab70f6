//! The command line: the same engine, for jump hosts and pipelines.
//!
//! Exit codes: 0 ready, 1 ready with warnings, 2 blocked, 3 can't tell yet, 4 could not read (nothing recognised, bad
//! arguments, unreadable file).

mod arguments;
mod directories;
mod input;
mod output;

use std::io::Write as _;
use std::process::ExitCode;

use arguments::{Arguments, Closing, Command, Common};
use clap::Parser as _;
use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::collect;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::closing::Before;
use etcd_upgrade_planner::export::clusters::Entry;
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::gates::waiver::{self, Waiver};
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use output::write_out;
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
        Command::Upgrade(way) => judge(&way.intent(IntentKind::Upgrade), &way.common, &[]),
        Command::Downgrade(way) => judge(&way.intent(IntentKind::Downgrade), &way.common, &[]),
        Command::Flags(way) => judge(&way.intent(IntentKind::Flags), &way.common, &[]),
        Command::Members(members) => {
            judge(&Intent::without_target(IntentKind::Members), &members.common, &members.answers())
        }
        Command::Restore(common) => judge(&Intent::without_target(IntentKind::Restore), &common, &[]),
        Command::Health(common) => judge(&Intent::without_target(IntentKind::Health), &common, &[]),
        Command::Closing(given) => close(&given),
        Command::PutBack(given) => output::put_back(&given).and_then(|text| write_out(&text)).map(|()| 0),
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

/// Judges one cluster, or several and the worst of them. `flags` are answers that were given as flags of their own.
fn judge(intent: &Intent, given: &Common, flags: &[String]) -> Result<u8, String> {
    let judging = Judging::new(intent, given, flags)?;
    let files = given.every_file();
    let Some(clusters) = directories::clusters(&files)? else {
        let report = judging.report(&files)?;
        let code = exit_code(&report);
        write_out(&output::report(given, report)?)?;
        return Ok(code);
    };
    let entry = |cluster: directories::Cluster| {
        let files: Vec<&str> = cluster.files.iter().map(String::as_str).collect();
        Entry { result: judging.report(&files), name: cluster.name }
    };
    let entries: Vec<Entry> = clusters.into_iter().map(entry).collect();
    let worst = worst(&entries);
    for entry in &entries {
        if let Err(why) = &entry.result {
            let _ = writeln!(std::io::stderr(), "etcd-upgrade-planner: {}: {why}", entry.name);
        }
    }
    write_out(&output::table(given, entries)?)?;
    Ok(worst)
}

/// The closing record. The cluster is judged for the same as before, so that what is left of it shows.
fn close(given: &Closing) -> Result<u8, String> {
    let path = &given.before;
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    let before = Before::read(&text).map_err(|e| format!("{path}: {e}"))?;
    let kind = IntentKind::from_id(&before.intent.kind).filter(|kind| kind.moves_versions());
    let intent = match (kind, before.intent.to.as_deref().map(arguments::target)) {
        (Some(kind), Some(Ok(to))) => Intent { kind, from: None, to },
        (Some(kind), _) => Intent { kind, from: None, to: Target::Next },
        // What a restore or a change of members asked is answered; what is left is the health of what came of it.
        (None, _) => Intent::without_target(IntentKind::Health),
    };
    let report = Judging::new(&intent, &given.common, &[])?.report(&given.common.every_file())?;
    write_out(&output::closing(&given.common, &before, &report)?)?;
    Ok(exit_code(&report))
}

/// What all clusters of one run are judged by.
struct Judging<'a> {
    intent: &'a Intent,
    given: &'a Common,
    answers: Answers,
    waivers: Vec<Waiver>,
    now: OffsetDateTime,
}

impl<'a> Judging<'a> {
    fn new(intent: &'a Intent, given: &'a Common, flags: &[String]) -> Result<Self, String> {
        let mut answers = Answers::new();
        for answer in &given.answers {
            answers.take(answer).map_err(|e| format!("--answer {answer}: {e}"))?;
        }
        for flag in flags {
            answers.take(flag).map_err(|e| format!("--{flag}: {e}"))?;
        }
        let now = given.date.unwrap_or_else(OffsetDateTime::now_utc);
        let waivers = given.waivers.as_deref().map(read_waivers).transpose()?.unwrap_or_default();
        Ok(Self { intent, given, answers, waivers, now })
    }

    fn report(&self, files: &[&str]) -> Result<Report, String> {
        let read = |file: &&str| {
            let mut paste = input::read(file)?;
            self.given.set_by_hand(file, &mut paste);
            Ok(paste)
        };
        let pastes = files.iter().map(read).collect::<Result<Vec<Paste>, String>>()?;
        let judge = etcd_upgrade_planner::judge_with_waivers;
        let report = judge(&pastes, self.intent, &self.answers, &self.waivers, self.now);
        if report.recognised.is_empty() { Err(nothing_recognised(&report)) } else { Ok(report) }
    }
}

fn read_waivers(path: &str) -> Result<Vec<Waiver>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    waiver::read(&text).map_err(|e| format!("{path}: {e}"))
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

/// The exit code of the worst cluster: what could not be read, then blocked, then can't tell yet.
fn worst(entries: &[Entry]) -> u8 {
    let codes = entries.iter().map(|entry| entry.result.as_ref().map_or(COULD_NOT_READ, exit_code));
    let rank = |code: &u8| [0, 1, 3, 2, COULD_NOT_READ].iter().position(|c| c == code);
    codes.max_by_key(rank).unwrap_or(COULD_NOT_READ)
}
