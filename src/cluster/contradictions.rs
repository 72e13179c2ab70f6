//! What pastes say against each other, each with both places. The earlier place comes first.

use std::collections::{HashMap, HashSet};

use super::endpoint::Endpoint;
use super::{Cluster, Contradiction, Member};
use crate::evidence::fact::{MemberRow, Seen, Span};

/// Contradictions noted while merging.
#[derive(Debug, Default)]
pub(super) struct Contradictions {
    found: Vec<Contradiction>,
    told: HashSet<String>,
    /// Who answered at an endpoint first.
    answered: HashMap<Endpoint, (u64, Span)>,
}

impl Contradictions {
    fn note(&mut self, about: String, a: &Span, b: &Span) {
        if self.told.insert(about.clone()) {
            let mut places = [a.clone(), b.clone()];
            crate::sort::sort(&mut places);
            self.found.push(Contradiction { about, places });
        }
    }

    /// One id with two names in two member lists.
    pub(super) fn renamed(&mut self, old: &Seen<MemberRow>, new: &Seen<MemberRow>) {
        if let (Some(a), Some(b)) = (&old.value.name, &new.value.name)
            && a != b
        {
            self.note(format!("member {:x} is called {a} and {b}", old.value.id), &old.span, &new.span);
        }
    }

    /// A member that a later list does not show, and nothing says that it was removed.
    pub(super) fn gone(&mut self, old: &Seen<MemberRow>, new: &Seen<MemberRow>) {
        let label = old.value.name.clone().unwrap_or_else(|| format!("{:x}", old.value.id));
        self.note(
            format!("the later member list does not show {label}: it was removed, or the list was cut"),
            &old.span,
            &new.span,
        );
    }

    /// A member whose flags call it differently.
    pub(super) fn two_names(&mut self, own: &str, other: &str, own_at: &Span, other_at: &Span) {
        self.note(format!("the member {own} is called {other} by its flags"), own_at, other_at);
    }

    /// Two members answered at one endpoint that is no local one: it leads to whichever member is behind it.
    pub(super) fn endpoint_answered(&mut self, text: &str, id: Option<u64>, at: &Span) {
        let (Some(endpoint), Some(id)) = (Endpoint::read(text).filter(|e| !e.is_local()), id) else { return };
        match self.answered.get(&endpoint) {
            Some((first, first_at)) if *first != id => {
                let (first, first_at) = (*first, first_at.clone());
                self.note(format!("{endpoint} answered as member {first:x} and as member {id:x}"), &first_at, at);
            }
            Some(_) => {}
            None => {
                self.answered.insert(endpoint, (id, at.clone()));
            }
        }
    }

    /// Adds what the merged cluster shows, and hands all over.
    pub(super) fn finish(mut self, cluster: &Cluster) -> Vec<Contradiction> {
        self.cluster_ids(cluster);
        self.leaders(cluster);
        self.leaders_beside(cluster);
        self.followed(cluster);
        self.terms(cluster);
        for member in &cluster.members {
            self.member(member);
        }
        self.found
    }

    fn cluster_ids(&mut self, cluster: &Cluster) {
        let mut ids: Vec<(u64, &Span)> = cluster.cluster_ids.iter().map(|seen| (seen.value, &seen.span)).collect();
        crate::sort::by_key(&mut ids, |(id, _)| *id);
        // The first that shows an id stays.
        ids.dedup_by_key(|(id, _)| *id);
        for ((a, a_at), (b, b_at)) in ids.iter().zip(ids.iter().skip(1)) {
            self.note(format!("two clusters are shown, {a:x} and {b:x}"), a_at, b_at);
        }
    }

    /// Two members that lead in the same raft term. In different terms the leader has moved between the pastes.
    fn leaders(&mut self, cluster: &Cluster) {
        let mut first: HashMap<Option<u64>, (String, Span)> = HashMap::new();
        for member in cluster.members.iter().filter(|m| m.is_leader() == Some(true)) {
            let Some(status) = &member.status else { continue };
            match first.get(&status.value.raft_term) {
                Some((label, at)) => {
                    let (about, at) = (format!("{label} and {} both say they lead", member.label()), at.clone());
                    self.note(about, &at, &status.span);
                }
                None => {
                    first.insert(status.value.raft_term, (member.label(), status.span.clone()));
                }
            }
        }
    }

    /// Two members that lead in different raft terms, in one paste, each with another member of its term beside it: where a
    /// leader has moved, its followers are in the new term too, so that these are two clusters.
    fn leaders_beside(&mut self, cluster: &Cluster) {
        let place = |m: &Member| m.status.as_ref().map(|s| (s.span.paste, s.value.raft_term));
        let mut together: HashMap<_, usize> = HashMap::new();
        for at in cluster.members.iter().filter_map(place) {
            *together.entry(at).or_default() += 1;
        }
        let mut first: HashMap<usize, (String, Option<u64>, Span)> = HashMap::new();
        for member in cluster.members.iter().filter(|m| m.is_leader() == Some(true)) {
            let Some(status) = &member.status else { continue };
            let (paste, term) = (status.span.paste, status.value.raft_term);
            if together.get(&(paste, term)).is_none_or(|members| *members < 2) {
                continue;
            }
            match first.get(&paste) {
                Some((label, other, at)) if *other != term => {
                    let about = format!("{label} and {} both lead, in different raft terms", member.label());
                    let at = at.clone();
                    self.note(about, &at, &status.span);
                }
                Some(_) => {}
                None => {
                    first.insert(paste, (member.label(), term, status.span.clone()));
                }
            }
        }
    }

    /// Two members that follow different leaders in the same raft term.
    fn followed(&mut self, cluster: &Cluster) {
        let mut first: HashMap<u64, (String, u64, Span)> = HashMap::new();
        for member in &cluster.members {
            let Some(status) = &member.status else { continue };
            let (Some(term), Some(leader)) = (status.value.raft_term, status.value.leader.filter(|l| *l != 0)) else {
                continue;
            };
            match first.get(&term) {
                Some((label, other, at)) if *other != leader => {
                    let label_now = member.label();
                    let about = format!(
                        "{label} follows the leader {other:x} and {label_now} the leader {leader:x}, in one raft term"
                    );
                    let at = at.clone();
                    self.note(about, &at, &status.span);
                }
                Some(_) => {}
                None => {
                    first.insert(term, (member.label(), leader, status.span.clone()));
                }
            }
        }
    }

    /// A member in a newer raft term than the leader shown beside it: it left that leader, or an election is on.
    fn terms(&mut self, cluster: &Cluster) {
        let Some(leader) = cluster.leader().and_then(|at| cluster.members.get(at)) else { return };
        let Some(leads) = &leader.status else { return };
        let Some(term) = leads.value.raft_term else { return };
        for member in &cluster.members {
            let Some(status) = &member.status else { continue };
            // Between pastes the term may have moved on.
            if status.span.paste != leads.span.paste {
                continue;
            }
            if let Some(newer) = status.value.raft_term.filter(|newer| *newer > term) {
                let (leader, label) = (leader.label(), member.label());
                let about = format!("{leader} leads in raft term {term} and {label} is in raft term {newer}");
                self.note(about, &leads.span, &status.span);
            }
        }
    }

    fn member(&mut self, member: &Member) {
        let label = member.label();
        if let (Some(listed), Some(status)) = (&member.listed, &member.status)
            && let (Some(a), Some(b)) = (listed.value.is_learner, status.value.is_learner)
            && a != b
        {
            let role = |learner: bool| if learner { "a learner" } else { "a voter" };
            let about = format!("{label} is {} in the member list and {} in the status", role(a), role(b));
            self.note(about, &listed.span, &status.span);
        }
        if let (Some(asked), Some(status)) = (&member.server_version, &member.status)
            && let (Some(a), Some(b)) = (&asked.value.server, &status.value.version)
            && a.upstream() != b.upstream()
        {
            self.note(format!("{label} runs {b} in the status and {a} elsewhere"), &status.span, &asked.span);
        }
    }
}
