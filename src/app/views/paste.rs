//! One paste in the list: what was recognised in it, and, opened, its text and what can be corrected by hand.

use etcd_upgrade_planner::evidence::fact::Kind;
use etcd_upgrade_planner::export::report::UnreadOut;
use leptos::prelude::*;
use web_sys::HtmlDetailsElement;

use super::opened::opened;
use super::reading::progress;
use crate::app::dom::list::digest;
use crate::app::dom::{El, button, el, watch};
use crate::app::state::{Head, PasteId, Seen, State};
use crate::app::watched::Watched;
use crate::app::words;

/// One paste.
pub fn paste(id: PasteId) -> El {
    let state = expect_context::<State>();
    let open = Watched::new(false);
    watch(Box::new(move || {
        if state.place.with(|p| p.as_ref().is_some_and(|p| p.paste == id)) {
            open.set(true);
        }
    }));
    let says = move |words: fn(&Head, &Seen) -> String| {
        move || state.head(id).map(|head| words(&head, &state.seen_in(id))).unwrap_or_default()
    };
    let summary = el("summary")
        .child(sign(state, id))
        .child(el("span").class("name").bind_text(move || name(state, id)))
        .child(el("span").class("about").bind_text(says(about)))
        .child(el("small").bind_text(says(what)));
    let details = el("details")
        .child(summary)
        .show(move || open.get(), move || vec![opened(id)])
        .bind_flag("open", move || open.get())
        .on("toggle", move |event| {
            let now = event_target::<HtmlDetailsElement>(&event).open();
            if now != open.get_untracked() {
                open.set(now);
            }
        });
    let remove = button("remove", "×", move || state.remove(id))
        .bind_attr("aria-label", move || format!("Remove {}", name(state, id)));
    let not_kept = || {
        let words = "! Too large to be kept in this browser: a reload loses it.";
        vec![el("p").class("state warning wide").text(words)]
    };
    el("li")
        .class("paste")
        .child(details)
        .child(remove)
        .part(|item| progress(item, state, id))
        .part(|item| unread(item, state, id))
        .show(move || state.texts_not_kept.with(|t| t.contains(&id)), not_kept)
}

/// The name of a paste; tracked.
pub fn name(state: State, id: PasteId) -> String {
    state.head(id).map(|h| h.name).unwrap_or_default()
}

fn sign(state: State, id: PasteId) -> El {
    let words = move || {
        let seen = state.seen_in(id);
        if !seen.read {
            ("·", "state quiet", "not read yet")
        } else if seen.recognised.is_empty() {
            ("!", "state warning", "nothing recognised")
        } else {
            ("✓", "state ready", "recognised")
        }
    };
    el("span")
        .bind_attr("class", move || words().1.to_owned())
        .child(el("span").attr("aria-hidden", "true").bind_text(move || words().0.to_owned()))
        .child(el("span").class("unseen").bind_text(move || words().2.to_owned()))
}

/// The right end of the row: the member it is of, or how many it shows; and the version.
fn about(head: &Head, seen: &Seen) -> String {
    let members = seen.recognised.iter().map(|r| r.members).max().unwrap_or_default();
    let mut named: Vec<String> = Vec::new();
    let mut versions: Vec<String> = Vec::new();
    for stretch in &seen.recognised {
        named.extend(stretch.member.iter().filter(|m| !named.contains(m)).cloned().collect::<Vec<_>>());
        versions.extend(stretch.versions.iter().filter(|v| !versions.contains(v)).cloned().collect::<Vec<_>>());
    }
    let who = match (&head.member, named.as_slice()) {
        (Some(member), _) => member.clone(),
        (None, [one]) if members <= 1 => one.clone(),
        _ if members > 0 => words::count(members, "member", "members"),
        _ => String::new(),
    };
    format!("{who} {}", versions.join(", ")).trim().to_owned()
}

/// The second line of the row: what was recognised, in which form.
fn what(head: &Head, seen: &Seen) -> String {
    let lines = words::count(head.lines, "line", "lines");
    if !seen.read {
        return lines;
    }
    let mut found: Vec<String> = Vec::new();
    for stretch in &seen.recognised {
        let title = Kind::from_id(&stretch.kind).map_or_else(|| stretch.kind.clone(), |k| k.title().to_owned());
        let words = if stretch.form.is_empty() { title } else { format!("{title} ({})", stretch.form) };
        if !found.contains(&words) {
            found.push(words);
        }
    }
    if found.is_empty() { format!("{lines}, nothing recognised") } else { format!("{}, {lines}", words::list(&found)) }
}

/// The stretches nobody understood, with what was tried; each leads to its lines.
fn unread(item: El, state: State, id: PasteId) -> El {
    /// More than these are counted only.
    const SHOWN: usize = 3;
    let key = move || {
        let unread = state.seen_in(id).unread;
        (!unread.is_empty()).then(|| digest(&unread))
    };
    let draw = move || {
        let unread = state.seen_in(id).unread;
        let more = unread.len().saturating_sub(SHOWN);
        let stretch = |stretch| {
            let UnreadOut { first_line, last_line, tried, .. } = stretch;
            let place = format!("{} unread", words::lines(first_line, last_line));
            let go = button("link", &place, move || state.go_to_lines(id, first_line, last_line, None));
            el("li").child(go).text(": ").text(&tried)
        };
        let rest = (more > 0)
            .then(|| el("li").text(&format!("{} unread", words::count(more, "more stretch", "more stretches"))));
        vec![el("ul").class("unread").children(unread.into_iter().take(SHOWN).map(stretch)).children(rest)]
    };
    item.redraw(key, draw)
}
