//! Before the first paste: what to paste first, in three lines, and samples.

use leptos::prelude::*;

use super::header::SampleList;
use crate::app::components::command::Command;
use crate::app::state::State;
use crate::app::words;

/// What to paste first. The commands are those the report itself asks for when nothing is known.
#[component]
pub fn Empty() -> impl IntoView {
    let state = expect_context::<State>();
    let first = Memo::new(move |_| {
        state.report(|r| r.asks.iter().filter(|a| !a.command.is_empty()).take(3).cloned().collect::<Vec<_>>())
    });
    view! {
        <section class="empty">
            <h1>"May this etcd upgrade start?"</h1>
            <p class="lead">
                "Paste what etcd prints. The page says whether the upgrade may start, what to do in which order, and at "
                "every step which ways back are still open."
            </p>
            <h2>"Paste first"</h2>
            <ol class="first">
                {move || {
                    first
                        .get()
                        .into_iter()
                        .map(|ask| {
                            let gates = words::count(ask.gates.len(), "gate", "gates");
                            view! {
                                <li>
                                    <Command text=ask.command/>
                                    <p class="why">"answers " {gates} ": " <span class="id">{ask.gates.join(", ")}</span></p>
                                </li>
                            }
                        })
                        .collect_view()
                }}
            </ol>
            <p class="why">
                "In any order, several at once, with prompts and noise around. Then the unit files, manifests or config "
                "files that start each member."
            </p>
            <h2>"Or look at a sample"</h2>
            <SampleList/>
        </section>
    }
}
