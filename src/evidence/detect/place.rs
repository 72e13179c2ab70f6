//! A place in a paste: what a reader is offered, and what it takes.

use super::super::clean::command::Command;
use super::super::clean::{Line, Role};
use super::super::fact::{Body, Fact, Kind, MemberHint, Recognised, Span};
use crate::etcd::version::Version;

/// The narrowest and the widest terminal that rows are put together for, in characters.
const NARROWEST: usize = 40;
const WIDEST: usize = 400;

/// The most lines a row is put together of, behind the first.
const PIECES: usize = 5;

/// What the lines above a place say of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// Who the lines are about: the prompt's host, an ssh or kubectl exec target, a heading.
    pub hint: MemberHint,
    /// The command at the last prompt, without prompt, `sudo`, `kubectl exec … --`, `ssh host`.
    pub command: Option<String>,
    /// The same command, taken apart.
    pub parsed: Command,
    /// The server's version that the log above named.
    pub log_version: Option<Version>,
    /// The member that the log above named.
    pub log_member: Option<String>,
    /// The kind the person set for the paste: a reader may then take what it would leave as doubtful.
    pub kind: Option<Kind>,
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

impl<'a> Place<'a> {
    /// The text of the line offered; empty past the end.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.lines.get(self.at).map_or("", |l| l.text.as_ref())
    }

    /// The span of so many lines from here.
    #[must_use]
    pub fn span(&self, lines: usize) -> Span {
        self.range(self.at, self.at + lines.max(1) - 1)
    }

    /// The span from one index of `lines` to another, both included.
    #[must_use]
    pub fn range(&self, first: usize, last: usize) -> Span {
        let line = |at: usize| self.lines.get(at).or_else(|| self.lines.last());
        Span::lines(self.paste, line(first).map_or(1, |l| l.number), line(last).map_or(1, |l| l.last))
    }

    /// Who a fact read here is about: the context, and nearer than it the host a log prefix names.
    #[must_use]
    pub fn hint(&self) -> MemberHint {
        let mut hint = self.context.hint.clone();
        if let Some(host) = self.lines.get(self.at).and_then(|l| l.host.clone()) {
            hint.host = Some(host);
        }
        hint
    }

    /// The line offered, put together with the lines that a terminal broke off it, as soon as it is `whole`; and how many
    /// lines that are. Blanks at the place of the break may have gone.
    #[must_use]
    pub fn rejoined(&self, whole: &dyn Fn(&str) -> bool) -> Option<(String, usize)> {
        let width = self.text().trim_end().chars().count();
        if !(NARROWEST..=WIDEST).contains(&width) {
            return None;
        }
        let mut text = self.text().trim_end().to_owned();
        for (offset, line) in self.lines.get(self.at + 1..)?.iter().take(PIECES).enumerate() {
            let piece = line.text.trim_end();
            let length = piece.chars().count();
            if line.role != Role::Output || length == 0 || length > width + 1 {
                return None;
            }
            for joint in ["", " "] {
                let joined = format!("{text}{joint}{piece}");
                if whole(&joined) {
                    return Some((joined, offset + 2));
                }
            }
            // A piece in the middle is as wide as the first, but for blanks at its end.
            if length + 1 < width {
                return None;
            }
            text.push_str(if length < width { " " } else { "" });
            text.push_str(piece);
        }
        None
    }

    /// A fact read here.
    #[must_use]
    pub fn fact(&self, span: Span, body: Body) -> Fact {
        Fact { span, hint: self.hint(), body }
    }

    /// What was taken: so many lines, these facts.
    #[must_use]
    pub fn taken(&self, lines: usize, kind: Kind, form: &'static str, members: usize, facts: Vec<Fact>) -> Taken {
        let lines = lines.max(1);
        Taken { lines, facts, recognised: Recognised { kind, span: self.span(lines), form, members } }
    }
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
