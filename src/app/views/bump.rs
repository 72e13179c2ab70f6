//! The worksheet of the revision bump: every factor with where it came from, each of which can be given otherwise.

use std::rc::Rc;

use etcd_upgrade_planner::evidence::answers::AnswerKey;
use etcd_upgrade_planner::export::report::bump::FactorOut;
use leptos::prelude::*;

use super::answers::typed;
use crate::app::dom::list::digest;
use crate::app::dom::{El, el};
use crate::app::state::State;

/// The worksheet. Nothing is drawn for intents without a restore.
pub fn bump(parent: El) -> El {
    let state = expect_context::<State>();
    let shows = move || state.judging() && state.report(|r| r.bump.is_some());
    parent.show(shows, move || vec![sheet(state)])
}

fn sheet(state: State) -> El {
    let words = move || state.report(|r| r.bump.as_ref().map(|b| b.words.clone()).unwrap_or_default());
    let factors = move || state.report(|r| r.bump.as_ref().map(|b| b.factors.clone()).unwrap_or_default());
    let lines = move || state.report(|r| r.bump.as_ref().map(|b| b.lines.clone()).unwrap_or_default());
    let head = ["Factor", "Value", "From", "Give it"].map(|title| el("th").attr("scope", "col").text(title));
    // The rows stay as long as the same factors do, or a field would lose its focus with every key.
    let names = move || Some(digest(&factors().iter().map(|f| f.answer.clone()).collect::<Vec<_>>()));
    let rows = move || factors().iter().map(|factor| row(state, factor)).collect();
    let table = el("table")
        .class("worksheet")
        .child(el("thead").child(el("tr").children(head)))
        .child(el("tbody").redraw(names, rows));
    el("section")
        .class("bump")
        .child(el("h2").text("Revision bump"))
        .child(el("p").class("lead").bind_text(words))
        .child(table)
        .child(el("ul").class("worked").redraw(
            move || Some(digest(&lines())),
            move || lines().iter().map(|line| el("li").class("mono").text(line)).collect(),
        ))
}

fn row(state: State, factor: &FactorOut) -> El {
    let name = factor.answer.clone();
    let of = move |part: fn(&FactorOut) -> Option<String>| {
        let name = name.clone();
        move || {
            let found = state
                .report(|r| r.bump.as_ref().and_then(|b| b.factors.iter().find(|f| f.answer == name)).and_then(part));
            found.unwrap_or_else(|| "not known".to_owned())
        }
    };
    let id = format!("factor-{}", factor.answer);
    let field = factor.answer.parse::<AnswerKey>().ok().map(|key| {
        let value: Rc<dyn Fn() -> String> =
            Rc::new(move || state.answers.with(|a| a.get(key).map(str::to_owned)).unwrap_or_default());
        typed(state, key, "text", value, &id)
    });
    el("tr")
        .child(el("th").attr("scope", "row").attr("id", &id).text(&factor.name))
        .child(el("td").class("mono").bind_text(of(|f| f.value.clone())))
        .child(el("td").bind_text(of(|f| f.from.clone())))
        .child(el("td").children(field))
}
