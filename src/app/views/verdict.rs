//! The verdict: one sentence with its counts, and the next thing to do.

use leptos::prelude::*;

use crate::app::components::outcome::outcome;
use crate::app::state::State;

/// Id of the sentence: focus goes there with the first verdict.
pub const ID: &str = "verdict";

/// The verdict. The region is always in the page, so that screen readers hear its first words too.
#[component]
pub fn Verdict(
    /// Is there anything to judge?
    #[prop(into)]
    judging: Signal<bool>,
) -> impl IntoView {
    let state = expect_context::<State>();
    let verdict = Memo::new(move |_| state.report(|r| (r.verdict.clone(), r.summary.clone(), r.next.clone())));
    let class = move || {
        let (_, _, class) = verdict.with(|v| outcome(&v.0));
        if judging.get() { format!("verdict {class}") } else { "verdict unseen".to_owned() }
    };
    Effect::new(move |_| {
        let word = verdict.with(|v| outcome(&v.0).1);
        let title =
            if judging.get() { format!("{word} · etcd Upgrade Planner") } else { "etcd Upgrade Planner".into() };
        document().set_title(&title);
    });
    view! {
        <section class=class role="status" aria-live="polite" aria-atomic="true" aria-label="Verdict">
            {move || {
                judging
                    .get()
                    .then(|| {
                        let (id, summary, next) = verdict.get();
                        let (sign, ..) = outcome(&id);
                        view! {
                            <h1 id=ID tabindex="-1">
                                <span aria-hidden="true" class="sign">
                                    {sign}
                                </span>
                                {summary}
                            </h1>
                            {(!next.is_empty()).then(|| view! { <p>"Next: " {next}</p> })}
                        }
                    })
            }}
        </section>
    }
}
