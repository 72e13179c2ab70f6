//! What the tests of the readers share: places made from text, settings as plain rows, spans cut again.

use crate::evidence::clean::{self, Line, Role};
use crate::evidence::detect::{Context, Place, Reader, Taken};
use crate::evidence::fact::{Body, FlagForm, FlagSet, Span};

/// The text a span's focus points at in the lines as given; the whole lines without a focus.
pub fn focus(lines: &[Line<'_>], span: &Span) -> String {
    let inside = lines.iter().filter(|l| (span.first_line..=span.last_line).contains(&l.number));
    let text = inside.map(|l| l.raw).collect::<Vec<_>>().join("\n");
    match span.focus {
        Some((from, to)) => text[from..to].to_owned(),
        None => text,
    }
}

/// A setting: name, value, form, the text at its focus.
pub type Row = (String, Option<String>, FlagForm, String);

/// What reading a text with readers gave.
pub struct Read {
    /// Everything taken, with the index of the line it was offered at.
    pub taken: Vec<(usize, Taken)>,
    /// Lines nobody took, blank ones left out.
    pub left: Vec<String>,
    /// For each flag set, its settings: name, value, form, text at the focus.
    pub rows: Vec<Vec<Row>>,
}

impl Read {
    /// All flag sets.
    pub fn sets(&self) -> Vec<&FlagSet> {
        let facts = self.taken.iter().flat_map(|(_, t)| &t.facts);
        facts
            .filter_map(|f| match &f.body {
                Body::Flags(set) => Some(set),
                _ => None,
            })
            .collect()
    }

    /// The settings of all sets as `name=value` (`name` for a bare one).
    pub fn settings(&self) -> Vec<String> {
        let all = self.rows.iter().flatten();
        all.map(|(n, v, ..)| v.as_ref().map_or(n.clone(), |v| format!("{n}={v}"))).collect()
    }
}

/// Offers each line to the readers in order, as the loop of a paste does.
pub fn read_with(name: &str, readers: &[Reader], text: &str) -> Read {
    let lines = clean::lines(text);
    let context = Context::default();
    let mut read = Read { taken: Vec::new(), left: Vec::new(), rows: Vec::new() };
    let mut at = 0;
    while at < lines.len() {
        if lines[at].role == Role::Noise || lines[at].is_blank() {
            at += 1;
            continue;
        }
        let place = Place { paste: 0, name, lines: &lines, at, context: &context };
        let Some(taken) = readers.iter().find_map(|r| r(&place)) else {
            read.left.push(lines[at].raw.to_owned());
            at += 1;
            continue;
        };
        assert!(taken.lines >= 1 && at + taken.lines <= lines.len(), "lines taken lie in the paste");
        for fact in &taken.facts {
            let Body::Flags(set) = &fact.body else { panic!("only flags") };
            let row = |s: &crate::evidence::fact::FlagSetting| {
                (s.name.clone(), s.value.clone(), s.form, focus(&lines, &s.span))
            };
            read.rows.push(set.settings.iter().map(row).collect());
        }
        let next = at + taken.lines;
        read.taken.push((at, taken));
        at = next;
    }
    read
}

/// Reads with all readers of server flags.
pub fn read(text: &str) -> Read {
    read_with("paste 1", super::READERS, text)
}
