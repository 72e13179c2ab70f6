//! What pages before kept: one cluster without a name, under a prefix of its own.

use super::kept::Kept;
use super::{FIRST, Shelf, store};

/// The prefix of those pages.
pub(super) const PREFIX: &str = "etcd-upgrade-planner/1";

/// Moves what they kept to where it stands now. Done once: afterwards nothing is left under their prefix.
pub(super) fn take_over(shelf: Shelf, prefix: &str) {
    let Some(store) = store() else { return };
    let work = format!("{prefix}/work");
    let Some(text) = store.get_item(&work).ok().flatten() else { return };
    let Some(kept) = Kept::read(&text).filter(|_| shelf.load(FIRST).is_none()) else { return };
    for paste in &kept.pastes {
        let old = format!("{prefix}/text/{:x}", paste.id);
        let Some(text) = store.get_item(&old).ok().flatten() else { continue };
        // Taken away first: there may be no room for both.
        let _ = store.remove_item(&old);
        if shelf.keep_text(paste.id, &text).is_err() {
            let _ = store.set_item(&old, &text);
            return;
        }
    }
    if shelf.keep(FIRST, &kept).is_ok() {
        let _ = store.remove_item(&work);
    }
}
