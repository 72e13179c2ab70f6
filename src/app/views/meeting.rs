//! Meeting mode: the decision first, then one step at a time, in large type. Arrow keys lead through it, and the
//! browser's back button out of it.

use std::rc::Rc;

use etcd_upgrade_planner::export::report::{Report, StepOut, WaysBackOut};
use etcd_upgrade_planner::export::words as exported;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, HtmlDialogElement, HtmlElement, KeyboardEvent, PopStateEvent};

use super::checklist::{tick, ways};
use super::finding::term;
use super::verdict::reason;
use crate::app::components::command::commands;
use crate::app::components::outcome::{sign, words};
use crate::app::dom::list::digest;
use crate::app::dom::listener::on_window;
use crate::app::dom::{El, button, el, soon};
use crate::app::state::State;
use crate::app::watched::Watched;

/// What stands in the browser's history while the mode is open. The address stays: browsers ask for the icon of the page
/// again when it changes.
const IN_HISTORY: &str = "meeting";

/// The mode. A handle.
#[derive(Clone, Copy)]
pub struct Meeting {
    state: State,
    /// The page of it on show: 0 is the decision, then the steps; `None` when it is shut.
    at: Watched<Option<usize>>,
}

impl Meeting {
    /// It is shut, and opens and shuts as the person goes back and forward.
    pub fn new(state: State) -> Self {
        let meeting = Self { state, at: Watched::new(None) };
        on_window("popstate", move |event| {
            let here = event.unchecked_ref::<PopStateEvent>().state();
            let wanted = here.as_string().as_deref() == Some(IN_HISTORY);
            if wanted != meeting.is_open() && (!wanted || meeting.can_open()) {
                meeting.at.set(wanted.then_some(0));
            }
        });
        meeting
    }

    /// Is it open?
    pub fn is_open(self) -> bool {
        self.at.with_untracked(Option::is_some)
    }

    fn can_open(self) -> bool {
        untrack(|| self.state.judging())
    }

    /// Opens it at the decision. False while there is none.
    pub fn open(self) -> bool {
        if !self.can_open() {
            return false;
        }
        if !self.is_open() {
            if let Ok(history) = window().history() {
                let _ = history.push_state(&JsValue::from_str(IN_HISTORY), "");
            }
            self.at.set(Some(0));
        }
        true
    }

    /// Shuts it, and takes it off the history.
    fn shut(self) {
        if self.is_open() {
            self.at.set(None);
            if let Ok(history) = window().history() {
                let _ = history.back();
            }
        }
    }

    fn go(self, to: usize) {
        let last = untrack(|| self.state.report(|r| r.checklist.iter().map(|p| p.steps.len()).sum::<usize>()));
        self.at.set(Some(to.min(last)));
    }

    /// The dialog, which is shown while the mode is open.
    pub fn dialog(self) -> El {
        let dialog = el("dialog").class("meeting").attr("aria-label", "Meeting mode");
        let element: HtmlDialogElement = dialog.node();
        let shown = self.at;
        super::super::dom::watch(Box::new(move || {
            let open = shown.with(Option::is_some);
            if open != element.open() {
                if open {
                    let _ = element.show_modal();
                } else {
                    element.close();
                }
            }
        }));
        let key = move || {
            let at = self.at.get()?;
            Some(self.state.report(|r| digest(&(at, &r.summary, &r.next, step(r, at)))))
        };
        dialog
            // Escape shuts a dialog by itself.
            .on("close", move |_| self.shut())
            .on("keydown", move |event| self.key(&event))
            .redraw(key, move || draw(self))
    }

    fn key(self, event: &Event) {
        let Some(at) = self.at.get_untracked() else { return };
        match event.unchecked_ref::<KeyboardEvent>().key().as_str() {
            "ArrowRight" | "PageDown" => self.go(at + 1),
            "ArrowLeft" | "PageUp" => self.go(at.saturating_sub(1)),
            "Home" => self.go(0),
            "End" => self.go(usize::MAX),
            _ => return,
        }
        event.prevent_default();
    }
}

/// A step by its place, with the title of its phase and the ways back before it.
fn step(report: &Report, at: usize) -> Option<(&StepOut, String, Option<&WaysBackOut>)> {
    let mut before = None;
    let mut left = at.checked_sub(1)?;
    for phase in &report.checklist {
        if let Some(step) = phase.steps.get(left) {
            let before = left.checked_sub(1).and_then(|i| phase.steps.get(i)).map(|s| &s.ways_back).or(before);
            let hop = phase.hop.as_ref().map(|hop| format!(" · {hop}")).unwrap_or_default();
            return Some((step, format!("{}{hop}", phase.phase), before));
        }
        left -= phase.steps.len();
        before = phase.steps.last().map(|s| &s.ways_back).or(before);
    }
    None
}

#[inline(never)]
fn draw(meeting: Meeting) -> Vec<El> {
    let at = meeting.at.get_untracked().unwrap_or(0);
    let all = meeting.state.report(|r| r.checklist.iter().map(|p| p.steps.len()).sum::<usize>());
    let page = meeting.state.report(|r| match step(r, at) {
        Some((step, phase, before)) => step_page(meeting.state, step, &phase, before, all),
        None => decision(r),
    });
    let to = |label: &str, to: usize, is_end: bool| {
        let go = button("button", label, move || meeting.go(to));
        if is_end { go.attr("disabled", "") } else { go }
    };
    let nav = el("nav")
        .attr("aria-label", "Steps")
        .child(to("← Back", at.saturating_sub(1), at == 0))
        .child(to(if at == 0 { "To the steps →" } else { "On →" }, at + 1, at >= all))
        .child(el("span").class("why").text(&if at == 0 { "Decision".to_owned() } else { format!("{at} of {all}") }))
        .child(button("button", "Close", move || meeting.shut()));
    let article = el("article").children(page);
    let heading: Rc<El> = Rc::new(article.clone());
    soon(move || {
        let article: HtmlElement = heading.node();
        if let Some(title) = article.query_selector("h1").ok().flatten().and_then(|h| h.dyn_into::<HtmlElement>().ok())
        {
            let _ = title.focus();
        }
    });
    vec![article, nav]
}

/// The verdict, its reason, what is next, how the gates answered, and until when there is a way back.
fn decision(report: &Report) -> Vec<El> {
    let (sign_of, _, class) = words(&report.verdict);
    let count = |outcome: &'static str| {
        let many = report.findings.iter().filter(|f| f.outcome == outcome).count();
        (many > 0).then(|| format!("{} {many}", words(outcome).1))
    };
    let counts: Vec<String> = ["blocked", "cant-tell", "warning", "passed"].into_iter().filter_map(count).collect();
    let windows = report.windows.iter().map(|w| el("p").text(&exported::window(report, w)));
    let title =
        el("h1").attr("tabindex", "-1").class(&format!("state {class}")).child(sign(sign_of)).text(&report.summary);
    std::iter::once(title)
        .chain(reason(report).map(|words| el("p").text(&words)))
        .chain((!report.next.is_empty()).then(|| el("p").text("Next: ").text(&report.next)))
        .chain(windows)
        .chain([el("p").class("why").text(&format!("Answers: {}.", counts.join(" · ")))])
        .collect()
}

fn step_page(state: State, step: &StepOut, phase: &str, before: Option<&WaysBackOut>, all: usize) -> Vec<El> {
    let place = format!("{phase} · step {} of {all}", step.number);
    let said = |word: &str, words: &str| if words.is_empty() { Vec::new() } else { term(word, el("dd").text(words)) };
    let id = format!("meeting-{}", step.id);
    let done = el("label").class("done").child(tick(state, &step.id, &id)).text(" Done");
    let terms = el("dl")
        .children(said("Expect", &step.expect))
        .children(said("Stop when", &step.stop_when))
        .children(term("Ways back", el("dd").child(ways(&step.ways_back, before))));
    let mut page = vec![
        el("p").class("why").text(&place),
        el("h1").attr("tabindex", "-1").text(&step.title),
        el("p").class("why").text(&step.why),
    ];
    page.extend(commands(&step.commands));
    page.extend([terms, done]);
    page
}
