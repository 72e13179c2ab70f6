//! Is an older binary started only after the downgrade was enabled?
//!
//! # Asks
//! Whether a member runs the older minor, or was refused on it, although no downgrade is enabled.
//!
//! # Blocks when
//! It does.
//!
//! # Why
//! Without an enabled downgrade the older binary is refused, or it serves nothing.
//!
//! # Remedy
//! Put the newer binary back, enable the downgrade, wait until STORAGE VERSION has fallen everywhere, and swap then.
//!
//! # Sources
//! - source-downgrade: which target the server accepts.
//! - seen-downgrade: downgrades of real clusters.

use super::question::{Question, seen};
use super::{Asked, FOR_DOWNGRADE, Finding, Gate, Group, Need};
use crate::etcd::log_messages::Effect;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "downgrade-not-enabled",
    group: Group::Downgrade,
    sources: &[key::SOURCE_DOWNGRADE, key::SEEN_DOWNGRADE],
    asked: Asked::Now,
    intents: FOR_DOWNGRADE,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(hop) = q.hop() else { return Vec::new() };
    let refused = seen(q.logged("old-binary-refused", |effect| effect == Effect::Stops).iter().map(|l| &l.seen.span));
    let flags: Vec<bool> =
        q.cluster.members.iter().filter_map(|m| m.status.as_ref()?.value.downgrade_enabled).collect();
    if flags.contains(&true) || flags.is_empty() {
        return Vec::new();
    }
    if refused.is_empty() {
        let shown = q.cluster.members.iter().filter_map(|m| m.status.as_ref());
        let shown = seen(shown.filter(|s| s.value.downgrade_enabled.is_some()).map(|s| &s.span));
        return vec![Finding::passed("No downgrade is enabled yet, and no older binary was started.", shown)];
    }
    let statement =
        format!("{} was started although no downgrade is enabled: it was refused, the data are unharmed.", hop.to);
    let remedy =
        format!("Start {} again on that member, then enable the downgrade and wait before you swap.", hop.from);
    vec![Finding::blocked(statement, refused, remedy)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::going_down;

    #[test]
    fn an_older_binary_without_it_blocks() {
        let shown = || three_members("3.6.16").status("m1", |s| s.downgrade_enabled = Some(false));
        assert_eq!(going_down(&GATE, &shown(), "3.5", &[]), [Passed]);
        let refused = shown().log("m2", "invalid downgrade; server version is lower than determined cluster version");
        assert_eq!(going_down(&GATE, &refused, "3.5", &[]), [Blocked]);
        assert_eq!(going_down(&GATE, &three_members("3.6.16"), "3.5", &[]), [NotLookedAt]);
    }
}
