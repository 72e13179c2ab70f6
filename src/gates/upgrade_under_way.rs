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
//! new minor; flags that only the new minor knows come off first. At its next restart each member runs the binary that
//! lies on its host.
//!
//! # Sources
//! - upgrading: a mixed cluster only for the time of the roll.
//! - source-version-monitor: when the cluster version is raised.

use super::flag_removed::flag_of;
use super::question::{Question, seen};
use super::sight::Set;
use super::{Asked, FOR_UPGRADE, Finding, Gate, Group, Need, sight, words};
use crate::etcd::sources::key;
use crate::evidence::fact::FlagSetting;
use crate::intent::Hop;

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
    let leads = next.is_some_and(|m| Some(*m) == leader);
    let how = if leads { "it leads, so move the leader away first" } else { "the leader last" };
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
    let (foreign, taken_off) = flags_to_take_off(q, hop, &new, &old);
    let remedy = format!(
        "Resume at {next}, {how}. Or swap back: {} may go back to {} until the last member runs {}, then it \
         shuts within seconds.{taken_off}",
        q.names(&new),
        hop.from,
        hop.to
    );
    let note = format!(
        "At its next restart a member runs the binary that lies on its host. Look there before you reboot: once {} {} on \
         {}, no member starts on {} any more.",
        q.names(&old),
        words::verb(old.len(), "starts", "start"),
        hop.to,
        hop.from
    );
    let grounds = seen(spans).into_iter().chain(sight::grounds_of(&foreign)).collect();
    vec![Finding::warning(statement, grounds, remedy).about(&old).with_note(note)]
}

/// What members on the new minor have set that the old one does not know, and what to do with it before a swap back.
fn flags_to_take_off<'a>(q: &Question<'a>, hop: Hop, new: &[usize], old: &[usize]) -> (Vec<Set<'a>>, String) {
    let runs = |at: &usize| q.cluster.members.get(*at)?.version().map(|(version, _)| version);
    let Some(lowest) = old.iter().filter_map(runs).min() else { return (Vec::new(), String::new()) };
    let mut foreign = Vec::new();
    for flags in q.flags() {
        if flags.member.is_none_or(|m| new.contains(&m)) {
            let unknown = |s: &&FlagSetting| flag_of(s, hop.to).is_some_and(|f| !f.in_version(lowest));
            let these = flags.seen.value.settings.iter().filter(unknown);
            foreign.extend(these.map(|setting| Set { member: flags.member, setting }));
        }
    }
    if foreign.is_empty() {
        let unseen: Vec<usize> =
            new.iter().filter(|m| !q.flags().iter().any(|f| f.member == Some(**m))).copied().collect();
        if unseen.is_empty() {
            return (foreign, String::new());
        }
        let words = format!(
            " Paste the flags of {} first: what {} does not know has to come off before the swap.",
            q.names(&unseen),
            hop.from
        );
        return (foreign, words);
    }
    let words = format!(
        " Take {} off first: {lowest} does not know {}.",
        sight::written(q, &foreign),
        words::verb(foreign.len(), "it", "them")
    );
    (foreign, words)
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
    fn a_swap_back_names_who_may_go_and_which_flags_come_off_first() {
        let mixed = || three_members("3.5.33").version("m3", "3.6.16");
        let remedy = |build: &crate::cluster::testing::Build| only(&GATE, build, "3.6", &[]).remedy.unwrap_or_default();
        let unseen = remedy(&mixed());
        assert!(unseen.contains("m3 may go back to 3.5 until the last member runs 3.6"), "{unseen}");
        assert!(unseen.contains("Paste the flags of m3 first"), "{unseen}");
        let set = remedy(&mixed().flags("m3", &["feature-gates=InitialCorruptCheck=true"]));
        assert!(
            set.contains("Take --feature-gates=InitialCorruptCheck=true of m3 off first: 3.5.33 does not"),
            "{set}"
        );
        let clean = remedy(&mixed().flags("m3", &["name=m3"]).flags("m1", &["feature-gates=InitialCorruptCheck=true"]));
        assert!(clean.ends_with("then it shuts within seconds."), "m1 is not the one to go back: {clean}");
        let last = remedy(&mixed().version("m2", "3.6.16"));
        assert!(last.starts_with("Resume at m1, it leads, so move the leader away first."), "{last}");
        let note = only(&GATE, &mixed(), "3.6", &[]).note.unwrap_or_default();
        assert!(note.contains("once m1 and m2 start on 3.6, no member starts on 3.5"), "{note}");
    }

    #[test]
    fn a_patch_roll_has_no_window_to_be_in() {
        let patched = three_members("3.5.30").version("m3", "3.5.35");
        assert_eq!(outcomes(&GATE, &patched, "3.5", &[]), [Outcome::NotApplicable]);
    }
}
