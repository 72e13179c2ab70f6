//! The checklist by hop and phase, with ticks that stay in this browser.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use etcd_upgrade_planner::export::report::{PhaseOut, StepOut, WayOut, WaysBackOut};
use leptos::prelude::*;
use web_sys::HtmlDetailsElement;

use crate::app::components::command::Commands;
use crate::app::state::State;
use crate::app::words;

/// A step with the ways back of the step before it.
type Step = (StepOut, Option<WaysBackOut>);

/// The checklist. Nothing is drawn while there is no plan.
#[component]
pub fn Checklist() -> impl IntoView {
    let state = expect_context::<State>();
    let phases = Memo::new(move |_| state.report(|r| r.checklist.clone()));
    // Which phases the person opened or shut; the others follow what is done.
    let folds = RwSignal::new(BTreeMap::<String, bool>::new());
    let next = Memo::new(move |_| {
        state.done.with(|done| {
            phases.with(|all| all.iter().find(|p| p.steps.iter().any(|s| !done.contains(&s.id))).map(name))
        })
    });
    view! {
        <Show when=move || phases.with(|p| !p.is_empty())>
            <section class="checklist">
                <h2>"Checklist"</h2>
                <For each=move || with_ways_before(&phases.get()) key=key let((phase, steps))>
                    <Phase phase steps folds next/>
                </For>
            </section>
        </Show>
    }
}

fn name(phase: &PhaseOut) -> String {
    format!("{}/{}", phase.hop.as_deref().unwrap_or(""), phase.phase)
}

fn key(item: &(PhaseOut, Vec<Step>)) -> u64 {
    let mut hasher = DefaultHasher::new();
    item.hash(&mut hasher);
    hasher.finish()
}

/// Each phase with its steps, each step with the ways back before it: only what changes is spelled out.
fn with_ways_before(phases: &[PhaseOut]) -> Vec<(PhaseOut, Vec<Step>)> {
    let mut before: Option<WaysBackOut> = None;
    let mut with = |step: &StepOut| (step.clone(), before.replace(step.ways_back.clone()));
    phases.iter().map(|phase| (phase.clone(), phase.steps.iter().map(&mut with).collect())).collect()
}

#[component]
fn Phase(
    phase: PhaseOut,
    steps: Vec<Step>,
    folds: RwSignal<BTreeMap<String, bool>>,
    next: Memo<Option<String>>,
) -> impl IntoView {
    let state = expect_context::<State>();
    let own = name(&phase);
    let ids: Vec<String> = phase.steps.iter().map(|s| s.id.clone()).collect();
    // A memo: when another phase is opened, this one is not written again, or printing could not open them all.
    let open = {
        let own = own.clone();
        Memo::new(move |_| {
            folds.with(|f| f.get(&own).copied()).unwrap_or_else(|| next.with(|n| n.as_ref() == Some(&own)))
        })
    };
    // A phase someone ticks in stays open when its last step is done: the focus is in it.
    let ticked = {
        let own = own.clone();
        move |_| {
            folds.update(|f| {
                f.insert(own.clone(), true);
            })
        }
    };
    let count = move || {
        let done = state.done.with(|d| ids.iter().filter(|id| d.contains(*id)).count());
        let all = words::count(ids.len(), "step", "steps");
        if done == 0 { all } else { format!("{done} of {all} done") }
    };
    let toggled = move |event: web_sys::Event| {
        let open = event_target::<HtmlDetailsElement>(&event).open();
        let usual = next.with_untracked(|n| n.as_ref() == Some(&own));
        folds.update(|f| {
            if open == usual {
                f.remove(&own);
            } else {
                f.insert(own.clone(), open);
            }
        });
    };
    view! {
        <details class="phase" prop:open=open on:toggle=toggled on:change=ticked>
            <summary>
                <h3>{phase.phase}</h3>
                {phase.hop.map(|hop| view! { <span class="mono" translate="no">{hop}</span> })}
                <span class="why">{count} {phase.note.map(|note| format!(" · {note}"))}</span>
            </summary>
            {steps.into_iter().map(|(step, before)| view! { <StepItem step before/> }).collect_view()}
        </details>
    }
}

#[component]
fn StepItem(step: StepOut, before: Option<WaysBackOut>) -> impl IntoView {
    let state = expect_context::<State>();
    let StepOut { id, number, title, why, commands, expect, stop_when, ways_back, .. } = step;
    let done = {
        let id = id.clone();
        Memo::new(move |_| state.done.with(|d| d.contains(&id)))
    };
    let box_id = format!("step-{number}");
    let step_id = id.clone();
    let ways = ways(&ways_back, before.as_ref());
    view! {
        <div class="step" class:done=done data-step=step_id>
            <input
                type="checkbox"
                id=box_id.clone()
                prop:checked=done
                on:change=move |event| state.set_done(&id, event_target_checked(&event))
            />
            <div>
                <label for=box_id>
                    <span class="number">{number}</span>
                    {title}
                </label>
                <p class="why">{why}</p>
                <Commands lines=commands/>
                <dl>
                    {term("Expect", expect)} {term("Stop when", stop_when)} <dt>"Ways back"</dt> <dd>{ways}</dd>
                </dl>
            </div>
        </div>
    }
}

fn term(word: &'static str, text: String) -> impl IntoView {
    (!text.is_empty()).then(|| {
        view! {
            <dt>{word}</dt>
            <dd>{text}</dd>
        }
    })
}

/// The three ways back; the reason is spelled out where something changes.
fn ways(now: &WaysBackOut, before: Option<&WaysBackOut>) -> impl IntoView + use<> {
    let lanes = [
        ("swap", &now.swap, before.map(|b| &b.swap)),
        ("downgrade", &now.downgrade, before.map(|b| &b.downgrade)),
        ("restore", &now.restore, before.map(|b| &b.restore)),
    ];
    let one = |(word, way, before): (&'static str, &WayOut, Option<&WayOut>)| {
        let (class, sign, state) =
            if way.open { ("state ready", "✓", "open") } else { ("state quiet", "✕", "shut") };
        let reason = (before != Some(way)).then(|| view! { <span class="why">": " {way.reason.clone()}</span> });
        view! {
            <li>
                <span class=class>
                    <span aria-hidden="true">{sign} " "</span>
                    {word}
                    <span class="unseen">" " {state}</span>
                </span>
                {reason}
            </li>
        }
    };
    view! { <ul class="ways">{lanes.map(one).into_iter().collect_view()}</ul> }
}
