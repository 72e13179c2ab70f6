//! Whose flags a set is, and which older set it stands for.

use super::super::endpoint::split_urls;
use super::super::settings;
use super::{Merger, seen};
use crate::etcd::flags::name as names;
use crate::evidence::fact::{Body, Fact, FlagSet, FlagSource, MemberHint};

impl Merger {
    pub(super) fn flags(&mut self, facts: &[&Fact]) {
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
