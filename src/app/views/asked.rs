//! What would answer the open gates: commands to run, most decisive first.

use etcd_upgrade_planner::export::report::{AskOut, Report};
use leptos::prelude::*;

use crate::app::components::command::command;
use crate::app::dom::list::digest;
use crate::app::dom::{El, el};
use crate::app::state::State;
use crate::app::words;

/// The commands that would answer the open gates. Nothing is drawn when none is needed.
pub fn asked(parent: El) -> El {
    let state = expect_context::<State>();
    let key = move || state.report(|r| commands(r).next().map(|_| digest(&r.asks))).filter(|_| state.judging());
    parent.redraw(key, move || state.report(draw))
}

/// What is asked for and answered by a command.
pub fn commands(report: &Report) -> impl Iterator<Item = &AskOut> {
    report.asks.iter().filter(|a| !a.command.is_empty())
}

fn draw(report: &Report) -> Vec<El> {
    let ask = |ask: &AskOut| {
        let on = match ask.members.as_slice() {
            [] => "Once, anywhere".to_owned(),
            members => format!("For {}", words::list(members)),
        };
        el("div")
            .class("ask")
            .child(el("p").child(el("span").class("state unknown").text("? ").text(&on)))
            .child(command(&ask.command))
            .child(el("p").class("id").attr("translate", "no").text(&ask.gates.join(" · ")))
    };
    let section = el("section")
        .class("asked")
        .child(el("h2").text("Asked for"))
        .child(el("p").class("why").text("Run these, paste what they print."));
    vec![section.children(commands(report).map(ask))]
}
