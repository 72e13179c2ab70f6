//! The verdict: one sentence with its counts, and the next thing to do.

use etcd_upgrade_planner::export::report::Report;
use leptos::prelude::*;

use crate::app::components::outcome::{self, sign};
use crate::app::dom::list::digest;
use crate::app::dom::{El, el, watch};
use crate::app::state::State;

/// Id of the sentence: focus goes there with the first verdict.
pub const ID: &str = "verdict";

/// The verdict. The region is always in the page, so that screen readers hear its first words too.
pub fn verdict() -> El {
    let state = expect_context::<State>();
    let words = move || state.report(|r| outcome::words(&r.verdict));
    let class = move || if state.judging() { format!("verdict {}", words().2) } else { "verdict unseen".to_owned() };
    watch(Box::new(move || {
        let title = if state.judging() { format!("{} · etcd Upgrade Planner", words().1) } else { NAME.to_owned() };
        document().set_title(&title);
    }));
    let key = move || state.judging().then(|| state.report(|r| digest(&(&r.verdict, &r.summary, &r.next))));
    el("section")
        .attr("role", "status")
        .attr("aria-live", "polite")
        .attr("aria-atomic", "true")
        .attr("aria-label", "Verdict")
        .bind_attr("class", class)
        .redraw(key, move || state.report(draw))
}

/// Title of the page while there is nothing to judge.
const NAME: &str = "etcd Upgrade Planner";

fn draw(report: &Report) -> Vec<El> {
    let sentence = el("h1")
        .attr("id", ID)
        .attr("tabindex", "-1")
        .child(sign(outcome::words(&report.verdict).0))
        .text(&report.summary);
    let next = (!report.next.is_empty()).then(|| el("p").text("Next: ").text(&report.next));
    std::iter::once(sentence).chain(next).collect()
}
