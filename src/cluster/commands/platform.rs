//! How etcd is run: what the person says, else what the sources of the flags show. Never a guess.

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
    let (mut by_path, mut by_form): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for set in sets {
        let (signs, id) = match sign(&set.value) {
            Some(Sign::Path(id)) => (&mut by_path, id),
            Some(Sign::Form(id)) => (&mut by_form, id),
            None => continue,
        };
        if !signs.contains(&id) {
            signs.push(id);
        }
    }
    // A path that one platform alone has says more than a unit or a manifest, which a platform may have written.
    let mut signs = if by_path.is_empty() { by_form } else { by_path }.into_iter();
    match (signs.next(), signs.next()) {
        (Some(id), None) => platforms::by_id(id).map(|p| (p, false)),
        _ => None,
    }
}

/// What shows the platform.
enum Sign {
    /// A path that no other has.
    Path(&'static str),
    /// The form the flags are written in.
    Form(&'static str),
}

/// Where kubeadm keeps etcd's certificates.
const KUBEADM_PKI: &str = "/etc/kubernetes/pki/etcd/";
/// Paths of platforms that bring an etcd of their own, where the path alone does not say which of them.
const FOREIGN_PATHS: [&str; 2] = ["/var/lib/rancher", "/var/snap/"];

/// The platform one set of flags shows; none when it could be several.
fn sign(set: &FlagSet) -> Option<Sign> {
    let values = || set.settings.iter().filter_map(|s| s.value.as_deref());
    let has = |path: &str| values().any(|v| v.contains(path));
    let mut signed = platforms::all().iter().filter(|p| p.signs.iter().any(|sign| has(sign)));
    match (signed.next(), signed.next()) {
        (Some(only), None) => return Some(Sign::Path(only.id)),
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    if FOREIGN_PATHS.into_iter().any(has) {
        return None;
    }
    match set.source {
        FlagSource::SystemdUnit => Some(Sign::Form("systemd-binary")),
        FlagSource::PodManifest | FlagSource::Describe if values().any(|v| v.starts_with(KUBEADM_PKI)) => {
            Some(Sign::Form("kubeadm-stacked"))
        }
        FlagSource::DockerRun => Some(Sign::Form("docker-run")),
        FlagSource::Compose => Some(Sign::Form("docker-compose")),
        _ => None,
    }
}
