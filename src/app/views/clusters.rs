//! The clusters this browser keeps: which is on show, and what can be done with them.

use leptos::prelude::*;
use web_sys::HtmlInputElement;

use crate::app::clock;
use crate::app::components::copy_button::save_button;
use crate::app::dom::list::{Item, digest};
use crate::app::dom::{El, button, el};
use crate::app::files::{self, Readings};
use crate::app::state::State;
use crate::app::storage::Cluster;
use crate::app::words;

/// What is in the menu. Drawn when the second part of the page is there.
pub fn menu() -> Vec<El> {
    let state = expect_context::<State>();
    vec![list(state), own(state), files(state)]
}

/// All clusters; the one on show is marked.
fn list(state: State) -> El {
    let items = move || {
        let own = state.cluster.get();
        let mut all = state.clusters.get();
        if all.iter().all(|c| c.id != own.id) {
            all.push(own);
        }
        all.into_iter().map(move |c| Item::new(digest(&c), move || vec![row(state, c)])).collect()
    };
    el("ul").class("clusters").list(items)
}

fn row(state: State, cluster: Cluster) -> El {
    let id = cluster.id;
    let show = button("link", &cluster.name, move || state.switch(id))
        .bind_attr("aria-current", move || state.cluster.with(|c| c.id == id).to_string());
    el("li").attr("translate", "no").child(show)
}

/// What can be done with the one on show.
fn own(state: State) -> El {
    let name = el("input")
        .attr("type", "text")
        .attr("maxlength", "80")
        .bind_value("value", move || state.cluster.get().name)
        .on("change", move |event| state.rename_cluster(&event_target_value(&event)));
    el("div").class("own").child(el("label").text("Name ").child(name)).child(
        el("p")
            .class("row")
            .child(button("small", "new", move || state.new_cluster()))
            .child(button("small", "duplicate", move || state.duplicate()))
            .child(button("small", "delete", move || state.delete_cluster())),
    )
}

/// Out to a file, and in from one.
fn files(state: State) -> El {
    let readings = expect_context::<Readings>();
    let save = move |all: bool| {
        let name = if all { "clusters".to_owned() } else { file_name(&state.cluster.get_untracked().name) };
        let day = clock::now().date();
        (format!("{name}-{day}.clusters.json"), state.cluster_file(all))
    };
    let picker = el("input").attr("type", "file").attr("hidden", "").attr("aria-label", "File of clusters").on(
        "change",
        move |event| {
            let input = event_target::<HtmlInputElement>(&event);
            files::import(state, readings, input.files());
            input.set_value("");
        },
    );
    let element: HtmlInputElement = picker.node();
    let kept = move || {
        let number = state.clusters.with(|c| c.len().max(1));
        format!(
            "{} in this browser. A file holds pastes and answers as they are; keep it where you keep such things.",
            words::count(number, "cluster", "clusters")
        )
    };
    el("div")
        .child(
            el("p")
                .class("row")
                .child(save_button("small", "save as a file", move || save(false)))
                .child(save_button("small", "save all", move || save(true)))
                .child(button("small", "import…", move || element.click())),
        )
        .child(picker)
        .child(el("p").class("why").bind_text(kept))
}

/// A name fit for every file system.
fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '-' || c == '.' { c } else { '-' };
    name.chars().map(plain).collect()
}
