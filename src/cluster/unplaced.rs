//! Facts of one member that no member could be found for. Gates count each for a member of its own: three clean checks
//! in a row are of three members. What can't be one of its own is set aside here.

use std::collections::HashMap;

use crate::evidence::fact::{FlagSet, MemberHint, Seen, Span};

/// Facts of one kind that no member could be found for.
#[derive(Debug)]
pub(super) struct Unplaced<T> {
    facts: Vec<(MemberHint, Seen<T>)>,
    /// Was a member found for another fact of this kind by what stands around it? Then hosts are how members are told
    /// apart here, and a host that is no member's is a stranger's.
    by_surroundings: bool,
}

impl<T> Default for Unplaced<T> {
    fn default() -> Self {
        Self { facts: Vec::new(), by_surroundings: false }
    }
}

/// What tells the place a fact was read at from others.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Place {
    Host(String, Option<String>),
    /// The paste, where no host is named: one directory asked twice in one paste is one.
    DataDir(usize, String),
}

impl Place {
    fn of(hint: &MemberHint, span: &Span) -> Option<Self> {
        let dir = hint.data_dir.as_deref().map(|d| d.trim_end_matches('/').to_owned());
        match (&hint.host, dir) {
            (Some(host), dir) => Some(Self::Host(host.to_lowercase(), dir)),
            (None, Some(dir)) => Some(Self::DataDir(span.paste, dir)),
            (None, None) => None,
        }
    }
}

impl<T> Unplaced<T> {
    pub(super) fn add(&mut self, hint: &MemberHint, fact: Seen<T>) {
        self.facts.push((hint.clone(), fact));
    }

    /// Notes that what stands around a fact of this kind led to a member.
    pub(super) fn found_by_surroundings(&mut self) {
        self.by_surroundings = true;
    }

    /// Splits into those that may each be of a member of its own, and those that are not: of a paste given before, of
    /// a member nobody lists, or of a place that a later fact speaks of.
    fn settle(
        self,
        repeats: &HashMap<usize, usize>,
        supersedes: impl Fn(&T, &T) -> bool,
    ) -> (Vec<Seen<T>>, Vec<Seen<T>>) {
        let mut kept: Vec<Option<Seen<T>>> = Vec::new();
        let mut aside = Vec::new();
        let mut at: HashMap<Place, usize> = HashMap::new();
        for (hint, fact) in self.facts {
            let stranger = hint.chosen.is_some() || (hint.host.is_some() && self.by_surroundings);
            if stranger || repeats.contains_key(&fact.span.paste) {
                aside.push(fact);
                continue;
            }
            let place = Place::of(&hint, &fact.span);
            let earlier = place.as_ref().and_then(|p| at.get(p)).and_then(|slot| kept.get_mut(*slot));
            match earlier {
                Some(slot) if slot.as_ref().is_none_or(|old| supersedes(&fact.value, &old.value)) => {
                    aside.extend(slot.replace(fact));
                }
                Some(_) => aside.push(fact),
                None => {
                    if let Some(place) = place {
                        at.insert(place, kept.len());
                    }
                    kept.push(Some(fact));
                }
            }
        }
        (kept.into_iter().flatten().collect(), aside)
    }

    /// Those that count, and the places of the others. One that `weighs` counts whoever it is of.
    pub(super) fn counting(
        self,
        repeats: &HashMap<usize, usize>,
        weighs: impl Fn(&T) -> bool,
        supersedes: impl Fn(&T, &T) -> bool,
    ) -> (Vec<Seen<T>>, Vec<Span>) {
        let (mut kept, aside) = self.settle(repeats, supersedes);
        let again = |fact: &Seen<T>| repeats.contains_key(&fact.span.paste);
        let (weighty, dropped): (Vec<_>, Vec<_>) = aside.into_iter().partition(|f| weighs(&f.value) && !again(f));
        kept.extend(weighty);
        (kept, dropped.into_iter().map(|f| f.span).collect())
    }
}

impl Unplaced<FlagSet> {
    /// All of them, since each may hold a flag that matters; those that stand for no member of their own are not
    /// complete. A paste given before is dropped.
    pub(super) fn flags(self, repeats: &HashMap<usize, usize>) -> (Vec<Seen<FlagSet>>, Vec<Span>) {
        let mut of_source: HashMap<_, Self> = HashMap::new();
        for (hint, fact) in self.facts {
            let same = of_source.entry(fact.value.source).or_default();
            same.by_surroundings = self.by_surroundings;
            same.facts.push((hint, fact));
        }
        let mut all = Vec::new();
        let mut dropped = Vec::new();
        for same in of_source.into_values() {
            let (kept, aside) = same.settle(repeats, |_, _| true);
            all.extend(kept);
            for mut fact in aside {
                if repeats.contains_key(&fact.span.paste) {
                    dropped.push(fact.span);
                } else {
                    fact.value.complete = false;
                    all.push(fact);
                }
            }
        }
        crate::sort::by(&mut all, |a, b| a.span.cmp(&b.span));
        crate::sort::sort(&mut dropped);
        (all, dropped)
    }
}

#[cfg(test)]
mod tests {
    use crate::cluster::{Cluster, merge};
    use crate::evidence;
    use crate::evidence::paste::Paste;

    const LIST: &str = "6c120a4f29d80e03, started, m2, http://10.0.0.2:2380, http://10.0.0.2:2379, false\n\
                        93554fe264581731, started, m3, http://10.0.0.3:2380, http://10.0.0.3:2379, false\n\
                        ed683a91a8f49cc4, started, m1, http://10.0.0.1:2380, http://10.0.0.1:2379, false\n";
    const CLEAN: &str = "No custom content found in both v2store and WAL records.\n";
    const CUSTOM: &str = "Error: detected custom content in v2store\n";

    fn cluster(texts: &[&str]) -> Cluster {
        let mut pastes = vec![Paste::new("list", LIST)];
        pastes.extend(texts.iter().enumerate().map(|(n, text)| Paste::new(format!("paste {n}"), *text)));
        merge(&evidence::read(&pastes))
    }

    /// How many members have a check, and how many checks stand for a member of their own.
    fn checks(text: &str) -> (usize, usize) {
        let cluster = cluster(&[text]);
        (cluster.members.iter().filter(|m| m.v2_check.is_some()).count(), cluster.v2_checks.len())
    }

    fn under(prompts: [&str; 3], command: &str) -> String {
        prompts.map(|prompt| format!("{prompt}{command}\n{CLEAN}")).concat()
    }

    #[test]
    fn checks_under_one_prompt_are_one_members() {
        let command = "etcdutl check v2store --data-dir /var/lib/etcd";
        assert_eq!(checks(&under(["root@bastion:~# "; 3], command)), (0, 1));
        assert_eq!(checks(&under(["$ "; 3], command)), (0, 1), "one shell, one directory");
        assert_eq!(checks(&under(["root@a1:~# ", "root@a2:~# ", "root@a3:~# "], command)), (0, 3));
        assert_eq!(checks(&under(["root@m1:~# ", "root@m2:~# ", "root@m3:~# "], command)), (3, 0));
        assert_eq!(checks(&CLEAN.repeat(3)), (0, 3), "nothing says that they are of one");
    }

    #[test]
    fn a_check_of_a_member_nobody_lists_stands_for_nobody() {
        let command = "etcdutl check v2store --data-dir /var/lib/etcd";
        assert_eq!(checks(&under(["root@m1:~# ", "root@m2:~# ", "root@m4:~# "], command)), (2, 0));
        let mut stranger = Paste::new("check", CLEAN);
        stranger.member = Some("m4".to_owned());
        let merged = merge(&evidence::read(&[Paste::new("list", LIST), stranger]));
        assert_eq!((merged.v2_checks.len(), merged.repeated.len()), (0, 1));
    }

    #[test]
    fn content_that_was_found_counts_whoever_it_is_of() {
        let text = format!(
            "root@m1:~# etcdutl check v2store --data-dir /x\n{CLEAN}root@m4:~# etcdutl check v2store --data-dir /x\n{CUSTOM}"
        );
        assert_eq!(checks(&text), (1, 1));
    }

    #[test]
    fn a_later_check_of_one_place_replaces_the_earlier() {
        let command = "root@a1:~# etcdutl check v2store --data-dir /x\n";
        let cured = cluster(&[&format!("{command}{CUSTOM}{command}{CLEAN}")]);
        assert_eq!(cured.v2_checks.len(), 1 + 1, "what was found is still shown");
        let not_run =
            cluster(&[&format!("{command}{CLEAN}{command}Error: open /x/member/wal: no such file or directory\n")]);
        assert_eq!(not_run.v2_checks.iter().map(|c| c.span.first_line).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn listings_of_one_host_are_one_members() {
        let listing = "root@bastion:~# ls /var/lib/etcd/member/snap\n0000000000000002-0000000000000011.snap\ndb\n";
        assert_eq!(cluster(&[&listing.repeat(3)]).disk_snapshots.len(), 1);
        assert_eq!(cluster(&[listing, &listing.replace("11.snap", "12.snap")]).disk_snapshots.len(), 1);
    }

    #[test]
    fn nameless_flags_of_one_host_are_one_members() {
        let flags = "root@bastion:~# systemctl cat etcd\n# /etc/systemd/system/etcd.service\n[Service]\nExecStart=/usr/bin/etcd --data-dir=/x\n";
        let merged = cluster(&[&flags.repeat(3)]);
        assert_eq!(merged.flags.iter().filter(|f| f.value.complete).count(), 1);
        let text = flags.to_owned() + &flags.replace("bastion", "a2") + &flags.replace("bastion", "a3");
        assert_eq!(cluster(&[&text]).flags.iter().filter(|f| f.value.complete).count(), 3);
    }
}
