//! Plain text for a terminal: the verdict first, then what it rests on, then what to do. No colour, no wrapping of
//! commands; prose is left to the terminal's own wrapping.

use std::fmt::Write as _;

use super::report::{AskOut, FindingOut, PhaseOut, Report, StepOut, WaysBackOut};
use super::words;

/// Writes the report as plain text.
#[must_use]
pub fn write(report: &Report) -> String {
    let mut out = String::new();
    head(&mut out, report);
    members(&mut out, report);
    changes(&mut out, report);
    findings(&mut out, report);
    asks(&mut out, report);
    unread(&mut out, report);
    windows(&mut out, report);
    bump(&mut out, report);
    let mut before = None;
    for phase in &report.checklist {
        checklist(&mut out, phase, &mut before);
    }
    if report.checklist.is_empty() {
        line(&mut out, "\nNo checklist: there is nothing to move yet.");
    }
    out
}

fn head(out: &mut String, report: &Report) {
    line(out, &report.summary);
    if !report.next.is_empty() {
        line(out, &format!("Next: {}", report.next));
    }
    line(out, "");
    line(out, &format!("{} · {}", words::route(report), words::dated(report)));
}

/// What newer pastes say otherwise than older ones.
fn changes(out: &mut String, report: &Report) {
    if !report.changes.is_empty() {
        line(out, "\nCHANGED SINCE THE OLDER PASTES");
        report.changes.iter().for_each(|change| line(out, &format!("  {}", words::change(change))));
    }
}

/// The worksheet of the revision bump.
fn bump(out: &mut String, report: &Report) {
    let Some(bump) = &report.bump else { return };
    line(out, "\nREVISION BUMP");
    line(out, &format!("  {}", bump.words));
    for factor in &bump.factors {
        line(out, &format!("  {}: {}", factor.name, words::factor(factor)));
    }
    for step in &bump.lines {
        line(out, &format!("  = {step}"));
    }
}

fn members(out: &mut String, report: &Report) {
    if report.members.is_empty() {
        return;
    }
    line(out, "\nMEMBERS");
    let rows: Vec<[String; 7]> = report.members.iter().map(words::member_row).collect();
    let header = words::MEMBER_HEADER.map(str::to_owned);
    let width = |column: usize| {
        let cells = std::iter::once(&header).chain(&rows).filter_map(|r| r.get(column));
        cells.map(|c| c.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    for row in std::iter::once(&header).chain(&rows) {
        let mut text = String::from(" ");
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(text, " {cell:width$} ");
        }
        line(out, text.trim_end());
    }
}

fn findings(out: &mut String, report: &Report) {
    for (outcome, title) in words::OPEN_OUTCOMES {
        for f in report.findings.iter().filter(|f| f.outcome == outcome) {
            finding(out, f, title, &report.asks);
        }
    }
    let passed = words::gates_at(report, "passed");
    if !passed.is_empty() {
        line(out, &format!("\n✓ Passed: {}", passed.join(", ")));
    }
    for (outcome, title) in words::SILENT_OUTCOMES {
        let gates = words::gates_at(report, outcome);
        if !gates.is_empty() {
            line(out, &format!("– {title}: {}", gates.join(", ")));
        }
    }
}

fn finding(out: &mut String, f: &FindingOut, title: &str, asks: &[AskOut]) {
    let hop = f.hop.as_ref().map_or_else(String::new, |h| format!(" ({h})"));
    line(out, &format!("\n{title}  {}{hop}  [{}]", f.statement, f.gate));
    for ground in &f.grounds {
        line(out, &format!("    seen    {}", words::place(&ground.paste, ground.first_line, ground.last_line)));
        for quoted in ground.quote.lines() {
            line(out, &format!("            | {quoted}"));
        }
    }
    for answer in &f.answers {
        line(out, &format!("    said    {answer}"));
    }
    if let Some(remedy) = &f.remedy {
        line(out, &format!("    do      {remedy}"));
    }
    commands(out, &f.commands, "            ");
    if f.outcome == "cant-tell" {
        let answered_by: Vec<String> = (1..)
            .zip(asks)
            .filter(|(_, ask)| ask.gates.contains(&f.gate))
            .map(|(number, _)| number.to_string())
            .collect();
        line(out, &format!("    answer  see ASKED FOR {}", answered_by.join(", ")));
    }
    if let Some(note) = &f.accepted {
        line(out, &format!("    note    {note}"));
    }
    if let Some(note) = &f.note {
        line(out, &format!("    note    {note}"));
    }
    for source in &f.sources {
        let url = source.url.as_ref().map_or_else(String::new, |u| format!(" {u}"));
        line(out, &format!("    source  {} (holds for {}){url}", source.title, source.holds_for));
    }
}

fn asks(out: &mut String, report: &Report) {
    if report.asks.is_empty() {
        return;
    }
    line(out, "\nASKED FOR");
    for (number, ask) in (1..).zip(&report.asks) {
        let gates = ask.gates.join(", ");
        match &ask.question {
            Some(question) => {
                let key = ask.answer.as_deref().unwrap_or_default();
                line(out, &format!("  {number}. {question}  --answer {key}=…  [{gates}]"));
            }
            None => {
                let members = words::for_members(&ask.members);
                line(out, &format!("  {number}. Run{members} and paste what it prints  [{gates}]"));
                commands(out, std::slice::from_ref(&ask.command), "     ");
            }
        }
    }
}

fn unread(out: &mut String, report: &Report) {
    if report.unread.is_empty() {
        return;
    }
    line(out, "\nUNREAD");
    for u in &report.unread {
        line(out, &format!("  {}: {}", words::place(&u.paste, u.first_line, u.last_line), u.tried));
    }
}

fn windows(out: &mut String, report: &Report) {
    if report.windows.is_empty() {
        return;
    }
    line(out, "\nROLLBACK WINDOW");
    for w in &report.windows {
        line(out, &format!("  {}", words::window(report, w)));
    }
}

fn checklist<'a>(out: &mut String, phase: &'a PhaseOut, before: &mut Option<&'a WaysBackOut>) {
    let hop = phase.hop.as_ref().map_or_else(String::new, |h| format!("{h}  "));
    let note = phase.note.as_ref().map_or_else(String::new, |n| format!("  ({n})"));
    line(out, &format!("\n{hop}{}{note}", phase.phase.to_uppercase()));
    for s in &phase.steps {
        step(out, s, *before);
        *before = Some(&s.ways_back);
    }
}

fn step(out: &mut String, s: &StepOut, before: Option<&WaysBackOut>) {
    line(out, &format!("  {:>2}. [ ] {}", s.number, s.title));
    line(out, &format!("      why     {}", s.why));
    commands(out, &s.commands, "        ");
    line(out, &format!("      expect  {}", s.expect));
    line(out, &format!("      stop    {}", s.stop_when));
    for (i, way) in words::ways_back_lines(&s.ways_back, before).into_iter().enumerate() {
        line(out, &format!("      {}{way}", if i == 0 { "back    " } else { "        " }));
    }
}

fn commands(out: &mut String, commands: &[String], indent: &str) {
    for text in commands.iter().flat_map(|c| c.lines()) {
        line(out, &format!("{indent}$ {text}"));
    }
}

/// One line; control characters of a paste never reach the terminal.
fn line(out: &mut String, text: &str) {
    for part in text.split('\n') {
        out.extend(part.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }));
        out.push('\n');
    }
}
