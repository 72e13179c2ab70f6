//! Do members announce client URLs that reach them?
//!
//! # Asks
//! Whether the client URLs of the member list, or those the flags announce, are local addresses, and whether a client
//! URL is the peer URL.
//!
//! # Blocks when
//! Never. It warns.
//!
//! # Why
//! `etcdctl --cluster` and clients that ask for the members take these URLs. A local one leads to whatever machine it
//! is used on; from 3.6 on the peer port serves clients no longer.
//!
//! # Remedy
//! Announce an address that other machines reach, member by member during the roll.
//!
//! # Sources
//! - changelog-3.6: clients on the peer port.
//! - seen-status: rows of one member shown for all.

use std::collections::HashSet;

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_MEMBERS_AND_FLAGS, Finding, Gate, Group, Need, sight, words};
use crate::cluster::endpoint::{Endpoint, split_urls};
use crate::etcd::flags::name;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "client-url-wrong",
    group: Group::Membership,
    sources: &[key::CHANGELOG_3_6, key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_UPGRADE_MEMBERS_AND_FLAGS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    const REMEDY: &str = "Announce an address that other machines reach, member by member at its restart: clients that ask \
                          for the members are sent to it.";
    let announced = sight::of_flag(q, name::ADVERTISE_CLIENT_URLS);
    let peers = sight::of_flag(q, name::INITIAL_ADVERTISE_PEER_URLS);
    // A cluster on one machine has local addresses throughout, and they lead to the right port.
    let on_one_machine = |local: bool| -> HashSet<Option<usize>> {
        let these = peers.iter().filter(|p| p.setting.value.as_deref().is_some_and(all_local) == local);
        these.map(|p| p.member).collect()
    };
    let (inside, outside) = (on_one_machine(true), on_one_machine(false));
    let one_machine = |member: Option<usize>| inside.contains(&member) && !outside.contains(&member);
    let local: Vec<sight::Set<'_>> = announced
        .iter()
        .copied()
        .filter(|s| s.setting.value.as_deref().is_some_and(|urls| split_urls(urls).any(is_local)))
        .filter(|s| !one_machine(s.member))
        .collect();
    if !local.is_empty() {
        let statement = format!("A local address is announced to clients: {}.", sight::written(q, &local));
        return vec![Finding::warning(statement, sight::grounds_of(&local), REMEDY).about(&sight::members_of(&local))];
    }
    let rows = || q.cluster.members.iter().enumerate().filter_map(|(at, m)| m.listed.as_ref().map(|row| (at, row)));
    let several = rows().any(|(_, row)| row.value.peer_urls.iter().any(|url| !is_local(url)));
    let wrong: Vec<_> = rows()
        .filter(|(_, row)| {
            let is_peer = |url: &String| {
                Endpoint::read(url)
                    .is_some_and(|e| row.value.peer_urls.iter().any(|p| Endpoint::read(p) == Some(e.clone())))
            };
            row.value.client_urls.iter().any(|url| is_peer(url) || (several && is_local(url)))
        })
        .collect();
    if let Some((_, row)) = wrong.first() {
        let members: Vec<usize> = wrong.iter().map(|(at, _)| *at).collect();
        let statement = format!(
            "{} {} clients to {}.",
            q.names(&members),
            words::verb(members.len(), "sends", "send"),
            row.value.client_urls.first().map_or("", String::as_str)
        );
        let finding = Finding::warning(statement, seen(wrong.iter().map(|(_, row)| &row.span)), REMEDY);
        return vec![finding.about(&members)];
    }
    let spans = announced.iter().map(|s| &s.setting.span).chain(rows().map(|(_, row)| &row.span));
    sight::passed_on(spans, "Every client URL that is shown reaches its member.")
}

fn is_local(url: &str) -> bool {
    Endpoint::read(url).is_some_and(|e| e.is_local())
}

fn all_local(urls: &str) -> bool {
    split_urls(urls).all(is_local)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn a_local_address_warns_where_others_are_sent_to_it() {
        let local = |b: crate::cluster::testing::Build| {
            b.listed("m1", |r| r.client_urls = vec!["http://localhost:2379".to_owned()])
        };
        assert_eq!(outcomes(&GATE, &local(three_members("3.5.33")), "3.6", &[]), [Outcome::Warning]);
        let flags = three_members("3.5.33").flags("m1", &["advertise-client-urls=http://127.0.0.1:2379"]);
        assert_eq!(outcomes(&GATE, &flags, "3.6", &[]), [Outcome::Warning]);
    }
}
