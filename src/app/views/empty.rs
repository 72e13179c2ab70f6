//! Before the first paste: what to paste first, in three lines, and samples.

use etcd_upgrade_planner::evidence::collect;
use etcd_upgrade_planner::export::report::{AskOut, Report};
use leptos::prelude::*;

use super::asked::commands;
use super::header::sample_list;
use crate::app::components::command::command;
use crate::app::components::copy_button::copy_button;
use crate::app::dom::{El, el};
use crate::app::state::State;
use crate::app::words;

/// What to paste first, while nothing is pasted. The commands are those the report asks for when nothing is known.
pub fn empty(parent: El) -> El {
    let state = expect_context::<State>();
    parent.show(move || !state.judging(), move || draw(state))
}

/// The script that runs all of these commands on a host.
fn collecting() -> El {
    let button =
        copy_button("small", "copy the collect script", "copy the collect script", || collect::SCRIPT.to_owned());
    let run = format!("sudo sh {}", collect::FILE_NAME);
    el("div").class("collect").child(el("p").class("why").text(
        "One script runs all of these commands; it only reads. Run it on each member's host, or on one with --ssh and the \
         names of all, and paste what it prints.",
    )).child(el("p").child(button)).child(command(&run))
}

fn draw(state: State) -> Vec<El> {
    let section = el("section")
        .class("empty")
        .child(el("h1").text("May this etcd upgrade start?"))
        .child(el("p").class("lead").text(
            "Paste what etcd prints. The page says whether the upgrade may start, what to do in which order, and at \
             every step which ways back are still open.",
        ))
        // The report on nothing says what is asked for first; it comes with the second part of the page.
        .child(el("div").redraw(
            move || state.judged.with(|judged| judged.is_some()).then_some(1),
            move || state.report(how_to_begin),
        ));
    vec![section]
}

fn how_to_begin(report: &Report) -> Vec<El> {
    let first = |ask: &AskOut| {
        let gates = words::count(ask.gates.len(), "gate", "gates");
        let answers = el("p")
            .class("why")
            .text(&format!("answers {gates}: "))
            .child(el("span").class("id").text(&ask.gates.join(", ")));
        el("li").child(command(&ask.command)).child(answers)
    };
    vec![
        el("h2").text("Paste first"),
        el("ol").class("first").children(commands(report).take(3).map(first)),
        el("p").class("why").text(
            "In any order, several at once, with prompts and noise around. Then the unit files, manifests or config \
             files that start each member.",
        ),
        el("h2").text("Or all at once"),
        collecting(),
        el("h2").text("Or look at a sample"),
        sample_list(),
    ]
}
