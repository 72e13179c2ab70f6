//! Clears everything, after asking once.

use crate::app::dom::{El, button, el, text};
use crate::app::state::State;
use crate::app::watched::Watched;
use crate::app::words;

/// The line under the evidence. Nothing is drawn while there is nothing to clear.
pub fn clear(section: El, state: State) -> El {
    let asking = Watched::new(false);
    let anything = move || {
        let answered = state.answers.with(|a| a.iter().next().is_some());
        let others = state.clusters.with(Vec::len) > 1;
        state.guest.with(Option::is_none) && (answered || others || state.heads.with(|h| !h.is_empty()))
    };
    let question = move || {
        let what = match state.clusters.with(Vec::len) {
            0 | 1 => words::count(state.heads.with(Vec::len), "paste", "pastes"),
            clusters => format!("all {clusters} clusters"),
        };
        format!("Clear {what} with all answers and ticks? It can be undone until you leave or reload the page. ")
    };
    let clear = move || {
        asking.set(false);
        state.clear();
    };
    let draw = move |asks: bool| {
        if !asks {
            return vec![button("link", "Clear everything", move || asking.set(true))];
        }
        vec![
            text(&question()),
            button("small", "clear everything", clear),
            text(" "),
            button("small", "keep", move || asking.set(false)).focused(),
        ]
    };
    section.show(anything, move || vec![el("p").class("clear").either(move || asking.get(), draw)])
}
