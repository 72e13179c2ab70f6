//! Commands to run, with a button that copies them.

use leptos::prelude::*;

use super::copy_button::CopyButton;

/// One command, or a few that belong together.
#[component]
pub fn Command(
    /// The command, ready to run.
    #[prop(into)]
    text: String,
) -> impl IntoView {
    let copied = text.clone();
    view! {
        <div class="cmd">
            <pre translate="no" tabindex="0" role="group" aria-label="command">
                <code>{text}</code>
            </pre>
            <CopyButton text=Callback::new(move |()| copied.clone()) label="copy" name="copy the command"/>
        </div>
    }
}

/// All commands of a step or a remedy in one box, copied together.
#[component]
pub fn Commands(
    /// The commands in order; nothing is drawn when there are none.
    lines: Vec<String>,
) -> impl IntoView {
    (!lines.is_empty()).then(|| view! { <Command text=lines.join("\n")/> })
}
