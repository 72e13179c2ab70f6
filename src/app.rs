//! The page.
//!
//! It renders from one thing, the report that `judge` makes of the pastes, what is wanted, the answers and the date.
//! [`state`] holds the work and judges it, [`storage`] keeps it in this browser, [`files`] reads what is dropped or
//! opened, [`views`] are the parts of the page from top to bottom, [`components`] what several of them use.

mod clipboard;
mod clock;
mod components;
mod files;
mod samples;
mod state;
mod storage;
mod views;
mod words;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use state::State;
use storage::Shelf;
use views::answers::Answers;
use views::asked::Asked;
use views::checklist::Checklist;
use views::empty::Empty;
use views::evidence::{BOX_ID, Evidence};
use views::gates::Gates;
use views::header::Header;
use views::intent::IntentLine;
use views::members::Members;
use views::out::Out;
use views::verdict::{self, Verdict};
use views::ways_back::WaysBack;

/// Mounts the page.
pub fn mount() {
    console_error_panic_hook::set_once();
    mount_to_body(App);
}

/// The whole page.
#[component]
fn App() -> impl IntoView {
    let state = State::load(Shelf::PAGE);
    provide_context(state);
    keep_on_leaving(state);
    open_folds_for_print();
    // From the report, not from the list: the first verdict comes with its words.
    let judging = Memo::new(move |_| state.judged.with(|j| j.as_ref().is_some_and(|j| !j.pastes.is_empty())));
    focus_first_verdict(state, judging);
    // Without a new address: browsers ask for the icon of the page again when it changes.
    let skip = |event: ev::MouseEvent| {
        event.prevent_default();
        focus(BOX_ID);
    };
    view! {
        <a class="skip" href=format!("#{BOX_ID}") on:click=skip>"Skip to the evidence"</a>
        <Header/>
        <SampleBar/>
        <IntentLine/>
        <div class="cols" class:nothing-yet=move || !judging.get()>
            <main class="right">
                <Verdict judging/>
                <Show when=move || judging.get() fallback=Empty>
                    <Members/>
                    <Gates/>
                    <WaysBack/>
                    <Checklist/>
                    <Colophon/>
                    <Out/>
                </Show>
            </main>
            <aside class="left" aria-label="Evidence and answers">
                <Evidence/>
                <Show when=move || judging.get()>
                    <Asked/>
                </Show>
                <Answers/>
            </aside>
        </div>
        <p class="unseen" role="status" aria-live="polite">
            {state.said}
        </p>
    }
}

/// Says that a sample is on show, and how to leave it.
#[component]
fn SampleBar() -> impl IntoView {
    let state = expect_context::<State>();
    view! {
        <Show when=move || state.sample.with(Option::is_some)>
            <section class="sample-bar" aria-label="Sample">
                <span>
                    "Sample: " <b>{move || state.sample.get()}</b>
                    ". Changes to it are not kept. Paste your own and it makes room."
                </span>
                <button type="button" class="small" on:click=move |_| state.close_sample()>"close the sample"</button>
            </section>
        </Show>
    }
}

/// When and by which rules this was judged.
#[component]
fn Colophon() -> impl IntoView {
    let state = expect_context::<State>();
    let words = move || {
        state.report(|r| {
            format!(
                "Judged {} by rules {} of {}.",
                clock::minute(&r.date),
                r.ruleset.version,
                clock::day(&r.ruleset.date)
            )
        })
    };
    view! { <p class="colophon">{words}</p> }
}

/// Focus goes to the first verdict, unless the person is busy in a field.
fn focus_first_verdict(state: State, judging: Memo<bool>) {
    let had_verdict = StoredValue::new(judging.get_untracked());
    Effect::new(move |_| {
        let judging = judging.get();
        let first = judging && !had_verdict.get_value();
        had_verdict.set_value(judging);
        if !first {
            return;
        }
        request_animation_frame(move || {
            let page = document();
            let busy = page.active_element().is_some_and(|e| e.id() == BOX_ID && !state.draft().trim().is_empty());
            if !busy {
                focus(verdict::ID);
            }
        });
    });
}

fn focus(id: &str) {
    let element = document().get_element_by_id(id).and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(element) = element {
        let _ = element.focus();
    }
}

/// Keeps the work when the page goes out of sight; judges again when it comes back on another day.
fn keep_on_leaving(state: State) {
    let hidden = window_event_listener(ev::pagehide, move |_| state.keep());
    let seen = window_event_listener(ev::visibilitychange, move |_| {
        if document().hidden() {
            state.keep();
        } else {
            let today = clock::now().date().to_string();
            let judged = state.judged.with_untracked(|j| j.as_ref().map(|j| j.report.date.clone()));
            if judged.is_some_and(|date| date.get(..10) != Some(today.as_str())) {
                state.judge();
            }
        }
    });
    let other_tab = window_event_listener(ev::storage, move |event| {
        if event.key().is_none_or(|key| key == Shelf::PAGE.index_key()) {
            state.taken_over();
        }
    });
    on_cleanup(move || {
        hidden.remove();
        seen.remove();
        other_tab.remove();
    });
}

/// On paper every fold is open; afterwards those that were shut are shut again.
fn open_folds_for_print() {
    const SHUT: &str = "data-shut";
    let each = |selector: &str, f: fn(&web_sys::Element)| {
        let Ok(folds) = document().query_selector_all(selector) else { return };
        for i in 0..folds.length() {
            if let Some(fold) = folds.get(i).and_then(|n| n.dyn_into::<web_sys::Element>().ok()) {
                f(&fold);
            }
        }
    };
    let before = window_event_listener(ev::Custom::<web_sys::Event>::new("beforeprint"), move |_| {
        each(".right details:not([open])", |fold| {
            let _ = fold.set_attribute(SHUT, "");
            let _ = fold.set_attribute("open", "");
        });
    });
    let after = window_event_listener(ev::Custom::<web_sys::Event>::new("afterprint"), move |_| {
        each("details[data-shut]", |fold| {
            let _ = fold.remove_attribute("open");
            let _ = fold.remove_attribute(SHUT);
        });
    });
    on_cleanup(move || {
        before.remove();
        after.remove();
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
