//! What no command answers. A question is shown only while a gate waits for it; what was answered stays in reach.

use std::rc::Rc;

use etcd_upgrade_planner::etcd::platforms;
use etcd_upgrade_planner::etcd::releases;
use etcd_upgrade_planner::etcd::version::Minor;
use etcd_upgrade_planner::evidence::answers::AnswerKey;
use leptos::prelude::*;

use crate::app::clock;
use crate::app::components::choice::choice;
use crate::app::components::segmented::segmented;
use crate::app::dom::list::{Item, digest};
use crate::app::dom::{El, el};
use crate::app::state::State;
use crate::app::watched::Watched;
use crate::app::words;

/// How commands are written; never asked for, always in reach.
const FOR_COMMANDS: [AnswerKey; 5] =
    [AnswerKey::Endpoints, AnswerKey::CaCert, AnswerKey::Cert, AnswerKey::Key, AnswerKey::DataDir];

/// The change of members: a part of the sentence on top of the page.
const IN_THE_SENTENCE: [AnswerKey; 4] =
    [AnswerKey::RunBy, AnswerKey::Change, AnswerKey::NewName, AnswerKey::NewPeerUrl];

/// The questions that gates wait for, those answered, and the fold of everything else that can be said.
pub fn answers(parent: El) -> El {
    let state = expect_context::<State>();
    // Before the first paste every gate waits; what to paste comes first then.
    let shows = move || state.judging() && !shown(state).is_empty();
    let questions = move || {
        let items = shown(state).into_iter().map(|key| Item::new(digest(&key), move || vec![question(key)]));
        items.collect::<Vec<_>>()
    };
    parent
        .show(shows, move || vec![el("section").class("answers").child(el("h2").text("Only you know")).list(questions)])
        .child(for_commands(state))
}

/// The questions to show. An answered one stays where it was asked, so that it can be answered otherwise.
fn shown(state: State) -> Vec<AnswerKey> {
    let waiting = |a: &str| a.parse::<AnswerKey>().ok();
    let mut keys: Vec<AnswerKey> =
        state.report(|r| r.asks.iter().filter_map(|a| waiting(a.answer.as_deref()?)).collect());
    state.answers.with(|a| keys.extend(a.iter().map(|(k, _)| k)));
    keys.retain(|k| !FOR_COMMANDS.contains(k) && !IN_THE_SENTENCE.contains(k));
    etcd_upgrade_planner::sort::sort(&mut keys);
    keys.dedup();
    keys
}

/// The gates that wait for an answer.
fn waiting_gates(state: State, key: AnswerKey) -> String {
    state.report(|r| {
        let ask = r.asks.iter().find(|a| a.answer.as_deref() == Some(key.id()));
        ask.map(|a| a.gates.join(" · ")).unwrap_or_default()
    })
}

fn for_commands(state: State) -> El {
    let given = move || {
        let given = state.answers.with(|a| a.iter().filter(|(k, _)| FOR_COMMANDS.contains(k)).count());
        match given {
            0 => "as the pastes say".to_owned(),
            n => format!("{} given", words::count(n, "answer", "answers")),
        }
    };
    let summary = el("summary").text("Endpoints, certificates, paths ").child(el("span").class("why").bind_text(given));
    el("details")
        .class("for-commands")
        .child(summary)
        .child(el("p").class("why").text("Every command on this page is written with them."))
        .children(FOR_COMMANDS.map(question))
}

fn question(key: AnswerKey) -> El {
    let state = expect_context::<State>();
    let id = format!("q-{}", key.id());
    let gates = move || if FOR_COMMANDS.contains(&key) { String::new() } else { waiting_gates(state, key) };
    let words = el("span")
        .child(el("span").attr("id", &id).text(key.question()))
        .child(el("small").class("id").attr("translate", "no").bind_text(gates));
    el("div").class("question").attr("data-answer", key.id()).child(words).child(control(state, key, &id))
}

fn control(state: State, key: AnswerKey, labelled_by: &str) -> El {
    let value: Rc<dyn Fn() -> String> =
        Rc::new(move || state.answers.with(|a| a.get(key).map(str::to_owned)).unwrap_or_default());
    let say: Rc<dyn Fn(&str)> = Rc::new(move |value| {
        let _ = state.answer(key, value);
    });
    match key {
        AnswerKey::V2EverEnabled
        | AnswerKey::SnapshotVerified
        | AnswerKey::SnapshotOffHost
        | AnswerKey::WatchCaches
        | AnswerKey::Auth => segmented(&[("yes", "yes"), ("no", "no"), ("", "?")], value, say, labelled_by),
        AnswerKey::SnapshotTaken => taken(value, say, labelled_by),
        AnswerKey::BornOn => {
            let options: Vec<_> = minors().iter().rev().map(|m| (m.to_string(), m.to_string())).collect();
            choice(&options, "not known", value, say, labelled_by)
        }
        AnswerKey::RunBy => choice(&run_by(), "not known", value, say, labelled_by),
        AnswerKey::MinorSince => typed(state, key, "date", value, labelled_by),
        _ => typed(state, key, "text", value, labelled_by),
    }
}

/// The ways etcd is run: value and label of each.
pub fn run_by() -> Vec<(String, String)> {
    platforms::all().iter().map(|p| (p.id.to_owned(), p.name.to_owned())).collect()
}

/// Every minor of the newest major: a cluster may be older than the releases the rules know.
fn minors() -> Vec<Minor> {
    releases::newest_minor()
        .map_or_else(Vec::new, |newest| (0..=newest.minor).map(|minor| Minor::new(newest.major, minor)).collect())
}

/// When the backup snapshot is taken: by a step of the plan, or at a time.
fn taken(value: Rc<dyn Fn() -> String>, say: Rc<dyn Fn(&str)>, labelled_by: &str) -> El {
    /// The button for a snapshot that exists already.
    const AT: &str = "at";
    let asks_time = Watched::new(false);
    let chosen: Rc<dyn Fn() -> String> = {
        let value = Rc::clone(&value);
        Rc::new(move || {
            let value = value();
            match value.as_str() {
                "" if asks_time.get() => AT.to_owned(),
                "" | "in-plan" => value,
                _ => AT.to_owned(),
            }
        })
    };
    let choose: Rc<dyn Fn(&str)> = {
        let say = Rc::clone(&say);
        Rc::new(move |choice| {
            asks_time.set(choice == AT);
            say(if choice == AT { "" } else { choice });
        })
    };
    let time = Rc::new(move |event: web_sys::Event| {
        if let Some(time) = clock::local_to_rfc3339(&event_target_value(&event)) {
            say(&time);
        }
    });
    let (is_at, is_given) = (Rc::clone(&chosen), Rc::clone(&value));
    let field = move || {
        let time = Rc::clone(&time);
        let field = el("input").attr("type", "datetime-local").on("change", move |event| time(event));
        vec![el("label").text("taken at, your local time ").child(field)]
    };
    let said = move || {
        let value = Rc::clone(&value);
        vec![el("span").class("why").bind_text(move || clock::minute(&value()))]
    };
    el("span")
        .class("stack")
        .child(segmented(&[("in-plan", "in the plan"), (AT, "taken"), ("", "?")], chosen, choose, labelled_by))
        .show(move || is_at() == AT, field)
        .show(move || !matches!(is_given().as_str(), "" | "in-plan"), said)
}

/// A field to type in. What does not fit is said, and the old answer stays.
pub fn typed(state: State, key: AnswerKey, kind: &str, value: Rc<dyn Fn() -> String>, labelled_by: &str) -> El {
    let error = Watched::new(String::new());
    let error_id = format!("error-{labelled_by}");
    let typed = move |event| {
        let outcome = state.answer(key, &event_target_value(&event));
        error.set(outcome.err().map(|e| e.to_string()).unwrap_or_default());
    };
    let field = el("input")
        .attr("type", kind)
        .attr("placeholder", key.takes())
        .attr("aria-labelledby", labelled_by)
        .attr("aria-describedby", &error_id)
        .attr("spellcheck", "false")
        .attr("autocapitalize", "off")
        .bind_attr("aria-invalid", move || (!error.with(String::is_empty)).to_string())
        .bind_value("value", move || value())
        .on("change", typed);
    let error =
        el("span").attr("id", &error_id).class("state blocked").attr("role", "alert").bind_text(move || error.get());
    el("span").class("stack").child(field).child(error)
}
