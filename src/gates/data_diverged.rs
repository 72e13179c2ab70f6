//! Do all members hold the same data?
//!
//! # Asks
//! Whether the hashes of `endpoint hashkv` are equal where they were taken at one revision, and whether a log says
//! that data differ.
//!
//! # Blocks when
//! Hashes taken at one revision and one compact revision differ, or a log line says that the data of members differ.
//! Hashes without a revision that differ are "can't tell yet".
//!
//! # Why
//! Members that differ answer the same read differently. An upgrade makes it no better, and the member that starts
//! first on the new minor can make the wrong data the truth.
//!
//! # Remedy
//! Find the member that stands apart from the majority, remove it and add it again empty. Then compare anew.
//!
//! # Sources
//! - seen-corruption: what members with different data print.
//! - postmortem-3.5-inconsistency: how data came to differ.

use super::question::{Question, seen};
use super::{Asked, FOR_LIVE_CHANGES_AND_HEALTH, Finding, Gate, Group, Need, asks, sight, words};
use crate::etcd::sources::key;
use crate::evidence::fact::HashKv;

/// The gate.
pub static GATE: Gate = Gate {
    id: "data-diverged",
    group: Group::Health,
    sources: &[key::SEEN_CORRUPTION, key::POSTMORTEM_3_5_INCONSISTENCY],
    asked: Asked::Now,
    intents: FOR_LIVE_CHANGES_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let told = sight::logged(q, GATE.id, REMEDY);
    if !told.is_empty() {
        // Data that differ stop the plan whatever the process did about it.
        let blocked =
            |f: Finding| Finding::blocked(f.statement, f.grounds, REMEDY).with_commands(asks::compare_hashes(q));
        return told.into_iter().map(blocked).collect();
    }
    let of_members = q.cluster.members.iter().enumerate().filter_map(|(at, m)| m.hash.as_ref().map(|h| (Some(at), h)));
    let hashes: Vec<_> = of_members.chain(q.cluster.hashes.iter().map(|h| (None, h))).collect();
    let (Some((_, first)), true) = (hashes.first(), hashes.len() > 1) else { return Vec::new() };
    let spans = hashes.iter().map(|(_, h)| &h.span);
    let same = hashes.iter().all(|(_, h)| h.value.hash == first.value.hash);
    if same {
        return sight::passed_on(spans, "The hashes of all members that were asked are equal.");
    }
    let at_one =
        hashes.iter().all(|(_, h)| taken_at(&h.value).is_some() && taken_at(&h.value) == taken_at(&first.value));
    if !at_one {
        let statement =
            "The hashes differ, but not all were taken at one revision, so writes in between explain it too.";
        return vec![Finding::cant_tell(statement, asks::hashes(q)).with_grounds(seen(spans))];
    }
    let mut counts: Vec<(u64, Vec<String>, Vec<usize>)> = Vec::new();
    for (at, h) in &hashes {
        let name = at.map_or_else(|| h.value.endpoint.clone(), |at| q.label(at));
        match counts.iter_mut().find(|(hash, _, _)| *hash == h.value.hash) {
            Some((_, names, members)) => {
                names.push(name);
                members.extend(at);
            }
            None => counts.push((h.value.hash, vec![name], at.iter().copied().collect())),
        }
    }
    crate::sort::by_key(&mut counts, |(_, names, _)| names.len());
    let (apart, members) =
        counts.first().map_or((String::new(), Vec::new()), |(_, names, m)| (words::list(names), m.clone()));
    let statement =
        format!("At one revision the hash of {apart} differs from the others': the data of the members differ.");
    let finding = Finding::blocked(statement, seen(spans), REMEDY);
    let mut commands = asks::compare_hashes(q);
    // Which one is wrong is plain only where one stands against several that agree.
    if let ([one], true) = (members.as_slice(), counts.len() == 2 && hashes.len() > 2) {
        commands.push(asks::snapshot_of_another(q, *one));
        commands.extend(asks::remove_later(q, &members, "once the backup snapshot is saved"));
    }
    vec![finding.with_commands(commands).about(&members)]
}

const REMEDY: &str = "Take a backup snapshot of the member you trust, remove the one that stands apart and add it again empty, \
                      then compare anew. An upgrade makes differing data no better: the wrong ones can become the truth.";

/// The revision a hash was taken at; the compact revision must agree too, where it is shown.
fn taken_at(hash: &HashKv) -> Option<(i64, Option<i64>)> {
    Some((hash.hash_revision?, hash.compact_revision))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::evidence::fact::Body;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    fn hashed(hashes: [u64; 3], revision: Option<i64>) -> crate::cluster::testing::Build {
        let mut cluster = three_members("3.5.33");
        for (n, hash) in (1..).zip(hashes) {
            let endpoint = crate::cluster::testing::client_url(n);
            let (hash_revision, compact_revision) = (revision, revision.map(|_| 5));
            let hash = HashKv { endpoint, member_id: None, hash, hash_revision, compact_revision, revision: None };
            cluster = cluster.fact(Body::HashKv(hash));
        }
        cluster
    }

    #[test]
    fn hashes_compare_only_at_one_revision() {
        assert_eq!(outcomes(&GATE, &hashed([7, 7, 7], None), "3.6", &[]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &hashed([7, 7, 8], None), "3.6", &[]), [Outcome::CantTell]);
        let apart = only(&GATE, &hashed([7, 7, 8], Some(100)), "3.6", &[]);
        assert_eq!((apart.outcome, apart.member), (Outcome::Blocked, Some(2)));
    }
}
