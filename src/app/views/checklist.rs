//! The checklist by hop and phase, with what people write beside its steps. The next step is always in sight.

mod step;

use std::sync::Arc;

use etcd_upgrade_planner::export::report::{PhaseOut, Report, WaysBackOut};
use leptos::prelude::*;
use web_sys::HtmlDetailsElement;

use crate::app::components::copy_button::copy_button;
use crate::app::dom::list::{Item, digest};
use crate::app::dom::{El, button, el, focus_on, soon, watch};
use crate::app::state::State;
use crate::app::watched::Watched;
use crate::app::words;
use step::step;
pub use step::{tick, ways};

/// Which phases the person opened or shut; the others follow what is done.
type Folds = Watched<Vec<(String, bool)>>;

/// The first step that is not done.
#[derive(Clone, PartialEq, Eq)]
struct Next {
    phase: String,
    id: String,
    words: String,
}

/// What the parts of the checklist share.
#[derive(Clone, Copy)]
struct Shared {
    state: State,
    folds: Folds,
    next: Watched<Option<Next>>,
}

/// The checklist. Nothing is drawn while there is no plan.
pub fn checklist(parent: El) -> El {
    let state = expect_context::<State>();
    let shared = Shared { state, folds: Folds::default(), next: Watched::default() };
    let draw = move || vec![section(shared)];
    parent.show(move || state.judging() && state.report(|r| !r.checklist.is_empty()), draw)
}

#[inline(never)]
fn section(shared: Shared) -> El {
    let Shared { state, next: known, .. } = shared;
    // Found once for all steps, and told to them only when it is another one.
    watch(Box::new(move || {
        let next = next(state);
        if known.with_untracked(|known| *known != next) {
            known.set(next);
        }
    }));
    el("section")
        .class("checklist")
        .child(el("h2").text("Checklist"))
        .child(el("div").show(move || state.report(|r| r.rehearsal.is_some()), move || vec![rehearsal(state)]))
        .child(next_line(shared))
        .child(el("datalist").attr("id", step::OWNERS).redraw(
            move || Some(digest(&owners(state))),
            move || owners(state).iter().map(|owner| el("option").attr("value", owner)).collect(),
        ))
        .child(el("div").list(move || phases(shared)))
}

/// The same upgrade as a script.
fn rehearsal(state: State) -> El {
    let script = move || state.report(|r| r.rehearsal.clone().unwrap_or_default());
    let words = "Rehearse it first, with your backup snapshot in a throw-away cluster on any host: ";
    el("p").class("why rehearsal").text(words).child(copy_button(
        "small",
        "copy the script",
        "copy the script that rehearses the upgrade",
        script,
    ))
}

/// Everybody who was named as an owner, each once.
fn owners(state: State) -> Vec<String> {
    let mut owners: Vec<String> = Vec::new();
    state.records.with(|all| {
        for record in all.iter().map(|(_, record)| record).filter(|r| !r.owner.is_empty()) {
            if !owners.contains(&record.owner) {
                owners.push(record.owner.clone());
            }
        }
    });
    owners
}

fn next(state: State) -> Option<Next> {
    state.report(|r| {
        let open = |(phase, written): (String, &PhaseOut)| {
            let step = written.steps.iter().find(|s| !state.is_done(&s.id))?;
            Some(Next { phase, id: step.id.clone(), words: format!("{} {}", step.number, step.title) })
        };
        named(r).into_iter().find_map(open)
    })
}

/// A line that stays in sight while the checklist is: which step is next, and a way to it.
fn next_line(Shared { state, folds, next }: Shared) -> El {
    let words = move || next.get().map_or_else(|| "every step is done".to_owned(), |next| next.words);
    let go = move || {
        let Some(Next { phase, id, .. }) = next.get_untracked() else { return };
        set_fold(folds, &phase, None);
        // The fold opens first: what lies in a shut one takes no focus.
        soon(move || focus_on(&step::box_id(&id)));
    };
    let count = move || {
        state.report(|r| {
            let steps = || r.checklist.iter().flat_map(|p| &p.steps);
            format!("{} of {} done", steps().filter(|s| state.is_done(&s.id)).count(), steps().count())
        })
    };
    el("p")
        .class("next-line")
        .child(el("b").text("Next: "))
        .child(button("link", "", go).attr("id", NEXT_ID).bind_text(words))
        .child(el("span").class("why").bind_text(count))
}

/// Id of the button that leads to the next step.
pub const NEXT_ID: &str = "next-step";

/// The phases with their names. A name that comes again gets a number: a long route can patch twice.
fn named(report: &Report) -> Vec<(String, &PhaseOut)> {
    let mut named: Vec<(String, &PhaseOut)> = Vec::new();
    for phase in &report.checklist {
        let name = format!("{}/{}", phase.hop.as_deref().unwrap_or(""), phase.phase);
        let again = named.iter().filter(|(_, p)| p.hop == phase.hop && p.phase == phase.phase).count();
        named.push((if again == 0 { name } else { format!("{name}/{again}") }, phase));
    }
    named
}

fn phases(shared: Shared) -> Vec<Item> {
    shared.state.report(|r| {
        let item = |(name, written): (String, &PhaseOut)| {
            let head = (written.phase.clone(), written.hop.clone(), written.note.clone());
            Item::new(digest(&(&name, &head)), move || vec![phase(shared, name, head)])
        };
        named(r).into_iter().map(item).collect()
    })
}

/// The steps of a phase, by all that they say. What a step says of the ways back depends on the step before it.
fn steps(shared: Shared, phase: &str) -> Vec<Item> {
    let Some(judged) = shared.state.judged.get() else { return Vec::new() };
    let mut before: Option<&WaysBackOut> = None;
    let mut items = Vec::new();
    for (at, (name, written)) in named(&judged.report).into_iter().enumerate() {
        for (index, step) in written.steps.iter().enumerate() {
            let before = before.replace(&step.ways_back);
            if name != phase {
                continue;
            }
            let (judged, before) = (Arc::clone(&judged), before.cloned());
            items.push(Item::new(digest(&(step, &before)), move || {
                let step = judged.report.checklist.get(at).and_then(|p| p.steps.get(index));
                step.map(|s| self::step(shared, s, before.as_ref())).into_iter().collect()
            }));
        }
    }
    items
}

/// Sets whether a phase is open; `None` leaves it to what is done.
fn set_fold(folds: Folds, phase: &str, open: Option<bool>) {
    folds.update(|all| {
        all.retain(|(name, _)| name != phase);
        all.extend(open.map(|open| (phase.to_owned(), open)));
    });
}

/// A phase: its title, hop and note, and its steps in a fold.
fn phase(shared: Shared, own: String, (title, hop, note): (String, Option<String>, Option<String>)) -> El {
    let Shared { state, folds, next } = shared;
    let own: Arc<str> = own.into();
    let is_next = {
        let own = Arc::clone(&own);
        move || next.with(|next| next.as_ref().is_some_and(|next| *next.phase == *own))
    };
    let count = {
        let own = Arc::clone(&own);
        move || {
            state.report(|r| {
                let found = named(r).into_iter().find(|(name, _)| **name == *own);
                let steps = found.map(|(_, phase)| phase.steps.as_slice()).unwrap_or_default();
                let done = steps.iter().filter(|s| state.is_done(&s.id)).count();
                let all = words::count(steps.len(), "step", "steps");
                if done == 0 { all } else { format!("{done} of {all} done") }
            })
        }
    };
    let open = {
        let (own, is_next) = (Arc::clone(&own), is_next.clone());
        move || {
            folds.with(|f| f.iter().find(|(name, _)| **name == *own).map(|(_, open)| *open)).unwrap_or_else(&is_next)
        }
    };
    // A phase someone ticks in stays open when its last step is done: the focus is in it.
    let ticked = {
        let own = Arc::clone(&own);
        move |_| set_fold(folds, &own, Some(true))
    };
    let inside = {
        let own = Arc::clone(&own);
        move || steps(shared, &own)
    };
    let toggled = move |event| {
        let open = event_target::<HtmlDetailsElement>(&event).open();
        set_fold(folds, &own, (open != is_next()).then_some(open));
    };
    let note = note.map(|note| format!(" · {note}")).unwrap_or_default();
    let hop = hop.map(|hop| el("span").class("mono").attr("translate", "no").text(&hop));
    let summary = el("summary")
        .child(el("h3").text(&title))
        .children(hop)
        .child(el("span").class("why").bind_text(count).text(&note));
    el("details")
        .class("phase")
        .child(summary)
        .list(inside)
        .bind_flag("open", open)
        .on("toggle", toggled)
        .on("change", ticked)
}
