//! The components, each in all its states, and the custom properties they are drawn with: one page to look at when a style
//! changes. No release has it: `trunk serve --features components`, then open `#components`.

use std::rc::Rc;

use leptos::prelude::*;

use super::components::choice::choice;
use super::components::command::commands;
use super::components::copy_button::copy_button;
use super::components::outcome::outcome;
use super::components::segmented::segmented;
use super::dom::{El, button, el};
use super::watched::Watched;

/// Title of the page. A test looks for it in the release, and must not find it.
const TITLE: &str = "Components of this page";

/// Colours of `style/tokens.css`.
const COLOURS: [&str; 20] = [
    "paper",
    "sheet",
    "ink",
    "ink-2",
    "ink-3",
    "rule",
    "rule-2",
    "edge",
    "link",
    "focus",
    "mark",
    "blocked",
    "blocked-bg",
    "warning",
    "warning-bg",
    "unknown",
    "unknown-bg",
    "ready",
    "ready-bg",
    "lane",
];

/// Sizes of type.
const TYPE: [&str; 5] = ["t-small", "t-less", "t-base", "t-more", "t-title"];

/// Spaces.
const SPACES: [&str; 6] = ["s1", "s2", "s3", "s4", "s5", "s6"];

/// Every outcome and verdict a report can hold.
const OUTCOMES: [&str; 8] =
    ["blocked", "warning", "cant-tell", "passed", "not-applicable", "not-looked-at", "ready", "ready-with-warnings"];

/// Does the address ask for it?
pub fn is_asked_for() -> bool {
    window().location().hash().is_ok_and(|hash| hash == "#components")
}

/// The page.
pub fn page() -> Vec<El> {
    let main = el("main")
        .class("right")
        .child(el("h1").text(TITLE))
        .children(part("Colours", COLOURS.map(colour)))
        .children(part("Sizes of type", TYPE.map(type_size)))
        .children(part("Spaces", SPACES.map(space)))
        .children(part("Outcomes and verdicts", OUTCOMES.map(|id| el("p").child(outcome(id)))))
        .children(part("Buttons", [buttons()]))
        .children(part("A choice of a few, and one of many", [choices()]))
        .children(part("Commands", commands(&["etcdctl endpoint status --cluster -w table".to_owned()])));
    vec![main]
}

fn part(title: &str, shown: impl IntoIterator<Item = El>) -> [El; 2] {
    [el("h2").text(title), el("div").children(shown)]
}

fn styled(tag: &str, style: String) -> El {
    el(tag).bind_value("style", move || style.clone())
}

fn colour(name: &str) -> El {
    let swatch = styled("span", format!("background: var(--{name}); border: 1px solid var(--edge); padding: 0 2rem"));
    el("p").child(swatch).text(" ").child(el("code").text("--").text(name))
}

fn type_size(name: &str) -> El {
    styled("p", format!("font-size: var(--{name})"))
        .text("Rows of 0123456789, as they stand in tables: ")
        .child(el("code").text(name))
}

fn space(name: &str) -> El {
    let bar =
        styled("span", format!("background: var(--lane); display: inline-block; height: 1rem; width: var(--{name})"));
    el("p").child(bar).text(" ").child(el("code").text("--").text(name))
}

fn buttons() -> El {
    el("p")
        .class("row")
        .child(copy_button("button first", "Copy as Markdown", "Copy as Markdown", String::new))
        .child(button("button", "Print", || {}))
        .child(button("button", "Not now", || {}).attr("disabled", ""))
        .child(button("small", "copy", || {}))
        .child(button("link", "m1 etcd.service, line 14", || {}))
}

fn choices() -> El {
    let chosen = Watched::new("yes".to_owned());
    let now: Rc<dyn Fn() -> String> = Rc::new(move || chosen.get());
    let choose: Rc<dyn Fn(&str)> = Rc::new(move |value: &str| chosen.set(value.to_owned()));
    let options = [("yes", "yes"), ("no", "no"), ("", "?")];
    let many: Vec<(String, String)> =
        options.iter().map(|(value, label)| ((*value).to_owned(), (*label).to_owned())).collect();
    let name = el("span").attr("id", "components-choice").text("Is authentication on? ");
    el("p")
        .class("row")
        .child(name)
        .child(segmented(&options, Rc::clone(&now), Rc::clone(&choose), "components-choice"))
        .child(choice(&many, "(not said)", now, choose, "components-choice"))
}
