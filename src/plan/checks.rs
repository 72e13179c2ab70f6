//! What commands must print, as data: the words of *expect* for those who go through the checklist by machine.

use super::Check;
use super::order::Mover;
use crate::cluster::commands::Commands;
use crate::etcd::version::{Minor, Version};

/// How long members may take to show what a start or a raised version brings.
const SETTLE_SECONDS: u32 = 30;

impl Check {
    /// A command prints a line with each of these texts.
    pub(super) fn shows(command: usize, texts: &[&str]) -> Self {
        Self { command, lines: texts.iter().map(|text| vec![(*text).to_owned()]).collect(), ..Self::default() }
    }

    /// A command prints nothing.
    pub(super) fn nothing(command: usize) -> Self {
        Self { command, nothing: true, ..Self::default() }
    }
}

/// Each of these members stands in the status, at the version it runs.
pub(super) fn status<'m>(
    commands: &Commands,
    command: usize,
    members: impl Iterator<Item = (&'m Mover, Option<Version>)>,
) -> Option<Check> {
    let line = |(mover, version): (&Mover, Option<Version>)| {
        let endpoint = commands.shown_endpoint(mover.index)?;
        Some([endpoint.to_owned()].into_iter().chain(version.map(|v| v.to_string())).collect())
    };
    lines(command, members.filter_map(line).collect())
}

/// Each of these members is healthy.
pub(super) fn health<'m>(
    commands: &Commands,
    command: usize,
    members: impl Iterator<Item = &'m Mover>,
) -> Option<Check> {
    let line = |mover: &Mover| {
        let endpoint = commands.shown_endpoint(mover.index)?;
        Some(vec![endpoint.to_owned(), "is healthy".to_owned()])
    };
    lines(command, members.filter_map(line).collect())
}

/// GET /version of each member, in order: the cluster version, and what the member runs.
pub(super) fn cluster_versions(members: usize, cluster: Minor, server: &Version) -> Vec<Check> {
    let line = vec![format!("\"etcdcluster\":\"{cluster}.0\""), format!("\"etcdserver\":\"{server}\"")];
    each(members, &line)
}

/// The same, and the storage version.
pub(super) fn storage_versions(members: usize, storage: Minor) -> Vec<Check> {
    each(members, &[format!("\"storage\":\"{storage}.0\"")])
}

fn each(commands: usize, line: &[String]) -> Vec<Check> {
    (0..commands).filter_map(|command| lines(command, vec![line.to_vec()])).collect()
}

fn lines(command: usize, lines: Vec<Vec<String>>) -> Option<Check> {
    (!lines.is_empty()).then_some(Check { command, lines, nothing: false, within_seconds: SETTLE_SECONDS })
}
