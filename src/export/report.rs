//! The report: one object from which every format is made, and itself the JSON (`docs/report.schema.json`).
//!
//! Field names are part of the interface. Grown only by adding; `schema` rises when a meaning changes.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::bump::Worksheet;
use crate::cluster::{self, Cluster, Superseded};
use crate::etcd::{releases, sources};
use crate::evidence::Evidence;
use crate::evidence::answers::Answers;
use crate::evidence::fact::{Span, Unread};
use crate::evidence::paste::{Paste, Quotes};
use crate::gates::known::Known;
use crate::gates::{self, Assessment, Finding, Ground};
use crate::intent::{IntentKind, Leg, Route};
use crate::plan::{Check, Phase, Plan, Step, Way, Window};
use crate::reconfiguration::Course;

use super::record::StepRecord;

mod asks;
pub mod bump;
mod members;
pub mod quorum;
mod recognised;
mod summary;
pub mod texts;

/// The whole report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// 1.
    pub schema: u32,
    /// Which rules judged.
    pub ruleset: Ruleset,
    /// The date the advice is for, RFC 3339.
    pub date: String,
    /// What was wanted.
    pub intent: IntentOut,
    /// `ready`, `ready-with-warnings`, `blocked`, `cant-tell`.
    pub verdict: String,
    /// The verdict with its counts, one sentence.
    pub summary: String,
    /// The next thing to do, one sentence.
    pub next: String,
    /// The cluster version, the newest that was seen; `null` when none was.
    #[serde(default)]
    pub cluster_version: Option<String>,
    /// The members.
    pub members: Vec<MemberOut>,
    /// Every gate's answers, most urgent first.
    pub findings: Vec<FindingOut>,
    /// Known issues that touch these versions, this way or this intent, the worst first. Nothing in them needs a decision.
    #[serde(default)]
    pub known_issues: Vec<KnownIssueOut>,
    /// What nobody understood.
    pub unread: Vec<UnreadOut>,
    /// What was recognised.
    pub recognised: Vec<RecognisedOut>,
    /// Phases in order.
    pub checklist: Vec<PhaseOut>,
    /// What would answer the open gates, most decisive first, merged into as few commands as can be.
    pub asks: Vec<AskOut>,
    /// What was answered, by key.
    pub answers: std::collections::BTreeMap<String, String>,
    /// How etcd is run, when known.
    pub platform: Option<PlatformOut>,
    /// The worksheet of the revision bump; `null` for intents without a restore.
    pub bump: Option<bump::BumpOut>,
    /// Flag patches; none for this intent.
    pub patches: Vec<serde_json::Value>,
    /// The quorum before the change of members and after each of its steps; empty for other intents.
    pub quorum: Vec<quorum::QuorumOut>,
    /// What newer pastes changed.
    pub changes: Vec<ChangeOut>,
    /// The rollback window of the first hop; `null` when there is none.
    pub window: Option<WindowOut>,
    /// The rollback windows of all hops, in order.
    pub windows: Vec<WindowOut>,
    /// A script (POSIX sh) that rehearses the upgrade with a backup snapshot; `null` when there is none to rehearse.
    pub rehearsal: Option<String>,
    /// Accepted warnings.
    pub waivers: Vec<AcceptedOut>,
}

/// Version and date of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ruleset {
    /// `2026-11`
    pub version: String,
    /// ISO date.
    pub date: String,
}

/// What was wanted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct IntentOut {
    /// `upgrade`
    pub kind: String,
    /// The minor it starts from, when known.
    pub from: Option<String>,
    /// The version it goes to, when known.
    pub to: Option<String>,
    /// The hops, `{from, to, target}`.
    pub hops: Vec<HopOut>,
    /// The change of members; `null` for other intents, and while it is not known.
    #[serde(default)]
    pub change: Option<quorum::MemberChangeOut>,
}

/// One leg of the route.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HopOut {
    /// Minor it leaves.
    pub from: String,
    /// Minor it reaches.
    pub to: String,
    /// The version it ends on.
    pub target: String,
}

/// One member.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MemberOut {
    /// Id in hex, without padding.
    pub id: Option<String>,
    /// Name.
    pub name: Option<String>,
    /// How it is called everywhere in the report.
    pub label: String,
    /// First client endpoint.
    pub endpoint: Option<String>,
    /// Server version.
    pub version: Option<String>,
    /// `leader`, `follower`, `learner`, `unstarted`; `null` when not known.
    pub role: Option<String>,
    /// Did it answer?
    pub answers: Option<bool>,
    /// Storage version.
    pub storage_version: Option<String>,
    /// Database size in bytes.
    pub db_size: Option<u64>,
    /// Quota in bytes.
    pub quota: Option<u64>,
    /// Entries behind the newest raft index seen.
    pub behind: Option<u64>,
    /// Alarms it raised.
    pub alarms: Vec<String>,
    /// Was anything pasted that shows alarms? Without it, no alarm means nothing.
    pub alarms_looked_at: bool,
    /// `null` not seen, else how many settings were read.
    pub flags: Option<usize>,
    /// `clean`, `content`, `inconclusive`, `api-on`; `null` not checked.
    pub v2: Option<String>,
    /// The file of the newest backup snapshot that was saved from it.
    #[serde(default)]
    pub backup: Option<String>,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FindingOut {
    /// Gate id.
    pub gate: String,
    /// `passed`, `warning`, `blocked`, `cant-tell`, `not-applicable`, `not-looked-at`
    pub outcome: String,
    /// Label of the member it is about.
    pub member: Option<String>,
    /// `3.5 → 3.6`; `null` for a patch roll or the cluster as a whole.
    pub hop: Option<String>,
    /// One sentence.
    pub statement: String,
    /// The pasted lines it rests on.
    pub grounds: Vec<GroundOut>,
    /// Answers it rests on: `auth=no`.
    pub answers: Vec<String>,
    /// True when it rests on what was asked for (intent and target).
    pub wanted: bool,
    /// What proves the rule.
    pub sources: Vec<SourceOut>,
    /// What to do, and why.
    pub remedy: Option<String>,
    /// Commands of the remedy.
    pub commands: Vec<String>,
    /// What would answer it: a command, or a question.
    pub ask: Option<String>,
    /// Something worth knowing that needs no decision.
    pub note: Option<String>,
    /// Who accepted the warning, until when and why.
    pub accepted: Option<String>,
    /// The gate's group.
    pub group: String,
}

/// A known issue that no gate speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct KnownIssueOut {
    /// Its id.
    pub id: String,
    /// `critical`, `high`, `medium`, `low`, `info`
    pub severity: String,
    /// What has it: `m1 and m2 run 3.5.30, the target 3.6.14`.
    pub had_by: String,
    /// What is wrong, one sentence.
    pub title: String,
    /// What to do.
    pub remedy: String,
    /// How to see it.
    pub sign: Option<String>,
    /// The first patch with the cure.
    pub fixed_in: Option<String>,
    /// What proves it.
    pub source: Option<SourceOut>,
}

/// A warning that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AcceptedOut {
    /// The gate.
    pub gate: String,
    /// What it warns of.
    pub statement: String,
    /// Who accepted it, until when and why.
    pub accepted: String,
}

/// Pasted lines.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GroundOut {
    /// Name of the paste.
    pub paste: String,
    /// Index of the paste, from 0.
    pub paste_index: usize,
    /// First line, from 1.
    pub first_line: usize,
    /// Last line, inclusive.
    pub last_line: usize,
    /// The text, cut to the part that matters when long.
    pub quote: String,
    /// The part of the quote that matters, when it is not all of it.
    pub mark: Option<String>,
}

/// A source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourceOut {
    /// Key in `data/sources.toml`.
    pub key: String,
    /// What it is, in words.
    pub title: String,
    /// Link, when there is one.
    pub url: Option<String>,
    /// The versions it holds for.
    pub holds_for: String,
}

/// A stretch nobody understood.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UnreadOut {
    /// Name of the paste.
    pub paste: String,
    /// Index of the paste, from 0.
    pub paste_index: usize,
    /// First line.
    pub first_line: usize,
    /// Last line.
    pub last_line: usize,
    /// What was tried.
    pub tried: String,
}

/// A stretch that was recognised.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RecognisedOut {
    /// Name of the paste.
    pub paste: String,
    /// Index of the paste, from 0.
    pub paste_index: usize,
    /// Kind id: `endpoint-status`.
    pub kind: String,
    /// Its form: `table`.
    pub form: String,
    /// Members it shows.
    pub members: usize,
    /// The one member it is about, as the text, the prompt or the person calls it.
    pub member: Option<String>,
    /// Versions of etcd servers it shows, a few at most.
    pub versions: Vec<String>,
    /// First line.
    pub first_line: usize,
    /// Last line.
    pub last_line: usize,
}

/// One phase.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PhaseOut {
    /// `3.5 → 3.6`; `null` for a patch roll.
    pub hop: Option<String>,
    /// `Fix first`, `Prepare`, `Right before`, `Roll`, `Close`, `After`
    pub phase: String,
    /// A word for the person.
    pub note: Option<String>,
    /// Its steps.
    pub steps: Vec<StepOut>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StepOut {
    /// Stable id.
    pub id: String,
    /// Number counted over the whole checklist, from 1.
    pub number: usize,
    /// What to do.
    pub title: String,
    /// Label of the member.
    pub member: Option<String>,
    /// Why.
    pub why: String,
    /// Commands.
    pub commands: Vec<String>,
    /// What they must print, for those who go through the checklist by machine.
    pub checks: Vec<CheckOut>,
    /// What to expect.
    pub expect: String,
    /// When to stop.
    pub stop_when: String,
    /// Ways back once it is done.
    pub ways_back: WaysBackOut,
    /// What people wrote beside it; `null` when nothing was.
    #[serde(default)]
    pub record: Option<StepRecord>,
}

/// What a command must print.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CheckOut {
    /// Index of the command in the step, from 0.
    pub command: usize,
    /// For each of these a line of the output that holds all of its texts.
    pub lines: Vec<Vec<String>>,
    /// It must print nothing at all.
    pub nothing: bool,
    /// The command is run again for so many seconds, until it prints that.
    pub within_seconds: u32,
}

/// Ways back.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WaysBackOut {
    /// Swap the binary back.
    pub swap: WayOut,
    /// Formal downgrade.
    pub downgrade: WayOut,
    /// Restore the backup snapshot.
    pub restore: WayOut,
}

/// One way back.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WayOut {
    /// Open?
    pub open: bool,
    /// Why.
    pub reason: String,
}

/// What would answer open gates.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AskOut {
    /// Gates it answers.
    pub gates: Vec<String>,
    /// The command to run and paste; empty for a question.
    pub command: String,
    /// Members it must be run for; empty when once is enough.
    pub members: Vec<String>,
    /// Answer key of a question.
    pub answer: Option<String>,
    /// The question, in words.
    pub question: Option<String>,
}

/// How etcd is run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlatformOut {
    /// Platform id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// True when the person said so, false when recognised from the paste.
    pub answered: bool,
}

/// What a newer paste changed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ChangeOut {
    /// The member.
    pub member: String,
    /// What.
    pub what: String,
    /// Before.
    pub before: String,
    /// After.
    pub after: String,
}

/// A rollback window.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WindowOut {
    /// The hop.
    pub hop: String,
    /// Step id at which it opens.
    pub opens_at: String,
    /// Step id at which it shuts.
    pub shuts_at: String,
    /// How the shutting step is named to people.
    pub shuts_when: String,
    /// Open already, on a resumed roll.
    pub open_now: bool,
}

/// Builds the report from all that was found.
#[must_use]
#[allow(clippy::too_many_arguments)] // the end of the one road: each part is made by one stage
pub fn build(
    pastes: &[Paste],
    evidence: &Evidence,
    cluster: &Cluster,
    route: &Route,
    assessment: &Assessment,
    plan: &Plan,
    answers: &Answers,
    sheet: &Worksheet,
    now: OffsetDateTime,
) -> Report {
    let quotes = Quotes::of(pastes);
    let course = (route.intent.kind == IntentKind::Members).then(|| Course::of(cluster, answers));
    let findings: Vec<FindingOut> =
        assessment.findings.iter().map(|f| finding(f, pastes, &quotes, cluster, answers)).collect();
    let checklist = checklist(plan);
    let asks = asks::merge(&assessment.findings);
    let windows: Vec<WindowOut> = plan.windows.iter().map(window).collect();
    let words = summary::words(route.intent.kind, assessment.verdict, &findings, plan, &checklist, answers, &asks);
    Report {
        schema: 1,
        ruleset: Ruleset { version: releases::RULESET_VERSION.to_owned(), date: releases::RULESET_DATE.to_owned() },
        date: now.format(&Rfc3339).unwrap_or_default(),
        intent: intent(route, course.as_ref()),
        verdict: assessment.verdict.id().to_owned(),
        summary: words.summary,
        next: words.next,
        cluster_version: cluster.cluster_versions.iter().map(|seen| seen.value).max().map(|minor| minor.to_string()),
        members: members::rows(cluster, &assessment.findings),
        findings,
        known_issues: assessment.known.iter().map(known_issue).collect(),
        unread: evidence.unread.iter().map(|u| unread(u, pastes)).collect(),
        recognised: recognised::recognised(evidence, pastes),
        checklist,
        asks,
        answers: answers.iter().map(|(k, v)| (k.id().to_owned(), v.to_owned())).collect(),
        platform: cluster::commands::platform(cluster, answers).map(|(p, answered)| PlatformOut {
            id: p.id.to_owned(),
            name: p.name.to_owned(),
            answered,
        }),
        bump: (route.intent.kind == IntentKind::Restore).then(|| bump::sheet(sheet, pastes)),
        patches: Vec::new(),
        quorum: course.as_ref().map(quorum::rows).unwrap_or_default(),
        changes: cluster.history.iter().map(change).collect(),
        window: windows.first().cloned(),
        windows,
        rehearsal: plan.rehearsal.clone(),
        waivers: assessment.findings.iter().filter_map(accepted).collect(),
    }
}

fn intent(route: &Route, course: Option<&Course>) -> IntentOut {
    let hop = |leg: &Leg| {
        leg.hop.map(|h| HopOut { from: h.from.to_string(), to: h.to.to_string(), target: leg.target.to_string() })
    };
    IntentOut {
        kind: route.intent.kind.id().to_owned(),
        from: route.from.map(|m| m.to_string()),
        to: route.to.as_ref().map(ToString::to_string),
        hops: route.legs.iter().filter_map(hop).collect(),
        change: course.and_then(quorum::change),
    }
}

fn finding(f: &Finding, pastes: &[Paste], quotes: &Quotes<'_>, cluster: &Cluster, answers: &Answers) -> FindingOut {
    let gate = gates::by_id(f.gate);
    let mut grounds = Vec::new();
    let mut answered = Vec::new();
    let mut wanted = false;
    for ground in &f.grounds {
        match ground {
            Ground::Seen(span) => grounds.push(quoted(span, pastes, quotes)),
            Ground::Answered(key) => {
                answered.push(format!("{}={}", key.id(), answers.get(*key).unwrap_or_default()));
            }
            Ground::Wanted => wanted = true,
        }
    }
    FindingOut {
        gate: f.gate.to_owned(),
        outcome: f.outcome.id().to_owned(),
        member: f.member.and_then(|m| cluster.members.get(m)).map(cluster::Member::label),
        hop: f.hop.map(|h| h.to_string()),
        statement: f.statement.clone(),
        grounds,
        answers: answered,
        wanted,
        sources: match f.source {
            Some(key) => source(key).into_iter().collect(),
            None => gate.map(|g| g.sources.iter().filter_map(|key| source(key)).collect()).unwrap_or_default(),
        },
        remedy: f.remedy.clone(),
        commands: f.commands.clone(),
        ask: asks::in_words(&f.asks),
        note: f.note.clone(),
        accepted: f.accepted.clone(),
        group: gate.map_or("", |g| g.group.title()).to_owned(),
    }
}

fn known_issue(known: &Known) -> KnownIssueOut {
    let issue = known.issue;
    KnownIssueOut {
        id: issue.id.to_owned(),
        severity: issue.severity.id().to_owned(),
        had_by: known.had_by.clone(),
        title: issue.title.to_owned(),
        remedy: issue.remedy.to_owned(),
        sign: issue.sign.map(str::to_owned),
        fixed_in: known.fixed_in.map(ToString::to_string),
        source: source(issue.source),
    }
}

fn accepted(f: &Finding) -> Option<AcceptedOut> {
    let accepted = f.accepted.clone()?;
    Some(AcceptedOut { gate: f.gate.to_owned(), statement: f.statement.clone(), accepted })
}

fn quoted(span: &Span, pastes: &[Paste], quotes: &Quotes<'_>) -> GroundOut {
    let quote = quotes.quote(span);
    let mark = quotes.focus(span).filter(|m| *m != quote && quote.contains(m.as_str()));
    GroundOut {
        paste: name(span.paste, pastes),
        paste_index: span.paste,
        first_line: span.first_line,
        last_line: span.last_line,
        quote,
        mark,
    }
}

fn name(index: usize, pastes: &[Paste]) -> String {
    pastes.get(index).map(|p| p.name.clone()).unwrap_or_default()
}

fn source(key: &str) -> Option<SourceOut> {
    sources::by_key(key).map(|s| SourceOut {
        key: s.key.to_owned(),
        title: s.title.to_owned(),
        url: s.url.map(str::to_owned),
        holds_for: s.holds_for.to_owned(),
    })
}

fn unread(u: &Unread, pastes: &[Paste]) -> UnreadOut {
    UnreadOut {
        paste: name(u.span.paste, pastes),
        paste_index: u.span.paste,
        first_line: u.span.first_line,
        last_line: u.span.last_line,
        tried: u.tried.clone(),
    }
}

fn checklist(plan: &Plan) -> Vec<PhaseOut> {
    let mut number = 0;
    let mut step = |s: &Step| {
        number += 1;
        StepOut {
            id: s.id.clone(),
            number,
            title: s.title.clone(),
            member: s.member.clone(),
            why: s.why.clone(),
            commands: s.commands.clone(),
            checks: s.checks.iter().map(check).collect(),
            expect: s.expect.clone(),
            stop_when: s.stop_when.clone(),
            ways_back: WaysBackOut {
                swap: way(&s.ways_back.swap),
                downgrade: way(&s.ways_back.downgrade),
                restore: way(&s.ways_back.restore),
            },
            record: None,
        }
    };
    let mut phase = |p: &Phase| PhaseOut {
        hop: p.hop.map(|h| h.to_string()),
        phase: p.kind.title().to_owned(),
        note: p.note.clone(),
        steps: p.steps.iter().map(&mut step).collect(),
    };
    plan.phases.iter().map(&mut phase).collect()
}

fn check(c: &Check) -> CheckOut {
    CheckOut { command: c.command, lines: c.lines.clone(), nothing: c.nothing, within_seconds: c.within_seconds }
}

fn way(w: &Way) -> WayOut {
    WayOut { open: w.open, reason: w.reason.clone() }
}

fn window(w: &Window) -> WindowOut {
    WindowOut {
        hop: w.hop.to_string(),
        opens_at: w.opens_at.clone(),
        shuts_at: w.shuts_at.clone(),
        shuts_when: w.shuts_when.clone(),
        open_now: w.open_now,
    }
}

fn change(c: &Superseded) -> ChangeOut {
    ChangeOut { member: c.member.clone(), what: c.what.to_owned(), before: c.before.clone(), after: c.after.clone() }
}
