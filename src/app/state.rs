//! The work on the page: pastes, what is wanted, answers, ticks, and the verdict made of them.
//!
//! The texts lie in a store that no view subscribes to; views see [`Head`]s, so a paste of megabytes is never copied
//! when something changes. Whatever changes the verdict goes through [`State::changed`], which judges and keeps the
//! work a moment later, off the path of typing.
//!
//! What is done with the pastes is in `pastes`, what follows from them in `judging`, what outlives the page in `keeping`.

mod judging;
mod keeping;
mod pastes;

use std::sync::Arc;

use etcd_upgrade_planner::evidence::answers::{AnswerError, AnswerKey, Answers};
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::intent::{IntentKind, Target};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::samples::Sample;
use super::storage::{KeepError, Shelf};
use super::watched::Watched;
pub use judging::{Judged, Place, Seen, When};
use pastes::Removed;
pub use pastes::{Head, PasteId};

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
    /// Ids of the steps that are done.
    pub done: Watched<Vec<String>>,
    /// The verdict on all of it.
    pub judged: Watched<Option<Arc<Judged>>>,
    /// Where the person was led to.
    pub place: Watched<Option<Place>>,
    /// Name of the paste that was removed last and can still be put back.
    pub removed_name: Watched<Option<String>>,
    removed: StoredValue<Option<Removed>>,
    /// Why the work, or the text of some pastes, is not kept.
    pub not_kept: Watched<Option<KeepError>>,
    /// Pastes whose text is not kept.
    pub texts_not_kept: Watched<Vec<PasteId>>,
    unsaved: StoredValue<Vec<PasteId>>,
    /// Title of the sample on show. While one is, nothing is kept: the person's own work waits underneath.
    pub sample: Watched<Option<&'static str>>,
    /// Said to screen readers: what an action did.
    pub said: Watched<String>,
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
            done: Watched::default(),
            judged: Watched::new(None),
            place: Watched::new(None),
            removed_name: Watched::new(None),
            removed: StoredValue::new(None),
            not_kept: Watched::new(None),
            texts_not_kept: Watched::default(),
            unsaved: StoredValue::default(),
            sample: Watched::new(None),
            said: Watched::default(),
            judge_timer: StoredValue::new_local(None),
            keep_timer: StoredValue::new_local(None),
        };
        state.show_kept();
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

    /// Ticks a step, or takes the tick off.
    pub fn set_done(self, step: &str, done: bool) {
        self.done.update(|all| {
            all.retain(|s| s != step);
            all.extend(done.then(|| step.to_owned()));
        });
        self.keep_soon();
    }

    /// Clears everything: pastes, answers, ticks, what is wanted, and what this browser kept.
    pub fn clear(self) {
        self.shelf.with_value(|s| s.clear());
        self.unsaved.update_value(Vec::clear);
        self.texts_not_kept.update(Vec::clear);
        self.not_kept.set(None);
        self.show_kept();
        self.said.set("Everything is cleared.".to_owned());
    }

    /// Shows a sample. The person's own work is kept first and waits underneath.
    pub fn open_sample(self, sample: &'static Sample) {
        if self.sample.get_untracked().is_none() {
            self.keep();
        }
        self.sample.set(Some(sample.title));
        self.pastes.update_value(Vec::clear);
        self.heads.set(Vec::new());
        self.forget_removed();
        self.place.set(None);
        self.done.update(Vec::clear);
        self.kind.set(IntentKind::Upgrade);
        self.to.set(sample.target());
        self.from.set(None);
        self.answers.set(sample.answers());
        for (name, text) in sample.pastes {
            self.put(Paste::new(*name, *text));
        }
        self.said.set(format!("Sample: {}.", sample.title));
        self.judge();
    }

    /// Puts the sample away and shows the person's own work again.
    pub fn close_sample(self) {
        self.show_kept();
    }
}

#[cfg(test)]
mod tests;
