//! The verdict: one sentence with its counts, its first reason, and the next thing to do.

use etcd_upgrade_planner::export::report::{FindingOut, Report};
use leptos::prelude::*;

use crate::app::components::outcome::{self, sign};
use crate::app::dom::list::digest;
use crate::app::dom::{El, el, watch};
use crate::app::state::State;
use crate::app::words;

/// Id of the sentence: focus goes there with the first verdict.
pub const ID: &str = "verdict";

/// The verdict. The region is always in the page, so that screen readers hear its first words too.
pub fn verdict() -> El {
    let state = expect_context::<State>();
    let said = move || state.report(|r| outcome::words(&r.verdict));
    let class = move || if state.judging() { format!("verdict {}", said().2) } else { "verdict unseen".to_owned() };
    watch(Box::new(move || {
        let title = if state.judging() { format!("{} · {NAME}", said().1) } else { NAME.to_owned() };
        document().set_title(&title);
    }));
    let key = move || state.judging().then(|| state.report(|r| digest(&(&r.verdict, &r.summary, reason(r), &r.next))));
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

#[inline(never)]
fn draw(report: &Report) -> Vec<El> {
    let sentence = el("h1")
        .attr("id", ID)
        .attr("tabindex", "-1")
        .child(sign(outcome::words(&report.verdict).0))
        .text(&report.summary);
    let reason = reason(report).map(|words| el("p").class("reason").text(&words));
    let next = (!report.next.is_empty()).then(|| el("p").text("Next: ").text(&report.next));
    std::iter::once(sentence).chain(reason).chain(next).collect()
}

/// What the verdict rests on: the most urgent finding that speaks for it. The counts of a ready one are its reason.
pub fn reason(report: &Report) -> Option<String> {
    let outcome = match report.verdict.as_str() {
        "ready" => {
            let passed = passed(&report.findings);
            return Some(format!("Reason: {} passed on what you gave.", words::count(passed, "gate", "gates")));
        }
        "ready-with-warnings" => "warning",
        verdict => verdict,
    };
    let finding = report.findings.iter().find(|f| f.outcome == outcome && f.accepted.is_none())?;
    let about: Vec<&str> = [&finding.member, &finding.hop].into_iter().flatten().map(String::as_str).collect();
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
    Some(format!("Reason: {}{about}", finding.statement))
}

/// How many gates passed. A gate answers for each member and hop, and counts once.
fn passed(findings: &[FindingOut]) -> usize {
    let mut gates: Vec<&str> = Vec::new();
    for finding in findings.iter().filter(|f| f.outcome == "passed") {
        if !gates.contains(&finding.gate.as_str()) {
            gates.push(&finding.gate);
        }
    }
    gates.len()
}
