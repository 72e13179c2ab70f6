//! The form in which a cluster's work is kept, in the browser and in files.

use etcd_upgrade_planner::export::record::Records;
use etcd_upgrade_planner::gates::waiver::Waiver;
use serde::{Deserialize, Serialize};

/// Everything kept of one cluster, but the texts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// Name of the cluster.
    pub name: String,
    /// When it was made, in milliseconds since 1970: the order of the clusters.
    pub since: u64,
    /// The pastes in order.
    pub pastes: Vec<KeptPaste>,
    /// What stands in the evidence box and was not added yet.
    pub draft: String,
    /// What is wanted, when it is no upgrade.
    pub intent: Option<String>,
    /// Target as the person gave it; `None` is the newest patch of the next minor.
    pub to: Option<String>,
    /// Start as the person gave it.
    pub from: Option<String>,
    /// Answers as `KEY=VALUE`.
    pub answered: Vec<String>,
    /// What people wrote beside the steps, by step id.
    pub records: Records,
    /// Ids of the steps that are done, as older pages kept them. [`Kept::read`] makes records of them.
    #[serde(skip_serializing)]
    pub(in crate::app) done: Vec<String>,
    /// Warnings that somebody accepted.
    pub waivers: Vec<Waiver>,
    /// The report from before the change, as JSON; empty while none is kept.
    pub before: String,
}

/// A paste. Its text stands under a key of its own in the browser, and here in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptPaste {
    /// Its id in this browser.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// The kind set by hand, by id.
    pub kind: Option<String>,
    /// The member set by hand.
    pub member: Option<String>,
    /// How often its text was changed.
    pub edits: u32,
    /// Its text, in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Kept {
    /// Reads what was kept. `None` for what nobody can read.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str::<Self>(text).ok().map(Self::of_today)
    }

    /// Ticks of older pages as records.
    pub(super) fn of_today(mut self) -> Self {
        for step in std::mem::take(&mut self.done) {
            self.records.entry(step).or_default().done = true;
        }
        self
    }

    /// Nothing given, nothing wanted, nothing said.
    pub fn is_blank(&self) -> bool {
        let Self { name, since, .. } = Self::default();
        Self { name, since, ..self.clone() } == Self::default()
    }
}
