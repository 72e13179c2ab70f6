//! How etcd is run: what the person says, else what the sources of the flags show. Never a guess.

use std::collections::BTreeSet;

use crate::cluster::Cluster;
use crate::etcd::platforms::{self, Platform};
use crate::evidence::answers::{AnswerKey, Answers};
use crate::evidence::fact::{FlagSet, FlagSource};

/// How etcd is run, and whether the person said so (else it was recognised from what was pasted).
#[must_use]
pub fn platform(cluster: &Cluster, answers: &Answers) -> Option<(&'static Platform, bool)> {
    if let Some(said) = answers.get(AnswerKey::RunBy).and_then(platforms::by_id) {
        return Some((said, true));
    }
    let sets = cluster.members.iter().flat_map(|m| &m.flags).chain(&cluster.flags);
    let signs: BTreeSet<&str> = sets.filter_map(|set| sign(&set.value)).collect();
    let mut signs = signs.into_iter();
    match (signs.next(), signs.next()) {
        (Some(id), None) => platforms::by_id(id).map(|p| (p, false)),
        _ => None,
    }
}

/// Where kubeadm keeps etcd's certificates.
const KUBEADM_PKI: &str = "/etc/kubernetes/pki/etcd/";
/// Paths of platforms that bring an etcd of their own in a unit or pod that looks like another's.
const FOREIGN_PATHS: [&str; 8] = [
    "/var/lib/rancher",
    "/var/snap/",
    "/var/lib/k0s",
    "/etc/kubernetes/static-pod-resources",
    "/bitnami/",
    "/etc/ssl/etcd/ssl/",
    "/system/secrets/",
    "/rootfs/",
];
/// The data directory of Debian's package.
const DEBIAN_DATA_DIR: &str = "/var/lib/etcd/default";

/// The platform one set of flags shows; none when it could be several.
fn sign(set: &FlagSet) -> Option<&'static str> {
    let values = || set.settings.iter().filter_map(|s| s.value.as_deref());
    if values().any(|v| FOREIGN_PATHS.iter().any(|path| v.contains(path))) {
        return None;
    }
    match set.source {
        FlagSource::SystemdUnit if values().any(|v| v == DEBIAN_DATA_DIR) => Some("deb-package"),
        FlagSource::SystemdUnit => Some("systemd-binary"),
        FlagSource::PodManifest | FlagSource::Describe if values().any(|v| v.starts_with(KUBEADM_PKI)) => {
            Some("kubeadm-stacked")
        }
        FlagSource::DockerRun => Some("docker-run"),
        FlagSource::Compose => Some("docker-compose"),
        _ => None,
    }
}
