//! What the pastes say, read for a turn at a time and kept, so that each is read once for each state of it.
//!
//! All of it lies in the second part of the page (`xtask/src/split/roots.txt`), hence the functions that are never inlined.

use std::sync::Arc;

use etcd_upgrade_planner::evidence::Evidence;
use etcd_upgrade_planner::evidence::reading::Reading;
use etcd_upgrade_planner::intent::Intent;
use leptos::prelude::*;

use super::State;
use super::judging::Judged;
use super::pastes::{Head, PasteId};
use crate::app::clock;

/// How long the page reads before the browser has its turn, in milliseconds. A key pressed meanwhile waits no longer.
const TURN: u64 = 12;

/// The same while nobody looks at the page. Browsers give a hidden page few turns.
const HIDDEN_TURN: u64 = 500;

/// What is known of the pastes. A paste is read once for each state of it, not for each verdict.
#[derive(Default)]
pub struct Known {
    /// What each says, in the state that its head describes.
    read: Vec<(Head, Evidence)>,
    /// The one that is being read.
    reading: Option<(Head, Reading)>,
}

impl State {
    /// Reads for one turn: the paste that is not at its end then, and how much of it is read, in percent.
    #[inline(never)]
    pub(super) fn read_on(self, heads: &[Head]) -> Option<(PasteId, usize)> {
        let until = clock::milliseconds() + if document().hidden() { HIDDEN_TURN } else { TURN };
        let read = |known: &mut Known| {
            known.keep(heads);
            heads.iter().enumerate().find_map(|(at, head)| {
                let begin = || self.pastes.with_value(|pastes| pastes.get(at).cloned()).map(Reading::of);
                known.read(head, begin, until).map(|percent| (head.id, percent))
            })
        };
        self.known.try_update_value(read).flatten()
    }

    /// Judges the pastes, all of which are read.
    #[inline(never)]
    pub(super) fn judge_what_is_read(self, heads: &[Head]) {
        let kind = self.kind.get_untracked();
        let intent = Intent { kind, from: self.from.get_untracked(), to: self.to.get_untracked() };
        let answers = self.answers.get_untracked();
        let waivers = self.waivers.get_untracked();
        let judge = etcd_upgrade_planner::judge_read;
        let report = self.pastes.with_value(|pastes| {
            let each = self.known.try_update_value(|known| known.take(heads)).unwrap_or_default();
            let evidence = Evidence::of_all(pastes, each);
            let report = judge(pastes, &evidence, &intent, &answers, &waivers, clock::now());
            self.known.update_value(|known| known.put_back(heads, evidence));
            report
        });
        let pastes = heads.iter().map(|h| h.id).collect();
        self.judged.set(Some(Arc::new(Judged { report, pastes })));
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

    /// Reads a paste until then, and how much of it is read, in percent; `None` when it is at its end.
    fn read(&mut self, head: &Head, begin: impl FnOnce() -> Option<Reading>, until: u64) -> Option<usize> {
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
            if clock::milliseconds() > until {
                let percent = reading.percent();
                self.reading = Some((head.clone(), reading));
                return Some(percent);
            }
        }
    }

    /// What the pastes say, in their order. It goes back where it came from with [`Known::put_back`].
    fn take(&mut self, heads: &[Head]) -> Vec<Evidence> {
        let of = |head: &Head| self.read.iter().position(|(of, _)| of == head).map(|at| self.read.swap_remove(at).1);
        heads.iter().filter_map(of).collect()
    }

    fn put_back(&mut self, heads: &[Head], evidence: Evidence) {
        self.read.extend(heads.iter().cloned().zip(evidence.of_each(heads.len())));
    }
}
