//! One of many.

use std::rc::Rc;

use leptos::prelude::event_target_value;

use crate::app::dom::{El, el};

/// A list to choose from: value and label of each, the value that is chosen now (empty for nothing), what to do with
/// another, and the id of the element that names it. `none` stands there while nothing is chosen.
pub fn choice(
    options: &[(String, String)],
    none: &str,
    chosen: Rc<dyn Fn() -> String>,
    choose: Rc<dyn Fn(&str)>,
    labelled_by: &str,
) -> El {
    el("select")
        .attr("aria-labelledby", labelled_by)
        .child(option("", none))
        .children(options.iter().map(|(value, label)| option(value, label)))
        .bind_value("value", move || chosen())
        .on("change", move |event| choose(&event_target_value(&event)))
}

/// An option of a list.
pub fn option(value: &str, label: &str) -> El {
    el("option").attr("value", value).text(label)
}
