//! Warnings that somebody accepts: with a reason, a name and an end date. They stay in sight. The list is the file that
//! the command line takes with `--waivers`.

use etcd_upgrade_planner::export::report::FindingOut;
use etcd_upgrade_planner::gates::waiver::{self, Waiver};
use leptos::prelude::event_target;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlInputElement;

use super::finding::term;
use crate::app::dom::list::{Item, digest};
use crate::app::dom::{El, button, el};
use crate::app::state::State;
use crate::app::watched::Watched;

/// How a warning is accepted, or who did.
pub fn accept(state: State, finding: &FindingOut) -> Vec<El> {
    if finding.outcome != "warning" {
        return Vec::new();
    }
    if let Some(accepted) = &finding.accepted {
        return term("Accepted", el("dd").text(accepted));
    }
    let field =
        |kind: &str, label: &str| el("input").attr("type", kind).attr("aria-label", label).attr("placeholder", label);
    let (reason, name, until) = (field("text", "reason"), field("text", "who accepts it"), field("date", "until"));
    let error = Watched::new(String::new());
    let (gate, member) = (finding.gate.clone(), finding.member.clone());
    let fields = [reason.clone(), name.clone(), until.clone()];
    let press = move || {
        let [reason, name, until] = fields.clone().map(|field| field.node::<HtmlInputElement>().value());
        let waiver = Waiver { gate: gate.clone(), member: member.clone(), reason, name, until };
        match waiver.check() {
            Ok(()) => {
                let mut all = state.waivers.get_untracked();
                all.push(waiver);
                state.set_waivers(all);
            }
            Err(why) => error.set(why),
        }
    };
    let row = el("p").class("row accept").children([reason, name, until]).child(button(
        "small",
        "Accept this warning",
        press,
    ));
    term("Accept", el("dd").child(row).child(said(error)))
}

fn said(error: Watched<String>) -> El {
    el("span").class("state blocked").attr("role", "alert").bind_text(move || error.get())
}

/// The list: what is accepted, to a file and from one.
pub fn waivers(state: State) -> El {
    let error = Watched::new(String::new());
    let items = move || {
        let item = |(at, waiver): (usize, Waiver)| {
            Item::new(digest(&(at, &waiver)), move || {
                let Waiver { gate, member, reason, name, until } = waiver;
                let whose = member.map_or_else(String::new, |member| format!(" of {member}"));
                let words = format!("{gate}{whose}, by {name} until {until}: {reason} ");
                let back = move || {
                    let mut all = state.waivers.get_untracked();
                    if at < all.len() {
                        all.remove(at);
                    }
                    state.set_waivers(all);
                };
                vec![el("li").text(&words).child(button("small", "Take back", back))]
            })
        };
        state.waivers.get().into_iter().enumerate().map(item).collect()
    };
    let address = move || {
        let text = state.waivers.with(|all| waiver::write(all));
        format!("data:application/json;charset=utf-8,{}", String::from(js_sys::encode_uri_component(&text)))
    };
    let save = el("a").attr("download", "waivers.json").bind_attr("href", address).text("Save as a file");
    let opened = move |event| {
        let input = event_target::<HtmlInputElement>(&event);
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        input.set_value("");
        spawn_local(async move {
            let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()).unwrap_or_default();
            match waiver::read(&text) {
                Ok(waivers) => {
                    error.set(String::new());
                    state.set_waivers(waivers);
                }
                Err(why) => error.set(why),
            }
        });
    };
    let open = el("label")
        .text("Open a file ")
        .child(el("input").attr("type", "file").attr("accept", ".json").on("change", opened));
    let title = move || format!("Accepted warnings: {}", state.waivers.with(Vec::len));
    el("details")
        .class("gate waivers")
        .child(el("summary").child(el("span").bind_text(title)))
        .child(el("ul").list(items))
        .child(el("p").class("row").child(save).child(open).child(said(error)))
}
