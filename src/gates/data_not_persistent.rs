//! Do the data survive a restart of the member?
//!
//! # Asks
//! Whether a data directory that flags name lies where the system empties it.
//!
//! # Blocks when
//! The data directory lies in a folder that is emptied at a restart.
//!
//! # Why
//! Every member is restarted during a roll. One that comes up empty is a new member with an old name: it does not
//! start, or the cluster loses its copy of the data.
//!
//! # Remedy
//! Move the data to a folder that is kept before anything is restarted: one member at a time, by removing and adding
//! it.
//!
//! # Sources
//! - upgrading: a roll restarts every member on its data.

use super::question::Question;
use super::{Asked, FOR_UPGRADE_MEMBERS_AND_FLAGS, Finding, Gate, Group, Need, sight};
use crate::etcd::flags::name;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "data-not-persistent",
    group: Group::Membership,
    sources: &[key::UPGRADING],
    asked: Asked::Now,
    intents: FOR_UPGRADE_MEMBERS_AND_FLAGS,
    need: |_| Need::OnSight,
    check,
};

/// Folders that a restart of the host empties.
const EMPTIED: [&str; 4] = ["/tmp/", "/var/tmp/", "/dev/shm/", "/run/"];

/// Does a restart of the host empty the folder that this path lies in?
#[must_use]
pub fn is_emptied(path: &str) -> bool {
    EMPTIED.iter().any(|folder| path.starts_with(folder))
}

fn check(q: &Question<'_>) -> Vec<Finding> {
    let mut dirs = sight::of_flag(q, name::DATA_DIR);
    dirs.extend(sight::of_flag(q, name::WAL_DIR));
    let spans: Vec<_> = dirs.iter().map(|s| &s.setting.span).collect();
    let lost = |s: &&sight::Set<'_>| s.setting.value.as_deref().is_some_and(is_emptied);
    let lost: Vec<sight::Set<'_>> = dirs.iter().filter(lost).copied().collect();
    if lost.is_empty() {
        return sight::passed_on(spans, "No data directory that is shown lies where a restart empties it.");
    }
    let statement = format!("Data lie where a restart of the host empties them: {}.", sight::written(q, &lost));
    let remedy = "Move the data to a folder that is kept before anything is restarted, one member at a time: a member that \
                  comes up empty does not start as the member it was.";
    vec![Finding::blocked(statement, sight::grounds_of(&lost), remedy).about(&sight::members_of(&lost))]
}
