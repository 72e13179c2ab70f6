//! Makes links: with settings only, and with the pasted text when the person asks for it and has seen what goes along.

use std::rc::Rc;

use etcd_upgrade_planner::export::link::{SAFE_LENGTH, Shared, UNPACKED_LIMIT};
use etcd_upgrade_planner::export::redact::Redaction;
use leptos::task::spawn_local;

use super::{Choices, hiding, tick};
use crate::app::components::copy_button::copy_button;
use crate::app::dom::list::digest;
use crate::app::dom::{El, el};
use crate::app::links;
use crate::app::state::State;
use crate::app::target;
use crate::app::watched::Watched;
use crate::app::words;

/// The fragment of a link, or why there is none; with the number of what it was made of. Empty while it is packed.
type Made = Watched<(u64, Option<Result<String, String>>)>;

/// Makes a link.
pub fn link(choices: Choices) -> El {
    let state = choices.state;
    let (with, hide) = (Watched::new(false), Watched::new(true));
    let draw = move |with| {
        if with {
            return vec![
                tick("replace names in it", hide),
                el("div").show(move || hide.get(), move || vec![hiding::also(choices)]),
                pasted(choices, hide),
            ];
        }
        let copy = copy_button("button", "Copy the link", "Copy the link", move || whole(&settings(state).fragment()));
        vec![el("p").child(copy)]
    };
    let words = "It carries what is wanted and answers that name nothing. They stand behind its #, which no browser sends \
                 to a server. Whoever opens it keeps their own work.";
    el("details")
        .child(el("summary").text("A link to this"))
        .child(el("p").class("why").text(words))
        .child(tick("with the pasted text", with))
        .child(el("div").either(move || with.get(), draw))
}

fn whole(fragment: &str) -> String {
    format!("{}#{fragment}", links::address())
}

fn settings(state: State) -> Shared {
    let to = state.to.with_untracked(target::text).unwrap_or_default();
    let from = state.from.with_untracked(|from| from.as_ref().and_then(target::text)).unwrap_or_default();
    let answers = state.answers.get_untracked();
    state.report_out(|report| Shared::settings(report, to, from, &answers))
}

/// The link with the pasted text, and what goes along.
fn pasted(choices: Choices, hide: Watched<bool>) -> El {
    let made: Made = Watched::new((0, None));
    let state = choices.state;
    let key = move || digest(&(state.judged_as(), hide.get(), choices.also.with(digest)));
    let shown = move || preview(choices, hide.get_untracked(), made);
    let told = move || made.with(|(number, made)| made.as_ref().map(|_| *number));
    el("div")
        .redraw(move || Some(key()), shown)
        .redraw(told, move || made.with_untracked(|(_, made)| tell(made.as_ref())))
}

/// Shows what goes along, and begins to pack it.
fn preview(choices: Choices, hide: bool, made: Made) -> Vec<El> {
    let state = choices.state;
    let number = made.with_untracked(|(number, _)| number + 1);
    let done = move |result| {
        made.update(|now| {
            // What was packed for an older one is late.
            if now.0 == number {
                now.1 = Some(result);
            }
        });
    };
    made.set((number, None));
    let bytes: usize = state.heads.with_untracked(|heads| heads.iter().map(|h| h.bytes).sum());
    if bytes > UNPACKED_LIMIT {
        let limit = UNPACKED_LIMIT >> 20;
        done(Err(format!(
            "There are {bytes} bytes of pasted text, and {limit} MiB are the most. Take pastes out, or save the cluster \
             as a file and send that."
        )));
        return Vec::new();
    }
    let answers = state.answers.get_untracked();
    let pastes = state.pastes();
    let texts: Vec<&str> = pastes.iter().map(|paste| paste.text.as_str()).collect();
    let also = choices.also();
    let (shared, redaction) = state.report_out(|report| {
        let redaction = hide.then(|| Redaction::of(report, &texts, &also));
        (settings(state).with_pastes(report, &answers, &pastes, redaction.as_ref()), redaction)
    });
    let json = shared.json();
    spawn_local(async move { done(links::pack(json.as_bytes()).await) });
    let row = |paste: &etcd_upgrade_planner::export::link::SharedPaste| {
        let size = format!(", {} bytes", paste.text.len());
        let text = el("pre").attr("tabindex", "0").attr("translate", "no").text(&paste.text);
        el("details").child(el("summary").text(&paste.name).text(&size)).child(text)
    };
    let answers = words::count(shared.answered.len(), "answer", "answers");
    let names = if hide { "with names replaced" } else { "as it is" };
    let says = el("p").text(&format!("{answers} and this text go along, {names}:"));
    let mut all = vec![says];
    all.extend(shared.pastes.iter().map(row));
    if let Some(redaction) = redaction {
        all.extend(hiding::replaced(|| Some(1), Rc::new(move || Some(redaction.clone()))));
    }
    all
}

/// The link, or why there is none.
fn tell(made: Option<&Result<String, String>>) -> Vec<El> {
    match made {
        None => Vec::new(),
        Some(Err(problem)) => vec![el("p").class("state blocked").attr("role", "alert").text(problem)],
        Some(Ok(fragment)) => {
            let link = whole(fragment);
            let length = link.chars().count();
            let warning = if length > SAFE_LENGTH {
                format!(" Some mail and ticket systems cut links longer than {SAFE_LENGTH}.")
            } else {
                String::new()
            };
            let copy = copy_button("button", "Copy the link", "Copy the link", move || link.clone());
            vec![el("p").text(&format!("The link has {length} characters.{warning}")), el("p").child(copy)]
        }
    }
}
