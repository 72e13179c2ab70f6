//! Several clusters, each with its own work, by name.

use leptos::prelude::*;

use super::State;
use super::Work;
use super::pastes::new_id;
use super::undo::Undo;
use crate::app::clock;
use crate::app::storage::file::{self, free_name};
use crate::app::storage::{Cluster, ClusterId, FIRST, FIRST_NAME, Kept};

impl State {
    /// Looks again which clusters this browser keeps.
    pub(super) fn list_clusters(self) {
        let found = self.shelf.get_value().clusters();
        if self.clusters.with_untracked(|known| *known != found) {
            self.clusters.set(found);
        }
    }

    /// Shows another cluster.
    pub fn switch(self, id: ClusterId) {
        if self.guest.with_untracked(Option::is_none) {
            self.park();
        }
        self.open(id);
        self.said.set(format!("Cluster {} is on show.", self.cluster.with_untracked(|c| c.name.clone())));
    }

    /// Begins a cluster with nothing in it.
    pub fn new_cluster(self) {
        if self.guest.with_untracked(Option::is_none) {
            self.park();
        }
        self.guest.set(None);
        let taken = self.names();
        let name = (1..).map(|n| format!("cluster {n}")).find(|n| !taken.contains(n)).unwrap_or_default();
        self.show_new(Work::default());
        self.begin(&name);
        self.said.set(format!("{name} is new and empty."));
    }

    /// Begins a cluster with what is on show.
    pub fn duplicate(self) {
        if self.guest.with_untracked(Option::is_some) {
            self.adopt();
            return;
        }
        // Parking may put it away.
        let work = self.work_on(self.pastes.get_value());
        self.park();
        let name = format!("{}, copy", self.cluster.with_untracked(|c| c.name.clone()));
        self.show_new(work);
        self.begin(&name);
        self.said.set(format!("Copied to {}.", self.cluster.with_untracked(|c| c.name.clone())));
    }

    /// Gives the cluster on show another name; a blank one changes nothing, one that is taken gets a number.
    pub fn rename_cluster(self, name: &str) {
        let Some(name) = file::name(name) else { return };
        let own = self.cluster.get_untracked();
        if name == own.name {
            return;
        }
        let others: Vec<String> =
            self.clusters.with_untracked(|all| all.iter().filter(|c| c.id != own.id).map(|c| c.name.clone()).collect());
        let name = free_name(&name, &others);
        self.cluster.update(|c| c.name.clone_from(&name));
        self.keep();
        self.said.set(format!("The cluster is called {name}."));
    }

    /// Deletes the cluster on show; [`State::undo`] brings it back.
    pub fn delete_cluster(self) {
        if self.guest.with_untracked(Option::is_some) {
            return;
        }
        self.keep();
        let parked = self.parking();
        let Cluster { id, name } = parked.cluster.clone();
        let dump = self.shelf.get_value().drop_cluster(id);
        self.list_clusters();
        let next = self.clusters.with_untracked(|all| all.first().map_or(FIRST, |c| c.id));
        self.open(next);
        self.did(format!("Cluster {name} deleted."), Undo::Dropped { id, dump, parked: vec![parked] });
    }

    /// Clears everything: all clusters, and all that this browser kept. [`State::undo`] brings it back until the page
    /// is left.
    pub fn clear(self) {
        self.guest.set(None);
        self.keep();
        let mut parked = self.parked.try_update_value(std::mem::take).unwrap_or_default();
        let id = self.cluster.with_untracked(|c| c.id);
        parked.push(self.parking());
        let dump = self.shelf.get_value().clear();
        self.undo_steps.update_value(Vec::clear);
        self.list_clusters();
        self.open(FIRST);
        self.did("Everything is cleared.".to_owned(), Undo::Dropped { id, dump, parked });
    }

    /// Makes a cluster of what is on show, and keeps it. Where there was a cluster before, it stays as it was kept.
    pub(super) fn begin(self, name: &str) {
        let name = free_name(name, &self.names());
        self.cluster.set(Cluster { id: new_id(), name });
        self.seen.update_value(Vec::clear);
        self.not_kept.set(None);
        self.texts_not_kept.set(Vec::new());
        self.unsaved.update_value(Vec::clear);
        self.all_unsaved();
        self.keep();
        self.now_shown();
    }

    /// The names that are taken.
    pub(super) fn names(self) -> Vec<String> {
        let own = self.cluster.get_untracked();
        let is_kept = own.id != FIRST || !self.seen.with_value(Vec::is_empty);
        let mut names: Vec<String> = self.clusters.with_untracked(|all| all.iter().map(|c| c.name.clone()).collect());
        if is_kept {
            names.push(own.name);
        }
        names
    }

    /// The cluster on show, or all of them, as a file.
    pub fn cluster_file(self, all: bool) -> String {
        self.keep();
        let shelf = self.shelf.get_value();
        let own = self.cluster.with_untracked(|c| c.id);
        let others = self.clusters.with_untracked(|all| all.iter().map(|c| c.id).collect::<Vec<_>>());
        let others = others.into_iter().filter(|id| all && *id != own).filter_map(|id| shelf.load(id));
        let with_texts = |mut kept: Kept| {
            kept.pastes.iter_mut().for_each(|p| p.text = shelf.text(p.id));
            kept
        };
        let mut clusters = vec![self.own_with_texts()];
        clusters.extend(others.map(with_texts));
        file::write(clusters)
    }

    /// What is on show, with its texts: also those there is no room for in the browser.
    fn own_with_texts(self) -> Kept {
        let mut kept = self.kept();
        let heads = self.heads.get_untracked();
        kept.pastes = heads.iter().map(From::from).collect();
        self.pastes.with_value(|pastes| {
            for (kept, paste) in kept.pastes.iter_mut().zip(pastes) {
                kept.text = Some(paste.text.clone());
            }
        });
        kept
    }

    /// Takes clusters in from a file, beside those that are there, and shows the first.
    ///
    /// # Errors
    /// Why none, or not all, were taken in, in words for the person. What was there before stays as it was.
    pub fn import(self, text: &str) -> Result<(), String> {
        if !self.complete.get_value() {
            return Err("The page is still loading. Import it again in a moment.".to_owned());
        }
        if text.len() > file::LIMIT {
            let limit = file::LIMIT >> 20;
            return Err(format!("A file of clusters has at most {limit} MiB. Save fewer clusters at a time."));
        }
        let clusters = file::read(text)?;
        let (mut taken_in, mut no_room) = (Vec::new(), Vec::new());
        let mut names = self.names();
        let now = clock::milliseconds();
        for (since, cluster) in (now..).zip(clusters) {
            let name = free_name(&cluster.name, &names);
            match self.import_one(Kept { since, ..cluster }, &name) {
                Some(id) => {
                    names.push(name.clone());
                    taken_in.push(Cluster { id, name });
                }
                None => no_room.push(name),
            }
        }
        self.list_clusters();
        let list = crate::app::words::list;
        let room = format!(
            "This browser has no room for {}. Remove pastes or clusters you no longer need, then import it again.",
            list(&no_room)
        );
        let Some(first) = taken_in.first() else { return Err(room) };
        self.switch(first.id);
        let names: Vec<String> = taken_in.into_iter().map(|c| c.name).collect();
        let done = format!("Imported {}.", list(&names));
        self.said.set(done.clone());
        if no_room.is_empty() { Ok(()) } else { Err(format!("{done} {room}")) }
    }

    /// Keeps one cluster of a file. `None` when there is no room; nothing of it stays then.
    fn import_one(self, mut cluster: Kept, name: &str) -> Option<ClusterId> {
        let shelf = self.shelf.get_value();
        let id = new_id();
        name.clone_into(&mut cluster.name);
        let mut texts = Vec::new();
        // A paste without its text says nothing.
        cluster.pastes.retain_mut(|paste| {
            let Some(text) = paste.text.take() else { return false };
            paste.id = new_id();
            texts.push((paste.id, text));
            true
        });
        let kept = texts.iter().try_for_each(|(id, text)| shelf.keep_text(*id, text));
        if kept.and_then(|()| shelf.keep(id, &cluster)).is_ok() {
            return Some(id);
        }
        texts.iter().for_each(|(id, _)| shelf.drop_text(*id));
        None
    }

    /// Another cluster than before is on show.
    pub(super) fn now_shown(self) {
        let (shelf, id) = (self.shelf.get_value(), self.cluster.with_untracked(|c| c.id));
        if id != FIRST || shelf.shown().is_some() {
            shelf.set_shown(id);
        }
        self.announce();
    }

    /// Moves what is on show to another number, so that the cluster that had this one can come back.
    pub(super) fn make_room(self) {
        self.keep();
        if self.seen.with_value(Vec::is_empty) {
            return;
        }
        let Cluster { id, name } = self.cluster.get_untracked();
        let others: Vec<String> =
            self.clusters.with_untracked(|all| all.iter().filter(|c| c.id != id).map(|c| c.name.clone()).collect());
        let name = if name == FIRST_NAME { free_name("new work", &others) } else { name };
        // Its texts keep their numbers.
        self.cluster.set(Cluster { id: new_id(), name });
        self.seen.update_value(Vec::clear);
        self.keep();
    }
}
