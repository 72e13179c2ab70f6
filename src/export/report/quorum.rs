//! The change of members that is wanted, and the quorum before, during and after it.

use serde::{Deserialize, Serialize};

use crate::evidence::change::Change;
use crate::intent::change::{Origin, Wanted};
use crate::plan::members::step_id;
use crate::reconfiguration::{Act, Course, Stage, Tally};

/// The change of members.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MemberChangeOut {
    /// `replace`, `add-voter`, `add-learner`, `remove`, `promote`, `move`, `grow`, `shrink`
    pub kind: String,
    /// As it is given: `replace=m2`.
    pub text: String,
    /// In words: `replace m2 by m4`.
    pub words: String,
    /// The member it names, as it was named.
    pub member: Option<String>,
    /// Names of the members that come in, as far as known.
    pub new_names: Vec<String>,
    /// Their peer URLs, as far as known.
    pub new_peer_urls: Vec<String>,
    /// `said` by the person, `typed` as a command that was pasted, `open` where the cluster stands in the middle of it.
    pub from: String,
}

/// The members counted at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct QuorumOut {
    /// Id of the step after which it is so; `null` for now.
    pub step: Option<String>,
    /// The moment in words: `now`, `m4 added as a learner`.
    pub when: String,
    /// Members that vote.
    pub voters: usize,
    /// Of them those that ever started.
    pub started: usize,
    /// Of them those that answer.
    pub reachable: usize,
    /// Members that don't vote.
    pub learners: usize,
    /// Voters a quorum needs.
    pub quorum: usize,
    /// Does a quorum answer?
    pub holds: bool,
    /// How many more may fail.
    pub spare: usize,
    /// Does etcd take the step?
    pub taken: bool,
}

/// The change, where one is known.
pub(super) fn change(course: &Course) -> Option<MemberChangeOut> {
    let wanted = course.wanted.as_ref()?;
    let each = |part: fn(&crate::intent::change::Newcomer) -> Option<String>| {
        wanted.newcomers.iter().filter_map(part).collect::<Vec<String>>()
    };
    Some(MemberChangeOut {
        kind: wanted.change.verb().to_owned(),
        text: wanted.change.to_string(),
        words: words(wanted),
        member: wanted.change.member().map(str::to_owned),
        new_names: each(|new| new.name.clone()),
        new_peer_urls: each(|new| new.peer_url.clone()),
        from: match wanted.origin {
            Origin::Said => "said",
            Origin::Typed(_) => "typed",
            Origin::Open(_) => "open",
        }
        .to_owned(),
    })
}

fn words(wanted: &Wanted) -> String {
    let new = wanted.newcomers.first().and_then(|new| new.name.as_deref()).unwrap_or("a new member");
    match &wanted.change {
        Change::Replace(member) => format!("replace {member} by {new}"),
        Change::AddVoter => format!("add {new}"),
        Change::AddLearner => format!("add {new} as a learner"),
        Change::Remove(member) => format!("remove {member}"),
        Change::Promote(member) => format!("promote {member}"),
        Change::Move => "move to new machines".to_owned(),
        Change::Grow(size) => format!("grow to {size} voters"),
        Change::Shrink(size) => format!("shrink to {size} voters"),
    }
}

/// A row for now and one for each stage; none while no member is known.
pub(super) fn rows(course: &Course) -> Vec<QuorumOut> {
    if course.now.voters == 0 {
        return Vec::new();
    }
    let mut rows = vec![row(None, "now".to_owned(), &course.now, true)];
    for (at, stage) in course.stages.iter().enumerate() {
        let id = step_id(course, at);
        rows.push(row(id, when(course, stage), &stage.after, stage.refused.is_none()));
    }
    rows
}

fn row(step: Option<String>, when: String, tally: &Tally, taken: bool) -> QuorumOut {
    QuorumOut {
        step,
        when,
        voters: tally.voters,
        started: tally.started,
        reachable: tally.reachable,
        learners: tally.learners,
        quorum: tally.quorum(),
        holds: tally.holds(),
        spare: tally.spare(),
        taken,
    }
}

fn when(course: &Course, stage: &Stage) -> String {
    let label = |at: usize| course.seats.get(at).map_or("a member", |seat| seat.label.as_str());
    let who = label(stage.seat);
    if stage.refused.is_some() {
        let what = match stage.act {
            Act::AddLearner | Act::AddVoter => "add",
            Act::Promote => "promote",
            _ => "remove",
        };
        return format!("not taken: {what} {who}");
    }
    match stage.act {
        Act::AddLearner => format!("{who} added as a learner"),
        Act::AddVoter => format!("{who} added as a voter"),
        Act::Start => format!("{who} started"),
        Act::CatchUp => format!("{who} in sync"),
        Act::Promote => format!("{who} promoted"),
        Act::MoveLeader { to } => format!("{} leads", label(to)),
        Act::Remove => format!("{who} removed"),
    }
}
