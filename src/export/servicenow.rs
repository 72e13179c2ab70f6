//! The fields of a change request in ServiceNow, each within its length. What does not fit goes on in work notes, and
//! the field says so: nothing is cut in silence.

use super::document::{self, Block, Detail};
use super::report::{FindingOut, PhaseOut, Report};
use super::{text, words};

/// One field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name in the table: `short_description`.
    pub name: &'static str,
    /// Its label in a form.
    pub label: String,
    /// The most characters it takes.
    pub limit: usize,
    /// What goes into it.
    pub text: String,
    /// What did not fit, in characters; it stands in the work notes below the field.
    pub over: usize,
}

/// The name of the fields that take what did not fit.
pub const WORK_NOTES: &str = "work_notes";

/// Lengths as ServiceNow ships them.
const LINE: usize = 160;
const AREA: usize = 4_000;

/// Fills the fields, in the order of the form.
#[must_use]
pub fn fields(report: &Report, detail: Detail) -> Vec<Field> {
    let mut out = vec![short_description(report)];
    let areas = [
        ("description", "Description", description(report)),
        ("justification", "Justification", justification(report)),
        ("implementation_plan", "Implementation plan", plan(report, detail)),
        ("risk_impact_analysis", "Risk and impact analysis", risk(report, detail)),
        ("backout_plan", "Backout plan", backout(report)),
        ("test_plan", "Test plan", tests(report)),
    ];
    for (name, label, words) in areas {
        area(&mut out, name, label, words.trim());
    }
    out
}

/// All fields as one text.
#[must_use]
pub fn write(report: &Report, detail: Detail) -> String {
    let mut out = String::new();
    for field in fields(report, detail) {
        out.push_str(&format!("== {} ({}): {}\n", field.name, field.label, fill(&field)));
        out.push_str(&field.text);
        out.push_str("\n\n");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// How full a field is: "87 of 160 characters".
#[must_use]
pub fn fill(field: &Field) -> String {
    let over = match field.over {
        0 => String::new(),
        n => format!(", {n} more in the work notes below"),
    };
    format!("{} of {} characters{over}", field.text.chars().count(), field.limit)
}

fn short_description(report: &Report) -> Field {
    let whole = format!("etcd: {}. {}", words::route(report), report.summary);
    let over = whole.chars().count().saturating_sub(LINE);
    let text = if over == 0 { whole } else { whole.chars().take(LINE - 1).chain(['…']).collect() };
    // All of it stands in the description too, so there is nothing to carry on.
    Field { name: "short_description", label: "Short description".to_owned(), limit: LINE, text, over: 0 }
}

/// A field and, behind it, the work notes with what did not fit; each ends with a whole line where there is one.
fn area(out: &mut Vec<Field>, name: &'static str, label: &str, words: &str) {
    let total = words.chars().count();
    let field = |name, label: String, text: String, over| Field { name, label, limit: AREA, text, over };
    if total <= AREA {
        out.push(field(name, label.to_owned(), words.to_owned(), 0));
        return;
    }
    let said = format!("\n(goes on in the work notes: {label}, continued)");
    let (first, mut rest) = split(words, AREA - said.chars().count());
    out.push(field(name, label.to_owned(), format!("{first}{said}"), rest.chars().count()));
    let mut part = 2;
    while !rest.is_empty() {
        let title = format!("{label}, continued, part {part}:\n");
        let (now, after) = split(rest, AREA - title.chars().count());
        out.push(field(WORK_NOTES, format!("Work notes: {label}, part {part}"), format!("{title}{now}"), 0));
        rest = after;
        part += 1;
    }
}

/// Splits behind the last line that fits; a line longer than all that is split inside.
fn split(text: &str, most: usize) -> (&str, &str) {
    let Some((end, _)) = text.char_indices().nth(most) else { return (text, "") };
    let head = text.get(..end).unwrap_or(text);
    let end = head.rfind('\n').filter(|at| *at > 0).unwrap_or(end);
    let (first, rest) = text.split_at(end);
    (first, rest.strip_prefix('\n').unwrap_or(rest))
}

fn description(report: &Report) -> String {
    let head = Block::Head {
        title: words::route(report),
        summary: report.summary.clone(),
        next: report.next.clone(),
        dated: words::dated(report),
    };
    let mut blocks = vec![head];
    document::members(&mut blocks, report);
    text::render(&blocks)
}

/// Why it is done: what the gates and known issues say of what runs now.
fn justification(report: &Report) -> String {
    let mut out = format!("{}.\n", words::route(report));
    let of_release = |f: &&FindingOut| f.group == "Release" && matches!(f.outcome.as_str(), "blocked" | "warning");
    for f in report.findings.iter().filter(of_release) {
        out.push_str(&format!("- {} [{}]\n", f.statement, f.gate));
    }
    let mut issues = Vec::new();
    document::known_issues(&mut issues, report);
    out.push_str(&text::render(&issues));
    out
}

fn plan(report: &Report, detail: Detail) -> String {
    let mut blocks = Vec::new();
    document::checklist(&mut blocks, report, detail, |_| true);
    text::render(&blocks)
}

fn risk(report: &Report, detail: Detail) -> String {
    let mut blocks = Vec::new();
    document::findings(&mut blocks, report, detail, |_| true);
    document::closed(&mut blocks, report);
    document::windows(&mut blocks, report);
    document::quorum(&mut blocks, report);
    document::asks(&mut blocks, report, detail);
    text::render(&blocks)
}

/// The ways back, said again wherever one opens or shuts.
fn backout(report: &Report) -> String {
    let mut blocks = Vec::new();
    document::windows(&mut blocks, report);
    let mut out = text::render(&blocks);
    let mut before = None;
    for s in report.checklist.iter().flat_map(|phase| &phase.steps) {
        let changed: Vec<String> =
            words::ways_back(&s.ways_back, before).into_iter().filter(|way| way.contains(": ")).collect();
        if !changed.is_empty() {
            out.push_str(&format!("\nAfter step {} ({}):\n", s.number, s.title));
            changed.iter().for_each(|way| out.push_str(&format!("  {way}\n")));
        }
        before = Some(&s.ways_back);
    }
    out
}

/// What each step must show.
fn tests(report: &Report) -> String {
    let mut out = String::new();
    let mut phase_said = |phase: &PhaseOut| {
        for s in &phase.steps {
            out.push_str(&format!("Step {} ({}): {} Stop when: {}\n", s.number, s.title, s.expect, s.stop_when));
        }
    };
    report.checklist.iter().for_each(&mut phase_said);
    out
}

#[cfg(test)]
mod tests_of_lengths {
    use super::*;

    #[test]
    fn what_does_not_fit_goes_on_and_nothing_is_lost() {
        let words: String = (0..400).map(|n| format!("line {n}, with an ü\n")).collect();
        let mut out = Vec::new();
        area(&mut out, "test_plan", "Test plan", words.trim());
        assert!(out.len() > 1);
        assert!(out.iter().all(|f| f.text.chars().count() <= AREA), "{out:#?}");
        let joined: String = out.iter().map(|f| format!("{}\n", f.text)).collect();
        for n in 0..400 {
            assert!(joined.lines().any(|line| line == format!("line {n}, with an ü")), "line {n} is gone");
        }
        let first = out[0].text.lines().filter(|line| line.starts_with("line")).count();
        assert!(out[0].over > 0 && out[0].text.ends_with("(goes on in the work notes: Test plan, continued)"));
        let rest: Vec<String> = (first..400).map(|n| format!("line {n}, with an ü")).collect();
        assert_eq!(out[0].over, rest.join("\n").chars().count());
    }

    #[test]
    fn one_long_line_is_split_inside() {
        let words = "ü".repeat(9_000);
        let mut out = Vec::new();
        area(&mut out, "test_plan", "Test plan", &words);
        assert!(out.iter().all(|f| f.text.chars().count() <= AREA));
        let all: usize = out.iter().map(|f| f.text.matches('ü').count()).sum();
        assert_eq!(all, 9_000);
    }
}
