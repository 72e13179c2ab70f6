//! Member lists: who the members are, and what each newer list says against the older.

use std::collections::{HashMap, HashSet};

use super::super::stretches::Stretches;
use super::{Merger, seen};
use crate::evidence::Evidence;
use crate::evidence::fact::{Body, Fact, Kind, MemberAction, MemberRow, Seen, Span};

impl Merger {
    pub(super) fn member_lists(&mut self, facts: &[&Fact], evidence: &Evidence) {
        let rows = facts.iter().filter_map(|f| match &f.body {
            Body::Member(row) => Some(seen(row, f)),
            _ => None,
        });
        let removed = facts.iter().filter_map(|f| match &f.body {
            Body::MemberChange(change) if change.action == MemberAction::Removed => Some(change.member_id),
            _ => None,
        });
        self.removed = removed.collect();
        let stretches = Stretches::of(evidence, Kind::MemberList);
        let mut listing: Vec<Seen<MemberRow>> = Vec::new();
        let mut ids = HashSet::new();
        let mut stretch = None;
        let mut current = Listed::default();
        for row in rows {
            let at = stretches.around(&row.span);
            if !listing.is_empty() && (stretch != Some(at) || ids.contains(&row.value.id)) {
                current.take(std::mem::take(&mut listing), &stretches, self);
                ids.clear();
            }
            ids.insert(row.value.id);
            stretch = Some(at);
            listing.push(row);
        }
        current.take(listing, &stretches, self);
        for row in current.rows {
            self.cluster.member_list.get_or_insert_with(|| row.span.clone());
            self.cluster.member_list = self.cluster.member_list.take().map(|span| around(span, &row.span));
            let member = self.add_member();
            self.index.add_id(row.value.id, member);
            if let Some(name) = row.value.name.as_deref().filter(|n| !n.is_empty()) {
                self.set_name(member, name);
            }
            for url in &row.value.client_urls {
                self.index.add_client_url(url, member);
                self.note_endpoint(member, url);
            }
            for url in &row.value.peer_urls {
                self.index.add_peer_url(url, member);
            }
            self.cluster_id(row.value.cluster_id, &row.span);
            self.with(member, |m| {
                m.id = Some(row.value.id);
                m.peer_urls.clone_from(&row.value.peer_urls);
                m.listed = Some(row);
            });
        }
    }

    /// Pods of one set are numbered. One that prints a list with its brothers but without itself is of another cluster,
    /// or was removed.
    pub(super) fn lists_without_their_member(&mut self, facts: &[&Fact]) {
        let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let mut rows: Vec<(&str, &str, Span)> = facts.iter().filter_map(|fact| listed_on(fact)).collect();
        crate::sort::by_key(&mut rows, |(host, ..)| *host);
        for rows in rows.chunk_by(|(one, ..), (other, ..)| one == other) {
            let Some((host, ..)) = rows.first() else { continue };
            let at = stem(host);
            let numbered = at > 0 && at < host.len();
            let brother = |name: &str| stem(name) == at && name.get(..at) == host.get(..at);
            let absent = rows.iter().all(|(_, name, _)| name != host);
            if let Some((_, _, span)) = rows.iter().find(|(_, name, _)| numbered && absent && brother(name)) {
                self.cluster.not_in_own_list.push(Seen { value: (*host).to_owned(), span: span.clone() });
            }
        }
    }
}

/// The host that a row of a member list was printed on, the name in the row, and its place.
fn listed_on(fact: &Fact) -> Option<(&str, &str, Span)> {
    match (&fact.body, fact.hint.host.as_deref()) {
        (Body::Member(row), Some(host)) => row.name.as_deref().map(|name| (host, name, fact.span.clone())),
        _ => None,
    }
}

/// The member list as it stands after each listing.
#[derive(Debug, Default)]
struct Listed {
    rows: Vec<Seen<MemberRow>>,
    at: HashMap<u64, usize>,
}

impl Listed {
    /// Takes one whole listing. It replaces what it names. A member it does not name has left, unless the listing is
    /// shorter by more than one: members leave one at a time, so that one was cut. Where rows alone say so, and no
    /// `member remove`, it is a contradiction.
    fn take(&mut self, listing: Vec<Seen<MemberRow>>, stretches: &Stretches, merger: &mut Merger) {
        let Some(first) = listing.first().cloned() else { return };
        for row in &listing {
            if let Some(old) = self.get(row.value.id) {
                merger.contradictions.renamed(old, row);
                merger.history.role(old, row);
            }
        }
        let known = listing.iter().any(|row| self.at.contains_key(&row.value.id));
        let whole = known && listing.len() + 1 >= self.rows.len();
        let before = if whole { std::mem::take(self) } else { Self::default() };
        for row in listing {
            self.put(row);
        }
        for old in before.rows.iter().filter(|old| !self.at.contains_key(&old.value.id)) {
            // Nothing in lines of rows says that the last one was copied too.
            if stretches.may_be_cut(&first.span) && !merger.removed.contains(&old.value.id) {
                merger.contradictions.gone(old, &first);
            }
            merger.history.left(old, &first);
        }
    }

    fn get(&self, id: u64) -> Option<&Seen<MemberRow>> {
        self.at.get(&id).and_then(|at| self.rows.get(*at))
    }

    fn put(&mut self, row: Seen<MemberRow>) {
        match self.at.get(&row.value.id).and_then(|at| self.rows.get_mut(*at)) {
            Some(slot) => *slot = row,
            None => {
                self.at.insert(row.value.id, self.rows.len());
                self.rows.push(row);
            }
        }
    }
}

/// The span that covers both, when they stand in one paste; else the later.
fn around(a: Span, b: &Span) -> Span {
    if a.paste != b.paste {
        return b.clone();
    }
    Span::lines(a.paste, a.first_line.min(b.first_line), a.last_line.max(b.last_line))
}
