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
        state.sample.with(Option::is_none) && (answered || state.heads.with(|h| !h.is_empty()))
    };
    let question = move || {
        let pastes = words::count(state.heads.with(Vec::len), "paste", "pastes");
        format!("Clear {pastes} and all answers and ticks? This can’t be undone. ")
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
