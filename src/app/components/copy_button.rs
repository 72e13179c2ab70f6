//! A button that copies a text and says so.

use std::time::Duration;

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::clipboard;
use crate::app::state::State;

/// How long the button shows what came of it.
const SHOWN: Duration = Duration::from_millis(1_600);

/// A button that copies what `text` gives when it is pressed.
#[component]
pub fn CopyButton(
    /// What is copied; made only when the button is pressed.
    text: Callback<(), String>,
    /// What the button says.
    #[prop(into)]
    label: String,
    /// What a screen reader says; starts with the label.
    #[prop(into)]
    name: String,
    /// Its classes.
    #[prop(default = "small")]
    class: &'static str,
) -> impl IntoView {
    let state = expect_context::<State>();
    let came_of_it = RwSignal::new(None::<bool>);
    let copy = move |_: MouseEvent| {
        let text = text.run(());
        spawn_local(async move {
            let copied = clipboard::copy(&text).await;
            let words = if copied { "Copied." } else { "The browser does not let the page copy. Select the text." };
            state.said.set(words.to_owned());
            came_of_it.set(Some(copied));
            set_timeout(move || came_of_it.set(None), SHOWN);
        });
    };
    let words = move || match came_of_it.get() {
        None => label.clone(),
        Some(true) => "copied".to_owned(),
        Some(false) => "not copied".to_owned(),
    };
    view! {
        <button type="button" class=class aria-label=name on:click=copy>
            {words}
        </button>
    }
}
