//! The bar on top: what this is, how old its rules are, samples, and that nothing leaves the page.

use etcd_upgrade_planner::etcd::releases::RULESET_DATE;
use leptos::prelude::*;

use crate::app::clock;
use crate::app::samples;
use crate::app::state::State;

/// The bar on top.
#[component]
pub fn Header() -> impl IntoView {
    view! {
        <header class="bar">
            <b translate="no">"etcd Upgrade Planner"</b>
            <span class="space"></span>
            <span class="rules">"rules of " {clock::day(RULESET_DATE)}</span>
            <button type="button" class="link" popovertarget="samples">"Samples"</button>
            <button type="button" class="link" popovertarget="privacy">"Nothing leaves this page"</button>
        </header>
        <Samples/>
        <Privacy/>
    }
}

#[component]
fn Samples() -> impl IntoView {
    view! {
        <div id="samples" class="pop" popover="auto" role="dialog" aria-label="Samples">
            <p>"What real clusters printed. Your own work waits underneath."</p>
            <SampleList/>
        </div>
    }
}

/// The samples as a list of buttons.
#[component]
pub fn SampleList() -> impl IntoView {
    let state = expect_context::<State>();
    let item = move |sample: &'static samples::Sample| {
        view! {
            <li>
                <button
                    type="button"
                    class="link"
                    popovertarget="samples"
                    popovertargetaction="hide"
                    on:click=move |_| state.open_sample(sample)
                >
                    {sample.title}
                </button>
                <span class="why">{sample.shows}</span>
            </li>
        }
    };
    view! { <ul class="samples">{samples::ALL.iter().map(item).collect_view()}</ul> }
}

#[component]
fn Privacy() -> impl IntoView {
    view! {
        <div id="privacy" class="pop" popover="auto" role="dialog" aria-label="Nothing leaves this page">
            <p>
                "What you paste is read and judged here, in your browser. Once loaded, the page makes no request: its "
                "Content-Security-Policy forbids it, and a test of every release checks that."
            </p>
            <p>
                "Your work is kept in this browser’s storage, so that a reload loses nothing. "
                "“Clear everything” under the evidence removes it."
            </p>
            <p>"Disconnect from the network and go on: everything still works."</p>
        </div>
    }
}
