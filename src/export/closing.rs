//! The closing record: the cluster before and after, side by side, with the checks that were done, by whom and when. It
//! closes the ticket.

use serde::Serialize;
use serde_json::Value;

use super::document::{Block, Detail, Line, code, findings, text};
use super::fields;
use super::record::{Records, StepRecord};
use super::redact::Redaction;
use super::report::{MemberOut, PhaseOut, Report};
use super::words;

/// What is kept of the report from before the change. A whole report is one too: what is not named here is left.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Before {
    /// The date it was judged for, RFC 3339.
    pub date: String,
    /// `ready`, `ready-with-warnings`, `blocked`, `cant-tell`.
    pub verdict: String,
    /// The verdict with its counts.
    pub summary: String,
    /// What was wanted.
    pub intent: Wish,
    /// The cluster version.
    pub cluster_version: Option<String>,
    /// The members.
    pub members: Vec<Member>,
    /// The checklist, with what was written beside it.
    pub checklist: Vec<Phase>,
}

/// What was wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Wish {
    /// `upgrade`
    pub kind: String,
    /// The minor it started from.
    pub from: Option<String>,
    /// The version it goes to.
    pub to: Option<String>,
}

/// A member.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Member {
    /// Id in hex.
    pub id: Option<String>,
    /// How it is called.
    pub label: String,
    /// Server version.
    pub version: Option<String>,
    /// Its role.
    pub role: Option<String>,
    /// Did it answer?
    pub answers: Option<bool>,
    /// Storage version.
    pub storage_version: Option<String>,
    /// Alarms it raised.
    pub alarms: Vec<String>,
    /// Was anything pasted that shows alarms?
    pub alarms_looked_at: bool,
}

/// A phase.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Phase {
    /// Its name.
    pub phase: String,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// A step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Stable id.
    pub id: String,
    /// What to do.
    pub title: String,
    /// What was written beside it.
    pub record: Option<StepRecord>,
}

impl Before {
    /// Keeps a report's part of it.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        Self {
            date: report.date.clone(),
            verdict: report.verdict.clone(),
            summary: report.summary.clone(),
            intent: Wish {
                kind: report.intent.kind.clone(),
                from: report.intent.from.clone(),
                to: report.intent.to.clone(),
            },
            cluster_version: report.cluster_version.clone(),
            members: report.members.iter().map(Member::of).collect(),
            checklist: report.checklist.iter().map(Phase::of).collect(),
        }
    }

    /// Reads a report that was saved as JSON.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(json: &str) -> Result<Self, String> {
        let wanted = "expected a report that was saved as JSON";
        let before = fields::object(json).and_then(|of| Self::out_of(&of)).map_err(|e| format!("{wanted}: {e}"))?;
        if before.date.is_empty() || before.verdict.is_empty() {
            return Err(format!("{wanted}: it has no date or no verdict"));
        }
        Ok(before)
    }

    fn out_of(of: &Value) -> Result<Self, String> {
        let none = Value::Null;
        let intent = of.get("intent").unwrap_or(&none);
        let mut before = Self {
            date: fields::text(of, "date")?,
            verdict: fields::text(of, "verdict")?,
            summary: fields::text(of, "summary")?,
            intent: Wish {
                kind: fields::text(intent, "kind")?,
                from: fields::maybe_text(intent, "from")?,
                to: fields::maybe_text(intent, "to")?,
            },
            cluster_version: fields::maybe_text(of, "cluster_version")?,
            ..Self::default()
        };
        for member in fields::list(of, "members")? {
            before.members.push(Member {
                id: fields::maybe_text(member, "id")?,
                label: fields::text(member, "label")?,
                version: fields::maybe_text(member, "version")?,
                role: fields::maybe_text(member, "role")?,
                answers: fields::flag(member, "answers")?,
                storage_version: fields::maybe_text(member, "storage_version")?,
                alarms: fields::texts(member, "alarms")?,
                alarms_looked_at: fields::flag(member, "alarms_looked_at")?.unwrap_or_default(),
            });
        }
        for phase in fields::list(of, "checklist")? {
            let mut steps = Vec::new();
            for step in fields::list(phase, "steps")? {
                let (id, title) = (fields::text(step, "id")?, fields::text(step, "title")?);
                let record = step.get("record").filter(|record| record.is_object()).map(StepRecord::of).transpose()?;
                steps.push(Step { id, title, record });
            }
            before.checklist.push(Phase { phase: fields::text(phase, "phase")?, steps });
        }
        Ok(before)
    }

    /// The form in which it is kept; [`Before::read`] reads it.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Is it of the same cluster, as far as ids and names tell? True when either shows no member.
    #[must_use]
    pub fn may_be_of(&self, report: &Report) -> bool {
        self.members.is_empty()
            || report.members.is_empty()
            || report.members.iter().any(|now| self.members.iter().any(|then| then.is(now)))
    }
}

impl Member {
    fn of(m: &MemberOut) -> Self {
        Self {
            id: m.id.clone(),
            label: m.label.clone(),
            version: m.version.clone(),
            role: m.role.clone(),
            answers: m.answers,
            storage_version: m.storage_version.clone(),
            alarms: m.alarms.clone(),
            alarms_looked_at: m.alarms_looked_at,
        }
    }

    fn is(&self, other: &MemberOut) -> bool {
        match (&self.id, &other.id) {
            (Some(a), Some(b)) => a == b,
            _ => self.label == other.label,
        }
    }

    fn alarm_words(&self) -> String {
        match (self.alarms.is_empty(), self.alarms_looked_at) {
            (false, _) => self.alarms.join(", "),
            (true, true) => "none".to_owned(),
            (true, false) => "not looked at".to_owned(),
        }
    }
}

impl Phase {
    fn of(phase: &PhaseOut) -> Self {
        let step =
            |s: &super::report::StepOut| Step { id: s.id.clone(), title: s.title.clone(), record: s.record.clone() };
        Self { phase: phase.phase.clone(), steps: phase.steps.iter().map(step).collect() }
    }
}

/// The title of a closing record.
#[must_use]
pub fn title(before: &Before) -> String {
    let Wish { kind, from, to } = &before.intent;
    let stops: Vec<&str> = [from, to].into_iter().flatten().map(String::as_str).collect();
    format!("Closing record: {kind} {}", stops.join(" → ")).trim_end().to_owned()
}

/// Writes the closing record as a document. `records` are what was written beside the steps since.
#[must_use]
pub fn document(before: &Before, after: &Report, records: &Records) -> Vec<Block> {
    let now = Before::of(after);
    let day = |date: &str| date.get(..16).unwrap_or(date).replace('T', " ");
    let mut out = vec![Block::Head {
        title: title(before),
        summary: format!("After the change: {}", after.summary),
        next: String::new(),
        dated: format!("before of {}, after of {}, {}", day(&before.date), day(&after.date), words::dated(after)),
    }];
    if !before.may_be_of(after) {
        let doubt = "The two have no member in common by id or name. Check that both are of the same cluster.";
        out.push(Block::Say(vec![text(doubt)]));
    }
    out.push(Block::Section("The cluster".to_owned()));
    out.push(table(&["", "before", "after"], cluster(before, &now)));
    out.push(Block::Section("Members".to_owned()));
    let header = ["member", "", "version", "role", "answers", "storage version", "alarms"];
    out.push(table(&header, members(before, &now)));
    let mut open = Vec::new();
    findings(&mut open, after, Detail::Brief, |_| true);
    if !open.is_empty() {
        out.push(Block::Section("Open after the change".to_owned()));
        out.extend(open);
    }
    checks(&mut out, before, &now, records);
    out
}

/// What is to be replaced in a closing record. `after` has what was written beside its steps, `also` are words that the
/// person wants replaced besides.
#[must_use]
pub fn redaction(before: &Before, after: &Report, blocks: &[Block], also: &[String]) -> Redaction {
    let mut words = also.to_vec();
    // Members that are gone: nothing in the report after tells that these are names.
    let gone = before.members.iter().filter(|m| m.id.as_ref() != Some(&m.label) && !m.label.contains("://"));
    words.extend(gone.map(|m| &m.label).filter(|label| after.members.iter().all(|m| m.label != **label)).cloned());
    Redaction::of(after, &[&super::text::render(blocks)], &words)
}

fn table(header: &[&str], rows: Vec<Vec<String>>) -> Block {
    Block::Table { header: header.iter().map(|&column| column.to_owned()).collect(), rows }
}

fn cluster(before: &Before, after: &Before) -> Vec<Vec<String>> {
    let row = |name: &str, say: &dyn Fn(&Before) -> String| vec![name.to_owned(), say(before), say(after)];
    let answering = |side: &Before| {
        let count = |wanted| side.members.iter().filter(|m| m.answers == wanted).count();
        let unknown = count(None);
        let rest = if unknown == 0 { String::new() } else { format!(", {unknown} not known") };
        format!("{} of {}{rest}", count(Some(true)), side.members.len())
    };
    let alarms = |side: &Before| {
        let raised: Vec<String> = side
            .members
            .iter()
            .filter(|m| !m.alarms.is_empty())
            .map(|m| format!("{} on {}", m.alarms.join(", "), m.label))
            .collect();
        match raised.as_slice() {
            [] if side.members.iter().any(|m| m.alarms_looked_at) => "none".to_owned(),
            [] => "not looked at".to_owned(),
            raised => raised.join("; "),
        }
    };
    let versions = |side: &Before| {
        let mut all: Vec<String> = side.members.iter().map(|m| m.version.clone().unwrap_or_else(unseen)).collect();
        crate::sort::sort(&mut all);
        all.dedup();
        if all.is_empty() { unseen() } else { all.join(", ") }
    };
    vec![
        row("verdict", &|side| side.summary.clone()),
        row("cluster version", &|side| side.cluster_version.clone().unwrap_or_else(unseen)),
        row("server versions", &versions),
        row("members that answer", &answering),
        row("alarms", &alarms),
    ]
}

fn unseen() -> String {
    "not seen".to_owned()
}

/// Two rows a member: before and after. One that came or went has one.
fn members(before: &Before, after: &Before) -> Vec<Vec<String>> {
    let row = |m: &Member, when: &str| {
        let answers = match m.answers {
            Some(true) => "yes".to_owned(),
            Some(false) => "no".to_owned(),
            None => unseen(),
        };
        vec![
            m.label.clone(),
            when.to_owned(),
            m.version.clone().unwrap_or_else(unseen),
            m.role.clone().unwrap_or_else(unseen),
            answers,
            m.storage_version.clone().unwrap_or_else(unseen),
            m.alarm_words(),
        ]
    };
    let same = |a: &Member, b: &Member| match (&a.id, &b.id) {
        (Some(a), Some(b)) => a == b,
        _ => a.label == b.label,
    };
    let mut rows = Vec::new();
    for then in &before.members {
        match after.members.iter().find(|now| same(then, now)) {
            Some(now) => rows.extend([row(then, "before"), row(now, "after")]),
            None => rows.push(row(then, "before; gone after")),
        }
    }
    let new = after.members.iter().filter(|now| !before.members.iter().any(|then| same(then, now)));
    rows.extend(new.map(|now| row(now, "new after")));
    rows
}

/// Every step of the checklist from before, then those that only the report after has.
fn checks(out: &mut Vec<Block>, before: &Before, after: &Before, records: &Records) {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut done, mut open): (usize, Vec<Line>) = (0, Vec::new());
    let mut ids: Vec<&str> = Vec::new();
    for (phase, step) in
        [before, after].into_iter().flat_map(|side| &side.checklist).flat_map(|p| p.steps.iter().map(move |s| (p, s)))
    {
        if ids.contains(&step.id.as_str()) {
            continue;
        }
        ids.push(&step.id);
        let record = records.get(&step.id).or(step.record.as_ref()).cloned().unwrap_or_default();
        if record.done {
            done += 1;
        }
        if record.is_empty() {
            open.push(vec![text(format!("{}: {} ", phase.phase, step.title)), code(&step.id)]);
            continue;
        }
        let state = if record.done { "done" } else { "open" };
        rows.push(vec![
            phase.phase.clone(),
            step.title.clone(),
            state.to_owned(),
            record.owner,
            record.time,
            record.note,
        ]);
    }
    let total = ids.len();
    out.push(Block::Section("Checks".to_owned()));
    out.push(Block::Say(vec![text(format!("{done} of {total} steps are ticked as done."))]));
    if !rows.is_empty() {
        out.push(table(&["phase", "step", "state", "who", "when", "note"], rows));
    }
    if !open.is_empty() {
        out.push(Block::Sub("Nothing was written beside these".to_owned()));
        out.push(Block::List(open));
    }
}
