//! The verdict: when it is made, and what views read from it.

use std::sync::Arc;

use etcd_upgrade_planner::export::report::{GroundOut, RecognisedOut, Report, UnreadOut};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::State;
use super::pastes::PasteId;

/// How long after the last key a typed change is judged, in milliseconds.
const TYPING_PAUSE: u32 = 200;

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
        let under_way = self.read_on(&heads);
        if under_way.is_some() || self.reading.with_untracked(Option::is_some) {
            self.reading.set(under_way);
        }
        if under_way.is_some() {
            self.judge_timer.set_value(Some(Timeout::new(0, move || self.judge())));
        } else {
            self.judge_what_is_read(&heads);
        }
    }

    /// How much of a paste is read, in percent, while it is being read; tracked.
    pub fn percent_read(self, id: PasteId) -> Option<usize> {
        self.reading.with(|reading| reading.filter(|(of, _)| *of == id).map(|(_, percent)| percent))
    }

    /// Tells one verdict from the next; tracked. `None` before the first.
    pub fn judged_as(self) -> Option<usize> {
        self.judged.with(|j| j.as_ref().map(|j| Arc::as_ptr(j) as usize))
    }

    /// Is the second part of the page there?
    pub fn is_complete(self) -> bool {
        self.complete.get_value()
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
