//! The pastes: adding, correcting, taking out and putting back.

use etcd_upgrade_planner::evidence::fact::Kind;
use etcd_upgrade_planner::evidence::paste::Paste;
use leptos::prelude::*;

use super::State;
use super::judging::When;
use super::undo::Undo;
use super::work::GuestFrom;

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
    /// Which change of its text this is: a random number, so that changes in two tabs are never taken for one. Two
    /// states of a paste with the same have the same text.
    pub edits: u32,
}

impl State {
    /// Adds a paste at the end. Without a name it becomes "paste N". A sample makes room for the person's own work first,
    /// other work that is not theirs becomes a cluster of theirs: a paste is never lost with what it was added to.
    pub fn add(self, name: Option<String>, text: String) -> PasteId {
        match self.guest.with_untracked(|g| g.as_ref().map(|g| g.from)) {
            Some(GuestFrom::Sample) => self.close_work(),
            Some(GuestFrom::Link) => self.adopt(),
            None => {}
        }
        let name = name.unwrap_or_else(|| self.next_name());
        let id = self.put(Paste::new(name.clone(), text));
        self.unsaved.update_value(|u| u.push(id));
        self.said.set(format!("Added {name}."));
        self.changed(When::Now);
        id
    }

    /// A copy of the pastes with their texts.
    pub fn pastes(self) -> Vec<Paste> {
        self.pastes.get_value()
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
        let name = self.heads.with_untracked(|heads| heads.iter().find(|h| h.id == id).map(|h| h.name.clone()));
        let Some((name, before)) = name.zip(self.replace_text(id, text)) else { return };
        self.edited(id, &name, before);
    }

    /// Replaces the text; gives the one before. `None` when there is no other.
    pub(super) fn replace_text(self, id: PasteId, text: String) -> Option<String> {
        if self.with_text(id, |before| *before == text)? {
            return None;
        }
        self.unsaved.update_value(|u| u.push(id));
        let mut before = None;
        self.change(id, When::Now, |paste| before = Some(std::mem::replace(&mut paste.text, text)));
        self.heads.update(|heads| {
            if let Some(head) = heads.iter_mut().find(|h| h.id == id) {
                head.edits = new_edit();
            }
        });
        before
    }

    /// Renames a paste; a blank name changes nothing.
    pub fn rename(self, id: PasteId, name: &str) {
        let name = name.trim().to_owned();
        if !name.is_empty() {
            self.correct(
                id,
                |head| format!("{} is called {name} now.", head.name),
                |paste| paste.name.clone_from(&name),
            );
        }
    }

    /// Sets the kind by hand; `None` leaves it to the detection.
    pub fn set_kind(self, id: PasteId, kind: Option<Kind>) {
        self.correct(id, |head| format!("Kind of {} set.", head.name), |paste| paste.kind = kind);
    }

    /// Sets the member by hand; blank leaves it to what the text says.
    pub fn set_member(self, id: PasteId, member: &str) {
        let member = Some(member.trim().to_owned()).filter(|m| !m.is_empty());
        self.correct(id, |head| format!("Member of {} set.", head.name), |paste| paste.member.clone_from(&member));
    }

    /// Sets name, kind or member by hand, so that it can be undone.
    fn correct(self, id: PasteId, words: impl FnOnce(&Head) -> String, f: impl FnOnce(&mut Paste)) {
        let find = || self.heads.with_untracked(|heads| heads.iter().find(|h| h.id == id).cloned());
        let Some(before) = find() else { return };
        self.change(id, When::AfterTyping, f);
        let said = |head: &Head| (head.name.clone(), head.kind, head.member.clone());
        if find().is_some_and(|now| said(&now) != said(&before)) {
            self.did(words(&before), Undo::Head(before));
        }
    }

    /// Puts name, kind and member back to what they were.
    pub(super) fn set_head(self, head: Head) {
        self.change(head.id, When::Now, |paste| {
            paste.name = head.name;
            paste.kind = head.kind;
            paste.member = head.member;
        });
    }

    /// Moves a paste up or down: the later of two that say something of one member wins.
    pub fn move_by(self, id: PasteId, up: bool) {
        let before: Vec<PasteId> = self.heads.with_untracked(|heads| heads.iter().map(|h| h.id).collect());
        let Some(at) = before.iter().position(|known| *known == id) else { return };
        let to = if up { at.checked_sub(1) } else { Some(at + 1).filter(|to| *to < before.len()) };
        let Some(to) = to else { return };
        let mut ids = before.clone();
        ids.swap(at, to);
        self.put_in_order(&ids);
        let name = self.heads.with_untracked(|heads| heads.get(to).map(|h| h.name.clone())).unwrap_or_default();
        self.reordered(format!("{name} moved."), before);
        self.changed(When::Now);
    }

    /// Puts the pastes into this order. Those it does not name come last.
    pub(super) fn put_in_order(self, ids: &[PasteId]) {
        let heads = self.heads.get_untracked();
        let pastes = self.pastes.try_update_value(std::mem::take).unwrap_or_default();
        let mut both: Vec<_> = heads.into_iter().zip(pastes).collect();
        etcd_upgrade_planner::sort::by_key(&mut both, |(head, _)| {
            ids.iter().position(|id| *id == head.id).unwrap_or(usize::MAX)
        });
        let (heads, pastes) = both.into_iter().unzip();
        self.pastes.set_value(pastes);
        self.heads.set(heads);
    }

    /// Takes a paste out; [`State::undo`] puts it back.
    pub fn remove(self, id: PasteId) {
        let Some(index) = self.index(id) else { return };
        let mut heads = self.heads.get_untracked();
        let head = heads.remove(index);
        let Some(paste) = self.pastes.try_update_value(|p| p.remove(index)) else { return };
        self.heads.set(heads);
        if self.guest.with_untracked(Option::is_none) {
            self.shelf.with_value(|s| s.drop_text(id));
        }
        self.did(format!("{} removed.", head.name), Undo::Removed { index, head, paste });
        self.changed(When::Now);
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

/// A number that no other change of a text has: 32 random bits.
fn new_edit() -> u32 {
    #[allow(clippy::cast_possible_truncation)] // the lower bits of random ones
    let edit = new_id() as u32;
    edit
}

/// A number nobody has: 52 random bits.
pub(super) fn new_id() -> PasteId {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ n < 2^52
    let id = (js_sys::Math::random() * 4_503_599_627_370_496.0) as u64;
    id
}
