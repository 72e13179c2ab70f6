//! Buttons that copy or save a text and say what came of it.

use std::rc::Rc;

use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::dom::{El, el};
use crate::app::state::State;
use crate::app::watched::Watched;
use crate::app::{clipboard, download};

/// How long the button shows what came of it, in milliseconds.
const SHOWN: u32 = 1_600;

/// A button that copies what `text` gives when it is pressed. `name` is what a screen reader says; it starts with the
/// label.
pub fn copy_button(class: &str, label: &'static str, name: &str, text: impl Fn() -> String + 'static) -> El {
    copying(class, label, name, Rc::new(text))
}

fn copying(class: &str, label: &'static str, name: &str, text: Rc<dyn Fn() -> String>) -> El {
    telling(class, label, name, move |told| {
        let text = text();
        spawn_local(async move {
            let copied = clipboard::copy(&text).await;
            let no = "The browser does not let the page copy. Select the text.";
            told.tell(if copied { ("copied", "Copied.") } else { ("not copied", no) });
        });
    })
}

/// A button that saves the file whose name and text `file` gives when it is pressed.
pub fn save_button(class: &str, label: &'static str, file: impl Fn() -> (String, String) + 'static) -> El {
    saving(class, label, Box::new(file))
}

fn saving(class: &str, label: &'static str, file: Box<dyn Fn() -> (String, String)>) -> El {
    telling(class, label, label, move |told| {
        let (name, text) = file();
        let no = "The browser does not let the page save a file.";
        told.tell(if download::save(&name, &text) { ("saved", "Saved.") } else { ("not saved", no) });
    })
}

/// A button that tells for a moment what came of it.
#[derive(Clone, Copy)]
struct Told {
    state: State,
    label: &'static str,
    words: Watched<&'static str>,
}

impl Told {
    /// Shows the first, says the second.
    fn tell(self, (shown, said): (&'static str, &str)) {
        self.state.said.set(said.to_owned());
        self.words.set(shown);
        Timeout::new(SHOWN, move || self.words.set(self.label)).forget();
    }
}

fn telling(class: &str, label: &'static str, name: &str, pressed: impl Fn(Told) + 'static) -> El {
    let told = Told { state: expect_context::<State>(), label, words: Watched::new(label) };
    el("button")
        .attr("type", "button")
        .class(class)
        .attr("aria-label", name)
        .on("click", move |_| pressed(told))
        .bind_text(move || told.words.get().to_owned())
}
