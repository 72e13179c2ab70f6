//! The order in which a change of members is made, stage by stage, with the members counted after each.
//!
//! A member that is down goes first: while it counts, etcd refuses or delays the add, and one more failure costs the
//! quorum. A member that lives goes last: until the new one votes, the cluster must not be smaller than it was. A new
//! member comes in as a learner where the version has learners, so that it counts for nothing before it has the data.

use super::rules::{self, Refusal, Rule, Tally};
use crate::cluster::{Cluster, Member, settings};
use crate::etcd::features;
use crate::etcd::flags::name;
use crate::etcd::version::Version;
use crate::evidence::answers::Answers;
use crate::evidence::change::Change;
use crate::evidence::fact::MemberAction;
use crate::intent::change::{Newcomer, Wanted};

/// Learners a cluster takes unless a flag says otherwise: `max-learners` of the facts.
const MOST_LEARNERS: usize = 1;

/// A member, or one that comes in, as the count sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// Index into the cluster's members; `None` for one that is not known to be in the cluster, or that only
    /// `member add` named.
    pub member: Option<usize>,
    /// Index into [`Wanted::newcomers`], for one that comes in.
    pub newcomer: Option<usize>,
    /// What people call it.
    pub label: String,
    /// What else people name it by: its name, its URLs.
    pub aliases: Vec<String>,
    /// Its id, where known.
    pub id: Option<u64>,
    /// Is it in the cluster?
    pub listed: bool,
    /// Does it vote?
    pub votes: bool,
    /// Did it ever start?
    pub started: bool,
    /// Does it answer? Taken as yes where nothing says no: that nothing says it is a gate's matter.
    pub up: bool,
    /// Does it lead?
    pub leads: bool,
}

/// What is done in a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// `member add --learner`
    AddLearner,
    /// `member add`, as a voter at once.
    AddVoter,
    /// The new member is started for the first time.
    Start,
    /// It is waited for until it has caught up with the leader.
    CatchUp,
    /// `member promote`
    Promote,
    /// The leadership moves from this member to the one named.
    MoveLeader {
        /// Index of the seat it goes to.
        to: usize,
    },
    /// `member remove`
    Remove,
}

impl Act {
    /// The last part of the id of its step.
    #[must_use]
    pub fn id(&self) -> &'static str {
        match self {
            Self::AddLearner => "add-learner",
            Self::AddVoter => "add-voter",
            Self::Start => "start",
            Self::CatchUp => "catch-up",
            Self::Promote => "promote",
            Self::MoveLeader { .. } => "move-leader",
            Self::Remove => "remove",
        }
    }

    /// What it makes of the seats, done with the one at this index.
    pub fn take(&self, seats: &mut [Seat], at: usize) {
        if let Self::MoveLeader { to } = self {
            for (index, seat) in seats.iter_mut().enumerate() {
                seat.leads = index == *to;
            }
        }
        let Some(seat) = seats.get_mut(at) else { return };
        match self {
            Self::AddLearner => (seat.listed, seat.votes) = (true, false),
            Self::AddVoter => (seat.listed, seat.votes) = (true, true),
            Self::Start => (seat.started, seat.up) = (true, true),
            Self::Promote => seat.votes = true,
            Self::Remove => seat.listed = false,
            Self::CatchUp | Self::MoveLeader { .. } => {}
        }
    }
}

/// One stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// What is done.
    pub act: Act,
    /// Index of the seat it is done with.
    pub seat: usize,
    /// The members counted after it.
    pub after: Tally,
    /// Why it is not taken; no stage follows one that is not.
    pub refused: Option<Refusal>,
}

/// Why there is no course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// No member is called so.
    NoSuchMember(String),
    /// It is no learner, so there is nothing to promote.
    NoLearner(String),
    /// The cluster has so many voters already.
    AlreadySo(usize),
}

/// The whole change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Course {
    /// What is wanted, where known.
    pub wanted: Option<Wanted>,
    /// The members, and those that come in.
    pub seats: Vec<Seat>,
    /// The members counted now.
    pub now: Tally,
    /// The version whose rules were applied: the lowest that answers.
    pub version: Option<Version>,
    /// The stages that are left, in order.
    pub stages: Vec<Stage>,
    /// Why there are none, where that is no good sign.
    pub problem: Option<Problem>,
}

impl Course {
    /// The course of what is wanted.
    #[must_use]
    pub fn of(cluster: &Cluster, answers: &Answers) -> Self {
        let wanted = Wanted::of(cluster, answers);
        let newcomers = wanted.as_ref().map_or(&[][..], |wanted| &wanted.newcomers);
        let mut seats = seats(cluster, newcomers);
        add_printed(cluster, newcomers, &mut seats);
        let answering = cluster.members.iter().filter(|m| m.answers() != Some(false));
        let version = answering.filter_map(|m| m.version().map(|(version, _)| version)).min().cloned();
        let mut walk = Walk {
            rule: Rule::of(version.as_ref()),
            learners: version.as_ref().is_none_or(|version| features::LEARNERS.in_version(version)),
            most_learners: most_learners(cluster).unwrap_or(MOST_LEARNERS),
            course: Self { now: tally(&seats), seats, version, wanted: None, stages: Vec::new(), problem: None },
            newcomers: newcomers.to_vec(),
            removed: removed(cluster).collect(),
        };
        if let Some(change) = wanted.as_ref().map(|wanted| wanted.change.clone())
            && walk.course.now.started > 0
        {
            walk.make(&change);
        }
        Self { wanted, ..walk.course }
    }

    /// The change.
    #[must_use]
    pub fn change(&self) -> Option<&Change> {
        self.wanted.as_ref().map(|wanted| &wanted.change)
    }

    /// The seat of a stage.
    #[must_use]
    pub fn seat(&self, stage: &Stage) -> Option<&Seat> {
        self.seats.get(stage.seat)
    }

    /// The first stage that is not taken.
    #[must_use]
    pub fn refused(&self) -> Option<(&Stage, Refusal)> {
        self.stages.iter().find_map(|stage| stage.refused.map(|refusal| (stage, refusal)))
    }

    /// Can it be gone through to its end?
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.problem.is_none() && self.refused().is_none()
    }

    /// The members counted at its end.
    #[must_use]
    pub fn end(&self) -> Tally {
        self.stages.last().map_or(self.now, |stage| stage.after)
    }

    /// The seats that come in.
    pub fn incoming(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().filter(|seat| seat.newcomer.is_some())
    }

    /// Does the change take out this member of the cluster?
    #[must_use]
    pub fn removes(&self, member: usize) -> bool {
        let removed = self.stages.iter().filter(|stage| stage.act == Act::Remove).filter_map(|stage| self.seat(stage));
        removed.into_iter().any(|seat| seat.member == Some(member))
    }

    /// How many more may fail at the leanest moment, before, during and after.
    #[must_use]
    pub fn least_spare(&self) -> usize {
        self.stages.iter().map(|stage| stage.after.spare()).chain([self.now.spare()]).min().unwrap_or(0)
    }
}

fn seats(cluster: &Cluster, newcomers: &[Newcomer]) -> Vec<Seat> {
    let leader = cluster.leader();
    let seat = |(at, member): (usize, &Member)| {
        let started = member.listed.as_ref().is_none_or(|row| row.value.started);
        Seat {
            member: Some(at),
            newcomer: newcomers.iter().position(|newcomer| newcomer.is(member)),
            label: newcomers
                .iter()
                .find(|newcomer| newcomer.is(member) && member.name.is_none())
                .and_then(|newcomer| newcomer.name.clone())
                .unwrap_or_else(|| member.label()),
            aliases: member.name.iter().chain(&member.endpoints).chain(&member.peer_urls).cloned().collect(),
            id: member.id,
            listed: !changed_since(cluster, member, MemberAction::Removed),
            votes: !is_learner(member) || changed_since(cluster, member, MemberAction::Promoted),
            started,
            up: started && member.answers() != Some(false),
            leads: leader == Some(at),
        }
    };
    cluster.members.iter().enumerate().map(seat).collect()
}

/// Is it a learner by what raft says? Where list and status differ, the status is what counts votes.
fn is_learner(member: &Member) -> bool {
    let status = member.status.as_ref().and_then(|status| status.value.is_learner);
    status.or_else(|| member.is_learner()) == Some(true)
}

/// Was this done to it after what shows it was printed?
fn changed_since(cluster: &Cluster, member: &Member, action: MemberAction) -> bool {
    let shown = member.status.iter().map(|s| &s.span).chain(member.listed.iter().map(|row| &row.span)).max();
    let answers = cluster.member_changes.iter().filter(|seen| seen.value.action == action);
    answers.filter(|seen| Some(seen.value.member_id) == member.id).any(|seen| Some(&seen.span) > shown)
}

/// Members that only the answer of `member add` shows: the one it added, and those it names as members.
fn add_printed(cluster: &Cluster, newcomers: &[Newcomer], seats: &mut Vec<Seat>) {
    for change in cluster.member_changes.iter().map(|seen| &seen.value) {
        let learner = match change.action {
            MemberAction::Added => false,
            MemberAction::AddedAsLearner => true,
            _ => continue,
        };
        let printed = |flag: &str| change.environment.iter().find(|s| s.name == flag).and_then(|s| s.value.as_deref());
        let own = printed(name::NAME);
        let all = printed(name::INITIAL_CLUSTER).unwrap_or_default();
        for (name, url) in all.split(',').filter_map(|part| part.split_once('=')) {
            let same = |member: &Member| {
                member.name.as_deref() == Some(name) || member.peer_urls.iter().any(|known| known == url)
            };
            let known = cluster.members.iter().any(same) || seats.iter().any(|seat| seat.label == name);
            if !known && own != Some(name) {
                let new =
                    Newcomer { name: Some(name.to_owned()), peer_url: Some(url.to_owned()), ..Newcomer::default() };
                seats.push(Seat { started: true, up: true, ..coming(&new, None, false) });
            }
        }
        let known = seats.iter().any(|seat| seat.id == Some(change.member_id))
            || cluster.members.iter().any(|member| own.is_some() && member.name.as_deref() == own);
        if !known && !removed(cluster).any(|id| id == change.member_id) {
            let at = newcomers.iter().position(|newcomer| newcomer.id == Some(change.member_id));
            let new = at.and_then(|at| newcomers.get(at)).cloned().unwrap_or_default();
            let label =
                own.map(str::to_owned).or(new.name.clone()).unwrap_or_else(|| format!("{:x}", change.member_id));
            seats.push(Seat { label, id: Some(change.member_id), ..coming(&new, at, learner) });
        }
    }
}

/// Ids that `member remove` took out.
fn removed(cluster: &Cluster) -> impl Iterator<Item = u64> {
    let answers = cluster.member_changes.iter().map(|seen| &seen.value);
    answers.filter(|change| change.action == MemberAction::Removed).map(|change| change.member_id)
}

/// One that comes in and never started.
fn coming(newcomer: &Newcomer, at: Option<usize>, learner: bool) -> Seat {
    Seat {
        member: None,
        newcomer: at,
        label: newcomer.name.clone().unwrap_or_else(|| "the new member".to_owned()),
        aliases: newcomer.peer_url.iter().cloned().collect(),
        id: newcomer.id,
        listed: true,
        votes: !learner,
        started: false,
        up: false,
        leads: false,
    }
}

/// The limit of learners, where a member's flags set it; the lowest, since every member checks it.
fn most_learners(cluster: &Cluster) -> Option<usize> {
    let sets = cluster.members.iter().flat_map(|m| &m.flags).chain(&cluster.flags);
    sets.filter_map(|set| settings::value(&set.value, name::MAX_LEARNERS)?.parse().ok()).min()
}

fn tally(seats: &[Seat]) -> Tally {
    let voters = || seats.iter().filter(|seat| seat.listed && seat.votes);
    Tally {
        voters: voters().count(),
        started: voters().filter(|seat| seat.started).count(),
        reachable: voters().filter(|seat| seat.up).count(),
        learners: seats.iter().filter(|seat| seat.listed && !seat.votes).count(),
    }
}

/// The course, growing: its seats change with each stage while it is walked.
struct Walk {
    course: Course,
    newcomers: Vec<Newcomer>,
    rule: Rule,
    learners: bool,
    most_learners: usize,
    /// Ids that `member remove` took out.
    removed: Vec<u64>,
}

impl Walk {
    fn make(&mut self, change: &Change) {
        let before = self.course.seats.clone();
        match change {
            Change::Replace(member) => self.replace(member),
            Change::AddVoter => self.next_in(true),
            Change::AddLearner => self.next_in(false),
            Change::Remove(member) => match self.find(member) {
                Some(seat) => self.take_out(seat),
                None if self.removed.iter().any(|id| format!("{id:x}") == *member) => {}
                None => self.course.problem = Some(Problem::NoSuchMember(member.clone())),
            },
            Change::Promote(member) => self.promote(member),
            Change::Move => self.move_all(),
            Change::Grow(size) => self.grow(*size),
            Change::Shrink(size) => self.shrink(*size),
        }
        // What was walked on is the plan; what is there now is what the seats say.
        for (at, seat) in self.course.seats.iter_mut().enumerate() {
            match before.get(at) {
                Some(was) => seat.clone_from(was),
                None => {
                    (seat.listed, seat.votes, seat.started, seat.up, seat.leads) = (false, false, false, false, false)
                }
            }
        }
    }

    fn go(&mut self, act: Act, seat: usize, taken: Result<(), Refusal>) -> bool {
        if self.stopped() {
            return false;
        }
        let mut refused = taken.err();
        let after = if refused.is_none() {
            act.take(&mut self.course.seats, seat);
            tally(&self.course.seats)
        } else {
            self.now()
        };
        let worse = !after.holds() && matches!(act, Act::AddVoter | Act::Promote | Act::Remove);
        if refused.is_none() && worse {
            refused = Some(Refusal::LosesQuorum);
        }
        self.course.stages.push(Stage { act, seat, after, refused });
        refused.is_none()
    }

    fn stopped(&self) -> bool {
        self.course.problem.is_some() || self.course.refused().is_some()
    }

    fn now(&self) -> Tally {
        self.course.stages.last().map_or(self.course.now, |stage| stage.after)
    }

    /// The seat a person means by a name, an id or a URL.
    fn find(&self, text: &str) -> Option<usize> {
        let seats = || self.course.seats.iter().enumerate().filter(|(_, seat)| seat.listed);
        let id = u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
        let named = seats().find(|(_, seat)| seat.label == text || seat.aliases.iter().any(|alias| alias == text));
        let found = named.or_else(|| seats().find(|(_, seat)| id.is_some() && seat.id == id)).map(|(at, _)| at);
        // An id that nothing shown names: the one member that is down and whose id is not known may be it.
        found.or_else(|| {
            let mut down = seats().filter(|(_, seat)| !seat.up && seat.id.is_none());
            let only = down.next().filter(|_| id.is_some() && down.next().is_none());
            only.map(|(at, _)| at)
        })
    }

    /// The seat of the n-th newcomer; made where nothing shows that it was added.
    fn seat_of(&mut self, n: usize) -> usize {
        if let Some(at) = self.course.seats.iter().position(|seat| seat.newcomer == Some(n)) {
            return at;
        }
        let newcomer = self.newcomers.get(n).cloned().unwrap_or_default();
        let mut seat = Seat { listed: false, ..coming(&newcomer, Some(n), true) };
        let several = self.course.seats.iter().filter(|other| other.label.starts_with(&seat.label)).count();
        if newcomer.name.is_none() && several > 0 {
            seat.label = format!("{} {}", seat.label, several + 1);
        }
        self.course.seats.push(seat);
        self.course.seats.len() - 1
    }

    /// Brings a member in, from wherever it stands.
    fn bring_in(&mut self, at: usize, votes: bool) {
        let Some(seat) = self.course.seats.get(at).cloned() else { return };
        let now = self.now();
        let mut fresh = false;
        if !seat.listed {
            let act = if self.learners { Act::AddLearner } else { Act::AddVoter };
            let taken = rules::add(&now, self.learners, self.rule, self.most_learners);
            if !self.go(act, at, taken) {
                return;
            }
            fresh = true;
        }
        if !seat.started || !seat.listed {
            self.go(Act::Start, at, Ok(()));
            fresh = true;
        }
        let votes_now = self.course.seats.get(at).is_some_and(|seat| seat.votes);
        if fresh || !votes_now {
            self.go(Act::CatchUp, at, Ok(()));
        }
        if votes && !votes_now {
            let taken = rules::promote(&self.now());
            self.go(Act::Promote, at, taken);
        }
    }

    /// Takes a member out; one that leads hands over first.
    fn take_out(&mut self, at: usize) {
        let Some(seat) = self.course.seats.get(at).cloned().filter(|seat| seat.listed) else { return };
        let now = self.now();
        if seat.leads
            && seat.up
            && let Some(to) = self.heir(at)
        {
            self.go(Act::MoveLeader { to }, at, Ok(()));
        }
        let taken = if seat.votes { rules::remove_voter(&now, seat.started, seat.up) } else { without_vote(&now) };
        self.go(Act::Remove, at, taken);
    }

    /// The voter that leads next: one that came in before one that may go too.
    fn heir(&self, from: usize) -> Option<usize> {
        let can = |(at, seat): &(usize, &Seat)| *at != from && seat.listed && seat.votes && seat.up;
        let all = || self.course.seats.iter().enumerate().filter(can);
        all().find(|(_, seat)| seat.newcomer.is_some()).or_else(|| all().next()).map(|(at, _)| at)
    }

    /// The one newcomer of a change that adds one.
    fn next_in(&mut self, votes: bool) {
        let seat = self.seat_of(0);
        self.bring_in(seat, votes);
    }

    fn replace(&mut self, member: &str) {
        let old = self.find(member);
        let there = self.course.seats.iter().any(|seat| seat.newcomer == Some(0) && seat.listed);
        if old.is_none() && !there {
            self.course.problem = Some(Problem::NoSuchMember(member.to_owned()));
            return;
        }
        let dead = old.and_then(|at| self.course.seats.get(at)).is_some_and(|seat| !seat.up);
        let new = self.seat_of(0);
        if let Some(old) = old.filter(|_| dead) {
            self.take_out(old);
        }
        self.bring_in(new, true);
        if let Some(old) = old.filter(|_| !dead) {
            self.take_out(old);
        }
    }

    fn promote(&mut self, member: &str) {
        match self.find(member).and_then(|at| self.course.seats.get(at).map(|seat| (at, seat.votes))) {
            Some((at, false)) => self.bring_in(at, true),
            // It votes, and nobody else waits to be promoted: the promotion is done.
            Some((_, true)) if self.course.now.learners == 0 => {}
            Some((_, true)) => self.course.problem = Some(Problem::NoLearner(member.to_owned())),
            None => self.course.problem = Some(Problem::NoSuchMember(member.to_owned())),
        }
    }

    /// Seats that are no newcomers, those that are down first, the leader last.
    fn established(&self) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.course.seats.len())
            .filter(|at| self.course.seats.get(*at).is_some_and(|seat| seat.newcomer.is_none() && seat.listed))
            .collect();
        crate::sort::by_key(&mut all, |at| self.course.seats.get(*at).map(|seat| (seat.up, seat.leads)));
        all
    }

    fn move_all(&mut self) {
        let old = self.established();
        let count = if self.newcomers.is_empty() { old.len() } else { self.newcomers.len() };
        let new: Vec<usize> = (0..count).map(|n| self.seat_of(n)).collect();
        let votes = |walk: &Self, at: &usize| {
            walk.course.seats.get(*at).is_some_and(|seat| seat.listed && seat.votes && seat.started)
        };
        let mut pending = new.iter().filter(|at| !votes(self, at)).copied().collect::<Vec<_>>().into_iter();
        // Those whose places were taken before this paste go first.
        let done = old.len().saturating_sub(pending.len());
        for (n, old) in old.into_iter().enumerate() {
            let dead = self.course.seats.get(old).is_some_and(|seat| !seat.up);
            let new = if n < done { None } else { pending.next() };
            if dead {
                self.take_out(old);
            }
            if let Some(new) = new {
                self.bring_in(new, true);
            }
            if !dead {
                self.take_out(old);
            }
        }
    }

    fn grow(&mut self, size: usize) {
        let there = self.course.seats.iter().filter(|seat| seat.votes && seat.newcomer.is_none()).count();
        let voting = self.course.now.voters;
        let half_way = self.course.incoming().any(|seat| !(seat.votes && seat.started));
        if voting >= size && !half_way {
            self.course.problem = Some(Problem::AlreadySo(voting));
            return;
        }
        for n in 0..size.saturating_sub(there) {
            let seat = self.seat_of(n);
            self.bring_in(seat, true);
        }
    }

    fn shrink(&mut self, size: usize) {
        let voting = self.course.now.voters;
        if voting <= size {
            self.course.problem = Some(Problem::AlreadySo(voting));
            return;
        }
        let voters: Vec<usize> = self
            .established()
            .into_iter()
            .filter(|at| self.course.seats.get(*at).is_some_and(|seat| seat.votes))
            .collect();
        // Dead ones first; of those that live, the last of the list before the first, and the leader not at all.
        let (dead, live): (Vec<usize>, Vec<usize>) =
            voters.into_iter().partition(|at| self.course.seats.get(*at).is_some_and(|seat| !seat.up));
        let leads = |at: &usize| self.course.seats.get(*at).is_some_and(|seat| seat.leads);
        let (leader, mut followers): (Vec<usize>, Vec<usize>) = live.into_iter().partition(leads);
        followers.reverse();
        let order: Vec<usize> = dead.into_iter().chain(followers).chain(leader).take(voting - size).collect();
        for seat in order {
            self.take_out(seat);
        }
    }
}

/// A learner goes at any time, as long as there is a quorum to agree.
fn without_vote(now: &Tally) -> Result<(), Refusal> {
    if now.holds() { Ok(()) } else { Err(Refusal::NoQuorum) }
}

#[cfg(test)]
mod tests;
