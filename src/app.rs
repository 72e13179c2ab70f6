//! The page.
//!
//! It renders from one thing, the report that `judge` makes of the pastes, what is wanted, the answers and the date.
//! [`state`] holds the work and judges it, [`storage`] keeps it in this browser, [`files`] reads what is dropped or
//! opened, [`links`] opens links, [`shortcuts`] are the keys, [`preferences`] how the person wants the page, [`views`] are the parts of the page from top to bottom, [`components`] what several of them use, [`dom`] how
//! all of them are drawn.

mod clipboard;
mod clock;
#[cfg(feature = "components")]
mod component_page;
mod components;
mod dom;
mod download;
mod files;
mod links;
mod preferences;
mod samples;
mod shortcuts;
mod state;
mod storage;
mod target;
mod views;
mod watched;
mod words;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, StorageEvent};

use dom::listener::on_window;
use dom::{El, el, focus_on, watch};
use state::State;
use storage::Shelf;
use views::evidence::BOX_ID;
use views::meeting::Meeting;
use views::{
    answers, asked, bump, changes, checklist, empty, evidence, gates, guest, header, intent, members, out, quorum,
    reading, verdict, ways_back,
};

/// Mounts the page.
pub fn mount() {
    console_error_panic_hook::set_once();
    // The page puts its own elements into the body, see `dom`; Leptos gives them the scope they live in.
    mount_to_body(|| {
        if let Some(body) = document().body() {
            for part in page() {
                let _ = body.append_child(&part.node());
            }
        }
    });
}

/// The whole page.
fn page() -> Vec<El> {
    let state = State::load(Shelf::PAGE);
    provide_context(state);
    provide_context(files::Readings::default());
    #[cfg(feature = "components")]
    if component_page::is_asked_for() {
        return component_page::page();
    }
    // Sent by boot.js, when there is nothing left to load.
    on_window("second-part", move |_| {
        state.second_part_arrived();
        links::read(state);
    });
    on_window("hashchange", move |_| {
        if state.is_complete() {
            links::read(state);
        }
    });
    keep_on_leaving(state);
    open_folds_for_print();
    focus_first_verdict(state);
    // Without a new address: browsers ask for the icon of the page again when it changes.
    let skip =
        el("a").class("skip").attr("href", &format!("#{BOX_ID}")).text("Skip to the evidence").on("click", |event| {
            event.prevent_default();
            focus_on(BOX_ID);
        });
    let right = el("main")
        .class("right")
        .child(verdict::verdict())
        .part(|right| reading::not_yet(right, state))
        .part(empty::empty)
        .part(members::members)
        .part(changes::changes)
        .part(gates::gates)
        .part(bump::bump)
        .part(quorum::quorum)
        .part(ways_back::ways_back)
        .part(checklist::checklist)
        .part(|right| colophon(right, state))
        .part(out::out);
    let left = el("aside")
        .class("left")
        .attr("aria-label", "Evidence and answers")
        .child(evidence::evidence())
        .part(asked::asked)
        .part(answers::answers);
    let columns = el("div").bind_class("cols", "nothing-yet", move || !state.judging()).child(right).child(left);
    let said =
        el("p").class("unseen").attr("role", "status").attr("aria-live", "polite").bind_text(move || state.said.get());
    let meeting = Meeting::new(state);
    shortcuts::listen(meeting);
    let bar = [skip, header::header(meeting)];
    let rest = [guest::guest(state), intent::intent(), columns, meeting.dialog(), said];
    bar.into_iter().chain(header::pops()).chain(rest).collect()
}

/// When and by which rules this was judged.
fn colophon(right: El, state: State) -> El {
    let words = move || {
        state.report(|r| {
            let (day, rules) = (clock::day(&r.ruleset.date), &r.ruleset.version);
            format!("Judged {} by rules {rules} of {day}.", clock::minute(&r.date))
        })
    };
    right.show(move || state.judging(), move || vec![el("p").class("colophon").bind_text(words)])
}

/// Focus goes to the first verdict, unless the person is busy in a field.
fn focus_first_verdict(state: State) {
    // Work that was kept is judged a moment after the page is up; that verdict is not the first.
    let mut had_verdict = state.heads.with_untracked(|heads| !heads.is_empty());
    watch(Box::new(move || {
        if state.judged.with(Option::is_none) {
            return;
        }
        let judging = state.judging();
        let first = judging && !had_verdict;
        had_verdict = judging;
        if !first {
            return;
        }
        request_animation_frame(move || {
            let busy =
                document().active_element().is_some_and(|e| e.id() == BOX_ID && !state.draft().trim().is_empty());
            if !busy {
                focus_on(verdict::ID);
            }
        });
    }));
}

/// Keeps the work when the page goes out of sight; judges again when it comes back on another day.
fn keep_on_leaving(state: State) {
    on_window("pagehide", move |_| {
        state.keep();
        state.leave();
    });
    on_window("visibilitychange", move |_| {
        if document().hidden() {
            state.keep();
            return;
        }
        let today = clock::now().date().to_string();
        let judged = state.judged.with_untracked(|j| j.as_ref().map(|j| j.report.date.clone()));
        if judged.is_some_and(|date| date.get(..10) != Some(today.as_str())) {
            state.judge();
        }
    });
    on_window("storage", move |event| {
        let event: &StorageEvent = event.unchecked_ref();
        state.heard(event.key(), event.new_value());
    });
    // Back and forward: the page went out of sight as it was, and comes back so.
    on_window("pageshow", move |_| {
        state.announce();
        state.keep();
    });
}

/// On paper every fold is open; afterwards those that were shut are shut again.
fn open_folds_for_print() {
    const SHUT: &str = "data-shut";
    let each = |selector: &str, f: fn(&Element)| {
        let Ok(folds) = document().query_selector_all(selector) else { return };
        for i in 0..folds.length() {
            if let Some(fold) = folds.get(i) {
                f(fold.unchecked_ref());
            }
        }
    };
    on_window("beforeprint", move |_| {
        each(".right details:not([open], .catalogue)", |fold| {
            let _ = fold.set_attribute(SHUT, "");
            let _ = fold.set_attribute("open", "");
        });
    });
    on_window("afterprint", move |_| {
        each("details[data-shut]", |fold| {
            let _ = fold.remove_attribute("open");
            let _ = fold.remove_attribute(SHUT);
        });
    });
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

    wasm_bindgen_test_configure!(run_in_browser);

    #[wasm_bindgen_test]
    fn mounting_puts_the_page_into_the_body() {
        super::mount();
        let main = leptos::prelude::document().query_selector("body main").expect("the selector is valid");
        let text = main.expect("the page has a main part").text_content().unwrap_or_default();
        assert!(text.contains("May this etcd upgrade start?"), "{text}");
    }
}
