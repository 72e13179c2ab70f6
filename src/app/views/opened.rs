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
use crate::app::dom::{El, el, watch};
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
    el("div").class("opened").child(corrections(state, id).child(edit)).either(move || editing.get(), text)
}

/// Name, kind and member, to be set by hand.
fn corrections(state: State, id: PasteId) -> El {
    let kind = move || state.head(id).and_then(|h| h.kind).map_or("", Kind::id).to_owned();
    let member = move || state.head(id).and_then(|h| h.member).unwrap_or_default();
    let members = format!("members-{id:x}");
    let kinds = Kind::ALL.into_iter().map(|k| option(k.id(), k.title()));
    let named = untrack(|| name(state, id));
    let name_field = el("input")
        .attr("type", "text")
        .bind_value("value", move || named.clone())
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
    state.with_text(id, |text| element.set_value(text));
    let take: Rc<dyn Fn()> = Rc::new(move || state.set_text(id, element.value()));
    let timer = StoredValue::new_local(None::<Timeout>);
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
    };
    area.on("input", typed).on("blur", left).focused()
}
