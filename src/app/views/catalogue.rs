//! Every gate there is, with its question and what it says of this cluster; and what is worth knowing beside the gates.

use std::rc::Rc;

use etcd_upgrade_planner::export::words::known_issue;
use etcd_upgrade_planner::gates::catalogue;
use leptos::prelude::event_target_value;

use super::finding::term;
use crate::app::components::choice::choice;
use crate::app::components::outcome::{outcome, words};
use crate::app::dom::list::{Item, digest};
use crate::app::dom::{El, el};
use crate::app::state::State;
use crate::app::watched::Watched;

/// The answers of a gate, the most urgent first.
pub const OUTCOMES: [&str; 6] = ["blocked", "cant-tell", "warning", "passed", "not-looked-at", "not-applicable"];

/// The catalogue, folded.
pub fn catalogue(state: State) -> El {
    let (word, at) = (Watched::new(String::new()), Watched::new(String::new()));
    let search = el("input")
        .attr("type", "search")
        .attr("placeholder", "word")
        .attr("aria-label", "Gates with this word")
        .on("input", move |event| word.set(event_target_value(&event).trim().to_lowercase()));
    let states: Vec<(String, String)> = OUTCOMES.iter().map(|id| ((*id).to_owned(), words(id).1.to_owned())).collect();
    let chosen = choice(
        &states,
        "every answer",
        Rc::new(move || at.get()),
        Rc::new(move |id| at.set(id.to_owned())),
        "catalogue-at",
    );
    let filters = el("p")
        .class("row")
        .child(search)
        .child(el("span").attr("id", "catalogue-at").class("unseen").text("Gates that answered"))
        .child(chosen);
    let rows = move || {
        let (word, at) = (word.get(), at.get());
        let mut items = Vec::new();
        for (gate, entry) in catalogue::entries() {
            let (found, statement) = answer(state, gate.id);
            let text = format!("{} {} {}", gate.id, entry.question, gate.group.title()).to_lowercase();
            if text.contains(&word) && (at.is_empty() || at == found) {
                let key = digest(&(gate.id, found, &statement));
                items.push(Item::new(key, move || vec![row(found, entry, &statement)]));
            }
        }
        items
    };
    let open = Watched::new(false);
    let summary = el("summary").child(el("span").text("Every gate, and what it says of this cluster"));
    // Its words come with what the first verdict does not need, so they are looked up when somebody opens it.
    let (filters, rows) = (std::cell::Cell::new(Some(filters)), Rc::new(rows));
    let inside = move || {
        let rows = Rc::clone(&rows);
        filters.take().into_iter().chain([el("ul").list(move || rows())]).collect()
    };
    el("details")
        .class("gate catalogue")
        .child(summary)
        .on("toggle", move |_| open.set(true))
        .show(move || open.get(), inside)
}

/// One gate: its answer and question, opened what it looks at, when it stops, why, and what mends it.
fn row(found: &'static str, entry: &catalogue::Entry, statement: &str) -> El {
    let summary = el("summary")
        .child(outcome(found))
        .child(el("span").text(entry.question))
        .child(el("span").class("id").attr("translate", "no").text(entry.gate));
    let words = [
        ("Here", statement),
        ("Asks", entry.asks),
        ("Blocks when", entry.blocks_when),
        ("Why", entry.why),
        ("Remedy", entry.remedy),
    ];
    let words = words.into_iter().flat_map(|(word, meaning)| term(word, el("dd").text(meaning)));
    el("li").child(el("details").child(summary).child(el("dl").class("in").children(words)))
}

/// What a gate says of this cluster: its most urgent answer and its words. One that is not asked for this intent does
/// not apply.
fn answer(state: State, gate: &str) -> (&'static str, String) {
    let found = state.report(|report| {
        let rank = |outcome: &str| OUTCOMES.iter().position(|id| *id == outcome);
        let own = report.findings.iter().filter(|f| f.gate == gate);
        own.min_by_key(|f| rank(&f.outcome)).map(|f| (rank(&f.outcome), f.statement.clone()))
    });
    match found.and_then(|(rank, statement)| Some((OUTCOMES.get(rank?).copied()?, statement))) {
        Some(found) => found,
        None => ("not-applicable", "Not asked for this.".to_owned()),
    }
}

/// Known issues of these versions, folded: nothing in them needs a decision.
pub fn known_issues(section: El, state: State) -> El {
    let many = move || state.report(|r| r.known_issues.len());
    section.show(
        move || many() > 0,
        move || {
            let title = move || format!("Known issues of these versions: {}", many());
            let items = move || {
                state.report(|r| {
                    let item = |issue: &etcd_upgrade_planner::export::report::KnownIssueOut| {
                        let words = format!("{}: {}", issue.severity, known_issue(issue));
                        Item::new(digest(issue), move || vec![el("li").text(&words)])
                    };
                    r.known_issues.iter().map(item).collect()
                })
            };
            let summary = el("summary").child(el("span").bind_text(title));
            vec![el("details").class("gate known").child(summary).child(el("ul").list(items))]
        },
    )
}
