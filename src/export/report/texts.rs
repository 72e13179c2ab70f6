//! Every text of the report that can hold what a person gave: names, addresses, pasted lines, notes. Ids of gates,
//! words of the schema, versions and sources hold none and are left out.

use serde_json::Value;

use super::bump::BumpOut;
use super::{FindingOut, Report, StepOut};

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A name, an id, or prose with names in it.
    Text,
    /// Pasted lines, cut where they are long.
    Quote,
    /// The name of a paste.
    Paste,
    /// The name of a person.
    Person,
}

/// What is done with each text.
pub type Visit<'a> = &'a mut dyn FnMut(Place, &mut String);

impl Report {
    /// Shows every text that can hold what a person gave.
    pub fn each_text(&mut self, visit: Visit<'_>) {
        some(visit, [&mut self.summary, &mut self.next]);
        if let Some(change) = &mut self.intent.change {
            some(visit, [&mut change.text, &mut change.words]);
            some(visit, change.member.iter_mut().chain(&mut change.new_names).chain(&mut change.new_peer_urls));
        }
        for member in &mut self.members {
            some(visit, [&mut member.id, &mut member.name, &mut member.endpoint].into_iter().flatten());
            visit(Place::Text, &mut member.label);
        }
        self.findings.iter_mut().for_each(|f| finding(f, visit));
        some(visit, self.known_issues.iter_mut().map(|issue| &mut issue.had_by));
        for u in &mut self.unread {
            visit(Place::Paste, &mut u.paste);
            visit(Place::Text, &mut u.tried);
        }
        for r in &mut self.recognised {
            visit(Place::Paste, &mut r.paste);
            some(visit, &mut r.member);
        }
        for phase in &mut self.checklist {
            some(visit, &mut phase.note);
            phase.steps.iter_mut().for_each(|s| step(s, visit));
        }
        for ask in &mut self.asks {
            visit(Place::Text, &mut ask.command);
            some(visit, ask.members.iter_mut().chain(&mut ask.question));
        }
        some(visit, self.answers.values_mut());
        if let Some(bump) = &mut self.bump {
            worksheet(bump, visit);
        }
        self.patches.iter_mut().for_each(|patch| value(patch, visit));
        for row in &mut self.quorum {
            some(visit, row.step.iter_mut().chain([&mut row.when]));
        }
        for change in &mut self.changes {
            some(visit, [&mut change.member, &mut change.what, &mut change.before, &mut change.after]);
        }
        for window in self.window.iter_mut().chain(&mut self.windows) {
            some(visit, [&mut window.opens_at, &mut window.shuts_at, &mut window.shuts_when]);
        }
        some(visit, &mut self.rehearsal);
        for waiver in &mut self.waivers {
            some(visit, [&mut waiver.statement, &mut waiver.accepted]);
        }
    }

    /// Takes the pasted lines out; where they stand is still said.
    pub fn leave_evidence_out(&mut self) {
        for ground in self.findings.iter_mut().flat_map(|f| &mut f.grounds) {
            ground.quote.clear();
            ground.mark = None;
        }
    }
}

fn some<'a>(visit: Visit<'_>, texts: impl IntoIterator<Item = &'a mut String>) {
    texts.into_iter().for_each(|text| visit(Place::Text, text));
}

fn finding(f: &mut FindingOut, visit: Visit<'_>) {
    some(visit, f.member.iter_mut().chain([&mut f.statement]).chain(&mut f.answers).chain(&mut f.commands));
    some(visit, [&mut f.remedy, &mut f.ask, &mut f.note, &mut f.accepted].into_iter().flatten());
    for ground in &mut f.grounds {
        visit(Place::Paste, &mut ground.paste);
        visit(Place::Quote, &mut ground.quote);
        some(visit, &mut ground.mark);
    }
}

fn step(s: &mut StepOut, visit: Visit<'_>) {
    some(visit, [&mut s.id, &mut s.title, &mut s.why, &mut s.expect, &mut s.stop_when]);
    some(visit, s.member.iter_mut().chain(&mut s.commands));
    some(visit, s.checks.iter_mut().flat_map(|check| &mut check.lines).flatten());
    let ways = &mut s.ways_back;
    some(visit, [&mut ways.swap.reason, &mut ways.downgrade.reason, &mut ways.restore.reason]);
    if let Some(record) = &mut s.record {
        visit(Place::Person, &mut record.owner);
        some(visit, [&mut record.time, &mut record.note]);
    }
}

fn worksheet(bump: &mut BumpOut, visit: Visit<'_>) {
    some(visit, bump.lines.iter_mut().chain([&mut bump.words]));
    for factor in &mut bump.factors {
        some(visit, factor.value.iter_mut().chain(&mut factor.from));
    }
}

/// Values only: the keys are words of the schema.
fn value(json: &mut Value, visit: Visit<'_>) {
    match json {
        Value::String(text) => visit(Place::Text, text),
        Value::Array(items) => items.iter_mut().for_each(|item| value(item, visit)),
        Value::Object(fields) => fields.iter_mut().for_each(|(_, item)| value(item, visit)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
