//! One question a hop asks, one file a gate: the file's name is the gate's id. This file is the only registry.
//!
//! A gate file reads top to bottom: module documentation with the headings *Asks*, *Blocks when*, *Why*, *Remedy*,
//! *Sources*, then its function, then its tests. Its words stay in it. Beside the gates stand
//! [`question`] (what a gate is asked and what it may look up), [`finding`] (what it answers), [`words`] (how a
//! sentence names members), [`asks`] (the commands that answer gates) and [`assess`] (the loop and the verdict).

pub mod asks;
pub mod assess;
pub mod finding;
pub mod question;
pub mod release_known_bad;
#[cfg(test)]
pub(crate) mod testing;
pub mod words;

pub mod alarm_raised;
pub mod applied_index_lag;
pub mod auth_rolling_unsupported;
pub mod bump_invalid;
pub mod bump_too_small;
pub mod downgrade_enabled;
pub mod flag_removed;
pub mod flag_unknown;
pub mod learner_present;
pub mod member_not_in_status;
pub mod member_unreachable;
pub mod members_span_minors;
pub mod minor_skipped;
pub mod no_leader;
pub mod pastes_contradict;
pub mod patch_below_floor;
pub mod placeholder_left;
pub mod release_unknown;
pub mod restore_flags_incomplete;
pub mod restore_minor_mismatch;
pub mod restore_over_live;
pub mod restore_partial;
pub mod restore_tool_removed;
pub mod restore_without_bump;
pub mod restore_without_mark_compacted;
pub mod snapshot_damaged;
pub mod snapshot_missing;
pub mod snapshots_differ;
pub mod start_not_as_said;
pub mod target_not_newer;
pub mod target_unknown;
pub mod upgrade_under_way;
pub mod v2_api_enabled;
pub mod v2_entries_before_37;
pub mod v2_records_in_wal;
pub mod v2store_check_inconclusive;
pub mod v2store_custom_content;
pub mod v2store_not_checked;
pub mod watchers_not_restarted;

pub use assess::{Assessment, assess};
pub use finding::{Ask, Finding, Ground, Outcome};
pub use question::Question;

use crate::intent::IntentKind;

/// The sum of all findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Every required gate passed.
    Ready,
    /// Nothing stops it, something should be looked at.
    ReadyWithWarnings,
    /// At least one gate stops it.
    Blocked,
    /// Nothing known stops it, but required evidence is missing.
    CantTell,
}

impl Verdict {
    /// Its name in the JSON report.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::ReadyWithWarnings => "ready-with-warnings",
            Self::Blocked => "blocked",
            Self::CantTell => "cant-tell",
        }
    }
}

/// Whether the verdict waits for a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It must be answered; without evidence the verdict can't be ready.
    Required,
    /// It speaks when what was pasted shows something.
    OnSight,
    /// The question does not arise.
    NotApplicable,
}

/// How gates are grouped on screen and in documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// The route itself.
    Route,
    /// The releases in play.
    Release,
    /// Health of the cluster.
    Health,
    /// Membership.
    Membership,
    /// The v2 store.
    V2Store,
    /// Flags.
    Flags,
    /// The backup snapshot.
    Backup,
    /// What stands around the cluster.
    Around,
    /// A restore from a backup snapshot.
    Restore,
}

impl Group {
    /// Its title.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Route => "Route",
            Self::Release => "Release",
            Self::Health => "Health",
            Self::Membership => "Membership",
            Self::V2Store => "v2 store",
            Self::Flags => "Flags",
            Self::Backup => "Backup",
            Self::Around => "Around",
            Self::Restore => "Restore",
        }
    }
}

/// How often a gate is asked on a route of several legs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Once, of the cluster as it stands now. Before each later leg it is asked again, then.
    Now,
    /// Of every leg: the answer depends on the leg and is worth knowing today.
    EachLeg,
}

/// Serves upgrades only.
pub const FOR_UPGRADE: &[IntentKind] = &[IntentKind::Upgrade];
/// Serves what touches the cluster, and a look at its health.
pub const FOR_UPGRADE_AND_HEALTH: &[IntentKind] = &[IntentKind::Upgrade, IntentKind::Health];
/// Serves what starts a new binary, and a review of the flags it is started with.
pub const FOR_UPGRADE_AND_FLAGS: &[IntentKind] = &[IntentKind::Upgrade, IntentKind::Flags];
/// Serves restores only.
pub const FOR_RESTORE: &[IntentKind] = &[IntentKind::Restore];
/// Serves every intent.
pub const FOR_EVERY_INTENT: &[IntentKind] = &IntentKind::ALL;

/// One gate.
pub struct Gate {
    /// Its id: the fault it names, and the name of its file.
    pub id: &'static str,
    /// Its group.
    pub group: Group,
    /// Keys into `data/sources.toml`.
    pub sources: &'static [&'static str],
    /// How often it is asked.
    pub asked: Asked,
    /// The intents it serves; for others the question does not arise.
    pub intents: &'static [IntentKind],
    /// Whether the verdict waits for it on this leg.
    pub need: fn(&Question<'_>) -> Need,
    /// Answers it. An empty answer of a required gate is a fault; of an on-sight gate it means "not looked at".
    pub check: fn(&Question<'_>) -> Vec<Finding>,
}

/// All gates, by urgency: of two findings with one outcome the one whose gate stands first is read first.
pub static ALL: &[&Gate] = &[
    &members_span_minors::GATE,
    &minor_skipped::GATE,
    &downgrade_enabled::GATE,
    &target_not_newer::GATE,
    &target_unknown::GATE,
    &release_unknown::GATE,
    &member_unreachable::GATE,
    &no_leader::GATE,
    &alarm_raised::GATE,
    &learner_present::GATE,
    &v2_api_enabled::GATE,
    &v2_records_in_wal::GATE,
    &v2store_custom_content::GATE,
    &v2_entries_before_37::GATE,
    &flag_removed::GATE,
    &flag_unknown::GATE,
    &release_known_bad::GATE,
    &patch_below_floor::GATE,
    &auth_rolling_unsupported::GATE,
    &pastes_contradict::GATE,
    &member_not_in_status::GATE,
    &applied_index_lag::GATE,
    &v2store_check_inconclusive::GATE,
    &v2store_not_checked::GATE,
    &snapshot_missing::GATE,
    &upgrade_under_way::GATE,
    &start_not_as_said::GATE,
    &snapshot_damaged::GATE,
    &placeholder_left::GATE,
    &restore_over_live::GATE,
    &restore_tool_removed::GATE,
    &restore_minor_mismatch::GATE,
    &snapshots_differ::GATE,
    &restore_flags_incomplete::GATE,
    &restore_without_mark_compacted::GATE,
    &bump_invalid::GATE,
    &bump_too_small::GATE,
    &restore_without_bump::GATE,
    &restore_partial::GATE,
    &watchers_not_restarted::GATE,
];

/// The gate with this id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Gate> {
    ALL.iter().copied().find(|g| g.id == id)
}
