//! What changed since the older pastes.

use etcd_upgrade_planner::export::words;
use leptos::prelude::*;

use crate::app::dom::list::digest;
use crate::app::dom::{El, el};
use crate::app::state::State;

/// The changes, one a line. Nothing is drawn while no paste says otherwise than an older one.
pub fn changes(parent: El) -> El {
    let state = expect_context::<State>();
    let lines = move || state.report(|r| r.changes.iter().map(words::change).collect::<Vec<_>>());
    let key = move || {
        let lines = lines();
        (state.judging() && !lines.is_empty()).then(|| digest(&lines))
    };
    let draw = move || {
        let items = lines().into_iter().map(|line| el("li").text(&line));
        vec![
            el("section")
                .class("changes")
                .child(el("h2").text("Changed since the older pastes"))
                .child(el("ul").class("worked").children(items)),
        ]
    };
    parent.redraw(key, draw)
}
