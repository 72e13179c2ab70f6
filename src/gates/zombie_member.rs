//! Does the member list hold members that should not be there?
//!
//! # Asks
//! Whether two members of the list have one name or one peer URL.
//!
//! # Blocks when
//! Two members share a name or a peer URL.
//!
//! # Why
//! A machine runs one member. The second row is one that was removed, or replaced, and came back out of the v3 store:
//! it counts for the quorum and nobody runs it.
//!
//! # Remedy
//! Find out which id is alive (`endpoint status`), patch every member to the newest patch of its minor, look again,
//! and remove the ids that nobody runs.
//!
//! # Sources
//! - blog-zombie-members: members that were removed and come back.

use super::question::{Question, seen};
use super::{Asked, FOR_EVERY_CHANGE_AND_HEALTH, Finding, Gate, Group, Need, asks, words};
use crate::etcd::sources::key;
use std::collections::HashMap;

/// The gate.
pub static GATE: Gate = Gate {
    id: "zombie-member",
    group: Group::Membership,
    sources: &[key::BLOG_ZOMBIE_MEMBERS],
    asked: Asked::Now,
    intents: FOR_EVERY_CHANGE_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(list) = &q.cluster.member_list else { return Vec::new() };
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, member) in q.cluster.members.iter().enumerate() {
        let Some(row) = &member.listed else { continue };
        let name = row.value.name.as_deref().filter(|name| !name.is_empty());
        for key in name.into_iter().chain(row.value.peer_urls.iter().map(String::as_str)) {
            holders.entry(key).or_default().push(at);
        }
    }
    let mut shared: Vec<(&str, Vec<usize>)> = holders.into_iter().filter(|(_, members)| members.len() > 1).collect();
    if shared.is_empty() {
        return vec![Finding::passed("No two members of the list share a name or a peer URL.", seen([list]))];
    }
    crate::sort::sort(&mut shared);
    let id = |m: &usize| q.cluster.members.get(*m).and_then(|m| m.id).map_or_else(String::new, |id| format!("{id:x}"));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (_, members) in &shared {
        if !groups.contains(members) {
            groups.push(members.clone());
        }
    }
    let group = |members: &Vec<usize>| {
        let name = members.first().and_then(|m| q.cluster.members.get(*m)).and_then(|m| m.name.as_deref());
        let ids = words::list(&members.iter().map(id).collect::<Vec<_>>());
        name.map_or_else(|| ids.clone(), |name| format!("{name} ({ids})"))
    };
    let each: Vec<String> = groups.iter().map(group).collect();
    let statement = format!("Several members of the list share a name or a peer URL: {}.", words::list(&each));
    let rows = shared.iter().flat_map(|(_, members)| members).filter_map(|m| q.cluster.members.get(*m));
    let grounds = seen(rows.filter_map(|m| m.listed.as_ref()).map(|row| &row.span));
    let remedy = "See by endpoint status which ids are alive, bring every member to the newest patch of its minor, look \
                  again, and remove the ids that nobody runs: they count for the quorum.";
    let alive = |m: &usize| q.cluster.members.get(*m).is_some_and(|m| m.status.is_some());
    let mut dead: Vec<usize> = Vec::new();
    // Which of a group is dead is known only where another one answered.
    for members in groups.iter().filter(|members| members.iter().any(alive)) {
        dead.extend(members.iter().filter(|m| !alive(m)));
    }
    let commands =
        [q.commands.status()].into_iter().chain(asks::remove_later(q, &dead, "when nobody runs it")).collect();
    vec![Finding::blocked(statement, grounds, remedy).with_commands(commands)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn one_peer_url_for_two_members_blocks() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::Passed]);
        let twice =
            three_members("3.5.33").listed("m3", |row| row.peer_urls = vec!["https://10.0.0.2:2380".to_owned()]);
        let finding = only(&GATE, &twice, "3.6", &[]);
        assert_eq!(finding.outcome, Outcome::Blocked);
        assert_eq!(finding.statement, "Several members of the list share a name or a peer URL: m2 (a2 and a3).");
    }
}
