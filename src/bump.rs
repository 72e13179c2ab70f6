//! The revision bump of a restore: by how much the revisions must jump so that no client's watch cache survives it.
//!
//! A restore takes the cluster back to the newest revision of the backup snapshot. A client that has seen a newer
//! one believes that it is up to date and misses changes. So `snapshot restore` adds a number to the snapshot's
//! revision, and the sum must lie above every revision that was ever served. Source: the etcd guide on disaster
//! recovery, and `bump_semantics` of the facts on restores: "latest main revision found + bump-revision".
//!
//! Everything is worked out in 128 bits, so no factor a person can type makes it wrap.

mod worksheet;

pub use worksheet::{Factor, Origin, Worksheet};

use crate::evidence::answers::AnswerKey;

/// Above this a client that keeps numbers as 64-bit floats (JavaScript, jq) no longer tells revisions apart: 2^53.
pub const EXACT_AS_FLOAT: i64 = 1 << 53;

/// The margin on estimated writes when nobody names one, in percent. With it a week below 1,500 writes a second gives
/// the figure of etcd's guide: 1,000,000,000.
pub const USUAL_MARGIN: u32 = 10;

/// What the arithmetic says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bump {
    /// Add this much.
    By {
        /// What `--bump-revision` gets: at least 1.
        bump: i64,
        /// The revision the restored cluster starts at; `None` while the snapshot's revision is not known.
        starts_at: Option<i64>,
    },
    /// A restore without a bump is right.
    NotNeeded(NotNeeded),
    /// These answers are missing; any one of them is enough.
    Missing(Vec<AnswerKey>),
    /// The factors contradict each other or lead out of what etcd can count.
    Refused(Refused),
}

/// Why no bump is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotNeeded {
    /// Nothing keeps a watch cache.
    NothingWatches,
    /// The revision now is the one in the backup snapshot.
    NothingWritten,
}

/// Why there is no bump that could be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The sum does not fit into etcd's revision, an `i64`.
    Overflow,
    /// The estimate is zero: a bump of 0 is none.
    NotPositive,
    /// The revision now is below the one in the snapshot: one of the two is of another cluster, or was typed wrong.
    NowBelowSnapshot,
    /// The backup snapshot is younger than now.
    SnapshotInFuture,
}

/// Works out the bump.
///
/// - With a rate and an age, `writes since ≈ rate × seconds × (100 + margin) / 100`, rounded up.
/// - With both revisions, the writes until the newer one was read are known: the difference plus the margin, and the
///   bump is never smaller than the difference + 1.
/// - The larger of the two, rounded up to one significant digit.
#[must_use]
pub fn work_out(sheet: &Worksheet) -> Bump {
    if sheet.watch_caches == Some(false) {
        return Bump::NotNeeded(NotNeeded::NothingWatches);
    }
    if sheet.snapshot_in_future {
        return Bump::Refused(Refused::SnapshotInFuture);
    }
    let written = sheet.written();
    if written.is_some_and(|written| written < 0) {
        return Bump::Refused(Refused::NowBelowSnapshot);
    }
    let needed = match (sheet.least(), written, sheet.estimate()) {
        (None, ..) => return Bump::Missing(sheet.missing()),
        (_, Some(0), None | Some(0)) => return Bump::NotNeeded(NotNeeded::NothingWritten),
        (Some(0), ..) => return Bump::Refused(Refused::NotPositive),
        (Some(needed), ..) => needed,
    };
    let bump = i64::try_from(one_significant_digit(needed)).ok();
    let starts_at = sheet.snapshot_revision.as_ref().map(|r| r.value);
    match (bump, starts_at) {
        (None, _) => Bump::Refused(Refused::Overflow),
        (Some(bump), None) => Bump::By { bump, starts_at: None },
        (Some(bump), Some(snapshot)) => match snapshot.checked_add(bump) {
            Some(sum) => Bump::By { bump, starts_at: Some(sum) },
            None => Bump::Refused(Refused::Overflow),
        },
    }
}

/// A count with a margin in percent on it, rounded up.
fn with_margin(count: u128, margin: u32) -> u128 {
    count.saturating_mul(100 + u128::from(margin)).div_ceil(100)
}

/// The smallest number with one significant digit that is not below `count`: 997,920,000 becomes 1,000,000,000.
#[must_use]
pub fn one_significant_digit(count: u128) -> u128 {
    let Some(digits) = count.checked_ilog10() else { return 0 };
    let unit = 10u128.pow(digits);
    count.div_ceil(unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests;
