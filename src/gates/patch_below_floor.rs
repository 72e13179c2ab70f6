//! Does every member run the patch this hop demands first?
//!
//! # Asks
//! Whether every member that still has to be rolled runs the required patch of its minor, or newer. A vendor's suffix
//! does not count; a prerelease does not meet a floor.
//!
//! # Blocks when
//! A member runs an older patch.
//!
//! # Why
//! The floor is what etcd's upgrade guide asks for with "make sure". It cures defects that show only on the new minor,
//! when going back is hard. The lowest member counts: one old member is enough.
//!
//! # Remedy
//! Patch first: a roll of its own inside the minor, to its newest patch, then start this hop. Where a platform moves
//! etcd, the release of the platform that brings such a patch; where it has none but meets the technical floor, it warns.
//!
//! # Sources
//! - upgrade-3.6, upgrade-3.7: the required patches.
//! - blog-zombie-members, blog-36-upgrade-issue: what goes wrong below the technical floor.

use super::question::{Question, VersionSeen, seen};
use super::{Ask, Asked, FOR_UPGRADE, Finding, Gate, Ground, Group, asks, sight, words};
use crate::cluster::commands;
use crate::etcd::hops::{Floor, HopRules};
use crate::etcd::platforms::{self, PlannerMode};
use crate::etcd::releases;
use crate::etcd::sources::key;
use crate::etcd::version::{Minor, Version};

/// The gate.
pub static GATE: Gate = Gate {
    id: "patch-below-floor",
    group: Group::Release,
    sources: &[key::UPGRADE_3_6, key::UPGRADE_3_7, key::BLOG_ZOMBIE_MEMBERS, key::BLOG_36_UPGRADE_ISSUE],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |q| q.on_hops(|rules| rules.required.is_some()),
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some((rules, floor)) = q.rules().and_then(|r| r.required.as_ref().map(|floor| (r, floor))) else {
        return Vec::new();
    };
    if !q.first {
        return vec![after_the_hop_before(q, floor)];
    }
    let at_stake: Vec<VersionSeen<'_>> =
        q.versions().into_iter().filter(|v| v.version.minor() == floor.version.minor()).collect();
    let (below, fine): (Vec<_>, Vec<_>) = at_stake.into_iter().partition(|v| !meets(v.version, &floor.version));
    let mut findings = Vec::new();
    if !below.is_empty() {
        findings.push(below_floor(q, rules, floor, &below));
    }
    let unclear: Vec<_> = fine.iter().filter(|v| !v.version.is_of_a_release()).collect();
    if let Some(first) = unclear.first() {
        let statement = format!(
            "{} is no release and no build of one that is known here: whether it holds what {} brought is not known.",
            first.version, floor.version
        );
        let members: Vec<usize> = unclear.iter().filter_map(|v| v.member).collect();
        let finding = Finding::cant_tell(statement, vec![asks::status(q)]);
        findings.push(finding.with_grounds(seen(unclear.iter().map(|v| v.span))).about(&members));
    }
    let unknown: Vec<usize> =
        q.to_roll().into_iter().filter(|m| q.cluster.members.get(*m).is_some_and(|m| m.version().is_none())).collect();
    let unknown: Vec<usize> = unknown.into_iter().filter(|m| !below.iter().any(|v| v.member == Some(*m))).collect();
    if !unknown.is_empty() || q.cluster.members.is_empty() {
        let whose = if unknown.is_empty() { "the members run".to_owned() } else { runs(q, &unknown) };
        let statement = format!(
            "Which patch {whose} is not shown; {} or newer is needed before {}.",
            floor.version,
            q.hop().map_or_else(String::new, |h| h.to.to_string())
        );
        let ask: Vec<Ask> = vec![asks::status(q)];
        findings.push(Finding::cant_tell(statement, ask).about(&unknown));
    }
    if findings.is_empty() {
        let statement = if fine.is_empty() {
            format!("No member is left that runs {}.", rules.from)
        } else {
            format!("Every member still to be rolled runs {} or newer.", floor.version)
        };
        let all = q.versions();
        let grounds =
            if fine.is_empty() { seen(all.iter().map(|v| v.span)) } else { seen(fine.iter().map(|v| v.span)) };
        findings.push(Finding::passed(statement, grounds));
    }
    findings
}

/// A vendor's suffix does not count; a prerelease never meets a floor, whatever its number.
fn meets(version: &Version, floor: &Version) -> bool {
    !version.is_prerelease() && version.upstream() >= *floor
}

fn below_floor(q: &Question<'_>, rules: &HopRules, floor: &Floor, below: &[VersionSeen<'_>]) -> Finding {
    let members = sight::members_with(below);
    let statement = format!("{}; every member needs {} or newer first.", sight::who_runs(q, below), floor.version);
    let grounds = seen(below.iter().map(|v| v.span));
    let newest = releases::newest(rules.from).map_or_else(|| floor.version.to_string(), |r| r.version.to_string());
    let technical = rules.technical.as_ref();
    let still_open = technical.filter(|t| below.iter().any(|v| !meets(v.version, &t.version)));
    let mut why = format!("Why {}: {}.", floor.version, floor.cures);
    if let Some(open) = still_open {
        why.push_str(&format!(" Below {}: {}.", open.version, open.cures));
    }
    let (way, only_platform) = way_there(q, rules.from, floor, &newest);
    let remedy = format!("{way}, before any member runs {}. {why}", rules.to);
    // Where the platform alone moves etcd and has nothing at the documented floor, the technical one decides.
    let all_that_there_is = only_platform && technical.is_some() && still_open.is_none();
    let finding = if all_that_there_is {
        Finding::warning(statement, grounds, remedy)
    } else {
        Finding::blocked(statement, grounds, remedy)
    };
    match technical.filter(|_| still_open.is_none()) {
        Some(met) => finding.with_note(format!(
            "From {} on no known defect of membership is left ({}); the required patch is what etcd's guide asks for.",
            met.version, met.cures
        )),
        None => finding,
    }
    .about(&members)
}

/// How a member gets to the floor, in the imperative; and whether a platform alone could bring it there and does not.
fn way_there(q: &Question<'_>, from: Minor, floor: &Floor, newest: &str) -> (String, bool) {
    let by_hand = || format!("Roll every member to {newest}, the newest {from}");
    let Some((platform, _)) = commands::platform(q.cluster, q.answers) else { return (by_hand(), false) };
    let brings = platforms::shipped(platform.id).and_then(|shipped| shipped.newest_of(from));
    match (brings, platform.mode) {
        (Some((etcd, release)), _) if meets(etcd, &floor.version) => {
            let (major, minor) = release;
            (format!("Move {} to {major}.{minor} in its own way first, which brings etcd {etcd}", platform.name), false)
        }
        (_, PlannerMode::Plan) => (by_hand(), false),
        (Some((etcd, (major, minor))), mode) => {
            let only = mode == PlannerMode::NativeOnly;
            let way = format!(
                "Move {} to the newest patch of {major}.{minor} first: {etcd} is the newest {from} that it was seen to bring{}",
                platform.name,
                if only {
                    ", and etcd is not swapped behind its back"
                } else {
                    ", and its own settings can name a newer image"
                }
            );
            (way, only)
        }
        (None, _) => {
            (format!("Bring every member to {} or newer in {}'s own way", floor.version, platform.name), false)
        }
    }
}

/// On a later leg the plan itself has brought every member to the target of the leg before.
fn after_the_hop_before(q: &Question<'_>, floor: &Floor) -> Finding {
    let before = q.route.legs.iter().map(|leg| &leg.target).filter(|t| t.minor() == floor.version.minor()).max();
    match before {
        Some(target) if meets(target, &floor.version) => {
            let statement = format!("By then every member runs {target}; {} or newer is needed.", floor.version);
            Finding::passed(statement, vec![Ground::Wanted])
        }
        _ => Finding::cant_tell(format!("{} or newer is needed by then.", floor.version), vec![asks::status(q)]),
    }
}

fn runs(q: &Question<'_>, members: &[usize]) -> String {
    format!("{} {}", q.names(members), words::verb(members.len(), "runs", "run"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{asked, only, outcomes};

    #[test]
    fn the_lowest_member_counts_and_all_are_named_in_one_finding() {
        let finding = only(&GATE, &three_members("3.5.33").version("m3", "3.5.31"), "3.6", &[]);
        assert_eq!((finding.outcome, finding.member), (Outcome::Blocked, Some(2)));
        assert_eq!(finding.statement, "m3 runs 3.5.31; every member needs 3.5.32 or newer first.");
        let two = three_members("3.5.9").version("m1", "3.5.33");
        assert_eq!(
            only(&GATE, &two, "3.6", &[]).statement,
            "m2 and m3 run 3.5.9; every member needs 3.5.32 or newer first."
        );
    }

    #[test]
    fn which_defect_is_cured_is_said_apart() {
        let below = only(&GATE, &three_members("3.5.25"), "3.6", &[]);
        assert!(below.remedy.is_some_and(|r| r.contains("Below 3.5.26")));
        assert_eq!(below.note, None);
        let between = only(&GATE, &three_members("3.5.26"), "3.6", &[]);
        assert!(between.remedy.is_some_and(|r| !r.contains("Below 3.5.26")));
        assert!(between.note.is_some_and(|n| n.starts_with("From 3.5.26 on")));
    }

    #[test]
    fn a_platform_is_moved_in_its_own_way() {
        let k3s = only(&GATE, &three_members("3.5.26-k3s1"), "3.6", &["run-by=k3s-embedded"]);
        assert_eq!(k3s.outcome, Outcome::Warning);
        assert!(k3s.remedy.is_some_and(|r| r.contains("3.5.26 is the newest 3.5 that it was seen to bring")));
        let below = outcomes(&GATE, &three_members("3.5.21-k3s1"), "3.6", &["run-by=k3s-embedded"]);
        assert_eq!(below, [Outcome::Blocked]);
        let kubeadm = only(&GATE, &three_members("3.5.24-0"), "3.6", &["run-by=kubeadm-stacked"]);
        assert_eq!(kubeadm.outcome, Outcome::Blocked);
        assert!(kubeadm.remedy.is_some_and(|r| r.contains("can name a newer image")));
    }

    #[test]
    fn a_vendor_suffix_does_not_count_and_a_prerelease_does_not_meet_a_floor() {
        for (runs, outcome) in [
            ("3.5.32", Outcome::Passed),
            ("3.5.32-k3s1", Outcome::Passed),
            ("3.5.31-debian-12-r3", Outcome::Blocked),
            ("3.5.33-rc.1", Outcome::Blocked),
            ("3.5.32-abc", Outcome::CantTell),
        ] {
            assert_eq!(outcomes(&GATE, &three_members(runs), "3.6", &[]), [outcome], "{runs}");
        }
    }

    #[test]
    fn members_that_run_the_new_minor_have_passed_the_floor() {
        let mixed = three_members("3.5.33").version("m1", "3.6.0");
        assert_eq!(outcomes(&GATE, &mixed, "3.6", &[]), [Outcome::Passed]);
    }

    #[test]
    fn a_later_leg_leaves_from_the_newest_patch() {
        let findings = asked(&GATE, &three_members("3.5.33"), "3.7", &[]);
        assert_eq!(findings.iter().map(|f| f.outcome).collect::<Vec<_>>(), [Outcome::Passed, Outcome::Passed]);
        assert!(findings.iter().any(|f| f.statement.starts_with("By then every member runs 3.6.16")));
    }

    #[test]
    fn a_member_without_a_version_can_hide_below_the_floor() {
        let finding = only(&GATE, &three_members("3.5.33").not_in_status("m2"), "3.6", &[]);
        assert_eq!((finding.outcome, finding.member), (Outcome::CantTell, Some(1)));
    }
}
