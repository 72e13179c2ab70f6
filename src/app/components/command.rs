//! Commands to run, with a button that copies them.

use super::copy_button::copy_button;
use crate::app::dom::{El, el};

/// One command, or a few that belong together; ready to run.
pub fn command(text: &str) -> El {
    let code = el("pre")
        .attr("translate", "no")
        .attr("tabindex", "0")
        .attr("role", "group")
        .attr("aria-label", "command")
        .child(el("code").text(text));
    let copied = text.to_owned();
    let button = copy_button("small", "copy", "copy the command", move || copied.clone());
    el("div").class("cmd").child(code).child(button)
}

/// All commands of a step or a remedy in one box, copied together. Nothing is drawn when there are none.
pub fn commands(lines: &[String]) -> Option<El> {
    (!lines.is_empty()).then(|| command(&lines.join("\n")))
}
