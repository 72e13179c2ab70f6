//! What is replaced, and the key that puts it back.

use std::rc::Rc;

use etcd_upgrade_planner::export::redact::{Pair, Redaction};
use leptos::prelude::*;

use super::Choices;
use crate::app::components::copy_button::save_button;
use crate::app::dom::{El, el};

/// What is replaced in what leaves, and what the person wants replaced besides.
pub fn choices(choices: Choices, redaction: impl Fn() -> Option<Redaction> + 'static) -> Vec<El> {
    let mut all = vec![also(choices)];
    all.extend(replaced(move || choices.key(), Rc::new(redaction)));
    all
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
pub fn replaced(key: impl Fn() -> Option<u64> + 'static, redaction: Rc<dyn Fn() -> Option<Redaction>>) -> Vec<El> {
    let shown = Rc::clone(&redaction);
    let rows = move || {
        let cell = |text: &str| el("td").attr("translate", "no").text(text);
        let redaction = shown().unwrap_or_default();
        let row = |pair: &Pair| el("tr").child(cell(&pair.original)).child(cell(&pair.stand_in));
        redaction.pairs().iter().map(row).collect()
    };
    let table = el("table").child(el("tbody").redraw(key, rows));
    let file = move || ("etcd-upgrade-key.json".to_owned(), redaction().unwrap_or_default().key());
    let words = "The key puts the names back into an answer: etcd-upgrade-planner put-back --key FILE. Keep it here. ";
    vec![
        el("details").child(el("summary").text("What is replaced")).child(table),
        el("p").class("why").text(words).child(save_button("small", "Save the key", file)),
    ]
}
