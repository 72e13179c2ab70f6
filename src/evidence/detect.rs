//! Walks the lines of a paste and offers each place to the readers.

use super::Evidence;
use super::clean::Line;
use super::fact::{Fact, MemberHint, Recognised};
use super::paste::Paste;

/// What the lines above a place say of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// Who the lines are about: the prompt's host, an ssh or kubectl exec target, a heading.
    pub hint: MemberHint,
    /// The command at the last prompt, without prompt, `sudo`, `kubectl exec … --`, `ssh host`.
    pub command: Option<String>,
}

/// A place in a paste: what a reader is offered.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Index of the paste.
    pub paste: usize,
    /// Its name; may say what it is (`etcd.service`, `etcd.conf.yml`).
    pub name: &'a str,
    /// All lines of the paste.
    pub lines: &'a [Line<'a>],
    /// Index into `lines` of the line offered.
    pub at: usize,
    /// What the lines above say.
    pub context: &'a Context,
}

/// What a reader took.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// How many lines, at least 1, counted from the place offered.
    pub lines: usize,
    /// The facts, their hints already set.
    pub facts: Vec<Fact>,
    /// What it was.
    pub recognised: Recognised,
}

/// A reader looks at a place and takes lines, or leaves it. It must decide on the line offered (and what follows it
/// directly) in time linear in the lines it takes, so that offering every place stays linear in the paste.
pub type Reader = fn(&Place<'_>) -> Option<Taken>;

/// Reads one paste into `evidence`.
pub fn read_paste(index: usize, paste: &Paste, evidence: &mut Evidence) {
    let _ = (index, paste, evidence);
}
