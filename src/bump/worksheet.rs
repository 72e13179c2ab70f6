//! The factors of the bump, each with where it came from.

use time::OffsetDateTime;

use super::{USUAL_MARGIN, with_margin};
use crate::cluster::Cluster;
use crate::evidence::answers::{AnswerKey, Answers, SnapshotTaken, age_seconds};
use crate::evidence::fact::Span;

/// Where a factor came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The person said so.
    Answer(AnswerKey),
    /// A paste shows it.
    Paste(Span),
    /// Nobody said anything: the usual value.
    Usual,
}

/// One factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor<T> {
    /// Its value.
    pub value: T,
    /// Where it came from.
    pub from: Origin,
}

/// What goes into the arithmetic. An answer wins over a paste: every factor can be edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worksheet {
    /// The newest revision in the backup snapshot.
    pub snapshot_revision: Option<Factor<i64>>,
    /// The newest revision the cluster served.
    pub current_revision: Option<Factor<i64>>,
    /// Writes a second.
    pub writes_per_second: Option<Factor<u64>>,
    /// Seconds since the backup snapshot was taken.
    pub age: Option<Factor<u64>>,
    /// What is added to the writes, in percent.
    pub margin: Factor<u32>,
    /// Does anything keep a watch cache? `None`: not said, so assume it.
    pub watch_caches: Option<bool>,
    /// Was the backup snapshot taken after `now`, by what the person says?
    pub snapshot_in_future: bool,
}

impl Worksheet {
    /// Fills the sheet from answers and pastes.
    ///
    /// Of several revisions in pastes the one that makes the bump larger counts: the oldest snapshot, the newest
    /// status.
    #[must_use]
    pub fn fill(cluster: &Cluster, answers: &Answers, now: OffsetDateTime) -> Self {
        let number = |key| answers.get(key).and_then(|v| v.parse().ok()).map(|value| said(key, value));
        let snapshots = cluster.snapshots.iter().filter_map(|s| Some((s.value.revision?, s.span.clone())));
        let statuses = cluster.members.iter().filter_map(|m| m.status.as_ref());
        let hashes = cluster.members.iter().filter_map(|m| m.hash.as_ref());
        let live = statuses
            .filter_map(|s| Some((s.value.revision?, s.span.clone())))
            .chain(hashes.filter_map(|h| Some((h.value.revision?, h.span.clone()))));
        let age = age(answers, now);
        Self {
            snapshot_revision: number(AnswerKey::SnapshotRevision)
                .or_else(|| snapshots.min_by_key(|(revision, _)| *revision).map(pasted)),
            current_revision: number(AnswerKey::CurrentRevision)
                .or_else(|| live.max_by_key(|(revision, _)| *revision).map(pasted)),
            writes_per_second: answers
                .get(AnswerKey::WritesPerSecond)
                .and_then(|v| v.parse().ok())
                .map(|value| said(AnswerKey::WritesPerSecond, value)),
            snapshot_in_future: age.as_ref().is_some_and(|a| a.value.is_none()),
            age: age.and_then(|a| Some(Factor { value: a.value?, from: a.from })),
            margin: answers
                .get(AnswerKey::Margin)
                .and_then(|v| v.strip_suffix('%')?.parse().ok())
                .map_or(Factor { value: USUAL_MARGIN, from: Origin::Usual }, |value| said(AnswerKey::Margin, value)),
            watch_caches: answers.yes(AnswerKey::WatchCaches),
        }
    }

    /// Writes between the two revisions; negative when the newer lies below.
    #[must_use]
    pub fn written(&self) -> Option<i128> {
        let (now, then) = (self.current_revision.as_ref()?, self.snapshot_revision.as_ref()?);
        Some(i128::from(now.value) - i128::from(then.value))
    }

    /// Writes since the backup snapshot by rate and age, with the margin, rounded up.
    #[must_use]
    pub fn estimate(&self) -> Option<u128> {
        let (rate, age) = (self.writes_per_second.as_ref()?, self.age.as_ref()?);
        Some(with_margin(u128::from(rate.value) * u128::from(age.value), self.margin.value))
    }

    /// The smallest bump that is enough, not rounded; `None` while neither way to it is known.
    #[must_use]
    pub fn least(&self) -> Option<u128> {
        let known = self.written().map(|written| {
            let written = u128::try_from(written).unwrap_or(0);
            with_margin(written, self.margin.value).max(written.saturating_add(1))
        });
        known.max(self.estimate())
    }

    /// Where the factors came from.
    pub fn origins(&self) -> impl Iterator<Item = &Origin> {
        let revisions = [&self.snapshot_revision, &self.current_revision].into_iter().flatten().map(|f| &f.from);
        let counts = [&self.writes_per_second, &self.age].into_iter().flatten().map(|f| &f.from);
        revisions.chain(counts).chain([&self.margin.from])
    }

    /// Writes a second as the two revisions and the age show, rounded up; `None` when one is missing or no second
    /// passed.
    #[must_use]
    pub fn measured_rate(&self) -> Option<u128> {
        let (written, age) = (u128::try_from(self.written()?).ok()?, u128::from(self.age.as_ref()?.value));
        (age > 0).then(|| written.div_ceil(age))
    }

    /// What would make the arithmetic possible, the better way first.
    pub(super) fn missing(&self) -> Vec<AnswerKey> {
        let mut keys = Vec::new();
        if self.current_revision.is_none() {
            keys.push(AnswerKey::CurrentRevision);
        }
        if self.snapshot_revision.is_none() {
            keys.push(AnswerKey::SnapshotRevision);
        }
        if self.writes_per_second.is_none() {
            keys.push(AnswerKey::WritesPerSecond);
        }
        if self.age.is_none() {
            keys.push(AnswerKey::SnapshotAge);
        }
        keys
    }
}

fn said<T>(key: AnswerKey, value: T) -> Factor<T> {
    Factor { value, from: Origin::Answer(key) }
}

fn pasted<T>((value, span): (T, Span)) -> Factor<T> {
    Factor { value, from: Origin::Paste(span) }
}

/// Seconds since the backup snapshot; the value is `None` when it lies in the future.
fn age(answers: &Answers, now: OffsetDateTime) -> Option<Factor<Option<u64>>> {
    if let Some(seconds) = answers.get(AnswerKey::SnapshotAge).and_then(age_seconds) {
        return Some(said(AnswerKey::SnapshotAge, Some(seconds)));
    }
    match answers.snapshot_taken()? {
        SnapshotTaken::InPlan => None,
        SnapshotTaken::At(taken) => {
            // A started second counts.
            let seconds = (now - taken).whole_milliseconds();
            let whole = u64::try_from(seconds).ok().map(|ms| ms.div_ceil(1000));
            Some(said(AnswerKey::SnapshotTaken, whole))
        }
    }
}
