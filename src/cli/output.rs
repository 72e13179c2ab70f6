//! How a report is printed: with what was written beside its steps, redacted, in a format.

use std::io::Write as _;

use etcd_upgrade_planner::export::closing::{self, Before};
use etcd_upgrade_planner::export::clusters::{self, Entry};
use etcd_upgrade_planner::export::document::Detail;
use etcd_upgrade_planner::export::record::Records;
use etcd_upgrade_planner::export::redact::{self, Redaction};
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::export::{self, Format};

use super::arguments::{Common, PutBack};
use super::input;

/// The report as it is printed.
pub fn report(given: &Common, mut report: Report) -> Result<String, String> {
    let Some(format) = given.format.of_report() else {
        prepare(given, &mut report)?;
        return report.rehearsal.clone().ok_or_else(|| nothing_to_rehearse(&report));
    };
    prepare(given, &mut report)?;
    Ok(export::write(&report, format, detail(given)))
}

/// The table of several clusters as it is printed; as JSON, every report with the name of its cluster.
pub fn table(given: &Common, mut entries: Vec<Entry>) -> Result<String, String> {
    let Some(format) = given.format.of_report() else {
        return Err("a rehearsal is of one cluster: give its files".to_owned());
    };
    if given.redact || given.redact_key.is_some() {
        return Err("--redact is for one cluster at a time: give its files".to_owned());
    }
    clusters::worst_first(&mut entries);
    if format == Format::Json {
        let all: Vec<serde_json::Value> = entries.iter().map(cluster_json).collect();
        return serde_json::to_string_pretty(&all).map(|text| text + "\n").map_err(|e| e.to_string());
    }
    Ok(export::render("Clusters", &clusters::document(&entries), format))
}

/// The closing record as it is printed.
pub fn closing(given: &Common, before: &Before, after: &Report) -> Result<String, String> {
    let Some(format) = given.format.of_report() else {
        return Err("a closing record is no script".to_owned());
    };
    let records = given.records.as_deref().map(records).transpose()?.unwrap_or_default();
    let blocks = closing::document(before, after, &records);
    let text = export::render(&closing::title(before), &blocks, format);
    if !given.redact {
        return Ok(text);
    }
    let mut shown = after.clone();
    shown.take_records(&records);
    let redaction = closing::redaction(before, &shown, &blocks, &given.redact_also);
    save_key(given, &redaction)?;
    Ok(redaction.text(&text))
}

/// An answer with the names put back.
pub fn put_back(given: &PutBack) -> Result<String, String> {
    let key = std::fs::read_to_string(&given.key).map_err(|e| format!("{}: {e}", given.key))?;
    let text = input::read(&given.file)?.text;
    redact::put_back(&text, &key).map_err(|e| format!("{}: {e}", given.key))
}

/// Writes to stdout; a reader that went away (`| head`) is no error.
pub fn write_out(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(format!("could not write the report: {error}"))
        }
        _ => Ok(()),
    }
}

fn detail(given: &Common) -> Detail {
    if given.brief { Detail::Brief } else { Detail::Full }
}

/// Records in, evidence out, names replaced: in this order, so that records are redacted too.
fn prepare(given: &Common, report: &mut Report) -> Result<(), String> {
    if let Some(path) = &given.records {
        report.take_records(&records(path)?);
    }
    if given.no_evidence {
        report.leave_evidence_out();
    }
    if given.redact {
        let redaction = Redaction::of(report, &[], &given.redact_also);
        save_key(given, &redaction)?;
        redaction.report(report);
    }
    Ok(())
}

fn save_key(given: &Common, redaction: &Redaction) -> Result<(), String> {
    let Some(path) = &given.redact_key else { return Ok(()) };
    std::fs::write(path, redaction.key()).map_err(|e| format!("{path}: {e}"))
}

fn records(path: &str) -> Result<Records, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    serde_json::from_str(&text)
        .map_err(|e| format!("{path}: expected a JSON object of step ids, each with done, owner, time and note: {e}"))
}

fn cluster_json(entry: &Entry) -> serde_json::Value {
    match &entry.result {
        Ok(report) => serde_json::json!({ "cluster": entry.name, "verdict": entry.verdict(), "report": report }),
        Err(error) => serde_json::json!({ "cluster": entry.name, "verdict": entry.verdict(), "error": error }),
    }
}

fn nothing_to_rehearse(report: &Report) -> String {
    format!(
        "nothing to rehearse: a rehearsal needs an upgrade with members left to move, and what they run. {}",
        report.summary
    )
}
