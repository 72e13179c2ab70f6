//! What a gate answers: a finding, what it rests on, and what would answer it.

use crate::evidence::answers::AnswerKey;
use crate::evidence::fact::Span;
use crate::intent::Hop;

/// A gate's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It stops the plan.
    Blocked,
    /// Required evidence is missing.
    CantTell,
    /// Something a person must decide or change.
    Warning,
    /// Answered, nothing wrong.
    Passed,
    /// The question does not arise on this way.
    NotApplicable,
    /// An on-sight gate about which nothing was pasted.
    NotLookedAt,
}

impl Outcome {
    /// Its name in the JSON report.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::CantTell => "cant-tell",
            Self::Warning => "warning",
            Self::Passed => "passed",
            Self::NotApplicable => "not-applicable",
            Self::NotLookedAt => "not-looked-at",
        }
    }
}

/// What a finding rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ground {
    /// Pasted lines.
    Seen(Span),
    /// What the person answered.
    Answered(AnswerKey),
    /// What the person asked for (intent, target, from).
    Wanted,
}

/// What would answer a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// Paste the output of this command (several lines allowed), run for these members (labels; empty = once).
    Command {
        /// The command, ready to run, with the cluster's own endpoints and certificates.
        command: String,
        /// Labels of the members it must be run for; empty when one run answers for all.
        members: Vec<String>,
    },
    /// Answer this question.
    Answer(AnswerKey),
    /// Want something else, e.g. another target: what to choose, in the imperative.
    Choose(String),
}

/// What findings of several gates come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The v2 API is, or was, on.
    V2Api,
}

/// A gate's answer for the cluster or one member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The gate.
    pub gate: &'static str,
    /// The answer.
    pub outcome: Outcome,
    /// Index of the member it is about; `None` for the cluster.
    pub member: Option<usize>,
    /// The hop it stands at; `None` for a patch roll or the cluster as a whole.
    pub hop: Option<Hop>,
    /// One sentence: what is so.
    pub statement: String,
    /// What it rests on. Never empty for passed, warning and blocked.
    pub grounds: Vec<Ground>,
    /// What to do, and why. Present on every blocked and warning.
    pub remedy: Option<String>,
    /// Commands of the remedy, ready to run, one per line.
    pub commands: Vec<String>,
    /// What would answer it. Never empty for can't tell.
    pub asks: Vec<Ask>,
    /// Something worth knowing that needs no decision.
    pub note: Option<String>,
    /// Who accepted the warning, until when and why, in a sentence.
    pub accepted: Option<String>,
    /// Key of the source that proves it, where not all of the gate's do.
    pub source: Option<&'static str>,
    /// What it comes from, where several gates see the same thing: one step mends them all.
    pub cause: Option<Cause>,
}

impl Finding {
    /// A finding that says so much and nothing else yet. [`super::Gate::ask`] fills in gate and hop.
    fn new(outcome: Outcome, statement: impl Into<String>) -> Self {
        Self {
            gate: "",
            outcome,
            member: None,
            hop: None,
            statement: statement.into(),
            grounds: Vec::new(),
            remedy: None,
            commands: Vec::new(),
            asks: Vec::new(),
            note: None,
            accepted: None,
            source: None,
            cause: None,
        }
    }

    /// It stops the plan: what is so, what it rests on, what to do and why.
    #[must_use]
    pub fn blocked(statement: impl Into<String>, grounds: Vec<Ground>, remedy: impl Into<String>) -> Self {
        Self { grounds, remedy: Some(remedy.into()), ..Self::new(Outcome::Blocked, statement) }
    }

    /// A person must decide or change something: what is so, what it rests on, what to do and why.
    #[must_use]
    pub fn warning(statement: impl Into<String>, grounds: Vec<Ground>, remedy: impl Into<String>) -> Self {
        Self { grounds, remedy: Some(remedy.into()), ..Self::new(Outcome::Warning, statement) }
    }

    /// Answered, nothing wrong: what is so and what it rests on.
    #[must_use]
    pub fn passed(statement: impl Into<String>, grounds: Vec<Ground>) -> Self {
        Self { grounds, ..Self::new(Outcome::Passed, statement) }
    }

    /// Evidence is missing: what is not known and what would answer it.
    #[must_use]
    pub fn cant_tell(statement: impl Into<String>, asks: Vec<Ask>) -> Self {
        Self { asks, ..Self::new(Outcome::CantTell, statement) }
    }

    /// The question does not arise: why not.
    #[must_use]
    pub fn not_applicable(statement: impl Into<String>) -> Self {
        Self::new(Outcome::NotApplicable, statement)
    }

    /// Nothing pasted speaks of it, and nothing waits for it.
    #[must_use]
    pub fn not_looked_at(statement: impl Into<String>) -> Self {
        Self::new(Outcome::NotLookedAt, statement)
    }

    /// About these members: named in the data when it is exactly one, else only in the statement.
    #[must_use]
    pub fn about(mut self, members: &[usize]) -> Self {
        self.member = match members {
            [one] => Some(*one),
            _ => None,
        };
        self
    }

    /// Where several gates see the same thing: what it comes from. The most urgent one's remedy mends all of them.
    #[must_use]
    pub fn caused_by(mut self, cause: Cause) -> Self {
        self.cause = Some(cause);
        self
    }

    /// Proven by this source, of all that the gate rests on.
    #[must_use]
    pub fn from_source(mut self, key: &'static str) -> Self {
        self.source = Some(key);
        self
    }

    /// With these commands to run, ready as they stand.
    #[must_use]
    pub fn with_commands(mut self, commands: Vec<String>) -> Self {
        self.commands = commands;
        self
    }

    /// With grounds: a can't tell may have seen something too.
    #[must_use]
    pub fn with_grounds(mut self, grounds: Vec<Ground>) -> Self {
        self.grounds = grounds;
        self
    }

    /// With something worth knowing that needs no decision.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}
