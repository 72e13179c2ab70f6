//! Has the storage version fallen on every member before one is swapped?
//!
//! # Asks
//! Whether a member runs the older minor, or was started on it, while a storage version has not fallen yet.
//!
//! # Blocks when
//! It does. While nothing is swapped, a storage version that has not fallen warns once the downgrade is enabled.
//!
//! # Why
//! On 3.6 → 3.5 such a member passes every probe and answers `not capable` to everything; on 3.7 → 3.6 it does not start. Both
//! hold up the downgrade for good.
//!
//! # Remedy
//! Put the newer binary back on that member, wait until STORAGE VERSION shows the target on every member, then swap again.
//!
//! # Sources
//! - source-downgrade: which target the server accepts.
//! - seen-downgrade: downgrades of real clusters.

use super::question::{Question, seen};
use super::{Asked, FOR_DOWNGRADE, Finding, Gate, Ground, Group, Need, asks};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "downgrade-not-ready",
    group: Group::Downgrade,
    sources: &[key::SOURCE_DOWNGRADE, key::SEEN_DOWNGRADE],
    asked: Asked::Now,
    intents: FOR_DOWNGRADE,
    need: |q| if q.hop().is_some() { Need::Required } else { Need::NotApplicable },
    check,
};

/// What a member that was swapped too early answers to everything.
const NOT_CAPABLE: &str = "not capable";

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(hop) = q.hop() else { return Vec::new() };
    let remedy = format!(
        "Put {} back on that member: the versions fall within seconds. Swap again when STORAGE VERSION shows {} on every \
         member.",
        hop.from, hop.to
    );
    let mut findings: Vec<Finding> = q.told_to_stop(GATE.id, &remedy).collect();
    let failed = q.cluster.members.iter().filter_map(|m| m.failed.as_ref()).chain(&q.cluster.failed);
    let failed = failed.filter(|f| f.value.error.contains(NOT_CAPABLE)).map(|f| &f.span);
    let errors = q.cluster.tool_errors.iter().filter(|e| e.value.text.contains(NOT_CAPABLE)).map(|e| &e.span);
    let incapable = seen(failed.chain(errors));
    if !incapable.is_empty() {
        let statement = format!("A member runs {} before the storage version had fallen: it serves nothing.", hop.to);
        findings.push(Finding::blocked(statement, incapable, remedy.clone()));
    }
    let too_early: Vec<Ground> = q
        .cluster
        .members
        .iter()
        .filter_map(|m| m.server_version.as_ref())
        .chain(&q.cluster.server_versions)
        .filter(|v| v.value.server.as_ref().is_some_and(|s| s.minor() == hop.to) && v.value.cluster == Some(hop.from))
        .map(|v| Ground::Seen(v.span.clone()))
        .collect();
    if !too_early.is_empty() {
        let statement = format!("A member runs {} in a cluster that still works as {}.", hop.to, hop.from);
        findings.push(Finding::blocked(statement, too_early, remedy));
    }
    if !findings.is_empty() {
        return findings;
    }
    let statuses: Vec<_> = q.cluster.members.iter().filter_map(|m| m.status.as_ref()).collect();
    let stored = || statuses.iter().filter_map(|s| Some((s.value.storage_version.as_ref()?.minor(), &s.span)));
    let enabled = q.cluster.downgrades_enabled().next().is_some();
    let high = seen(stored().filter(|(minor, _)| *minor > hop.to).map(|(_, span)| span));
    if enabled && !high.is_empty() {
        let remedy = "Wait: it falls within seconds once every member answers the leader. Swap nothing before.";
        return vec![Finding::warning("The storage version has not fallen on every member yet.", high, remedy)];
    }
    let all = seen(stored().map(|(_, span)| span));
    if all.is_empty() {
        return vec![Finding::cant_tell("The storage version of no member is known.", vec![asks::status(q)])];
    }
    let statement = if enabled {
        format!("The storage version is {} on every member that shows one.", hop.to)
    } else {
        "No member was swapped before the storage version.".to_owned()
    };
    vec![Finding::passed(statement, all)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{nothing, three_members, version};
    use crate::evidence::fact::Status;
    use crate::gates::Outcome::{Blocked, CantTell, NotApplicable, Passed, Warning};
    use crate::gates::testing::going_down;

    fn stored(text: &str, enabled: bool) -> impl Fn(&mut Status) {
        let stored = version(text);
        move |s: &mut Status| {
            s.storage_version = Some(stored.clone());
            s.downgrade_enabled = Some(enabled);
            s.downgrade_target = enabled.then(|| version("3.5.0"));
        }
    }

    fn cluster(text: &str, enabled: bool) -> crate::cluster::testing::Build {
        let of = |build: crate::cluster::testing::Build, name: &str| build.status(name, stored(text, enabled));
        of(of(of(three_members("3.6.16"), "m1"), "m2"), "m3")
    }

    #[test]
    fn the_storage_version_decides() {
        assert_eq!(going_down(&GATE, &cluster("3.6.0", false), "3.5", &[]), [Passed]);
        assert_eq!(going_down(&GATE, &cluster("3.6.0", true), "3.5", &[]), [Warning]);
        assert_eq!(going_down(&GATE, &cluster("3.5.0", true), "3.5", &[]), [Passed]);
        assert_eq!(going_down(&GATE, &nothing(), "3.5", &["run-by=systemd-binary"]), [NotApplicable]);
    }

    #[test]
    fn a_member_swapped_too_early_blocks() {
        let early = cluster("3.6.0", true).tool_error("etcdserver: not capable");
        assert_eq!(going_down(&GATE, &early, "3.5", &[]), [Blocked]);
    }

    #[test]
    fn without_a_storage_version_it_is_asked_for() {
        assert_eq!(going_down(&GATE, &three_members("3.6.16"), "3.5", &[]), [CantTell]);
    }
}
