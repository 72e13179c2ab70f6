//! A command line cut into words as a shell, systemd or the kernel would: quotes, backslashes, `${…}`, `$(…)`.

use std::iter::Peekable;
use std::str::CharIndices;

use super::stretch::{Stretch, seen};
use crate::evidence::detect::Place;

/// Who cuts the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// A shell: `|`, `&`, `;`, line ends and redirections end a command, `#` starts a comment.
    Shell,
    /// A shell that got the text in double quotes: another shell took away one level of backslashes.
    Nested,
    /// systemd: quotes and backslashes, no operators.
    Systemd,
}

impl Rules {
    /// Those for the text a word holds, when the word is a command of its own.
    pub fn inside(word: &Word) -> Self {
        if word.quote == Some('"') { Self::Nested } else { Self::Shell }
    }
}

/// One word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The word as the program gets it. Variables and `$(…)` are left as written.
    pub text: String,
    /// Where it starts in the stretch, without a quote that surrounds all of it.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Does it end the command (`|`, `&&`, `;`, a redirection)? Then it is no argument.
    pub operator: bool,
    /// The quote that surrounds all of it, if one does.
    pub quote: Option<char>,
}

/// Joins the line offered with those that continue it (`\` at the end), and says how many lines that are.
///
/// `skip` bytes of the first line are left out.
pub fn logical_line(place: &Place<'_>, at: usize, skip: usize, rules: Rules) -> (Stretch, usize) {
    let mut stretch = Stretch::default();
    let mut index = at;
    while let Some(line) = place.lines.get(index) {
        let text = seen(line);
        let from = if index == at { skip } else { continuation_prompt(text) };
        let body = text.trim_end();
        let (to, more) = match body.strip_suffix('\\') {
            Some(body) if place.lines.get(index + 1).is_some() => (body.len().max(from), true),
            _ => (body.len().max(from), false),
        };
        stretch.push(place.lines, index, from, to);
        index += 1;
        if !more {
            // A line that starts with a flag runs on without a backslash: one argument a line, or a wrapped line.
            let runs_on = place.lines.get(index).is_some_and(|l| starts_with_flag(seen(l)));
            if rules == Rules::Systemd || !runs_on {
                break;
            }
            stretch.push_end(place.lines, index - 1, ' ');
        }
        if rules == Rules::Systemd {
            // systemd puts a blank where the line was broken and passes over comment lines in between.
            stretch.push_end(place.lines, index - 1, ' ');
            while place.lines.get(index).is_some_and(|l| seen(l).trim_start().starts_with(['#', ';'])) {
                index += 1;
            }
        }
    }
    (stretch, index - at)
}

/// Does the line before this one run on into it?
pub fn continues(place: &Place<'_>, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|i| place.lines.get(i));
    before.is_some_and(|line| seen(line).trim_end().ends_with('\\'))
}

/// Does the line start with a flag (not with a list's dash)?
pub fn starts_with_flag(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or("");
    super::arguments::flag_parts(word).is_some()
}

/// The length of the `> ` a shell prints before a continued line.
fn continuation_prompt(text: &str) -> usize {
    let indent = text.len() - text.trim_start().len();
    if text.trim_start().starts_with("> ") { indent + 2 } else { 0 }
}

/// Cuts `from..to` of a stretch into words. Linear in its length.
pub fn split(stretch: &Stretch, from: usize, to: usize, rules: Rules) -> Vec<Word> {
    let text = stretch.cut(from, to);
    let mut cutter = Cutter {
        rules,
        base: from,
        length: text.len(),
        last_single: text.rfind('\''),
        last_double: text.rfind('"'),
        chars: Characters { text: text.char_indices().peekable(), nested: rules == Rules::Nested }.peekable(),
        words: Vec::new(),
        word: None,
    };
    cutter.run();
    cutter.words
}

struct Cutter<'a> {
    rules: Rules,
    base: usize,
    length: usize,
    last_single: Option<usize>,
    last_double: Option<usize>,
    chars: Peekable<Characters<'a>>,
    words: Vec<Word>,
    word: Option<Open>,
}

/// Characters with their places, a level of backslashes taken away if the text is nested.
struct Characters<'a> {
    text: Peekable<CharIndices<'a>>,
    nested: bool,
}

impl Iterator for Characters<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<Self::Item> {
        let (at, c) = self.text.next()?;
        if self.nested && c == '\\' {
            return self.text.next_if(|(_, c)| is_escaped(*c)).or(Some((at, c)));
        }
        Some((at, c))
    }
}

/// What a backslash makes literal between double quotes.
fn is_escaped(c: char) -> bool {
    matches!(c, '"' | '\\' | '$' | '`' | '\n')
}

/// The word being read.
struct Open {
    text: String,
    from: usize,
    /// It is one quoted piece so far: the quote, and where it ended.
    quoted: Option<(char, usize)>,
}

impl Cutter<'_> {
    fn run(&mut self) {
        while let Some((at, c)) = self.chars.next() {
            match c {
                '\n' if self.rules != Rules::Systemd => self.operator(at, c),
                _ if c.is_whitespace() => self.close(at),
                '\\' => match self.chars.next() {
                    Some((_, '\n')) => {}
                    Some((_, next)) => self.add(at, next),
                    None => self.add(at, c),
                },
                '\'' if self.last_single.is_some_and(|l| l > at) => self.single(at),
                '"' if self.last_double.is_some_and(|l| l > at) => self.double(at),
                // A quote that nothing closes: at the start of a word it was meant to surround it.
                '\'' | '"' if self.word.is_none() => self.open(at + 1),
                '$' | '{' if self.group(at, c) => {}
                '#' if self.rules != Rules::Systemd && self.word.is_none() => {
                    while self.chars.next_if(|(_, c)| *c != '\n').is_some() {}
                }
                '|' | '&' | ';' | '<' | '>' | '(' | ')' if self.rules != Rules::Systemd => self.operator(at, c),
                _ => self.add(at, c),
            }
        }
        self.close(self.length);
    }

    fn open(&mut self, at: usize) {
        self.word.get_or_insert_with(|| Open { text: String::new(), from: at, quoted: None });
    }

    fn add(&mut self, at: usize, c: char) {
        self.open(at);
        if let Some(word) = &mut self.word {
            word.text.push(c);
            word.quoted = None;
        }
    }

    fn single(&mut self, at: usize) {
        let starts = self.word.is_none();
        self.open(at);
        let mut end = at;
        for (next, c) in self.chars.by_ref() {
            end = next;
            if c == '\'' {
                break;
            }
            if let Some(word) = &mut self.word {
                word.text.push(c);
            }
        }
        self.mark(starts, '\'', end);
    }

    fn double(&mut self, at: usize) {
        let starts = self.word.is_none();
        self.open(at);
        let mut end = at;
        while let Some((next, c)) = self.chars.next() {
            end = next;
            let c = match c {
                '"' => break,
                '\\' => match self.chars.next_if(|(_, c)| is_escaped(*c)) {
                    Some((_, '\n')) => continue,
                    Some((_, escaped)) => escaped,
                    None => c,
                },
                _ => c,
            };
            if let Some(word) = &mut self.word {
                word.text.push(c);
            }
        }
        self.mark(starts, '"', end);
    }

    fn mark(&mut self, starts: bool, quote: char, end: usize) {
        if let Some(word) = &mut self.word {
            word.quoted = starts.then_some((quote, end));
        }
    }

    /// `${…}`, `$(…)` and `{{ … }}` belong to the word, blanks included. An unclosed one runs to the end.
    fn group(&mut self, at: usize, first: char) -> bool {
        let (open, close) = match (first, self.chars.peek().map(|(_, c)| *c)) {
            ('$', Some('{')) | ('{', Some('{')) => ('{', '}'),
            ('$', Some('(')) => ('(', ')'),
            _ => return false,
        };
        self.add(at, first);
        let mut depth = usize::from(first == open);
        while let Some((next, c)) = self.chars.next() {
            self.add(next, c);
            if c == open {
                depth += 1;
            } else if c == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
        }
        true
    }

    fn operator(&mut self, at: usize, c: char) {
        // `2>file`: the number belongs to the redirection.
        if matches!(c, '<' | '>') && self.word.as_ref().is_some_and(|w| w.text.bytes().all(|b| b.is_ascii_digit())) {
            self.word = None;
        }
        self.close(at);
        let mut to = at + c.len_utf8();
        let mut text = c.to_string();
        while let Some((next, more)) = self.chars.next_if(|(_, n)| matches!(n, '|' | '&' | '>' | ';')) {
            text.push(more);
            to = next + more.len_utf8();
        }
        self.words.push(Word { text, from: self.base + at, to: self.base + to, operator: true, quote: None });
    }

    fn close(&mut self, at: usize) {
        let Some(word) = self.word.take() else { return };
        let inner = word.quoted.map(|(_, end)| (word.from + 1, end));
        let (from, to) = inner.unwrap_or((word.from, at));
        self.words.push(Word {
            text: word.text,
            from: self.base + from,
            to: self.base + to,
            operator: false,
            quote: word.quoted.map(|(quote, _)| quote),
        });
    }
}
