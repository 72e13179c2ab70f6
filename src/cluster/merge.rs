//! Merging: finds the member each fact is about, kind by kind, so that the order of pastes of different kinds does
//! not matter. Within a kind the later paste, and within a paste the later line, supersedes the earlier.

mod alarms;
mod doubts;
mod flags;
mod member_lists;

use std::collections::{HashMap, HashSet};

use super::contradictions::Contradictions;
use super::endpoint::Endpoint;
use super::history::History;
use super::index::Index;
use super::unplaced::Unplaced;
use super::{Cluster, Member};
use crate::evidence::Evidence;
use crate::evidence::fact::{
    AlarmType, Body, DiskSnapshot, EndpointFailed, Fact, FlagSet, HashKv, Health, Seen, Span, Status, V2Check,
};

/// Merges the evidence.
#[must_use]
pub fn merge(evidence: &Evidence) -> Cluster {
    let mut facts: Vec<&Fact> = evidence.facts.iter().collect();
    crate::sort::by_key(&mut facts, |f| place(&f.span));
    let mut merger = Merger::default();
    merger.count_rows(&facts);
    merger.member_lists(&facts, evidence);
    merger.lists_without_their_member(&facts);
    merger.statuses(&facts);
    merger.flags(&facts);
    merger.endpoints(&facts);
    merger.member_facts(&facts);
    merger.cluster_facts(&facts);
    merger.alarms(&facts, evidence);
    merger.settle_loose(evidence);
    merger.cluster.doubts = doubts::doubts(&facts, evidence);
    merger.finish()
}

/// Where a fact stands, for "later".
fn place(span: &Span) -> (usize, usize, usize) {
    (span.paste, span.first_line, span.focus.map_or(0, |f| f.0))
}

fn seen<T: Clone>(value: &T, fact: &Fact) -> Seen<T> {
    Seen { value: value.clone(), span: fact.span.clone() }
}

/// A kind of row that names its endpoint itself.
fn row_kind(body: &Body) -> Option<u8> {
    match body {
        Body::Status(_) => Some(0),
        Body::EndpointFailed(_) => Some(1),
        Body::Health(_) => Some(2),
        Body::HashKv(_) => Some(3),
        _ => None,
    }
}

/// For each status the entries it is behind the newest raft index of its table. A table ends with its paste, or where an
/// endpoint comes a second time.
fn lags(facts: &[&Fact]) -> Vec<Option<u64>> {
    let statuses =
        facts.iter().filter_map(|f| if let Body::Status(status) = &f.body { Some((f, status)) } else { None });
    let mut tables: Vec<Option<u64>> = Vec::new();
    let mut rows: Vec<(usize, Option<u64>)> = Vec::new();
    let mut in_table: HashSet<&str> = HashSet::new();
    let mut paste = None;
    for (fact, status) in statuses {
        if paste.replace(fact.span.paste) != Some(fact.span.paste) || in_table.contains(status.endpoint.as_str()) {
            in_table.clear();
            tables.push(None);
        }
        in_table.insert(&status.endpoint);
        let newest = status.raft_index.max(status.raft_applied_index);
        if let Some(table) = tables.last_mut() {
            *table = newest.max(*table);
        }
        rows.push((tables.len().saturating_sub(1), status.raft_applied_index));
    }
    let lag = |(table, applied): (usize, Option<u64>)| Some(tables.get(table).copied()??.saturating_sub(applied?));
    rows.into_iter().map(lag).collect()
}

#[derive(Debug, Default)]
struct Merger {
    cluster: Cluster,
    index: Index,
    /// Endpoints already noted, by member: keeps them without duplicates.
    noted: HashSet<(usize, Endpoint)>,
    /// How many rows of a kind a paste has: the person's choice of a member is about a paste with one row.
    rows: HashMap<(usize, u8), usize>,
    /// Alarms already taken.
    raised: HashSet<(u64, AlarmType)>,
    /// Members that `member remove` took out.
    removed: HashSet<u64>,
    history: History,
    contradictions: Contradictions,
    loose_checks: Unplaced<V2Check>,
    loose_snapshots: Unplaced<Vec<DiskSnapshot>>,
    loose_flags: Unplaced<FlagSet>,
}

impl Merger {
    fn count_rows(&mut self, facts: &[&Fact]) {
        for fact in facts {
            if let Some(kind) = row_kind(&fact.body) {
                *self.rows.entry((fact.span.paste, kind)).or_default() += 1;
            }
        }
    }

    fn add_member(&mut self) -> usize {
        self.cluster.members.push(Member::default());
        self.cluster.members.len() - 1
    }

    /// Changes a member that [`Self::add_member`] or the index named.
    fn with(&mut self, member: usize, change: impl FnOnce(&mut Member)) {
        if let Some(member) = self.cluster.members.get_mut(member) {
            change(member);
        }
    }

    fn member(&self, member: usize) -> Option<&Member> {
        self.cluster.members.get(member)
    }

    fn note_endpoint(&mut self, member: usize, text: &str) {
        if let Some(endpoint) = Endpoint::read(text)
            && self.noted.insert((member, endpoint))
        {
            self.with(member, |m| m.endpoints.push(text.to_owned()));
        }
    }

    fn set_name(&mut self, member: usize, name: &str) {
        self.index.add_name(name, member);
        self.with(member, |m| m.name = Some(name.to_owned()));
    }

    fn cluster_id(&mut self, id: Option<u64>, span: &Span) {
        if let Some(id) = id
            && self.cluster.cluster_ids.last().is_none_or(|s| (s.value, &s.span) != (id, span))
        {
            self.cluster.cluster_ids.push(Seen { value: id, span: span.clone() });
        }
    }

    // Status

    fn statuses(&mut self, facts: &[&Fact]) {
        let mut lags = lags(facts).into_iter();
        let mut lag_of: HashMap<usize, Option<u64>> = HashMap::new();
        for fact in facts {
            let Body::Status(status) = &fact.body else { continue };
            let lag = lags.next().flatten();
            let member = self.whose_status(status, fact).unwrap_or_else(|| self.add_member());
            if let Some(id) = status.member_id {
                self.index.add_id(id, member);
                self.with(member, |m| m.id = Some(id));
            }
            self.index.add_used_endpoint(&status.endpoint, fact.hint.host.as_deref(), member);
            self.note_endpoint(member, &status.endpoint);
            self.cluster_id(status.cluster_id, &fact.span);
            self.contradictions.endpoint_answered(&status.endpoint, status.member_id, &fact.span);
            let new = seen(status.as_ref(), fact);
            if let Some(old) = self.member(member).and_then(|m| m.status.clone()) {
                let before = lag_of.get(&member).copied().flatten();
                self.history.status(member, &old, &new, [before, lag]);
            }
            lag_of.insert(member, lag);
            self.with(member, |m| m.status = Some(new));
        }
    }

    fn whose_status(&self, status: &Status, fact: &Fact) -> Option<usize> {
        if let Some(id) = status.member_id {
            let chosen = fact.hint.chosen.as_deref().and_then(|c| self.index.by_choice(c));
            // A row with an id is never put on a member that has another one.
            return self.index.by_id(id).or_else(|| {
                chosen.or_else(|| self.index.by_endpoint(&status.endpoint, &fact.hint)).filter(|m| self.has_no_id(*m))
            });
        }
        self.whose_row(fact, &status.endpoint)
    }

    fn has_no_id(&self, member: usize) -> bool {
        self.member(member).is_some_and(|m| m.id.is_none())
    }

    /// The member of a row that names its endpoint. The person's choice wins where the paste has one such row.
    fn whose_row(&self, fact: &Fact, endpoint: &str) -> Option<usize> {
        let chosen = fact.hint.chosen.as_deref().and_then(|c| self.index.by_choice(c));
        let alone = row_kind(&fact.body).is_none_or(|kind| self.rows.get(&(fact.span.paste, kind)) == Some(&1));
        let named = self.index.by_endpoint(endpoint, &fact.hint);
        if alone { chosen.or(named) } else { named.or(chosen) }
    }

    // Rows of other commands over endpoints

    fn endpoints(&mut self, facts: &[&Fact]) {
        for fact in facts {
            match &fact.body {
                Body::EndpointFailed(failed) => self.take_failed(failed, fact),
                Body::Health(health) => self.take_health(health, fact),
                Body::HashKv(hash) => self.take_hash(hash, fact),
                _ => {}
            }
        }
    }

    /// The member of an endpoint; without a member list every endpoint is one.
    fn whose_endpoint(&mut self, fact: &Fact, endpoint: &str) -> Option<usize> {
        let found = self.whose_row(fact, endpoint);
        if found.is_some() || self.cluster.member_list.is_some() {
            return found;
        }
        let member = self.add_member();
        self.index.add_used_endpoint(endpoint, fact.hint.host.as_deref(), member);
        self.note_endpoint(member, endpoint);
        Some(member)
    }

    fn take_failed(&mut self, failed: &EndpointFailed, fact: &Fact) {
        let new = seen(failed, fact);
        let Some(member) = self.whose_endpoint(fact, &failed.endpoint) else {
            self.cluster.failed.push(new);
            return;
        };
        let later =
            self.member(member).and_then(|m| m.status.clone()).filter(|status| place(&status.span) > place(&fact.span));
        match later {
            Some(status) => self.history.answers_again(member, &new, &status),
            None => self.with(member, |m| m.failed = Some(new)),
        }
    }

    fn take_health(&mut self, health: &Health, fact: &Fact) {
        let new = seen(health, fact);
        match self.whose_endpoint(fact, &health.endpoint) {
            Some(member) => self.with(member, |m| m.health = Some(new)),
            None => self.cluster.health.push(new),
        }
    }

    fn take_hash(&mut self, hash: &HashKv, fact: &Fact) {
        let new = seen(hash, fact);
        let by_id = hash.member_id.and_then(|id| self.index.by_id(id));
        match by_id.or_else(|| self.whose_endpoint(fact, &hash.endpoint)) {
            Some(member) => self.with(member, |m| m.hash = Some(new)),
            None => self.cluster.hashes.push(new),
        }
    }

    // Facts of one member

    fn member_facts(&mut self, facts: &[&Fact]) {
        for fact in facts {
            match &fact.body {
                Body::V2Check(check) => self.take_v2_check(check, fact),
                Body::DiskSnapshots(list) => {
                    let new = seen(list, fact);
                    match self.whose(fact, None) {
                        Some(member) => {
                            if self.index.by_hint(&fact.hint).is_some() {
                                self.loose_snapshots.found_by_surroundings();
                            }
                            self.with(member, |m| m.disk_snapshots = Some(new));
                        }
                        None => self.loose_snapshots.add(&fact.hint, new),
                    }
                }
                Body::ServerVersion(version) => {
                    let new = seen(version, fact);
                    match self.whose(fact, version.endpoint.as_deref()) {
                        // What does not say the version itself takes nothing from what does.
                        Some(member) if version.server.is_some() => self.with(member, |m| m.server_version = Some(new)),
                        Some(member) => self.with(member, |m| {
                            m.server_version.get_or_insert(new);
                        }),
                        None => self.cluster.server_versions.push(new),
                    }
                }
                Body::HttpHealth(health) => {
                    let new = seen(health, fact);
                    match self.whose(fact, health.endpoint.as_deref()) {
                        Some(member) => self.with(member, |m| m.http_health = Some(new)),
                        None => self.cluster.http_health.push(new),
                    }
                }
                Body::Log(event) => {
                    let new = seen(event, fact);
                    let named = event.member.as_deref().and_then(|m| self.index.by_choice(m));
                    match named.or_else(|| self.whose(fact, None)) {
                        Some(member) => self.with(member, |m| m.log.push(new)),
                        None => self.cluster.log.push(new),
                    }
                }
                _ => {}
            }
        }
    }

    fn take_v2_check(&mut self, check: &V2Check, fact: &Fact) {
        let new = seen(check, fact);
        let Some(member) = self.whose(fact, None) else {
            self.loose_checks.add(&fact.hint, new);
            return;
        };
        if self.index.by_hint(&fact.hint).is_some() {
            self.loose_checks.found_by_surroundings();
        }
        self.with(member, |m| {
            // A check that did not run says nothing against one that did.
            if ran(check) || !m.v2_check.as_ref().is_some_and(|old| ran(&old.value)) {
                m.v2_check = Some(new);
            }
        });
    }

    /// The member of a fact that does not name it: by the person's choice, the endpoint asked, the surroundings, or
    /// because there is one member only.
    fn whose(&self, fact: &Fact, endpoint: Option<&str>) -> Option<usize> {
        if let Some(chosen) = fact.hint.chosen.as_deref() {
            return self.index.by_choice(chosen);
        }
        if let Some(text) = endpoint {
            let found = self.index.by_endpoint(text, &fact.hint);
            if found.is_some() || Endpoint::read(text).is_some_and(|e| !e.is_local()) {
                return found;
            }
        }
        if self.index.hints_differ(&fact.hint) {
            return None;
        }
        self.index.by_hint(&fact.hint).or_else(|| self.only_member())
    }

    fn only_member(&self) -> Option<usize> {
        (self.cluster.members.len() == 1).then_some(0)
    }

    // Facts of the cluster

    fn cluster_facts(&mut self, facts: &[&Fact]) {
        let mut versions = HashMap::new();
        for (at, fact) in facts.iter().enumerate() {
            match &fact.body {
                Body::SnapshotStatus(status) => self.cluster.snapshots.push(seen(status, fact)),
                Body::SnapshotSave(command) => self.cluster.saves.push(seen(command, fact)),
                Body::SnapshotRestore(command) => self.cluster.restores.push(seen(command, fact)),
                Body::SnapshotSaved(saved) => self.cluster.snapshots_saved.push(seen(saved, fact)),
                Body::ToolVersion(tool) => self.cluster.tools.push(seen(tool, fact)),
                Body::Auth(enabled) => self.cluster.auth = Some(seen(enabled, fact)),
                Body::Downgrade(answer) => {
                    self.cluster.downgrades.push(seen(answer, fact));
                    if let Some(minor) = answer.cluster_version {
                        versions.insert(String::new(), (at, seen(&minor, fact)));
                    }
                }
                Body::ApiServer(servers) => self.cluster.api_servers.push(seen(servers, fact)),
                Body::MemberChange(change) => self.cluster.member_changes.push(seen(change, fact)),
                Body::MemberCommand(command) => self.cluster.member_commands.push(seen(command, fact)),
                Body::ToolError(error) => self.cluster.tool_errors.push(seen(error, fact)),
                Body::ServerVersion(version) => {
                    if let Some(minor) = version.cluster {
                        let asked = version.endpoint.clone().or_else(|| fact.hint.host.clone());
                        versions.insert(asked.unwrap_or_default(), (at, seen(&minor, fact)));
                    }
                }
                _ => {}
            }
        }
        // What one server says now replaces what it said before.
        let mut versions: Vec<_> = versions.into_values().collect();
        crate::sort::by_key(&mut versions, |(at, _)| *at);
        self.cluster.cluster_versions = versions.into_iter().map(|(_, seen)| seen).collect();
    }

    /// Facts that no member could be found for: those that may be of a member each, and the places of the others.
    fn settle_loose(&mut self, evidence: &Evidence) {
        let repeats = &evidence.repeats;
        let found = |c: &V2Check| !matches!(c, V2Check::CleanWithWal | V2Check::CleanSnapshotOnly | V2Check::NotRun(_));
        let checks = std::mem::take(&mut self.loose_checks);
        let (checks, more) = checks.counting(repeats, found, |new, old| ran(new) || !ran(old));
        self.cluster.v2_checks = checks;
        self.cluster.repeated.extend(more);
        let (flags, more) = std::mem::take(&mut self.loose_flags).flags(repeats);
        self.cluster.flags = flags;
        self.cluster.repeated.extend(more);
        let snapshots = std::mem::take(&mut self.loose_snapshots);
        let (snapshots, more) = snapshots.counting(repeats, |_| false, |_, _| true);
        self.cluster.disk_snapshots = snapshots;
        self.cluster.repeated.extend(more);
    }

    fn finish(mut self) -> Cluster {
        tell_apart(&mut self.cluster.members);
        self.cluster.history = self.history.finish(&self.cluster.members);
        self.cluster.contradictions = self.contradictions.finish(&self.cluster);
        self.cluster
    }
}

/// Did the check look at the store, whatever it found?
fn ran(check: &V2Check) -> bool {
    !matches!(check, V2Check::NotRun(_))
}

/// Members that would be called the same get their id behind the name.
fn tell_apart(members: &mut [Member]) {
    let mut count: HashMap<String, usize> = HashMap::new();
    for member in members.iter() {
        *count.entry(member.label()).or_default() += 1;
    }
    for (at, member) in members.iter_mut().enumerate() {
        let label = member.label();
        if count.get(&label).is_some_and(|n| *n > 1) {
            member.called =
                Some(member.id.map_or_else(|| format!("{label} (no. {})", at + 1), |id| format!("{label} ({id:x})")));
        }
    }
}
