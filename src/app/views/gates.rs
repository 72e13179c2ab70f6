//! The gates by urgency. What passed, what can't be told and what was not looked at are folded into a line each. With a
//! filter set, all that fits it in one list.

use std::sync::Arc;

use etcd_upgrade_planner::export::report::FindingOut;
use leptos::prelude::*;

use super::catalogue::{catalogue, known_issues};
use super::filter::Filter;
use super::finding::finding;
use super::waivers::waivers;
use crate::app::components::outcome::outcome;
use crate::app::dom::list::{Item, digest};
use crate::app::dom::{El, el};
use crate::app::state::State;
use crate::app::words;

/// All gates.
pub fn gates(parent: El) -> El {
    let state = expect_context::<State>();
    parent.show(
        move || state.judging(),
        move || {
            let filter = Filter::default();
            let by_urgency = el("div")
                .bind_flag("hidden", move || filter.is_set())
                .list(move || findings(state, "blocked"))
                .list(move || findings(state, "warning"))
                .part(|section| fold(section, state, "cant-tell"))
                .part(|section| fold(section, state, "passed"))
                .part(|section| fold(section, state, "not-applicable"))
                .part(|section| fold(section, state, "not-looked-at"));
            let section = el("section")
                .class("gates")
                .child(el("h2").text("Gates"))
                .child(filter.row(state))
                .child(by_urgency)
                .part(|section| filter.found(section, state))
                .part(|section| known_issues(section, state))
                .child(waivers(state))
                .child(catalogue(state));
            vec![section]
        },
    )
}

/// The findings with an outcome, in order, by their words: what did not change keeps its element, and with it its fold
/// and the focus. The first that blocks starts open.
fn findings(state: State, outcome: &'static str) -> Vec<Item> {
    found(state, |f| f.outcome == outcome, outcome == "blocked")
}

/// The findings that fit, in order.
pub fn found(state: State, fits: impl Fn(&FindingOut) -> bool, first_is_open: bool) -> Vec<Item> {
    let Some(judged) = state.judged.get() else { return Vec::new() };
    let mut keys: Vec<u64> = Vec::new();
    let mut items = Vec::new();
    for (index, found) in judged.report.findings.iter().enumerate().filter(|(_, f)| fits(f)) {
        let key = digest(found);
        // A list takes no key twice.
        if keys.contains(&key) {
            continue;
        }
        let open = first_is_open && keys.is_empty();
        keys.push(key);
        let judged = Arc::clone(&judged);
        let draw = move || judged.report.findings.get(index).map(|f| finding(state, f, open)).into_iter().collect();
        items.push(Item::new(key, draw));
    }
    items
}

/// One line for all gates of an outcome, that opens to them.
fn fold(section: El, state: State, id: &'static str) -> El {
    let words = move || state.report(|r| fold_words(id, &r.findings));
    section.show(
        move || state.report(|r| r.findings.iter().any(|f| f.outcome == id)),
        move || {
            let summary = el("summary")
                .child(outcome(id))
                .child(el("span").bind_text(words))
                .child(el("span").class("more").attr("aria-hidden", "true"));
            let folded = el("div").class("folded").list(move || findings(state, id));
            vec![el("details").class("gate fold").child(summary).child(folded)]
        },
    )
}

/// "7 gates need evidence: v2 store, Flags".
fn fold_words(outcome: &str, findings: &[FindingOut]) -> String {
    let mut gates: Vec<&str> = Vec::new();
    let mut groups: Vec<String> = Vec::new();
    for finding in findings.iter().filter(|f| f.outcome == outcome) {
        if !gates.contains(&finding.gate.as_str()) {
            gates.push(&finding.gate);
        }
        if !groups.contains(&finding.group) {
            groups.push(finding.group.clone());
        }
    }
    let gates = words::count(gates.len(), "gate", "gates");
    match outcome {
        "cant-tell" => format!("{gates} without evidence: {}", words::list(&groups)),
        "not-looked-at" => format!("{gates} that speak only when a paste shows something"),
        _ => gates,
    }
}
