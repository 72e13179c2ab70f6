//! The report, walked once.

use super::{Block, Detail, Inline, Label, Line, code, is_web_address, text};
use crate::export::report::{AskOut, FindingOut, PhaseOut, Report, SourceOut, StepOut, WaysBackOut};
use crate::export::words;

/// The whole report as a document.
#[must_use]
pub fn of(report: &Report, detail: Detail) -> Vec<Block> {
    let mut out = vec![head(report)];
    members(&mut out, report);
    changes(&mut out, report);
    out.push(Block::Section("Gates".to_owned()));
    findings(&mut out, report, detail, |_| true);
    closed(&mut out, report);
    waivers(&mut out, report);
    asks(&mut out, report, detail);
    if detail == Detail::Full {
        notes(&mut out, report);
        known_issues(&mut out, report);
        unread(&mut out, report);
    }
    windows(&mut out, report);
    bump(&mut out, report);
    quorum(&mut out, report);
    checklist(&mut out, report, detail, |_| true);
    out
}

fn head(report: &Report) -> Block {
    Block::Head {
        title: words::route(report),
        summary: report.summary.clone(),
        next: report.next.clone(),
        dated: words::dated(report),
    }
}

/// A part with a heading; nothing when it has no blocks.
fn section(out: &mut Vec<Block>, title: &str, blocks: Vec<Block>) {
    if !blocks.is_empty() {
        out.push(Block::Section(title.to_owned()));
        out.extend(blocks);
    }
}

fn listed(out: &mut Vec<Block>, title: &str, items: Vec<Line>) {
    if !items.is_empty() {
        section(out, title, vec![Block::List(items)]);
    }
}

fn table<const N: usize>(
    out: &mut Vec<Block>,
    title: &str,
    header: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) {
    let rows: Vec<Vec<String>> = rows.map(Vec::from).collect();
    if !rows.is_empty() {
        let header = header.iter().map(|&column| column.to_owned()).collect();
        section(out, title, vec![Block::Table { header, rows }]);
    }
}

/// The members.
pub fn members(out: &mut Vec<Block>, report: &Report) {
    table(out, "Members", words::MEMBER_HEADER, report.members.iter().map(words::member_row));
}

/// The quorum before a change of members and after each of its steps.
pub fn quorum(out: &mut Vec<Block>, report: &Report) {
    table(out, "Quorum, step by step", words::QUORUM_HEADER, report.quorum.iter().map(words::quorum_row));
}

/// What newer pastes say otherwise than older ones.
fn changes(out: &mut Vec<Block>, report: &Report) {
    let items = report.changes.iter().map(|change| vec![text(words::change(change))]).collect();
    listed(out, "Changed since the older pastes", items);
}

/// The findings that need a person, most urgent first.
pub fn findings(out: &mut Vec<Block>, report: &Report, detail: Detail, wanted: impl Fn(&FindingOut) -> bool) {
    for (outcome, word) in words::OPEN_OUTCOMES {
        for f in report.findings.iter().filter(|f| f.outcome == outcome && wanted(f)) {
            out.push(finding(f, word, &report.asks, detail));
        }
    }
}

fn finding(f: &FindingOut, outcome: &'static str, asks: &[AskOut], detail: Detail) -> Block {
    let hop = f.hop.as_ref().map_or_else(String::new, |hop| format!(" ({hop})"));
    let mut body = Vec::new();
    if detail == Detail::Full {
        grounds(&mut body, f);
    }
    if let Some(remedy) = &f.remedy {
        body.push(said(Label::Do, remedy));
    }
    if detail == Detail::Full {
        commands(&mut body, &f.commands);
    }
    if f.outcome == "cant-tell" {
        let answered_by = (1_usize..).zip(asks).filter(|(_, ask)| ask.gates.contains(&f.gate));
        let numbers: Vec<String> = answered_by.map(|(number, _)| number.to_string()).collect();
        if !numbers.is_empty() {
            body.push(said(Label::Answer, &format!("see Asked for {}", numbers.join(", "))));
        }
    }
    body.extend([&f.accepted, &f.note].into_iter().flatten().map(|note| said(Label::Note, note)));
    if detail == Detail::Full {
        body.extend(f.sources.iter().map(|s| Block::Term(Label::Source, vec![source(s)])));
    }
    Block::Finding { outcome, statement: format!("{}{hop}", f.statement), gate: f.gate.clone(), body }
}

/// What a finding rests on. A report without evidence has no quotes.
fn grounds(body: &mut Vec<Block>, f: &FindingOut) {
    for ground in &f.grounds {
        let place = words::place(&ground.paste, ground.first_line, ground.last_line);
        body.push(said(Label::Seen, &place));
        if !ground.quote.is_empty() {
            body.push(Block::Quote(ground.quote.clone()));
        }
    }
    body.extend(f.answers.iter().map(|answer| Block::Term(Label::Said, vec![vec![code(answer)]])));
}

fn source(s: &SourceOut) -> Line {
    let title = match &s.url {
        Some(url) if is_web_address(url) => Inline::Link { title: s.title.clone(), url: url.clone() },
        _ => text(&s.title),
    };
    vec![title, text(format!(" (holds for {})", s.holds_for))]
}

fn said(label: Label, words: &str) -> Block {
    Block::Term(label, vec![vec![text(words)]])
}

fn commands(body: &mut Vec<Block>, commands: &[String]) {
    if !commands.is_empty() {
        body.push(Block::Commands(commands.join("\n")));
    }
}

/// The gates that need nobody, by name.
pub fn closed(out: &mut Vec<Block>, report: &Report) {
    let all = std::iter::once(("passed", "✓ Passed")).chain(words::SILENT_OUTCOMES);
    for (outcome, word) in all {
        let gates = words::gates_at(report, outcome);
        if !gates.is_empty() {
            out.push(Block::Say(vec![text(format!("{word}: {}", gates.join(", ")))]));
        }
    }
}

/// Warnings that somebody accepted.
fn waivers(out: &mut Vec<Block>, report: &Report) {
    let one =
        |w: &crate::export::report::AcceptedOut| vec![code(&w.gate), text(format!(" {} {}", w.statement, w.accepted))];
    listed(out, "Accepted warnings", report.waivers.iter().map(one).collect());
}

/// What is asked for, numbered.
pub fn asks(out: &mut Vec<Block>, report: &Report, detail: Detail) {
    let mut blocks = Vec::new();
    if let (Some(hint), false) = (words::tls_hint(report), report.asks.is_empty()) {
        blocks.push(Block::Say(vec![text(hint)]));
    }
    for (number, ask) in (1..).zip(&report.asks) {
        let (title, mut body) = match &ask.question {
            Some(question) => {
                let key = ask.answer.as_ref().map(|key| vec![code(format!("{key}=…"))]);
                (question.clone(), key.map(|key| Block::Term(Label::Answer, vec![key])).into_iter().collect())
            }
            None => {
                let members = words::for_members(&ask.members);
                let command = vec![Block::Commands(ask.command.clone())];
                (format!("Run{members} and paste what it prints"), command)
            }
        };
        if detail == Detail::Brief && ask.question.is_some() {
            body.clear();
        }
        blocks.push(Block::Task { done: false, number, title, id: ask.gates.join(", "), body });
    }
    section(out, "Asked for", blocks);
}

/// What gates that passed have to say.
fn notes(out: &mut Vec<Block>, report: &Report) {
    let one = |(f, note): (&FindingOut, &str)| vec![text(format!("{} {note} ", f.statement)), code(&f.gate)];
    listed(out, "Notes", words::notes(report).map(one).collect());
}

/// Known issues of these versions.
pub fn known_issues(out: &mut Vec<Block>, report: &Report) {
    let one = |issue: &crate::export::report::KnownIssueOut| {
        vec![text(format!("{}: {} ", issue.severity, words::known_issue(issue))), code(&issue.id)]
    };
    let title = "Known issues of these versions (nothing to decide)";
    listed(out, title, report.known_issues.iter().map(one).collect());
}

fn unread(out: &mut Vec<Block>, report: &Report) {
    let one = |u: &crate::export::report::UnreadOut| {
        vec![text(format!("{}: {}", words::place(&u.paste, u.first_line, u.last_line), u.tried))]
    };
    listed(out, "Unread", report.unread.iter().map(one).collect());
}

/// The rollback windows.
pub fn windows(out: &mut Vec<Block>, report: &Report) {
    let items = report.windows.iter().map(|w| vec![text(words::window(report, w))]).collect();
    listed(out, "Rollback window", items);
}

/// The worksheet of the revision bump.
fn bump(out: &mut Vec<Block>, report: &Report) {
    let Some(bump) = &report.bump else { return };
    let mut blocks = vec![Block::Say(vec![text(&bump.words)])];
    let rows = bump.factors.iter().map(|f| vec![f.name.clone(), words::factor(f)]).collect();
    blocks.push(Block::Table { header: vec!["factor".to_owned(), "value".to_owned()], rows });
    if !bump.lines.is_empty() {
        blocks.push(Block::List(bump.lines.iter().map(|line| vec![text(line)]).collect()));
    }
    section(out, "Revision bump", blocks);
}

/// The phases that are wanted, with all their steps.
pub fn checklist(out: &mut Vec<Block>, report: &Report, detail: Detail, wanted: impl Fn(&PhaseOut) -> bool) {
    out.push(Block::Section("Checklist".to_owned()));
    let start = out.len();
    let mut before: Option<&WaysBackOut> = None;
    for phase in &report.checklist {
        let shown = wanted(phase);
        if shown {
            let hop = phase.hop.as_ref().map_or_else(String::new, |hop| format!("{hop}: "));
            let note = phase.note.as_ref().map_or_else(String::new, |note| format!(" ({note})"));
            out.push(Block::Sub(format!("{hop}{}{note}", phase.phase)));
        }
        for s in &phase.steps {
            if shown {
                out.push(step(s, before, detail));
            }
            before = Some(&s.ways_back);
        }
    }
    if out.len() == start {
        out.pop();
        if report.checklist.is_empty() {
            out.push(Block::Say(vec![text("No checklist: there is nothing to move yet.")]));
        }
    }
}

fn step(s: &StepOut, before: Option<&WaysBackOut>, detail: Detail) -> Block {
    let mut body = Vec::new();
    if detail == Detail::Full {
        body.push(said(Label::Why, &s.why));
        commands(&mut body, &s.commands);
        body.push(said(Label::Expect, &s.expect));
        body.push(said(Label::Stop, &s.stop_when));
        let ways = words::ways_back_lines(&s.ways_back, before).into_iter().map(|way| vec![text(way)]);
        body.push(Block::Term(Label::Back, ways.collect()));
    }
    let mut done = false;
    if let Some(record) = &s.record {
        done = record.done;
        body.extend(words::record(record).map(|words| said(Label::Record, &words)));
        if !record.note.is_empty() {
            body.push(said(Label::Note, &record.note));
        }
    }
    Block::Task { done, number: s.number, title: s.title.clone(), id: s.id.clone(), body }
}
