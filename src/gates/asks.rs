//! The commands that answer gates, one function a kind of evidence, so that gates that need the same ask the same and
//! the report can merge their asks.

use super::finding::Ask;
use super::question::Question;

/// Ask for `endpoint status` of all members.
#[must_use]
pub fn status(question: &Question<'_>) -> Ask {
    let _ = question;
    once("etcdctl endpoint status --cluster -w table")
}

fn once(command: &str) -> Ask {
    Ask::Command { command: command.to_owned(), members: Vec::new() }
}
