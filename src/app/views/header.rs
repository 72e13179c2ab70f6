//! The bar on top: what this is, how old its rules are, meeting mode, samples, that nothing leaves the page, theme, keys.

use etcd_upgrade_planner::etcd::releases::RULESET_DATE;
use leptos::prelude::*;

use super::clusters;
use super::meeting::Meeting;
use crate::app::clock;
use crate::app::components::choice::option;
use crate::app::dom::{El, button, el};
use crate::app::preferences::{THEME, show_theme};
use crate::app::state::State;
use crate::app::{samples, shortcuts};

/// The bar on top.
pub fn header(meeting: Meeting) -> El {
    let state = expect_context::<State>();
    let opens =
        |id: &str, label: &str| el("button").attr("type", "button").class("link").attr("popovertarget", id).text(label);
    let to_meeting = button("link", "Meeting mode", move || {
        meeting.open();
    });
    el("header")
        .class("bar")
        .child(el("b").attr("translate", "no").text("etcd Upgrade Planner"))
        .child(el("span").class("space"))
        .child(
            opens("clusters", "Cluster: ")
                .child(el("b").attr("translate", "no").bind_text(move || state.cluster.get().name)),
        )
        .child(el("span").class("rules").text("rules of ").text(&clock::day(RULESET_DATE)))
        .child(to_meeting.bind_flag("hidden", move || !state.judging()))
        .child(opens("samples", "Samples"))
        .child(opens("privacy", "Nothing leaves this page"))
        .child(themes())
        .child(opens(shortcuts::LIST_ID, "?").attr("id", shortcuts::BUTTON_ID).attr("aria-label", "? Keys"))
}

/// Themes, and what the switch calls them.
const THEMES: [(&str, &str); 4] =
    [("", "as the system"), ("light", "light"), ("dark", "dark"), ("contrast", "high contrast")];

fn themes() -> El {
    el("select")
        .attr("aria-label", "Theme")
        .children(THEMES.iter().map(|(theme, label)| option(theme, label)))
        .bind_value("value", || THEME.get())
        .on("change", |event| show_theme(&event_target_value(&event)))
}

/// What the buttons of the bar open.
pub fn pops() -> [El; 4] {
    let state = expect_context::<State>();
    [
        pop("clusters", "Clusters")
            .child(el("p").text("Each has its own pastes, answers and ticks."))
            .show(move || state.judged.with(Option::is_some), clusters::menu),
        pop("samples", "Samples")
            .child(el("p").text("What real clusters printed. Your own work waits underneath."))
            .child(sample_list()),
        pop("privacy", "Nothing leaves this page").children(PRIVACY.iter().map(|words| el("p").text(words))),
        pop(shortcuts::LIST_ID, "Keys").children(shortcuts::list()),
    ]
}

const PRIVACY: [&str; 3] = [
    "What you paste is read and judged here, in your browser. Once loaded, the page makes no request: its \
     Content-Security-Policy forbids it, and a test of every release checks that.",
    "Your work on each cluster is kept in this browser’s storage, so that a reload loses nothing. “Clear everything” under the evidence \
     removes it.",
    "Disconnect from the network and go on: everything still works.",
];

/// What a button opens above the page.
pub fn pop(id: &str, name: &str) -> El {
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
