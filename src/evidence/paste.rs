//! One text the person gave, its lines, and how a span is quoted from it.

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

/// The text a span points at: its lines, joined by `\n`; of a long line, the part around the focus. Always a
/// substring of the paste with `\r\n` read as `\n`. Empty when the span lies outside of the paste.
#[must_use]
pub fn quote(pastes: &[Paste], span: &Span) -> String {
    let Some(paste) = pastes.get(span.paste) else { return String::new() };
    let wanted = span.last_line.saturating_sub(span.first_line) + 1;
    let lines: Vec<&str> = paste.lines().skip(span.first_line.saturating_sub(1)).take(wanted).collect();
    let whole = lines.join("\n");
    if whole.len() <= QUOTE_LIMIT {
        return whole;
    }
    let (from, to) = span.focus.map_or((0, QUOTE_LIMIT), |f| (f.0, f.1.min(f.0 + QUOTE_LIMIT)));
    cut(&whole, from, to).to_owned()
}

/// The part of a span that matters: what its focus covers. `None` without a focus, or when it lies outside.
#[must_use]
pub fn focus(pastes: &[Paste], span: &Span) -> Option<String> {
    let (from, to) = span.focus?;
    let paste = pastes.get(span.paste)?;
    let wanted = span.last_line.saturating_sub(span.first_line) + 1;
    let lines: Vec<&str> = paste.lines().skip(span.first_line.saturating_sub(1)).take(wanted).collect();
    lines.join("\n").get(from..to).filter(|t| !t.is_empty()).map(str::to_owned)
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
