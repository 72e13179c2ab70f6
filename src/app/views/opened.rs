//! An opened paste: what can be corrected by hand, and its text to read or to edit.

use std::rc::Rc;

use etcd_upgrade_planner::evidence::fact::Kind;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use web_sys::HtmlTextAreaElement;

use super::lines::lines;
use super::paste::name;
use crate::app::components::choice::option;
use crate::app::dom::list::digest;
use crate::app::dom::{El, button, el, watch};
use crate::app::state::{PasteId, State};
use crate::app::watched::Watched;

/// How long after the last key the edited text is taken, in milliseconds.
const PAUSE: u32 = 200;

/// An opened paste.
pub fn opened(id: PasteId) -> El {
    let state = expect_context::<State>();
    let editing = Watched::new(false);
    // Going to a line is reading.
    watch(Box::new(move || {
        if state.place.with(|p| p.as_ref().is_some_and(|p| p.paste == id)) {
            editing.set(false);
        }
    }));
    let edit = el("button")
        .attr("type", "button")
        .class("small")
        .text("edit text")
        .bind_attr("aria-pressed", move || editing.get().to_string())
        .on("click", move |_| editing.update(|e| *e = !*e));
    let text = move |edits: bool| vec![if edits { editor(state, id) } else { lines(id) }];
    let place = move || state.heads.with(|heads| (heads.iter().position(|h| h.id == id), heads.len()));
    let up = button("small", "up", move || state.move_by(id, true))
        .bind_attr("aria-label", move || format!("Move {} up", name(state, id)))
        .bind_flag("disabled", move || place().0 == Some(0));
    let down = button("small", "down", move || state.move_by(id, false))
        .bind_attr("aria-label", move || format!("Move {} down", name(state, id)))
        .bind_flag("disabled", move || matches!(place(), (Some(at), all) if at + 1 == all));
    let tools = el("span").class("row").child(edit).child(up).child(down);
    el("div").class("opened").child(corrections(state, id).child(tools)).either(move || editing.get(), text)
}

/// Name, kind and member, to be set by hand.
fn corrections(state: State, id: PasteId) -> El {
    let kind = move || state.head(id).and_then(|h| h.kind).map_or("", Kind::id).to_owned();
    let member = move || state.head(id).and_then(|h| h.member).unwrap_or_default();
    let members = format!("members-{id:x}");
    let kinds = Kind::ALL.into_iter().map(|k| option(k.id(), k.title()));
    let name_field = el("input")
        .attr("type", "text")
        .bind_value("value", move || name(state, id))
        .on("change", move |event| state.rename(id, &event_target_value(&event)));
    let kind_list = el("select")
        .child(option("", "as recognised"))
        .children(kinds)
        .bind_value("value", kind)
        .on("change", move |event| state.set_kind(id, Kind::from_id(&event_target_value(&event))));
    let member_field = el("input")
        .attr("type", "text")
        .attr("placeholder", "as the text says")
        .attr("list", &members)
        .bind_value("value", member)
        .on("change", move |event| state.set_member(id, &event_target_value(&event)));
    let labels = move || state.report(|r| r.members.iter().map(|m| m.label.clone()).collect::<Vec<_>>());
    let known = el("datalist")
        .attr("id", &members)
        .redraw(move || Some(digest(&labels())), move || labels().iter().map(|l| option(l, "")).collect());
    el("div")
        .class("fields")
        .child(el("label").text("Name").child(name_field))
        .child(el("label").text("Kind").child(kind_list))
        .child(el("label").text("Member").child(member_field))
        .child(known)
}

/// The text as a text area. The browser owns what is typed; it is read when the typing pauses.
fn editor(state: State, id: PasteId) -> El {
    let area = el("textarea")
        .class("editor")
        .attr("spellcheck", "false")
        .attr("autocapitalize", "off")
        .attr("translate", "no")
        .bind_attr("aria-label", move || format!("Edit {}", name(state, id)));
    let element: HtmlTextAreaElement = area.node();
    // Changed elsewhere (undone, or in another tab): the area shows it. What is being typed stays.
    let timer = StoredValue::new_local(None::<Timeout>);
    let shown = element.clone();
    let mut edits = None;
    watch(Box::new(move || {
        let now = state.head(id).map(|h| h.edits);
        if edits != now && timer.with_value(Option::is_none) {
            state.with_text(id, |text| {
                if shown.value() != *text {
                    shown.set_value(text);
                }
            });
        }
        edits = now;
    }));
    let take: Rc<dyn Fn()> = Rc::new(move || {
        timer.set_value(None);
        state.set_text(id, element.value());
    });
    let typed = {
        let take = Rc::clone(&take);
        move |_| {
            let take = Rc::clone(&take);
            timer.set_value(Some(Timeout::new(PAUSE, move || take())));
        }
    };
    // Left within the pause, or closed: nothing typed is lost.
    let left = move |_| {
        if timer.try_update_value(Option::take).flatten().is_some() {
            take();
        }
        state.end_edit();
    };
    area.on("input", typed).on("blur", left).focused()
}
