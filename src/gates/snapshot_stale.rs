//! Is the backup snapshot fresh?
//!
//! # Asks
//! How old the backup snapshot is that was answered with a time.
//!
//! # Blocks when
//! It is older than thirty days: restoring it brings back another cluster. From a day on it warns.
//!
//! # Why
//! Restoring it loses everything written since it was taken.
//!
//! # Remedy
//! Take a new one right before the roll.
//!
//! # Sources
//! - recovery: what a restore brings back.

use super::question::{Question, Stage};
use super::{Asked, FOR_EVERY_LIVE_CHANGE, Finding, Gate, Ground, Group, Need, asks};
use crate::etcd::sources::key;
use crate::evidence::answers::{AnswerKey, SnapshotTaken};
use time::Duration;

/// The gate.
pub static GATE: Gate = Gate {
    id: "snapshot-stale",
    group: Group::Backup,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_EVERY_LIVE_CHANGE,
    need: |q| if matches!(q.stage(), Stage::Ahead | Stage::Stays) { Need::OnSight } else { Need::NotApplicable },
    check,
};

/// A backup snapshot older than this no longer stands for the cluster as it is.
const FRESH: Duration = Duration::hours(24);
/// One older than this is no way back any more.
const WORTHLESS: Duration = Duration::days(30);

fn check(q: &Question<'_>) -> Vec<Finding> {
    let grounds = vec![Ground::Answered(AnswerKey::SnapshotTaken)];
    let age = match q.answers.snapshot_taken() {
        Some(SnapshotTaken::At(taken)) if taken <= q.now => q.now - taken,
        Some(SnapshotTaken::InPlan) => {
            return vec![Finding::passed("The plan takes the backup snapshot right before the roll.", grounds)];
        }
        _ => return Vec::new(),
    };
    let statement = format!("The backup snapshot is {} old.", in_words(age));
    let remedy = "Take a new one right before the roll: restoring it loses everything written since it was taken.";
    vec![if age > WORTHLESS {
        Finding::blocked(statement, grounds, remedy).with_commands(asks::snapshot_again(q))
    } else if age > FRESH {
        Finding::warning(statement, grounds, remedy).with_commands(asks::snapshot_again(q))
    } else {
        Finding::passed(statement, grounds)
    }]
}

/// A span of time in whole hours or days.
pub(super) fn in_words(age: Duration) -> String {
    match (age.whole_days(), age.whole_hours()) {
        (0, 0) => "less than an hour".to_owned(),
        (0, 1) => "1 hour".to_owned(),
        (0 | 1, hours) => format!("{hours} hours"),
        (days, _) => format!("{days} days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn a_day_warns_and_a_month_stops() {
        for (taken, outcome) in [
            ("2026-11-29T12:00:00Z", Outcome::Passed),
            ("2026-11-29T11:59:59Z", Outcome::Warning),
            ("2026-10-31T12:00:00Z", Outcome::Warning),
            ("2026-10-31T11:59:59Z", Outcome::Blocked),
            ("in-plan", Outcome::Passed),
        ] {
            let answer = format!("snapshot-taken={taken}");
            assert_eq!(outcomes(&GATE, &three_members("3.5.35"), "3.6", &[&answer]), [outcome], "{taken}");
        }
        assert_eq!(outcomes(&GATE, &three_members("3.5.35"), "3.6", &[]), [Outcome::NotLookedAt]);
    }
}
