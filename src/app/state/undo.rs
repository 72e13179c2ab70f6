//! Undo: each change to the pastes, and what was deleted or cleared, can be taken back, the last first.

use etcd_upgrade_planner::evidence::paste::Paste;
use leptos::prelude::*;

use super::State;
use super::judging::When;
use super::pastes::{Head, PasteId};
use super::work::Parked;
use crate::app::storage::{ClusterId, Dump};

/// How many changes can be taken back.
const MOST: usize = 50;

/// What takes a change back.
pub(super) enum Undo {
    /// A paste was taken out.
    Removed { index: usize, head: Head, paste: Paste },
    /// A text was edited: what it was before. While it is `open`, further edits belong to the same change.
    Text { id: PasteId, text: String, open: bool },
    /// Name, kind or member of a paste were set: how they were.
    Head(Head),
    /// The pastes were put into another order: the one before.
    Order(Vec<PasteId>),
    /// A cluster was deleted, or everything cleared: what was kept, what was on show or nowhere else, and which cluster
    /// was on show.
    Dropped { id: ClusterId, dump: Dump, parked: Vec<Parked> },
}

/// A change that can be taken back, in words.
pub(super) struct Step {
    words: String,
    undo: Undo,
}

impl State {
    /// A change was made that `undo` takes back.
    pub(super) fn did(self, words: String, undo: Undo) {
        self.said.set(words.clone());
        self.undo_steps.update_value(|steps| {
            steps.push(Step { words, undo });
            if steps.len() > MOST {
                steps.remove(0);
            }
        });
        self.say_undo();
    }

    /// The text of a paste was edited; it was `before`.
    pub(super) fn edited(self, id: PasteId, name: &str, before: String) {
        let same = self.undo_steps.with_value(|steps| {
            matches!(steps.last(), Some(Step { undo: Undo::Text { id: last, open: true, .. }, .. }) if *last == id)
        });
        if !same {
            self.did(format!("{name} edited."), Undo::Text { id, text: before, open: true });
        }
    }

    /// The editor was left: what is edited next is another change.
    pub fn end_edit(self) {
        self.undo_steps.update_value(|steps| {
            if let Some(Step { undo: Undo::Text { open, .. }, .. }) = steps.last_mut() {
                *open = false;
            }
        });
    }

    /// The pastes were put into another order; moving one by several places is one change.
    pub(super) fn reordered(self, words: String, before: Vec<PasteId>) {
        let moved = self.undo_steps.with_value(
            |steps| matches!(steps.last(), Some(Step { words: last, undo: Undo::Order(_) }) if *last == words),
        );
        if moved {
            self.said.set(words);
        } else {
            self.did(words, Undo::Order(before));
        }
    }

    /// Takes the last change back.
    pub fn undo(self) {
        let Some(Step { words, undo }) = self.undo_steps.try_update_value(Vec::pop).flatten() else { return };
        self.say_undo();
        match undo {
            Undo::Removed { index, head, paste } => {
                let index = index.min(self.heads.with_untracked(Vec::len));
                self.said.set(format!("{} is back.", head.name));
                self.unsaved.update_value(|u| u.push(head.id));
                self.pastes.update_value(|p| p.insert(index, paste));
                self.heads.update(|h| h.insert(index, head));
            }
            Undo::Text { id, text, .. } => {
                self.replace_text(id, text);
                self.said.set("The text is as it was.".to_owned());
            }
            Undo::Head(head) => {
                self.said.set(format!("{} is as it was.", head.name));
                self.set_head(head);
            }
            Undo::Order(ids) => {
                self.put_in_order(&ids);
                self.said.set("The order is as it was.".to_owned());
            }
            Undo::Dropped { id, dump, parked } => {
                self.bring_back(words, id, dump, parked);
                return;
            }
        }
        self.changed(When::Now);
    }

    fn bring_back(self, words: String, id: ClusterId, dump: Dump, parked: Vec<Parked>) {
        let shelf = self.shelf.get_value();
        self.guest.set(None);
        if shelf.holds(&dump, self.cluster.with_untracked(|c| c.id)) {
            self.make_room();
        }
        if shelf.put_back(&dump).is_err() {
            self.did(words, Undo::Dropped { id, dump, parked });
            self.said.set("This browser has no room to bring it back. Remove a paste, then undo again.".to_owned());
            return;
        }
        self.park();
        self.parked.update_value(|all| all.extend(parked));
        self.list_clusters();
        self.open(id);
        self.said.set("It is back as it was.".to_owned());
    }

    /// Other pastes are on show: only what was deleted or cleared can still be taken back.
    pub(super) fn forget_undo_of_pastes(self) {
        self.undo_steps.update_value(|steps| steps.retain(|s| matches!(s.undo, Undo::Dropped { .. })));
        self.say_undo();
    }

    fn say_undo(self) {
        let words = self.undo_steps.with_value(|steps| steps.last().map(|s| s.words.clone()));
        self.undo_words.set(words);
    }
}
