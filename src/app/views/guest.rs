//! Says that what is on show is not the person's own work, and how to leave it or keep it.

use crate::app::dom::{El, button, el};
use crate::app::links;
use crate::app::state::{Guest, GuestFrom, State};

/// The bar above the work.
pub fn guest(state: State) -> El {
    let part = move |part: fn(&Guest) -> String| move || state.guest.with(|g| g.as_ref().map(part)).unwrap_or_default();
    let draw = move || {
        let from = part(|g| match g.from {
            GuestFrom::Sample => "Sample: ".to_owned(),
            GuestFrom::Link => "On show: ".to_owned(),
        });
        let says = part(|g| match g.from {
            GuestFrom::Sample => ". Changes to it are not kept. Paste your own and it makes room.".to_owned(),
            GuestFrom::Link => ". Your own work waits underneath; changes to this are not kept.".to_owned(),
        });
        let close = part(|g| match g.from {
            GuestFrom::Sample => "close the sample".to_owned(),
            GuestFrom::Link => "close it".to_owned(),
        });
        let words = el("span").bind_text(from).child(el("b").bind_text(part(|g| g.title.clone()))).bind_text(says);
        let keep = button("small", "keep it as a cluster", move || state.adopt());
        let close = button("small", "", move || state.close_work()).bind_text(close);
        let bar = el("section").class("sample-bar").attr("aria-label", "On show").child(words);
        vec![bar.child(el("span").class("row").child(keep).text(" ").child(close))]
    };
    let link = move || state.guest.with(|g| g.as_ref().is_some_and(|g| g.link.is_some()));
    let judged = move || if link() { state.judged_as().map(|judged| judged as u64) } else { None };
    el("div")
        .show(move || !state.link_problem.with(String::is_empty), move || problem(state))
        .show(move || state.guest.with(Option::is_some), draw)
        .redraw(judged, move || links::notes(state))
}

/// Says why a link could not be opened.
fn problem(state: State) -> Vec<El> {
    let words = el("span").bind_text(move || state.link_problem.get()).text(" Your own work is as it was.");
    let bar = el("section").class("sample-bar state blocked").attr("role", "alert").child(words);
    vec![bar.child(button("small", "dismiss", move || state.link_problem.set(String::new())))]
}
