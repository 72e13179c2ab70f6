//! One question a hop asks, one file a gate: the file's name is the gate's id. This file is the only registry.
//!
//! A gate file reads top to bottom: module documentation with the headings *Asks*, *Blocks when*, *Why*, *Remedy*,
//! *Sources*, then its function, then its tests. Its words stay in it. Beside the gates stand
//! [`question`] (what a gate is asked and what it may look up), [`sight`] (what gates share that judge what was pasted),
//! [`finding`] (what it answers), [`known`] (known issues that no gate speaks of), [`words`] (how a sentence names members), [`asks`] (the commands that answer gates)
//! and [`assess`] (the loop and the verdict).

pub mod asks;
pub mod assess;
pub mod catalogue;
pub mod finding;
pub mod known;
pub mod question;
pub mod sight;
#[cfg(test)]
pub(crate) mod testing;
pub mod waiver;
pub mod words;

pub mod alarm_raised;
pub mod apiserver_endpoints_differ;
pub mod applied_index_lag;
pub mod auth_rolling_unsupported;
pub mod auth_root_needed;
pub mod bump_invalid;
pub mod bump_too_small;
pub mod change_already_open;
pub mod change_not_said;
pub mod client_url_wrong;
pub mod cluster_id_mismatch;
pub mod cluster_state_not_existing;
pub mod data_dir_not_empty;
pub mod data_diverged;
pub mod data_not_persistent;
pub mod db_near_quota;
pub mod db_sizes_differ;
pub mod defrag_during_roll;
pub mod downgrade_enabled;
pub mod downgrade_not_enabled;
pub mod downgrade_not_ready;
pub mod downgrade_unfinished;
pub mod downgrade_unsupported;
pub mod end_of_life;
pub mod endpoint_repeated;
pub mod even_voters;
pub mod flag_both_forms;
pub mod flag_default_changed;
pub mod flag_env_conflict;
pub mod flag_removed;
pub mod flag_renamed;
pub mod flag_too_new;
pub mod flag_unknown;
pub mod flag_value_invalid;
pub mod flags_differ;
pub mod force_new_cluster_left;
pub mod initial_cluster_mismatch;
pub mod leader_disagreement;
pub mod leader_removed;
pub mod learner_columns_disagree;
pub mod learner_limit;
pub mod learner_not_ready;
pub mod learner_present;
pub mod managed_by_platform;
pub mod member_add_refused;
pub mod member_lists_differ;
pub mod member_name_default;
pub mod member_name_mismatch;
pub mod member_not_in_status;
pub mod member_unreachable;
pub mod member_unstarted;
pub mod member_version_mismatch;
pub mod members_span_minors;
pub mod migrate_tool_removed;
pub mod minor_skipped;
pub mod no_leader;
pub mod old_binary_refused;
pub mod paste_foreign;
pub mod paste_ids_rounded;
pub mod paste_incomplete;
pub mod paste_is_sample;
pub mod pastes_contradict;
pub mod patch_below_advised;
pub mod patch_below_floor;
pub mod peer_url_mismatch;
pub mod placeholder_left;
pub mod platform_pitfall;
pub mod prerelease;
pub mod quorum_lost_by_change;
pub mod quorum_margin_none;
pub mod raft_term_mismatch;
pub mod release_advisory;
pub mod release_known_bad;
pub mod release_unknown;
pub mod remove_before_add;
pub mod removed_member_reused;
pub mod restore_flags_incomplete;
pub mod restore_minor_mismatch;
pub mod restore_over_live;
pub mod restore_partial;
pub mod restore_tool_removed;
pub mod restore_without_bump;
pub mod restore_without_mark_compacted;
pub mod snapshot_before_removal;
pub mod snapshot_copied_db;
pub mod snapshot_damaged;
pub mod snapshot_missing;
pub mod snapshot_stale;
pub mod snapshot_unverified;
pub mod snapshots_differ;
pub mod start_failed;
pub mod start_not_as_said;
pub mod status_refused;
pub mod storage_version_behind;
pub mod target_not_newer;
pub mod target_not_newest_patch;
pub mod target_unknown;
pub mod tools_too_old;
pub mod upgrade_rolled_back;
pub mod upgrade_under_way;
pub mod v2_api_enabled;
pub mod v2_client_present;
pub mod v2_deprecation_value;
pub mod v2_entries_before_37;
pub mod v2_health_probes;
pub mod v2_records_in_wal;
pub mod v2store_check_inconclusive;
pub mod v2store_custom_content;
pub mod v2store_not_checked;
pub mod vendor_build;
pub mod waiver_stale;
pub mod watchers_not_restarted;
pub mod zombie_member;

pub use assess::{Assessment, assess};
pub use finding::{Ask, Cause, Finding, Ground, Outcome};
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
    /// A formal downgrade.
    Downgrade,
    /// A restore from a backup snapshot.
    Restore,
    /// A change of members.
    Change,
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
            Self::Downgrade => "Downgrade",
            Self::Restore => "Restore",
            Self::Change => "Member changes",
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
/// Serves upgrades, and a look at the cluster's health.
pub const FOR_UPGRADE_AND_HEALTH: &[IntentKind] = &[IntentKind::Upgrade, IntentKind::Health];
/// Serves changes of members only.
pub const FOR_MEMBERS: &[IntentKind] = &[IntentKind::Members];
/// Serves upgrades and changes of members.
pub const FOR_UPGRADE_AND_MEMBERS: &[IntentKind] = &[IntentKind::Upgrade, IntentKind::Members];
/// Serves upgrades and changes of members, and a look at the cluster's health.
pub const FOR_UPGRADE_MEMBERS_AND_HEALTH: &[IntentKind] =
    &[IntentKind::Upgrade, IntentKind::Members, IntentKind::Health];
/// Serves what starts a member, and a review of the flags it is started with.
pub const FOR_UPGRADE_MEMBERS_AND_FLAGS: &[IntentKind] = &[IntentKind::Upgrade, IntentKind::Members, IntentKind::Flags];
/// Serves what changes a cluster while it runs.
pub const FOR_EVERY_LIVE_CHANGE: &[IntentKind] = &[IntentKind::Upgrade, IntentKind::Downgrade, IntentKind::Members];
/// Serves what changes a cluster while it runs, and a look at its health.
pub const FOR_LIVE_CHANGES_AND_HEALTH: &[IntentKind] =
    &[IntentKind::Upgrade, IntentKind::Downgrade, IntentKind::Members, IntentKind::Health];
/// Serves what rolls members, and a review of the flags they are started with.
pub const FOR_ROLLS_AND_FLAGS: &[IntentKind] = &[IntentKind::Upgrade, IntentKind::Downgrade, IntentKind::Flags];
/// Serves what starts a new binary, and a review of the flags it is started with.
pub const FOR_UPGRADE_AND_FLAGS: &[IntentKind] = &[IntentKind::Upgrade, IntentKind::Flags];
/// Serves downgrades only.
pub const FOR_DOWNGRADE: &[IntentKind] = &[IntentKind::Downgrade];
/// Serves what rolls members to another version.
pub const FOR_EVERY_ROLL: &[IntentKind] = &[IntentKind::Upgrade, IntentKind::Downgrade];
/// Serves what changes the cluster, and a look at its health.
pub const FOR_EVERY_CHANGE_AND_HEALTH: &[IntentKind] =
    &[IntentKind::Upgrade, IntentKind::Downgrade, IntentKind::Restore, IntentKind::Members, IntentKind::Health];
/// Serves restores only.
pub const FOR_RESTORE: &[IntentKind] = &[IntentKind::Restore];
/// Serves what puts data into a member's directory.
pub const FOR_RESTORE_AND_MEMBERS: &[IntentKind] = &[IntentKind::Restore, IntentKind::Members];
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
    &old_binary_refused::GATE,
    &downgrade_unsupported::GATE,
    &downgrade_not_ready::GATE,
    &downgrade_not_enabled::GATE,
    &downgrade_unfinished::GATE,
    &target_not_newer::GATE,
    &target_unknown::GATE,
    &release_unknown::GATE,
    &member_unreachable::GATE,
    &member_unstarted::GATE,
    &no_leader::GATE,
    &cluster_id_mismatch::GATE,
    &leader_disagreement::GATE,
    &member_lists_differ::GATE,
    &alarm_raised::GATE,
    &data_diverged::GATE,
    &zombie_member::GATE,
    &learner_columns_disagree::GATE,
    &learner_present::GATE,
    &start_failed::GATE,
    &v2_api_enabled::GATE,
    &v2_health_probes::GATE,
    &v2_records_in_wal::GATE,
    &v2store_custom_content::GATE,
    &v2_entries_before_37::GATE,
    &v2_deprecation_value::GATE,
    &force_new_cluster_left::GATE,
    &data_not_persistent::GATE,
    &flag_removed::GATE,
    &flag_unknown::GATE,
    &flag_too_new::GATE,
    &flag_both_forms::GATE,
    &flag_env_conflict::GATE,
    &flag_value_invalid::GATE,
    &release_known_bad::GATE,
    &prerelease::GATE,
    &patch_below_floor::GATE,
    &auth_rolling_unsupported::GATE,
    &managed_by_platform::GATE,
    &platform_pitfall::GATE,
    &pastes_contradict::GATE,
    &paste_is_sample::GATE,
    &paste_foreign::GATE,
    &paste_incomplete::GATE,
    &paste_ids_rounded::GATE,
    &status_refused::GATE,
    &member_not_in_status::GATE,
    &endpoint_repeated::GATE,
    &applied_index_lag::GATE,
    &v2store_check_inconclusive::GATE,
    &v2store_not_checked::GATE,
    &snapshot_missing::GATE,
    &snapshot_stale::GATE,
    &snapshot_copied_db::GATE,
    &snapshot_unverified::GATE,
    &upgrade_under_way::GATE,
    &upgrade_rolled_back::GATE,
    &quorum_margin_none::GATE,
    &release_advisory::GATE,
    &patch_below_advised::GATE,
    &storage_version_behind::GATE,
    &raft_term_mismatch::GATE,
    &db_near_quota::GATE,
    &db_sizes_differ::GATE,
    &v2_client_present::GATE,
    &migrate_tool_removed::GATE,
    &flags_differ::GATE,
    &client_url_wrong::GATE,
    &apiserver_endpoints_differ::GATE,
    &member_name_default::GATE,
    &vendor_build::GATE,
    &end_of_life::GATE,
    &target_not_newest_patch::GATE,
    &tools_too_old::GATE,
    &start_not_as_said::GATE,
    &defrag_during_roll::GATE,
    &flag_renamed::GATE,
    &flag_default_changed::GATE,
    &even_voters::GATE,
    &waiver_stale::GATE,
    &snapshot_damaged::GATE,
    &placeholder_left::GATE,
    &restore_over_live::GATE,
    &restore_tool_removed::GATE,
    &restore_minor_mismatch::GATE,
    &snapshot_before_removal::GATE,
    &snapshots_differ::GATE,
    &restore_flags_incomplete::GATE,
    &restore_without_mark_compacted::GATE,
    &bump_invalid::GATE,
    &bump_too_small::GATE,
    &restore_without_bump::GATE,
    &restore_partial::GATE,
    &watchers_not_restarted::GATE,
    &quorum_lost_by_change::GATE,
    &remove_before_add::GATE,
    &member_add_refused::GATE,
    &change_already_open::GATE,
    &learner_limit::GATE,
    &learner_not_ready::GATE,
    &removed_member_reused::GATE,
    &cluster_state_not_existing::GATE,
    &initial_cluster_mismatch::GATE,
    &peer_url_mismatch::GATE,
    &member_name_mismatch::GATE,
    &data_dir_not_empty::GATE,
    &member_version_mismatch::GATE,
    &change_not_said::GATE,
    &leader_removed::GATE,
    &auth_root_needed::GATE,
];

/// The gate with this id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Gate> {
    ALL.iter().copied().find(|g| g.id == id)
}
