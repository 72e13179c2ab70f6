//! What no command answers. A question is shown only while a gate waits for it; what was answered stays in reach.

use etcd_upgrade_planner::etcd::platforms;
use etcd_upgrade_planner::etcd::releases;
use etcd_upgrade_planner::etcd::version::Minor;
use etcd_upgrade_planner::evidence::answers::AnswerKey;
use leptos::prelude::*;

use crate::app::clock;
use crate::app::components::segmented::Segmented;
use crate::app::state::State;
use crate::app::words;

/// How commands are written; never asked for, always in reach.
const FOR_COMMANDS: [AnswerKey; 5] =
    [AnswerKey::Endpoints, AnswerKey::CaCert, AnswerKey::Cert, AnswerKey::Key, AnswerKey::DataDir];

/// A question with the gates that wait for it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Open {
    key: AnswerKey,
    gates: Vec<String>,
}

/// The questions that gates wait for, those answered, and the fold of everything else that can be said.
#[component]
pub fn Answers() -> impl IntoView {
    let state = expect_context::<State>();
    // Before the first paste every gate waits; what to paste comes first then.
    let judging = Memo::new(move |_| state.judged.with(|j| j.as_ref().is_some_and(|j| !j.pastes.is_empty())));
    let waiting = Memo::new(move |_| {
        state.report(|r| {
            let open = r.asks.iter().filter_map(|a| {
                let key = a.answer.as_deref()?.parse::<AnswerKey>().ok()?;
                Some(Open { key, gates: a.gates.clone() })
            });
            open.collect::<Vec<_>>()
        })
    });
    // An answered question stays where it was asked, so that it can be answered otherwise.
    let shown = Memo::new(move |_| {
        let mut keys: Vec<AnswerKey> = waiting.with(|w| w.iter().map(|o| o.key).collect());
        state.answers.with(|a| keys.extend(a.iter().map(|(k, _)| k)));
        keys.retain(|k| !FOR_COMMANDS.contains(k) && *k != AnswerKey::RunBy);
        keys.sort_unstable();
        keys.dedup();
        keys
    });
    let gates = move |key: AnswerKey| {
        waiting.with(|w| w.iter().find(|o| o.key == key).map(|o| o.gates.join(" · "))).unwrap_or_default()
    };
    let given = move || state.answers.with(|a| a.iter().filter(|(k, _)| FOR_COMMANDS.contains(k)).count());
    view! {
        <Show when=move || judging.get() && shown.with(|s| !s.is_empty())>
            <section class="answers">
                <h2>"Only you know"</h2>
                <For each=move || shown.get() key=|k| *k let(key)>
                    <Question key_of=key gates=Signal::derive(move || gates(key))/>
                </For>
            </section>
        </Show>
        <details class="for-commands">
            <summary>
                "Endpoints, certificates, paths "
                <span class="why">
                    {move || match given() {
                        0 => "as the pastes say".to_owned(),
                        n => format!("{} given", words::count(n, "answer", "answers")),
                    }}
                </span>
            </summary>
            <p class="why">"Every command on this page is written with them."</p>
            {FOR_COMMANDS
                .into_iter()
                .map(|key| view! { <Question key_of=key gates=Signal::derive(String::new)/> })
                .collect_view()}
        </details>
    }
}

#[component]
fn Question(
    /// Which.
    key_of: AnswerKey,
    /// The gates that wait for it.
    gates: Signal<String>,
) -> impl IntoView {
    let state = expect_context::<State>();
    let id = format!("q-{}", key_of.id());
    let value = Memo::new(move |_| state.answers.with(|a| a.get(key_of).map(str::to_owned)).unwrap_or_default());
    view! {
        <div class="question" data-answer=key_of.id()>
            <span>
                <span id=id.clone()>{key_of.question()}</span>
                <small class="id" translate="no">
                    {gates}
                </small>
            </span>
            <Control key_of value labelled_by=id/>
        </div>
    }
}

#[component]
fn Control(key_of: AnswerKey, value: Memo<String>, labelled_by: String) -> impl IntoView {
    let state = expect_context::<State>();
    let say = Callback::new(move |value: String| {
        let _ = state.answer(key_of, &value);
    });
    match key_of {
        AnswerKey::V2EverEnabled
        | AnswerKey::SnapshotVerified
        | AnswerKey::SnapshotOffHost
        | AnswerKey::WatchCaches
        | AnswerKey::Auth => {
            let options = vec![("yes", "yes"), ("no", "no"), ("", "?")];
            view! { <Segmented options chosen=value on_choose=say labelled_by/> }.into_any()
        }
        AnswerKey::SnapshotTaken => view! { <Taken value say labelled_by/> }.into_any(),
        AnswerKey::BornOn => {
            let options = minors().into_iter().rev().map(|m| (m.to_string(), m.to_string())).collect();
            view! { <Choice options value say labelled_by/> }.into_any()
        }
        AnswerKey::RunBy => {
            let options = platforms::all().iter().map(|p| (p.id.to_owned(), p.name.to_owned())).collect();
            view! { <Choice options value say labelled_by/> }.into_any()
        }
        AnswerKey::MinorSince => view! { <Typed key_of kind="date" value labelled_by/> }.into_any(),
        _ => view! { <Typed key_of kind="text" value labelled_by/> }.into_any(),
    }
}

/// Every minor of the newest major: a cluster may be older than the releases the rules know.
fn minors() -> Vec<Minor> {
    releases::newest_minor()
        .map_or_else(Vec::new, |newest| (0..=newest.minor).map(|minor| Minor::new(newest.major, minor)).collect())
}

/// When the backup snapshot is taken: by a step of the plan, or at a time.
#[component]
fn Taken(value: Memo<String>, say: Callback<String>, labelled_by: String) -> impl IntoView {
    /// The button for a snapshot that exists already.
    const AT: &str = "at";
    let asks_time = RwSignal::new(false);
    let chosen = Signal::derive(move || match value.get().as_str() {
        "" if asks_time.get() => AT.to_owned(),
        "" => String::new(),
        "in-plan" => "in-plan".to_owned(),
        _ => AT.to_owned(),
    });
    let choose = Callback::new(move |choice: String| {
        asks_time.set(choice == AT);
        say.run(if choice == AT { String::new() } else { choice });
    });
    let at = move |event: web_sys::Event| {
        if let Some(time) = clock::local_to_rfc3339(&event_target_value(&event)) {
            say.run(time);
        }
    };
    let options = vec![("in-plan", "in the plan"), (AT, "taken"), ("", "?")];
    view! {
        <span class="stack">
            <Segmented options chosen on_choose=choose labelled_by=labelled_by.clone()/>
            <Show when=move || chosen.with(|c| c == AT)>
                <label>
                    "taken at, your local time "
                    <input type="datetime-local" on:change=at/>
                </label>
                <Show when=move || !value.with(String::is_empty)>
                    <span class="why">{move || clock::minute(&value.get())}</span>
                </Show>
            </Show>
        </span>
    }
}

/// One of many.
#[component]
pub fn Choice(
    /// Value and label of each.
    options: Vec<(String, String)>,
    /// What is chosen; empty for nothing.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the choice.
    say: Callback<String>,
    /// Id of the element that names it.
    #[prop(into)]
    labelled_by: String,
    /// What stands there while nothing is chosen.
    #[prop(default = "not known")]
    none: &'static str,
) -> impl IntoView {
    let option = move |(id, label): (String, String)| {
        let own = id.clone();
        view! { <option value=id selected=move || value.with(|v| *v == own)>{label}</option> }
    };
    view! {
        <select
            aria-labelledby=labelled_by
            prop:value=move || value.get()
            on:change=move |event| say.run(event_target_value(&event))
        >
            <option value="" selected=move || value.with(String::is_empty)>{none}</option>
            {options.into_iter().map(option).collect_view()}
        </select>
    }
}

/// A field to type in. What does not fit is said, and the old answer stays.
#[component]
fn Typed(key_of: AnswerKey, kind: &'static str, value: Memo<String>, labelled_by: String) -> impl IntoView {
    let state = expect_context::<State>();
    let error = RwSignal::new(None::<String>);
    let error_id = format!("error-{}", key_of.id());
    let typed = move |event: web_sys::Event| {
        let outcome = state.answer(key_of, &event_target_value(&event));
        error.set(outcome.err().map(|e| e.to_string()));
    };
    view! {
        <span class="stack">
            <input
                type=kind
                placeholder=key_of.takes()
                aria-labelledby=labelled_by
                aria-describedby=error_id.clone()
                aria-invalid=move || if error.with(Option::is_some) { "true" } else { "false" }
                spellcheck="false"
                autocapitalize="off"
                prop:value=move || value.get()
                on:change=typed
            />
            <span id=error_id class="state blocked" role="alert">
                {error}
            </span>
        </span>
    }
}
