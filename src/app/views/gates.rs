//! The gates by urgency. What passed, what can't be told and what was not looked at are folded into a line each.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use etcd_upgrade_planner::export::report::{AskOut, FindingOut, GroundOut, SourceOut};
use leptos::prelude::*;

use crate::app::components::command::Commands;
use crate::app::components::outcome::Outcome;
use crate::app::state::State;
use crate::app::words;

/// All gates.
#[component]
pub fn Gates() -> impl IntoView {
    let state = expect_context::<State>();
    let at = move |outcome: &'static str| Memo::new(move |_| state.report(|r| with_outcome(&r.findings, outcome)));
    let (blocked, warning, open) = (at("blocked"), at("warning"), at("cant-tell"));
    view! {
        <section class="gates">
            <h2>"Gates"</h2>
            <Findings findings=blocked first_open=true/>
            <Findings findings=warning/>
            <Fold outcome="cant-tell" findings=open/>
            <Fold outcome="passed" findings=at("passed")/>
            <Fold outcome="not-applicable" findings=at("not-applicable")/>
            <Fold outcome="not-looked-at" findings=at("not-looked-at")/>
        </section>
    }
}

/// The findings with an outcome, in order, each once (a list with keys takes no key twice).
fn with_outcome(findings: &[FindingOut], outcome: &str) -> Vec<FindingOut> {
    let mut seen = HashSet::new();
    findings.iter().filter(|f| f.outcome == outcome && seen.insert(key(f))).cloned().collect()
}

/// Key of a finding: its words. What did not change keeps its element, and with it its fold and the focus.
fn key(finding: &FindingOut) -> u64 {
    let mut hasher = DefaultHasher::new();
    finding.hash(&mut hasher);
    hasher.finish()
}

#[component]
fn Findings(
    /// The findings.
    findings: Memo<Vec<FindingOut>>,
    /// Does the first one start open?
    #[prop(optional)]
    first_open: bool,
) -> impl IntoView {
    let first = Memo::new(move |_| findings.with(|f| f.first().map(key)));
    view! {
        <For each=move || findings.get() key=key let(finding)>
            {
                let open = first_open && first.get_untracked() == Some(key(&finding));
                view! { <Finding finding open/> }
            }
        </For>
    }
}

/// One line for all gates of an outcome, that opens to them.
#[component]
fn Fold(
    /// The outcome's id.
    outcome: &'static str,
    /// Its findings.
    findings: Memo<Vec<FindingOut>>,
) -> impl IntoView {
    let words = move || findings.with(|f| fold_words(outcome, f));
    view! {
        <Show when=move || findings.with(|f| !f.is_empty())>
            <details class="gate fold">
                <summary>
                    <Outcome id=outcome/>
                    <span>{words}</span>
                    <span class="more" aria-hidden="true"></span>
                </summary>
                <div class="folded">
                    <Findings findings/>
                </div>
            </details>
        </Show>
    }
}

/// "7 gates need evidence: v2 store, Flags".
fn fold_words(outcome: &str, findings: &[FindingOut]) -> String {
    let mut gates: Vec<&str> = findings.iter().map(|f| f.gate.as_str()).collect();
    gates.sort_unstable();
    gates.dedup();
    let gates = words::count(gates.len(), "gate", "gates");
    let mut groups: Vec<String> = Vec::new();
    for finding in findings {
        if !groups.contains(&finding.group) {
            groups.push(finding.group.clone());
        }
    }
    match outcome {
        "cant-tell" => format!("{gates} without evidence: {}", words::list(&groups)),
        "not-looked-at" => format!("{gates} that speak only when a paste shows something"),
        _ => gates,
    }
}

/// One finding: a line that opens to what was seen, what to do, and what proves the rule.
#[component]
fn Finding(
    /// The finding.
    finding: FindingOut,
    /// Does it start open?
    open: bool,
) -> impl IntoView {
    let FindingOut { gate, outcome, member, hop, statement, grounds, answers, wanted, sources, .. } = finding;
    let remedy = finding.remedy;
    let (gate_id, about_member, waits) = (gate.clone(), member.clone(), outcome == "cant-tell");
    let about = [member, hop].into_iter().flatten().collect::<Vec<_>>().join(", ");
    let nothing_to_do = remedy.is_none() && finding.commands.is_empty();
    view! {
        <details class="gate" open=open data-gate=gate_id.clone()>
            <summary>
                <Outcome id=outcome/>
                <span>
                    {statement} {(!about.is_empty()).then(|| view! { " " <span class="about">{about}</span> })}
                </span>
                <span class="id" translate="no">
                    {gate}
                </span>
            </summary>
            <dl class="in">
                <Seen grounds answers wanted/>
                {(!nothing_to_do)
                    .then(|| {
                        view! {
                            <dt>"Do"</dt>
                            <dd>{remedy} <Commands lines=finding.commands/></dd>
                        }
                    })}
                {waits.then(|| view! { <AnswersIt gate=gate_id.clone() member=about_member text=finding.ask/> })}
                {finding
                    .note
                    .map(|note| {
                        view! {
                            <dt>"Note"</dt>
                            <dd>{note}</dd>
                        }
                    })}
                <Sources sources/>
            </dl>
        </details>
    }
}

/// What would answer a gate: commands and questions of the report that name it.
#[component]
fn AnswersIt(
    /// The gate.
    gate: String,
    /// The member the finding is about.
    member: Option<String>,
    /// The same in one text, for what the report asks for in another way.
    text: Option<String>,
) -> impl IntoView {
    let state = expect_context::<State>();
    let asks = Memo::new(move |_| {
        state.report(|r| {
            let for_member =
                |a: &&AskOut| a.members.is_empty() || member.as_ref().is_none_or(|m| a.members.contains(m));
            r.asks.iter().filter(|a| a.gates.contains(&gate)).filter(for_member).cloned().collect::<Vec<_>>()
        })
    });
    let one = |ask: AskOut| {
        let on = match ask.members.as_slice() {
            [] => String::new(),
            members => format!("for {}", words::list(members)),
        };
        match ask.question {
            Some(question) => {
                view! { <p>{question} <span class="why">" Answer it under “Only you know”."</span></p> }.into_any()
            }
            None => view! { <Commands lines=vec![ask.command]/> <p class="why">{on}</p> }.into_any(),
        }
    };
    view! {
        <dt>"Answers it"</dt>
        <dd>
            {move || match asks.get() {
                asks if asks.is_empty() => view! { <p>{text.clone()}</p> }.into_any(),
                asks => asks.into_iter().map(one).collect_view().into_any(),
            }}
        </dd>
    }
}

#[component]
fn Seen(grounds: Vec<GroundOut>, answers: Vec<String>, wanted: bool) -> impl IntoView {
    let state = expect_context::<State>();
    if grounds.is_empty() && answers.is_empty() && !wanted {
        return ().into_any();
    }
    let ground = move |ground: GroundOut| {
        let place = format!("{}, {}", ground.paste, words::lines(ground.first_line, ground.last_line));
        let quote = quote(&ground);
        view! {
            <div class="ground">
                {quote}
                <button type="button" class="link place" on:click=move |_| state.go_to(&ground)>
                    {place}
                </button>
            </div>
        }
    };
    let answer = |answer: String| {
        let (key, value) = answer.split_once('=').map_or((answer.as_str(), ""), |(k, v)| (k, v));
        view! { <p>"You answered " <code translate="no">{key.to_owned()}</code> " = " <b>{value.to_owned()}</b></p> }
    };
    view! {
        <dt>"Seen"</dt>
        <dd>
            {grounds.into_iter().map(ground).collect_view()}
            {answers.into_iter().map(answer).collect_view()}
            {wanted.then(|| view! { <p>"What you asked for: start and target."</p> })}
        </dd>
    }
    .into_any()
}

/// The pasted lines with their numbers, the part that matters marked.
fn quote(ground: &GroundOut) -> impl IntoView + use<> {
    let mark = ground.mark.clone().unwrap_or_default();
    let lines = ground.quote.lines().enumerate().map(|(i, line)| {
        let number = ground.first_line + i;
        let marked = match (mark.is_empty(), line.split_once(mark.as_str())) {
            (false, Some((before, after))) => {
                view! { {before.to_owned()} <mark>{mark.clone()}</mark> {after.to_owned()} }.into_any()
            }
            _ => view! { {line.to_owned()} }.into_any(),
        };
        view! {
            <span class="line">
                <span class="number" aria-hidden="true">
                    {number}
                </span>
                {marked}
                "\n"
            </span>
        }
    });
    view! {
        <pre class="quote" translate="no" tabindex="0" role="group" aria-label="pasted lines">
            <code>{lines.collect_view()}</code>
        </pre>
    }
}

#[component]
fn Sources(sources: Vec<SourceOut>) -> impl IntoView {
    (!sources.is_empty()).then(|| {
        let item = |source: SourceOut| {
            let title = match source.url {
                Some(url) => {
                    view! { <a href=url target="_blank" rel="noopener noreferrer">{source.title}</a> }.into_any()
                }
                None => view! { <span>{source.title}</span> }.into_any(),
            };
            view! { <li>{title} <span class="why">" · holds for " {source.holds_for}</span></li> }
        };
        view! {
            <dt>"Source"</dt>
            <dd>
                <ul class="sources">{sources.into_iter().map(item).collect_view()}</ul>
            </dd>
        }
    })
}
