//! YAML with positions, read leniently: a pasted stretch may be cut, indented, or hold a line that is no YAML.

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};

use super::stretch::{Stretch, seen};
use super::{Draft, compose, config_file, docker_run, platform_config, pod_manifest, taken};
use crate::evidence::clean::heading::{Heading, heading};
use crate::evidence::detect::{Place, Taken};

/// Levels of nesting kept; what lies deeper is passed over.
const DEEPEST: usize = 48;

/// Turns documents into drafts; none when they are of another kind.
type Drafts = fn(&Place<'_>, &Stretch, &[Node]) -> Vec<Draft>;

/// The kinds of document that hold server flags, the most telling first.
const DOCUMENTS: &[(&str, Drafts)] = &[
    ("docker inspect", docker_run::inspected),
    ("compose file", compose::drafts),
    ("pod manifest", pod_manifest::drafts),
    ("platform config", platform_config::drafts),
    ("config file", config_file::drafts),
];

/// Lines that are no YAML and may be passed over in one stretch.
const PASSED_OVER: usize = 12;

/// A value and where it stands in the stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// First byte.
    pub from: usize,
    /// Byte after the last.
    pub to: usize,
}

/// The kinds of value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing (`key:`, `null`, `~`), or something passed over.
    Null,
    /// A text, number or bool.
    Scalar(String, ScalarStyle),
    /// `- a`
    List(Vec<Node>),
    /// `key: value`, in order, repeated keys kept.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    /// The items of a list; none of anything else.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.pairs().iter().find(|(k, _)| k.text() == Some(key)).map(|(_, v)| v)
    }

    /// The pairs of a map; none of anything else.
    pub fn pairs(&self) -> &[(Node, Node)] {
        match &self.value {
            Value::Map(pairs) => pairs,
            _ => &[],
        }
    }
}

/// Reads YAML that holds server flags, from the first line of a document to its last.
pub fn read(place: &Place<'_>) -> Option<Taken> {
    let end = document_end(place)?;
    let lines = place.lines.get(place.at..end)?;
    if !lines.iter().any(|l| speaks_of_etcd(seen(l))) {
        return None;
    }
    let mut stretch = Stretch::default();
    for index in place.at..end {
        let text = place.lines.get(index).map(seen).unwrap_or_default();
        if !matches!(Shape::of(text), Shape::Passed | Shape::Separator) {
            stretch.push(place.lines, index, 0, text.len());
        }
        stretch.push_end(place.lines, index, '\n');
    }
    let documents = parse(&stretch);
    let read = |(form, read): &(&'static str, Drafts)| (*form, read(place, &stretch, &documents));
    let (form, drafts) = DOCUMENTS.iter().map(read).find(|(_, drafts)| !drafts.is_empty())?;
    Some(taken(place, end - place.at, form, drafts))
}

/// Is it worth parsing a document that holds this line?
fn speaks_of_etcd(text: &str) -> bool {
    text.as_bytes().windows(4).any(|w| w.eq_ignore_ascii_case(b"etcd"))
        || key_of(text.trim_start()).is_some_and(config_file::is_known_key)
        || flag_in_list(text).is_some_and(super::is_known)
}

/// The flag a list item starts with: `- --name=m1`.
fn flag_in_list(text: &str) -> Option<&str> {
    let item = text.trim_start().strip_prefix("- ")?.trim_start_matches([' ', '"', '\'', '-']);
    item.split(['=', ' ', '"', '\'']).next()
}

/// The end (index after the last line) of the YAML document that starts at the place; `None` when none starts there.
///
/// Where documents start is decided by a line and the one above it alone, so every line is looked at for one document
/// only.
fn document_end(place: &Place<'_>) -> Option<usize> {
    if !starts(place, place.at) {
        return None;
    }
    let mut end = place.at + 1;
    let mut base = None;
    let mut at = place.at;
    while let Some(line) = place.lines.get(at) {
        let text = seen(line);
        let shape = Shape::of(text);
        if base.is_some() && starts(place, at) {
            break;
        }
        match shape {
            Shape::Entry => {
                base = base.or(Some(indent(text)));
                end = at + 1;
            }
            Shape::Other if base.is_none_or(|base| indent(text) <= base) => break,
            Shape::Other => end = at + 1,
            Shape::Blank | Shape::Comment | Shape::Passed | Shape::Separator => {}
        }
        at += 1;
    }
    base.is_some().then_some(end)
}

fn starts(place: &Place<'_>, at: usize) -> bool {
    let Some(line) = place.lines.get(at) else { return false };
    let text = seen(line);
    match Shape::of(text) {
        Shape::Separator => true,
        Shape::Entry | Shape::Comment => {
            let above = place.lines.get(..at).unwrap_or(&[]).iter().rev().map(seen).find(|l| !l.trim().is_empty());
            above.is_none_or(|above| match Shape::of(above) {
                Shape::Separator => true,
                // `##etcd-collect …` and `## m1` look like comments. One that names a host may be a comment, too.
                Shape::Comment => match heading(above) {
                    Some(Heading::Marker { .. }) => true,
                    Some(Heading::Host(_)) => text.starts_with("apiVersion:"),
                    None => false,
                },
                // Within a script of a manifest, lines of one depth follow each other.
                Shape::Other => indent(above) == 0 || indent(above) < indent(text),
                _ => false,
            })
        }
        Shape::Blank | Shape::Passed | Shape::Other => false,
    }
}

/// What a line is to a YAML document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Blank,
    Comment,
    /// `---`
    Separator,
    /// A key or a list item.
    Entry,
    /// A template's own line, or dots that stand for lines left out.
    Passed,
    /// Anything else: the inside of a longer text, or no YAML.
    Other,
}

impl Shape {
    fn of(text: &str) -> Self {
        let bare = text.trim();
        if bare.is_empty() {
            return Self::Blank;
        }
        if bare.starts_with('#') {
            return Self::Comment;
        }
        if let Some(rest) = text.strip_prefix("---") {
            return if rest.is_empty() || rest.starts_with(' ') { Self::Separator } else { Self::Other };
        }
        let left_out = bare.chars().all(|c| matches!(c, '.' | '…' | '[' | ']' | '<' | '>' | '(' | ')'))
            && bare.contains(['.', '…']);
        if left_out || bare.starts_with("{{") {
            return Self::Passed;
        }
        if bare == "-" || bare.starts_with("- ") || bare.starts_with(['{', '}', ']']) || bare == "[" {
            return Self::Entry;
        }
        if key_of(bare).is_some() { Self::Entry } else { Self::Other }
    }
}

/// The key a line starts with: `key:` or `"key":`, followed by a blank or nothing.
fn key_of(bare: &str) -> Option<&str> {
    let (key, rest) = match bare.strip_prefix(['"', '\'']) {
        Some(rest) => rest.split_once(['"', '\''])?,
        None => {
            let end = bare.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')))?;
            bare.split_at_checked(end)?
        }
    };
    let rest = rest.trim_start().strip_prefix(':')?;
    (!key.is_empty() && (rest.is_empty() || rest.starts_with([' ', '\t']))).then_some(key)
}

fn indent(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Parses a stretch into its documents. A line that is no YAML is passed over, up to a few.
pub fn parse(stretch: &Stretch) -> Vec<Node> {
    let mut text = without_tabs(stretch.text());
    for _ in 0..PASSED_OVER {
        match parse_once(&text) {
            Ok(documents) => return documents,
            Err(failed) => {
                let Some((from, to)) = last_filled_line(&text, failed.at) else { return failed.documents };
                text.replace_range(from..to, &" ".repeat(to - from));
            }
        }
    }
    parse_once(&text).unwrap_or_else(|failed| failed.documents)
}

/// The text with each tab of an indentation turned into a blank: YAML refuses tabs there, people's editors do not.
fn without_tabs(text: &str) -> String {
    let mut at_start = true;
    let blank = |c: char| {
        at_start = c == '\n' || (at_start && c.is_whitespace());
        if at_start && c == '\t' { ' ' } else { c }
    };
    text.chars().map(blank).collect()
}

/// The range of the line at `at`, or of the nearest one above that is not blank.
fn last_filled_line(text: &str, at: usize) -> Option<(usize, usize)> {
    let mut end = text.get(at.min(text.len())..)?.find('\n').map_or(text.len(), |i| at + i);
    loop {
        let start = text.get(..end)?.rfind('\n').map_or(0, |i| i + 1);
        if !text.get(start..end)?.trim().is_empty() {
            return Some((start, end));
        }
        end = start.checked_sub(1)?;
    }
}

/// What could be read before a place that is no YAML.
struct Failed {
    documents: Vec<Node>,
    at: usize,
}

fn parse_once(text: &str) -> Result<Vec<Node>, Failed> {
    let bytes = Bytes::of(text);
    let mut tree = Tree::default();
    let mut parser = Parser::new(StrInput::new(text));
    while let Some(event) = parser.next_event() {
        match event {
            Ok((event, span)) => tree.take(event, bytes.of_char(span.start.index()), bytes.of_char(span.end.index())),
            Err(error) => {
                let at = bytes.of_char(error.marker().index());
                return Err(Failed { documents: tree.close(), at });
            }
        }
    }
    Ok(tree.close())
}

/// From characters to bytes.
enum Bytes {
    /// They are the same.
    Ascii(usize),
    Table(Vec<usize>),
}

impl Bytes {
    fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Ascii(text.len());
        }
        Self::Table(text.char_indices().map(|(i, _)| i).chain([text.len()]).collect())
    }

    fn of_char(&self, index: usize) -> usize {
        match self {
            Self::Ascii(length) => index.min(*length),
            Self::Table(table) => table.get(index).or(table.last()).copied().unwrap_or(0),
        }
    }
}

/// Builds nodes from events, without recursion.
#[derive(Default)]
struct Tree {
    documents: Vec<Node>,
    open: Vec<Node>,
    /// A key that waits for its value, one place an open node.
    keys: Vec<Option<Node>>,
    /// Open collections below the deepest level.
    deeper: usize,
}

impl Tree {
    fn take(&mut self, event: Event<'_>, from: usize, to: usize) {
        match event {
            Event::Scalar(text, style, ..) => {
                let null = style == ScalarStyle::Plain && (from == to || matches!(text.as_ref(), "~" | "null" | ""));
                let value = if null { Value::Null } else { Value::Scalar(text.into_owned(), style) };
                self.add(Node { value, from, to });
            }
            Event::Alias(_) => self.add(Node { value: Value::Null, from, to }),
            Event::SequenceStart(..) => self.start(Value::List(Vec::new()), from),
            Event::MappingStart(..) => self.start(Value::Map(Vec::new()), from),
            Event::SequenceEnd | Event::MappingEnd => self.end(from),
            Event::DocumentEnd => self.close_all(),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => {}
        }
    }

    fn start(&mut self, value: Value, from: usize) {
        if self.open.len() >= DEEPEST {
            self.deeper += 1;
            return;
        }
        self.open.push(Node { value, from, to: from });
        self.keys.push(None);
    }

    fn end(&mut self, at: usize) {
        if self.deeper > 0 {
            self.deeper -= 1;
            if self.deeper == 0 {
                self.add(Node { value: Value::Null, from: at, to: at });
            }
            return;
        }
        let key = self.keys.pop().flatten();
        let Some(mut node) = self.open.pop() else { return };
        if let (Some(key), Value::Map(pairs)) = (key, &mut node.value) {
            let value = Node { value: Value::Null, from: key.to, to: key.to };
            pairs.push((key, value));
        }
        self.add(node);
    }

    fn add(&mut self, node: Node) {
        if self.deeper > 0 {
            return;
        }
        let (Some(parent), Some(key)) = (self.open.last_mut(), self.keys.last_mut()) else {
            self.documents.push(node);
            return;
        };
        parent.to = parent.to.max(node.to);
        match &mut parent.value {
            Value::List(items) => items.push(node),
            Value::Map(pairs) => match key.take() {
                Some(key) => pairs.push((key, node)),
                None => *key = Some(node),
            },
            Value::Null | Value::Scalar(..) => {}
        }
    }

    fn close_all(&mut self) {
        self.deeper = 0;
        while let Some(node) = self.open.last() {
            let at = node.to;
            self.end(at);
        }
    }

    fn close(mut self) -> Vec<Node> {
        self.close_all();
        self.documents
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::clean;

    /// The scalars of a text, each with what its range cuts out.
    fn scalars(text: &str) -> Vec<(String, String)> {
        let lines = clean::lines(text);
        let mut stretch = Stretch::default();
        for (index, line) in lines.iter().enumerate() {
            stretch.push(&lines, index, 0, seen(line).len());
            stretch.push_end(&lines, index, '\n');
        }
        fn walk(stretch: &Stretch, node: &Node, out: &mut Vec<(String, String)>) {
            if let Some(text) = node.text() {
                out.push((text.to_owned(), stretch.cut(node.from, node.to).to_owned()));
            }
            for item in node.items() {
                walk(stretch, item, out);
            }
            for (key, value) in node.pairs() {
                walk(stretch, key, out);
                walk(stretch, value, out);
            }
        }
        let mut out = Vec::new();
        for document in parse(&stretch) {
            walk(&stretch, &document, &mut out);
        }
        out
    }

    #[test]
    fn ranges_cut_out_what_was_written() {
        let found = scalars("é: 'b c'\nd:\n  - \"e f\"\n  - g  # h\ni: |\n  j\n  k\nl: >-\n  m\n  n\no: p\n");
        let cut: Vec<&str> = found.iter().map(|(_, cut)| cut.as_str()).collect();
        assert_eq!(cut, ["é", "'b c'", "d", "\"e f\"", "g", "i", "j\n  k\n", "l", "m\n  n\n", "o", "p"]);
    }

    #[test]
    fn deep_nesting_is_passed_over() {
        let deep = format!("{}x{}\nname: m1\n", "[".repeat(200), "]".repeat(200));
        assert!(scalars(&format!("a: {deep}")).iter().any(|(text, _)| text == "m1"));
        scalars(&"- ".repeat(20_000));
        scalars(&(0..2000).map(|i| format!("{}a:\n", " ".repeat(i))).collect::<String>());
    }
}
