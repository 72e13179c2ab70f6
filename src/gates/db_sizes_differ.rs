//! Do the members hold as much data as each other?
//!
//! # Asks
//! The bytes in use of each member where they are shown, else the size of its database file.
//!
//! # Blocks when
//! Never. Bytes in use that differ by more than a fifth and 10 MB, or files that differ by more than a third and 100
//! MB, warn.
//!
//! # Why
//! Members hold the same keys. A file may be larger because nobody defragmented it; a large gap is also how a member
//! shows that it lost or kept data the others do not have.
//!
//! # Remedy
//! Compare the hashes of all members at one revision. Where they are equal, the larger file only wants a
//! defragmentation.
//!
//! # Sources
//! - maintenance: what a defragmentation gives back.
//! - postmortem-3.5-inconsistency: sizes as a sign of data that differ.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_AND_HEALTH, Finding, Gate, Group, Need, asks, sight};
use crate::etcd::sources::key;
use crate::evidence::fact::Status;

/// The gate.
pub static GATE: Gate = Gate {
    id: "db-sizes-differ",
    group: Group::Health,
    sources: &[key::MAINTENANCE, key::POSTMORTEM_3_5_INCONSISTENCY],
    asked: Asked::Now,
    intents: FOR_UPGRADE_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

/// Which sizes, what they are called, and from which gap on they are worth a look: share of the largest, and bytes.
type Measure = (fn(&Status) -> Option<u64>, &'static str, u64, u64);

fn check(q: &Question<'_>) -> Vec<Finding> {
    let rows = sight::rows(q);
    let measures: [Measure; 2] =
        [(|s| s.db_in_use, "bytes in use", 5, 10_000_000), (|s| s.db_size, "the size of the database", 3, 100_000_000)];
    for (size, what, share, least) in measures {
        let sizes: Vec<u64> = rows.iter().filter_map(|(_, s)| size(&s.value)).collect();
        let (Some(low), Some(high)) = (sizes.iter().min().copied(), sizes.iter().max().copied()) else { continue };
        if sizes.len() < rows.len() || sizes.len() < 2 {
            continue;
        }
        let gap = high - low;
        if gap > least && gap > high / share {
            let statement = format!(
                "In {what} the members differ: {} MB at least, {} MB at most.",
                low / 1_000_000,
                high / 1_000_000
            );
            let remedy = "Compare the hashes of all members at one revision. Where they are equal, defragment the larger \
                          ones; where they differ, a member lost or kept data and must be replaced before the upgrade.";
            let finding = Finding::warning(statement, seen(rows.iter().map(|(_, s)| &s.span)), remedy);
            return vec![finding.with_commands(asks::compare_hashes(q))];
        }
        return sight::passed_on_status(q, "The members hold about as much data as each other.");
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn a_gap_in_what_is_used_warns_and_a_file_nobody_defragmented_does_not() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::Passed]);
        let large = three_members("3.5.33").status("m2", |s| s.db_size = Some(900_000_000));
        assert_eq!(outcomes(&GATE, &large, "3.6", &[]), [Outcome::Passed]);
        let more = large.status("m2", |s| s.db_in_use = Some(60_000_000));
        assert_eq!(outcomes(&GATE, &more, "3.6", &[]), [Outcome::Warning]);
    }
}
