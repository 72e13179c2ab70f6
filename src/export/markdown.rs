//! Markdown with a task list, for GitHub, GitLab and every ticket system that reads either.
//!
//! What came from a paste stands in code spans and fences only, each longer than any run of back-ticks in it, so that
//! no paste can break out of its place.

use std::fmt::Write as _;

use super::report::{FindingOut, PhaseOut, Report, StepOut, WaysBackOut};
use super::words;

/// Writes the report as GitHub-flavoured Markdown.
#[must_use]
pub fn write(report: &Report) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# {}\n", escape(&words::route(report)));
    let _ = writeln!(out, "**{}**\n", escape(&report.summary));
    if !report.next.is_empty() {
        let _ = writeln!(out, "Next: {}\n", escape(&report.next));
    }
    let _ = writeln!(out, "etcd Upgrade Planner, {}\n", escape(&words::dated(report)));
    members(&mut out, report);
    changes(&mut out, report);
    findings(&mut out, report);
    asks(&mut out, report);
    unread(&mut out, report);
    if !report.windows.is_empty() {
        out.push_str("## Rollback window\n\n");
        for w in &report.windows {
            let _ = writeln!(out, "- {}", escape(&words::window(report, w)));
        }
        out.push('\n');
    }
    bump(&mut out, report);
    if !report.checklist.is_empty() {
        out.push_str("## Checklist\n\n");
        let mut before = None;
        report.checklist.iter().for_each(|p| phase(&mut out, p, &mut before));
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

/// What newer pastes say otherwise than older ones.
fn changes(out: &mut String, report: &Report) {
    if report.changes.is_empty() {
        return;
    }
    out.push_str("## Changed since the older pastes\n\n");
    for change in &report.changes {
        let _ = writeln!(out, "- {}", escape(&words::change(change)));
    }
    out.push('\n');
}

/// The worksheet of the revision bump.
fn bump(out: &mut String, report: &Report) {
    let Some(bump) = &report.bump else { return };
    let _ = writeln!(out, "## Revision bump\n\n{}\n", escape(&bump.words));
    out.push_str("| Factor | Value |\n| --- | --- |\n");
    for factor in &bump.factors {
        let _ = writeln!(out, "| {} | {} |", escape(&factor.name), escape(&words::factor(factor)));
    }
    out.push('\n');
    for step in &bump.lines {
        let _ = writeln!(out, "- {}", escape(step));
    }
    out.push('\n');
}

fn members(out: &mut String, report: &Report) {
    if report.members.is_empty() {
        return;
    }
    out.push_str("## Members\n\n");
    let _ = writeln!(out, "| {} |", words::MEMBER_HEADER.join(" | "));
    let _ = writeln!(out, "|{}", " --- |".repeat(words::MEMBER_HEADER.len()));
    for m in &report.members {
        let cells = words::member_row(m).map(|c| escape(&c));
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out.push('\n');
}

fn findings(out: &mut String, report: &Report) {
    out.push_str("## Gates\n\n");
    for (outcome, title) in words::OPEN_OUTCOMES {
        report.findings.iter().filter(|f| f.outcome == outcome).for_each(|f| finding(out, f, title));
    }
    let closed = std::iter::once(("passed", "✓ Passed")).chain(words::SILENT_OUTCOMES);
    for (outcome, title) in closed {
        let gates = words::gates_at(report, outcome);
        if !gates.is_empty() {
            let list: Vec<String> = gates.iter().map(|g| format!("`{g}`")).collect();
            let _ = writeln!(out, "{title}: {}\n", list.join(", "));
        }
    }
}

fn finding(out: &mut String, f: &FindingOut, title: &str) {
    let hop = f.hop.as_ref().map_or_else(String::new, |h| format!(" ({h})"));
    let _ = writeln!(out, "### {title}: {}{}\n\n`{}`\n", escape(&f.statement), escape(&hop), f.gate);
    for g in &f.grounds {
        let _ = writeln!(out, "Seen in {}:\n", escape(&words::place(&g.paste, g.first_line, g.last_line)));
        fence(out, &g.quote, "", "text");
    }
    for answer in &f.answers {
        let _ = writeln!(out, "Answered: {}\n", code(answer));
    }
    if let Some(remedy) = &f.remedy {
        let _ = writeln!(out, "Do: {}\n", escape(remedy));
    }
    if !f.commands.is_empty() {
        fence(out, &f.commands.join("\n"), "", "sh");
    }
    if let (Some(ask), "cant-tell") = (&f.ask, f.outcome.as_str()) {
        out.push_str("To answer it:\n\n");
        fence(out, ask, "", "sh");
    }
    if let Some(note) = &f.accepted {
        let _ = writeln!(out, "Note: {}\n", escape(note));
    }
    if let Some(note) = &f.note {
        let _ = writeln!(out, "Note: {}\n", escape(note));
    }
    for s in &f.sources {
        let title = match &s.url {
            Some(url) => format!("[{}](<{url}>)", escape(&s.title)),
            None => escape(&s.title),
        };
        let _ = writeln!(out, "Source: {title}, holds for {}\n", escape(&s.holds_for));
    }
}

fn asks(out: &mut String, report: &Report) {
    if report.asks.is_empty() {
        return;
    }
    out.push_str("## Asked for\n\n");
    for ask in &report.asks {
        match &ask.question {
            Some(question) => {
                let _ =
                    writeln!(out, "- [ ] {} ({})\n", escape(question), code(ask.answer.as_deref().unwrap_or_default()));
            }
            None => {
                let _ =
                    writeln!(out, "- [ ] Run{} and paste what it prints:\n", escape(&words::for_members(&ask.members)));
                fence(out, &ask.command, "  ", "sh");
            }
        }
    }
}

fn unread(out: &mut String, report: &Report) {
    if report.unread.is_empty() {
        return;
    }
    out.push_str("## Unread\n\n");
    for u in &report.unread {
        let place = words::place(&u.paste, u.first_line, u.last_line);
        let _ = writeln!(out, "- {}: {}", escape(&place), escape(&u.tried));
    }
    out.push('\n');
}

fn phase<'a>(out: &mut String, p: &'a PhaseOut, before: &mut Option<&'a WaysBackOut>) {
    let hop = p.hop.as_ref().map_or_else(String::new, |h| format!("{h}: "));
    let note = p.note.as_ref().map_or_else(String::new, |n| format!(" ({n})"));
    let _ = writeln!(out, "### {}\n", escape(&format!("{hop}{}{note}", p.phase)));
    for s in &p.steps {
        step(out, s, *before);
        *before = Some(&s.ways_back);
    }
}

fn step(out: &mut String, s: &StepOut, before: Option<&WaysBackOut>) {
    let _ = writeln!(out, "- [ ] **{}. {}**\n", s.number, escape(&s.title));
    let _ = writeln!(out, "  {}\n", escape(&s.why));
    if !s.commands.is_empty() {
        fence(out, &s.commands.join("\n"), "  ", "sh");
    }
    let _ = writeln!(out, "  Expect: {}\n", escape(&s.expect));
    let _ = writeln!(out, "  Stop when: {}\n", escape(&s.stop_when));
    let _ = writeln!(out, "  Ways back: {}\n", escape(&words::ways_back_lines(&s.ways_back, before).join(" · ")));
}

/// A fenced block that its content can't close, with a blank line after it.
fn fence(out: &mut String, text: &str, indent: &str, language: &str) {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let _ = writeln!(out, "{indent}{fence}{language}");
    for line in text.lines() {
        let _ = writeln!(out, "{indent}{line}");
    }
    let _ = writeln!(out, "{indent}{fence}\n");
}

/// A code span that its content can't close.
fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{}{pad}{ticks}", text.replace('\n', " "))
}

fn longest_run(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Text that Markdown reads as text: CommonMark lets every ASCII punctuation sign be escaped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            out.push(' ');
            continue;
        }
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' | '@' | '!') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_with_backticks_stays_in_its_fence() {
        let mut out = String::new();
        fence(&mut out, "a ```` b", "", "text");
        assert_eq!(out, "`````text\na ```` b\n`````\n\n");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a"), "`` `a ``");
    }

    #[test]
    fn names_with_markup_are_text() {
        assert_eq!(escape("m|1 <b> *x* @all"), "m\\|1 \\<b\\> \\*x\\* \\@all");
        assert_eq!(escape("two\nlines"), "two lines");
    }
}
