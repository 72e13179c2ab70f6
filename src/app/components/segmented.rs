//! A choice of a few, all in sight.

use std::rc::Rc;

use crate::app::dom::{El, el};

/// Buttons side by side, one of them pressed: value and label of each, the value that is chosen now, what to do with the
/// value of the button pressed, and the id of the element that names the group.
pub fn segmented(
    options: &[(&'static str, &'static str)],
    chosen: Rc<dyn Fn() -> String>,
    choose: Rc<dyn Fn(&str)>,
    labelled_by: &str,
) -> El {
    let button = |&(value, label): &(&'static str, &'static str)| {
        let words = if label == "?" { "not known" } else { label };
        let (chosen, choose) = (Rc::clone(&chosen), Rc::clone(&choose));
        el("button")
            .attr("type", "button")
            .attr("aria-label", words)
            .bind_attr("aria-pressed", move || (chosen() == value).to_string())
            .on("click", move |_| choose(value))
            .text(label)
    };
    el("span")
        .class("seg")
        .attr("role", "group")
        .attr("aria-labelledby", labelled_by)
        .children(options.iter().map(button))
}
