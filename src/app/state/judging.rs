//! The verdict: when it is made, and what views read from it.

use std::sync::Arc;

use etcd_upgrade_planner::evidence::Evidence;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::evidence::reading::Reading;
use etcd_upgrade_planner::export::report::{GroundOut, RecognisedOut, Report, UnreadOut};
use etcd_upgrade_planner::intent::Intent;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::State;
use super::pastes::{Head, PasteId};
use crate::app::clock;

/// How long after the last key a typed change is judged, in milliseconds.
const TYPING_PAUSE: u32 = 200;

/// How long the page reads before the browser has its turn, in milliseconds. A key pressed meanwhile waits no longer.
const TURN: f64 = 12.0;

/// The same while nobody looks at the page. Browsers give a hidden page few turns.
const HIDDEN_TURN: f64 = 500.0;

/// What is known of the pastes. A paste is read once for each state of it, not for each verdict.
#[derive(Default)]
pub struct Known {
    /// What each says, in the state that its head describes.
    read: Vec<(Head, Evidence)>,
    /// The one that is being read.
    reading: Option<(Head, Reading)>,
}

/// A verdict with the pastes it was made of.
pub struct Judged {
    /// The report.
    pub report: Report,
    /// Ids of the pastes, by the report's paste index.
    pub pastes: Vec<PasteId>,
}

/// What was recognised and what was not, in one paste.
#[derive(Default, Hash)]
pub struct Seen {
    /// Was it read? Nothing is, before the second part of the page is there.
    pub read: bool,
    /// Recognised stretches.
    pub recognised: Vec<RecognisedOut>,
    /// Unread stretches.
    pub unread: Vec<UnreadOut>,
}

/// The place of a paste that the person was led to.
#[derive(Clone)]
pub struct Place {
    /// The paste.
    pub paste: PasteId,
    /// First line, from 1.
    pub first_line: usize,
    /// Last line, inclusive.
    pub last_line: usize,
    /// The part of the line that matters.
    pub mark: Option<String>,
    /// Rises with every jump, so that the same place can be gone to twice.
    pub jump: u32,
}

/// When a change is judged.
#[derive(Clone, Copy)]
pub enum When {
    /// In the next free moment.
    Now,
    /// After a pause in the typing.
    AfterTyping,
}

impl State {
    /// Something that decides the verdict changed: judges and keeps, a moment later.
    pub fn changed(self, when: When) {
        let pause = match when {
            When::Now => 0,
            When::AfterTyping => TYPING_PAUSE,
        };
        self.judge_timer.set_value(Some(Timeout::new(pause, move || self.judge())));
        self.keep_soon();
    }

    /// The second part of the page is there, and with it all that judging takes.
    pub fn second_part_arrived(self) {
        self.complete.set_value(true);
        self.judge();
        // What another tab kept meanwhile waits to be taken in.
        self.keep_soon();
    }

    /// Judges what is there now, as soon as all of it is read. Before the second part is there nothing is judged; then it
    /// is. Small pastes are read at once; of large ones a piece at a time, with the browser's turn between them.
    pub fn judge(self) {
        self.judge_timer.set_value(None);
        if !self.complete.get_value() {
            return;
        }
        let heads = self.heads.get_untracked();
        self.known.update_value(|known| known.keep(&heads));
        let until = now() + if document().hidden() { HIDDEN_TURN } else { TURN };
        for (at, head) in heads.iter().enumerate() {
            let begin = || self.pastes.with_value(|pastes| pastes.get(at).cloned()).map(Reading::of);
            let share = self.known.try_update_value(|known| known.read(head, begin, until)).flatten();
            if let Some(share) = share {
                self.reading.set(Some((head.id, share)));
                self.judge_timer.set_value(Some(Timeout::new(0, move || self.judge())));
                return;
            }
        }
        if self.reading.with_untracked(Option::is_some) {
            self.reading.set(None);
        }
        let kind = self.kind.get_untracked();
        let intent = Intent { kind, from: self.from.get_untracked(), to: self.to.get_untracked() };
        let answers = self.answers.get_untracked();
        let waivers = self.waivers.get_untracked();
        let judge = etcd_upgrade_planner::judge_read;
        let report = self.pastes.with_value(|pastes| {
            let evidence = self.known.with_value(|known| known.of_all(pastes, &heads));
            judge(pastes, &evidence, &intent, &answers, &waivers, clock::now())
        });
        let pastes = heads.iter().map(|h| h.id).collect();
        self.judged.set(Some(Arc::new(Judged { report, pastes })));
    }

    /// How much of a paste is read, while it is being read, from 0 to 1; tracked.
    pub fn share_read(self, id: PasteId) -> Option<f64> {
        self.reading.with(|reading| reading.filter(|(of, _)| *of == id).map(|(_, share)| share))
    }

    /// Is there anything to judge? Tracked, and told of the report: the first verdict comes with its words.
    pub fn judging(self) -> bool {
        self.judged.with(|j| j.as_ref().is_some_and(|j| !j.pastes.is_empty()))
    }

    /// A part of the report; tracked. The default before the first verdict.
    pub fn report<T: Default>(self, part: impl FnOnce(&Report) -> T) -> T {
        self.judged.with(|j| j.as_ref().map(|j| part(&j.report)).unwrap_or_default())
    }

    /// A part of the report as it leaves the page: with what was written beside its steps. Not tracked.
    pub fn report_out<T: Default>(self, part: impl FnOnce(&Report) -> T) -> T {
        let Some(mut report) = self.judged.with_untracked(|j| j.as_ref().map(|j| j.report.clone())) else {
            return T::default();
        };
        self.records.with_untracked(|records| report.take_records(records));
        part(&report)
    }

    /// What was seen in a paste; tracked.
    pub fn seen_in(self, id: PasteId) -> Seen {
        self.judged.with(|judged| {
            let Some(judged) = judged else { return Seen::default() };
            let Some(index) = judged.pastes.iter().position(|p| *p == id) else { return Seen::default() };
            let report = &judged.report;
            Seen {
                read: true,
                recognised: report.recognised.iter().filter(|r| r.paste_index == index).cloned().collect(),
                unread: report.unread.iter().filter(|u| u.paste_index == index).cloned().collect(),
            }
        })
    }

    /// Leads the person to the pasted lines a finding rests on.
    pub fn go_to(self, ground: &GroundOut) {
        let id = self.judged.with_untracked(|j| j.as_ref().and_then(|j| j.pastes.get(ground.paste_index).copied()));
        if let Some(id) = id {
            self.go_to_lines(id, ground.first_line, ground.last_line, ground.mark.clone());
        }
    }

    /// Leads the person to lines of a paste.
    pub fn go_to_lines(self, paste: PasteId, first_line: usize, last_line: usize, mark: Option<String>) {
        let jump = self.place.with_untracked(|p| p.as_ref().map_or(0, |p| p.jump)).wrapping_add(1);
        self.place.set(Some(Place { paste, first_line, last_line, mark, jump }));
    }
}

impl Known {
    /// Lets go of what is not there any more, or is not as it was.
    fn keep(&mut self, heads: &[Head]) {
        self.read.retain(|(of, _)| heads.contains(of));
        if self.reading.as_ref().is_some_and(|(of, _)| !heads.contains(of)) {
            self.reading = None;
        }
    }

    /// Reads a paste until then, and how much of it is read; `None` when it is at its end.
    fn read(&mut self, head: &Head, begin: impl FnOnce() -> Option<Reading>, until: f64) -> Option<f64> {
        if self.read.iter().any(|(of, _)| of == head) {
            return None;
        }
        let under_way = self.reading.take().filter(|(of, _)| of == head).map(|(_, reading)| reading);
        let mut reading = under_way.or_else(begin)?;
        loop {
            if let Some(evidence) = reading.go_on() {
                self.read.push((head.clone(), evidence));
                return None;
            }
            if now() > until {
                let share = reading.share();
                self.reading = Some((head.clone(), reading));
                return Some(share);
            }
        }
    }

    fn of_all(&self, pastes: &[Paste], heads: &[Head]) -> Evidence {
        let of = |head| self.read.iter().find(|(of, _)| of == head).map(|(_, evidence)| evidence);
        let each: Vec<&Evidence> = heads.iter().filter_map(of).collect();
        Evidence::of_all(pastes, &each)
    }
}

/// The browser's clock, in milliseconds.
fn now() -> f64 {
    js_sys::Date::now()
}
