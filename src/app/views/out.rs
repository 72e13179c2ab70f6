//! What leaves the page, by the person's own hand: Markdown and JSON on the clipboard, paper.

use etcd_upgrade_planner::export;
use leptos::prelude::*;

use crate::app::components::copy_button::CopyButton;
use crate::app::state::State;

/// The bar at the foot of the result.
#[component]
pub fn Out() -> impl IntoView {
    let state = expect_context::<State>();
    let markdown = Callback::new(move |()| {
        state.judged.with_untracked(|j| j.as_ref().map(|j| export::markdown::write(&j.report)).unwrap_or_default())
    });
    let json = Callback::new(move |()| {
        state.judged.with_untracked(|j| {
            j.as_ref().and_then(|j| serde_json::to_string_pretty(&j.report).ok()).unwrap_or_default()
        })
    });
    let print = move |_| {
        let _ = window().print();
    };
    view! {
        <div class="out">
            <CopyButton text=markdown label="Copy as Markdown" name="Copy as Markdown" class="button first"/>
            <CopyButton text=json label="Copy JSON" name="Copy JSON" class="button"/>
            <button type="button" class="button" on:click=print>"Print"</button>
        </div>
    }
}
