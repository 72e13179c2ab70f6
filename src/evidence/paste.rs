//! One text the person gave, its lines, and how a span is quoted from it.

use std::borrow::Cow;

use super::fact::{Kind, Span};

/// One text the person gave: pasted, dropped or opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paste {
    /// What the person sees it called: a file name, or "paste 1".
    pub name: String,
    /// The text, byte for byte as given (invalid UTF-8 replaced by U+FFFD).
    pub text: String,
    /// The kind the person set by hand, if any: only that reader is tried.
    pub kind: Option<Kind>,
    /// The member (name, id in hex or URL) the person said it comes from, if any.
    pub member: Option<String>,
}

impl Paste {
    /// A paste with nothing set by hand.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), kind: None, member: None }
    }

    /// What tells it from other pastes: its text, the member it was said to come from, and its name if it has one of
    /// its own. Two pastes with the same are one, given twice.
    #[must_use]
    pub fn identity(&self) -> (&str, Option<&str>, &str) {
        let numbered = self.name.strip_prefix("paste ").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
        (if numbered { "" } else { &self.name }, self.member.as_deref(), self.text.trim())
    }

    /// The lines as given, without their line ends (`\n` or `\r\n`). Line 1 is the first.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }
}

/// The longest quote a report carries, in bytes; longer ones are cut to the part the span points at.
pub const QUOTE_LIMIT: usize = 400;

/// The lines of all pastes, split once, so that many spans are quoted without walking the text again for each.
#[derive(Debug)]
pub struct Quotes<'a> {
    lines: Vec<Vec<&'a str>>,
}

impl<'a> Quotes<'a> {
    /// Splits the pastes.
    #[must_use]
    pub fn of(pastes: &'a [Paste]) -> Self {
        Self { lines: pastes.iter().map(|paste| paste.lines().collect()).collect() }
    }

    /// The text a span points at: its lines, joined by `\n`; of a long line, the part around the focus. Always a
    /// substring of the paste with `\r\n` read as `\n`. Empty when the span lies outside of the paste.
    #[must_use]
    pub fn quote(&self, span: &Span) -> String {
        let whole = self.whole(span);
        if whole.len() <= QUOTE_LIMIT {
            return whole.into_owned();
        }
        let (from, to) = span.focus.map_or((0, QUOTE_LIMIT), |f| (f.0, f.1.min(f.0 + QUOTE_LIMIT)));
        cut(&whole, from, to).to_owned()
    }

    /// The part of a span that matters: what its focus covers. `None` without a focus, or when it lies outside.
    #[must_use]
    pub fn focus(&self, span: &Span) -> Option<String> {
        let (from, to) = span.focus?;
        self.whole(span).get(from..to).filter(|t| !t.is_empty()).map(str::to_owned)
    }

    fn whole(&self, span: &Span) -> Cow<'a, str> {
        let Some(lines) = self.lines.get(span.paste) else { return Cow::Borrowed("") };
        let first = span.first_line.saturating_sub(1);
        let last = span.last_line.max(first + 1).min(lines.len());
        match lines.get(first..last) {
            Some([line]) => Cow::Borrowed(line),
            Some(several) => Cow::Owned(several.join("\n")),
            None => Cow::Borrowed(""),
        }
    }
}

/// `text[from..to]`, moved outwards to the nearest character borders and clamped to the text.
fn cut(text: &str, from: usize, to: usize) -> &str {
    let mut start = from.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = to.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    text.get(start..end).unwrap_or("")
}
