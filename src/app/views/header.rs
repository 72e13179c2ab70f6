//! The bar on top: what this is, how old its rules are, samples, and that nothing leaves the page.

use etcd_upgrade_planner::etcd::releases::RULESET_DATE;
use leptos::prelude::*;

use crate::app::clock;
use crate::app::dom::{El, button, el};
use crate::app::samples;
use crate::app::state::State;

/// The bar on top.
pub fn header() -> El {
    let opens =
        |id: &str, label: &str| el("button").attr("type", "button").class("link").attr("popovertarget", id).text(label);
    el("header")
        .class("bar")
        .child(el("b").attr("translate", "no").text("etcd Upgrade Planner"))
        .child(el("span").class("space"))
        .child(el("span").class("rules").text("rules of ").text(&clock::day(RULESET_DATE)))
        .child(opens("samples", "Samples"))
        .child(opens("privacy", "Nothing leaves this page"))
}

/// What the buttons of the bar open.
pub fn pops() -> [El; 2] {
    [
        pop("samples", "Samples")
            .child(el("p").text("What real clusters printed. Your own work waits underneath."))
            .child(sample_list()),
        pop("privacy", "Nothing leaves this page").children(PRIVACY.iter().map(|words| el("p").text(words))),
    ]
}

const PRIVACY: [&str; 3] = [
    "What you paste is read and judged here, in your browser. Once loaded, the page makes no request: its \
     Content-Security-Policy forbids it, and a test of every release checks that.",
    "Your work is kept in this browser’s storage, so that a reload loses nothing. “Clear everything” under the evidence \
     removes it.",
    "Disconnect from the network and go on: everything still works.",
];

fn pop(id: &str, name: &str) -> El {
    el("div").attr("id", id).class("pop").attr("popover", "auto").attr("role", "dialog").attr("aria-label", name)
}

/// The samples as a list of buttons.
pub fn sample_list() -> El {
    let state = expect_context::<State>();
    let item = |sample: &'static samples::Sample| {
        let open = button("link", sample.title, move || state.open_sample(sample))
            .attr("popovertarget", "samples")
            .attr("popovertargetaction", "hide");
        el("li").child(open).child(el("span").class("why").text(sample.shows))
    };
    el("ul").class("samples").children(samples::ALL.iter().map(item))
}
