//! JSON in a paste: one value a line, a pretty value over many lines, an array or one object a line.
//!
//! Ids are unsigned 64-bit numbers above 2^53: they are read as `u64` from number or text, never through a float. The
//! gRPC gateway prints all numbers as text, `--hex` prints ids in hex.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use super::detect::Place;
use super::fact::Span;

/// The deepest nesting followed; serde_json has the same limit.
const DEPTH_LIMIT: usize = 100;

/// A JSON value found at a place.
#[derive(Debug)]
pub struct Document<'a> {
    /// The value.
    pub value: Value,
    /// Its text: one line, or several joined by `\n`.
    text: Cow<'a, str>,
    /// Where each of its lines starts in the text.
    starts: Vec<usize>,
    /// How many lines it takes.
    pub lines: usize,
}

impl<'a> Document<'a> {
    /// Reads the value that starts at the place; `None` when none does. What follows it on its last line may only be a
    /// comma or the border of a pane.
    #[must_use]
    pub fn read(place: &Place<'a>) -> Option<Self> {
        let first = place.lines.get(place.at)?;
        let trimmed = first.text.trim();
        if !trimmed.starts_with(['{', '[']) {
            return None;
        }
        let mut scan = Scan::default();
        let (lines, end) =
            place.lines.get(place.at..)?.iter().enumerate().find_map(|(i, line)| match scan.line(&line.text) {
                Step::Closed(end) => Some(Some((i + 1, end))),
                Step::Broken => Some(None),
                Step::Open => None,
            })??;
        let last = place.lines.get(place.at + lines - 1)?;
        let after = last.text.get(end..)?.trim();
        if !(after.is_empty() || after.chars().all(|c| matches!(c, ',' | '│' | '|' | ' ' | ';'))) {
            return None;
        }
        let text: Cow<'a, str> = if lines == 1 {
            Cow::Borrowed(first.text.get(..end)?)
        } else {
            let mut joined = String::new();
            for line in place.lines.get(place.at..place.at + lines - 1)? {
                joined.push_str(&line.text);
                joined.push('\n');
            }
            joined.push_str(last.text.get(..end)?);
            Cow::Owned(joined)
        };
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let value = serde_json::from_str(&text).ok()?;
        Some(Self { value, text, starts, lines })
    }

    /// The elements of the top-level array, or the value itself, each with the span it stands in: the object's own
    /// lines, and within a long line the object alone.
    #[must_use]
    pub fn elements(&self, place: &Place<'_>) -> Vec<(Value, Span)> {
        let whole = place.span(self.lines);
        match &self.value {
            Value::Array(_) => {
                let raws: Vec<&RawValue> = serde_json::from_str(&self.text).unwrap_or_default();
                raws.into_iter()
                    .filter_map(|raw| Some((serde_json::from_str(raw.get()).ok()?, self.span_of(place, raw.get()))))
                    .collect()
            }
            value => vec![(value.clone(), whole)],
        }
    }

    /// The elements of an array in the top-level object, each with its span.
    #[must_use]
    pub fn members(&self, place: &Place<'_>, key: &str) -> Option<Vec<(Value, Span)>> {
        let object: std::collections::HashMap<String, &RawValue> = serde_json::from_str(&self.text).ok()?;
        let raws: Vec<&RawValue> = serde_json::from_str(object.get(key)?.get()).ok()?;
        Some(
            raws.into_iter()
                .filter_map(|raw| Some((serde_json::from_str(raw.get()).ok()?, self.span_of(place, raw.get()))))
                .collect(),
        )
    }

    /// The span of a slice of the text.
    fn span_of(&self, place: &Place<'_>, part: &str) -> Span {
        let whole = place.span(self.lines);
        let Some(from) = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize) else { return whole };
        let line_of = |offset: usize| self.starts.partition_point(|s| *s <= offset).saturating_sub(1);
        let (first, last) = (line_of(from), line_of(from + part.len()));
        let mut span = place.range(place.at + first, place.at + last);
        span.focus = match (place.lines.get(place.at + first), self.lines) {
            (Some(line), 1) => line.range_in_raw(part),
            _ => None,
        };
        span
    }
}

/// Where the value at the start of the text ends, if it ends on this line.
#[must_use]
pub fn end_of_value(text: &str) -> Option<usize> {
    match Scan::default().line(text) {
        Step::Closed(end) => Some(end),
        Step::Broken | Step::Open => None,
    }
}

/// Follows brackets and strings over lines, so that the end of a value is found without reading past it.
#[derive(Default)]
pub(super) struct Scan {
    open: Vec<u8>,
    in_string: bool,
    escaped: bool,
}

enum Step {
    /// The value ended before this byte of the line.
    Closed(usize),
    /// No JSON.
    Broken,
    /// It goes on.
    Open,
}

impl Scan {
    /// Follows a line that ends within no string.
    fn line(&mut self, text: &str) -> Step {
        let step = self.piece(text);
        if self.in_string && matches!(step, Step::Open) { Step::Broken } else { step }
    }

    /// Follows a further piece, which may break off within a string: where the value ends in it, `Some(None)` while it is
    /// open, `None` when it is no JSON.
    pub(super) fn more(&mut self, text: &str) -> Option<Option<usize>> {
        match self.piece(text) {
            Step::Closed(end) => Some(Some(end)),
            Step::Open => Some(None),
            Step::Broken => None,
        }
    }

    fn piece(&mut self, text: &str) -> Step {
        for (at, byte) in text.bytes().enumerate() {
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => {
                    if self.open.len() == DEPTH_LIMIT {
                        return Step::Broken;
                    }
                    self.open.push(byte);
                }
                b'}' | b']' => {
                    let opener = if byte == b'}' { b'{' } else { b'[' };
                    if self.open.pop() != Some(opener) {
                        return Step::Broken;
                    }
                    if self.open.is_empty() {
                        return Step::Closed(at + 1);
                    }
                }
                _ if byte.is_ascii_whitespace() => {}
                // Outside of strings JSON knows only numbers, true, false, null, and its signs.
                b',' | b':' | b'-' | b'+' | b'.' | b'0'..=b'9' | b'E' | b'a'..=b'z' if !self.open.is_empty() => {}
                _ => return Step::Broken,
            }
        }
        Step::Open
    }
}

/// A field of an object by any of its spellings; case does not count, nor do underscores (`member_id`, `memberId`,
/// `memberID`).
#[must_use]
pub fn field<'v>(object: &'v Value, name: &str) -> Option<&'v Value> {
    let object = object.as_object()?;
    object.get(name).or_else(|| object.iter().find(|(key, _)| same_name(key, name)).map(|(_, v)| v))
}

fn same_name(key: &str, name: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        text.bytes().filter(|b| *b != b'_').map(|b| b.to_ascii_lowercase())
    }
    letters(key).eq(letters(name))
}

/// An unsigned number, as number or decimal text.
#[must_use]
pub fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(n) => n.as_u64(),
        Value::String(s) => s.trim().parse().ok(),
        _ => None,
    }
}

/// A signed number, as number or decimal text.
#[must_use]
pub fn signed(value: &Value) -> Option<i64> {
    match value {
        Value::Number(n) => n.as_i64(),
        Value::String(s) => s.trim().parse().ok(),
        _ => None,
    }
}

/// An id: a number is decimal; text is hex as `--hex` prints it, unless it can only be the gateway's decimal.
///
/// A text of decimal digits alone could be both: the gateway's has more than 16 digits almost always, `--hex` never.
/// `decimal` tells how the rest of the output prints numbers: the gateway prints all of them as text.
#[must_use]
pub fn id(value: &Value, decimal: bool) -> Option<u64> {
    match value {
        Value::Number(n) => n.as_u64(),
        Value::String(s) if decimal => s.trim().parse().ok(),
        Value::String(s) => hex_id(s).or_else(|| s.trim().parse().ok()),
        _ => None,
    }
}

/// An id in hex, without `0x` and zero padding: 1 to 16 digits.
#[must_use]
pub fn hex_id(text: &str) -> Option<u64> {
    let text = text.trim();
    let text = text.strip_prefix("0x").unwrap_or(text);
    let fits = (1..=16).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    fits.then(|| u64::from_str_radix(text, 16).ok())?
}

/// A boolean, also as text.
#[must_use]
pub fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(b) => Some(*b),
        Value::String(s) => boolean_text(s),
        _ => None,
    }
}

/// `true` or `false`.
#[must_use]
pub fn boolean_text(text: &str) -> Option<bool> {
    match text.trim() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}
