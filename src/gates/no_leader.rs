//! Does the cluster have a leader that every member follows?
//!
//! # Asks
//! Whether one member is the leader and no member reports that it has none.
//!
//! # Blocks when
//! A member reports `etcdserver: no leader` or follows none, or all members answered and none is the leader.
//!
//! # Why
//! Without a leader nothing is committed. `endpoint status` exits 0 on a member without quorum all the same, so the
//! exit code hides it.
//!
//! # Remedy
//! Find out why the member is cut off (network, certificates, clocks, disk) and heal it before anything is restarted.
//!
//! # Sources
//! - seen-status: what a member without a leader prints.

use super::question::{Question, Stage, seen};
use super::{Asked, FOR_LIVE_CHANGES_AND_HEALTH, Finding, Gate, Group, Need, asks, words};
use crate::cluster::Member;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "no-leader",
    group: Group::Health,
    sources: &[key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_LIVE_CHANGES_AND_HEALTH,
    need: |q| if q.stage() == Stage::Arrived { Need::Required } else { q.before_a_roll() },
    check,
};

/// What a server says in `errors` when it follows nobody.
const NO_LEADER: &str = "no leader";

fn check(q: &Question<'_>) -> Vec<Finding> {
    let members = &q.cluster.members;
    let cut_off = q.indices(follows_nobody);
    let span = |m: &usize| members.get(*m).and_then(|m| m.status.as_ref()).map(|s| &s.span);
    if !cut_off.is_empty() {
        let statement = format!("{} {} no leader.", q.names(&cut_off), words::verb(cut_off.len(), "has", "have"));
        let finding = Finding::blocked(statement, seen(cut_off.iter().filter_map(span)), REMEDY);
        return vec![finding.with_commands(look(q)).about(&cut_off)];
    }
    if let Some(leader) = q.cluster.leader() {
        let statement = format!("{} is the leader.", q.label(leader));
        return vec![Finding::passed(statement, seen(span(&leader)))];
    }
    // JSON and fields name the leader by id even where its own row is missing.
    if let Some(follower) =
        q.indices(|m| m.status.as_ref().is_some_and(|s| s.value.leader.is_some_and(|l| l != 0))).first()
    {
        let id =
            members.get(*follower).and_then(|m| m.status.as_ref()).and_then(|s| s.value.leader).unwrap_or_default();
        let statement = format!("{} follows the leader {id:x}.", q.label(*follower));
        return vec![Finding::passed(statement, seen(span(follower)))];
    }
    let told = q.indices(|m| m.is_leader() == Some(false));
    if !members.is_empty() && told.len() == members.len() && q.cluster.member_list.is_some() {
        let statement = format!("None of the {} is the leader.", words::count(members.len(), "member"));
        let finding = Finding::blocked(statement, seen(told.iter().filter_map(span)), REMEDY);
        return vec![finding.with_commands(look(q))];
    }
    let statement = "No row that was pasted shows the leader.";
    vec![Finding::cant_tell(statement, vec![asks::status(q)]).with_grounds(seen(told.iter().filter_map(span)))]
}

const REMEDY: &str = "Start every member that is down: more than half of the voters must reach each other before one leads. Then \
                      look at the network between them, their certificates, clocks and disks. Where a majority is lost \
                      for good only a restore from the backup snapshot is left. Without a leader nothing is committed.";

/// Who answers, and what each member's log says.
fn look(q: &Question<'_>) -> Vec<String> {
    let logs = (0..q.cluster.members.len()).flat_map(|member| q.commands.log(Some(member)));
    [q.commands.status()].into_iter().chain(logs).collect()
}

fn follows_nobody(member: &Member) -> bool {
    member.status.as_ref().is_some_and(|s| {
        let says_so = s.value.errors.as_ref().is_some_and(|errors| errors.iter().any(|e| e.contains(NO_LEADER)));
        says_so || s.value.leader == Some(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_member_that_says_it_has_none_is_enough() {
        let errors = Some(vec!["etcdserver: no leader".to_owned()]);
        let cut_off = three_members("3.5.33").status("m3", |s| s.errors = errors);
        let finding = only(&GATE, &cut_off, "3.6", &[]);
        assert_eq!((finding.outcome, finding.member), (Outcome::Blocked, Some(2)));
        assert_eq!(finding.statement, "m3 has no leader.");
    }

    #[test]
    fn a_row_that_is_missing_may_be_the_leaders() {
        let simple = |name: &str, cluster: crate::cluster::testing::Build| cluster.status(name, |s| s.leader = None);
        let rows = simple("m3", simple("m2", three_members("3.5.33"))).not_in_status("m1");
        assert_eq!(outcomes(&GATE, &rows, "3.6", &[]), [Outcome::CantTell]);
        let all = simple("m1", simple("m3", simple("m2", three_members("3.5.33"))));
        let none = all.status("m1", |s| s.is_leader = Some(false));
        assert_eq!(outcomes(&GATE, &none, "3.6", &[]), [Outcome::Blocked]);
        // JSON names the leader by id where its own row is missing.
        assert_eq!(outcomes(&GATE, &three_members("3.5.33").not_in_status("m1"), "3.6", &[]), [Outcome::Passed]);
    }
}
