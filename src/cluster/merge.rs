//! Merging: finds the member each fact is about, kind by kind, so that the order of pastes of different kinds does
//! not matter. Within a kind the later paste, and within a paste the later line, supersedes the earlier.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::contradictions::Contradictions;
use super::endpoint::{Endpoint, split_urls};
use super::history::History;
use super::index::Index;
use super::stretches::Stretches;
use super::unplaced::Unplaced;
use super::{Cluster, Member, settings};
use crate::etcd::flags::name as names;
use crate::evidence::Evidence;
use crate::evidence::fact::{
    Alarm, AlarmType, Body, DiskSnapshot, EndpointFailed, Fact, FlagSet, FlagSource, HashKv, Health, Kind,
    MemberAction, MemberHint, MemberRow, Seen, Span, Status, V2Check,
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

    // Member lists

    fn member_lists(&mut self, facts: &[&Fact], evidence: &Evidence) {
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
    fn lists_without_their_member(&mut self, facts: &[&Fact]) {
        let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let mut by_host: BTreeMap<&str, Vec<(&str, &Span)>> = BTreeMap::new();
        for fact in facts {
            if let (Body::Member(row), Some(host)) = (&fact.body, fact.hint.host.as_deref()) {
                let named = row.name.as_deref().map(|name| (name, &fact.span));
                by_host.entry(host).or_default().extend(named);
            }
        }
        for (host, rows) in by_host {
            let at = stem(host);
            let numbered = at > 0 && at < host.len();
            let brother = |name: &str| stem(name) == at && name.get(..at) == host.get(..at);
            let absent = rows.iter().all(|(name, _)| *name != host);
            if let Some((_, span)) = rows.iter().find(|(name, _)| numbered && absent && brother(name)) {
                self.cluster.not_in_own_list.push(Seen { value: host.to_owned(), span: (*span).clone() });
            }
        }
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
        for fact in facts {
            let Body::Status(status) = &fact.body else { continue };
            let member = self.whose_status(status, fact).unwrap_or_else(|| self.add_member());
            if let Some(id) = status.member_id {
                self.index.add_id(id, member);
                self.with(member, |m| m.id = Some(id));
            }
            self.index.add_used_endpoint(&status.endpoint, fact.hint.host.as_deref(), member);
            self.note_endpoint(member, &status.endpoint);
            self.cluster_id(status.cluster_id, &fact.span);
            self.contradictions.endpoint_answered(&status.endpoint, status.member_id, &fact.span);
            let new = seen(status, fact);
            if let Some(old) = self.member(member).and_then(|m| m.status.clone()) {
                self.history.status(member, &old, &new);
            }
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

    // Flags

    fn flags(&mut self, facts: &[&Fact]) {
        let mut weak = Vec::new();
        for fact in facts {
            let Body::Flags(set) = &fact.body else { continue };
            match self.whose_flags(set, fact) {
                Some(member) => self.take_flags(member, set, fact),
                None => weak.push((fact, set)),
            }
        }
        // Flags that say who they belong to may have named members that the surroundings of others speak of.
        for (fact, set) in weak {
            match self.whose_flags(set, fact).or_else(|| self.whose_flags_by_signs(set, fact)) {
                Some(member) => self.take_flags(member, set, fact),
                None => self.loose_flags.add(&fact.hint, seen(set, fact)),
            }
        }
    }

    /// By the person's choice, the name, and the URLs that belong to one member.
    fn whose_flags(&self, set: &FlagSet, fact: &Fact) -> Option<usize> {
        if let Some(chosen) = fact.hint.chosen.as_deref() {
            return self.index.by_choice(chosen);
        }
        let named = set.member_name.as_deref().and_then(|n| self.index.by_name(n));
        named.or_else(|| self.by_url(set, names::ADVERTISE_CLIENT_URLS, &fact.hint)).or_else(|| {
            let peers = settings::value(set, names::INITIAL_ADVERTISE_PEER_URLS)?;
            split_urls(peers).find_map(|url| self.index.by_peer_url(url))
        })
    }

    /// By what may be shared: where it listens, what stands around it, or that there is one member only.
    fn whose_flags_by_signs(&self, set: &FlagSet, fact: &Fact) -> Option<usize> {
        if fact.hint.chosen.is_some() {
            return None;
        }
        let found = self.by_url(set, names::LISTEN_CLIENT_URLS, &fact.hint).or_else(|| self.index.by_hint(&fact.hint));
        let member = found.or_else(|| self.only_member())?;
        // A set that names another member is that member's, wherever it was shown.
        let own = self.member(member).and_then(|m| m.name.as_deref());
        let other = plain_name(set).is_some_and(|n| own.is_some_and(|own| !own.eq_ignore_ascii_case(n)));
        (!other).then_some(member)
    }

    fn by_url(&self, set: &FlagSet, flag: &str, hint: &MemberHint) -> Option<usize> {
        let urls = settings::value(set, flag)?;
        split_urls(urls).find_map(|url| self.index.by_endpoint(url, hint))
    }

    fn take_flags(&mut self, member: usize, set: &FlagSet, fact: &Fact) {
        if let Some(name) = plain_name(set) {
            match self.member(member).and_then(|m| m.name.clone()) {
                None => self.set_name(member, name),
                Some(own) if !own.eq_ignore_ascii_case(name) => {
                    let listed = self.member(member).and_then(|m| m.listed.as_ref().map(|l| l.span.clone()));
                    let place = listed.unwrap_or_else(|| fact.span.clone());
                    self.contradictions.two_names(&own, name, &place, &fact.span);
                }
                Some(_) => {}
            }
        }
        if let Some(dir) = settings::value(set, names::DATA_DIR) {
            self.index.add_data_dir(dir, member);
        }
        let new = seen(set, fact);
        let Some(held) = self.cluster.members.get_mut(member) else { return };
        let old = held.flags.iter().position(|old| replaces(set, &old.value));
        match old.and_then(|at| held.flags.get_mut(at)) {
            Some(slot) => {
                let old = std::mem::replace(slot, new.clone());
                self.history.flags(member, &old, &new);
            }
            None => held.flags.push(new),
        }
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

    // Alarms

    fn alarms(&mut self, facts: &[&Fact], evidence: &Evidence) {
        let stretches = Stretches::of(evidence, Kind::AlarmList);
        let lists = facts.iter().filter(|f| matches!(f.body, Body::AlarmsListed | Body::Alarm(_)));
        let newest = lists.map(|f| stretches.around(&f.span)).max();
        let mut older: Vec<Seen<Alarm>> = Vec::new();
        let mut listed_at = None;
        for fact in facts {
            let current = newest == Some(stretches.around(&fact.span));
            match &fact.body {
                Body::Alarm(alarm) if current => self.add_alarm(alarm.clone(), &fact.span),
                Body::Alarm(alarm) => older.push(seen(alarm, fact)),
                Body::AlarmsListed if current => {
                    self.cluster.alarms_looked_at.push(fact.span.clone());
                    listed_at = Some(fact.span.clone());
                }
                _ => {}
            }
        }
        self.gone_alarms(older, listed_at);
        let statuses: Vec<Seen<Status>> = self.cluster.members.iter().filter_map(|m| m.status.clone()).collect();
        // An alarm that can't be told from its text is one all the same: only a list says which.
        let unclear = statuses.iter().filter_map(|s| s.value.errors.as_ref()).flatten().any(|e| hides_an_alarm(e));
        for status in &statuses {
            let Some(errors) = &status.value.errors else { continue };
            if !unclear {
                self.cluster.alarms_looked_at.push(status.span.clone());
            }
            for alarm in errors.iter().flat_map(|e| alarms_in(e)) {
                self.add_alarm(alarm, &status.span);
            }
        }
        if unclear && self.cluster.alarms.is_empty() {
            self.cluster.alarms_looked_at.clear();
        }
    }

    fn add_alarm(&mut self, alarm: Alarm, span: &Span) {
        if self.raised.insert((alarm.member_id, alarm.alarm)) {
            self.cluster.alarms.push(Seen { value: alarm, span: span.clone() });
        }
    }

    /// Alarms of an older list that the newest one no longer shows.
    fn gone_alarms(&mut self, older: Vec<Seen<Alarm>>, listed_at: Option<Span>) {
        let Some(listed_at) = listed_at else { return };
        let mut told = HashSet::new();
        for alarm in older.into_iter().rev() {
            let key = (alarm.value.member_id, alarm.value.alarm);
            if self.raised.contains(&key) || !told.insert(key) {
                continue;
            }
            let label = self
                .index
                .by_id(key.0)
                .and_then(|m| self.member(m))
                .map_or_else(|| format!("{:x}", key.0), Member::label);
            let new = Seen { value: (), span: listed_at.clone() };
            self.history.alarm(label, alarm_name(key.1), "none", &alarm, &new);
        }
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

/// Did the check look at the store, whatever it found?
fn ran(check: &V2Check) -> bool {
    !matches!(check, V2Check::NotRun(_))
}

/// The span that covers both, when they stand in one paste; else the later.
fn around(a: Span, b: &Span) -> Span {
    if a.paste != b.paste {
        return b.clone();
    }
    Span::lines(a.paste, a.first_line.min(b.first_line), a.last_line.max(b.last_line))
}

/// The member's name as a flag set says it, unless something else still has to fill it in.
fn plain_name(set: &FlagSet) -> Option<&str> {
    set.member_name.as_deref().filter(|n| !n.is_empty() && settings::is_literal(n))
}

/// Does a newer flag set stand for an older one? It must come from the same kind of source. What shows the whole start
/// does; what points elsewhere, and an environment file, must hold every form of setting the older one holds, so that
/// a drop-in of environment variables does not replace its unit. A fragment replaces nothing.
fn replaces(new: &FlagSet, old: &FlagSet) -> bool {
    let fragment = new.elsewhere.is_empty() && new.source != FlagSource::EnvFile;
    let covers = || old.settings.iter().all(|o| new.settings.iter().any(|n| n.form == o.form));
    new.source == old.source && (new.complete || (!fragment && covers()))
}

/// How etcd calls an alarm.
fn alarm_name(alarm: AlarmType) -> &'static str {
    match alarm {
        AlarmType::NoSpace => "NOSPACE",
        AlarmType::Corrupt => "CORRUPT",
    }
}

/// The alarms in an error of `endpoint status`: `memberID:17106987581846101188 alarm:NOSPACE`. The id is decimal.
fn alarms_in(error: &str) -> Vec<Alarm> {
    let mut alarms = Vec::new();
    for part in error.split("memberID:").skip(1) {
        let mut words = part.split_whitespace();
        let id = words.next().and_then(|w| w.parse().ok());
        let name = words.next().and_then(|w| w.strip_prefix("alarm:"));
        let name = name.map(|n| n.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()));
        let alarm = [AlarmType::NoSpace, AlarmType::Corrupt].into_iter().find(|a| name == Some(alarm_name(*a)));
        if let (Some(member_id), Some(alarm)) = (id, alarm) {
            alarms.push(Alarm { member_id, alarm });
        }
    }
    alarms
}

/// Does it speak of an alarm that can't be read?
fn hides_an_alarm(error: &str) -> bool {
    error.matches("alarm").count() > alarms_in(error).len()
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
