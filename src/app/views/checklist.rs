//! The checklist by hop and phase, with ticks that stay in this browser.

use std::sync::Arc;

use etcd_upgrade_planner::export::report::{PhaseOut, Report, StepOut, WayOut, WaysBackOut};
use leptos::prelude::*;
use web_sys::HtmlDetailsElement;

use super::finding::term;
use crate::app::components::command::commands;
use crate::app::dom::list::{Item, digest};
use crate::app::dom::{El, el};
use crate::app::state::State;
use crate::app::watched::Watched;
use crate::app::words;

/// Which phases the person opened or shut; the others follow what is done.
type Folds = Watched<Vec<(String, bool)>>;

/// The checklist. Nothing is drawn while there is no plan.
pub fn checklist(parent: El) -> El {
    let state = expect_context::<State>();
    let folds = Folds::default();
    parent.show(
        move || state.judging() && state.report(|r| !r.checklist.is_empty()),
        move || {
            let heading = el("h2").text("Checklist");
            vec![el("section").class("checklist").child(heading).list(move || phases(state, folds))]
        },
    )
}

fn name(phase: &PhaseOut) -> String {
    format!("{}/{}", phase.hop.as_deref().unwrap_or(""), phase.phase)
}

/// The phases, by all that they say. What a step says of the ways back depends on the step before it.
fn phases(state: State, folds: Folds) -> Vec<Item> {
    let Some(judged) = state.judged.get() else { return Vec::new() };
    let item = |(index, written): (usize, &PhaseOut)| {
        let judged = Arc::clone(&judged);
        let key = digest(&(written, ways_before(&judged.report, index)));
        let draw = move || {
            let before = ways_before(&judged.report, index);
            judged.report.checklist.get(index).map(|p| phase(state, folds, p, before)).into_iter().collect()
        };
        Item::new(key, draw)
    };
    judged.report.checklist.iter().enumerate().map(item).collect()
}

/// The ways back before a phase: those of the last step above it.
fn ways_before(report: &Report, index: usize) -> Option<&WaysBackOut> {
    report.checklist.get(..index)?.iter().rev().find_map(|p| p.steps.last()).map(|s| &s.ways_back)
}

/// Name of the phase that is next: the first with a step that is not done.
fn next(state: State) -> Option<String> {
    state.done.with(|done| {
        state.report(|r| r.checklist.iter().find(|p| p.steps.iter().any(|s| !done.contains(&s.id))).map(name))
    })
}

/// Sets whether a phase is open; `None` leaves it to what is done.
fn set_fold(folds: Folds, phase: &str, open: Option<bool>) {
    folds.update(|all| {
        all.retain(|(name, _)| name != phase);
        all.extend(open.map(|open| (phase.to_owned(), open)));
    });
}

fn phase(state: State, folds: Folds, phase: &PhaseOut, before: Option<&WaysBackOut>) -> El {
    let own = name(phase);
    let ids: Vec<String> = phase.steps.iter().map(|s| s.id.clone()).collect();
    let count = move || {
        let done = state.done.with(|d| ids.iter().filter(|id| d.contains(*id)).count());
        let all = words::count(ids.len(), "step", "steps");
        if done == 0 { all } else { format!("{done} of {all} done") }
    };
    let open = {
        let own = own.clone();
        move || {
            folds
                .with(|f| f.iter().find(|(name, _)| *name == own).map(|(_, open)| *open))
                .unwrap_or_else(|| next(state).as_ref() == Some(&own))
        }
    };
    // A phase someone ticks in stays open when its last step is done: the focus is in it.
    let ticked = {
        let own = own.clone();
        move |_| set_fold(folds, &own, Some(true))
    };
    let toggled = move |event| {
        let open = event_target::<HtmlDetailsElement>(&event).open();
        let usual = next(state).as_ref() == Some(&own);
        set_fold(folds, &own, (open != usual).then_some(open));
    };
    let note = phase.note.as_ref().map(|note| format!(" · {note}")).unwrap_or_default();
    let hop = phase.hop.as_ref().map(|hop| el("span").class("mono").attr("translate", "no").text(hop));
    let summary = el("summary")
        .child(el("h3").text(&phase.phase))
        .children(hop)
        .child(el("span").class("why").bind_text(count).text(&note));
    let mut before = before;
    let steps = phase.steps.iter().map(|written| step(state, written, before.replace(&written.ways_back)));
    el("details")
        .class("phase")
        .child(summary)
        .children(steps)
        .bind_flag("open", open)
        .on("toggle", toggled)
        .on("change", ticked)
}

fn step(state: State, step: &StepOut, before: Option<&WaysBackOut>) -> El {
    let is_done = {
        let id = step.id.clone();
        move || state.done.with(|d| d.contains(&id))
    };
    let is_checked = is_done.clone();
    let tick = {
        let id = step.id.clone();
        move |event| state.set_done(&id, event_target_checked(&event))
    };
    let number = step.number.to_string();
    let box_id = format!("step-{number}");
    let tick_box =
        el("input").attr("type", "checkbox").attr("id", &box_id).bind_flag("checked", is_checked).on("change", tick);
    let label = el("label").attr("for", &box_id).child(el("span").class("number").text(&number)).text(&step.title);
    let terms = el("dl")
        .children(said("Expect", &step.expect))
        .children(said("Stop when", &step.stop_when))
        .children(term("Ways back", el("dd").child(ways(&step.ways_back, before))));
    let body = el("div")
        .child(label)
        .child(el("p").class("why").text(&step.why))
        .children(commands(&step.commands))
        .child(terms);
    el("div").attr("data-step", &step.id).bind_class("step", "done", is_done).child(tick_box).child(body)
}

fn said(word: &str, words: &str) -> Vec<El> {
    if words.is_empty() { Vec::new() } else { term(word, el("dd").text(words)) }
}

/// The three ways back; the reason is spelled out where something changes.
fn ways(now: &WaysBackOut, before: Option<&WaysBackOut>) -> El {
    let lanes = [
        ("swap", &now.swap, before.map(|b| &b.swap)),
        ("downgrade", &now.downgrade, before.map(|b| &b.downgrade)),
        ("restore", &now.restore, before.map(|b| &b.restore)),
    ];
    let lane = |(word, way, before): (&str, &WayOut, Option<&WayOut>)| {
        let (class, sign, state) =
            if way.open { ("state ready", "✓ ", " open") } else { ("state quiet", "✕ ", " shut") };
        let sign = el("span").attr("aria-hidden", "true").text(sign);
        let words = el("span").class(class).child(sign).text(word).child(el("span").class("unseen").text(state));
        let reason = (before != Some(way)).then(|| el("span").class("why").text(": ").text(&way.reason));
        el("li").child(words).children(reason)
    };
    el("ul").class("ways").children(lanes.map(lane))
}
