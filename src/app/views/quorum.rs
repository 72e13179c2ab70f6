//! The quorum before a change of members, and after each of its steps.

use etcd_upgrade_planner::export::words;
use leptos::prelude::*;

use crate::app::dom::list::digest;
use crate::app::dom::{El, el};
use crate::app::state::State;

/// The table. Nothing is drawn for other intents.
pub fn quorum(parent: El) -> El {
    let state = expect_context::<State>();
    let rows = move || state.report(|r| r.quorum.iter().map(words::quorum_row).collect::<Vec<_>>());
    let key = move || Some(digest(&rows())).filter(|_| state.judging() && !rows().is_empty());
    let draw = move || {
        let head = words::QUORUM_HEADER.map(|title| el("th").attr("scope", "col").text(title));
        let row = |cells: [String; 6]| {
            let [when, numbers @ ..] = cells;
            let cells = numbers.map(|number| el("td").class("mono").text(&number));
            el("tr").child(el("th").attr("scope", "row").text(&when)).children(cells)
        };
        let body = el("tbody").children(rows().into_iter().map(row));
        let table = el("table").class("worksheet").child(el("thead").child(el("tr").children(head))).child(body);
        vec![el("section").class("quorum").child(el("h2").text("Quorum, step by step")).child(table)]
    };
    parent.redraw(key, draw)
}
