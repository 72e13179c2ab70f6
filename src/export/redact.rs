//! Names, hosts, addresses, ids, users and tokens replaced, each by its kind and everywhere by the same: `member-1`,
//! `host-a`, `192.0.2.1`, `2001:db8::1`, `1d00000000000001`. The stand-ins have the form of what they stand for, so
//! that a redacted text is read as the original is. Versions, revisions, sizes and the ids of gates stay.
//!
//! `find` looks for them, `replace` puts the stand-ins in and, with the key, takes them out again.

mod find;
mod replace;
mod wrapped;

use std::collections::BTreeMap;

use super::report::Report;
use super::report::texts::Place;
use crate::evidence::paste::QUOTE_LIMIT;
use replace::Table;

/// What something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A member.
    Member,
    /// A host or a domain.
    Host,
    /// Who is logged in.
    User,
    /// Who owns a step or accepted a warning.
    Person,
    /// An address.
    V4,
    /// An address.
    V6,
    /// An id of a cluster or member, or any other large number.
    Id,
    /// A token, a password, a fingerprint.
    Token,
    /// The name of a paste.
    Paste,
    /// A word that the person named.
    Word,
}

/// What is replaced, and by what.
#[derive(Debug, Clone, Default)]
pub struct Redaction {
    pairs: Vec<Pair>,
    table: Table,
}

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// What it is.
    pub kind: Kind,
    /// As it was.
    pub original: String,
    /// What stands for it.
    pub stand_in: String,
}

impl Redaction {
    /// Finds what is to be replaced in a report and in the texts it was made of. `also` are words that the person
    /// wants replaced besides.
    #[must_use]
    pub fn of(report: &Report, texts: &[&str], also: &[String]) -> Self {
        let mut found = Found::default();
        for word in also {
            found.add(Kind::Word, word.trim());
        }
        found.named(report);
        // A copy, since a report is shown its texts to change them.
        report.clone().each_text(&mut |place, text| match place {
            Place::Text | Place::Quote => found.text(text),
            Place::Paste => found.paste(text),
            Place::Person => found.add(Kind::Person, text.trim()),
        });
        texts.iter().for_each(|text| found.text(text));
        found.redaction()
    }

    /// Replaces in a report.
    pub fn report(&self, report: &mut Report) {
        report.each_text(&mut |place, text| {
            if place == Place::Quote {
                whole_words(text);
            }
            *text = self.text(text);
        });
        for ground in report.findings.iter_mut().flat_map(|f| &mut f.grounds) {
            let quote = &ground.quote;
            ground.mark = ground.mark.take().filter(|mark| quote.contains(mark.as_str()));
        }
    }

    /// Replaces in a text.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.table.replace(&wrapped::replace(text, &self.table))
    }

    /// What is replaced by what, kind by kind, for a preview.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The key that maps back, as JSON: it never leaves this machine by itself.
    #[must_use]
    pub fn key(&self) -> String {
        // As the answers are kept: one kind of map is enough in the page.
        let mut map: BTreeMap<String, String> = BTreeMap::new();
        for pair in &self.pairs {
            map.insert(pair.stand_in.clone(), pair.original.clone());
        }
        serde_json::to_string_pretty(&map).unwrap_or_default() + "\n"
    }
}

/// Puts back what a key names, in an answer to a redacted report.
///
/// # Errors
/// When the key is none.
pub fn put_back(text: &str, key: &str) -> Result<String, String> {
    let map: BTreeMap<String, String> = serde_json::from_str(key)
        .map_err(|e| format!("expected the key that was saved with the report, a JSON object of texts: {e}"))?;
    let table: Table = map.into_iter().collect();
    Ok(table.replace(text))
}

/// A quote that was cut may begin and end inside a name; such halves go.
fn whole_words(quote: &mut String) {
    if quote.len() + 4 < QUOTE_LIMIT {
        return;
    }
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_' | ':');
    let words = quote.trim_start_matches(inside).trim_end_matches(inside);
    *quote = if words.is_empty() { "…".to_owned() } else { format!("…{words}…") };
}

/// What was found, in order, each once.
#[derive(Default)]
struct Found {
    order: Vec<(Kind, String)>,
    /// What was found, in small letters, and ids behind a `#`. One kind of map is enough in the page.
    seen: BTreeMap<String, String>,
}

impl Found {
    /// Something that is not to be seen, unless it tells nothing.
    fn add(&mut self, kind: Kind, text: &str) {
        let chosen = matches!(kind, Kind::Word | Kind::Person);
        if text.len() < 2 || (!chosen && find::tells_nothing(text)) {
            return;
        }
        if self.is_new(text.to_ascii_lowercase()) {
            self.order.push((kind, text.to_owned()));
        }
    }

    fn is_new(&mut self, what: String) -> bool {
        self.seen.insert(what, String::new()).is_none()
    }

    /// An id: the same in hex and as a number.
    fn id(&mut self, id: u64) {
        if self.is_new(format!("#{id:x}")) {
            self.order.push((Kind::Id, format!("{id:x}")));
        }
    }

    /// What a text holds, also where a table breaks it.
    fn text(&mut self, text: &str) {
        find::in_text(text, self);
        wrapped::whole(text).iter().for_each(|cell| find::in_text(cell, self));
    }

    /// The name of a paste, unless every word of it says only what it holds.
    fn paste(&mut self, name: &str) {
        find::in_text(name, self);
        let mut words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        if !words.all(|word| find::is_plain(word) || self.seen.contains_key(&word.to_ascii_lowercase())) {
            self.add(Kind::Paste, name.trim());
        }
    }

    /// What the report knows to be a name, whatever it looks like.
    fn named(&mut self, report: &Report) {
        for member in &report.members {
            // What no reader named is called by its id or its address, which is found by its form.
            if let Some(name) = &member.name {
                self.add(Kind::Member, name);
            }
            if let Some(id) =
                member.id.as_ref().and_then(|id| u64::from_str_radix(id, 16).ok()).filter(|id| *id > 0xffff)
            {
                self.id(id);
            }
            if let Some(endpoint) = &member.endpoint {
                self.host_of(endpoint);
            }
        }
        report.recognised.iter().filter_map(|r| r.member.as_ref()).for_each(|name| self.maybe_name(name));
        if let Some(change) = &report.intent.change {
            change.new_names.iter().chain(&change.member).for_each(|name| self.maybe_name(name));
            change.new_peer_urls.iter().for_each(|url| self.host_of(url));
        }
        for waiver in &report.waivers {
            let name = waiver.accepted.strip_prefix("Accepted by ").and_then(|rest| rest.split_once(" until "));
            if let Some((name, _)) = name {
                self.add(Kind::Person, name.trim());
            }
        }
    }

    fn host_of(&mut self, endpoint: &str) {
        if endpoint.contains("://") {
            find::in_text(endpoint, self)
        } else {
            find::in_text(&format!("http://{endpoint}"), self)
        }
    }

    /// A member as the person called it: by name, id or URL.
    fn maybe_name(&mut self, text: &str) {
        if text.contains("://") {
            self.host_of(text);
        } else {
            find::in_text(text, self);
            if find::is_name(text) {
                self.add(Kind::Member, text);
            }
        }
    }

    fn redaction(self) -> Redaction {
        let Self { order, seen } = self;
        let mut pairs = Vec::with_capacity(order.len());
        let mut numbers = [0_usize; 16];
        for (kind, original) in order {
            let Some(number) = numbers.get_mut(kind as usize) else { continue };
            // A stand-in that is the name of something else here would stand for two things.
            let stand_in = loop {
                *number += 1;
                let next = stand_in(kind, *number);
                if !seen.contains_key(&next) {
                    break next;
                }
            };
            if let (Kind::Id, Ok(id), Ok(other)) =
                (kind, u64::from_str_radix(&original, 16), u64::from_str_radix(&stand_in, 16))
            {
                pairs.push(Pair { kind, original: id.to_string(), stand_in: other.to_string() });
                if original.len() < 16 {
                    pairs.push(Pair { kind, original: format!("{id:016x}"), stand_in: stand_in.clone() });
                }
            }
            pairs.push(Pair { kind, original, stand_in });
        }
        crate::sort::by_key(&mut pairs, |pair| pair.kind);
        let table = pairs.iter().map(|pair| (pair.original.clone(), pair.stand_in.clone())).collect();
        Redaction { pairs, table }
    }
}

fn stand_in(kind: Kind, number: usize) -> String {
    match kind {
        Kind::Member => format!("member-{number}"),
        Kind::Host => format!("host-{}", letters(number)),
        Kind::User => format!("user-{number}"),
        Kind::Person => format!("person-{number}"),
        Kind::V4 => v4(number),
        Kind::V6 => format!("2001:db8::{number:x}"),
        // "1d" reads as "id"; sixteen digits, as etcd prints ids.
        Kind::Id => format!("1d{number:014x}"),
        Kind::Token => format!("token-{number}"),
        Kind::Paste => format!("paste-{number}"),
        Kind::Word => format!("word-{number}"),
    }
}

/// a … z, aa, ab …
fn letters(number: usize) -> String {
    let mut rest = number;
    let mut out = String::new();
    while rest > 0 {
        rest -= 1;
        let letter = b'a' + u8::try_from(rest % 26).unwrap_or(0);
        out.insert(0, char::from(letter));
        rest /= 26;
    }
    out
}

/// The addresses that are kept for documents, then those that are kept for measuring.
fn v4(number: usize) -> String {
    let (net, at) = ((number - 1) / 254, (number - 1) % 254 + 1);
    match net {
        0 => format!("192.0.2.{at}"),
        1 => format!("198.51.100.{at}"),
        2 => format!("203.0.113.{at}"),
        _ => format!("198.{}.{}.{at}", 18 + (net / 256) % 2, net % 256),
    }
}

#[cfg(test)]
mod tests;
