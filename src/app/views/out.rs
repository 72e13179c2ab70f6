//! What leaves the page, by the person's own hand: Markdown and JSON on the clipboard, paper.

use etcd_upgrade_planner::export;
use leptos::prelude::*;

use crate::app::components::copy_button::copy_button;
use crate::app::dom::{El, button, el};
use crate::app::state::State;

/// The bar at the foot of the result.
pub fn out(parent: El) -> El {
    let state = expect_context::<State>();
    let markdown = move || state.report(export::markdown::write);
    let json = move || state.report(|r| serde_json::to_string_pretty(r).unwrap_or_default());
    let print = || {
        let _ = window().print();
    };
    let bar = move || {
        let bar = el("div")
            .class("out")
            .child(copy_button("button first", "Copy as Markdown", "Copy as Markdown", markdown))
            .child(copy_button("button", "Copy JSON", "Copy JSON", json))
            .child(button("button", "Print", print));
        vec![bar]
    };
    parent.show(move || state.judging(), bar)
}
