//! Is the database close to its quota?
//!
//! # Asks
//! The bytes in use and the size of the database of each member against the quota it reports or its flags set.
//!
//! # Blocks when
//! Never by itself: the alarm it leads to blocks. From nine tenths of the quota on it warns, and where the size alone
//! is there it passes with a note.
//!
//! # Why
//! At the quota the cluster refuses writes, and the upgrade needs writes. During a roll nobody wants to make room.
//!
//! # Remedy
//! Compact old revisions and defragment the members one by one before the roll, or raise the quota on all of them.
//!
//! # Sources
//! - maintenance: quota, compaction and defragmentation.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_MEMBERS_AND_HEALTH, Finding, Gate, Group, Need, asks, sight, words};
use crate::cluster::settings;
use crate::etcd::flags::name;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "db-near-quota",
    group: Group::Health,
    sources: &[key::MAINTENANCE],
    asked: Asked::Now,
    intents: FOR_UPGRADE_MEMBERS_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let mut full: Vec<usize> = Vec::new();
    let mut known = Vec::new();
    let mut each: Vec<(u64, Vec<usize>)> = Vec::new();
    for (at, row) in sight::rows(q) {
        let Some(quota) = row.value.quota.or_else(|| set_quota(q, at)).filter(|quota| *quota > 0) else { continue };
        let Some(used) = row.value.db_in_use.or(row.value.db_size) else { continue };
        known.push(&row.span);
        if used.saturating_mul(10) >= quota.saturating_mul(9) {
            full.push(at);
            let share = used.saturating_mul(100) / quota;
            match each.iter_mut().find(|(known, _)| *known == share) {
                Some((_, members)) => members.push(at),
                None => each.push((share, vec![at])),
            }
        }
    }
    if full.is_empty() {
        return sight::passed_on(known, "Every database whose quota is known uses less than nine tenths of it.");
    }
    let remedy = "Compact old revisions and defragment the members one by one, or raise the quota on all of them: at \
                  the quota the cluster refuses writes, and an upgrade needs them.";
    let uses = |(share, members): &(u64, Vec<usize>)| {
        let (verb, whose) = if members.len() == 1 { ("uses", "its") } else { ("use", "their") };
        format!("{} {verb} {share} % of {whose} quota", q.names(members))
    };
    let statement = format!("{}.", words::list(&each.iter().map(uses).collect::<Vec<_>>()));
    vec![Finding::warning(statement, seen(known), remedy).with_commands(asks::make_room(q)).about(&full)]
}

/// The quota a member's flags set, in bytes.
fn set_quota(q: &Question<'_>, member: usize) -> Option<u64> {
    let flags = &q.cluster.members.get(member)?.flags;
    flags.iter().find_map(|f| settings::value(&f.value, name::QUOTA_BACKEND_BYTES))?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn nine_tenths_of_the_quota_warn() {
        let with = |used: u64| {
            three_members("3.6.16").status("m2", |s| {
                s.quota = Some(2_147_483_648);
                s.db_in_use = Some(used);
            })
        };
        assert_eq!(outcomes(&GATE, &with(1_932_735_284), "3.7", &[]), [Outcome::Warning]);
        assert_eq!(outcomes(&GATE, &with(1_900_000_000), "3.7", &[]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::NotLookedAt]);
    }
}
