//! Which ways back are open once a step is done, and why.
//!
//! Three ways: swap the binary back, formal downgrade, restore the backup snapshot. What decides is how far the roll
//! is, not which step it was; so every step of a leg asks the same [`Standing`].
//!
//! Sources: the cluster version moves when the last member, learners included, runs the new minor
//! (`cluster-version-flip`), after that older binaries refuse to start (`no-downgrade-start`); a formal downgrade
//! wants the raised cluster version, and in a mixed cluster `downgrade enable` aims a minor too low (`dg-commands`).

use super::{Way, WaysBack, way_down};
use crate::etcd::version::Minor;
use crate::gates::words;
use crate::intent::Hop;

/// How far a leg is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Progress {
    /// No member was touched.
    Untouched,
    /// At least one member was stopped or moved; these have not started on the target yet, and of these some do not
    /// answer.
    Rolling {
        /// Labels of the members that still hold the cluster version down.
        left: Vec<String>,
        /// Labels of those of them that do not answer.
        silent: Vec<String>,
    },
    /// The last member was started on the target.
    AllStarted,
    /// The raised cluster version was seen on every member.
    Raised,
}

/// What is known of the backup snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backup {
    /// There is none.
    Missing,
    /// It was saved and not verified.
    Saved,
    /// It is there.
    Ready,
}

/// Where a leg stands after a step: all that the ways back depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Standing {
    /// The hop; `None` for a patch roll.
    pub(super) hop: Option<Hop>,
    /// The minor the members run before the leg.
    pub(super) old: Minor,
    /// Can the cluster be formally downgraded after the hop?
    pub(super) formal: bool,
    /// The hop of this route that was finished before and can be undone by a formal downgrade.
    pub(super) behind: Option<Hop>,
    /// Is a formal downgrade enabled, on the way down?
    pub(super) enabled: bool,
    /// How far.
    pub(super) progress: Progress,
    /// The backup snapshot.
    pub(super) backup: Backup,
    /// The platform that alone puts binaries in place, by name.
    pub(super) native: Option<&'static str>,
    /// Kubernetes or other watch caches, where the person said.
    pub(super) watch_caches: Option<bool>,
}

impl Standing {
    /// The ways back from here.
    pub(super) fn ways(&self) -> WaysBack {
        match self.hop.filter(|hop| hop.is_down()) {
            Some(hop) => way_down::ways(self, hop),
            None => WaysBack { swap: self.swap(), downgrade: self.downgrade(), restore: self.restore() },
        }
    }

    fn swap(&self) -> Way {
        if let (Some(name), false) = (self.native, self.progress == Progress::Untouched) {
            return Way::shut(format!("{name} puts etcd's binary in place: go back in its own way, where it has one."));
        }
        let Some(hop) = self.hop else {
            let old = self.old;
            return match &self.progress {
                Progress::Untouched => {
                    Way::open(format!("No member has moved yet, so there is nothing to swap back on {old}."))
                }
                Progress::Rolling { silent, .. } if !silent.is_empty() => Way::open(format!(
                    "A binary of {old} starts on the same data, whatever its patch. {} did not answer, so which minor \
                     ran there is not known: a binary older than {old} refuses to start once the cluster version is \
                     {old}.",
                    words::list(silent)
                )),
                _ => Way::open(format!(
                    "The older patch starts on the same data at any time: within {old} neither the cluster version nor \
                     the data format changes. Take off flags that only the newer patch knows."
                )),
            };
        };
        let Hop { from, to } = hop;
        match &self.progress {
            Progress::Untouched => Way::open(format!("No member has moved yet: every member still runs {from}.")),
            Progress::Rolling { left, silent } if silent.is_empty() => Way::open(format!(
                "{} {} not on {to} yet, so the cluster version stays {from} and {from} binaries still start. Take flags \
                 that only {to} knows off first and put those of {from} back.",
                words::list(left),
                words::verb(left.len(), "is", "are"),
            )),
            Progress::Rolling { silent, .. } => Way::open(format!(
                "{} {} not answer: as long as a member is not seen on {to} the cluster version stays {from} and {from} \
                 binaries still start. Take flags that only {to} knows off first and put those of {from} back.",
                words::list(silent),
                words::verb(silent.len(), "does", "do"),
            )),
            Progress::AllStarted => Way::shut(format!(
                "Every member runs {to}: the leader raises the cluster version within about 4 s, and from then on {from} \
                 binaries refuse to start."
            )),
            Progress::Raised => {
                Way::shut(format!("The cluster version is {to}: {from} binaries refuse to start on this data."))
            }
        }
    }

    fn downgrade(&self) -> Way {
        let Some(hop) = self.hop else {
            return self.behind.map_or_else(
                || {
                    Way::shut(
                        "Not needed: a patch roll leaves the cluster version as it is; swap the binary back."
                            .to_owned(),
                    )
                },
                |behind| self.back_to(behind),
            );
        };
        let Hop { from, to } = hop;
        if !self.formal && !matches!(self.progress, Progress::Untouched) {
            return Way::shut(format!("etcd has no supported downgrade from {to} to {from}."));
        }
        match (&self.progress, self.behind) {
            (Progress::Untouched, Some(behind)) => self.back_to(behind),
            (Progress::Untouched, None) => {
                Way::shut(format!("Nothing to go back from: the cluster version is still {from}."))
            }
            (Progress::Rolling { .. }, _) => Way::shut(format!(
                "Not while {from} and {to} are mixed: the cluster version is still {from}, so an enabled downgrade would \
                 aim a minor lower than meant. Swap the binary back instead."
            )),
            (Progress::AllStarted, _) => Way::shut(format!(
                "Not before the cluster version is seen at {to} on every member; the Close steps show it."
            )),
            (Progress::Raised, _) => self.back_to(hop),
        }
    }

    /// The formal downgrade that undoes a finished hop.
    fn back_to(&self, hop: Hop) -> Way {
        let Hop { from, to } = hop;
        Way::open(format!(
            "The cluster version is {to} on every member: validate, enable, wait until STORAGE VERSION shows {from} on \
             every member, then swap one member at a time."
        ))
    }

    pub(super) fn restore(&self) -> Way {
        match self.backup {
            Backup::Missing => Way::shut("There is no backup snapshot yet; it is saved under Right before.".to_owned()),
            Backup::Saved => Way::shut("The backup snapshot is saved but not verified yet.".to_owned()),
            Backup::Ready => {
                let caches = match self.watch_caches {
                    Some(false) => "",
                    Some(true) => {
                        " Kubernetes and other watch caches need the revision bump with it, or they miss changes."
                    }
                    None => {
                        " If Kubernetes or other watch caches read from this cluster, it needs the revision bump, or \
                         they miss changes."
                    }
                };
                Way::open(format!(
                    "Restore the backup snapshot on every member; it loses what was written since it was taken.{caches}"
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: Minor = Minor::new(3, 5);
    const NEW: Minor = Minor::new(3, 6);

    fn standing(progress: Progress) -> Standing {
        Standing {
            hop: Some(Hop { from: OLD, to: NEW }),
            old: OLD,
            formal: true,
            behind: None,
            enabled: false,
            progress,
            backup: Backup::Ready,
            native: None,
            watch_caches: None,
        }
    }

    fn rolling(left: &[&str], silent: &[&str]) -> Progress {
        let owned = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
        Progress::Rolling { left: owned(left), silent: owned(silent) }
    }

    #[test]
    fn a_silent_member_of_a_patch_roll_may_be_of_an_older_minor() {
        let patch = |silent: &[&str]| Standing { hop: None, ..standing(rolling(&["m1"], silent)) }.ways().swap.reason;
        assert!(patch(&["m1"]).contains("m1 did not answer, so which minor ran there is not known"));
        assert!(!patch(&[]).contains("not known"));
    }

    /// captures/upgrade-3.5.33-to-3.6.16: 15/16 (two of three on 3.6, swapped back: starts), 24 (all on 3.6, 3.5.33:
    /// "invalid downgrade"), 27-36 (downgrade validate and enable succeed after the cluster version is 3.6).
    #[test]
    fn the_table_of_what_is_open() {
        let rows = [
            (Progress::Untouched, (true, false)),
            (rolling(&["m1", "m2", "m3"], &[]), (true, false)),
            (rolling(&["m3"], &[]), (true, false)),
            (rolling(&["m3"], &["m3"]), (true, false)),
            (Progress::AllStarted, (false, false)),
            (Progress::Raised, (false, true)),
        ];
        for (progress, (swap, downgrade)) in rows {
            let ways = standing(progress.clone()).ways();
            assert_eq!((ways.swap.open, ways.downgrade.open), (swap, downgrade), "{progress:?}");
            assert!(ways.restore.open, "{progress:?}");
        }
    }

    /// captures/upgrade-3.4.23-to-3.5.33: 27-28, etcdctl 3.5 has no downgrade command; 32-36, 3.4.23 refuses to start.
    #[test]
    fn without_a_formal_downgrade_the_way_stays_shut() {
        for progress in [rolling(&["m3"], &[]), Progress::AllStarted, Progress::Raised] {
            let ways = Standing { formal: false, ..standing(progress) }.ways();
            assert!(!ways.downgrade.open);
            assert!(ways.downgrade.reason.contains("no supported downgrade"), "{}", ways.downgrade.reason);
        }
    }

    #[test]
    fn before_the_next_hop_the_hop_before_can_be_downgraded() {
        let before = Hop { from: Minor::new(3, 4), to: OLD };
        let ways = Standing { behind: Some(before), ..standing(Progress::Untouched) }.ways();
        assert!(ways.downgrade.open);
        let ways = Standing { behind: Some(before), ..standing(rolling(&["m1"], &[])) }.ways();
        assert!(!ways.downgrade.open, "a mixed cluster must not be downgraded");
    }

    #[test]
    fn a_patch_roll_never_shuts_the_swap() {
        for progress in [Progress::Untouched, rolling(&["m1"], &[]), Progress::AllStarted, Progress::Raised] {
            assert!(Standing { hop: None, ..standing(progress) }.ways().swap.open);
        }
    }

    #[test]
    fn a_backup_that_is_not_verified_is_no_way_back() {
        for (backup, open) in [(Backup::Missing, false), (Backup::Saved, false), (Backup::Ready, true)] {
            let ways = Standing { backup, ..standing(Progress::Untouched) }.ways();
            assert_eq!(ways.restore.open, open);
            assert!(!ways.restore.reason.is_empty());
        }
    }

    #[test]
    fn the_restore_names_the_revision_bump_unless_nothing_watches() {
        for (caches, named) in [(Some(true), true), (None, true), (Some(false), false)] {
            let reason = Standing { watch_caches: caches, ..standing(Progress::Raised) }.ways().restore.reason;
            assert_eq!(reason.contains("revision bump"), named, "{reason}");
        }
    }

    #[test]
    fn a_member_that_does_not_answer_keeps_the_window_open() {
        let way = standing(rolling(&["m2", "m3"], &["m3"])).ways().swap;
        assert!(way.open);
        assert!(way.reason.starts_with("m3 does not answer"), "{}", way.reason);
    }
}
