//! Was an older binary refused by the data?
//!
//! # Asks
//! Whether a log shows a binary that is older than the cluster version.
//!
//! # Blocks when
//! It does.
//!
//! # Why
//! Once the last member runs the new minor the cluster version is raised and stored: older binaries refuse it. The data are
//! unharmed.
//!
//! # Remedy
//! Start the newer binary again on the same data. Back leads a formal downgrade, where there is one, or the backup snapshot.
//!
//! # Sources
//! - source-downgrade: which target the server accepts.
//! - seen-downgrade: downgrades of real clusters.

use super::question::Question;
use super::{Asked, FOR_EVERY_ROLL, Finding, Gate, Group, Need};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "old-binary-refused",
    group: Group::Downgrade,
    sources: &[key::SOURCE_DOWNGRADE, key::SEEN_DOWNGRADE],
    asked: Asked::Now,
    intents: FOR_EVERY_ROLL,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let remedy = "Start the newer binary again on the same data: they are unharmed. Back leads a formal downgrade, where there is \
                  one, or the backup snapshot with the older binary on every member.";
    q.told_to_stop(GATE.id, remedy).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt};
    use crate::gates::testing::going_down;

    #[test]
    fn every_text_of_it_blocks() {
        for text in [
            "invalid downgrade; server version is lower than determined cluster version",
            "invalid downgrade; (current version: 3.4.31 is lower than determined cluster version: 3.5).",
            "cluster cannot be downgraded (current version: 3.2.24 is lower than determined cluster version: 3.3).",
        ] {
            let cluster = three_members("3.6.16").log("m2", text);
            assert_eq!(going_down(&GATE, &cluster, "3.5", &[]), [Blocked], "{text}");
        }
        assert_eq!(going_down(&GATE, &three_members("3.6.16"), "3.5", &[]), [NotLookedAt]);
    }
}
