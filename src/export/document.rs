//! The report as a document: headings, tables, findings, tasks. It is walked once, here; every format that reads like
//! a document only says how each block is written.
//!
//! Each text in it is plain: what came from a paste is data until a format has escaped it.

mod build;

pub use build::{asks, checklist, closed, findings, known_issues, members, of, quorum, windows};

/// How much of the report is said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// Everything: grounds, sources, commands, ways back.
    #[default]
    Full,
    /// The verdict, what is open and what to do about it, and the checklist by titles.
    Brief,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inline {
    /// Prose.
    Text(String),
    /// A name, an id, an answer: to be read letter by letter.
    Code(String),
    /// A source on the web.
    Link {
        /// Its words.
        title: String,
        /// Where it leads.
        url: String,
    },
}

/// One line, of pieces.
pub type Line = Vec<Inline>;

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// Where the pasted lines stand.
    Seen,
    /// What the person answered.
    Said,
    /// The remedy.
    Do,
    /// What answers an open gate.
    Answer,
    /// Something beside it.
    Note,
    /// What proves it.
    Source,
    /// Why a step is there.
    Why,
    /// What a step must show.
    Expect,
    /// When to stop.
    Stop,
    /// The ways back after a step.
    Back,
    /// Who did it, and when.
    Record,
}

impl Label {
    /// The label in a document; prose that needs none has an empty one.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Seen => "Seen in",
            Self::Said => "Answered",
            Self::Do => "Do",
            Self::Answer => "To answer it",
            Self::Note => "Note",
            Self::Source => "Source",
            Self::Why => "",
            Self::Expect => "Expect",
            Self::Stop => "Stop when",
            Self::Back => "Ways back",
            Self::Record => "Record",
        }
    }

    /// The label in a column of a terminal.
    #[must_use]
    pub fn short(self) -> &'static str {
        match self {
            Self::Seen => "seen",
            Self::Said => "said",
            Self::Do => "do",
            Self::Answer => "answer",
            Self::Note => "note",
            Self::Source => "source",
            Self::Why => "why",
            Self::Expect => "expect",
            Self::Stop => "stop",
            Self::Back => "back",
            Self::Record => "record",
        }
    }
}

/// A block of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// What stands on top.
    Head {
        /// What is wanted: "Upgrade 3.5 → 3.6.16".
        title: String,
        /// The verdict with its counts.
        summary: String,
        /// The next thing to do; may be empty.
        next: String,
        /// Rules and date.
        dated: String,
    },
    /// A heading of a part.
    Section(String),
    /// A heading inside a part.
    Sub(String),
    /// A paragraph.
    Say(Line),
    /// A labelled line, or several that belong together.
    Term(Label, Vec<Line>),
    /// A table.
    Table {
        /// Its columns.
        header: Vec<String>,
        /// Its rows, each as long as the header.
        rows: Vec<Vec<String>>,
    },
    /// A list.
    List(Vec<Line>),
    /// Commands to run.
    Commands(String),
    /// Pasted lines.
    Quote(String),
    /// A gate's finding.
    Finding {
        /// Sign and word of the outcome.
        outcome: &'static str,
        /// The finding, one sentence.
        statement: String,
        /// Id of the gate.
        gate: String,
        /// What belongs to it.
        body: Vec<Block>,
    },
    /// Something to do, with a box to tick.
    Task {
        /// Is it done?
        done: bool,
        /// Its number.
        number: usize,
        /// What to do.
        title: String,
        /// Id of the step, or the gates it answers.
        id: String,
        /// What belongs to it.
        body: Vec<Block>,
    },
}

/// A piece of prose.
#[must_use]
pub fn text(text: impl Into<String>) -> Inline {
    Inline::Text(text.into())
}

/// A piece to be read letter by letter.
#[must_use]
pub fn code(text: impl Into<String>) -> Inline {
    Inline::Code(text.into())
}

/// Is this the address of a page on the web? Anything else is never made a link.
#[must_use]
pub fn is_web_address(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}
