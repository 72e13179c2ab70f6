//! The work as one thing: shown, put away, and other work shown over it.

use std::rc::Rc;

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::link::Shared;
use etcd_upgrade_planner::export::record::Records;
use etcd_upgrade_planner::gates::waiver::Waiver;
use etcd_upgrade_planner::intent::{IntentKind, Target};
use leptos::prelude::*;

use super::State;
use super::pastes::{Head, PasteId, new_id};
use crate::app::samples::Sample;
use crate::app::storage::{Cluster, ClusterId, Kept};

/// Everything a person gives about one cluster.
#[derive(Debug, Clone)]
pub struct Work {
    /// The pastes, in order.
    pub pastes: Vec<Paste>,
    /// What stands in the evidence box.
    pub draft: String,
    /// What is wanted.
    pub kind: IntentKind,
    /// Target.
    pub to: Target,
    /// Start, as the person says it.
    pub from: Option<Target>,
    /// Answers.
    pub answers: Answers,
    /// What people wrote beside the steps.
    pub records: Records,
    /// Warnings that somebody accepted.
    pub waivers: Vec<Waiver>,
    /// The report from before the change, as JSON; empty while none is kept.
    pub before: String,
}

impl Default for Work {
    fn default() -> Self {
        Self {
            pastes: Vec::new(),
            draft: String::new(),
            kind: IntentKind::Upgrade,
            to: Target::Next,
            from: None,
            answers: Answers::new(),
            records: Records::new(),
            waivers: Vec::new(),
            before: String::new(),
        }
    }
}

/// Work on show that is not the person's own, until they take it over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    /// What it is called: the cluster gets this name when it is taken over.
    pub title: String,
    /// Where it comes from.
    pub from: GuestFrom,
    /// The link it comes by.
    pub link: Option<Rc<Shared>>,
}

/// Where work that is not the person's own comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuestFrom {
    /// A sample: it makes room as soon as the person pastes something.
    Sample,
    /// A link or a file that somebody gave: what is pasted belongs to it, so it is taken over then.
    Link,
}

/// Work that is out of sight and, for want of room, nowhere but here.
pub(super) struct Parked {
    pub cluster: Cluster,
    seen: Vec<Kept>,
    work: Work,
    heads: Vec<Head>,
    unsaved: Vec<PasteId>,
    texts_not_kept: Vec<PasteId>,
}

impl State {
    /// Shows a sample over the person's own work.
    pub fn open_sample(self, sample: &'static Sample) {
        self.open_work(Guest { title: sample.title.to_owned(), from: GuestFrom::Sample, link: None }, sample.work());
        self.said.set(format!("Sample: {}.", sample.title));
    }

    /// Shows work that is not the person's own. Theirs waits underneath, and nothing is kept while it does.
    /// [`State::close_work`] puts the guest away, [`State::adopt`] makes a cluster of it.
    pub fn open_work(self, guest: Guest, work: Work) {
        if self.guest.with_untracked(Option::is_none) {
            self.park();
        }
        self.said.set(format!("On show: {}.", guest.title));
        self.guest.set(Some(guest));
        self.show_new(work);
    }

    /// Puts the guest away and shows the person's own work again.
    pub fn close_work(self) {
        if self.guest.with_untracked(Option::is_some) {
            self.open(self.cluster.with_untracked(|c| c.id));
        }
    }

    /// Takes the work on show over as a cluster of its own, beside the others.
    pub fn adopt(self) {
        let Some(guest) = self.guest.get_untracked() else { return };
        self.guest.set(None);
        self.begin(&guest.title);
        self.said.set(format!("Kept as {}.", self.cluster.with_untracked(|c| c.name.clone())));
    }

    /// Shows work whose pastes have no numbers yet.
    pub(super) fn show_new(self, work: Work) {
        let head = |p: &Paste| Head::of(new_id(), &p.name, &p.text).with(p.kind, p.member.clone());
        let heads = work.pastes.iter().map(head).collect();
        self.show(work, heads);
    }

    /// Shows work, in place of what is there.
    pub(super) fn show(self, work: Work, heads: Vec<Head>) {
        self.put_in(work, heads);
        self.forget_undo_of_pastes();
        self.place.set(None);
        self.judge();
    }

    pub(super) fn put_in(self, work: Work, heads: Vec<Head>) {
        let Work { pastes, draft, kind, to, from, answers, records, waivers, before } = work;
        self.pastes.set_value(pastes);
        // Before the heads: the box looks at it when they change.
        self.draft.set_value(draft);
        self.heads.set(heads);
        self.kind.set(kind);
        self.to.set(to);
        self.from.set(from);
        self.answers.set(answers);
        self.records.set(records);
        self.waivers.set(waivers);
        self.before.set(before);
    }

    /// Keeps what is on show, and holds on to what could not be kept.
    pub(super) fn park(self) {
        self.keep();
        let lost = self.not_kept.with_untracked(Option::is_some);
        if lost || !self.texts_not_kept.with_untracked(Vec::is_empty) {
            let parked = self.parking();
            self.parked.update_value(|all| all.push(parked));
        }
    }

    /// What is on show, to be put out of sight. The page shows something else next.
    pub(super) fn parking(self) -> Parked {
        Parked {
            cluster: self.cluster.get_untracked(),
            seen: self.seen.get_value(),
            heads: self.heads.get_untracked(),
            unsaved: self.unsaved.try_update_value(std::mem::take).unwrap_or_default(),
            texts_not_kept: self.texts_not_kept.get_untracked(),
            work: self.work_on(self.pastes.try_update_value(std::mem::take).unwrap_or_default()),
        }
    }

    /// What is on show, with these pastes as its own.
    pub(super) fn work_on(self, pastes: Vec<Paste>) -> Work {
        Work {
            pastes,
            draft: self.draft.get_value(),
            kind: self.kind.get_untracked(),
            to: self.to.get_untracked(),
            from: self.from.get_untracked(),
            answers: self.answers.get_untracked(),
            records: self.records.get_untracked(),
            waivers: self.waivers.get_untracked(),
            before: self.before.get_untracked(),
        }
    }

    /// Shows a cluster, as it is kept or was parked.
    pub(super) fn open(self, id: ClusterId) {
        self.guest.set(None);
        self.not_kept.set(None);
        self.texts_not_kept.set(Vec::new());
        self.unsaved.update_value(Vec::clear);
        let parked = self.parked.try_update_value(|all| {
            let at = all.iter().position(|p| p.cluster.id == id)?;
            Some(all.remove(at))
        });
        if let Some(Parked { cluster, seen, work, heads, unsaved, texts_not_kept }) = parked.flatten() {
            self.cluster.set(cluster);
            self.seen.set_value(seen);
            self.unsaved.set_value(unsaved);
            self.unsaved.update_value(|u| u.extend(texts_not_kept.iter()));
            self.texts_not_kept.set(texts_not_kept);
            self.show(work, heads);
            self.keep();
        } else {
            self.open_kept(id);
        }
        self.now_shown();
    }
}
