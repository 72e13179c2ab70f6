use proptest::prelude::*;
use time::macros::datetime;

use super::*;
use crate::cluster::testing;
use crate::evidence::answers::Answers;

fn answers(given: &[&str]) -> Answers {
    let mut answers = Answers::new();
    for answer in given {
        answers.take(answer).expect("the answer fits");
    }
    answers
}

fn bump(given: &[&str]) -> Bump {
    let now = datetime!(2026-11-30 12:00 UTC);
    work_out(&Worksheet::fill(&testing::nothing().build(), &answers(given), now))
}

fn by(bump: i64, starts_at: Option<i64>) -> Bump {
    Bump::By { bump, starts_at }
}

#[test]
fn a_week_at_1500_writes_a_second_gives_the_figure_of_the_guide() {
    assert_eq!(bump(&["writes-per-second=1500", "snapshot-age=7d"]), by(1_000_000_000, None));
    // One write more and the guide's figure is no longer enough.
    assert_eq!(bump(&["writes-per-second=1504", "snapshot-age=7d"]), by(2_000_000_000, None));
}

#[test]
fn the_difference_of_the_revisions_is_a_lower_bound() {
    let given = ["snapshot-revision=1000", "current-revision=51000", "writes-per-second=1", "snapshot-age=1h"];
    assert_eq!(bump(&given), by(60_000, Some(61_000)), "the estimate of 3,960 lies below what was really written");
    assert_eq!(bump(&["snapshot-revision=1000", "current-revision=1001", "margin=0%"]), by(2, Some(1002)));
}

#[test]
fn two_readings_measure_the_rate() {
    let given = answers(&["snapshot-revision=1000", "current-revision=37001", "snapshot-age=1h"]);
    let sheet = Worksheet::fill(&testing::nothing().build(), &given, datetime!(2026-11-30 12:00 UTC));
    assert_eq!(sheet.measured_rate(), Some(11), "36,001 writes in 3,600 seconds");
    assert_eq!(work_out(&sheet), by(40_000, Some(41_000)));
}

#[test]
fn the_age_comes_from_when_the_snapshot_was_taken() {
    let taken = ["writes-per-second=100", "snapshot-taken=2026-11-30T11:00:00Z"];
    assert_eq!(bump(&taken), by(400_000, None), "100 × 3,600 × 1.1 = 396,000");
    assert_eq!(
        bump(&["writes-per-second=100", "snapshot-taken=2026-12-01T11:00:00Z"]),
        Bump::Refused(Refused::SnapshotInFuture)
    );
}

#[test]
fn no_bump_where_nothing_watches_or_nothing_was_written() {
    assert_eq!(bump(&["watch-caches=no"]), Bump::NotNeeded(NotNeeded::NothingWatches));
    assert_eq!(bump(&["snapshot-revision=70", "current-revision=70"]), Bump::NotNeeded(NotNeeded::NothingWritten));
}

#[test]
fn what_can_not_be_counted_is_refused() {
    let max = i64::MAX;
    assert_eq!(bump(&["writes-per-second=18446744073709551615", "snapshot-age=9w"]), Bump::Refused(Refused::Overflow));
    assert_eq!(
        bump(&["writes-per-second=1", "snapshot-age=1d", &format!("snapshot-revision={max}")]),
        Bump::Refused(Refused::Overflow)
    );
    assert_eq!(bump(&["writes-per-second=0", "snapshot-age=1d"]), Bump::Refused(Refused::NotPositive));
    assert_eq!(bump(&["snapshot-revision=71", "current-revision=70"]), Bump::Refused(Refused::NowBelowSnapshot));
}

#[test]
fn what_is_missing_is_named() {
    use AnswerKey::{CurrentRevision, SnapshotAge, SnapshotRevision, WritesPerSecond};
    assert_eq!(bump(&[]), Bump::Missing(vec![CurrentRevision, SnapshotRevision, WritesPerSecond, SnapshotAge]));
    assert_eq!(
        bump(&["snapshot-revision=7", "snapshot-age=1d"]),
        Bump::Missing(vec![CurrentRevision, WritesPerSecond])
    );
}

#[test]
fn rounding_up_keeps_one_digit() {
    for (count, rounded) in [(0, 0), (1, 1), (9, 9), (10, 10), (11, 20), (99, 100), (997_920_000, 1_000_000_000)] {
        assert_eq!(one_significant_digit(count), rounded, "{count}");
    }
}

fn sheet(snapshot: i64, now: Option<i64>, rate: Option<u64>, age: Option<u64>, margin: u32) -> Worksheet {
    let factor = |value| Factor { value, from: Origin::Usual };
    Worksheet {
        snapshot_revision: Some(factor(snapshot)),
        current_revision: now.map(factor),
        writes_per_second: rate.map(|value| Factor { value, from: Origin::Usual }),
        age: age.map(|value| Factor { value, from: Origin::Usual }),
        margin: Factor { value: margin, from: Origin::Usual },
        watch_caches: Some(true),
        snapshot_in_future: false,
    }
}

fn size(bump: &Bump) -> Option<i128> {
    match bump {
        Bump::By { bump, .. } => Some(i128::from(*bump)),
        Bump::NotNeeded(_) => Some(0),
        // Larger than every bump that can be used.
        Bump::Refused(Refused::Overflow) => Some(i128::MAX),
        Bump::Refused(_) | Bump::Missing(_) => None,
    }
}

proptest! {
    /// The restored cluster starts above every revision that was served.
    #[test]
    fn the_sum_lies_above_every_revision_served(
        snapshot in 0..i64::MAX, written in 0..i64::MAX, rate in any::<Option<u32>>(), age in any::<Option<u32>>(), margin in 0..1000u32,
    ) {
        let Some(now) = snapshot.checked_add(written) else { return Ok(()) };
        let sheet = sheet(snapshot, Some(now), rate.map(u64::from), age.map(u64::from), margin);
        match work_out(&sheet) {
            Bump::By { bump, starts_at } => {
                prop_assert!(bump > 0);
                prop_assert_eq!(starts_at, snapshot.checked_add(bump));
                prop_assert!(starts_at.is_some_and(|s| s > now));
                let estimate = sheet.estimate().unwrap_or(0);
                prop_assert!(u128::try_from(bump).is_ok_and(|b| b >= estimate));
            }
            Bump::NotNeeded(_) => prop_assert_eq!(written, 0),
            Bump::Refused(refused) => prop_assert_eq!(refused, Refused::Overflow),
            Bump::Missing(keys) => prop_assert!(false, "nothing is missing: {:?}", keys),
        }
    }

    /// A larger factor never makes a smaller bump.
    #[test]
    fn it_grows_with_each_factor(
        snapshot in 0..1_000_000_000_000i64, written in 1..1_000_000_000_000i64, rate in 1..1_000_000u64,
        age in 1..100_000_000u64, margin in 0..1000u32, more in 1..1_000_000u32, which in 0..4,
    ) {
        let now = snapshot + written;
        let before = sheet(snapshot, Some(now), Some(rate), Some(age), margin);
        let mut after = before.clone();
        match which {
            0 => after.current_revision = sheet(0, Some(now + i64::from(more)), None, None, 0).current_revision,
            1 => after.writes_per_second = sheet(0, None, Some(rate + u64::from(more)), None, 0).writes_per_second,
            2 => after.age = sheet(0, None, None, Some(age + u64::from(more)), 0).age,
            _ => after.margin = sheet(0, None, None, None, margin + more).margin,
        }
        prop_assert!(size(&work_out(&before)) <= size(&work_out(&after)));
    }

    /// Nothing that can be answered makes it panic.
    #[test]
    fn nothing_typed_makes_it_panic(
        snapshot in any::<i64>(), now in any::<Option<i64>>(), rate in any::<Option<u64>>(), age in any::<Option<u64>>(), margin in any::<u32>(),
    ) {
        let _ = work_out(&sheet(snapshot, now, rate, age, margin));
    }
}
