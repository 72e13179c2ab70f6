//! Is an alarm raised?
//!
//! # Asks
//! Whether `alarm list`, or the errors of `endpoint status`, show an alarm.
//!
//! # Blocks when
//! NOSPACE or CORRUPT is raised.
//!
//! # Why
//! Under NOSPACE the cluster refuses writes, and the upgrade needs writes: each member publishes itself and the cluster
//! version is raised. CORRUPT says that members hold different data; a restart can make the wrong one the truth.
//! `endpoint health` of old etcdctl says "healthy" in spite of an alarm.
//!
//! # Remedy
//! NOSPACE: compact, defragment member by member, raise the quota if the data need it, then disarm. CORRUPT: find the
//! member whose hash differs, replace it from a good one, then disarm.
//!
//! # Sources
//! - maintenance: alarms, compaction, defragmentation.
//! - seen-status: alarms in the errors column, and `endpoint health` that does not see them.

use super::question::{Question, seen};
use super::{Asked, FOR_LIVE_CHANGES_AND_HEALTH, Finding, Gate, Group, asks, words};
use crate::etcd::flags::name;
use crate::etcd::sources::key;
use crate::evidence::fact::{Alarm, AlarmType, Seen};

/// The gate.
pub static GATE: Gate = Gate {
    id: "alarm-raised",
    group: Group::Health,
    sources: &[key::MAINTENANCE, key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_LIVE_CHANGES_AND_HEALTH,
    need: |q| q.before_a_roll(),
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (alarm, name) in [(AlarmType::Corrupt, "CORRUPT"), (AlarmType::NoSpace, "NOSPACE")] {
        let raised: Vec<_> = q.cluster.alarms_of(alarm).collect();
        if raised.is_empty() {
            continue;
        }
        let members: Vec<usize> = raised.iter().filter_map(|a| member_of(q, a)).collect();
        let names: Vec<String> = raised.iter().map(|a| name_of(q, a)).collect();
        let statement = format!("{} raised {name}.", words::list(&names));
        let grounds = seen(raised.iter().map(|a| &a.span));
        let finding = match alarm {
            AlarmType::NoSpace => Finding::blocked(
                statement,
                grounds,
                format!(
                    "Compact old revisions, defragment the members one by one, raise --{} on all members if the data \
                     need it, then disarm the alarm. Until then the cluster refuses writes, and an upgrade needs them.",
                    name::QUOTA_BACKEND_BYTES
                ),
            )
            .with_commands(asks::make_room(q)),
            AlarmType::Corrupt => Finding::blocked(
                statement,
                grounds,
                "Compare the hash of all members, remove the member that differs and add it again from a good one, then \
                 disarm the alarm. Until then members hold different data, and a restart can spread the wrong ones.",
            )
            .with_commands(asks::compare_hashes(q)),
        };
        findings.push(finding.about(&members));
    }
    if !findings.is_empty() {
        return findings;
    }
    let told: Vec<_> = q.logged(GATE.id, |_| true).iter().map(|l| &l.seen.span).collect();
    if !told.is_empty() && q.cluster.alarms_looked_at.is_empty() {
        let remedy = "Ask for alarm list. Where it still shows the alarm, make room as its name says (NOSPACE: compact, \
                      defragment, disarm) before anything is upgraded.";
        let commands = vec![q.commands.alarm_list()];
        return vec![Finding::blocked("A log tells of an alarm.", seen(told), remedy).with_commands(commands)];
    }
    if !told.is_empty() {
        let statement = "A log tells of an alarm that the outputs do not show: it is disarmed, or of another cluster.";
        let remedy = "Ask for alarm list, and find out which member raised it and whether it is one of these.";
        let commands = vec![q.commands.alarm_list()];
        return vec![Finding::warning(statement, seen(told), remedy).with_commands(commands)];
    }
    if q.cluster.alarms_looked_at.is_empty() {
        let statement = "No alarm list was pasted, and no status with its errors.";
        return vec![Finding::cant_tell(statement, vec![asks::alarm_list(q)])];
    }
    vec![Finding::passed("No alarm is raised.", seen(&q.cluster.alarms_looked_at))]
}

fn member_of(q: &Question<'_>, alarm: &Seen<Alarm>) -> Option<usize> {
    q.cluster.members.iter().position(|m| m.id == Some(alarm.value.member_id))
}

fn name_of(q: &Question<'_>, alarm: &Seen<Alarm>) -> String {
    member_of(q, alarm).map_or_else(|| format!("member {:x}", alarm.value.member_id), |m| q.label(m))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn either_alarm_blocks_and_is_cured_in_order() {
        let finding = only(&GATE, &three_members("3.5.33").alarm("m1", AlarmType::NoSpace), "3.6", &[]);
        assert_eq!((finding.outcome, finding.member), (Outcome::Blocked, Some(0)));
        assert_eq!(finding.statement, "m1 raised NOSPACE.");
        let verbs = ["compact 90000", "defrag", "defrag", "defrag", "alarm disarm"];
        assert_eq!(finding.commands.len(), verbs.len());
        assert!(finding.commands.iter().zip(verbs).all(|(c, verb)| c.contains(verb)), "{:?}", finding.commands);
        let corrupt = three_members("3.5.33").alarm("m2", AlarmType::Corrupt);
        assert_eq!(outcomes(&GATE, &corrupt, "3.6", &[]), [Outcome::Blocked]);
    }

    #[test]
    fn nobody_looked_is_not_no_alarm() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33").no_alarm_list(), "3.6", &[]), [Outcome::CantTell]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::Passed]);
    }
}
