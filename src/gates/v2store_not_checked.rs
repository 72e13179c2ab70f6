//! Was the v2 store of every member checked?
//!
//! # Asks
//! Whether `etcdutl check v2store` ran on every member that still has to be rolled. A check that ended in an error did
//! not run. The answer "the v2 API was never on" does instead, but only when every member's flags show it off and the
//! cluster was created on a minor that had it off by default.
//!
//! # Blocks when
//! Never. A member that was not checked is "can't tell yet".
//!
//! # Why
//! The new minor refuses a v2 store with custom content, and panics on v2 records in the WAL. Old clusters hold such
//! data although nobody set a flag: the v2 API was once on by default. etcd's guide asks for no check when the flag was
//! never set; people found data all the same.
//!
//! # Remedy
//! Stop one member at a time and run the check with the newest `etcdutl` of the old minor, which reads the WAL too.
//!
//! # Sources
//! - upgrade-3.6: what etcd's guide asks for.
//! - source-check-v2store: what the check reads, by patch.
//! - server-flags-3.3: the v2 API on by default.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE, Finding, Gate, Ground, Group, asks, words};
use crate::etcd::flags::{self, name};
use crate::etcd::sources::key;
use crate::evidence::answers::AnswerKey;
use crate::evidence::fact::V2Check;

/// The gate.
pub static GATE: Gate = Gate {
    id: "v2store-not-checked",
    group: Group::V2Store,
    sources: &[key::UPGRADE_3_6, key::SOURCE_CHECK_V2STORE, key::SERVER_FLAGS_3_3],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE,
    need: |q| q.on_hops(|rules| rules.checks_v2_store),
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let members = &q.cluster.members;
    let to_roll = q.to_roll();
    let ran = |m: &usize| members.get(*m).and_then(|m| m.v2_check.as_ref()).is_some_and(|c| did_run(&c.value));
    let mut unchecked: Vec<usize> = to_roll.iter().copied().filter(|m| !ran(m)).collect();
    // Checks that say no member count for one each: three clean checks in a row are of three members.
    let loose = q.cluster.v2_checks.iter().filter(|c| did_run(&c.value)).count();
    unchecked = unchecked.into_iter().skip(loose).collect();
    let of_members = to_roll.iter().filter_map(|m| members.get(*m)).filter_map(|m| m.v2_check.as_ref());
    let checks: Vec<_> = of_members.chain(&q.cluster.v2_checks).collect();
    if unchecked.is_empty() && (!checks.is_empty() || (to_roll.is_empty() && !members.is_empty())) {
        let versions = members.iter().filter_map(|m| m.version().map(|(_, span)| span));
        let grounds = if checks.is_empty() { seen(versions) } else { seen(checks.iter().map(|c| &c.span)) };
        return vec![Finding::passed("The v2 store of every member still to be rolled was checked.", grounds)];
    }
    if let Some(grounds) = never_on(q) {
        let statement = "The v2 API was never on, as was answered and as every member's flags show.";
        return vec![Finding::passed(statement, grounds)];
    }
    let failed: Vec<_> = checks.iter().filter(|c| !did_run(&c.value)).collect();
    let whose = if unchecked.is_empty() { "of the members".to_owned() } else { format!("of {}", q.names(&unchecked)) };
    let statement = match failed.first().map(|c| &c.value) {
        Some(V2Check::NotRun(error)) => {
            format!("The v2 store {whose} was not checked: the check did not run ({error}).")
        }
        _ => format!("The v2 store {whose} was not checked."),
    };
    let mut finding = Finding::cant_tell(statement, asks::check_v2store(q, &unchecked))
        .with_grounds(seen(failed.iter().map(|c| &c.span)))
        .about(&unchecked);
    if q.answers.yes(AnswerKey::V2EverEnabled) == Some(false) {
        finding = finding.with_note(why_the_answer_is_not_enough(q));
        if q.answers.get(AnswerKey::BornOn).is_none() {
            finding.asks.push(super::Ask::Answer(AnswerKey::BornOn));
        }
    } else if q.answers.get(AnswerKey::V2EverEnabled).is_none() {
        finding.asks.push(super::Ask::Answer(AnswerKey::V2EverEnabled));
    }
    if finding.note.is_none() && !q.cluster.repeated.is_empty() {
        finding = finding.with_note(
            "A paste that was given twice counts once: say which member each is of, or paste it with the command and \
             the host above it.",
        );
    }
    vec![finding]
}

/// Did the check look at the store, whatever it found?
fn did_run(check: &V2Check) -> bool {
    !matches!(check, V2Check::NotRun(_))
}

/// The grounds on which "the v2 API was never on" answers this hop's v2 questions; `None` when it does not. Evidence
/// that shows v2 data or the API on stands on its own gates and wins there.
pub(super) fn never_on(q: &Question<'_>) -> Option<Vec<Ground>> {
    let answered = q.answers.yes(AnswerKey::V2EverEnabled) == Some(false);
    let shown = q.without_flags().is_empty() && !q.flags().is_empty();
    if !answered || !shown || !born_with_it_off(q) || super::v2_api_enabled::any_on(q) {
        return None;
    }
    let mut grounds = vec![Ground::Answered(AnswerKey::V2EverEnabled), Ground::Answered(AnswerKey::BornOn)];
    grounds.extend(q.flag_grounds());
    Some(grounds)
}

/// Was the cluster created on a minor that had the v2 API off unless it was turned on?
fn born_with_it_off(q: &Question<'_>) -> bool {
    // A cluster that runs an older minor than the one named was not created on that one, or went back.
    let born = q.answers.minor(AnswerKey::BornOn).filter(|born| q.route.from.is_none_or(|runs| *born <= runs));
    let row = |minor| flags::by_name(name::ENABLE_V2).and_then(|flag| flag.in_minor(minor));
    let newest_with = flags::by_name(name::ENABLE_V2).and_then(|flag| flag.minors.last());
    born.is_some_and(|minor| match row(minor) {
        Some(row) => row.default == "false",
        None => newest_with.is_some_and(|last| minor > last.minor),
    })
}

fn why_the_answer_is_not_enough(q: &Question<'_>) -> String {
    let mut missing = Vec::new();
    if !q.without_flags().is_empty() || q.flags().is_empty() {
        missing.push("the flags of every member, to show that it is off".to_owned());
    }
    if !born_with_it_off(q) {
        missing.push("that the cluster was created on a minor that had the v2 API off by default".to_owned());
    }
    if super::v2_api_enabled::any_on(q) {
        missing.push("that it is off today".to_owned());
    }
    format!("\"Never on\" answers this only together with {}.", words::list(&missing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::evidence::fact::Body;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn an_error_of_the_check_is_no_check() {
        let error = "unknown command \"check\" for \"etcdutl\"".to_owned();
        let failed = three_members("3.5.33")
            .v2_check("m1", V2Check::CleanWithWal)
            .v2_check("m3", V2Check::CleanWithWal)
            .v2_check("m2", V2Check::NotRun(error));
        let finding = only(&GATE, &failed, "3.6", &[]);
        assert_eq!((finding.outcome, finding.member), (Outcome::CantTell, Some(1)));
        assert!(finding.statement.contains("unknown command"), "{}", finding.statement);
        assert!(finding.asks.iter().any(|a| matches!(a, crate::gates::Ask::Command { .. })));
    }

    #[test]
    fn checks_of_nobody_in_particular_count_for_one_member_each() {
        let mut cluster = three_members("3.5.33");
        for outcome in [Outcome::CantTell, Outcome::CantTell, Outcome::Passed] {
            cluster = cluster.fact(Body::V2Check(V2Check::CleanWithWal));
            assert_eq!(outcomes(&GATE, &cluster, "3.6", &[]), [outcome]);
        }
    }

    #[test]
    fn never_on_answers_only_with_the_flags_and_the_birth() {
        let never = ["v2-ever-enabled=no", "born-on=3.4"];
        let clean = three_members("3.5.33").clean_flags();
        assert_eq!(outcomes(&GATE, &clean, "3.6", &never), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &clean, "3.6", &["v2-ever-enabled=no"]), [Outcome::CantTell]);
        assert_eq!(outcomes(&GATE, &clean, "3.6", &["v2-ever-enabled=no", "born-on=3.3"]), [Outcome::CantTell]);
        assert_eq!(outcomes(&GATE, &clean, "3.6", &["v2-ever-enabled=yes", "born-on=3.5"]), [Outcome::CantTell]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &never), [Outcome::CantTell]);
        let on = clean.flags("m2", &["enable-v2"]);
        assert_eq!(outcomes(&GATE, &on, "3.6", &never), [Outcome::CantTell]);
    }

    #[test]
    fn members_on_the_new_minor_need_no_check_any_more() {
        let mixed = three_members("3.5.33").version("m1", "3.6.16").version("m2", "3.6.16");
        assert_eq!(only(&GATE, &mixed, "3.6", &[]).member, Some(2));
        let checked = mixed.v2_check("m3", V2Check::CleanWithWal);
        assert_eq!(outcomes(&GATE, &checked, "3.6", &[]), [Outcome::Passed]);
    }
}
