//! One question a hop asks, one file a gate: the file's name is the gate's id. This file is the only registry.
//!
//! A gate file reads top to bottom: module documentation with the headings *Asks*, *Blocks when*, *Why*, *Remedy*,
//! *Sources*, then its function, then its tests. Its words stay in it.

use crate::cluster::Cluster;
use crate::cluster::commands::Commands;
use crate::evidence::answers::{AnswerKey, Answers};
use crate::evidence::fact::Span;
use crate::intent::{Hop, Leg, Route};
use time::OffsetDateTime;

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

/// The sum of all findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Every required gate passed.
    Ready,
    /// Nothing stops it, something should be looked at.
    ReadyWithWarnings,
    /// At least one gate stops it.
    Blocked,
    /// Nothing known stops it, but required evidence is missing.
    CantTell,
}

impl Verdict {
    /// Its name in the JSON report.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::ReadyWithWarnings => "ready-with-warnings",
            Self::Blocked => "blocked",
            Self::CantTell => "cant-tell",
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
}

/// Whether the verdict waits for a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It must be answered; without evidence the verdict can't be ready.
    Required,
    /// It speaks when what was pasted shows something.
    OnSight,
    /// The question does not arise.
    NotApplicable,
}

/// How gates are grouped on screen and in documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// The route itself.
    Route,
    /// The releases in play.
    Release,
    /// Health of the cluster.
    Health,
    /// Membership.
    Membership,
    /// The v2 store.
    V2Store,
    /// Flags.
    Flags,
    /// The backup snapshot.
    Backup,
    /// What stands around the cluster.
    Around,
}

impl Group {
    /// Its title.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Route => "Route",
            Self::Release => "Release",
            Self::Health => "Health",
            Self::Membership => "Membership",
            Self::V2Store => "v2 store",
            Self::Flags => "Flags",
            Self::Backup => "Backup",
            Self::Around => "Around",
        }
    }
}

/// What a gate is asked about: one leg of the route.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Everything known.
    pub cluster: &'a Cluster,
    /// The whole way.
    pub route: &'a Route,
    /// The leg asked about. `None` when there is none (no start, backwards).
    pub leg: Option<&'a Leg>,
    /// Is it the first leg? Later ones are planned now and checked again then.
    pub first: bool,
    /// What the person answered.
    pub answers: &'a Answers,
    /// How commands for this cluster are written.
    pub commands: &'a Commands,
    /// The date the advice is for.
    pub now: OffsetDateTime,
}

/// One gate.
pub struct Gate {
    /// Its id: the fault it names, and the name of its file.
    pub id: &'static str,
    /// Its group.
    pub group: Group,
    /// Keys into `data/sources.toml`.
    pub sources: &'static [&'static str],
    /// Whether the verdict waits for it on this leg.
    pub need: fn(&Question<'_>) -> Need,
    /// Answers it. An empty answer of a required gate is a fault; of an on-sight gate it means "not looked at".
    pub check: fn(&Question<'_>) -> Vec<Finding>,
}

/// All gates, by urgency.
pub static ALL: &[Gate] = &[];

/// All findings and their sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// The verdict.
    pub verdict: Verdict,
    /// Every gate's answers, most urgent first. Each registered gate is in it at least once.
    pub findings: Vec<Finding>,
}

/// Asks every gate about every leg.
#[must_use]
pub fn assess(cluster: &Cluster, route: &Route, answers: &Answers, now: OffsetDateTime) -> Assessment {
    let _ = (cluster, route, answers, now);
    Assessment { verdict: Verdict::CantTell, findings: Vec::new() }
}
