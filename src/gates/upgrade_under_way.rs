//! Is this hop already being rolled?
//!
//! # Asks
//! Whether some members already run the minor this hop goes to.
//!
//! # Blocks when
//! The hop is a formal downgrade that is half done. A mixed cluster in the middle of its upgrade is a state to go on
//! from: it warns, and the plan resumes.
//!
//! # Why
//! The rollback window is open and shuts when the last member runs the new minor. Long mixed phases are risky, and who
//! starts from the beginning rolls members twice.
//!
//! # Remedy
//! Resume at the next member, the leader last. Or swap the binaries back: that is open until the last member runs the
//! new minor.
//!
//! # Sources
//! - upgrading: a mixed cluster only for the time of the roll.
//! - source-version-monitor: when the cluster version is raised.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE, Finding, Gate, Group, Need, words};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "upgrade-under-way",
    group: Group::Route,
    sources: &[key::UPGRADING, key::SOURCE_VERSION_MONITOR],
    asked: Asked::Now,
    intents: FOR_UPGRADE,
    need: |q| if q.hop().is_some() { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(hop) = q.hop() else { return Vec::new() };
    let on = |minor| q.indices(|m| m.version().is_some_and(|(version, _)| version.minor() == minor));
    let (old, new) = (on(hop.from), on(hop.to));
    let spans = q.cluster.members.iter().filter_map(|m| m.version().map(|(_, span)| span));
    if new.is_empty() || old.is_empty() {
        if old.is_empty() {
            return Vec::new();
        }
        return vec![Finding::passed(format!("No member runs {} yet.", hop.to), seen(spans))];
    }
    if let Some(span) = downgrade(q) {
        let statement = format!(
            "A formal downgrade from {} to {} is half done: {} {} still on {}.",
            hop.to,
            hop.from,
            q.names(&new),
            words::verb(new.len(), "is", "are"),
            hop.to
        );
        let remedy = format!(
            "Finish it: swap the binaries that are left to {}. Or cancel it, and bring the others back to {}. An upgrade \
             starts from one of the two, not from in between.",
            hop.from, hop.to
        );
        return vec![Finding::blocked(statement, seen(std::iter::once(span).chain(spans)), remedy).about(&new)];
    }
    let leader = q.cluster.leader();
    let next = old.iter().find(|m| Some(**m) != leader).or(old.first());
    let next = next.map_or_else(String::new, |m| q.label(*m));
    let statement = format!(
        "{} of {} already {} {}: {} {} left, and the rollback window is open.",
        new.len(),
        words::count(q.cluster.members.len(), "member"),
        words::verb(new.len(), "runs", "run"),
        hop.to,
        q.names(&old),
        words::verb(old.len(), "is", "are"),
    );
    let remedy = format!(
        "Resume at {next}, the leader last. Swapping the binaries back to {} is open until the last member runs {}; \
         then it shuts within seconds.",
        hop.from, hop.to
    );
    vec![Finding::warning(statement, seen(spans), remedy).about(&old)]
}

/// Where it is shown that a downgrade is enabled.
fn downgrade<'a>(q: &Question<'a>) -> Option<&'a crate::evidence::fact::Span> {
    let shows =
        |s: &&crate::evidence::fact::Seen<crate::evidence::fact::Status>| s.value.downgrade_enabled == Some(true);
    q.cluster.members.iter().filter_map(|m| m.status.as_ref()).find(shows).map(|s| &s.span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_roll_resumes_at_a_follower() {
        let finding = only(&GATE, &three_members("3.5.33").version("m3", "3.6.16"), "3.6", &[]);
        assert_eq!(finding.outcome, Outcome::Warning);
        assert_eq!(
            finding.statement,
            "1 of 3 members already runs 3.6: m1 and m2 are left, and the rollback window is open."
        );
        assert!(finding.remedy.is_some_and(|r| r.starts_with("Resume at m2, the leader last.")));
    }

    #[test]
    fn a_patch_roll_has_no_window_to_be_in() {
        let patched = three_members("3.5.30").version("m3", "3.5.35");
        assert_eq!(outcomes(&GATE, &patched, "3.5", &[]), [Outcome::NotApplicable]);
    }
}
