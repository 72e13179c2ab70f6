//! The evidence: a box that takes pastes, files and typing, and the list of what was given.

use std::rc::Rc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{DataTransfer, Element, Event, EventTarget, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent};

use super::clear::clear;
use super::paste::paste;
use crate::app::dom::list::Item;
use crate::app::dom::listener::on_window;
use crate::app::dom::{El, button, el, watch};
use crate::app::files::{self, Readings};
use crate::app::state::State;
use crate::app::watched::Watched;

/// Id of the box.
pub const BOX_ID: &str = "evidence-box";

/// The evidence panel.
pub fn evidence() -> El {
    let state = expect_context::<State>();
    let readings = expect_context::<Readings>();
    let dragging = take_from_anywhere(state, readings);
    let pastes = move || state.heads.with(|h| h.iter().map(|h| h.id).collect::<Vec<_>>());
    let items = move || pastes().into_iter().map(|id| Item::new(id, move || vec![paste(id)])).collect::<Vec<_>>();
    el("section")
        .class("evidence")
        .child(el("h2").attr("id", "evidence-title").text("Evidence"))
        .part(|section| other_tab(section, state))
        .children(paste_box(state, readings))
        .child(reading_list(readings))
        .part(|section| undo(section, state))
        .child(el("ul").class("pastes").list(items))
        .part(|section| not_kept(section, state))
        .part(|section| clear(section, state))
        .child(
            el("div")
                .attr("aria-hidden", "true")
                .bind_class("drop-here", "shown", move || dragging.get())
                .text("Drop files or text anywhere"),
        )
}

/// Pastes and drops are taken wherever they happen, except in another field. True while something is dragged over the
/// page.
fn take_from_anywhere(state: State, readings: Readings) -> Watched<bool> {
    let dragging = Watched::new(false);
    on_window("paste", move |event| {
        let Some(data) = event.unchecked_ref::<web_sys::ClipboardEvent>().clipboard_data() else { return };
        if event.target().is_some_and(|t| is_other_field(&t)) {
            return;
        }
        let text = data.get_data("text/plain").unwrap_or_default();
        let files = data.files().filter(|f| f.length() > 0);
        if text.trim().is_empty() && files.is_none() {
            return;
        }
        event.prevent_default();
        if text.trim().is_empty() {
            files::open(state, readings, files);
        } else {
            state.add(None, text);
        }
    });
    on_window("keydown", move |event| {
        let key: &KeyboardEvent = event.unchecked_ref();
        let undoes = key.key().eq_ignore_ascii_case("z") && (key.ctrl_key() || key.meta_key()) && !key.shift_key();
        let in_field = event.target().is_some_and(|t| is_field(&t));
        if undoes && !in_field && state.undo_words.with_untracked(Option::is_some) {
            event.prevent_default();
            state.undo();
        }
    });
    on_window("dragover", move |event| {
        if transfer(&event).is_some_and(|d| holds(&d, "Files") || holds(&d, "text/plain")) {
            event.prevent_default();
            dragging.set(true);
        }
    });
    on_window("dragleave", move |event| {
        if event.unchecked_ref::<web_sys::DragEvent>().related_target().is_none() {
            dragging.set(false);
        }
    });
    on_window("drop", move |event| {
        dragging.set(false);
        let Some(data) = transfer(&event) else { return };
        event.prevent_default();
        let text = data.get_data("text/plain").unwrap_or_default();
        match data.files().filter(|f| f.length() > 0) {
            Some(list) => files::open(state, readings, Some(list)),
            None if !text.trim().is_empty() => {
                state.add(None, text);
            }
            None => {}
        }
    });
    dragging
}

fn transfer(event: &Event) -> Option<DataTransfer> {
    event.unchecked_ref::<web_sys::DragEvent>().data_transfer()
}

fn holds(data: &DataTransfer, kind: &str) -> bool {
    data.types().iter().any(|t| t.as_string().as_deref() == Some(kind))
}

/// A field other than the evidence box: what is pasted there stays there.
fn is_other_field(target: &EventTarget) -> bool {
    is_field(target) && target.dyn_ref::<Element>().is_some_and(|e| e.id() != BOX_ID)
}

/// Something to type in: its undo is the browser's.
fn is_field(target: &EventTarget) -> bool {
    target.dyn_ref::<Element>().is_some_and(|e| matches!(e.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"))
}

/// The box. The browser owns what is typed in it; the page reads it when it is added.
fn paste_box(state: State, readings: Readings) -> [El; 4] {
    let area = el("textarea")
        .attr("id", BOX_ID)
        .class("box")
        .attr("aria-labelledby", "evidence-title")
        .attr("aria-describedby", "evidence-help")
        .attr("placeholder", "Paste anything etcd printed, or drop files.")
        .attr("spellcheck", "false")
        .attr("autocapitalize", "off");
    let typed = Watched::new(false);
    // Cleared, or a sample opened or closed: the box shows the draft of what is on show.
    let element: HtmlTextAreaElement = area.node();
    watch(Box::new(move || {
        state.heads.track();
        let draft = state.draft();
        typed.set(!draft.trim().is_empty());
        if element.value() != draft {
            element.set_value(&draft);
        }
    }));
    let input = move |event: Event| {
        let text = event_target_value(&event);
        typed.set(!text.trim().is_empty());
        state.set_draft(text);
    };
    let element: HtmlTextAreaElement = area.node();
    let add: Rc<dyn Fn()> = Rc::new(move || {
        let text = element.value();
        if text.trim().is_empty() {
            return;
        }
        state.set_draft(String::new());
        element.set_value("");
        typed.set(false);
        state.add(None, text);
        let _ = element.focus();
    });
    let add_by_key = Rc::clone(&add);
    let key = move |event: Event| {
        let key: &KeyboardEvent = event.unchecked_ref();
        if key.key() == "Enter" && (key.ctrl_key() || key.meta_key()) {
            event.prevent_default();
            add_by_key();
        }
    };
    let picker = picker(state, readings);
    let element: HtmlInputElement = picker.node();
    let open = button("button", "Open files…", move || element.click());
    let add = button("button", "Add what I typed", move || add()).bind_flag("disabled", move || !typed.get());
    let help = el("p")
        .attr("id", "evidence-help")
        .class("why")
        .text("Several pastes, any order, with whatever stands around them. Each becomes an entry of its own.");
    [area.on("input", input).on("keydown", key), help, el("p").class("row").child(open).child(add), picker]
}

/// The browser's own dialog for files hangs on a field that is not shown.
fn picker(state: State, readings: Readings) -> El {
    let picked = move |event| {
        let input = event_target::<HtmlInputElement>(&event);
        files::open(state, readings, input.files());
        // The same file can be opened again.
        input.set_value("");
    };
    el("input")
        .attr("type", "file")
        .attr("multiple", "")
        .attr("hidden", "")
        .attr("aria-label", "Files")
        .on("change", picked)
}

/// Files that are being read, and those that could not be.
fn reading_list(readings: Readings) -> El {
    let items = move || {
        let all = readings.with(|all| all.iter().map(|r| (r.id, r.name.clone(), r.size)).collect::<Vec<_>>());
        let item = |(id, name, size): (u32, String, u64)| {
            Item::new(u64::from(id), move || vec![reading(readings, id, &name, size)])
        };
        all.into_iter().map(item).collect::<Vec<_>>()
    };
    el("ul").class("readings").list(items)
}

fn reading(readings: Readings, id: u32, name: &str, size: u64) -> El {
    let error = move || files::find(readings, id, |r| r.error.clone()).flatten();
    let done = move || files::find(readings, id, |r| r.done).unwrap_or_default().to_string();
    let away = move || readings.update(|all| all.retain(|r| r.id != id));
    let progress = el("progress")
        .attr("max", &size.to_string())
        .attr("aria-label", &format!("Reading {name}"))
        .bind_attr("value", done)
        .bind_flag("hidden", move || error().is_some());
    let failure = el("p")
        .class("state blocked")
        .attr("role", "alert")
        .bind_text(move || error().map(|e| format!("✕ {e}")).unwrap_or_default());
    let away =
        button("small", "", away).bind_text(move || if error().is_some() { "dismiss" } else { "cancel" }.to_owned());
    el("li").class("reading").child(el("span").class("name").text(name)).child(progress).child(failure).child(away)
}

/// What was changed last, and how to take it back.
fn undo(section: El, state: State) -> El {
    let draw = move || {
        let words = move || state.undo_words.get().unwrap_or_default();
        vec![el("p").class("undo").bind_text(words).text(" ").child(button("link", "Undo", move || state.undo()))]
    };
    section.show(move || state.undo_words.with(Option::is_some), draw)
}

/// Two tabs on one cluster take in what the other keeps; the person is told why things move.
fn other_tab(section: El, state: State) -> El {
    let words = "Another tab shows this cluster, too. What you change in one shows up in both, and nothing is lost.";
    section.show(move || state.is_in_other_tab(), move || vec![el("p").class("why other-tab").text(words)])
}

fn not_kept(section: El, state: State) -> El {
    let why = move || state.not_kept.get().map(|why| why.to_string()).unwrap_or_default();
    section.show(
        move || state.not_kept.with(Option::is_some),
        move || vec![el("p").class("state warning").attr("role", "alert").text("! ").bind_text(why)],
    )
}
