//! When etcd lets the membership change, with strict reconfiguration checks on, as they are by default.
//!
//! Sources: `strict-add-started`, `strict-add-connected`, `strict-remove`, `learner-promote-quorum` and `max-learners`
//! of the facts, from etcd's `server.go` and `membership/cluster.go`, 3.4.45 to 3.7.1.

use crate::etcd::features;
use crate::etcd::version::Version;

/// The members counted at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Members that vote, whether or not they ever started.
    pub voters: usize,
    /// Of them those that ever started.
    pub started: usize,
    /// Of them those that answer.
    pub reachable: usize,
    /// Members that don't vote.
    pub learners: usize,
}

impl Tally {
    /// Voters a quorum needs; 0 without voters.
    #[must_use]
    pub fn quorum(&self) -> usize {
        if self.voters == 0 { 0 } else { quorum(self.voters) }
    }

    /// Does a quorum answer?
    #[must_use]
    pub fn holds(&self) -> bool {
        self.voters > 0 && self.reachable >= self.quorum()
    }

    /// How many more may fail; 0 also where there is no quorum.
    #[must_use]
    pub fn spare(&self) -> usize {
        self.reachable.saturating_sub(self.quorum())
    }
}

/// floor(voters / 2) + 1
fn quorum(voters: usize) -> usize {
    voters / 2 + 1
}

/// Which voters the member that is asked must be connected to before it takes an add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// All of them.
    Every,
    /// A quorum of the cluster as it is with one voter more.
    LargerQuorum,
    /// The version is not known, so either may hold.
    Unknown,
}

impl Rule {
    /// The rule of a version.
    #[must_use]
    pub fn of(version: Option<&Version>) -> Self {
        match version {
            Some(version) if features::ADD_WITH_MEMBER_DOWN.in_version(version) => Self::LargerQuorum,
            Some(_) => Self::Every,
            None => Self::Unknown,
        }
    }
}

/// Why a change is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// etcd: not enough started members.
    NotEnoughStarted,
    /// etcd: unhealthy cluster. `certain` is false where only the older of the two rules refuses and the version is
    /// not known.
    Unhealthy {
        /// Does it refuse whichever rule holds?
        certain: bool,
    },
    /// etcd: too many learners; no more than so many.
    TooManyLearners(usize),
    /// There is no quorum now that could agree on it.
    NoQuorum,
    /// It would be taken, and leave the cluster without a quorum.
    LosesQuorum,
    /// The last voter can't be removed.
    LastVoter,
}

/// What etcd says to `member add`.
///
/// # Errors
/// Why it refuses.
pub fn add(now: &Tally, learner: bool, rule: Rule, most_learners: usize) -> Result<(), Refusal> {
    if !now.holds() {
        return Err(Refusal::NoQuorum);
    }
    let larger = quorum(now.voters + 1);
    if !learner && now.started < larger && !(now.voters == 1 && now.started == 1) {
        return Err(Refusal::NotEnoughStarted);
    }
    if now.voters > 1 {
        let (every, enough) = (now.reachable == now.voters, now.reachable >= larger);
        match rule {
            Rule::Every if !every => return Err(Refusal::Unhealthy { certain: true }),
            Rule::LargerQuorum | Rule::Unknown if !enough => return Err(Refusal::Unhealthy { certain: true }),
            Rule::Unknown if !every => return Err(Refusal::Unhealthy { certain: false }),
            _ => {}
        }
    }
    if learner && now.learners >= most_learners {
        return Err(Refusal::TooManyLearners(most_learners));
    }
    Ok(())
}

/// What etcd says to `member promote` of a learner that is in sync.
///
/// # Errors
/// Why it refuses.
pub fn promote(now: &Tally) -> Result<(), Refusal> {
    if !now.holds() {
        return Err(Refusal::NoQuorum);
    }
    if now.started + 1 < quorum(now.voters + 1) { Err(Refusal::NotEnoughStarted) } else { Ok(()) }
}

/// What etcd says to `member remove` of a voter that ever started or not, and answers or not.
///
/// # Errors
/// Why it refuses.
pub fn remove_voter(now: &Tally, started: bool, reachable: bool) -> Result<(), Refusal> {
    if now.voters <= 1 {
        return Err(Refusal::LastVoter);
    }
    if !now.holds() {
        return Err(Refusal::NoQuorum);
    }
    let smaller = quorum(now.voters - 1);
    if now.started - usize::from(started && now.started > 0) < smaller {
        return Err(Refusal::NotEnoughStarted);
    }
    // One that is down is no part of what carries the cluster.
    if reachable && now.reachable - 1 < smaller {
        return Err(Refusal::Unhealthy { certain: true });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::version;

    fn tally(voters: usize, down: usize) -> Tally {
        Tally { voters, started: voters, reachable: voters - down, learners: 0 }
    }

    /// The versions on both sides of each rule, and whether an add is taken while a member is down and a quorum of the
    /// larger cluster answers.
    const SIDES: [(&str, bool); 8] = [
        ("3.4.23", false),
        ("3.4.45", false),
        ("3.5.29", false),
        ("3.5.30", true),
        ("3.6.10", false),
        ("3.6.11", true),
        ("3.7.0", true),
        ("3.5.0", false),
    ];

    /// Worked out from the words of the facts, not from the code: with d of n down, who is taken.
    #[test]
    fn an_add_is_taken_as_the_facts_say_for_every_size_and_every_version() {
        for (text, newer) in SIDES {
            let rule = Rule::of(Some(&version(text)));
            for voters in 1..=7_usize {
                for down in 0..=3_usize.min(voters) {
                    let up = voters - down;
                    let has_quorum = up > voters / 2;
                    let connected = if newer { up > voters.div_ceil(2) } else { down == 0 } || voters == 1;
                    let taken = has_quorum && connected;
                    for learner in [false, true] {
                        let said = add(&tally(voters, down), learner, rule, 1);
                        assert_eq!(
                            said.is_ok(),
                            taken,
                            "{text}: {voters} voters, {down} down, learner {learner}: {said:?}"
                        );
                    }
                }
            }
        }
    }

    /// `strict-add-connected`, `planner_rule`, and the captures `reconfig-*/01-add-voter-one-down`.
    #[test]
    fn three_with_one_down_are_refused_by_both_rules_and_five_by_the_older_only() {
        for rule in [Rule::Every, Rule::LargerQuorum, Rule::Unknown] {
            assert_eq!(add(&tally(3, 1), false, rule, 1), Err(Refusal::Unhealthy { certain: true }), "{rule:?}");
        }
        assert_eq!(add(&tally(5, 1), false, Rule::Every, 1), Err(Refusal::Unhealthy { certain: true }));
        assert_eq!(add(&tally(5, 1), false, Rule::LargerQuorum, 1), Ok(()));
        assert_eq!(add(&tally(5, 1), false, Rule::Unknown, 1), Err(Refusal::Unhealthy { certain: false }));
    }

    /// `strict-add-started`: a voter that never started counts for the quorum and not for the started.
    #[test]
    fn a_second_voter_waits_for_the_first_to_start() {
        let open = |voters| Tally { voters, started: voters - 1, reachable: voters - 1, learners: 0 };
        assert_eq!(add(&open(2), false, Rule::LargerQuorum, 1), Err(Refusal::NoQuorum));
        assert_eq!(add(&open(3), false, Rule::LargerQuorum, 1), Err(Refusal::NotEnoughStarted));
        assert_eq!(add(&tally(1, 0), false, Rule::Every, 1), Ok(()), "from one voter to two is let through");
    }

    /// `strict-remove`, and the captures `reconfig-*/04-remove-healthy-one-down`, `05-remove-the-down-one`.
    #[test]
    fn a_removal_is_taken_as_the_facts_say_for_every_size() {
        for voters in 1..=7_usize {
            for down in 0..=3_usize.min(voters) {
                let (up, now) = (voters - down, tally(voters, down));
                let has_quorum = up > voters / 2 && voters > 1;
                let healthy = has_quorum && up > 1 + (voters - 1) / 2;
                if up > 0 {
                    assert_eq!(remove_voter(&now, true, true).is_ok(), healthy, "{voters} voters, {down} down");
                }
                if down > 0 {
                    let dead = has_quorum && voters > (voters - 1) / 2 + 1;
                    assert_eq!(remove_voter(&now, true, false).is_ok(), dead, "{voters} voters, {down} down");
                }
            }
        }
        assert_eq!(remove_voter(&tally(3, 1), true, true), Err(Refusal::Unhealthy { certain: true }));
        assert_eq!(remove_voter(&tally(3, 1), true, false), Ok(()));
        assert_eq!(remove_voter(&tally(1, 0), true, true), Err(Refusal::LastVoter));
    }

    /// `max-learners`, and the captures `learner-*/07-second-learner`.
    #[test]
    fn one_learner_is_the_limit_unless_it_was_raised() {
        let with = |learners| Tally { learners, ..tally(3, 0) };
        assert_eq!(add(&with(1), true, Rule::Every, 1), Err(Refusal::TooManyLearners(1)));
        assert_eq!(add(&with(1), true, Rule::Every, 2), Ok(()));
        assert_eq!(add(&with(1), false, Rule::Every, 1), Ok(()));
    }

    #[test]
    fn a_promotion_needs_started_voters_only_and_never_costs_the_quorum() {
        for voters in 1..=7_usize {
            for down in 0..=3_usize.min(voters) {
                let now = tally(voters, down);
                assert_eq!(promote(&now).is_ok(), now.holds(), "{voters} voters, {down} down");
                if promote(&now).is_ok() {
                    let after =
                        Tally { voters: voters + 1, started: voters + 1, reachable: now.reachable + 1, learners: 0 };
                    assert!(after.holds(), "{voters} voters, {down} down");
                }
            }
        }
    }
}
