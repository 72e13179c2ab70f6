//! A choice of a few, all in sight.

use leptos::prelude::*;

/// Buttons side by side, one of them pressed.
#[component]
pub fn Segmented(
    /// Value and label of each.
    options: Vec<(&'static str, &'static str)>,
    /// The value that is chosen now.
    #[prop(into)]
    chosen: Signal<String>,
    /// Called with the value of the button pressed.
    on_choose: Callback<String>,
    /// Id of the element that names the group.
    #[prop(into)]
    labelled_by: String,
) -> impl IntoView {
    let button = move |(value, label): (&'static str, &'static str)| {
        let words = match label {
            "?" => "not known",
            other => other,
        };
        view! {
            <button
                type="button"
                aria-label=words
                aria-pressed=move || if chosen.with(|c| c == value) { "true" } else { "false" }
                on:click=move |_| on_choose.run(value.to_owned())
            >
                {label}
            </button>
        }
    };
    view! {
        <span class="seg" role="group" aria-labelledby=labelled_by>
            {options.into_iter().map(button).collect_view()}
        </span>
    }
}
