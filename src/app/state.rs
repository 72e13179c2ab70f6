//! The work on the page: pastes, what is wanted, answers, ticks, and the verdict made of them.
//!
//! The texts lie in a store that no view subscribes to; views see [`Head`]s, so a paste of megabytes is never copied
//! when something changes. Whatever changes the verdict goes through [`State::changed`], which judges and keeps the
//! work a moment later, off the path of typing.
//!
//! What is done with the pastes is in `pastes`, how it is taken back in `undo`, what they say in `reading`, what follows
//! from that in `judging`, what outlives the page in `keeping`. `work` is all of it as one thing, `clusters` are several
//! of them by name, `tabs` are other tabs on the same.

mod clusters;
mod judging;
mod keeping;
mod pastes;
mod reading;
mod tabs;
mod undo;
mod work;

use std::sync::Arc;

use etcd_upgrade_planner::evidence::answers::{AnswerError, AnswerKey, Answers};
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::record::{Records, StepRecord};
use etcd_upgrade_planner::gates::waiver::Waiver;
use etcd_upgrade_planner::intent::{IntentKind, Target};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::clock;
use super::storage::{Cluster, KeepError, Kept, Shelf};
use super::watched::Watched;
pub use judging::{Judged, Place, Seen, When};
pub use pastes::{Head, PasteId};
use reading::Known;
use tabs::Tab;
use work::Parked;
pub use work::{Guest, GuestFrom, Work};

/// The work on the page. A handle: copying it copies nothing.
#[derive(Clone, Copy)]
pub struct State {
    shelf: StoredValue<Shelf>,
    pastes: StoredValue<Vec<Paste>>,
    /// The pastes in order.
    pub heads: Watched<Vec<Head>>,
    draft: StoredValue<String>,
    /// What is wanted.
    pub kind: Watched<IntentKind>,
    /// Target.
    pub to: Watched<Target>,
    /// Start, as the person says it.
    pub from: Watched<Option<Target>>,
    /// Answers.
    pub answers: Watched<Answers>,
    /// Warnings that somebody accepted.
    pub waivers: Watched<Vec<Waiver>>,
    /// The report from before the change, as JSON; empty while none is kept.
    pub before: Watched<String>,
    /// Why the link in the address could not be opened; empty when there is nothing to say.
    pub link_problem: Watched<String>,
    /// What people wrote beside the steps, by step id.
    pub records: Watched<Records>,
    /// The verdict on all of it.
    pub judged: Watched<Option<Arc<Judged>>>,
    known: StoredValue<Known, LocalStorage>,
    /// The paste that is being read, and how much of it is, in percent.
    reading: Watched<Option<(PasteId, usize)>>,
    /// Where the person was led to.
    pub place: Watched<Option<Place>>,
    /// What was changed last and can be taken back, in words.
    pub undo_words: Watched<Option<String>>,
    undo_steps: StoredValue<Vec<undo::Step>>,
    /// Why the work, or the text of some pastes, is not kept.
    pub not_kept: Watched<Option<KeepError>>,
    /// Pastes whose text is not kept.
    pub texts_not_kept: Watched<Vec<PasteId>>,
    unsaved: StoredValue<Vec<PasteId>>,
    /// The cluster the work belongs to.
    pub cluster: Watched<Cluster>,
    /// All clusters this browser keeps.
    pub clusters: Watched<Vec<Cluster>>,
    /// What this tab saw kept of the cluster, the newest last. Empty while nothing of it is kept.
    seen: StoredValue<Vec<Kept>>,
    parked: StoredValue<Vec<Parked>>,
    /// What is on show instead of the person's own work. While something is, nothing is kept: theirs waits underneath.
    pub guest: Watched<Option<Guest>>,
    tab: StoredValue<u64>,
    tabs: Watched<Vec<Tab>>,
    /// Said to screen readers: what an action did.
    pub said: Watched<String>,
    complete: StoredValue<bool>,
    judge_timer: StoredValue<Option<Timeout>, LocalStorage>,
    keep_timer: StoredValue<Option<Timeout>, LocalStorage>,
}

impl State {
    /// The work as this browser kept it.
    pub fn load(shelf: Shelf) -> Self {
        let state = Self {
            shelf: StoredValue::new(shelf),
            pastes: StoredValue::default(),
            heads: Watched::default(),
            draft: StoredValue::default(),
            kind: Watched::new(IntentKind::Upgrade),
            to: Watched::new(Target::Next),
            from: Watched::new(None),
            answers: Watched::default(),
            waivers: Watched::default(),
            before: Watched::default(),
            link_problem: Watched::default(),
            records: Watched::default(),
            judged: Watched::new(None),
            known: StoredValue::new_local(Known::default()),
            reading: Watched::new(None),
            place: Watched::new(None),
            undo_words: Watched::new(None),
            undo_steps: StoredValue::default(),
            not_kept: Watched::new(None),
            texts_not_kept: Watched::default(),
            unsaved: StoredValue::default(),
            cluster: Watched::default(),
            clusters: Watched::default(),
            seen: StoredValue::default(),
            parked: StoredValue::default(),
            guest: Watched::new(None),
            tab: StoredValue::new(pastes::new_id()),
            tabs: Watched::default(),
            said: Watched::default(),
            complete: StoredValue::new(false),
            judge_timer: StoredValue::new_local(None),
            keep_timer: StoredValue::new_local(None),
        };
        state.open_last();
        state
    }

    /// What stands in the evidence box.
    pub fn draft(self) -> String {
        self.draft.get_value()
    }

    /// Keeps what stands in the evidence box.
    pub fn set_draft(self, text: String) {
        self.draft.set_value(text);
        self.keep_soon();
    }

    /// Sets what is wanted. The target of another intent means nothing to it.
    pub fn set_intent(self, kind: IntentKind) {
        self.kind.set(kind);
        self.to.set(Target::Next);
        self.changed(When::Now);
    }

    /// Sets the target.
    pub fn set_to(self, to: Target) {
        self.to.set(to);
        self.changed(When::Now);
    }

    /// Sets the start.
    pub fn set_from(self, from: Option<Target>) {
        self.from.set(from);
        self.changed(When::Now);
    }

    /// Answers a question; a blank value takes the answer back.
    ///
    /// # Errors
    /// When the value does not fit the question; the old answer stays.
    pub fn answer(self, key: AnswerKey, value: &str) -> Result<(), AnswerError> {
        let mut answers = self.answers.get_untracked();
        if value.trim().is_empty() {
            answers.clear(key);
        } else {
            answers.set(key, value)?;
        }
        if answers != self.answers.get_untracked() {
            self.answers.set(answers);
            self.changed(When::Now);
        }
        Ok(())
    }

    /// Sets which warnings are accepted.
    pub fn set_waivers(self, waivers: Vec<Waiver>) {
        self.waivers.set(waivers);
        self.changed(When::Now);
    }

    /// Keeps a report as the one from before the change; an empty text forgets it.
    pub fn set_before(self, json: String) {
        self.before.set(json);
        self.keep_soon();
    }

    /// Ticks a step, or takes the tick off. The time stands beside a tick unless the person gave one.
    pub fn set_done(self, step: &str, done: bool) {
        self.write_beside(step, |record| {
            record.done = done;
            if done && record.time.is_empty() {
                record.time = clock::minute_here();
            }
        });
    }

    /// Writes something beside a step.
    pub fn write_beside(self, step: &str, write: impl FnOnce(&mut StepRecord)) {
        self.records.update(|all| {
            let mut record = all.remove(step).unwrap_or_default();
            write(&mut record);
            if !record.is_empty() {
                all.insert(step.to_owned(), record);
            }
        });
        self.keep_soon();
    }

    /// Is a step ticked? Tracked.
    pub fn is_done(self, step: &str) -> bool {
        self.records.with(|all| all.get(step).is_some_and(|record| record.done))
    }
}

#[cfg(test)]
mod tests;
