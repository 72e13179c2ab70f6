//! Is the new member's peer URL right?
//!
//! # Asks
//! The peer URL that is wanted, the one in the new member's flags, those of the other members, and what etcd said.
//!
//! # Blocks when
//! It has no port or no scheme, its scheme is not the others', another member has it, or the new member would advertise
//! another one than was added.
//!
//! # Why
//! Members find each other by these URLs. One with another scheme is never reached, one that is taken is refused, and
//! one that differs from what was added ends the start.
//!
//! # Remedy
//! Give the URL at which the other members reach it, with https and port as theirs.
//!
//! # Sources
//! - source-join: how URLs are compared.
//! - runtime-reconfiguration: what member add is given.

use super::question::{Question, seen};
use super::sight::newcomer_flags;
use super::{Asked, FOR_MEMBERS, Finding, Gate, Ground, Group, Need, words};
use crate::cluster::endpoint::Endpoint;
use crate::cluster::settings;
use crate::etcd::flags::name;
use crate::etcd::sources::key;
use crate::evidence::answers::AnswerKey;
use crate::intent::change::Origin;
use crate::reconfiguration::Course;

/// The gate.
pub static GATE: Gate = Gate {
    id: "peer-url-mismatch",
    group: Group::Change,
    sources: &[key::SOURCE_JOIN, key::RUNTIME_RECONFIGURATION],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    const TAKEN: &str = "See who has it in the member list. Remove that member first if it is the one that is replaced, or \
                         give the new one another URL.";
    let course = q.course();
    let mut findings: Vec<Finding> = q.told_to_stop(GATE.id, TAKEN).take(1).collect();
    let newcomers = course.wanted.as_ref().map_or(&[][..], |wanted| &wanted.newcomers);
    let mut fine = Vec::new();
    for newcomer in newcomers {
        let Some(url) = newcomer.peer_url.as_deref() else { continue };
        let grounds = grounds(q, course);
        if let Some((wrong, remedy)) = wrong_in_itself(q, url) {
            findings.push(Finding::blocked(wrong, grounds, remedy));
            continue;
        }
        let holder = q.cluster.members.iter().enumerate().find(|(at, member)| {
            let down_and_leaving = course.removes(*at) && member.answers() == Some(false);
            let other = newcomer.name.is_some() && member.name.is_some() && member.name != newcomer.name;
            member.peer_urls.iter().any(|known| same(known, url)) && other && !down_and_leaving
        });
        match holder {
            Some((_, member)) => {
                findings.push(Finding::blocked(format!("{} has the peer URL {url}.", member.label()), grounds, TAKEN))
            }
            None => fine.push(url.to_owned()),
        }
    }
    findings.extend(advertises_another(q, course));
    if findings.is_empty() && !fine.is_empty() {
        let statement = format!(
            "{} {} no other member's and written as the others' are.",
            words::list(&fine),
            words::verb(fine.len(), "is", "are")
        );
        findings.push(Finding::passed(statement, grounds(q, course)));
    }
    findings
}

fn grounds(q: &Question<'_>, course: &Course) -> Vec<Ground> {
    match course.wanted.as_ref().map(|wanted| &wanted.origin) {
        Some(Origin::Said) if q.answers.get(AnswerKey::NewPeerUrl).is_some() => {
            vec![Ground::Answered(AnswerKey::NewPeerUrl)]
        }
        _ => q.wanted_grounds(course),
    }
}

fn same(a: &str, b: &str) -> bool {
    a.trim_end_matches('/') == b.trim_end_matches('/')
}

/// What is wrong with a URL whoever has it, and what to do.
fn wrong_in_itself(q: &Question<'_>, url: &str) -> Option<(String, String)> {
    let scheme = |url: &str| url.split_once("://").map(|(scheme, _)| scheme.to_owned());
    let own = scheme(url);
    let others: Vec<String> =
        q.cluster.members.iter().flat_map(|m| &m.peer_urls).filter_map(|url| scheme(url)).collect();
    let usual = others.first().cloned();
    if !matches!(own.as_deref(), Some("http" | "https")) || Endpoint::read(url).is_none_or(|e| e.port.is_none()) {
        let remedy = "Write it with scheme, host and port, as the others' are: etcd refuses it otherwise.";
        return Some((format!("{url} is no peer URL with scheme and port."), remedy.to_owned()));
    }
    let usual = usual.filter(|usual| own.as_deref() != Some(usual) && others.iter().all(|one| one == usual))?;
    let remedy =
        format!("Write it with {usual}: the other members speak {usual} to their peers, and never reach this one.");
    Some((format!("{url} is not {usual}, as the other members' peer URLs are."), remedy))
}

/// Flags that advertise another URL than the one that was added.
fn advertises_another(q: &Question<'_>, course: &Course) -> Vec<Finding> {
    let newcomers = course.wanted.as_ref().map_or(&[][..], |wanted| &wanted.newcomers);
    let mut findings = Vec::new();
    for set in newcomer_flags(q) {
        let Some(setting) = settings::of(&set.seen.value, name::INITIAL_ADVERTISE_PEER_URLS).last() else { continue };
        let given = setting.value.as_deref().unwrap_or_default();
        let Some(wanted) = newcomers.iter().find(|n| n.name == set.name).or(newcomers.first()) else { continue };
        let Some(url) = wanted.peer_url.as_deref() else { continue };
        if settings::is_literal(given) && !given.split(',').any(|one| same(one.trim(), url)) {
            let statement = format!("The new member would advertise {given}, and {url} is added.");
            let remedy = format!(
                "Set --{} to the URL that is added: the start ends otherwise.",
                name::INITIAL_ADVERTISE_PEER_URLS
            );
            findings.push(Finding::blocked(statement, seen([&setting.span]), remedy));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{Blocked, NotLookedAt, Passed};
    use crate::gates::testing::changing;

    fn add(url: &str) -> Vec<crate::gates::Outcome> {
        let url = format!("new-peer-url={url}");
        changing(&GATE, &three_members("3.5.33"), &["change=add-voter", "new-name=m4", &url])
    }

    #[test]
    fn scheme_port_and_holder_are_looked_at() {
        assert_eq!(add("https://10.0.0.4:2380"), [Passed]);
        assert_eq!(add("http://10.0.0.4:2380"), [Blocked]);
        assert_eq!(add("https://10.0.0.4"), [Blocked]);
        assert_eq!(add("https://10.0.0.2:2380"), [Blocked], "m2 has it");
        let dead = three_members("3.5.33").unreachable("m2");
        let again = ["change=replace=m2", "new-name=m2b", "new-peer-url=https://10.0.0.2:2380"];
        assert_eq!(changing(&GATE, &dead, &again), [Passed], "the dead one is removed first");
        assert_eq!(changing(&GATE, &three_members("3.5.33"), &[]), [NotLookedAt]);
    }
}
