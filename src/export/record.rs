//! What people wrote beside the steps: done, by whom, when, and a note. It is kept on this machine and goes along in
//! every export.

use serde::{Deserialize, Serialize};

use serde_json::Value;

use super::fields;
use super::report::Report;
use crate::sorted::Sorted;

/// What was written beside one step. An empty text means nothing was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct StepRecord {
    /// Is it done?
    pub done: bool,
    /// Who does it, or did it.
    pub owner: String,
    /// When, as the person wrote it.
    pub time: String,
    /// Anything else.
    pub note: String,
}

impl StepRecord {
    /// Reads one.
    ///
    /// # Errors
    /// When it is none.
    pub fn of(of: &Value) -> Result<Self, String> {
        Ok(Self {
            done: fields::flag(of, "done")?.unwrap_or_default(),
            owner: fields::text(of, "owner")?,
            time: fields::text(of, "time")?,
            note: fields::text(of, "note")?,
        })
    }

    /// True when nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What was written, by step id.
pub type Records = Sorted<String, StepRecord>;

impl Report {
    /// Puts beside each step what was written of it. Records of steps that are not in this checklist stay out: the
    /// evidence has moved on.
    pub fn take_records(&mut self, records: &Records) {
        for step in self.checklist.iter_mut().flat_map(|phase| &mut phase.steps) {
            step.record = records.get(&step.id).filter(|record| !record.is_empty()).cloned();
        }
    }
}
