//! Putting one text for another, at the borders of words, the longest first.

use std::collections::BTreeMap;

/// What is replaced by what. Case does not count.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    words: BTreeMap<String, String>,
    /// Their lengths, longest first, and their first bytes: most places of a text are neither.
    lengths: Vec<usize>,
    firsts: Vec<u8>,
}

impl FromIterator<(String, String)> for Table {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        let words: BTreeMap<String, String> =
            pairs.into_iter().map(|(from, to)| (from.to_ascii_lowercase(), to)).collect();
        let mut lengths: Vec<usize> = words.keys().map(String::len).collect();
        crate::sort::by_key(&mut lengths, |length| std::cmp::Reverse(*length));
        lengths.dedup();
        let mut firsts: Vec<u8> = words.keys().filter_map(|word| word.bytes().next()).collect();
        firsts.dedup();
        Self { words, lengths, firsts }
    }
}

impl Table {
    /// The text with everything replaced.
    pub(super) fn replace(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for (from, to, word) in self.places(text) {
            out.push_str(text.get(done..from).unwrap_or(""));
            out.push_str(word);
            done = to;
        }
        out.push_str(text.get(done..).unwrap_or(""));
        out
    }

    /// What is to be replaced in a text: from where to where, and by what.
    pub(super) fn places(&self, text: &str) -> Vec<(usize, usize, &str)> {
        let mut places = Vec::new();
        let mut before: Option<char> = None;
        let mut at = 0;
        while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            if let Some((end, word)) = self.at(text, at, before, c) {
                places.push((at, end, word));
                before = text.get(at..end).and_then(|t| t.chars().next_back());
                at = end;
            } else {
                before = Some(c);
                at += c.len_utf8();
            }
        }
        places
    }

    /// The longest word that begins here, with its end and what stands for it.
    fn at(&self, text: &str, at: usize, before: Option<char>, first: char) -> Option<(usize, &str)> {
        let byte = text.as_bytes().get(at)?.to_ascii_lowercase();
        if self.firsts.binary_search(&byte).is_err() || inside_a_word(before, first) {
            return None;
        }
        for length in &self.lengths {
            let end = at + length;
            let Some(part) = text.get(at..end) else { continue };
            let after = text.get(end..).and_then(|rest| rest.chars().next());
            if after.is_some_and(|after| inside_a_word(part.chars().next_back(), after)) {
                continue;
            }
            if let Some(word) = self.words.get(&part.to_ascii_lowercase()) {
                return Some((end, word));
            }
        }
        None
    }
}

/// Do these two stand in one word? Signs end a word: `etcd-m1`, `m1.example`, `m1_data`.
fn inside_a_word(before: Option<char>, after: char) -> bool {
    before.is_some_and(char::is_alphanumeric) && after.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_word_wins_and_words_are_whole() {
        let pairs =
            [("m1", "member-1"), ("m1.acme.example", "host-a"), ("10.0.0.1", "192.0.2.1"), ("fd00::1", "2001:db8::1")];
        let table: Table = pairs.into_iter().map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
        for (text, replaced) in [
            ("m1 m10 am1 M1", "member-1 m10 am1 member-1"),
            ("etcd-m1, m1_data, m1.acme.example:2379", "etcd-member-1, member-1_data, host-a:2379"),
            ("http://10.0.0.1:2379 10.0.0.12 110.0.0.1", "http://192.0.2.1:2379 10.0.0.12 110.0.0.1"),
            ("[fd00::1]:2379", "[2001:db8::1]:2379"),
            ("üm1 m1ü", "üm1 m1ü"),
            ("", ""),
        ] {
            assert_eq!(table.replace(text), replaced);
        }
    }
}
