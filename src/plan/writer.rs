//! Writes the phases of one leg: gives each step its id and the ways back that are open once it is done.

use super::way_back::Standing;
use super::{Check, Phase, PhaseKind, Step, WaysBack};
use crate::intent::Hop;

/// A step without what the writer adds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Draft {
    /// The id without the leg's prefix: `roll/m2/stop`.
    pub(super) id: String,
    /// What to do.
    pub(super) title: String,
    /// The member it is done on.
    pub(super) member: Option<String>,
    /// Why.
    pub(super) why: String,
    /// Commands.
    pub(super) commands: Vec<String>,
    /// What they must print.
    pub(super) checks: Vec<Check>,
    /// What to expect.
    pub(super) expect: String,
    /// When to stop.
    pub(super) stop_when: String,
}

/// Steps and phases, growing. Every checklist is written by it.
#[derive(Debug)]
pub(super) struct Steps {
    /// What every id starts with: `3.6`, the target of a patch roll, `restore`.
    prefix: String,
    hop: Option<Hop>,
    leg: usize,
    steps: Vec<Step>,
    phases: Vec<Phase>,
}

impl Steps {
    /// Of a checklist that moves no version, below phases that stand before it.
    pub(super) fn of_no_leg(prefix: &str, phases: Vec<Phase>) -> Self {
        Self { prefix: prefix.to_owned(), hop: None, leg: 0, steps: Vec::new(), phases }
    }

    /// Adds a step, with the ways back once it is done. Gives its full id, which differs from the draft's when that is
    /// taken.
    pub(super) fn step(&mut self, draft: Draft, ways_back: WaysBack) -> String {
        let Draft { id, title, member, why, mut commands, checks, expect, stop_when } = draft;
        // Where members can't be told apart, the command for each is the same: once in a row is enough.
        if checks.is_empty() {
            commands.dedup();
        }
        let plain = format!("{}/{id}", self.prefix);
        let mut id = plain.clone();
        let mut count = 1;
        while self.knows(&id) {
            count += 1;
            id = format!("{plain}.{count}");
        }
        self.steps.push(Step { id: id.clone(), title, member, why, commands, checks, expect, stop_when, ways_back });
        id
    }

    /// Ends the phase that the steps since the last one make; without steps there is no phase.
    pub(super) fn phase(&mut self, kind: PhaseKind, note: Option<String>) {
        if self.steps.is_empty() {
            return;
        }
        let steps = std::mem::take(&mut self.steps);
        self.phases.push(Phase { hop: self.hop, leg: self.leg, kind, note, steps });
    }

    /// All phases.
    pub(super) fn done(self) -> Vec<Phase> {
        self.phases
    }

    fn knows(&self, id: &str) -> bool {
        self.steps.iter().chain(self.phases.iter().flat_map(|p| &p.steps)).any(|s| s.id == id)
    }
}

/// The phases of one leg, growing.
#[derive(Debug)]
pub(super) struct Writer {
    steps: Steps,
    /// How far the leg is; steps move it on.
    pub(super) standing: Standing,
}

impl Writer {
    /// A leg without phases yet.
    pub(super) fn new(prefix: String, leg: usize, standing: Standing) -> Self {
        let steps = Steps { prefix, hop: standing.hop, leg, steps: Vec::new(), phases: Vec::new() };
        Self { steps, standing }
    }

    /// Adds a step; what the leg stands at now is what its ways back say. Gives its full id.
    pub(super) fn step(&mut self, draft: Draft) -> String {
        self.steps.step(draft, self.standing.ways())
    }

    /// Ends the phase that the steps since the last one make; without steps there is no phase.
    pub(super) fn phase(&mut self, kind: PhaseKind, note: Option<String>) {
        self.steps.phase(kind, note);
    }

    /// The id of the leg's first step.
    pub(super) fn first_id(&self) -> Option<&str> {
        let Steps { steps, phases, .. } = &self.steps;
        phases.iter().flat_map(|p| &p.steps).chain(steps).map(|s| s.id.as_str()).next()
    }

    /// Index of the leg in the route.
    pub(super) fn leg(&self) -> usize {
        self.steps.leg
    }

    /// Adds phases that another writer wrote.
    pub(super) fn append(&mut self, phases: Vec<Phase>) {
        self.steps.phases.extend(phases);
    }

    /// All phases.
    pub(super) fn done(self) -> Vec<Phase> {
        self.steps.done()
    }
}
