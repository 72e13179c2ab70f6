//! The form `-w fields`: lines `"Key" : value`, a blank line after each record.

use super::detect::Place;

/// One line of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair<'a> {
    /// The key, without quotes.
    pub key: &'a str,
    /// The value, without quotes.
    pub value: &'a str,
    /// Index of its line.
    pub at: usize,
}

/// One record: the lines up to a blank one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its lines, in order. Keys may stand twice (`RaftTerm`, `PeerURL`).
    pub pairs: Vec<Pair<'a>>,
}

impl<'a> Record<'a> {
    /// The last value of a key: of the two `RaftTerm` the second is the status's own.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().rev().find(|p| p.key == key).map(|p| p.value)
    }

    /// A number.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<u64> {
        self.get(key)?.parse().ok()
    }

    /// A signed number.
    #[must_use]
    pub fn signed(&self, key: &str) -> Option<i64> {
        self.get(key)?.parse().ok()
    }

    /// Has it the key?
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.pairs.iter().any(|p| p.key == key)
    }

    /// First and last line's index.
    #[must_use]
    pub fn range(&self) -> Option<(usize, usize)> {
        Some((self.pairs.first()?.at, self.pairs.last()?.at))
    }
}

/// The first record at the place. `None` when the place is no line of this form, or not the first of its record.
#[must_use]
pub fn first_record<'a>(place: &Place<'a>) -> Option<Record<'a>> {
    let starts = place.at == 0 || place.lines.get(place.at - 1).is_none_or(|l| pair(&l.text).is_none());
    if starts { record_at(place, place.at) } else { None }
}

/// The first record and those that follow it, as long as they fit; blank lines stand between them.
#[must_use]
pub fn records<'a>(place: &Place<'a>, first: Record<'a>, fits: fn(&Record<'_>) -> bool) -> Vec<Record<'a>> {
    let mut records = vec![first];
    while let Some((_, last)) = records.last().and_then(Record::range) {
        let rest = place.lines.get(last + 1..).unwrap_or_default();
        let Some(next) = rest.iter().position(|l| !l.is_blank()) else { break };
        match record_at(place, last + 1 + next) {
            Some(record) if fits(&record) => records.push(record),
            _ => break,
        }
    }
    records
}

/// The record whose first line this is.
fn record_at<'a>(place: &Place<'a>, at: usize) -> Option<Record<'a>> {
    let lines = place.lines.get(at..)?.iter().enumerate();
    let pairs: Vec<Pair<'a>> = lines
        .map_while(|(offset, line)| pair(&line.text).map(|(key, value)| Pair { key, value, at: at + offset }))
        .collect();
    (!pairs.is_empty()).then_some(Record { pairs })
}

/// Takes `"Key" : value` apart. A quoted value loses its quotes; etcd's keys are one word.
fn pair(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim().strip_prefix('"')?;
    let (key, rest) = rest.split_once('"')?;
    let value = rest.trim_start().strip_prefix(':')?.trim();
    let is_key = !key.is_empty() && key.len() <= 40 && key.bytes().all(|b| b.is_ascii_alphanumeric());
    // A line of pretty JSON ends with a comma or opens a bracket.
    let json = value.ends_with([',', '{']) || (value == "[" || !rest.starts_with(' '));
    let value = value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or(value);
    (is_key && !json).then_some((key, value))
}
