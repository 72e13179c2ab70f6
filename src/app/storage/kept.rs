//! The form in which a cluster's work is kept, in the browser and in files.

use etcd_upgrade_planner::export::fields;
use etcd_upgrade_planner::export::record::{Records, StepRecord};
use etcd_upgrade_planner::gates::waiver::Waiver;
use serde::Serialize;
use serde_json::Value;

/// Everything kept of one cluster, but the texts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
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
    /// Marks of the states of it that this one was made of, and its own last. No file has them.
    pub trail: Vec<String>,
}

/// A paste. Its text stands under a key of its own in the browser, and here in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct KeptPaste {
    /// Its id in this browser.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// The kind set by hand, by id.
    pub kind: Option<String>,
    /// The member set by hand.
    pub member: Option<String>,
    /// Which change of its text this is; see the heads of the page.
    pub edits: u32,
    /// Its text, in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Kept {
    /// Reads what was kept. `None` for what nobody can read.
    pub fn read(text: &str) -> Option<Self> {
        Self::of(&fields::object(text).ok()?).ok()
    }

    /// Reads what was kept, out of JSON.
    ///
    /// # Errors
    /// When something else stands there.
    // Field by field, as `fields` does: a derived reader is many times the code.
    pub fn of(of: &Value) -> Result<Self, String> {
        let mut kept = Self {
            name: fields::text(of, "name")?,
            since: fields::number(of, "since")?.unwrap_or_default(),
            draft: fields::text(of, "draft")?,
            intent: fields::maybe_text(of, "intent")?,
            to: fields::maybe_text(of, "to")?,
            from: fields::maybe_text(of, "from")?,
            answered: fields::texts(of, "answered")?,
            done: fields::texts(of, "done")?,
            before: fields::text(of, "before")?,
            trail: fields::texts(of, "trail")?,
            ..Self::default()
        };
        for paste in fields::list(of, "pastes")? {
            kept.pastes.push(KeptPaste {
                id: fields::number(paste, "id")?.unwrap_or_default(),
                name: fields::text(paste, "name")?,
                kind: fields::maybe_text(paste, "kind")?,
                member: fields::maybe_text(paste, "member")?,
                edits: fields::number(paste, "edits")?.and_then(|n| u32::try_from(n).ok()).unwrap_or_default(),
                text: fields::maybe_text(paste, "text")?,
            });
        }
        for (step, record) in of.get("records").and_then(Value::as_object).into_iter().flatten() {
            kept.records.insert(step.clone(), StepRecord::of(record)?);
        }
        for waiver in fields::list(of, "waivers")? {
            kept.waivers.push(Waiver {
                gate: fields::text(waiver, "gate")?,
                member: fields::maybe_text(waiver, "member")?,
                reason: fields::text(waiver, "reason")?,
                name: fields::text(waiver, "name")?,
                until: fields::text(waiver, "until")?,
            });
        }
        Ok(kept.of_today())
    }

    /// Ticks of older pages as records.
    fn of_today(mut self) -> Self {
        for step in std::mem::take(&mut self.done) {
            let mut record = self.records.remove(&step).unwrap_or_default();
            record.done = true;
            self.records.insert(step, record);
        }
        self
    }

    /// Nothing given, nothing wanted, nothing said.
    pub fn is_blank(&self) -> bool {
        let Self { name, since, trail, .. } = Self::default();
        Self { name, since, trail, ..self.clone() } == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn every_field_that_is_written_is_read() {
        let some = || Some("some".to_owned());
        let waiver = Waiver {
            gate: "gate".to_owned(),
            member: some(),
            reason: "why".to_owned(),
            name: "ana".to_owned(),
            until: "2027-01-31".to_owned(),
        };
        let paste = KeptPaste {
            id: u64::MAX,
            name: "a".to_owned(),
            kind: some(),
            member: some(),
            edits: 3,
            text: Some("line\r\n".to_owned()),
        };
        let record =
            StepRecord { done: true, owner: "ana".to_owned(), time: "now".to_owned(), note: "é\"\\".to_owned() };
        let kept = Kept {
            name: "prod".to_owned(),
            since: 7,
            pastes: vec![paste, KeptPaste::default()],
            draft: "half".to_owned(),
            intent: some(),
            to: some(),
            from: some(),
            answered: vec!["auth=no".to_owned()],
            records: [("step".to_owned(), record)].into_iter().collect(),
            done: Vec::new(),
            waivers: vec![waiver],
            before: "{}".to_owned(),
            trail: vec!["1f".to_owned()],
        };
        assert_eq!(Kept::read(&serde_json::to_string_pretty(&kept).unwrap()), Some(kept));
        assert_eq!(Kept::read("{\"pastes\": [{}], \"to\": null}").map(|kept| kept.pastes.len()), Some(1));
        for broken in ["[]", "{\"draft\": 7}", "{\"pastes\": {}}", "{\"records\": {\"step\": {\"done\": 1}}}", "{"] {
            assert_eq!(Kept::read(broken), None, "{broken}");
        }
    }
}
