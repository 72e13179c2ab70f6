//! Warnings that somebody accepted: with a reason, a name and an end date. Blocked gates can't be.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::finding::{Finding, Ground, Outcome};
use super::question::Question;
use super::{waiver_stale, words};
use crate::evidence::answers::{end_of, start_of};

/// One waiver.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    /// The gate whose warning is accepted.
    pub gate: String,
    /// The member it is accepted for, as it is called; all when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// Why.
    pub reason: String,
    /// Who accepts it.
    pub name: String,
    /// The last day on which it holds, ISO.
    pub until: String,
}

/// Reads a list of waivers in JSON.
///
/// # Errors
/// What is wrong with it and where, in words for the person.
pub fn read(text: &str) -> Result<Vec<Waiver>, String> {
    let waivers: Vec<Waiver> = serde_json::from_str(text)
        .map_err(|e| format!("expected a list of waivers, each with gate, reason, name and until: {e}"))?;
    waivers.iter().try_for_each(Waiver::check)?;
    Ok(waivers)
}

/// Writes a list of waivers as [`read`] takes it.
#[must_use]
pub fn write(waivers: &[Waiver]) -> String {
    serde_json::to_string_pretty(waivers).unwrap_or_default()
}

impl Waiver {
    /// Is it whole?
    ///
    /// # Errors
    /// What is wrong with it, in words for the person.
    pub fn check(&self) -> Result<(), String> {
        let gate = &self.gate;
        if super::by_id(gate).is_none() {
            return Err(format!("no gate is called \"{gate}\""));
        }
        if self.reason.trim().is_empty() || self.name.trim().is_empty() {
            return Err(format!("the waiver of {gate} needs a reason and a name"));
        }
        if start_of(&self.until).is_none() {
            return Err(format!("the waiver of {gate}: expected a date in until, found \"{}\"", self.until));
        }
        Ok(())
    }
}

/// Marks the warnings that are accepted on this date. Gives what is to be said of waivers that have run out or that
/// nothing answers to.
pub(super) fn apply(
    findings: &mut [Finding],
    waivers: &[Waiver],
    question: &Question<'_>,
    now: OffsetDateTime,
) -> Vec<Finding> {
    let (mut expired, mut unused) = (Vec::new(), Vec::new());
    for waiver in waivers {
        let meant = |f: &Finding| {
            let member = f.member.map(|m| question.label(m));
            f.gate == waiver.gate
                && f.outcome == Outcome::Warning
                && (waiver.member.is_none() || waiver.member == member)
        };
        if end_of(&waiver.until).is_none_or(|end| end <= now) {
            expired.push(format!("{} (until {})", waiver.gate, waiver.until));
            continue;
        }
        let mut used = false;
        for finding in findings.iter_mut().filter(|f| meant(f)) {
            let Waiver { name, until, reason, .. } = waiver;
            finding.accepted = Some(format!("Accepted by {name} until {until}: {reason}"));
            used = true;
        }
        if !used {
            unused.push(waiver.gate.clone());
        }
    }
    let stale = |gates: &[String], what: &str, remedy: &str| {
        let statement =
            format!("The {} of {} {what}.", words::verb(gates.len(), "waiver", "waivers"), words::list(gates));
        let mut finding = Finding::warning(statement, vec![Ground::Wanted], remedy);
        finding.gate = waiver_stale::GATE.id;
        finding
    };
    let mut said = Vec::new();
    if !expired.is_empty() {
        let remedy = "Decide anew: mend what the gate says, or accept it again with a new date.";
        said.push(stale(&expired, "ran out", remedy));
    }
    if !unused.is_empty() {
        let remedy =
            "Take it out: no warning answers to it. A blocked gate can't be accepted, and one that passes needs none.";
        said.push(stale(&unused, "accepts nothing", remedy));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiver_says_who_accepts_what_why_and_until_when() {
        let good =
            r#"[{"gate":"patch-below-advised","reason":"the next patch day","name":"A. Person","until":"2026-12-31"}]"#;
        let waivers = read(good).unwrap();
        assert_eq!(waivers.len(), 1);
        assert_eq!(read(&write(&waivers)), Ok(waivers));
        for (bad, said) in [
            (good.replace("patch-below-advised", "no-such-gate"), "no gate is called"),
            (good.replace("the next patch day", " "), "needs a reason and a name"),
            (good.replace("2026-12-31", "soon"), "expected a date in until"),
            (good.replace("\"name\":\"A. Person\",", ""), "missing field `name`"),
            ("{".to_owned(), "expected a list of waivers"),
        ] {
            let error = read(&bad).unwrap_err();
            assert!(error.contains(said), "{bad}: {error}");
        }
    }
}
