//! Does the new member know every member it joins?
//!
//! # Asks
//! The initial cluster in the flags of the new member beside the member list and what member add printed, and what its
//! log says.
//!
//! # Blocks when
//! A member is missing in it, one stands in it that is no member, a URL differs, or etcd has refused the start for it.
//!
//! # Why
//! The new member compares its list with the cluster's before it joins: another number of members or another URL ends
//! the start. The order does not matter.
//!
//! # Remedy
//! Take the list that member add printed, or write it from the member list.
//!
//! # Sources
//! - source-join: how the lists are compared.
//! - seen-reconfiguration: `member count is unequal`.

use super::finding::Ground;
use super::question::{Question, seen};
use super::sight::newcomer_flags;
use super::{Asked, FOR_MEMBERS, Finding, Gate, Group, Need, words};
use crate::cluster::settings;
use crate::etcd::flags::name;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "initial-cluster-mismatch",
    group: Group::Change,
    sources: &[key::SOURCE_JOIN, key::SEEN_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let remedy = format!(
        "Give it --{} as member add printed it: every member with its name and peer URLs, itself too, and nobody who left. \
         Then start it again with an empty data directory. The token does not matter to a member that joins.",
        name::INITIAL_CLUSTER
    );
    let mut findings: Vec<Finding> = q.told_to_stop(GATE.id, &remedy).take(1).collect();
    let Some((expected, grounds)) = expected(q) else { return findings };
    for set in newcomer_flags(q) {
        let Some(setting) = settings::of(&set.seen.value, name::INITIAL_CLUSTER).last() else { continue };
        let given = pairs(setting.value.as_deref().unwrap_or_default());
        let whose = set.name.clone().unwrap_or_else(|| "the new member".to_owned());
        let missing: Vec<&str> =
            expected.iter().filter(|pair| !given.contains(pair)).map(|(name, _)| name.as_str()).collect();
        let strange: Vec<&str> =
            given.iter().filter(|pair| !expected.contains(pair)).map(|(name, _)| name.as_str()).collect();
        let mut wrong = Vec::new();
        if !missing.is_empty() {
            wrong.push(format!(
                "lacks {} as the cluster knows {}",
                words::list(&missing),
                words::verb(missing.len(), "it", "them")
            ));
        }
        let strange: Vec<&str> = strange.into_iter().filter(|name| !missing.contains(name)).collect();
        if !strange.is_empty() {
            wrong.push(format!("names {}, no member", words::list(&strange)));
        }
        let all: Vec<Ground> = seen([&setting.span]).into_iter().chain(grounds.clone()).collect();
        findings.push(if wrong.is_empty() {
            Finding::passed(format!("The list of {whose} names every member and nobody else."), all)
        } else {
            Finding::blocked(format!("The list of {whose} {}.", words::list(&wrong)), all, &*remedy)
        });
    }
    findings
}

type Pair = (String, String);

fn pairs(list: &str) -> Vec<Pair> {
    let part = |part: &str| {
        let (name, url) = part.split_once('=')?;
        Some((name.trim().to_owned(), url.trim().trim_end_matches('/').to_owned()))
    };
    list.split(',').filter_map(part).collect()
}

/// What the list must be: as member add printed it, else as the member list shows it with the one that comes in.
fn expected(q: &Question<'_>) -> Option<(Vec<Pair>, Vec<Ground>)> {
    let printed = q.cluster.member_changes.iter().rev().find_map(|change| {
        let setting = change.value.environment.iter().find(|s| s.name == name::INITIAL_CLUSTER)?;
        Some((pairs(setting.value.as_deref()?), seen([&change.span])))
    });
    if printed.is_some() {
        return printed;
    }
    let course = q.course();
    let wanted = course.wanted.as_ref()?;
    q.cluster.member_list.as_ref()?;
    let newcomer = wanted.newcomers.first()?;
    let own = newcomer.name.clone().zip(newcomer.peer_url.clone())?;
    let mut all = vec![(own.0, own.1.trim_end_matches('/').to_owned())];
    for (at, member) in q.cluster.members.iter().enumerate() {
        if newcomer.is(member) || (course.removes(at) && member.answers() == Some(false)) {
            continue;
        }
        let name = member.name.clone()?;
        all.extend(member.peer_urls.iter().map(|url| (name.clone(), url.trim_end_matches('/').to_owned())));
    }
    Some((all, q.member_grounds()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::changing;

    const WANTED: [&str; 3] = ["change=add-voter", "new-name=m4", "new-peer-url=https://10.0.0.4:2380"];
    const THREE: &str = "m1=https://10.0.0.1:2380,m2=https://10.0.0.2:2380,m3=https://10.0.0.3:2380";

    #[test]
    fn the_list_is_compared_whatever_its_order() {
        let with = |list: &str| three_members("3.5.33").flags("m4", &["name=m4", &format!("initial-cluster={list}")]);
        assert_eq!(changing(&GATE, &with(&format!("m4=https://10.0.0.4:2380,{THREE}")), &WANTED), [Passed]);
        assert_eq!(changing(&GATE, &with(THREE), &WANTED), [Blocked], "itself is missing");
        let http = format!("m4=http://10.0.0.4:2380,{THREE}");
        assert_eq!(changing(&GATE, &with(&http), &WANTED), [Blocked], "another URL");
        assert_eq!(changing(&GATE, &three_members("3.5.33"), &WANTED), [NotLookedAt]);
    }
}
