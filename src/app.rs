//! The page.
//!
//! It renders from one thing, the report that `judge` makes of the pastes, what is wanted, the answers and the date.
//! [`state`] holds the work and judges it, [`storage`] keeps it in this browser, [`files`] reads what is dropped or
//! opened, [`views`] are the parts of the page from top to bottom, [`components`] what several of them use, [`dom`] how
//! all of them are drawn.

mod clipboard;
mod clock;
mod components;
mod dom;
mod files;
mod samples;
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
use dom::{El, button, el, watch};
use state::State;
use storage::Shelf;
use views::evidence::BOX_ID;
use views::{
    answers, asked, bump, changes, checklist, empty, evidence, gates, header, intent, members, out, verdict, ways_back,
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
    keep_on_leaving(state);
    open_folds_for_print();
    focus_first_verdict(state);
    // Without a new address: browsers ask for the icon of the page again when it changes.
    let skip =
        el("a").class("skip").attr("href", &format!("#{BOX_ID}")).text("Skip to the evidence").on("click", |event| {
            event.prevent_default();
            focus(BOX_ID);
        });
    let right = el("main")
        .class("right")
        .child(verdict::verdict())
        .part(empty::empty)
        .part(members::members)
        .part(changes::changes)
        .part(gates::gates)
        .part(bump::bump)
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
    let [samples, privacy] = header::pops();
    vec![skip, header::header(), samples, privacy, sample_bar(state), intent::intent(), columns, said]
}

/// Says that a sample is on show, and how to leave it.
fn sample_bar(state: State) -> El {
    let title = move || state.sample.get().unwrap_or_default().to_owned();
    let draw = move || {
        let words = el("span")
            .text("Sample: ")
            .child(el("b").bind_text(title))
            .text(". Changes to it are not kept. Paste your own and it makes room.");
        let close = button("small", "close the sample", move || state.close_sample());
        vec![el("section").class("sample-bar").attr("aria-label", "Sample").child(words).child(close)]
    };
    el("div").show(move || state.sample.with(Option::is_some), draw)
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
    let mut had_verdict = untrack(|| state.judging());
    watch(Box::new(move || {
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
                focus(verdict::ID);
            }
        });
    }));
}

fn focus(id: &str) {
    let element = document().get_element_by_id(id).and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(element) = element {
        let _ = element.focus();
    }
}

/// Keeps the work when the page goes out of sight; judges again when it comes back on another day.
fn keep_on_leaving(state: State) {
    on_window("pagehide", move |_| state.keep());
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
        let key = event.unchecked_ref::<StorageEvent>().key();
        if key.is_none_or(|key| key == Shelf::PAGE.index_key()) {
            state.taken_over();
        }
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
        each(".right details:not([open])", |fold| {
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
