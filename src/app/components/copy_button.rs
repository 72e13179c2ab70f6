//! A button that copies a text and says so.

use std::rc::Rc;

use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::clipboard;
use crate::app::dom::{El, el};
use crate::app::state::State;
use crate::app::watched::Watched;

/// How long the button shows what came of it, in milliseconds.
const SHOWN: u32 = 1_600;

/// A button that copies what `text` gives when it is pressed. `name` is what a screen reader says; it starts with the
/// label.
pub fn copy_button(class: &str, label: &'static str, name: &str, text: impl Fn() -> String + 'static) -> El {
    copying(class, label, name, Rc::new(text))
}

fn copying(class: &str, label: &'static str, name: &str, text: Rc<dyn Fn() -> String>) -> El {
    let state = expect_context::<State>();
    let words = Watched::new(label);
    let copy = move |_| {
        let text = text();
        spawn_local(async move {
            let copied = clipboard::copy(&text).await;
            let said = if copied { "Copied." } else { "The browser does not let the page copy. Select the text." };
            state.said.set(said.to_owned());
            words.set(if copied { "copied" } else { "not copied" });
            Timeout::new(SHOWN, move || words.set(label)).forget();
        });
    };
    el("button")
        .attr("type", "button")
        .class(class)
        .attr("aria-label", name)
        .on("click", copy)
        .bind_text(move || words.get().to_owned())
}
