//! Does the new member have a name of its own, and the one it was added with?
//!
//! # Asks
//! The name that is wanted, the names of the members, the name in the new member's flags, and what its log says.
//!
//! # Blocks when
//! Another member that stays has the name, or the flags say another one than was added.
//!
//! # Why
//! Two members of one name are told apart by nobody: flags, logs and commands name the wrong one. A name that is not in
//! its own list ends the start.
//!
//! # Remedy
//! Give it a name that no member has, the same in member add and in its flags.
//!
//! # Sources
//! - source-join: where the name is looked for.
//! - runtime-reconfiguration: what member add is given.

use super::question::{Question, seen};
use super::sight::newcomer_flags;
use super::{Asked, FOR_MEMBERS, Finding, Gate, Ground, Group, Need, words};
use crate::cluster::settings;
use crate::etcd::flags::name;
use crate::etcd::sources::key;
use crate::evidence::answers::AnswerKey;

/// The gate.
pub static GATE: Gate = Gate {
    id: "member-name-mismatch",
    group: Group::Change,
    sources: &[key::SOURCE_JOIN, key::RUNTIME_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let course = q.course();
    let remedy = format!(
        "Give --{} the name that member add was given, the same that stands in --{}.",
        name::NAME,
        name::INITIAL_CLUSTER
    );
    let mut findings: Vec<Finding> = q.told_to_stop(GATE.id, &remedy).take(1).collect();
    let newcomers = course.wanted.as_ref().map_or(&[][..], |wanted| &wanted.newcomers);
    let mut grounds = q.wanted_grounds(course);
    if q.answers.get(AnswerKey::NewName).is_some() {
        grounds.push(Ground::Answered(AnswerKey::NewName));
    }
    let mut fine: Vec<&str> = Vec::new();
    for (at, newcomer) in newcomers.iter().enumerate() {
        let Some(own) = newcomer.name.as_deref() else { continue };
        let holder = q.cluster.members.iter().enumerate().find(|(index, member)| {
            let leaves_first = course.removes(*index) && member.answers() == Some(false);
            let is_it = (newcomer.id.is_some() && newcomer.id == member.id)
                || newcomer.peer_url.as_ref().is_none_or(|url| member.peer_urls.contains(url));
            member.name.as_deref() == Some(own) && !is_it && !leaves_first
        });
        let twice = newcomers.iter().take(at).any(|other| other.name.as_deref() == Some(own));
        if twice || holder.is_some() {
            let remedy = "Choose a name that no member has: two of one name are told apart by nobody.";
            findings.push(Finding::blocked(
                format!("{own} is the name of another member too."),
                grounds.clone(),
                remedy,
            ));
        } else {
            fine.push(own);
        }
    }
    for set in newcomer_flags(q).into_iter().filter(|set| set.sure) {
        let Some(setting) = settings::of(&set.seen.value, name::NAME).last() else { continue };
        let given = setting.value.as_deref().unwrap_or_default();
        let known = newcomers.iter().filter_map(|n| n.name.as_deref()).collect::<Vec<_>>();
        if settings::is_literal(given) && !known.is_empty() && !known.contains(&given) {
            let statement = format!("The new member's flags call it {given}, and {} is added.", words::list(&known));
            findings.push(Finding::blocked(statement, seen([&setting.span]), &*remedy));
        }
    }
    if findings.is_empty() && !fine.is_empty() {
        let statement =
            format!("{} {} no other member's name.", words::list(&fine), words::verb(fine.len(), "is", "are"));
        findings.push(Finding::passed(statement, grounds));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::changing;

    #[test]
    fn a_name_is_one_members_only() {
        let named = |name: &str, change: &str| {
            let answers = [
                format!("change={change}"),
                format!("new-name={name}"),
                "new-peer-url=https://10.0.0.9:2380".to_owned(),
            ];
            changing(
                &GATE,
                &three_members("3.5.33").unreachable("m3"),
                &answers.iter().map(String::as_str).collect::<Vec<_>>(),
            )
        };
        assert_eq!(named("m4", "add-voter"), [Passed]);
        assert_eq!(named("m2", "add-voter"), [Blocked]);
        assert_eq!(named("m3", "replace=m3"), [Passed], "the dead one of that name goes first");
        assert_eq!(named("m4,m4", "grow=5"), [Blocked]);
        assert_eq!(changing(&GATE, &three_members("3.5.33"), &[]), [NotLookedAt]);
    }
}
