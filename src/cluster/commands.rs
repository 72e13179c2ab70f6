//! How commands for this cluster are written: its endpoints, certificates, and the way etcd is run.

/// How commands for this cluster are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Commands {}

use super::Cluster;
use crate::etcd::platforms::{self, Platform};
use crate::evidence::answers::{AnswerKey, Answers};

/// How etcd is run, and whether the person said so (else it was recognised from what was pasted).
#[must_use]
pub fn platform(cluster: &Cluster, answers: &Answers) -> Option<(&'static Platform, bool)> {
    let _ = cluster;
    answers.get(AnswerKey::RunBy).and_then(platforms::by_id).map(|p| (p, true))
}
