//! What is replaced, and the key that puts it back.

use etcd_upgrade_planner::export::redact::Redaction;
use leptos::prelude::*;

use super::Choices;
use crate::app::components::copy_button::save_button;
use crate::app::dom::{El, el};

/// What is replaced in the report, and what the person wants replaced besides.
pub fn choices(choices: Choices) -> Vec<El> {
    let pairs = move || choices.report().map(|(_, redaction)| replaced(redaction)).unwrap_or_default();
    vec![also(choices), el("div").redraw(move || choices.key(), pairs)]
}

/// The field for words that are replaced besides.
pub fn also(choices: Choices) -> El {
    let field = el("input")
        .attr("type", "text")
        .attr("placeholder", "between commas")
        .bind_value("value", move || choices.also.get())
        .on("change", move |event| choices.also.set(event_target_value(&event)));
    el("p").child(el("label").text("replace these words too ").child(field))
}

/// What is replaced by what, and the key that puts it back.
pub fn replaced(redaction: Redaction) -> Vec<El> {
    let rows = redaction.pairs().iter().map(|pair| {
        let cell = |text: &str| el("td").attr("translate", "no").text(text);
        el("tr").child(cell(&pair.original)).child(cell(&pair.stand_in))
    });
    let table = el("table").child(el("tbody").children(rows));
    let key = save_button("small", "Save the key", move || ("etcd-upgrade-key.json".to_owned(), redaction.key()));
    let words = "The key puts the names back into an answer: etcd-upgrade-planner put-back --key FILE. Keep it here. ";
    vec![
        el("details").child(el("summary").text("What is replaced")).child(table),
        el("p").class("why").text(words).child(key),
    ]
}
