//! The worksheet of the revision bump, as the report shows it: every factor with where it came from, and the
//! arithmetic in lines.

use serde::{Deserialize, Serialize};

use crate::bump::{Bump, NotNeeded, Origin, Refused, Worksheet, work_out};
use crate::evidence::answers::AnswerKey;
use crate::evidence::paste::Paste;

/// The worksheet. Revisions and counts are texts: they may be larger than a number of JSON is read exactly.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BumpOut {
    /// What `--bump-revision` gets; `null` when none is needed or it can't be said.
    pub bump: Option<String>,
    /// The revision the restored cluster starts at, when the snapshot's is known.
    pub starts_at: Option<String>,
    /// What comes out, in one sentence.
    pub words: String,
    /// The factors, each of which an answer replaces.
    pub factors: Vec<FactorOut>,
    /// The arithmetic, a line a step.
    pub lines: Vec<String>,
}

/// One factor.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FactorOut {
    /// The answer that sets it: `writes-per-second`.
    pub answer: String,
    /// What it is.
    pub name: String,
    /// Its value with its unit; `null` when not known.
    pub value: Option<String>,
    /// Where it came from; `null` when not known.
    pub from: Option<String>,
}

/// The worksheet of a restore.
pub(super) fn sheet(sheet: &Worksheet, pastes: &[Paste]) -> BumpOut {
    let bump = work_out(sheet);
    let (by, starts_at) = match &bump {
        Bump::By { bump, starts_at } => (Some(bump.to_string()), starts_at.map(|s| s.to_string())),
        Bump::NotNeeded(_) | Bump::Missing(_) | Bump::Refused(_) => (None, None),
    };
    BumpOut { words: words(&bump), lines: lines(sheet, &bump), factors: factors(sheet, pastes), bump: by, starts_at }
}

fn words(bump: &Bump) -> String {
    match bump {
        Bump::By { bump, starts_at: Some(starts_at) } => {
            format!("Bump the revision by {}; the restored cluster starts at {}.", grouped(*bump), grouped(*starts_at))
        }
        Bump::By { bump, starts_at: None } => format!("Bump the revision by {}.", grouped(*bump)),
        Bump::NotNeeded(NotNeeded::NothingWatches) => "No bump is needed: nothing keeps a watch cache.".to_owned(),
        Bump::NotNeeded(NotNeeded::NothingWritten) => {
            "No bump is needed: nothing was written since the backup snapshot.".to_owned()
        }
        Bump::Missing(_) => "Not known yet: give both revisions, or the writes per second and the age of the backup \
                             snapshot."
            .to_owned(),
        Bump::Refused(Refused::Overflow) => "The sum is larger than etcd can count.".to_owned(),
        Bump::Refused(Refused::NotPositive) => "No writes at all give no bump.".to_owned(),
        Bump::Refused(Refused::NowBelowSnapshot) => {
            "The revision now lies below the one in the backup snapshot.".to_owned()
        }
        Bump::Refused(Refused::SnapshotInFuture) => "The backup snapshot lies in the future.".to_owned(),
    }
}

fn factors(sheet: &Worksheet, pastes: &[Paste]) -> Vec<FactorOut> {
    let factor = |key: AnswerKey, name: &str, found: Option<(String, &Origin)>| {
        let (value, from) = found.map_or((None, None), |(value, origin)| (Some(value), Some(place(origin, pastes))));
        FactorOut { answer: key.id().to_owned(), name: name.to_owned(), value, from }
    };
    let age_key = match sheet.age.as_ref().map(|a| &a.from) {
        Some(Origin::Answer(key)) => *key,
        _ => AnswerKey::SnapshotAge,
    };
    vec![
        factor(
            AnswerKey::SnapshotRevision,
            "revision in the backup snapshot",
            sheet.snapshot_revision.as_ref().map(|f| (grouped(f.value), &f.from)),
        ),
        factor(
            AnswerKey::CurrentRevision,
            "newest revision served",
            sheet.current_revision.as_ref().map(|f| (grouped(f.value), &f.from)),
        ),
        factor(
            AnswerKey::WritesPerSecond,
            "writes per second",
            sheet.writes_per_second.as_ref().map(|f| (grouped(f.value), &f.from)),
        ),
        factor(
            age_key,
            "age of the backup snapshot",
            sheet.age.as_ref().map(|f| (format!("{} s", grouped(f.value)), &f.from)),
        ),
        factor(AnswerKey::Margin, "margin", Some((format!("{} %", sheet.margin.value), &sheet.margin.from))),
    ]
}

fn place(origin: &Origin, pastes: &[Paste]) -> String {
    match origin {
        Origin::Answer(key) => format!("answer {}", key.id()),
        Origin::Paste(span) => {
            let name = pastes.get(span.paste).map_or("a paste", |p| p.name.as_str());
            format!("{name}, line {}", span.first_line)
        }
        Origin::Usual => "the usual value".to_owned(),
    }
}

fn lines(sheet: &Worksheet, bump: &Bump) -> Vec<String> {
    let mut lines = Vec::new();
    if let (Some(now), Some(then), Some(written)) = (&sheet.current_revision, &sheet.snapshot_revision, sheet.written())
    {
        lines.push(format!(
            "written until then: {} − {} = {}",
            grouped(now.value),
            grouped(then.value),
            grouped(written)
        ));
        if let (Some(rate), Some(age)) = (sheet.measured_rate(), &sheet.age) {
            lines.push(format!(
                "measured rate: {} / {} s, so at most {} a second",
                grouped(written),
                grouped(age.value),
                grouped(rate)
            ));
        }
    }
    if let (Some(rate), Some(age), Some(estimate)) = (&sheet.writes_per_second, &sheet.age, sheet.estimate()) {
        lines.push(format!(
            "estimated writes: {} × {} s + {} % = {}",
            grouped(rate.value),
            grouped(age.value),
            sheet.margin.value,
            grouped(estimate),
        ));
    }
    if let Some(least) = sheet.least() {
        lines.push(format!("at least: {}", grouped(least)));
    }
    if let Bump::By { bump, starts_at } = bump {
        lines.push(format!("rounded up to one digit: {}", grouped(*bump)));
        if let (Some(then), Some(sum)) = (&sheet.snapshot_revision, starts_at) {
            lines.push(format!("starts at: {} + {} = {}", grouped(then.value), grouped(*bump), grouped(*sum)));
        }
    }
    lines
}

/// Digits in groups of three: 1,000,000,000.
fn grouped(number: impl ToString) -> String {
    let text = number.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |digits| ("−", digits));
    let mut grouped = String::with_capacity(text.len() + text.len() / 3);
    grouped.push_str(sign);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "−1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
