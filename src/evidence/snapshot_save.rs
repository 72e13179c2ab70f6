//! `etcdctl snapshot save`: where the backup snapshot was written.

use super::detect::{Place, Taken};
use super::fact::{Body, Kind, SnapshotSaved};

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
