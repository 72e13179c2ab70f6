//! What is still being read: a large paste takes some seconds, and the page answers meanwhile.

use super::paste::name;
use crate::app::dom::{El, el};
use crate::app::state::{PasteId, State};

/// How much of a paste is read, while it is. It is stopped by removing the paste.
pub fn progress(item: El, state: State, id: PasteId) -> El {
    let percent = move || state.percent_read(id);
    item.show(
        move || percent().is_some(),
        move || {
            let bar = el("progress")
                .attr("max", "100")
                .bind_attr("aria-label", move || format!("Reading {}", name(state, id)))
                .bind_attr("value", move || percent().unwrap_or_default().to_string());
            vec![bar]
        },
    )
}

/// Says that the verdict is older than what was pasted.
pub fn not_yet(right: El, state: State) -> El {
    let under_way =
        move || state.heads.with(|heads| heads.iter().map(|h| h.id).find(|id| state.percent_read(*id).is_some()));
    let words =
        move || under_way().map(|id| format!("Still reading {}. What stands here leaves it out.", name(state, id)));
    right.show(
        move || under_way().is_some(),
        move || vec![el("p").class("state warning not-yet").text("! ").bind_text(move || words().unwrap_or_default())],
    )
}
