//! Keys that work anywhere on the page but where somebody types.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, EventTarget, HtmlElement, HtmlInputElement, KeyboardEvent};

use super::dom::listener::on_window;
use super::dom::{El, el, focus_on};
use super::preferences::KEYS;
use super::views::meeting::Meeting;
use super::views::{checklist, evidence, filter, verdict};

/// Id of the list of keys, and of the button that opens it.
pub const LIST_ID: &str = "keys";
pub const BUTTON_ID: &str = "keys-button";

/// Each key with what it does.
const LIST: [(&str, &str); 10] = [
    ("?", "these keys"),
    ("e", "to the evidence"),
    ("v", "to the verdict"),
    ("/", "to the filter of the gates"),
    ("n", "to the next step"),
    ("Space", "on the box of a step: done, or not"),
    ("c", "in a step: copy its commands"),
    ("m", "meeting mode"),
    ("← →", "in meeting mode: one step back, one on"),
    ("Esc", "close what is open"),
];

/// Listens to the keys for as long as the scope lives.
pub fn listen(meeting: Meeting) {
    on_window("keydown", move |event| {
        let key: &KeyboardEvent = event.unchecked_ref();
        let with_others = key.ctrl_key() || key.meta_key() || key.alt_key();
        let elsewhere = event.target().is_some_and(|t| types_into(&t)) || meeting.is_open();
        if with_others || elsewhere || event.default_prevented() {
            return;
        }
        let key = key.key();
        // `?` stays: it leads to the switch.
        if key != "?" && KEYS.get() == "off" {
            return;
        }
        if does(&key, meeting) {
            event.prevent_default();
        }
    });
}

/// Does what a key does; false when it does nothing.
fn does(key: &str, meeting: Meeting) -> bool {
    match key {
        "?" => click(BUTTON_ID),
        "e" => focus_on(evidence::BOX_ID),
        "v" => focus_on(verdict::ID),
        "/" => focus_on(filter::WORD_ID),
        "n" => click(checklist::NEXT_ID),
        "m" => return meeting.open(),
        _ => return false,
    }
    true
}

fn click(id: &str) {
    if let Some(button) = document().get_element_by_id(id).and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        button.click();
    }
}

/// Does somebody type there? Letters are theirs.
pub fn types_into(target: &EventTarget) -> bool {
    let is_box =
        target.dyn_ref::<HtmlInputElement>().is_some_and(|i| matches!(i.type_().as_str(), "checkbox" | "file"));
    let field = |e: &Element| matches!(e.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT");
    !is_box && target.dyn_ref::<Element>().is_some_and(field)
}

/// The keys, and the switch that turns them off for those whose tools type letters by themselves.
pub fn list() -> [El; 2] {
    let row = |&(key, does): &(&str, &str)| {
        [el("dt").child(el("kbd").attr("translate", "no").text(key)), el("dd").text(does)]
    };
    let switch = el("input")
        .attr("type", "checkbox")
        .bind_flag("checked", || KEYS.get() != "off")
        .on("change", |event: Event| KEYS.set(if event_target_checked(&event) { "" } else { "off" }));
    [
        el("dl").class("keys").children(LIST.iter().flat_map(row)),
        el("label").child(switch).text(" Letters do this outside of fields"),
    ]
}
