//! Is a flag set that etcd never had?
//!
//! # Asks
//! Whether the flags of a member name one that no minor known to these rules has.
//!
//! # Blocks when
//! Such a name stands on a command line. As a key of the config file it warns. Environment variables that etcd does not
//! know are common around images and scripts and do nothing: they pass with a note.
//!
//! # Why
//! A flag etcd does not know ends the process with exit code 2, so a member whose command line has one was not started
//! from it, or will not start again. A misspelt key of the config file is ignored in silence: what it should set is not
//! set.
//!
//! # Remedy
//! Correct the name or take it off.
//!
//! # Sources
//! - seen-flags: starts with unknown flags, in all three forms.

use super::flag_removed::flag_of;
use super::question::{Question, Stage, seen};
use super::{Asked, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Group, Need, words};
use crate::etcd::flags;
use crate::etcd::sources::key;
use crate::evidence::fact::{FlagForm, FlagSetting};

/// The gate.
pub static GATE: Gate = Gate {
    id: "flag-unknown",
    group: Group::Flags,
    sources: &[key::SEEN_FLAGS],
    asked: Asked::Now,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |q| if q.stage() == Stage::Ahead { Need::OnSight } else { Need::NotApplicable },
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some(minor) = q.hop().map(|hop| hop.from).or(q.leg.map(|leg| leg.target.minor())) else { return Vec::new() };
    let flags = q.flags();
    if flags.is_empty() {
        return Vec::new();
    }
    let unknown: Vec<(Option<usize>, &FlagSetting)> = flags
        .iter()
        .flat_map(|f| f.seen.value.settings.iter().map(|s| (f.member, s)))
        .filter(|(_, s)| flag_of(s, minor).is_none() && !flags::is_ignored(&s.name))
        .collect();
    let of = |form: FlagForm| unknown.iter().copied().filter(|(_, s)| s.form == form).collect::<Vec<_>>();
    let names = |of: &[(Option<usize>, &FlagSetting)], sign: &str| {
        let mut names: Vec<String> = Vec::new();
        let mut named = std::collections::HashSet::new();
        for (member, setting) in of {
            let whose = member.map_or_else(String::new, |m| format!(" of {}", q.label(m)));
            let name = format!("{sign}{}{whose}", setting.name);
            if named.insert(name.clone()) {
                names.push(name);
            }
        }
        names
    };
    let members = |of: &[(Option<usize>, &FlagSetting)]| {
        let mut members: Vec<usize> = of.iter().filter_map(|(m, _)| *m).collect();
        members.dedup();
        members
    };
    let mut findings = Vec::new();
    let stops = of(FlagForm::CommandLine);
    if !stops.is_empty() {
        let names = names(&stops, "--");
        let statement = format!(
            "{} {} no flag of etcd: with {} on the command line it exits with code 2.",
            words::list(&names),
            words::verb(names.len(), "is", "are"),
            words::verb(names.len(), "it", "them"),
        );
        let remedy = "Correct the name or take it off. A process that has it does not start, so this is not the command \
                      line of a member that runs, or it will not start again.";
        let grounds = seen(stops.iter().map(|(_, s)| &s.span));
        findings.push(Finding::blocked(statement, grounds, remedy).about(&members(&stops)));
    }
    let ignored = of(FlagForm::Yaml);
    if !ignored.is_empty() {
        let names = names(&ignored, "");
        let statement = format!(
            "{} {} no key of etcd's config file and {} ignored in silence.",
            words::list(&names),
            words::verb(names.len(), "is", "are"),
            words::verb(names.len(), "is", "are"),
        );
        let remedy = "Correct the name or take it out: what it should set is not set.";
        let grounds = seen(ignored.iter().map(|(_, s)| &s.span));
        findings.push(Finding::warning(statement, grounds, remedy).about(&members(&ignored)));
    }
    if findings.is_empty() {
        let passed = Finding::passed("etcd knows every flag that is set.", seen(flags.iter().map(|f| &f.seen.span)));
        let inert = names(&of(FlagForm::Env), "");
        findings.push(if inert.is_empty() {
            passed
        } else {
            passed.with_note(format!("The environment sets {}, which etcd does not read.", words::list(&inert)))
        });
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::evidence::fact::FlagSource;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn what_an_unknown_name_does_depends_on_where_it_stands() {
        for (source, form, outcome) in [
            (FlagSource::SystemdUnit, FlagForm::CommandLine, Outcome::Blocked),
            (FlagSource::ConfigFile, FlagForm::Yaml, Outcome::Warning),
            (FlagSource::SystemdUnit, FlagForm::Env, Outcome::Passed),
        ] {
            let cluster = three_members("3.5.33").clean_flags().flags_from("m2", source, form, &["no-such-flag=1"]);
            let finding = only(&GATE, &cluster, "3.6", &[]);
            assert_eq!(finding.outcome, outcome, "{form:?}");
            assert_eq!(finding.note.is_some(), form == FlagForm::Env);
        }
    }

    #[test]
    fn names_etcd_ignores_and_flags_of_other_minors_are_known() {
        let cluster = three_members("3.5.33").clean_flags().flags("m2", &["snapshot=1", "feature-gates=AllAlpha=true"]);
        assert_eq!(outcomes(&GATE, &cluster, "3.6", &[]), [Outcome::Passed]);
    }
}
