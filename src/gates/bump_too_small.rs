//! Is the bump of a restore command large enough?
//!
//! # Asks
//! Whether `--bump-revision` of a restore command lies above the writes since the backup snapshot.
//!
//! # Blocks when
//! It is not above the difference of the two revisions, or below the estimate by rate and age.
//!
//! # Why
//! A sum below a revision that was served brings the same revision numbers twice, with other contents.
//!
//! # Remedy
//! Take the number of the worksheet.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.

use super::question::Question;
use super::{Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need};
use crate::bump::{Bump, work_out};
use crate::etcd::sources::key;
use crate::etcd::tools::restore_flag::BUMP_REVISION;

/// The gate.
pub static GATE: Gate = Gate {
    id: "bump-too-small",
    group: Group::Restore,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let sheet = q.bump_sheet();
    let (Some(least), Bump::By { bump, .. }) = (sheet.least(), work_out(sheet)) else { return Vec::new() };
    let given = |restore: &crate::evidence::fact::RestoreCommand| restore.value(BUMP_REVISION)?.parse::<i64>().ok();
    let commands = q.cluster.restores.iter().filter_map(|r| Some((given(&r.value)?, &r.span)));
    commands
        .map(|(given, span)| {
            let mut grounds = vec![Ground::Seen(span.clone())];
            grounds.extend(q.bump_grounds(sheet));
            if u128::try_from(given).is_ok_and(|given| given >= least) {
                return Finding::passed(
                    format!("A bump of {given} lies above the writes since the backup snapshot."),
                    grounds,
                );
            }
            let statement = format!("A bump of {given} is too small: at least {least} is needed.");
            Finding::blocked(
                statement,
                grounds,
                format!(
                    "Restore with --{BUMP_REVISION} {bump}: a revision that comes twice makes clients miss changes."
                ),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::restoring;

    fn with(bump: &str, answers: &[&str]) -> Vec<crate::gates::Outcome> {
        let flag = format!("bump-revision={bump}");
        restoring(&GATE, &three_members("3.5.33").restore("etcdutl", "a.db", &[&flag]), answers)
    }

    #[test]
    fn it_must_lie_above_what_was_written() {
        let revisions = ["snapshot-revision=1000", "current-revision=2000", "margin=0%"];
        assert_eq!(with("1001", &revisions), [Passed]);
        assert_eq!(with("1000", &revisions), [Blocked], "the newest revision served would come twice");
        let rate = ["writes-per-second=1", "snapshot-age=1000s"];
        assert_eq!(with("1100", &rate), [Passed]);
        assert_eq!(with("1099", &rate), [Blocked], "below the estimate with its margin");
        assert_eq!(with("1", &[]), [NotLookedAt]);
    }
}
