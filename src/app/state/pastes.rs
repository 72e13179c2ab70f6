//! The pastes: adding, correcting, taking out and putting back.

use etcd_upgrade_planner::evidence::fact::Kind;
use etcd_upgrade_planner::evidence::paste::Paste;
use leptos::prelude::*;

use super::State;
use super::judging::When;

/// Number of a paste within this browser: random, so that two tabs never give the same.
pub type PasteId = u64;

/// A paste as views see it: everything but its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Its number.
    pub id: PasteId,
    /// Its name.
    pub name: String,
    /// The kind set by hand.
    pub kind: Option<Kind>,
    /// The member set by hand.
    pub member: Option<String>,
    /// How many lines it has.
    pub lines: usize,
    /// Its size in bytes.
    pub bytes: usize,
    /// How often its text was changed.
    pub edits: u32,
}

/// A paste that was taken out and can be put back.
pub(super) struct Removed {
    index: usize,
    head: Head,
    paste: Paste,
}

impl State {
    /// Adds a paste at the end. Without a name it becomes "paste N". On a sample it first brings back the person's
    /// own work, so that their paste is never mixed with, or lost with, the sample.
    pub fn add(self, name: Option<String>, text: String) -> PasteId {
        if self.sample.get_untracked().is_some() {
            self.show_kept();
        }
        let name = name.unwrap_or_else(|| self.next_name());
        let id = self.put(Paste::new(name.clone(), text));
        self.unsaved.update_value(|u| u.push(id));
        self.said.set(format!("Added {name}."));
        self.changed(When::Now);
        id
    }

    pub(super) fn put(self, paste: Paste) -> PasteId {
        let id = new_id();
        let head = Head::of(id, &paste.name, &paste.text).with(paste.kind, paste.member.clone());
        self.pastes.update_value(|p| p.push(paste));
        self.heads.update(|h| h.push(head));
        id
    }

    fn next_name(self) -> String {
        let heads = self.heads.get_untracked();
        let taken = |n: &usize| heads.iter().any(|h| h.name == format!("paste {n}"));
        let number = (1..).find(|n| !taken(n)).unwrap_or(1);
        format!("paste {number}")
    }

    /// The head of a paste; tracked.
    pub fn head(self, id: PasteId) -> Option<Head> {
        self.heads.with(|heads| heads.iter().find(|h| h.id == id).cloned())
    }

    /// Runs `f` on the text of a paste. `None` when it is gone.
    pub fn with_text<T>(self, id: PasteId, f: impl FnOnce(&str) -> T) -> Option<T> {
        let index = self.index(id)?;
        self.pastes.with_value(|pastes| pastes.get(index).map(|p| f(&p.text)))
    }

    pub(super) fn index(self, id: PasteId) -> Option<usize> {
        self.heads.with_untracked(|heads| heads.iter().position(|h| h.id == id))
    }

    /// Changes a paste and its head together.
    fn change(self, id: PasteId, when: When, f: impl FnOnce(&mut Paste)) {
        let Some(index) = self.index(id) else { return };
        let head = self.pastes.try_update_value(|pastes| {
            let paste = pastes.get_mut(index)?;
            f(paste);
            Some(Head::of(id, &paste.name, &paste.text).with(paste.kind, paste.member.clone()))
        });
        let Some(head) = head.flatten() else { return };
        self.heads.update(|heads| {
            if let Some(old) = heads.get_mut(index) {
                let edits = old.edits;
                *old = Head { edits, ..head };
            }
        });
        self.changed(when);
    }

    /// Replaces the text, as the person edits it.
    pub fn set_text(self, id: PasteId, text: String) {
        self.unsaved.update_value(|u| u.push(id));
        self.change(id, When::Now, |paste| paste.text = text);
        self.heads.update(|heads| {
            if let Some(head) = heads.iter_mut().find(|h| h.id == id) {
                head.edits = head.edits.wrapping_add(1);
            }
        });
    }

    /// Renames a paste; a blank name changes nothing.
    pub fn rename(self, id: PasteId, name: &str) {
        let name = name.trim().to_owned();
        if !name.is_empty() {
            self.change(id, When::AfterTyping, |paste| paste.name = name);
        }
    }

    /// Sets the kind by hand; `None` leaves it to the detection.
    pub fn set_kind(self, id: PasteId, kind: Option<Kind>) {
        self.change(id, When::Now, |paste| paste.kind = kind);
    }

    /// Sets the member by hand; blank leaves it to what the text says.
    pub fn set_member(self, id: PasteId, member: &str) {
        let member = Some(member.trim().to_owned()).filter(|m| !m.is_empty());
        self.change(id, When::AfterTyping, |paste| paste.member = member);
    }

    /// Takes a paste out; [`State::put_back`] puts it back.
    pub fn remove(self, id: PasteId) {
        let Some(index) = self.index(id) else { return };
        let mut heads = self.heads.get_untracked();
        let head = heads.remove(index);
        let Some(paste) = self.pastes.try_update_value(|p| p.remove(index)) else { return };
        self.said.set(format!("Removed {}.", head.name));
        self.removed_name.set(Some(head.name.clone()));
        self.removed.set_value(Some(Removed { index, head, paste }));
        self.heads.set(heads);
        self.shelf.with_value(|s| s.drop_text(id));
        self.changed(When::Now);
    }

    /// Puts the paste that was removed last back to its place.
    pub fn put_back(self) {
        let Some(removed) = self.removed.try_update_value(Option::take).flatten() else { return };
        self.removed_name.set(None);
        let id = removed.head.id;
        let index = removed.index.min(self.heads.with_untracked(Vec::len));
        self.said.set(format!("{} is back.", removed.head.name));
        self.pastes.update_value(|p| p.insert(index, removed.paste));
        self.heads.update(|h| h.insert(index, removed.head));
        self.unsaved.update_value(|u| u.push(id));
        self.changed(When::Now);
    }

    pub(super) fn forget_removed(self) {
        self.removed.set_value(None);
        self.removed_name.set(None);
    }
}

impl Head {
    pub(super) fn of(id: PasteId, name: &str, text: &str) -> Self {
        let (name, lines, bytes) = (name.to_owned(), text.lines().count(), text.len());
        Self { id, name, kind: None, member: None, lines, bytes, edits: 0 }
    }

    pub(super) fn with(self, kind: Option<Kind>, member: Option<String>) -> Self {
        Self { kind, member, ..self }
    }
}

fn new_id() -> PasteId {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ n < 2^52
    let id = (js_sys::Math::random() * 4_503_599_627_370_496.0) as u64;
    id
}
