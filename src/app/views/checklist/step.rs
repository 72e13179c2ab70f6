//! One step: what to do and why, what comes of it, and what people write beside it.

use etcd_upgrade_planner::etcd::tools::{ETCDCTL, ETCDUTL};
use etcd_upgrade_planner::export::record::StepRecord;
use etcd_upgrade_planner::export::report::{StepOut, WayOut, WaysBackOut};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, Event, HtmlElement, HtmlTextAreaElement, KeyboardEvent};

use super::Shared;
use crate::app::components::command::commands;
use crate::app::dom::{El, el};
use crate::app::shortcuts::types_into;
use crate::app::state::State;
use crate::app::views::finding::term;

/// Id of the list of those who were named as owners.
pub const OWNERS: &str = "owners";

/// A step of the checklist.
pub(super) fn step(Shared { state, next, .. }: Shared, step: &StepOut, before: Option<&WaysBackOut>) -> El {
    let id = step.id.clone();
    let class = move || {
        let is_next = next.with(|next| next.as_ref().is_some_and(|next| next.id == id));
        let done = if state.is_done(&id) { " done" } else { "" };
        format!("step{done}{}", if is_next { " next" } else { "" })
    };
    let label = el("label")
        .attr("for", &box_id(&step.id))
        .child(el("span").class("number").text(&step.number.to_string()))
        .text(&step.title);
    let terms = el("dl")
        .children(said("Expect", &step.expect))
        .children(said("Stop when", &step.stop_when))
        .children(term("Ways back", el("dd").child(ways(&step.ways_back, before))))
        .children(result(state, step))
        .children(term("Record", el("dd").child(record(state, step))));
    let body = el("div")
        .child(label)
        .child(el("p").class("why").text(&step.why))
        .children(commands(&step.commands))
        .child(terms);
    el("div")
        .attr("data-step", &step.id)
        .bind_attr("class", class)
        .on("keydown", copy_by_key)
        .child(tick(state, &step.id, &box_id(&step.id)))
        .child(body)
}

/// Id of the box that ticks a step.
pub fn box_id(step: &str) -> String {
    format!("step-{step}")
}

/// The box that ticks a step.
pub fn tick(state: State, step: &str, id: &str) -> El {
    let (read, written) = (step.to_owned(), step.to_owned());
    el("input")
        .attr("type", "checkbox")
        .attr("id", id)
        .bind_flag("checked", move || state.is_done(&read))
        .on("change", move |event| state.set_done(&written, event_target_checked(&event)))
}

/// With the focus anywhere in a step `c` copies its commands.
fn copy_by_key(event: Event) {
    let key: &KeyboardEvent = event.unchecked_ref();
    let with_others = key.ctrl_key() || key.meta_key() || key.alt_key();
    if key.key() != "c" || with_others || event.target().is_some_and(|t| types_into(&t)) {
        return;
    }
    let step = event.current_target().and_then(|t| t.dyn_into::<HtmlElement>().ok());
    let copy = step.and_then(|s| s.query_selector(".cmd button").ok().flatten());
    if let Some(copy) = copy.and_then(|c| c.dyn_into::<HtmlElement>().ok()) {
        copy.click();
        event.prevent_default();
    }
}

fn said(word: &str, words: &str) -> Vec<El> {
    if words.is_empty() { Vec::new() } else { term(word, el("dd").text(words)) }
}

/// The three ways back; the reason is spelled out where something changes.
pub fn ways(now: &WaysBackOut, before: Option<&WaysBackOut>) -> El {
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

/// Where the output of a step's commands goes: it becomes a paste that is named after the step.
fn result(state: State, step: &StepOut) -> Vec<El> {
    if !prints_evidence(step) {
        return Vec::new();
    }
    let (name, member) = (paste_name(step), step.member.clone());
    let add = move |text: String| {
        let id = state.add(Some(name.clone()), text);
        if let Some(member) = &member {
            state.set_member(id, member);
        }
    };
    let add_typed = add.clone();
    let pasted = move |event: Event| {
        let data = event.unchecked_ref::<ClipboardEvent>().clipboard_data();
        let text = data.and_then(|d| d.get_data("text/plain").ok()).unwrap_or_default();
        if !text.trim().is_empty() {
            event.prevent_default();
            add(text);
        }
    };
    // Typed, spoken or filled in by a tool: taken when the field is left.
    let left = move |event: Event| {
        let area: HtmlTextAreaElement = event_target(&event);
        let text = area.value();
        // What is thrown away with the step may still tell that it is left.
        if !text.trim().is_empty() {
            area.set_value("");
            add_typed(text);
        }
    };
    let area = el("textarea")
        .attr("rows", "1")
        .attr("spellcheck", "false")
        .attr("translate", "no")
        .attr("aria-label", &format!("Result of step {}", step.number))
        .attr("placeholder", "Paste what it prints here: the verdict takes it in.")
        .on("paste", pasted)
        .on("change", left);
    term("Result", el("dd").class("result").child(area))
}

/// Do its commands print what the planner reads?
fn prints_evidence(step: &StepOut) -> bool {
    let reads = |command: &String| [ETCDCTL, ETCDUTL].iter().any(|tool| command.contains(tool));
    !step.checks.is_empty() || step.commands.iter().any(reads)
}

/// "step 17 verify, m3": number and last word of the step, and its member.
fn paste_name(step: &StepOut) -> String {
    let word = step.id.rsplit('/').next().unwrap_or_default();
    let member = step.member.as_ref().map(|m| format!(", {m}")).unwrap_or_default();
    format!("step {} {word}{member}", step.number)
}

/// Who, when, and a note: a line that opens to its fields.
fn record(state: State, step: &StepOut) -> El {
    let id = step.id.clone();
    let words = move || state.records.with(|all| all.get(&id).map(in_words)).unwrap_or_default();
    let is_empty = {
        let words = words.clone();
        move || words().is_empty()
    };
    let summary = el("summary")
        .child(el("span").attr("translate", "no").bind_text(words))
        .child(el("span").class("link").text("owner, time, note"));
    let field = |label: &'static str, part: fn(&mut StepRecord) -> &mut String| {
        let (read, written) = (step.id.clone(), step.id.clone());
        let value = move || {
            state.records.with(|all| all.get(&read).cloned().map(|mut record| std::mem::take(part(&mut record))))
        };
        let typed = move |event| {
            let text = event_target_value(&event);
            state.write_beside(&written, |record| *part(record) = text);
        };
        let input = el("input").attr("type", "text").attr("autocomplete", "off");
        let input = if label == "Owner" { input.attr("list", OWNERS) } else { input };
        let input = input.bind_value("value", move || value().unwrap_or_default()).on("input", typed);
        el("label").text(label).child(input)
    };
    let fields = el("div")
        .class("fields")
        .child(field("Owner", |r| &mut r.owner))
        .child(field("Time", |r| &mut r.time))
        .child(field("Note", |r| &mut r.note));
    el("details").bind_class("record", "empty", is_empty).child(summary).child(fields)
}

/// "ana, 2026-11-30 14:45: took two tries".
fn in_words(record: &StepRecord) -> String {
    let who = [&record.owner, &record.time].into_iter().filter(|t| !t.is_empty()).cloned().collect::<Vec<_>>();
    match (who.is_empty(), record.note.is_empty()) {
        (true, _) => record.note.clone(),
        (_, true) => who.join(", "),
        (false, false) => format!("{}: {}", who.join(", "), record.note),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn what_is_written_beside_a_step_makes_one_line() {
        let record = |owner: &str, time: &str, note: &str| {
            let (owner, time, note) = (owner.to_owned(), time.to_owned(), note.to_owned());
            in_words(&StepRecord { done: true, owner, time, note })
        };
        assert_eq!(record("ana", "14:45", "two tries"), "ana, 14:45: two tries");
        assert_eq!(record("", "14:45", ""), "14:45");
        assert_eq!(record("", "", "two tries"), "two tries");
        assert_eq!(record("", "", ""), "");
    }
}
