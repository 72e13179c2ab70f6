//! Takes off what stands around etcd's output, line by line: prompts, ANSI colour, log prefixes, fences, quotes.
//!
//! One pass over the text, linear in its bytes. Nothing is judged here: a line keeps its number and its raw form, so
//! that every span can be shown as it was pasted. [`command`] takes shell prompts and command lines apart, [`prefix`]
//! what loggers and terminals put around a line, [`noise`] names the lines that say nothing of the cluster, and
//! [`heading`] the ones that only say who the next lines are about.

pub mod ansi;
pub mod command;
mod folded;
pub mod heading;
pub mod noise;
pub mod prefix;

use std::borrow::Cow;

use command::Prompt;

/// What a line is to the detection loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Offered to the readers.
    Output,
    /// A command the person ran: `text` is the command without its prompt. Offered to the readers of flags only.
    Command,
    /// Says nothing of the cluster: fences, kubectl's and ssh's chatter, etcdctl's own warnings. Offered to nobody.
    Noise,
}

/// One line, as given and as readers see it. A raw line that holds two things (JSON without a line end, then the next
/// prompt) becomes two lines with the same number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// 1-based number within the paste.
    pub number: usize,
    /// The last of the numbers, where a terminal broke the line and it was put together again; else the same.
    pub last: usize,
    /// As given, without line end.
    pub raw: &'a str,
    /// Without noise; the indentation is kept. Empty for a line that is blank or noise only.
    pub text: Cow<'a, str>,
    /// What it is to the loop.
    pub role: Role,
    /// The host a log prefix (journald, syslog, compose, `kubectl logs --prefix`) or a prompt names.
    pub host: Option<String>,
    /// For a command: did a prompt stand before it? A command without one may be part of a list of commands.
    pub prompted: bool,
    /// For a command's further physical lines (`\` at the end of the one before).
    pub continues: bool,
}

impl Line<'_> {
    /// Nothing on it.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Where `part`, a slice of `text`, stands in `raw`: byte range. `None` when the text was rewritten (colour taken
    /// out), so that it is no slice of the raw line any more.
    #[must_use]
    pub fn range_in_raw(&self, part: &str) -> Option<(usize, usize)> {
        let start = (part.as_ptr() as usize).checked_sub(self.raw.as_ptr() as usize)?;
        let end = start.checked_add(part.len())?;
        (end <= self.raw.len()).then_some((start, end))
    }
}

/// The lines of a text, cleaned.
#[must_use]
pub fn lines(text: &str) -> Vec<Line<'_>> {
    let mut cleaned = Cleaned::room_for(text);
    text.lines().for_each(|raw| cleaned.push(raw));
    cleaned.lines
}

/// The lines of a text so far, cleaned.
pub struct Cleaned<'a> {
    /// The lines.
    pub lines: Vec<Line<'a>>,
    folded: folded::Folded,
    /// Number of the last raw line.
    number: usize,
}

impl<'a> Cleaned<'a> {
    /// With room for the lines of this text.
    #[must_use]
    pub fn room_for(text: &str) -> Self {
        let lines = Vec::with_capacity(text.bytes().filter(|b| *b == b'\n').count() + 1);
        Self { lines, folded: folded::Folded::default(), number: 0 }
    }

    /// The next raw line, without its line end.
    pub fn push(&mut self, raw: &'a str) {
        let Self { lines, folded, number } = self;
        *number += 1;
        let continues = lines.last().is_some_and(|l| l.role == Role::Command && l.text.trim_end().ends_with('\\'));
        if continues {
            lines.push(continuation(*number, raw));
        } else {
            let before = lines.len();
            let open = push(*number, raw, lines);
            folded.follow(lines, before, open);
        }
    }
}

/// A further line of a command: the shell's `> ` is taken off.
fn continuation(number: usize, raw: &str) -> Line<'_> {
    let text = ansi::strip(raw);
    let text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(without_secondary_prompt(text)),
        Cow::Owned(text) => Cow::Owned(without_secondary_prompt(&text).to_owned()),
    };
    Line { number, last: number, raw, text, role: Role::Command, host: None, prompted: false, continues: true }
}

fn without_secondary_prompt(text: &str) -> &str {
    let trimmed = text.trim_start();
    trimmed.strip_prefix("> ").unwrap_or(text)
}

/// Cleans one raw line into one or, where a prompt or a second JSON value follows JSON on it, several lines. True
/// when JSON begins on it and does not end.
fn push<'a>(number: usize, raw: &'a str, lines: &mut Vec<Line<'a>>) -> bool {
    if let Some((text, host)) = prefix::journal_json(raw) {
        lines.push(one(number, raw, Cow::Owned(text), host, true));
        return false;
    }
    let stripped = match ansi::strip(raw) {
        Cow::Borrowed(text) => prefix::strip(text).map(Cow::Borrowed),
        Cow::Owned(text) => prefix::strip(&text).map(|t| Cow::Owned(t.to_owned())),
    };
    let logged = stripped.logged;
    let host = stripped.host;
    let mut rest = stripped.text;
    loop {
        let (cut, open) = glued(&rest);
        let (first, second) = match (cut, rest) {
            (None, rest) => (rest, None),
            (Some(at), Cow::Borrowed(text)) => {
                let (a, b) = text.split_at_checked(at).unwrap_or((text, ""));
                (Cow::Borrowed(a), Some(Cow::Borrowed(b)))
            }
            (Some(at), Cow::Owned(text)) => {
                let (a, b) = text.split_at_checked(at).unwrap_or((&text, ""));
                (Cow::Owned(a.to_owned()), Some(Cow::Owned(b.to_owned())))
            }
        };
        lines.push(one(number, raw, first, host.clone(), logged));
        match second {
            Some(second) => rest = second,
            None => return open,
        }
    }
}

/// Where a complete JSON value at the start of the line ends and something else begins, `None` when nothing follows; and
/// whether the line begins a value that does not end on it.
fn glued(text: &str) -> (Option<usize>, bool) {
    let start = text.len() - text.trim_start().len();
    let body = text.get(start..).unwrap_or("");
    let is_json = |text: &str| text.starts_with("{\"") || text.starts_with("[{\"");
    if !is_json(body) {
        return (None, false);
    }
    let Some(end) = super::json::end_of_value(body) else { return (None, true) };
    let after = body.get(end..).unwrap_or("").trim_start();
    let follows = !after.is_empty() && (is_json(after) || command::prompt(after).is_some());
    (follows.then_some(start + end), false)
}

/// Decides the role of one cleaned line.
fn one<'a>(number: usize, raw: &'a str, text: Cow<'a, str>, host: Option<String>, logged: bool) -> Line<'a> {
    let output = |text, role| Line {
        number,
        last: number,
        raw,
        text,
        role,
        host: host.clone(),
        prompted: false,
        continues: false,
    };
    if noise::is_noise(&text) {
        return output(text, Role::Noise);
    }
    if logged {
        return output(text, Role::Output);
    }
    let Some(prompt) = command::prompt(&text) else { return output(text, Role::Output) };
    let Prompt { host, command_at, prompted } = prompt;
    let text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(command_at..).unwrap_or("").trim_end_matches('`')),
        Cow::Owned(text) => Cow::Owned(text.get(command_at..).unwrap_or("").trim_end_matches('`').to_owned()),
    };
    Line { number, last: number, raw, text, role: Role::Command, host, prompted, continues: false }
}
