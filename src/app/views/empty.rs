//! Before the first paste: what to paste first, in three lines, and samples.

use etcd_upgrade_planner::export::report::{AskOut, Report};
use leptos::prelude::*;

use super::asked::commands;
use super::header::sample_list;
use crate::app::components::command::command;
use crate::app::dom::{El, el};
use crate::app::state::State;
use crate::app::words;

/// What to paste first, while nothing is pasted. The commands are those the report asks for when nothing is known.
pub fn empty(parent: El) -> El {
    let state = expect_context::<State>();
    parent.show(move || !state.judging(), move || state.report(draw))
}

fn draw(report: &Report) -> Vec<El> {
    let first = |ask: &AskOut| {
        let gates = words::count(ask.gates.len(), "gate", "gates");
        let answers = el("p")
            .class("why")
            .text(&format!("answers {gates}: "))
            .child(el("span").class("id").text(&ask.gates.join(", ")));
        el("li").child(command(&ask.command)).child(answers)
    };
    let section = el("section")
        .class("empty")
        .child(el("h1").text("May this etcd upgrade start?"))
        .child(el("p").class("lead").text(
            "Paste what etcd prints. The page says whether the upgrade may start, what to do in which order, and at \
             every step which ways back are still open.",
        ))
        .child(el("h2").text("Paste first"))
        .child(el("ol").class("first").children(commands(report).take(3).map(first)))
        .child(el("p").class("why").text(
            "In any order, several at once, with prompts and noise around. Then the unit files, manifests or config \
             files that start each member.",
        ))
        .child(el("h2").text("Or look at a sample"))
        .child(sample_list());
    vec![section]
}
