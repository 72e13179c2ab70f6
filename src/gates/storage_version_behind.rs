//! Has the storage version reached the minor that runs?
//!
//! # Asks
//! Whether the STORAGE VERSION column shows an older minor on a member of a cluster that is wholly on the newer one.
//!
//! # Blocks when
//! Never. It warns where no member has reached it yet; where some have, it passes with a note.
//!
//! # Why
//! Each member sets it within seconds of the cluster version. One that stays behind shows that the cluster version has
//! not risen, or that a downgrade is under way.
//!
//! # Remedy
//! Ask again after ten seconds. If it stays, look for a member that does not answer and for a downgrade that is
//! enabled.
//!
//! # Sources
//! - source-version-monitor: when the storage version follows.
//! - seen-downgrade: what it shows during a downgrade.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_AND_HEALTH, Finding, Gate, Group, Need, sight, words};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "storage-version-behind",
    group: Group::Membership,
    sources: &[key::SOURCE_VERSION_MONITOR, key::SEEN_DOWNGRADE],
    asked: Asked::Now,
    intents: FOR_UPGRADE_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let rows = sight::rows(q);
    let shown: Vec<_> = rows
        .iter()
        .filter_map(|(at, s)| {
            let (runs, stored) = s.value.version.as_ref().zip(s.value.storage_version.as_ref())?;
            Some((*at, runs.minor(), stored.minor(), &s.span))
        })
        .collect();
    let one_minor = q.cluster.lowest_minor().is_some() && q.cluster.lowest_minor() == q.cluster.highest_minor();
    if shown.is_empty() || !one_minor {
        return Vec::new();
    }
    let behind: Vec<_> = shown.iter().filter(|(_, runs, stored, _)| stored < runs).collect();
    let grounds = seen(shown.iter().map(|(_, _, _, span)| *span));
    let Some((_, runs, stored, _)) = behind.first() else {
        return vec![Finding::passed("Every storage version is that of the minor that runs.", grounds)];
    };
    let members: Vec<usize> = behind.iter().map(|(at, ..)| *at).collect();
    let statement = format!(
        "{} {} {runs} with storage version {stored}.",
        q.names(&members),
        words::verb(members.len(), "runs", "run")
    );
    if behind.len() < shown.len() {
        // One that reached it shows that the cluster version has risen: the others follow within seconds.
        let passed = Finding::passed("The storage version has reached the minor that runs.", grounds);
        return vec![passed.with_note(format!("{statement} It follows within seconds: ask again."))];
    }
    let remedy = "Ask for the status again after ten seconds. If it stays, look for a member that does not answer, which \
                  holds the cluster version, and for a downgrade that is enabled.";
    vec![Finding::warning(statement, grounds, remedy).about(&members)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn only_a_cluster_wholly_on_the_minor_can_be_behind() {
        let all = three_members("3.6.16").storage_version("3.6.0");
        assert_eq!(outcomes(&GATE, &all, "3.7", &[]), [Outcome::Passed]);
        let behind = three_members("3.6.16").storage_version("3.5.0");
        assert_eq!(outcomes(&GATE, &behind, "3.7", &[]), [Outcome::Warning]);
        assert_eq!(outcomes(&GATE, &behind.version("m3", "3.5.35"), "3.6", &[]), [Outcome::NotLookedAt]);
    }
}
