//! `etcdctl snapshot save`: where the backup snapshot was written.

use super::detect::{Place, Taken};
use super::fact::{Body, Kind, SaveCommand, SnapshotSaved};
use crate::etcd::tools::ETCDCTL;

/// The command line itself: from which member into which file.
#[must_use]
pub fn read_command(place: &Place<'_>) -> Option<Taken> {
    let command = &place.context.parsed;
    let words = &command.words;
    let save_at = words.windows(2).position(|pair| pair == ["snapshot", "save"])?;
    if command.program() != ETCDCTL {
        return None;
    }
    let path = words.get(save_at + 2..)?.iter().find(|w| !w.starts_with('-'))?.clone();
    let endpoints = command.flag(&["endpoints"]).map(str::to_owned);
    let from = endpoints.or_else(|| place.hint().host);
    let fact = place.fact(place.span(1), Body::SnapshotSave(SaveCommand { path, from }));
    let height = 1 + place.lines.iter().skip(place.at + 1).take_while(|l| l.continues).count();
    Some(place.taken(height, Kind::SnapshotSave, "command", 0, vec![fact]))
}

/// `Snapshot saved at PATH`, and the storage version that newer etcdctl prints after it.
#[must_use]
pub fn read_line(place: &Place<'_>) -> Option<Taken> {
    let path = place.text().trim().strip_prefix("Snapshot saved at ")?;
    let follows = place.lines.get(place.at + 1).is_some_and(|l| l.text.trim().starts_with("Server version "));
    let lines = if follows { 2 } else { 1 };
    let saved = SnapshotSaved { path: path.to_owned() };
    let fact = place.fact(place.span(1), Body::SnapshotSaved(saved));
    Some(place.taken(lines, Kind::SnapshotSave, "lines", 0, vec![fact]))
}
