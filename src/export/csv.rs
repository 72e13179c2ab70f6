//! CSV (RFC 4180) for spreadsheets: a row a finding that is open, a row a step.
//!
//! A cell that a spreadsheet would take for a formula gets an apostrophe in front, the sign of spreadsheets for text.

use super::document::Detail;
use super::report::{FindingOut, PhaseOut, Report, StepOut, WaysBackOut};
use super::words;

const SHORT: [&str; 11] = ["what", "state", "hop", "phase", "number", "id", "member", "title", "owner", "time", "note"];
const LONG: [&str; 6] = ["why or remedy", "commands", "expect", "stop when", "ways back", "grounds"];

/// Writes the report as CSV.
#[must_use]
pub fn write(report: &Report, detail: Detail) -> String {
    let columns = if detail == Detail::Full { SHORT.len() + LONG.len() } else { SHORT.len() };
    let mut out = String::new();
    row(&mut out, SHORT.iter().chain(&LONG).map(|&name| name.to_owned()).take(columns));
    for (outcome, _) in words::OPEN_OUTCOMES {
        for f in report.findings.iter().filter(|f| f.outcome == outcome) {
            row(&mut out, finding(f).into_iter().take(columns));
        }
    }
    let mut before = None;
    for phase in &report.checklist {
        for s in &phase.steps {
            row(&mut out, step(phase, s, before).into_iter().take(columns));
            before = Some(&s.ways_back);
        }
    }
    out
}

/// Writes rows of one length below a header.
#[must_use]
pub fn table(header: &[String], rows: &[Vec<String>]) -> String {
    let mut out = String::new();
    row(&mut out, header.iter().cloned());
    rows.iter().for_each(|cells| row(&mut out, cells.iter().cloned()));
    out
}

fn finding(f: &FindingOut) -> [String; SHORT.len() + LONG.len()] {
    let note = [&f.accepted, &f.note].into_iter().flatten().cloned().collect::<Vec<String>>().join(" ");
    let grounds = f.grounds.iter().map(|g| {
        let place = words::place(&g.paste, g.first_line, g.last_line);
        if g.quote.is_empty() { place } else { format!("{place}: {}", g.quote) }
    });
    [
        "finding".to_owned(),
        f.outcome.clone(),
        f.hop.clone().unwrap_or_default(),
        String::new(),
        String::new(),
        f.gate.clone(),
        f.member.clone().unwrap_or_default(),
        f.statement.clone(),
        String::new(),
        String::new(),
        note,
        f.remedy.clone().unwrap_or_default(),
        f.commands.join("\n"),
        f.ask.clone().unwrap_or_default(),
        String::new(),
        String::new(),
        grounds.chain(f.answers.iter().cloned()).collect::<Vec<String>>().join("\n"),
    ]
}

fn step(phase: &PhaseOut, s: &StepOut, before: Option<&WaysBackOut>) -> [String; SHORT.len() + LONG.len()] {
    let record = s.record.clone().unwrap_or_default();
    [
        "step".to_owned(),
        if record.done { "done" } else { "open" }.to_owned(),
        phase.hop.clone().unwrap_or_default(),
        phase.phase.clone(),
        s.number.to_string(),
        s.id.clone(),
        s.member.clone().unwrap_or_default(),
        s.title.clone(),
        record.owner,
        record.time,
        record.note,
        s.why.clone(),
        s.commands.join("\n"),
        s.expect.clone(),
        s.stop_when.clone(),
        words::ways_back_lines(&s.ways_back, before).join("\n"),
        String::new(),
    ]
}

fn row(out: &mut String, cells: impl Iterator<Item = String>) {
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            out.push(',');
        }
        push(out, &cell);
    }
    out.push_str("\r\n");
}

fn push(out: &mut String, cell: &str) {
    let formula = is_formula(cell);
    if !formula && !cell.contains([',', '"', '\n', '\r', ';', '\t']) {
        out.push_str(cell);
        return;
    }
    out.push('"');
    if formula {
        out.push('\'');
    }
    for c in cell.chars() {
        if c == '"' {
            out.push('"');
        }
        out.push(c);
    }
    out.push('"');
}

/// Would a spreadsheet calculate it? Blanks in front do not keep it from that, nor do the wide signs of Asian scripts.
fn is_formula(cell: &str) -> bool {
    cell.starts_with(['\t', '\r', '\n'])
        || cell.trim_start().starts_with(['=', '+', '-', '@', '|', '%', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(cell: &str) -> String {
        let mut out = String::new();
        push(&mut out, cell);
        out
    }

    #[test]
    fn cells_are_quoted_by_rfc_4180() {
        for (cell, written) in [
            ("m1", "m1"),
            ("", ""),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("ü|{}", "ü|{}"),
        ] {
            assert_eq!(one(cell), written);
        }
    }

    #[test]
    fn nothing_is_calculated() {
        for cell in
            ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1", "＝1", "|cmd", "%0A=1", "=cmd|' /C calc'!A0"]
        {
            let written = one(cell);
            assert!(written.starts_with("\"'"), "{written}");
        }
        assert_eq!(one("=\"x\""), "\"'=\"\"x\"\"\"");
    }
}
