//! The evidence: a box that takes pastes, files and typing, and the list of what was given.

use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::paste::PasteItem;
use crate::app::files::{self, Reading};
use crate::app::state::State;
use crate::app::words;

/// Id of the box.
pub const BOX_ID: &str = "evidence-box";

/// The evidence panel.
#[component]
pub fn Evidence() -> impl IntoView {
    let state = expect_context::<State>();
    let readings = RwSignal::new(Vec::<Reading>::new());
    let dragging = take_from_anywhere(state, readings);
    view! {
        <section class="evidence">
            <h2 id="evidence-title">"Evidence"</h2>
            <PasteBox readings/>
            <Readings readings/>
            <Removed/>
            <ul class="pastes">
                <For each=move || state.heads.get() key=|h| h.id let(head)>
                    <PasteItem id=head.id/>
                </For>
            </ul>
            <NotKept/>
            <Clear/>
            <div class="drop-here" class:shown=dragging aria-hidden="true">
                "Drop files or text anywhere"
            </div>
        </section>
    }
}

/// Pastes and drops are taken wherever they happen, except in another field. The signal is true while something is
/// dragged over the page.
fn take_from_anywhere(state: State, readings: RwSignal<Vec<Reading>>) -> RwSignal<bool> {
    let dragging = RwSignal::new(false);
    let pasted = window_event_listener(ev::paste, move |event| {
        let Some(data) = event.clipboard_data() else { return };
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
    let over = window_event_listener(ev::dragover, move |event| {
        if event.data_transfer().is_some_and(|d| holds(&d, "Files") || holds(&d, "text/plain")) {
            event.prevent_default();
            dragging.set(true);
        }
    });
    let left = window_event_listener(ev::dragleave, move |event| {
        if event.related_target().is_none() {
            dragging.set(false);
        }
    });
    let dropped = window_event_listener(ev::drop, move |event| {
        dragging.set(false);
        let Some(data) = event.data_transfer() else { return };
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
    on_cleanup(move || {
        pasted.remove();
        over.remove();
        left.remove();
        dropped.remove();
    });
    dragging
}

fn holds(data: &web_sys::DataTransfer, kind: &str) -> bool {
    data.types().iter().any(|t| t.as_string().as_deref() == Some(kind))
}

/// A field other than the evidence box: what is pasted there stays there.
fn is_other_field(target: &web_sys::EventTarget) -> bool {
    target
        .dyn_ref::<web_sys::Element>()
        .is_some_and(|e| e.id() != BOX_ID && matches!(e.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"))
}

/// The box. The browser owns what is typed in it; the page reads it when it is added.
#[component]
fn PasteBox(readings: RwSignal<Vec<Reading>>) -> impl IntoView {
    let state = expect_context::<State>();
    let area = NodeRef::<html::Textarea>::new();
    let picker = NodeRef::<html::Input>::new();
    let typed = RwSignal::new(!state.draft().is_empty());
    Effect::new(move |_| {
        if let Some(area) = area.get() {
            area.set_value(&state.draft());
        }
    });
    // Cleared, or a sample opened or closed: the box shows the draft of what is on show.
    Effect::new(move |before: Option<()>| {
        state.heads.track();
        if let (Some(()), Some(area)) = (before, area.get_untracked())
            && area.value() != state.draft()
        {
            area.set_value(&state.draft());
            typed.set(!state.draft().trim().is_empty());
        }
    });
    let input = move |event: web_sys::Event| {
        let text = event_target_value(&event);
        typed.set(!text.trim().is_empty());
        state.set_draft(text);
    };
    let add = move || {
        let Some(area) = area.get_untracked() else { return };
        let text = area.value();
        if text.trim().is_empty() {
            return;
        }
        state.set_draft(String::new());
        area.set_value("");
        typed.set(false);
        state.add(None, text);
        let _ = area.focus();
    };
    let key = move |event: ev::KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            add();
        }
    };
    let picked = move |event: web_sys::Event| {
        let input = event_target::<web_sys::HtmlInputElement>(&event);
        files::open(state, readings, input.files());
        // The same file can be opened again.
        input.set_value("");
    };
    let open = move |_| {
        if let Some(picker) = picker.get_untracked() {
            picker.click();
        }
    };
    view! {
        <textarea
            id=BOX_ID
            class="box"
            node_ref=area
            aria-labelledby="evidence-title"
            aria-describedby="evidence-help"
            placeholder="Paste anything etcd printed, or drop files."
            spellcheck="false"
            autocapitalize="off"
            on:input=input
            on:keydown=key
        ></textarea>
        <p id="evidence-help" class="why">
            "Several pastes, any order, with whatever stands around them. Each becomes an entry of its own."
        </p>
        <p class="row">
            <button type="button" class="button" on:click=open>"Open files…"</button>
            <button type="button" class="button" disabled=move || !typed.get() on:click=move |_| add()>
                "Add what I typed"
            </button>
        </p>
        <input type="file" multiple=true hidden=true aria-label="Files" node_ref=picker on:change=picked/>
    }
}

/// Files that are being read, and those that could not be.
#[component]
fn Readings(readings: RwSignal<Vec<Reading>>) -> impl IntoView {
    view! {
        <ul class="readings">
            <For each=move || readings.get() key=|r| r.id let(reading)>
                <ReadingItem reading readings/>
            </For>
        </ul>
    }
}

#[component]
fn ReadingItem(reading: Reading, readings: RwSignal<Vec<Reading>>) -> impl IntoView {
    let Reading { id, name, size, done, error, cancelled } = reading;
    let failed = {
        let error = error.clone();
        Memo::new(move |_| error.with(Option::is_some))
    };
    let away = move |_| {
        cancelled.set(true);
        readings.update(|all| all.retain(|r| r.id != id));
    };
    let label = format!("Reading {name}");
    view! {
        <li class="reading">
            <span class="name">{name}</span>
            <progress max=size.to_string() value=move || done.get().to_string() aria-label=label hidden=failed></progress>
            <p class="state blocked" role="alert">{move || error.get().map(|e| format!("✕ {e}"))}</p>
            <button type="button" class="small" on:click=away>
                {move || if failed.get() { "dismiss" } else { "cancel" }}
            </button>
        </li>
    }
}

#[component]
fn Removed() -> impl IntoView {
    let state = expect_context::<State>();
    view! {
        <Show when=move || state.removed_name.with(Option::is_some)>
            <p class="undo">
                {move || state.removed_name.get()} " removed. "
                <button type="button" class="link" on:click=move |_| state.put_back()>"Undo"</button>
            </p>
        </Show>
    }
}

#[component]
fn NotKept() -> impl IntoView {
    let state = expect_context::<State>();
    view! {
        {move || {
            state.not_kept.get().map(|why| view! { <p class="state warning" role="alert">"! " {why.to_string()}</p> })
        }}
    }
}

/// Clears everything, after asking once.
#[component]
fn Clear() -> impl IntoView {
    let state = expect_context::<State>();
    let asking = RwSignal::new(false);
    let keep = NodeRef::<html::Button>::new();
    Effect::new(move |_| {
        if let Some(button) = keep.get() {
            let _ = button.focus();
        }
    });
    let clear = move |_| {
        asking.set(false);
        state.clear();
    };
    let question = move || {
        let pastes = state.heads.with(Vec::len);
        format!("Clear {} and all answers and ticks? This can’t be undone. ", words::count(pastes, "paste", "pastes"))
    };
    let anything = move || {
        let answered = state.answers.with(|a| a.iter().next().is_some());
        state.sample.with(Option::is_none) && (answered || state.heads.with(|h| !h.is_empty()))
    };
    view! {
        <Show when=anything>
            <p class="clear">
                <Show
                    when=move || asking.get()
                    fallback=move || {
                        view! {
                            <button type="button" class="link" on:click=move |_| asking.set(true)>"Clear everything"</button>
                        }
                    }
                >
                    {question}
                    <button type="button" class="small" on:click=clear>"clear everything"</button>
                    " "
                    <button type="button" class="small" node_ref=keep on:click=move |_| asking.set(false)>"keep"</button>
                </Show>
            </p>
        </Show>
    }
}
