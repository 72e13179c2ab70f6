//! The closing record: a report from before the change is kept, and set beside the one of now.

use std::rc::Rc;

use etcd_upgrade_planner::export::closing::{self, Before};
use etcd_upgrade_planner::export::document::Block;
use etcd_upgrade_planner::export::redact::Redaction;
use etcd_upgrade_planner::export::{self, Format};
use leptos::prelude::*;
use web_sys::HtmlInputElement;

use super::{Choices, hiding, tick, ways};
use crate::app::clock;
use crate::app::components::copy_button::copy_button;
use crate::app::dom::list::digest;
use crate::app::dom::{El, button, el};
use crate::app::files::{self, Readings};
use crate::app::storage::file;
use crate::app::views::header::pop;

/// The dialog.
pub fn dialog(choices: Choices) -> El {
    let key = move || Some(choices.state.before.with(digest));
    pop("closing", "Closing record").redraw(key, move || draw(choices))
}

fn before(choices: Choices) -> Option<Before> {
    choices.state.before.with_untracked(|json| Before::read(json)).ok()
}

fn draw(choices: Choices) -> Vec<El> {
    let state = choices.state;
    let keep = move |label: &str| {
        button("button", label, move || {
            state.set_before(state.report_out(|report| Before::of(report).json()));
            state.said.set("This report is kept as “before”.".to_owned());
        })
    };
    let Some(before) = before(choices) else {
        let words = "It sets the cluster before and after the change side by side, with the checks that were done. It \
                     needs a report from before: keep this one now, before you change anything, or load one that was \
                     saved as JSON. After the change paste what the cluster prints then, and come back here.";
        return vec![
            el("p").text(words),
            el("p").class("row").child(keep("Keep this report as “before”")).children(load(choices)),
        ];
    };
    let words = format!("Before, {}: {}", clock::minute(&before.date), before.summary);
    let first =
        copy_button("button first", "Copy as Markdown", "Copy as Markdown", move || written(choices, Format::Markdown));
    let [copies, saves] = ways(state, "etcd-closing-record", Rc::new(move |format| written(choices, format)));
    let replaced = move || hiding::choices(choices, move || record(choices).map(|(_, _, redaction)| redaction));
    vec![
        el("p").text(&words),
        el("p").text("After: the report as it is now. Paste what the cluster prints after the change first."),
        tick("replace names, hosts, addresses and ids", choices.hidden),
        el("div").show(move || choices.hidden.get(), replaced),
        el("p").child(first),
        copies,
        saves,
        el("p").class("row").child(keep("Take this report as “before” instead")).children(load(choices)).child(button(
            "button",
            "Forget “before”",
            move || state.set_before(String::new()),
        )),
    ]
}

/// The record with its title, and what is to be replaced in it.
fn record(choices: Choices) -> Option<(String, Vec<Block>, Redaction)> {
    let before = before(choices)?;
    let records = choices.state.records.get_untracked();
    choices.state.report_out(|after| {
        let blocks = closing::document(&before, after, &records);
        let redaction = closing::redaction(&before, after, &blocks, &choices.also());
        Some((closing::title(&before), blocks, redaction))
    })
}

fn written(choices: Choices, format: Format) -> String {
    let Some((title, blocks, redaction)) = record(choices) else { return String::new() };
    let text = export::render(&title, &blocks, format);
    if choices.hidden.get_untracked() { redaction.text(&text) } else { text }
}

/// The button that loads a report, with its picker.
fn load(choices: Choices) -> [El; 2] {
    let (state, readings) = (choices.state, expect_context::<Readings>());
    let take: files::Then = Rc::new(move |paste| {
        if paste.text.len() > file::LIMIT {
            return Err(format!("A report has at most {} MiB.", file::LIMIT >> 20));
        }
        state.set_before(Before::read(&paste.text)?.json());
        state.said.set("The report is loaded as “before”.".to_owned());
        Ok(())
    });
    let picker = el("input").attr("type", "file").attr("hidden", "").attr("aria-label", "Report from before").on(
        "change",
        move |event| {
            let input = event_target::<HtmlInputElement>(&event);
            files::take(input.files(), readings, Rc::clone(&take));
            input.set_value("");
        },
    );
    let element: HtmlInputElement = picker.node();
    [button("button", "Load a saved report…", move || element.click()), picker]
}
