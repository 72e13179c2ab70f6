//! Finds the member a fact is about. Every look-up is a map's, so that merging stays linear in the facts.

use std::collections::HashMap;

use super::endpoint::{Endpoint, short_host};
use crate::evidence::fact::MemberHint;

/// Keys that lead to one member each; a key that several members share leads to none.
#[derive(Debug, Default)]
struct Keys(HashMap<String, Option<usize>>);

impl Keys {
    fn add(&mut self, key: &str, member: usize) {
        if key.is_empty() {
            return;
        }
        let slot = self.0.entry(key.to_owned()).or_insert(Some(member));
        if *slot != Some(member) {
            *slot = None;
        }
    }

    fn get(&self, key: &str) -> Option<usize> {
        self.0.get(key).copied().flatten()
    }
}

/// What is known of how members are called.
#[derive(Debug, Default)]
pub(super) struct Index {
    ids: HashMap<u64, usize>,
    /// Names, in lower case.
    names: Keys,
    /// Client endpoints. A local one stands here only when it was seen without a host, or in the member list.
    endpoints: Keys,
    /// Local endpoints with the host they were used on: `m1|127.0.0.1:2379`.
    local_on_host: Keys,
    /// Local endpoints wherever they were used.
    local_anywhere: Keys,
    peers: Keys,
    /// Hosts of URLs, whole and without domain, and hosts on which a local endpoint answered.
    hosts: Keys,
    data_dirs: Keys,
}

impl Index {
    pub(super) fn add_id(&mut self, id: u64, member: usize) {
        self.ids.entry(id).or_insert(member);
    }

    pub(super) fn add_name(&mut self, name: &str, member: usize) {
        let name = name.to_lowercase();
        self.names.add(&name, member);
        if short_host(&name) != name {
            self.hosts.add(short_host(&name), member);
        }
    }

    /// A client URL the member announces.
    pub(super) fn add_client_url(&mut self, url: &str, member: usize) {
        let Some(endpoint) = Endpoint::read(url) else { return };
        self.endpoints.add(&endpoint.to_string(), member);
        self.add_host_of(&endpoint, member);
    }

    pub(super) fn add_peer_url(&mut self, url: &str, member: usize) {
        let Some(endpoint) = Endpoint::read(url) else { return };
        self.peers.add(&endpoint.to_string(), member);
        self.add_host_of(&endpoint, member);
    }

    /// An endpoint that a command used to reach the member, and the host the command ran on, as far as known.
    pub(super) fn add_used_endpoint(&mut self, text: &str, host: Option<&str>, member: usize) {
        let Some(endpoint) = Endpoint::read(text) else { return };
        let key = endpoint.to_string();
        if !endpoint.names_nobody() {
            self.endpoints.add(&key, member);
            self.add_host_of(&endpoint, member);
            return;
        }
        self.local_anywhere.add(&key, member);
        match host {
            Some(host) => {
                self.local_on_host.add(&format!("{}|{key}", host.to_lowercase()), member);
                self.hosts.add(&host.to_lowercase(), member);
            }
            None => self.endpoints.add(&key, member),
        }
    }

    pub(super) fn add_data_dir(&mut self, dir: &str, member: usize) {
        self.data_dirs.add(dir.trim_end_matches('/'), member);
    }

    fn add_host_of(&mut self, endpoint: &Endpoint, member: usize) {
        if !endpoint.names_nobody() {
            self.hosts.add(&endpoint.host, member);
            if endpoint.short_host() != endpoint.host {
                self.hosts.add(endpoint.short_host(), member);
            }
        }
    }

    pub(super) fn by_id(&self, id: u64) -> Option<usize> {
        self.ids.get(&id).copied()
    }

    pub(super) fn by_name(&self, name: &str) -> Option<usize> {
        self.names.get(&name.to_lowercase())
    }

    pub(super) fn by_peer_url(&self, url: &str) -> Option<usize> {
        let endpoint = Endpoint::read(url)?;
        self.peers.get(&endpoint.to_string())
    }

    /// By a client endpoint. A local one says less than the host it was used on.
    pub(super) fn by_endpoint(&self, text: &str, hint: &MemberHint) -> Option<usize> {
        let endpoint = Endpoint::read(text)?;
        let key = endpoint.to_string();
        if !endpoint.names_nobody() {
            return self.endpoints.get(&key);
        }
        let Some(host) = hint.host.as_deref() else {
            return self.endpoints.get(&key).or_else(|| self.local_anywhere.get(&key));
        };
        self.local_on_host
            .get(&format!("{}|{key}", host.to_lowercase()))
            .or_else(|| self.by_host(host))
            .or_else(|| self.endpoints.get(&key))
    }

    /// By what the person said: a name, an id in hex, or a URL.
    pub(super) fn by_choice(&self, text: &str) -> Option<usize> {
        let text = text.trim();
        self.by_name(text)
            .or_else(|| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok().and_then(|id| self.by_id(id)))
            .or_else(|| self.by_endpoint(text, &MemberHint::default()))
            .or_else(|| self.by_host(text))
    }

    /// By what the surroundings say, the strongest sign first.
    pub(super) fn by_hint(&self, hint: &MemberHint) -> Option<usize> {
        let host = hint.host.as_deref().and_then(|h| self.by_host(h));
        host.or_else(|| hint.data_dir.as_deref().and_then(|d| self.by_data_dir(d)))
    }

    /// Do the host and the data directory speak of different members?
    pub(super) fn hints_differ(&self, hint: &MemberHint) -> bool {
        let host = hint.host.as_deref().and_then(|h| self.by_host(h));
        let dir = hint.data_dir.as_deref().and_then(|d| self.by_data_dir(d));
        host.is_some() && dir.is_some() && host != dir
    }

    /// By a host: a member's name, the host of one of its URLs, or a pod whose name starts or ends with the name.
    fn by_host(&self, host: &str) -> Option<usize> {
        if host.len() > LONGEST_HOST {
            return None;
        }
        let host = host.to_lowercase();
        let short = short_host(&host);
        let direct = [host.as_str(), short].into_iter().find_map(|h| self.names.get(h).or_else(|| self.hosts.get(h)));
        direct.or_else(|| {
            let ends = host.match_indices('-').filter_map(|(at, _)| host.get(at + 1..));
            let starts = host.rmatch_indices('-').filter_map(|(at, _)| host.get(..at));
            ends.chain(starts).find_map(|part| self.names.get(part))
        })
    }

    /// By a data directory: one a member is known to have, or one whose last part is a name (`m1`, `m1.etcd`).
    fn by_data_dir(&self, dir: &str) -> Option<usize> {
        let dir = dir.trim_end_matches('/');
        let last = dir.rsplit('/').next().unwrap_or(dir).to_lowercase();
        let named = self.names.get(&last);
        self.data_dirs
            .get(dir)
            .or(named)
            .or_else(|| last.strip_suffix(DEFAULT_DATA_DIR_END).and_then(|name| self.names.get(name)))
    }
}

/// The longest name DNS allows; what is longer is no host.
const LONGEST_HOST: usize = 253;

/// etcd's default data directory is the member's name with this behind it.
const DEFAULT_DATA_DIR_END: &str = ".etcd";
