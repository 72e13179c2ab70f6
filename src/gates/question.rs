//! What a gate is asked, and what it may look up to answer.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use time::OffsetDateTime;

use super::finding::{Finding, Ground};
use super::{Need, words};
use crate::bump::{Origin, Worksheet};
use crate::cluster::commands::Commands;
use crate::cluster::{Cluster, Member};
use crate::etcd::hops::{self, HopRules};
use crate::etcd::log_messages::{self, Effect};
use crate::etcd::version::{Minor, Version};
use crate::evidence::answers::{AnswerKey, Answers};
use crate::evidence::fact::{FlagSet, FlagSource, LogEvent, Seen, Span};
use crate::intent::{Hop, IntentKind, Leg, Route, RouteKind, change};
use crate::reconfiguration::Course;

/// What several gates ask for and that is the same for all of them, worked out once when the first one asks.
#[derive(Debug, Default)]
pub struct Shared {
    course: OnceCell<Course>,
    bump_sheet: OnceCell<Worksheet>,
}

/// What a gate is asked about: one leg of the route.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Everything known.
    pub cluster: &'a Cluster,
    /// The whole way.
    pub route: &'a Route,
    /// The leg asked about. `None` when there is none (no start, backwards).
    pub leg: Option<&'a Leg>,
    /// Is it the first leg? Later ones are planned now and checked again then.
    pub first: bool,
    /// What the person answered.
    pub answers: &'a Answers,
    /// How commands for this cluster are written.
    pub commands: &'a Commands,
    /// The date the advice is for.
    pub now: OffsetDateTime,
    /// What was worked out for the gates before.
    pub shared: &'a Shared,
}

/// Where the cluster stands on the way that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// There is something to roll.
    Ahead,
    /// Every member already runs the target.
    Arrived,
    /// The target is older than what runs.
    Backwards,
    /// Down, to an older version.
    Down,
    /// Nothing moves: the intent has no target.
    Stays,
    /// No way can be said: no start, or no such target.
    Unclear,
}

/// A version some evidence names, and whose it is.
#[derive(Debug, Clone, Copy)]
pub struct VersionSeen<'a> {
    /// Index of the member; `None` when no member could be found for it.
    pub member: Option<usize>,
    /// The version.
    pub version: &'a Version,
    /// Where it stands.
    pub span: &'a Span,
    /// Does a running server say so? An image tag or a path only says what is meant to run.
    pub running: bool,
}

/// A set of flags, and whose it is.
#[derive(Debug, Clone, Copy)]
pub struct FlagsSeen<'a> {
    /// Index of the member; `None` when no member could be found for it.
    pub member: Option<usize>,
    /// The flags.
    pub seen: &'a Seen<FlagSet>,
}

/// A log line, and whose it is.
#[derive(Debug, Clone, Copy)]
pub struct LogSeen<'a> {
    /// Index of the member; `None` when no member could be found for it.
    pub member: Option<usize>,
    /// The line.
    pub seen: &'a Seen<LogEvent>,
}

impl<'a> Question<'a> {
    /// The hop asked about; `None` on a patch roll and where there is no way.
    #[must_use]
    pub fn hop(&self) -> Option<Hop> {
        self.leg.and_then(|leg| leg.hop)
    }

    /// The rules of that hop.
    #[must_use]
    pub fn rules(&self) -> Option<&'static HopRules> {
        self.hop().and_then(|hop| hops::from(hop.from)).filter(|rules| Some(rules.to) == self.hop().map(|h| h.to))
    }

    /// Where the cluster stands on the way.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self.route.kind {
            RouteKind::Arrived => Stage::Arrived,
            RouteKind::Backwards => Stage::Backwards,
            RouteKind::Stays => Stage::Stays,
            RouteKind::Down | RouteKind::TooFarDown => Stage::Down,
            RouteKind::Hops | RouteKind::PatchRoll | RouteKind::StartUnknown | RouteKind::TargetUnknown => {
                if self.leg.is_some() { Stage::Ahead } else { Stage::Unclear }
            }
        }
    }

    /// The need of a gate on the cluster's health: an answer is owed before anything is restarted.
    #[must_use]
    pub fn before_a_roll(&self) -> Need {
        match self.stage() {
            Stage::Ahead | Stage::Down | Stage::Stays | Stage::Unclear => Need::Required,
            Stage::Arrived | Stage::Backwards => Need::OnSight,
        }
    }

    /// The need of a gate that only some hops have.
    #[must_use]
    pub fn on_hops(&self, which: fn(&HopRules) -> bool) -> Need {
        match self.stage() {
            Stage::Ahead if self.rules().is_some_and(which) => Need::Required,
            _ => Need::NotApplicable,
        }
    }

    /// The need of a gate that only some hops have, and that speaks there when something was pasted.
    #[must_use]
    pub fn on_sight_of_hops(&self, which: fn(&HopRules) -> bool) -> Need {
        match self.on_hops(which) {
            Need::Required => Need::OnSight,
            other => other,
        }
    }

    /// How the member is called.
    #[must_use]
    pub fn label(&self, member: usize) -> String {
        self.cluster.members.get(member).map_or_else(|| "a member".to_owned(), Member::label)
    }

    /// How these members are called in a sentence.
    #[must_use]
    pub fn names(&self, members: &[usize]) -> String {
        words::list(&self.labels(members))
    }

    /// Their labels.
    #[must_use]
    pub fn labels(&self, members: &[usize]) -> Vec<String> {
        members.iter().map(|m| self.label(*m)).collect()
    }

    /// Members this leg still has to roll: not known to run its target (a patch roll) or its target's minor (a hop).
    #[must_use]
    pub fn to_roll(&self) -> Vec<usize> {
        let everyone = || (0..self.cluster.members.len()).collect();
        let Some(leg) = self.leg.filter(|_| self.route.intent.kind != IntentKind::Flags) else { return everyone() };
        let done = |version: &Version| match leg.hop {
            Some(hop) if hop.is_down() => version.minor() <= hop.to,
            None if self.route.kind == RouteKind::Down => version.upstream() <= leg.target.upstream(),
            Some(hop) => version.minor() >= hop.to,
            None => version.upstream() >= leg.target.upstream(),
        };
        self.indices(|m| !m.version().is_some_and(|(version, _)| done(version)))
    }

    /// Indices of the members that are so.
    #[must_use]
    pub fn indices(&self, so: impl Fn(&Member) -> bool) -> Vec<usize> {
        self.cluster.members.iter().enumerate().filter(|(_, m)| so(m)).map(|(index, _)| index).collect()
    }

    /// Every version that evidence names. Of a member whose server says its version, what files say is left out.
    #[must_use]
    pub fn versions(&self) -> Vec<VersionSeen<'a>> {
        let mut seen = Vec::new();
        for (index, member) in self.cluster.members.iter().enumerate() {
            if let Some((version, span)) = member.version() {
                seen.push(VersionSeen { member: Some(index), version, span, running: true });
                continue;
            }
            let logged = member.log.iter().filter_map(|l| l.value.version.as_ref().map(|v| (v, &l.span, true)));
            let meant = member.flags.iter().filter_map(|f| f.value.version.as_ref().map(|v| (v, &f.span, false)));
            seen.extend(logged.chain(meant).map(|(version, span, running)| VersionSeen {
                member: Some(index),
                version,
                span,
                running,
            }));
        }
        let loose =
            |version: &'a Version, span: &'a Span, running: bool| VersionSeen { member: None, version, span, running };
        let servers = self.cluster.server_versions.iter();
        seen.extend(servers.filter_map(|s| s.value.server.as_ref().map(|v| loose(v, &s.span, true))));
        seen.extend(self.cluster.log.iter().filter_map(|l| l.value.version.as_ref().map(|v| loose(v, &l.span, true))));
        let flags = self.cluster.flags.iter();
        seen.extend(flags.filter_map(|f| f.value.version.as_ref().map(|v| loose(v, &f.span, false))));
        seen
    }

    /// Every set of flags.
    #[must_use]
    pub fn flags(&self) -> Vec<FlagsSeen<'a>> {
        let of_members =
            self.cluster.members.iter().enumerate().flat_map(|(index, member)| {
                member.flags.iter().map(move |seen| FlagsSeen { member: Some(index), seen })
            });
        of_members.chain(self.cluster.flags.iter().map(|seen| FlagsSeen { member: None, seen })).collect()
    }

    /// Of the members this leg still rolls, those whose flags are not known in full. Full sets no member could be
    /// found for count for one member each, in order; of several kinds of source the one with the most counts, so
    /// that two files of one member do not count twice.
    #[must_use]
    pub fn without_flags(&self) -> Vec<usize> {
        let known = |m: &Member| all_shown(&m.flags.iter().map(|f| &f.value).collect::<Vec<_>>());
        let open = self.to_roll().into_iter().filter(|i| self.cluster.members.get(*i).is_some_and(|m| !known(m)));
        let mut of_source: HashMap<FlagSource, usize> = HashMap::new();
        // A set that names a member nobody knows is of that member, and stands for no other.
        let nameless = |f: &&Seen<FlagSet>| f.value.complete && f.value.member_name.is_none();
        for set in self.cluster.flags.iter().filter(nameless) {
            *of_source.entry(set.value.source).or_default() += 1;
        }
        let loose = of_source.into_values().max().unwrap_or(0);
        open.skip(loose).collect()
    }

    /// Log lines that the table of messages explains by a gate, and whose they are.
    #[must_use]
    pub fn logged(&self, gate: &str, effect: fn(Effect) -> bool) -> Vec<LogSeen<'a>> {
        let of_members = self
            .cluster
            .members
            .iter()
            .enumerate()
            .flat_map(|(index, member)| member.log.iter().map(move |seen| LogSeen { member: Some(index), seen }));
        let all = of_members.chain(self.cluster.log.iter().map(|seen| LogSeen { member: None, seen }));
        let message =
            |event: &LogEvent| log_messages::by_id(event.message).or_else(|| log_messages::in_line(&event.text));
        all.filter(|l| message(&l.seen.value).is_some_and(|m| m.gate == Some(gate) && effect(m.effect))).collect()
    }

    /// What log lines and errors of tools say that the table of messages explains by a gate, with where they stand.
    #[must_use]
    pub fn told(&self, gate: &str) -> Vec<(String, Ground)> {
        let logged = self.logged(gate, |_| true).into_iter().filter_map(|l| {
            let event = &l.seen.value;
            let message = log_messages::by_id(event.message).or_else(|| log_messages::in_line(&event.text))?;
            Some((message.meaning.to_owned(), Ground::Seen(l.seen.span.clone())))
        });
        let errors = self.cluster.tool_errors.iter().filter_map(|error| {
            let message = log_messages::in_line(&error.value.text).filter(|m| m.gate == Some(gate))?;
            Some((message.meaning.to_owned(), Ground::Seen(error.span.clone())))
        });
        logged.chain(errors).collect()
    }

    /// The same as findings that block, each with what is to be done.
    pub fn told_to_stop<'r>(&self, gate: &str, remedy: &'r str) -> impl Iterator<Item = Finding> + use<'r> {
        self.told(gate).into_iter().map(move |(message, ground)| Finding::blocked(message, vec![ground], remedy))
    }

    /// Where a request to downgrade was answered with an error that holds these words.
    #[must_use]
    pub fn answered_downgrade(&self, words: &str) -> Vec<Ground> {
        let errors = self.cluster.tool_errors.iter().filter(|e| e.value.text.contains(words)).map(|e| &e.span);
        let answers = self.cluster.downgrades.iter();
        let answers = answers.filter(|d| d.value.error.as_deref().is_some_and(|e| e.contains(words))).map(|d| &d.span);
        seen(errors.chain(answers))
    }

    /// Is it asked for a change of members?
    #[must_use]
    pub fn changes_members(&self) -> bool {
        self.route.intent.kind == IntentKind::Members
    }

    /// The change of members, stage by stage.
    #[must_use]
    pub fn course(&self) -> &'a Course {
        self.shared.course.get_or_init(|| Course::of(self.cluster, self.answers))
    }

    /// What the change of members that is wanted rests on.
    #[must_use]
    pub fn wanted_grounds(&self, course: &Course) -> Vec<Ground> {
        match course.wanted.as_ref().map(|wanted| &wanted.origin) {
            Some(change::Origin::Said) => vec![Ground::Answered(AnswerKey::Change)],
            Some(change::Origin::Typed(span) | change::Origin::Open(span)) => vec![Ground::Seen(span.clone())],
            None => Vec::new(),
        }
    }

    /// What the count of members rests on: the member list, else each row that shows one.
    #[must_use]
    pub fn member_grounds(&self) -> Vec<Ground> {
        let rows = self.cluster.members.iter().flat_map(|m| {
            let status = m.status.as_ref().map(|s| &s.span).or(m.failed.as_ref().map(|f| &f.span));
            [m.listed.as_ref().map(|row| &row.span), status.or(m.health.as_ref().map(|h| &h.span))]
        });
        let printed = self.cluster.member_changes.iter().map(|change| &change.span);
        seen(rows.flatten().chain(printed))
    }

    /// The worksheet of the revision bump.
    #[must_use]
    pub fn bump_sheet(&self) -> &'a Worksheet {
        self.shared.bump_sheet.get_or_init(|| Worksheet::fill(self.cluster, self.answers, self.now))
    }

    /// What the factors of the bump rest on.
    #[must_use]
    pub fn bump_grounds(&self, sheet: &Worksheet) -> Vec<Ground> {
        let of = |origin: &Origin| match origin {
            Origin::Answer(key) => Some(Ground::Answered(*key)),
            Origin::Paste(span) => Some(Ground::Seen(span.clone())),
            Origin::Usual => None,
        };
        let watched = sheet.watch_caches.map(|_| Ground::Answered(AnswerKey::WatchCaches));
        sheet.origins().filter_map(of).chain(watched).collect()
    }

    /// What flags rest on: each set of the members named, and every set no member could be found for.
    #[must_use]
    pub fn flag_grounds(&self) -> Vec<Ground> {
        self.flags().iter().map(|f| Ground::Seen(f.seen.span.clone())).collect()
    }
}

/// Do these sets of one member show every flag it has? One that is complete does. One that points elsewhere does when
/// as many environment and config files were pasted beside it as it points to.
fn all_shown(sets: &[&FlagSet]) -> bool {
    let is_file = |set: &FlagSet| matches!(set.source, FlagSource::EnvFile | FlagSource::ConfigFile);
    let files = sets.iter().filter(|s| is_file(s)).count();
    sets.iter().any(|set| {
        let mut elsewhere: Vec<&str> = set.elsewhere.iter().map(|e| e.value.as_str()).collect();
        crate::sort::sort(&mut elsewhere);
        elsewhere.dedup();
        // A variable is defined in one of the files, so it asks for a file only where none is named.
        let named = elsewhere.iter().filter(|e| !e.starts_with('$')).count();
        let wanted = if named == 0 { usize::from(!elsewhere.is_empty()) } else { named };
        set.complete || (!is_file(set) && wanted > 0 && files >= wanted)
    })
}

/// The grounds for spans.
#[must_use]
pub fn seen<'s>(spans: impl IntoIterator<Item = &'s Span>) -> Vec<Ground> {
    let mut known = HashSet::new();
    spans.into_iter().filter(|span| known.insert(*span)).map(|span| Ground::Seen(span.clone())).collect()
}

/// The minor of a target, in words for a sentence: `3.6`, or "the target" when none is known.
#[must_use]
pub fn target_name(question: &Question<'_>) -> String {
    let minor: Option<Minor> = question.hop().map(|hop| hop.to);
    minor.map_or_else(|| "the target".to_owned(), |minor| minor.to_string())
}
