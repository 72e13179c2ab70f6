//! What the person wants, as one sentence: upgrade, from, to, how etcd is run.

use etcd_upgrade_planner::etcd::platforms;
use etcd_upgrade_planner::etcd::releases;
use etcd_upgrade_planner::etcd::version::Minor;
use etcd_upgrade_planner::evidence::answers::AnswerKey;
use etcd_upgrade_planner::intent::Target;
use leptos::html;
use leptos::prelude::*;

use super::answers::Choice;
use crate::app::state::{self, State};
use crate::app::words;

/// Value of the option that lets the person type a version.
const OTHER: &str = "other";

/// The sentence.
#[component]
pub fn IntentLine() -> impl IntoView {
    view! {
        <section class="intent" aria-label="What you want">
            <span>"I want to " <b>"upgrade"</b></span>
            <From/>
            <To/>
            <RunBy/>
        </section>
    }
}

/// Where from: as the evidence shows it, else as the person says it.
#[component]
fn From() -> impl IntoView {
    let state = expect_context::<State>();
    let seen = Memo::new(move |_| {
        state.report(|r| {
            let on = r.members.iter().filter(|m| m.version.is_some()).count();
            r.intent.from.clone().filter(|_| on > 0).map(|from| (from, on))
        })
    });
    let said = Signal::derive(move || state.from.with(|f| f.as_ref().and_then(state::target_text)).unwrap_or_default());
    let say = Callback::new(move |text: String| state.set_from(state::target(&text)));
    let options = || releases::minors().into_iter().rev().map(|m| (m.to_string(), m.to_string())).collect();
    view! {
        <span>
            <span id="from-label">"from "</span>
            {move || match seen.get() {
                Some((from, on)) => {
                    view! {
                        <b class="mono" translate="no">{from}</b>
                        <span class="why">" seen on " {words::count(on, "member", "members")}</span>
                    }
                        .into_any()
                }
                None => {
                    view! { <Choice options=options() value=said say labelled_by="from-label" none="what the pastes show"/> }
                        .into_any()
                }
            }}
        </span>
    }
}

/// Where to: the newest patch of the next minor, of another minor, or a version that is typed.
#[component]
fn To() -> impl IntoView {
    let state = expect_context::<State>();
    let typing = RwSignal::new(false);
    let error = RwSignal::new(None::<&'static str>);
    let field = NodeRef::<html::Input>::new();
    let known = Memo::new(move |_| state.report(|r| (r.intent.from.clone(), r.intent.to.clone())));
    let options = Memo::new(move |_| {
        let (from, to) = known.get();
        options(from.as_deref().and_then(|f| f.parse().ok()), to.as_deref(), &state.to.get())
    });
    let value = move || if typing.get() { OTHER.to_owned() } else { value_of(&state.to.get()) };
    let choose = move |event: web_sys::Event| {
        let choice = event_target_value(&event);
        error.set(None);
        typing.set(choice == OTHER);
        if choice != OTHER {
            state.set_to(state::target(&choice).unwrap_or(Target::Next));
        }
    };
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            let _ = field.focus();
        }
    });
    let typed = move |event: web_sys::Event| {
        let text = event_target_value(&event);
        match state::target(&text) {
            Some(target) => {
                error.set(None);
                typing.set(false);
                state.set_to(target);
            }
            None if text.trim().is_empty() => typing.set(false),
            None => error.set(Some("Write a version with three numbers, or a minor with two.")),
        }
    };
    view! {
        <span>
            <label for="to">"to "</label>
            <select id="to" class="mono" translate="no" on:change=choose>
                {move || {
                    let value = value();
                    options
                        .get()
                        .into_iter()
                        .map(|(id, label)| {
                            let chosen = id == value;
                            view! { <option value=id prop:selected=chosen>{label}</option> }
                        })
                        .collect_view()
                }}
            </select>
            <Show when=move || typing.get()>
                " "
                <input
                    type="text"
                    class="version"
                    node_ref=field
                    aria-label="Target version"
                    aria-describedby="to-error"
                    spellcheck="false"
                    on:change=typed
                />
            </Show>
            <span id="to-error" class="state blocked" role="alert">
                {error}
            </span>
        </span>
    }
}

fn value_of(target: &Target) -> String {
    state::target_text(target).unwrap_or_default()
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
    if let Target::Version(version) = chosen {
        options.push((version.to_string(), version.to_string()));
    }
    options.push((OTHER.to_owned(), "another version…".to_owned()));
    options
}

/// How etcd is run: recognised from the pastes, or said.
#[component]
fn RunBy() -> impl IntoView {
    let state = expect_context::<State>();
    let recognised = Memo::new(move |_| state.report(|r| r.platform.clone().filter(|p| !p.answered)));
    let value =
        Signal::derive(move || state.answers.with(|a| a.get(AnswerKey::RunBy).map(str::to_owned)).unwrap_or_default());
    let say = Callback::new(move |id: String| {
        let _ = state.answer(AnswerKey::RunBy, &id);
    });
    let options = || platforms::all().iter().map(|p| (p.id.to_owned(), p.name.to_owned())).collect();
    view! {
        <span>
            <span id="run-by-label">"where etcd is run by "</span>
            <Choice options=options() value say labelled_by="run-by-label" none="(not said)"/>
            {move || {
                recognised.get().map(|p| view! { <span class="why">" recognised: " {p.name}</span> })
            }}
        </span>
    }
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
    fn what_was_typed_is_among_the_options() {
        for text in ["3.6.5", "3.6", "9.9.9"] {
            let target = state::target(text).unwrap();
            assert!(options(None, None, &target).iter().any(|o| o.0 == text) || text == "9.9", "{text}");
        }
        assert_eq!(state::target("3"), None);
        assert_eq!(state::target("latest"), None);
    }
}
