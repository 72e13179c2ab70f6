//! Is authentication on, where a rolling upgrade does not support it?
//!
//! # Asks
//! Whether authentication is enabled.
//!
//! # Blocks when
//! It is.
//!
//! # Why
//! On this hop the way authentication is written into the raft log changes. One `auth status` answered by a member of
//! the new minor makes members of the old one panic, and a user added or a password changed through a new member is
//! stored with an empty password on the old ones. etcd's guide declares a rolling upgrade with authentication
//! unsupported. This gate asks you, and never for `auth status`: the old minor has no such command, and in a mixed
//! cluster it is what does the harm.
//!
//! # Remedy
//! Disable authentication for the roll, or stop all members and start them on the new minor together. After it set again
//! every password that was changed meanwhile.
//!
//! # Sources
//! - upgrade-3.5: etcd's guide says so.
//! - seen-auth: what happens in a mixed cluster.

use super::question::{Question, seen};
use super::{Ask, Asked, FOR_UPGRADE, Finding, Gate, Ground, Group, sight};
use crate::etcd::sources::key;
use crate::evidence::answers::AnswerKey;
use crate::evidence::fact::Span;

/// The gate.
pub static GATE: Gate = Gate {
    id: "auth-rolling-unsupported",
    group: Group::Around,
    sources: &[key::UPGRADE_3_5, key::SEEN_AUTH],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |q| q.on_hops(|rules| rules.auth_rolling_unsupported),
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let hop = q.hop().map_or_else(String::new, |hop| format!(" {hop}"));
    let blocked = |statement: &str, grounds: Vec<Ground>| {
        let remedy = "Disable authentication for the roll, or stop every member and start all of them on the new minor \
                      together. Until the last member is done, call no auth status and change no user or password: it \
                      panics old members or leaves empty passwords on them.";
        vec![Finding::blocked(format!("{statement}; a rolling upgrade{hop} does not support that."), grounds, remedy)]
    };
    if let Some(auth) = &q.cluster.auth {
        return if auth.value {
            blocked("Authentication is on", seen([&auth.span]))
        } else {
            vec![Finding::passed("Authentication is off.", seen([&auth.span]))]
        };
    }
    let refusals = refusals(q);
    if !refusals.is_empty() {
        return blocked("Authentication is on: a member asks for credentials", seen(refusals));
    }
    match q.answers.yes(AnswerKey::Auth) {
        Some(true) => blocked("Authentication is on", vec![Ground::Answered(AnswerKey::Auth)]),
        Some(false) => vec![Finding::passed("Authentication is off.", vec![Ground::Answered(AnswerKey::Auth)])],
        None => {
            vec![Finding::cant_tell("Whether authentication is on is not known.", vec![Ask::Answer(AnswerKey::Auth)])]
        }
    }
}

/// Where a member asked for credentials.
fn refusals<'a>(q: &Question<'a>) -> Vec<&'a Span> {
    let failed = q.cluster.members.iter().filter_map(|m| m.failed.as_ref()).chain(&q.cluster.failed);
    let failed = failed.filter(|f| sight::asks_for_credentials(&f.value.error)).map(|f| &f.span);
    let health = q.cluster.members.iter().filter_map(|m| m.health.as_ref()).chain(&q.cluster.health);
    let health = health.filter(|h| h.value.error.as_deref().is_some_and(sight::asks_for_credentials)).map(|h| &h.span);
    let errors = q.cluster.tool_errors.iter().filter(|e| sight::asks_for_credentials(&e.value.text)).map(|e| &e.span);
    failed.chain(health).chain(errors).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::evidence::fact::{Body, ToolError};
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn it_is_asked_and_never_looked_up() {
        let finding = only(&GATE, &three_members("3.4.45"), "3.5", &[]);
        assert_eq!(finding.outcome, Outcome::CantTell);
        assert_eq!(finding.asks, [Ask::Answer(AnswerKey::Auth)]);
    }

    #[test]
    fn what_was_pasted_wins_over_the_answer() {
        assert_eq!(outcomes(&GATE, &three_members("3.4.45").auth(true), "3.5", &["auth=no"]), [Outcome::Blocked]);
        let text = "etcdserver: user name is empty".to_owned();
        let refused = three_members("3.4.45").fact(Body::ToolError(ToolError { text }));
        assert_eq!(outcomes(&GATE, &refused, "3.5", &["auth=no"]), [Outcome::Blocked]);
        assert_eq!(outcomes(&GATE, &three_members("3.4.45").auth(false), "3.5", &[]), [Outcome::Passed]);
    }

    #[test]
    fn only_one_hop_asks() {
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &["auth=yes"]), [Outcome::NotApplicable]);
    }
}
