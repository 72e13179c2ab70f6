//! Is the v2 API on?
//!
//! # Asks
//! Whether the flags of any member that still has to be rolled turn the v2 API on: on the command line, in the
//! environment or in the config file.
//!
//! # Blocks when
//! A member's flags turn it on.
//!
//! # Why
//! With the v2 API on, every health probe on the client port (`GET /health`) writes a v2 record into the WAL, without
//! any v2 key. The first member of the new minor panics on it, at start or live in the mixed cluster, and no value of
//! the v2 deprecation flag helps. The v2 store is clean all the while, so a check that does not read the WAL says so.
//!
//! # Remedy
//! Turn it off on all members, let each write a disk snapshot so that the records leave the WAL, then check the v2 store
//! with an `etcdutl` that reads the WAL.
//!
//! # Sources
//! - seen-v2-36: a health probe that stops a member, and the cure.
//! - upgrade-3.6: what etcd's guide asks for.

use super::question::{FlagsSeen, Question, seen};
use super::{Asked, Cause, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Ground, Group, Outcome, asks, sight, words};
use crate::cluster::settings;
use crate::etcd::flags::name;
use crate::etcd::sources::key;
use crate::evidence::fact::{FlagForm, FlagSetting};

/// The gate.
pub static GATE: Gate = Gate {
    id: "v2-api-enabled",
    group: Group::V2Store,
    sources: &[key::SEEN_V2_36, key::UPGRADE_3_6],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |q| q.on_hops(|rules| rules.checks_v2_store),
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let to_roll = q.to_roll();
    let flags: Vec<FlagsSeen<'_>> =
        q.flags().into_iter().filter(|f| f.member.is_none_or(|m| to_roll.contains(&m))).collect();
    let on: Vec<(Option<usize>, &FlagSetting)> = flags
        .iter()
        .flat_map(|f| f.seen.value.settings.iter().map(|s| (f.member, s)))
        .filter(|(_, s)| settings::is(s, name::ENABLE_V2) && sight::is_on(s))
        .collect();
    let mut findings = Vec::new();
    if on.is_empty() {
        let told = sight::logged(q, GATE.id, &remedy(q));
        findings.extend(told.into_iter().map(|f| Finding { outcome: Outcome::Blocked, ..f }));
    } else {
        findings.push(turned_on(q, &on));
    }
    let unknown: Vec<usize> =
        q.without_flags().into_iter().filter(|m| !on.iter().any(|(member, _)| *member == Some(*m))).collect();
    if !unknown.is_empty() || (q.cluster.members.is_empty() && flags.is_empty()) {
        let whose = if unknown.is_empty() { "of the members".to_owned() } else { format!("of {}", q.names(&unknown)) };
        let statement = format!("The flags {whose} are not shown, so the v2 API may be on.");
        findings.push(Finding::cant_tell(statement, asks::flags(q, &unknown)).about(&unknown));
    }
    if findings.is_empty() {
        let statement = "No member's flags turn the v2 API on.";
        let grounds = if flags.is_empty() { running_beyond(q) } else { seen(flags.iter().map(|f| &f.seen.span)) };
        findings.push(Finding::passed(statement, grounds));
    }
    findings
}

fn turned_on(q: &Question<'_>, on: &[(Option<usize>, &FlagSetting)]) -> Finding {
    let mut members: Vec<usize> = on.iter().filter_map(|(m, _)| *m).collect();
    members.dedup();
    let mut where_on: Vec<String> = on
        .iter()
        .map(|(member, setting)| {
            let place = match setting.form {
                FlagForm::CommandLine => "on the command line",
                FlagForm::Env => "in the environment",
                FlagForm::Yaml => "in the config file",
            };
            let whose = member.map_or_else(String::new, |m| format!(" of {}", q.label(m)));
            format!("{place}{whose}")
        })
        .collect();
    where_on.dedup();
    let statement = format!("{} is on {}.", name::ENABLE_V2, words::list(&where_on)).replace("is on on", "is set on");
    let grounds = seen(on.iter().map(|(_, setting)| &setting.span));
    Finding::blocked(statement, grounds, remedy(q)).caused_by(Cause::V2Api).about(&members)
}

fn remedy(q: &Question<'_>) -> String {
    format!(
        "Turn {} off on every member, restart each once with --{}=1, write a few keys so that a disk snapshot is taken, \
         take that flag off again, then stop each member and run check v2store. With it on, each GET /health of a probe \
         writes a v2 record into the WAL, and {} panics on it.",
        name::ENABLE_V2,
        name::SNAPSHOT_COUNT,
        q.hop().map_or_else(|| "the next minor".to_owned(), |hop| hop.to.to_string()),
    )
}

/// Nobody is left to roll: what shows that.
fn running_beyond(q: &Question<'_>) -> Vec<Ground> {
    seen(q.cluster.members.iter().filter_map(|m| m.version().map(|(_, span)| span)))
}

/// Do any flags that were pasted turn the v2 API on?
pub(super) fn any_on(q: &Question<'_>) -> bool {
    q.flags().iter().flat_map(|f| &f.seen.value.settings).any(|s| settings::is(s, name::ENABLE_V2) && sight::is_on(s))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::evidence::fact::FlagSource;
    use crate::gates::Outcome;
    use crate::gates::testing::{asked, only, outcomes};

    #[test]
    fn every_form_turns_it_on_and_false_does_not() {
        let (line, env, yaml) = (FlagForm::CommandLine, FlagForm::Env, FlagForm::Yaml);
        for (source, form, setting, on) in [
            (FlagSource::SystemdUnit, line, "enable-v2", true),
            (FlagSource::SystemdUnit, line, "enable-v2=true", true),
            (FlagSource::SystemdUnit, env, "enable-v2=1", true),
            (FlagSource::ConfigFile, yaml, "enable-v2=true", true),
            (FlagSource::SystemdUnit, line, "enable-v2=false", false),
            (FlagSource::SystemdUnit, env, "enable-v2=", false),
            (FlagSource::ConfigFile, yaml, "enable-v2=false", false),
        ] {
            let cluster = three_members("3.5.33").clean_flags().flags_from("m2", source, form, &[setting]);
            let wanted = if on { Outcome::Blocked } else { Outcome::Passed };
            assert_eq!(outcomes(&GATE, &cluster, "3.6", &[]), [wanted], "{setting} {form:?}");
        }
    }

    #[test]
    fn the_danger_of_health_probes_is_said() {
        let cluster = three_members("3.5.33").clean_flags().flags_from(
            "m2",
            FlagSource::SystemdUnit,
            FlagForm::CommandLine,
            &["enable-v2"],
        );
        let finding = only(&GATE, &cluster, "3.6", &[]);
        assert_eq!(finding.statement, "enable-v2 is set on the command line of m2.");
        assert!(finding.remedy.is_some_and(|r| r.contains("GET /health") && r.contains("3.6 panics")));
    }

    #[test]
    fn flags_nobody_pasted_may_hold_it() {
        let some = three_members("3.5.33").flags("m1", &["name=m1"]).flags("m2", &["name=m2"]);
        let finding = only(&GATE, &some, "3.6", &[]);
        assert_eq!((finding.outcome, finding.member), (Outcome::CantTell, Some(2)));
        // A fragment, such as an environment file alone, does not show the whole start.
        let fragment = some.flags_from("m3", FlagSource::EnvFile, FlagForm::Env, &["name=m3"]);
        assert_eq!(outcomes(&GATE, &fragment, "3.6", &[]), [Outcome::CantTell]);
    }

    #[test]
    fn it_stops_a_route_that_only_later_crosses_the_hop() {
        let cluster = three_members("3.4.45").clean_flags().flags("m2", &["enable-v2", "name=m2"]);
        let findings = asked(&GATE, &cluster, "3.6", &[]);
        assert_eq!(findings.iter().map(|f| f.outcome).collect::<Vec<_>>(), [Outcome::Blocked]);
        assert_eq!(findings[0].hop.map(|h| h.to_string()).as_deref(), Some("3.5 → 3.6"));
    }

    #[test]
    fn hops_that_do_not_cross_it_do_not_ask() {
        assert_eq!(outcomes(&GATE, &three_members("3.6.16"), "3.7", &[]), [Outcome::NotApplicable]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.30"), "3.5", &[]), [Outcome::NotApplicable]);
    }
}
