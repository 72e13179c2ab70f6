//! Do the Kubernetes API servers use the members that the cluster has?
//!
//! # Asks
//! Whether every etcd server that a kube-apiserver was given is a client URL of a member, and whether every member
//! stands in a list of several.
//!
//! # Blocks when
//! Never. It warns.
//!
//! # Why
//! An API server uses only the servers on its list. One that is no member any more answers nobody; a member that is not
//! on it serves nobody. With each restart of the roll the API server then has fewer servers left than the cluster has,
//! and it can lose its etcd while the quorum stands.
//!
//! # Remedy
//! Give every API server the client URLs of all members, one API server after another, before the first member is
//! restarted.
//!
//! # Sources
//! - kubernetes-etcd: the list is to name the members, and is changed when members change.

use std::collections::HashSet;
use std::net::IpAddr;

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_MEMBERS_AND_HEALTH, Finding, Gate, Group, Need, sight, words};
use crate::cluster::endpoint::Endpoint;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "apiserver-endpoints-differ",
    group: Group::Around,
    sources: &[key::KUBERNETES_ETCD],
    asked: Asked::Now,
    intents: FOR_UPGRADE_MEMBERS_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

/// Is the host an address? A name can't be held against addresses without asking DNS.
fn is_address(endpoint: &Endpoint) -> bool {
    endpoint.host.parse::<IpAddr>().is_ok()
}

fn check(q: &Question<'_>) -> Vec<Finding> {
    let of_member: Vec<Vec<Endpoint>> = q
        .cluster
        .members
        .iter()
        .map(|m| m.endpoints.iter().filter_map(|e| Endpoint::read(e)).filter(|e| !e.is_local()).collect())
        .collect();
    let known: HashSet<&Endpoint> = of_member.iter().flatten().collect();
    // A local address is the member on the API server's own host, whichever that is.
    let given = q.cluster.api_servers.iter().map(|list| {
        let servers = list.value.iter().filter_map(|s| Endpoint::read(s)).filter(|e| !e.is_local());
        (servers.collect::<Vec<_>>(), &list.span)
    });
    let given: Vec<(Vec<Endpoint>, &_)> = given.filter(|(servers, _)| !servers.is_empty()).collect();
    if given.is_empty() || known.is_empty() {
        return Vec::new();
    }
    let comparable = |e: &Endpoint| known.iter().any(|k| is_address(k) == is_address(e));
    let used: HashSet<&Endpoint> = given.iter().flat_map(|(servers, _)| servers).collect();
    let mut strangers: Vec<String> =
        used.iter().filter(|e| !known.contains(**e) && comparable(e)).map(ToString::to_string).collect();
    crate::sort::sort(&mut strangers);
    // One server in a list is the member beside the API server; names that can't be compared may be any member.
    let whole = given.iter().any(|(servers, _)| servers.len() > 1) && used.iter().all(|e| comparable(e));
    let unused = q.indices(|m| m.listed.as_ref().is_none_or(|l| l.value.started) && m.is_learner() != Some(true));
    let unused: Vec<usize> = unused
        .into_iter()
        .filter(|at| {
            of_member.get(*at).is_some_and(|own| whole && !own.is_empty() && own.iter().all(|e| !used.contains(e)))
        })
        .collect();
    // The change of members may take the last one away that an API server has.
    let course = q.changes_members().then(|| q.course());
    let leaves = |e: &Endpoint| {
        let own = of_member.iter().position(|own| own.contains(e));
        own.zip(course.as_ref()).is_some_and(|(member, course)| course.removes(member))
    };
    if let Some((_, span)) = given.iter().find(|(servers, _)| servers.iter().all(leaves)) {
        let remedy = "Give that API server the client URLs of the members that stay, in --etcd-servers, before a member is \
                      removed: it stops otherwise.";
        let statement = "An API server uses only members that the change removes.";
        return vec![Finding::warning(statement, seen([*span]), remedy)];
    }
    let spans = given.iter().map(|(_, span)| *span).chain(&q.cluster.member_list);
    if strangers.is_empty() && unused.is_empty() {
        if !used.iter().all(|e| comparable(e)) {
            return Vec::new();
        }
        return sight::passed_on(spans, "The API servers use members of this cluster.");
    }
    let mut clauses = Vec::new();
    if !strangers.is_empty() {
        let verb = words::verb(strangers.len(), "which is no member", "which are no members");
        clauses.push(format!("use {}, {verb}", words::list(&strangers)));
    }
    if !unused.is_empty() {
        clauses.push(format!("do not use {}", q.names(&unused)));
    }
    let statement = format!("The API servers {}.", clauses.join(", and "));
    let remedy = "Give every API server the client URLs of all members in --etcd-servers, one API server after another, \
                  before the first member is restarted: it uses only those on its list.";
    vec![Finding::warning(statement, seen(spans), remedy).about(&unused)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{Build, three_members};
    use crate::evidence::fact::Body;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    fn cluster(servers: &[&str]) -> Build {
        three_members("3.5.33").fact(Body::ApiServer(servers.iter().map(|s| (*s).to_owned()).collect()))
    }

    #[test]
    fn a_server_that_is_no_member_and_a_member_that_is_no_server_are_named() {
        let finding = only(
            &GATE,
            &cluster(&["https://10.0.0.1:2379", "https://10.0.0.2:2379", "https://10.0.0.9:2379"]),
            "3.6",
            &[],
        );
        assert_eq!(finding.outcome, Outcome::Warning);
        assert_eq!(finding.statement, "The API servers use 10.0.0.9:2379, which is no member, and do not use m3.");
    }

    #[test]
    fn one_server_is_the_member_beside_it_and_a_name_is_not_held_against_addresses() {
        assert_eq!(outcomes(&GATE, &cluster(&["https://10.0.0.1:2379"]), "3.6", &[]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &cluster(&["https://127.0.0.1:2379"]), "3.6", &[]), [Outcome::NotLookedAt]);
        assert_eq!(outcomes(&GATE, &cluster(&["https://etcd.example.com:2379"]), "3.6", &[]), [Outcome::NotLookedAt]);
    }
}
