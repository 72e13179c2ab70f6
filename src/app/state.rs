//! The work on the page: pastes, what is wanted, answers, ticks, and the verdict made of them.
//!
//! The texts lie in a store that no view subscribes to; views see [`Head`]s, so a paste of megabytes is never copied
//! when something changes. Whatever changes the verdict goes through [`State::changed`], which judges and keeps the
//! work a moment later, off the path of typing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use etcd_upgrade_planner::etcd::version::{Minor, Version};
use etcd_upgrade_planner::evidence::answers::{AnswerError, AnswerKey, Answers};
use etcd_upgrade_planner::evidence::fact::Kind;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::report::{GroundOut, RecognisedOut, Report, UnreadOut};
use etcd_upgrade_planner::intent::{Intent, Target};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::clock;
use super::samples::Sample;
use super::storage::{KeepError, Kept, KeptPaste, Shelf};

/// Number of a paste within this browser: random, so that two tabs never give the same.
pub type PasteId = u64;

/// How long after the last key a typed change is judged, in milliseconds.
const TYPING_PAUSE: u32 = 200;
/// How long after a change the work is kept, in milliseconds.
const KEEP_PAUSE: u32 = 400;

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

/// A verdict with the pastes it was made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The report.
    pub report: Report,
    /// Ids of the pastes, by the report's paste index.
    pub pastes: Vec<PasteId>,
}

/// What was recognised and what was not, in one paste.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// Recognised stretches.
    pub recognised: Vec<RecognisedOut>,
    /// Unread stretches.
    pub unread: Vec<UnreadOut>,
}

/// The place of a paste that the person was led to.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// A paste that was taken out and can be put back.
#[derive(Debug, Clone)]
struct Removed {
    index: usize,
    head: Head,
    paste: Paste,
}

/// When a change is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// In the next free moment.
    Now,
    /// After a pause in the typing.
    AfterTyping,
}

/// The work on the page. A handle: copying it copies nothing.
#[derive(Clone, Copy)]
pub struct State {
    shelf: StoredValue<Shelf>,
    pastes: StoredValue<Vec<Paste>>,
    /// The pastes in order.
    pub heads: RwSignal<Vec<Head>>,
    draft: StoredValue<String>,
    /// Target.
    pub to: RwSignal<Target>,
    /// Start, as the person says it.
    pub from: RwSignal<Option<Target>>,
    /// Answers.
    pub answers: RwSignal<Answers>,
    /// Ids of the steps that are done.
    pub done: RwSignal<BTreeSet<String>>,
    /// The verdict on all of it.
    pub judged: RwSignal<Option<Arc<Judged>>>,
    /// Where the person was led to.
    pub place: RwSignal<Option<Place>>,
    /// Name of the paste that was removed last and can still be put back.
    pub removed_name: RwSignal<Option<String>>,
    removed: StoredValue<Option<Removed>>,
    /// Why the work, or the text of some pastes, is not kept.
    pub not_kept: RwSignal<Option<KeepError>>,
    /// Pastes whose text is not kept.
    pub texts_not_kept: RwSignal<BTreeSet<PasteId>>,
    unsaved: StoredValue<BTreeSet<PasteId>>,
    /// Title of the sample on show. While one is, nothing is kept: the person's own work waits underneath.
    pub sample: RwSignal<Option<&'static str>>,
    /// Said to screen readers: what an action did.
    pub said: RwSignal<String>,
    judge_timer: StoredValue<Option<Timeout>, LocalStorage>,
    keep_timer: StoredValue<Option<Timeout>, LocalStorage>,
}

impl State {
    /// The work as this browser kept it.
    pub fn load(shelf: Shelf) -> Self {
        let state = Self {
            shelf: StoredValue::new(shelf),
            pastes: StoredValue::default(),
            heads: RwSignal::default(),
            draft: StoredValue::default(),
            to: RwSignal::new(Target::Next),
            from: RwSignal::new(None),
            answers: RwSignal::default(),
            done: RwSignal::default(),
            judged: RwSignal::new(None),
            place: RwSignal::new(None),
            removed_name: RwSignal::new(None),
            removed: StoredValue::new(None),
            not_kept: RwSignal::new(None),
            texts_not_kept: RwSignal::default(),
            unsaved: StoredValue::default(),
            sample: RwSignal::new(None),
            said: RwSignal::default(),
            judge_timer: StoredValue::new_local(None),
            keep_timer: StoredValue::new_local(None),
        };
        state.show_kept();
        state
    }

    /// Shows what is kept, in place of what is there.
    fn show_kept(self) {
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
        for (key, value) in &kept.answers {
            // An answer of another version of the page that no longer fits is asked for again.
            if let Ok(key) = key.parse::<AnswerKey>() {
                let _ = answers.set(key, value);
            }
        }
        self.pastes.set_value(pastes);
        self.draft.set_value(kept.draft);
        self.heads.set(heads);
        self.to.set(kept.to.as_deref().and_then(target).unwrap_or(Target::Next));
        self.from.set(kept.from.as_deref().and_then(target));
        self.answers.set(answers);
        self.done.set(kept.done);
        self.sample.set(None);
        self.forget_removed();
        self.place.set(None);
        self.judge();
    }

    // ── pastes ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Adds a paste at the end. Without a name it becomes "paste N". On a sample it first brings back the person's
    /// own work, so that their paste is never mixed with, or lost with, the sample.
    pub fn add(self, name: Option<String>, text: String) -> PasteId {
        if self.sample.get_untracked().is_some() {
            self.show_kept();
        }
        let name = name.unwrap_or_else(|| self.next_name());
        let id = self.put(Paste::new(name.clone(), text));
        self.unsaved.update_value(|u| {
            u.insert(id);
        });
        self.said.set(format!("Added {name}."));
        self.changed(When::Now);
        id
    }

    fn put(self, paste: Paste) -> PasteId {
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

    fn index(self, id: PasteId) -> Option<usize> {
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
        self.unsaved.update_value(|u| {
            u.insert(id);
        });
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
        self.unsaved.update_value(|u| {
            u.insert(id);
        });
        self.changed(When::Now);
    }

    fn forget_removed(self) {
        self.removed.set_value(None);
        self.removed_name.set(None);
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

    // ── what is wanted, answers, ticks ──────────────────────────────────────────────────────────────────────────

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
            if done {
                all.insert(step.to_owned());
            } else {
                all.remove(step);
            }
        });
        self.keep_soon();
    }

    /// Clears everything: pastes, answers, ticks, what is wanted, and what this browser kept.
    pub fn clear(self) {
        self.shelf.with_value(|s| s.clear());
        self.unsaved.update_value(BTreeSet::clear);
        self.texts_not_kept.update(BTreeSet::clear);
        self.not_kept.set(None);
        self.show_kept();
        self.said.set("Everything is cleared.".to_owned());
    }

    // ── samples ─────────────────────────────────────────────────────────────────────────────────────────────────

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
        self.done.update(BTreeSet::clear);
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

    // ── judging ─────────────────────────────────────────────────────────────────────────────────────────────────

    /// Something that decides the verdict changed: judges and keeps, a moment later.
    pub fn changed(self, when: When) {
        let pause = match when {
            When::Now => 0,
            When::AfterTyping => TYPING_PAUSE,
        };
        self.judge_timer.set_value(Some(Timeout::new(pause, move || self.judge())));
        self.keep_soon();
    }

    /// Judges what is there now.
    pub fn judge(self) {
        self.judge_timer.set_value(None);
        let intent = Intent { from: self.from.get_untracked(), ..Intent::upgrade(self.to.get_untracked()) };
        let answers = self.answers.get_untracked();
        let report = self.pastes.with_value(|p| etcd_upgrade_planner::judge(p, &intent, &answers, clock::now()));
        let pastes = self.heads.with_untracked(|heads| heads.iter().map(|h| h.id).collect());
        self.judged.set(Some(Arc::new(Judged { report, pastes })));
    }

    /// A part of the report; tracked. The default before the first verdict.
    pub fn report<T: Default>(self, part: impl FnOnce(&Report) -> T) -> T {
        self.judged.with(|j| j.as_ref().map(|j| part(&j.report)).unwrap_or_default())
    }

    /// What was seen in a paste; tracked.
    pub fn seen_in(self, id: PasteId) -> Seen {
        self.judged.with(|judged| {
            let Some(judged) = judged else { return Seen::default() };
            let Some(index) = judged.pastes.iter().position(|p| *p == id) else { return Seen::default() };
            let report = &judged.report;
            Seen {
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

    // ── keeping ─────────────────────────────────────────────────────────────────────────────────────────────────

    fn keep_soon(self) {
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
        for id in self.unsaved.try_update_value(std::mem::take).unwrap_or_default() {
            not_kept.remove(&id);
            if let Some(Err(why)) = self.with_text(id, |text| shelf.keep_text(id, text)) {
                not_kept.insert(id);
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
        let answers: BTreeMap<String, String> =
            self.answers.with_untracked(|a| a.iter().map(|(k, v)| (k.id().to_owned(), v.to_owned())).collect());
        Kept {
            pastes,
            draft: self.draft.get_value(),
            to: self.to.with_untracked(target_text),
            from: self.from.with_untracked(|f| f.as_ref().and_then(target_text)),
            answers,
            done: self.done.get_untracked(),
        }
    }
}

impl Head {
    fn of(id: PasteId, name: &str, text: &str) -> Self {
        let (name, lines, bytes) = (name.to_owned(), text.lines().count(), text.len());
        Self { id, name, kind: None, member: None, lines, bytes, edits: 0 }
    }

    fn with(self, kind: Option<Kind>, member: Option<String>) -> Self {
        Self { kind, member, ..self }
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

/// A target as the person writes it: a version, or a minor for its newest patch.
pub fn target(text: &str) -> Option<Target> {
    let text = text.trim();
    if let Ok(version) = text.parse::<Version>() {
        return Some(Target::Version(version));
    }
    let two_numbers = text.trim_start_matches('v').split('.').count() == 2;
    if two_numbers { text.parse::<Minor>().ok().map(Target::Minor) } else { None }
}

/// A target as it is kept; `None` for the newest patch of the next minor.
pub fn target_text(target: &Target) -> Option<String> {
    match target {
        Target::Next => None,
        Target::Minor(minor) => Some(minor.to_string()),
        Target::Version(version) => Some(version.to_string()),
    }
}

fn new_id() -> PasteId {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 0 ≤ n < 2^52
    let id = (js_sys::Math::random() * 4_503_599_627_370_496.0) as u64;
    id
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    const STATUS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/status.txt"));

    /// A state under a prefix of its own. Its owner lives on, as the page's does: timers may still fire.
    fn state(prefix: &'static str, fresh: bool) -> State {
        let owner = Owner::new();
        owner.set();
        std::mem::forget(owner);
        let shelf = Shelf::under(prefix);
        if fresh {
            shelf.clear();
        }
        State::load(shelf)
    }

    fn names(state: State) -> Vec<String> {
        state.heads.with_untracked(|heads| heads.iter().map(|h| h.name.clone()).collect())
    }

    fn text(state: State, id: PasteId) -> String {
        state.with_text(id, str::to_owned).unwrap()
    }

    #[wasm_bindgen_test]
    fn pastes_are_numbered_and_a_free_number_is_taken_again() {
        let state = state("test-numbers", true);
        let first = state.add(None, "one".to_owned());
        state.add(None, "two".to_owned());
        state.add(Some("etcd.service".to_owned()), "three".to_owned());
        assert_eq!(names(state), ["paste 1", "paste 2", "etcd.service"]);
        state.remove(first);
        state.add(None, "four".to_owned());
        assert_eq!(names(state), ["paste 2", "etcd.service", "paste 1"]);
    }

    #[wasm_bindgen_test]
    fn what_was_removed_comes_back_to_its_place() {
        let state = state("test-undo", true);
        let ids = ["a", "b", "c"].map(|t| state.add(None, t.to_owned()));
        state.rename(ids[1], "the middle one");
        state.set_member(ids[1], " m2 ");
        state.remove(ids[1]);
        assert_eq!(state.removed_name.get_untracked().as_deref(), Some("the middle one"));
        state.put_back();
        assert_eq!(names(state), ["paste 1", "the middle one", "paste 3"]);
        assert_eq!(text(state, ids[1]), "b");
        assert_eq!(state.head(ids[1]).unwrap().member.as_deref(), Some("m2"));
        state.put_back();
        assert_eq!(names(state).len(), 3, "it comes back once");
    }

    #[wasm_bindgen_test]
    fn a_reload_finds_the_work_as_it_was() {
        let before = state("test-reload", true);
        let id = before.add(Some("status.txt".to_owned()), STATUS.to_owned());
        before.set_kind(id, Some(Kind::EndpointStatus));
        before.set_to(Target::Version(Version::new(3, 6, 11)));
        before.answer(AnswerKey::Auth, "no").unwrap();
        before.set_done("a step", true);
        before.set_draft("half a line".to_owned());
        before.keep();
        assert_eq!(before.not_kept.get_untracked(), None);

        let after = state("test-reload", false);
        assert_eq!(after.heads.get_untracked(), before.heads.get_untracked());
        assert_eq!(text(after, id), STATUS);
        assert_eq!(after.to.get_untracked(), Target::Version(Version::new(3, 6, 11)));
        assert_eq!(after.answers.get_untracked().get(AnswerKey::Auth), Some("no"));
        assert!(after.done.get_untracked().contains("a step"));
        assert_eq!(after.draft(), "half a line");
        after.clear();
        assert_eq!(state("test-reload", false).heads.get_untracked(), []);
    }

    #[wasm_bindgen_test]
    fn the_report_is_that_of_the_pastes() {
        let state = state("test-judge", true);
        let id = state.add(None, STATUS.to_owned());
        state.judge();
        assert_eq!(state.report(|r| r.members.len()), 3);
        assert_eq!(state.seen_in(id).recognised.first().map(|r| r.kind.clone()).as_deref(), Some("endpoint-status"));
        assert_eq!(state.seen_in(id).unread, []);
        state.set_text(id, "nothing etcd prints".to_owned());
        state.judge();
        assert_eq!(state.seen_in(id).recognised, []);
        assert_eq!(state.seen_in(id).unread.len(), 1);
        assert_eq!(state.report(|r| r.verdict.clone()), "cant-tell");
    }

    #[wasm_bindgen_test]
    fn an_answer_that_does_not_fit_leaves_the_old_one() {
        let state = state("test-answers", true);
        state.answer(AnswerKey::SnapshotTaken, "in-plan").unwrap();
        assert!(state.answer(AnswerKey::SnapshotTaken, "yesterday").is_err());
        assert_eq!(state.answers.get_untracked().get(AnswerKey::SnapshotTaken), Some("in-plan"));
        state.answer(AnswerKey::SnapshotTaken, " ").unwrap();
        assert_eq!(state.answers.get_untracked().get(AnswerKey::SnapshotTaken), None);
    }

    #[wasm_bindgen_test]
    fn samples_never_touch_the_own_work() {
        let state = state("test-samples", true);
        state.add(None, "my own".to_owned());
        for sample in samples::ALL {
            state.open_sample(sample);
            assert_eq!(names(state).len(), sample.pastes.len(), "{}", sample.title);
            assert!(state.report(|r| !r.members.is_empty()), "{}", sample.title);
            state.keep();
        }
        state.close_sample();
        assert_eq!(names(state), ["paste 1"]);
        state.open_sample(&samples::ALL[0]);
        state.add(None, "more of my own".to_owned());
        assert_eq!(names(state), ["paste 1", "paste 2"]);
        assert_eq!(state.sample.get_untracked(), None);
    }

    #[wasm_bindgen_test]
    fn every_answer_of_a_sample_fits_its_question() {
        for sample in samples::ALL {
            assert_eq!(sample.answers().iter().count(), sample.answer_count(), "{}", sample.title);
        }
    }

    #[wasm_bindgen_test]
    fn targets_are_versions_or_minors() {
        assert_eq!(target("v3.6.11"), Some(Target::Version(Version::new(3, 6, 11))));
        assert_eq!(target(" 3.7 "), Some(Target::Minor(Minor::new(3, 7))));
        for text in ["", "3", "3.6.", "latest", "3.6.x", "3.6.1.1"] {
            assert_eq!(target(text), None, "{text}");
        }
        for kept in ["3.6.11", "3.7"] {
            assert_eq!(target(kept).as_ref().and_then(target_text).as_deref(), Some(kept));
        }
    }
}
