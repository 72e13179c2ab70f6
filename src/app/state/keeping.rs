//! Keeping the work in this browser, and showing what was kept.

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::fact::Kind;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::intent::{IntentKind, Target};
use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::State;
use super::pastes::{Head, PasteId, new_id};
use super::work::Work;
use crate::app::storage::{Cluster, ClusterId, FIRST, FIRST_NAME, Kept, KeptPaste, common, mark, merge, saw};
use crate::app::target;

/// How long after a change the work is kept, in milliseconds.
const KEEP_PAUSE: u32 = 400;

/// How long after the first look texts that no cluster names are looked for again, in milliseconds.
const STRAY_PAUSE: u32 = 10_000;

impl State {
    /// Shows the cluster this tab showed last.
    pub(super) fn open_last(self) {
        let shelf = self.shelf.get_value();
        shelf.take_over_older();
        self.list_clusters();
        let known = self.clusters.get_untracked();
        let is_known = |id: &ClusterId| known.iter().any(|c| c.id == *id);
        let last = shelf.shown().filter(is_known).or_else(|| known.first().map(|c| c.id));
        self.open(last.unwrap_or(FIRST));
        let strays = shelf.strays();
        if !strays.is_empty() {
            let drop =
                move || shelf.strays().iter().filter(|id| strays.contains(id)).for_each(|id| shelf.drop_text(*id));
            Timeout::new(STRAY_PAUSE, drop).forget();
        }
    }

    /// Shows what is kept of a cluster, in place of what is there.
    pub(super) fn open_kept(self, id: ClusterId) {
        let kept = self.shelf.get_value().load(id);
        let name = kept.as_ref().map_or_else(|| FIRST_NAME.to_owned(), |k| k.name.clone());
        self.cluster.set(Cluster { id, name });
        self.seen.set_value(kept.iter().cloned().collect());
        let (work, heads) = self.unpack(kept.unwrap_or_default(), Vec::new());
        self.show(work, heads);
    }

    /// What was kept, as work. Texts come from `there`, where they are of today, else from where they are kept.
    fn unpack(self, kept: Kept, mut there: Vec<(Head, Paste)>) -> (Work, Vec<Head>) {
        let shelf = self.shelf.get_value();
        let (mut work, mut heads) = (Work::default(), Vec::new());
        for paste in kept.pastes {
            let at = there.iter().position(|(head, _)| head.id == paste.id);
            let (edits, before) = match at.map(|at| there.remove(at)) {
                Some((head, paste)) => (Some(head.edits), Some(paste.text)),
                None => (None, None),
            };
            let text = if edits == Some(paste.edits) { before } else { shelf.text(paste.id).or(before) };
            // A text that could not be kept was said to be lost on reload when that happened.
            let Some(text) = text else { continue };
            let kind = paste.kind.as_deref().and_then(Kind::from_id);
            let head = Head::of(paste.id, &paste.name, &text).with(kind, paste.member.clone());
            heads.push(Head { edits: paste.edits, ..head });
            work.pastes.push(Paste { name: paste.name, text, kind, member: paste.member });
        }
        // What there is no room for is nowhere but here.
        let only_here = self.texts_not_kept.get_untracked();
        for (head, paste) in there.into_iter().filter(|(head, _)| only_here.contains(&head.id)) {
            heads.push(head);
            work.pastes.push(paste);
        }
        let mut answers = Answers::new();
        for answer in &kept.answered {
            // An answer of another version of the page that no longer fits is asked for again.
            let _ = answers.take(answer);
        }
        work.draft = kept.draft;
        work.kind = kept.intent.as_deref().and_then(IntentKind::from_id).unwrap_or(IntentKind::Upgrade);
        work.to = kept.to.as_deref().and_then(target::parse).unwrap_or(Target::Next);
        work.from = kept.from.as_deref().and_then(target::parse);
        work.answers = answers;
        work.records = kept.records;
        work.before = kept.before;
        // One that is not whole accepts nothing.
        work.waivers = kept.waivers.into_iter().filter(|w| w.check().is_ok()).collect();
        (work, heads)
    }

    pub(super) fn keep_soon(self) {
        self.keep_timer.set_value(Some(Timeout::new(KEEP_PAUSE, move || self.keep())));
    }

    /// Keeps the work in this browser, together with what another tab kept of it. Called a moment after each change, when
    /// the page goes out of sight, and when another tab kept something.
    pub fn keep(self) {
        self.keep_timer.set_value(None);
        if self.guest.with_untracked(Option::is_some) {
            return;
        }
        if !self.meet() {
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
        self.texts_not_kept.set(not_kept);
        error = self.keep_work().err().or(error);
        if error.is_some() || self.texts_not_kept.with_untracked(Vec::is_empty) {
            self.not_kept.set(error);
        }
    }

    /// Keeps everything but the texts, if it changed.
    fn keep_work(self) -> Result<(), crate::app::storage::KeepError> {
        let (mut mine, base) = (self.kept(), self.last_seen());
        let is_first = self.cluster.with_untracked(|c| c.id == FIRST && c.name == FIRST_NAME);
        let untouched = is_first && base.is_none() && mine.is_blank();
        if untouched || base.as_ref() == Some(&mine) {
            return Ok(());
        }
        self.seen.with_value(|seen| mark(&mut mine, seen, format!("{:x}", new_id())));
        self.shelf.get_value().keep(self.cluster.with_untracked(|c| c.id), &mine)?;
        if base.is_none_or(|base| base.name != mine.name) {
            self.list_clusters();
        }
        self.saw(mine);
        Ok(())
    }

    fn last_seen(self) -> Option<Kept> {
        self.seen.with_value(|seen| seen.last().cloned())
    }

    fn saw(self, kept: Kept) {
        self.seen.update_value(|seen| saw(seen, kept));
    }

    /// Takes in what another tab kept of this cluster since this one last looked. False while it can't: then nothing may
    /// be written over it.
    fn meet(self) -> bool {
        let (base, mine) = (self.last_seen(), self.kept());
        let theirs = self.shelf.get_value().load(self.cluster.with_untracked(|c| c.id));
        if theirs == base {
            return true;
        }
        let Some(theirs) = theirs else {
            self.taken_away(base.as_ref() == Some(&mine));
            return true;
        };
        // Merging is in the second part of the page, which is there within a moment.
        if !self.complete.get_value() {
            return false;
        }
        let begun = Kept { name: FIRST_NAME.to_owned(), ..Kept::default() };
        let merged =
            self.seen.with_value(|seen| merge(common(seen, &theirs).unwrap_or(&begun), &mine, &theirs, new_id));
        self.saw(theirs);
        if merged.kept == self.kept() {
            return true;
        }
        for (id, copy) in merged.copies {
            self.renumber(id, copy);
        }
        self.cluster.update(|c| c.name.clone_from(&merged.kept.name));
        let heads = self.heads.get_untracked();
        let pastes = self.pastes.try_update_value(std::mem::take).unwrap_or_default();
        let (work, heads) = self.unpack(merged.kept, heads.into_iter().zip(pastes).collect());
        self.put_in(work, heads);
        self.judge();
        true
    }

    /// Another tab deleted this cluster. What was changed here since is not lost: it is kept again.
    fn taken_away(self, unchanged: bool) {
        if unchanged && self.texts_not_kept.with_untracked(Vec::is_empty) {
            let next = self.clusters.with_untracked(|all| all.first().map_or(FIRST, |c| c.id));
            self.open(next);
            self.said.set("Another tab deleted the cluster that was on show here.".to_owned());
        } else {
            self.seen.update_value(Vec::clear);
            self.all_unsaved();
        }
    }

    /// Every text is written with the next keeping.
    pub(super) fn all_unsaved(self) {
        let ids = self.heads.with_untracked(|heads| heads.iter().map(|h| h.id).collect::<Vec<_>>());
        self.unsaved.update_value(|u| u.extend(ids));
    }

    fn renumber(self, id: PasteId, now: PasteId) {
        self.heads.update(|heads| heads.iter_mut().filter(|h| h.id == id).for_each(|h| h.id = now));
        self.unsaved.update_value(|u| {
            u.retain(|n| *n != id);
            u.push(now);
        });
    }

    /// The form in which the work is kept. Without pastes there is no room for: a reload could not show them.
    pub(super) fn kept(self) -> Kept {
        let only_here = self.texts_not_kept.get_untracked();
        let kept = |heads: &Vec<Head>| {
            heads.iter().filter(|h| !only_here.contains(&h.id)).map(KeptPaste::from).collect::<Vec<_>>()
        };
        let answered =
            self.answers.with_untracked(|a| a.iter().map(|(key, value)| format!("{}={value}", key.id())).collect());
        let last = self.last_seen();
        let (since, trail) = last.map(|kept| (kept.since, kept.trail)).unzip();
        Kept {
            name: self.cluster.with_untracked(|c| c.name.clone()),
            since: since.unwrap_or_else(crate::app::clock::milliseconds),
            pastes: self.heads.with_untracked(kept),
            draft: self.draft.get_value(),
            intent: self.kind.with_untracked(|kind| (*kind != IntentKind::Upgrade).then(|| kind.id().to_owned())),
            to: self.to.with_untracked(target::text),
            from: self.from.with_untracked(|f| f.as_ref().and_then(target::text)),
            answered,
            records: self.records.get_untracked(),
            waivers: self.waivers.get_untracked(),
            before: self.before.get_untracked(),
            trail: trail.unwrap_or_default(),
            ..Kept::default()
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
            edits: head.edits,
            text: None,
        }
    }
}
