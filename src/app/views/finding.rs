//! One finding: a line that opens to what was seen, what to do, and what proves the rule.

use etcd_upgrade_planner::export::report::{AskOut, FindingOut, GroundOut, Report, SourceOut};

use super::waivers::accept;
use crate::app::components::command::{command, commands};
use crate::app::components::outcome::outcome;
use crate::app::dom::list::digest;
use crate::app::dom::{El, button, el, text};
use crate::app::state::State;
use crate::app::words;

/// One finding, open or folded.
pub fn finding(state: State, finding: &FindingOut, open: bool) -> El {
    let about: Vec<&str> = [&finding.member, &finding.hop].into_iter().flatten().map(String::as_str).collect();
    let statement = el("span")
        .text(&finding.statement)
        .children((!about.is_empty()).then(|| text(" ")))
        .children((!about.is_empty()).then(|| el("span").class("about").text(&about.join(", "))))
        .children(finding.accepted.as_ref().map(|_| el("span").class("about").text(" accepted")));
    let summary = el("summary")
        .child(outcome(&finding.outcome))
        .child(statement)
        .child(el("span").class("id").attr("translate", "no").text(&finding.gate));
    let details = el("details").class("gate").attr("data-gate", &finding.gate);
    let details = if open { details.attr("open", "") } else { details };
    details.child(summary).child(
        el("dl")
            .class("in")
            .children(seen(state, finding))
            .children(remedy(finding))
            .children(answers_it(state, finding))
            .children(note(finding))
            .children(accept(state, finding))
            .children(sources(&finding.sources)),
    )
}

/// A term with what it stands for.
pub fn term(word: &str, meaning: El) -> Vec<El> {
    vec![el("dt").text(word), meaning]
}

fn remedy(finding: &FindingOut) -> Vec<El> {
    if finding.remedy.is_none() && finding.commands.is_empty() {
        return Vec::new();
    }
    let words = finding.remedy.as_deref().unwrap_or_default();
    term("Do", el("dd").text(words).children(commands(&finding.commands)))
}

fn note(finding: &FindingOut) -> Vec<El> {
    finding.note.as_deref().map_or_else(Vec::new, |note| term("Note", el("dd").text(note)))
}

/// What would answer the gate: commands and questions of the report that name it. The finding's own words stand for what
/// the report asks for in another way.
fn answers_it(state: State, finding: &FindingOut) -> Vec<El> {
    if finding.outcome != "cant-tell" {
        return Vec::new();
    }
    let (gate, member) = (finding.gate.clone(), finding.member.clone());
    let own = finding.ask.clone().unwrap_or_default();
    let (key_gate, key_member) = (gate.clone(), member.clone());
    let key = move || Some(state.report(|r| digest(&asks(r, &key_gate, key_member.as_deref()))));
    let draw = move || {
        let drawn: Vec<El> = state.report(|r| asks(r, &gate, member.as_deref()).into_iter().flat_map(ask).collect());
        if drawn.is_empty() { vec![el("p").text(&own)] } else { drawn }
    };
    term("Answers it", el("dd").redraw(key, draw))
}

fn asks<'a>(report: &'a Report, gate: &str, member: Option<&str>) -> Vec<&'a AskOut> {
    let for_member = |a: &&AskOut| a.members.is_empty() || member.is_none_or(|m| a.members.iter().any(|l| l == m));
    report.asks.iter().filter(|a| a.gates.iter().any(|g| g == gate)).filter(for_member).collect()
}

fn ask(ask: &AskOut) -> Vec<El> {
    if let Some(question) = &ask.question {
        let where_to = el("span").class("why").text(" Answer it under “Only you know”.");
        return vec![el("p").text(question).child(where_to)];
    }
    let on = match ask.members.as_slice() {
        [] => String::new(),
        members => format!("for {}", words::list(members)),
    };
    vec![command(&ask.command), el("p").class("why").text(&on)]
}

fn seen(state: State, finding: &FindingOut) -> Vec<El> {
    let FindingOut { grounds, answers, wanted, .. } = finding;
    if grounds.is_empty() && answers.is_empty() && !wanted {
        return Vec::new();
    }
    let answer = |answer: &String| {
        let (key, value) = answer.split_once('=').unwrap_or((answer, ""));
        el("p")
            .text("You answered ")
            .child(el("code").attr("translate", "no").text(key))
            .text(" = ")
            .child(el("b").text(value))
    };
    let meaning = el("dd")
        .children(grounds.iter().map(|g| ground(state, g)))
        .children(answers.iter().map(answer))
        .children(wanted.then(|| el("p").text("What you asked for: start and target.")));
    term("Seen", meaning)
}

fn ground(state: State, ground: &GroundOut) -> El {
    let place = format!("{}, {}", ground.paste, words::lines(ground.first_line, ground.last_line));
    let go_to = ground.clone();
    el("div").class("ground").child(quote(ground)).child(button("link place", &place, move || state.go_to(&go_to)))
}

/// The pasted lines with their numbers, the part that matters marked.
fn quote(ground: &GroundOut) -> El {
    let mark = ground.mark.as_deref().filter(|m| !m.is_empty());
    let line = |(index, words): (usize, &str)| {
        let line = el("span").class("line").child(number(ground.first_line + index));
        let line = match mark.and_then(|m| Some((words.split_once(m)?, m))) {
            Some(((before, after), mark)) => line.text(before).child(el("mark").text(mark)).text(after),
            None => line.text(words),
        };
        line.text("\n")
    };
    el("pre")
        .class("quote")
        .attr("translate", "no")
        .attr("tabindex", "0")
        .attr("role", "group")
        .attr("aria-label", "pasted lines")
        .child(el("code").children(ground.quote.lines().enumerate().map(line)))
}

/// The number of a line.
pub fn number(number: usize) -> El {
    el("span").class("number").attr("aria-hidden", "true").text(&number.to_string())
}

fn sources(sources: &[SourceOut]) -> Vec<El> {
    if sources.is_empty() {
        return Vec::new();
    }
    let source = |source: &SourceOut| {
        let title = match &source.url {
            Some(url) => el("a").attr("href", url).attr("target", "_blank").attr("rel", "noopener noreferrer"),
            None => el("span"),
        };
        let holds_for = el("span").class("why").text(" · holds for ").text(&source.holds_for);
        el("li").child(title.text(&source.title)).child(holds_for)
    };
    term("Source", el("dd").child(el("ul").class("sources").children(sources.iter().map(source))))
}
