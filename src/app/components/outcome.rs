//! A gate's answer as sign and word; colour comes third.

use leptos::prelude::*;

/// Sign, word and class of an outcome or verdict, by its id in the report.
pub fn outcome(id: &str) -> (&'static str, &'static str, &'static str) {
    match id {
        "blocked" => ("✕", "Blocked", "blocked"),
        "warning" => ("!", "Warning", "warning"),
        "ready-with-warnings" => ("!", "Ready with warnings", "warning"),
        "cant-tell" => ("?", "Can’t tell yet", "unknown"),
        "passed" => ("✓", "Passed", "ready"),
        "ready" => ("✓", "Ready", "ready"),
        "not-applicable" => ("–", "Does not apply", "quiet"),
        _ => ("·", "Not looked at", "quiet"),
    }
}

/// Sign and word.
#[component]
pub fn Outcome(
    /// Its id in the report.
    #[prop(into)]
    id: String,
) -> impl IntoView {
    let (sign, word, class) = outcome(&id);
    view! {
        <span class=format!("state {class}")>
            <span aria-hidden="true" class="sign">
                {sign}
            </span>
            {word}
        </span>
    }
}
