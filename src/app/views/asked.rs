//! What would answer the open gates: commands to run, most decisive first.

use leptos::prelude::*;

use crate::app::components::command::Command;
use crate::app::state::State;
use crate::app::words;

/// The commands that would answer the open gates. Nothing is drawn when none is needed.
#[component]
pub fn Asked() -> impl IntoView {
    let state = expect_context::<State>();
    let asks = Memo::new(move |_| {
        state.report(|r| r.asks.iter().filter(|a| !a.command.is_empty()).cloned().collect::<Vec<_>>())
    });
    view! {
        <Show when=move || asks.with(|a| !a.is_empty())>
            <section class="asked">
                <h2>"Asked for"</h2>
                <p class="why">"Run these, paste what they print."</p>
                {move || {
                    asks.get()
                        .into_iter()
                        .map(|ask| {
                            let on = match ask.members.as_slice() {
                                [] => "Once, anywhere".to_owned(),
                                members => format!("For {}", words::list(members)),
                            };
                            view! {
                                <div class="ask">
                                    <p>
                                        <span class="state unknown">"? " {on}</span>
                                    </p>
                                    <Command text=ask.command/>
                                    <p class="id" translate="no">
                                        {ask.gates.join(" · ")}
                                    </p>
                                </div>
                            }
                        })
                        .collect_view()
                }}
            </section>
        </Show>
    }
}
