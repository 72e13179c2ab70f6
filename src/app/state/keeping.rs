//! Keeping the work in this browser, and showing what was kept.

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::fact::Kind;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::intent::{IntentKind, Target};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::State;
use super::pastes::Head;
use crate::app::storage::{Kept, KeptPaste};
use crate::app::target;

/// How long after a change the work is kept, in milliseconds.
const KEEP_PAUSE: u32 = 400;

impl State {
    /// Shows what is kept, in place of what is there.
    pub(super) fn show_kept(self) {
        let shelf = self.shelf.get_value();
        let kept = shelf.load();
        shelf.drop_strays(&kept);
        let mut heads = Vec::new();
        let mut pastes = Vec::new();
        for paste in kept.pastes {
            // A text that could not be kept was said to be lost on reload when that happened.
            let Some(text) = shelf.text(paste.id) else { continue };
            let kind = paste.kind.as_deref().and_then(Kind::from_id);
            heads.push(Head::of(paste.id, &paste.name, &text).with(kind, paste.member.clone()));
            pastes.push(Paste { name: paste.name, text, kind, member: paste.member });
        }
        let mut answers = Answers::new();
        for answer in &kept.answered {
            // An answer of another version of the page that no longer fits is asked for again.
            let _ = answers.take(answer);
        }
        self.pastes.set_value(pastes);
        self.draft.set_value(kept.draft);
        self.heads.set(heads);
        let kind = kept.intent.as_deref().and_then(IntentKind::from_id);
        self.kind.set(kind.unwrap_or(IntentKind::Upgrade));
        self.to.set(kept.to.as_deref().and_then(target::parse).unwrap_or(Target::Next));
        self.from.set(kept.from.as_deref().and_then(target::parse));
        self.answers.set(answers);
        self.done.set(kept.done);
        self.sample.set(None);
        self.forget_removed();
        self.place.set(None);
        self.judge();
    }

    pub(super) fn keep_soon(self) {
        self.keep_timer.set_value(Some(Timeout::new(KEEP_PAUSE, move || self.keep())));
    }

    /// Keeps the work in this browser. Called a moment after each change, and when the page goes out of sight.
    pub fn keep(self) {
        self.keep_timer.set_value(None);
        if self.sample.get_untracked().is_some() {
            return;
        }
        let shelf = self.shelf.get_value();
        let mut error = None;
        let mut not_kept = self.texts_not_kept.get_untracked();
        let mut unsaved = self.unsaved.try_update_value(std::mem::take).unwrap_or_default();
        // Each edit noted its paste; its text is written once.
        etcd_upgrade_planner::sort::sort(&mut unsaved);
        unsaved.dedup();
        for id in unsaved {
            not_kept.retain(|n| *n != id);
            if let Some(Err(why)) = self.with_text(id, |text| shelf.keep_text(id, text)) {
                not_kept.push(id);
                error = Some(why);
            }
        }
        not_kept.retain(|id| self.index(*id).is_some());
        if let Err(why) = shelf.keep(&self.kept()) {
            error = Some(why);
        }
        if not_kept.is_empty() || error.is_some() {
            self.not_kept.set(error);
        }
        self.texts_not_kept.set(not_kept);
    }

    /// Another tab wrote over what this one kept: with the next change everything is written again.
    pub fn taken_over(self) {
        let ids = self.heads.with_untracked(|heads| heads.iter().map(|h| h.id).collect::<Vec<_>>());
        self.unsaved.update_value(|u| u.extend(ids));
    }

    fn kept(self) -> Kept {
        let pastes = self.heads.with_untracked(|heads| heads.iter().map(KeptPaste::from).collect());
        let answered =
            self.answers.with_untracked(|a| a.iter().map(|(key, value)| format!("{}={value}", key.id())).collect());
        Kept {
            pastes,
            draft: self.draft.get_value(),
            intent: self.kind.with_untracked(|kind| (*kind != IntentKind::Upgrade).then(|| kind.id().to_owned())),
            to: self.to.with_untracked(target::text),
            from: self.from.with_untracked(|f| f.as_ref().and_then(target::text)),
            answered,
            done: self.done.get_untracked(),
        }
    }
}

impl From<&Head> for KeptPaste {
    fn from(head: &Head) -> Self {
        Self {
            id: head.id,
            name: head.name.clone(),
            kind: head.kind.map(|k| k.id().to_owned()),
            member: head.member.clone(),
        }
    }
}
