//! Does a change of members need a user?
//!
//! # Asks
//! Whether authentication is on.
//!
//! # Blocks when
//! Never: it passes with a note.
//!
//! # Why
//! With authentication on only a user with the role root may change members; others are told `permission denied`.
//!
//! # Remedy
//! Give the commands a user with the role root.
//!
//! # Sources
//! - seen-auth: what authentication refuses.

use super::question::{Question, seen};
use super::{Asked, FOR_MEMBERS, Finding, Gate, Ground, Group, Need, sight};
use crate::etcd::sources::key;
use crate::evidence::answers::AnswerKey;

/// The gate.
pub static GATE: Gate = Gate {
    id: "auth-root-needed",
    group: Group::Change,
    sources: &[key::SEEN_AUTH],
    asked: Asked::Now,
    intents: FOR_MEMBERS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let asked: Vec<_> = q.cluster.members.iter().filter_map(sight::refusal_at).collect();
    let (on, grounds) = match (&q.cluster.auth, q.answers.yes(AnswerKey::Auth)) {
        (Some(auth), _) => (auth.value, seen([&auth.span])),
        (None, Some(yes)) => (yes, vec![Ground::Answered(AnswerKey::Auth)]),
        (None, None) if !asked.is_empty() => (true, seen(asked)),
        (None, None) => return Vec::new(),
    };
    if !on {
        return vec![Finding::passed("Authentication is off.", grounds)];
    }
    let note = "Add --user with a user of the role root to every command of the plan; etcdctl asks for the password.";
    vec![Finding::passed("Authentication is on.", grounds).with_note(note)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome::{NotLookedAt, Passed};
    use crate::gates::testing::changing;

    #[test]
    fn it_needs_no_decision() {
        assert_eq!(changing(&GATE, &three_members("3.5.33").auth(true), &[]), [Passed]);
        assert_eq!(changing(&GATE, &three_members("3.5.33"), &["auth=no"]), [Passed]);
        assert_eq!(changing(&GATE, &three_members("3.5.33"), &[]), [NotLookedAt]);
    }
}
