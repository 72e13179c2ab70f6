//! Text of one or several lines as one string that knows where each byte stands in the paste.

use crate::evidence::clean::{Line, Role};
use crate::evidence::detect::Place;
use crate::evidence::fact::Span;

/// Lines, or pieces of lines, joined: what words and YAML are cut from. A position in [`Stretch::text`] can be turned
/// back into a [`Span`] of the paste.
#[derive(Debug, Default)]
pub struct Stretch {
    text: String,
    parts: Vec<Part>,
}

/// From `at` on, the text stands at byte `raw` of line `line`, up to the next part.
#[derive(Debug, Clone, Copy)]
struct Part {
    at: usize,
    /// Index into the lines of the place.
    line: usize,
    raw: usize,
}

impl Stretch {
    /// The joined text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A piece of the text; empty when the range does not fit.
    pub fn cut(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or("")
    }

    /// Adds the part of a line that starts at byte `from` of what readers see of it and ends before byte `to`.
    pub fn push(&mut self, lines: &[Line<'_>], index: usize, from: usize, to: usize) {
        let Some(line) = lines.get(index) else { return };
        let seen = seen(line);
        let Some(piece) = seen.get(from..to) else { return };
        match line.range_in_raw(seen) {
            Some((offset, _)) => self.part(index, offset + from),
            None => self.align(line.raw, seen, index, from, to),
        }
        self.text.push_str(piece);
    }

    /// Adds a character that stands for the end of the line `index`.
    pub fn push_end(&mut self, lines: &[Line<'_>], index: usize, end: char) {
        self.part(index, lines.get(index).map_or(0, |l| l.raw.len()));
        self.text.push(end);
    }

    /// The place of `from..to` in the paste, its focus exactly that text.
    pub fn span(&self, place: &Place<'_>, from: usize, to: usize) -> Span {
        let (first, start) = self.locate(from);
        let (last, end) = if to > from { self.locate(to - 1) } else { (first, start) };
        let number = |index: usize| place.lines.get(index).map_or(1, |l| l.number);
        // Two things on one line are two lines with one number: its length counts once.
        let between = place.lines.get(first..=last).unwrap_or(&[]).windows(2);
        let above: usize = between.map(above_next).sum();
        let end = if to > from { char_end(place.lines, last, end) } else { end };
        let end = above + end;
        Span {
            paste: place.paste,
            first_line: number(first),
            last_line: number(last.max(first)),
            focus: (start < end).then_some((start, end)),
        }
    }

    /// The line (index into the place's lines) a position stands in.
    pub fn line_at(&self, at: usize) -> usize {
        self.locate(at).0
    }

    fn locate(&self, at: usize) -> (usize, usize) {
        let next = self.parts.partition_point(|p| p.at <= at);
        let part = next.checked_sub(1).and_then(|i| self.parts.get(i));
        part.map_or((0, 0), |p| (p.line, p.raw + (at - p.at)))
    }

    fn part(&mut self, line: usize, raw: usize) {
        self.parts.push(Part { at: self.text.len(), line, raw });
    }

    /// Finds the kept bytes of a cleaned line in the line as given: cleaning takes bytes away or turns one kind of
    /// blank into another.
    fn align(&mut self, raw: &str, seen: &str, index: usize, from: usize, to: usize) {
        let base = self.text.len();
        let mut given = raw.char_indices().peekable();
        let mut last: Option<(usize, usize)> = None;
        for (at, kept) in seen.char_indices() {
            let mut escape = false;
            let mut found = None;
            for (offset, c) in given.by_ref() {
                let sequence = escape;
                escape = c == '\u{1b}' || (escape && !c.is_ascii_alphabetic());
                if !sequence && !escape && (c == kept || (c.is_whitespace() && kept.is_whitespace())) {
                    found = Some((offset, c.len_utf8()));
                    break;
                }
            }
            let Some((offset, width)) = found else { return };
            let follows = last == Some((offset, at));
            if (from..to).contains(&at) && (!follows || at == from) {
                self.parts.push(Part { at: base + at - from, line: index, raw: offset });
            }
            last = (width == kept.len_utf8()).then_some((offset + width, at + width));
        }
    }
}

/// What the first of two neighbouring lines adds to the offset of the second.
fn above_next(pair: &[Line<'_>]) -> usize {
    match pair {
        [line, next] if line.number != next.number => line.raw.len() + 1,
        _ => 0,
    }
}

/// The end of the character at byte `at` of a line as given: cleaning may have put a shorter one in its place.
fn char_end(lines: &[Line<'_>], index: usize, at: usize) -> usize {
    let raw = lines.get(index).map_or("", |l| l.raw);
    (at + 1..=raw.len()).find(|end| raw.is_char_boundary(*end)).unwrap_or(raw.len())
}

/// A line as these readers see it: cleaned; noise is as good as a blank line, but for the `---` between documents.
pub fn seen<'a>(line: &'a Line<'_>) -> &'a str {
    let text = line.text.as_ref();
    if line.role == Role::Noise && text.trim_end() != "---" { "" } else { text }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::evidence::clean;
    use crate::evidence::detect::Context;
    use crate::evidence::flags::testing::focus;

    #[test]
    fn a_position_in_a_cleaned_line_is_found_in_the_line_as_given() {
        let raw = "\u{1b}[31metcd\u{1b}[0m --name\u{a0}m1";
        let mut lines = clean::lines(raw);
        lines[0].text = Cow::Owned("etcd --name m1".to_owned());
        let context = Context::default();
        let place = Place { paste: 0, name: "", lines: &lines, at: 0, context: &context };
        let mut stretch = Stretch::default();
        stretch.push(&lines, 0, 0, 14);
        let text = |from, to| focus(&lines, &stretch.span(&place, from, to));
        assert_eq!(text(0, 4), "etcd");
        assert_eq!(text(5, 11), "--name");
        assert_eq!(text(12, 14), "m1");
        assert_eq!(text(5, 14), "--name\u{a0}m1");
    }

    #[test]
    fn a_span_over_lines_counts_the_line_ends() {
        let lines = clean::lines("a \\\n  b c");
        let context = Context::default();
        let place = Place { paste: 0, name: "", lines: &lines, at: 0, context: &context };
        let mut stretch = Stretch::default();
        stretch.push(&lines, 0, 0, 2);
        stretch.push(&lines, 1, 0, 5);
        assert_eq!(stretch.text(), "a   b c");
        let span = stretch.span(&place, 0, 5);
        assert_eq!((span.first_line, span.last_line), (1, 2));
        assert_eq!(focus(&lines, &span), "a \\\n  b");
    }
}
