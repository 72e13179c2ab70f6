//! Does everything that caches watches start anew?
//!
//! # Asks
//! Whether Kubernetes or other watch caches read from the cluster.
//!
//! # Blocks when
//! Never: it is asked for, and the plan restarts them.
//!
//! # Why
//! A client that keeps what it watched goes on with contents the restored cluster does not have.
//!
//! # Remedy
//! Restart API servers, controllers, schedulers, kubelets, network plug-ins and operators after the restored cluster is up.
//!
//! # Sources
//! - recovery: how a backup snapshot is restored.

use super::question::Question;
use super::{Ask, Asked, FOR_RESTORE, Finding, Gate, Ground, Group, Need};
use crate::etcd::sources::key;
use crate::evidence::answers::AnswerKey;

/// The gate.
pub static GATE: Gate = Gate {
    id: "watchers-not-restarted",
    group: Group::Restore,
    sources: &[key::RECOVERY],
    asked: Asked::Now,
    intents: FOR_RESTORE,
    need: |_| Need::Required,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let grounds = vec![Ground::Answered(AnswerKey::WatchCaches)];
    match q.answers.yes(AnswerKey::WatchCaches) {
        Some(true) => vec![Finding::passed("The plan restarts everything that caches watches.", grounds)],
        Some(false) => vec![Finding::passed("Nothing caches watches, so nothing has to be restarted.", grounds)],
        None => vec![Finding::cant_tell(
            "Whether Kubernetes or other watch caches read from this cluster is not known.",
            vec![Ask::Answer(AnswerKey::WatchCaches)],
        )],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{CantTell, Passed};
    use crate::gates::testing::restoring;

    #[test]
    fn it_is_asked_for() {
        assert_eq!(restoring(&GATE, &three_members("3.5.33"), &[]), [CantTell]);
        assert_eq!(restoring(&GATE, &three_members("3.5.33"), &["watch-caches=yes"]), [Passed]);
        assert_eq!(restoring(&GATE, &three_members("3.5.33"), &["watch-caches=no"]), [Passed]);
    }
}
