//! What the person wants, as one sentence: upgrade, from, to, how etcd is run.

use std::rc::Rc;

use etcd_upgrade_planner::etcd::releases;
use etcd_upgrade_planner::etcd::version::Minor;
use etcd_upgrade_planner::evidence::answers::AnswerKey;
use etcd_upgrade_planner::intent::{IntentKind, Target};
use leptos::prelude::*;

use super::answers::run_by;
use super::change::change;
use crate::app::components::choice::{choice, option};
use crate::app::dom::list::digest;
use crate::app::dom::{El, el, text};
use crate::app::state::State;
use crate::app::target;
use crate::app::watched::Watched;
use crate::app::words;

/// Value of the option that lets the person type a version.
const OTHER: &str = "other";

/// The sentence.
pub fn intent() -> El {
    let state = expect_context::<State>();
    el("section")
        .class("intent")
        .attr("aria-label", "What you want")
        .child(kind(state))
        .show(move || state.kind.get().moves_versions(), move || vec![from(state), to(state)])
        .show(move || state.kind.get() == IntentKind::Members, move || change(state))
        .child(how_it_runs(state))
}

/// The intents, in the words of the sentence.
const KINDS: [(IntentKind, &str); 6] = [
    (IntentKind::Upgrade, "upgrade"),
    (IntentKind::Downgrade, "downgrade"),
    (IntentKind::Restore, "restore from a backup snapshot"),
    (IntentKind::Members, "change the members"),
    (IntentKind::Health, "see whether it is healthy"),
    (IntentKind::Flags, "review the flags of an upgrade"),
];

/// What is wanted.
fn kind(state: State) -> El {
    let choose = move |event| {
        if let Some(kind) = IntentKind::from_id(&event_target_value(&event)) {
            state.set_intent(kind);
        }
    };
    let list = el("select")
        .attr("id", "intent")
        .children(KINDS.iter().map(|(kind, words)| option(kind.id(), words)))
        .bind_value("value", move || state.kind.get().id().to_owned())
        .on("change", choose);
    el("span").child(el("label").attr("for", "intent").text("I want to ")).child(list)
}

/// Where from: as the evidence shows it, else as the person says it.
fn from(state: State) -> El {
    let seen = move || {
        state.report(|r| {
            let on = r.members.iter().filter(|m| m.version.is_some()).count();
            r.intent.from.clone().filter(|_| on > 0).map(|from| (from, on))
        })
    };
    let draw = move || match seen() {
        Some((from, on)) => {
            let on = words::count(on, "member", "members");
            vec![
                el("b").class("mono").attr("translate", "no").text(&from),
                el("span").class("why").text(&format!(" seen on {on}")),
            ]
        }
        None => {
            let options: Vec<_> = releases::minors().iter().rev().map(|m| (m.to_string(), m.to_string())).collect();
            let said = move || state.from.with(|f| f.as_ref().and_then(target::text)).unwrap_or_default();
            let say = move |text: &str| state.set_from(target::parse(text));
            vec![choice(&options, "what the pastes show", Rc::new(said), Rc::new(say), "from-label")]
        }
    };
    el("span").child(el("span").attr("id", "from-label").text("from ")).redraw(move || Some(digest(&seen())), draw)
}

/// Where to: the newest patch of the next minor, of another minor, or a version that is typed.
fn to(state: State) -> El {
    let typing = Watched::new(false);
    let error = Watched::new("");
    let offered = move || {
        let (from, to) = state.report(|r| (r.intent.from.clone(), r.intent.to.clone()));
        let from = from.as_deref().and_then(|f| f.parse().ok());
        match state.kind.get() {
            IntentKind::Downgrade => options_down(from, &state.to.get()),
            _ => options(from, to.as_deref(), &state.to.get()),
        }
    };
    let choose = move |event| {
        let choice = event_target_value(&event);
        error.set("");
        typing.set(choice == OTHER);
        if choice != OTHER {
            state.set_to(target::parse(&choice).unwrap_or(Target::Next));
        }
    };
    let typed = move |event| {
        let text = event_target_value(&event);
        match target::parse(&text) {
            Some(target) => {
                error.set("");
                typing.set(false);
                state.set_to(target);
            }
            None if text.trim().is_empty() => typing.set(false),
            None => error.set("Write a version with three numbers, or a minor with two."),
        }
    };
    let field = move || {
        let field = el("input")
            .attr("type", "text")
            .class("version")
            .attr("aria-label", "Target version")
            .attr("aria-describedby", "to-error")
            .attr("spellcheck", "false")
            .on("change", typed);
        vec![text(" "), field.focused()]
    };
    let value = move || if typing.get() { OTHER.to_owned() } else { value_of(&state.to.get()) };
    let key = move || Some(digest(&(offered(), value())));
    let draw = move || {
        let chosen = value();
        let mark = |(value, label): &(String, String)| {
            let option = option(value, label);
            if *value == chosen { option.attr("selected", "") } else { option }
        };
        offered().iter().map(mark).collect()
    };
    let list =
        el("select").attr("id", "to").class("mono").attr("translate", "no").on("change", choose).redraw(key, draw);
    el("span").child(el("label").attr("for", "to").text("to ")).child(list).show(move || typing.get(), field).child(
        el("span")
            .attr("id", "to-error")
            .class("state blocked")
            .attr("role", "alert")
            .bind_text(move || error.get().to_owned()),
    )
}

fn value_of(target: &Target) -> String {
    target::text(target).unwrap_or_default()
}

/// The targets offered: newest patch of the next minor, of each other minor that is not behind, and what was typed.
fn options(from: Option<Minor>, to: Option<&str>, chosen: &Target) -> Vec<(String, String)> {
    let next = from.map(Minor::next).and_then(releases::newest).map(|r| r.version.to_string());
    let next_label = match (next, to) {
        (Some(version), _) => format!("{version}, the next minor"),
        (None, Some(to)) if *chosen == Target::Next => format!("{to}, the next minor"),
        _ => "the next minor".to_owned(),
    };
    let mut options = vec![(String::new(), next_label)];
    for minor in releases::minors() {
        let behind = from.is_some_and(|f| minor < f);
        let is_next = from.is_some_and(|f| minor == f.next()) && *chosen != Target::Minor(minor);
        let Some(newest) = releases::newest(minor).filter(|_| !behind && !is_next) else { continue };
        let patches = if from == Some(minor) { ", patches only" } else { "" };
        options.push((minor.to_string(), format!("{}, newest of {minor}{patches}", newest.version)));
    }
    if matches!(chosen, Target::Version(_) | Target::Shipped(_)) {
        let chosen = value_of(chosen);
        options.push((chosen.clone(), chosen));
    }
    options.push((OTHER.to_owned(), "another version…".to_owned()));
    options
}

/// The targets of a downgrade: the minor below, and what was typed.
fn options_down(from: Option<Minor>, chosen: &Target) -> Vec<(String, String)> {
    let below = from.and_then(Minor::previous).and_then(releases::newest);
    let below = below.map_or_else(|| "the minor below".to_owned(), |r| format!("{}, the minor below", r.version));
    let mut options = vec![(String::new(), below)];
    if *chosen != Target::Next {
        let chosen = value_of(chosen);
        options.push((chosen.clone(), chosen));
    }
    options.push((OTHER.to_owned(), "another version…".to_owned()));
    options
}

/// How etcd is run: recognised from the pastes, or said.
fn how_it_runs(state: State) -> El {
    let recognised = move || {
        let platform = state.report(|r| r.platform.as_ref().filter(|p| !p.answered).map(|p| p.name.clone()));
        platform.map(|name| format!(" recognised: {name}"))
    };
    let value = move || state.answers.with(|a| a.get(AnswerKey::RunBy).map(str::to_owned)).unwrap_or_default();
    let say = move |id: &str| {
        let _ = state.answer(AnswerKey::RunBy, id);
    };
    el("span")
        .child(el("span").attr("id", "run-by-label").text("where etcd is run by "))
        .child(choice(&run_by(), "(not said)", Rc::new(value), Rc::new(say), "run-by-label"))
        .show(
            move || recognised().is_some(),
            move || vec![el("span").class("why").bind_text(move || recognised().unwrap_or_default())],
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn the_next_minor_comes_first_and_no_minor_behind_is_offered() {
        let newest = releases::newest_minor().unwrap();
        let from = newest.previous().unwrap();
        let offered = options(Some(from), None, &Target::Next);
        assert_eq!(offered[0].0, "");
        assert!(offered[0].1.starts_with(&releases::newest(newest).unwrap().version.to_string()), "{offered:?}");
        let minors: Vec<&str> = offered.iter().map(|o| o.0.as_str()).filter(|v| v.contains('.')).collect();
        assert_eq!(minors, [from.to_string()]);
        assert_eq!(offered.last().unwrap().0, OTHER);
    }

    #[wasm_bindgen_test]
    fn a_downgrade_offers_the_minor_below() {
        let newest = releases::newest_minor().unwrap();
        let offered = options_down(Some(newest), &Target::Next);
        let below = releases::newest(newest.previous().unwrap()).unwrap().version.to_string();
        assert!(offered[0].1.starts_with(&below), "{offered:?}");
        assert!(options_down(None, &target::parse("3.5.30").unwrap()).iter().any(|o| o.0 == "3.5.30"));
    }

    #[wasm_bindgen_test]
    fn what_was_typed_is_among_the_options() {
        for text in ["3.6.5", "3.6", "9.9.9"] {
            let target = target::parse(text).unwrap();
            assert!(options(None, None, &target).iter().any(|o| o.0 == text) || text == "9.9", "{text}");
        }
        assert_eq!(target::parse("3"), None);
        assert_eq!(target::parse("latest"), None);
    }
}
