//! Is a flag still set that the target no longer has?
//!
//! # Asks
//! Whether the flags of any member that still has to be rolled name one that the minor this leg goes to does not know,
//! and an older minor did. `etcd grpc-proxy` and `etcd gateway` have flags of their own and are not looked at.
//!
//! # Blocks when
//! Such a flag stands on a command line. In the environment or in the config file it warns. On a later leg it warns,
//! since most replacements exist only on the minor before it: the plan has a step there.
//!
//! # Why
//! A flag etcd does not know ends the process at once with exit code 2, whatever its value: also `false`. The same name
//! in the environment is only logged, as a key of the config file not even that: the member starts, and the setting is
//! lost without anybody being told.
//!
//! # Remedy
//! Take the flag off, or replace it where etcd has a replacement, before the first member starts the new minor.
//!
//! # Sources
//! - seen-flags: starts with removed flags, in all three forms.
//! - server-flags-3.5, server-flags-3.6, server-flags-3.7: the flags of each minor.

use super::question::{FlagsSeen, Question, seen};
use super::{Asked, Cause, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Group, asks, words};
use crate::etcd::flags::{self, Flag, name};
use crate::etcd::log_messages::Effect;
use crate::etcd::sources::key;
use crate::etcd::version::{Minor, Version};
use crate::evidence::fact::{FlagForm, FlagSetting};

/// The gate.
pub static GATE: Gate = Gate {
    id: "flag-removed",
    group: Group::Flags,
    sources: &[key::SEEN_FLAGS, key::SERVER_FLAGS_3_5, key::SERVER_FLAGS_3_6, key::SERVER_FLAGS_3_7],
    asked: Asked::EachLeg,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |q| q.on_hops(|_| true),
    check,
};

/// A setting that is lost, and whose it is.
struct Lost<'a> {
    member: Option<usize>,
    setting: &'a FlagSetting,
    flag: &'static Flag,
}

fn check(q: &Question<'_>) -> Vec<Finding> {
    let Some((hop, target)) = q.hop().zip(q.leg.map(|leg| &leg.target)) else { return Vec::new() };
    let to_roll = q.to_roll();
    let flags: Vec<FlagsSeen<'_>> =
        q.flags().into_iter().filter(|f| f.member.is_none_or(|m| to_roll.contains(&m))).collect();
    let settings = flags.iter().flat_map(|f| f.seen.value.settings.iter().map(|s| (f.member, s)));
    let lost: Vec<Lost<'_>> = settings
        .filter_map(|(member, setting)| {
            let flag = flag_of(setting, hop.from)?;
            let gone = removed(flag, target) && (q.first || flag.in_minor(hop.from).is_some());
            (gone && !is_unset(setting)).then_some(Lost { member, setting, flag })
        })
        .collect();
    let (stops, silent): (Vec<_>, Vec<_>) = lost.into_iter().partition(|l| l.setting.form == FlagForm::CommandLine);
    let mut findings = Vec::new();
    let refused = q.logged(GATE.id, |effect| effect == Effect::Stops);
    if q.first && !refused.is_empty() {
        let text = refused.first().map_or("", |l| l.seen.value.text.as_str());
        let remedy =
            "Take that flag off, or replace it, on every member: the binary does not know it and does not start.";
        let grounds = seen(refused.iter().map(|l| &l.seen.span));
        let statement = format!("A start ended on a flag the binary does not know ({text}).");
        findings.push(Finding::blocked(statement, grounds, remedy));
    }
    let lost = if q.first { q.logged(GATE.id, |effect| effect == Effect::Warns) } else { Vec::new() };
    let lost: Vec<_> = lost.into_iter().filter(|l| names_a_flag(&l.seen.value.text)).collect();
    if !lost.is_empty() {
        let statement = "A log tells of variables that etcd had a flag for once: what they set is lost.";
        let remedy =
            "Take the variables out, or replace them where etcd has a replacement: the member starts without them.";
        findings.push(Finding::warning(statement, seen(lost.iter().map(|l| &l.seen.span)), remedy));
    }
    if !stops.is_empty() {
        findings.push(stops_the_start(q, hop.from, target.minor(), &stops));
    }
    if !silent.is_empty() {
        findings.push(lost_in_silence(q, hop.from, target.minor(), &silent));
    }
    let unknown = q.without_flags();
    if !unknown.is_empty() || (q.cluster.members.is_empty() && flags.is_empty()) {
        let whose = if unknown.is_empty() { "of the members".to_owned() } else { format!("of {}", q.names(&unknown)) };
        let statement = format!("The flags {whose} are not shown.");
        findings.push(Finding::cant_tell(statement, asks::flags(q, &unknown)).about(&unknown));
    }
    if findings.is_empty() {
        let statement = format!("{} knows every flag that is set.", target.minor());
        let running = q.cluster.members.iter().filter_map(|m| m.version().map(|(_, span)| span));
        let spans: Vec<_> = flags.iter().map(|f| &f.seen.span).collect();
        let grounds = if spans.is_empty() { seen(running) } else { seen(spans) };
        findings.push(Finding::passed(statement, grounds));
    }
    findings
}

/// The flag a setting sets. YAML has names of its own, which differ between minors.
pub(super) fn flag_of(setting: &FlagSetting, minor: Minor) -> Option<&'static Flag> {
    let by_key = || {
        flags::by_yaml_key(&setting.name, minor).or_else(|| {
            let known = |f: &&Flag| {
                f.minors.iter().any(|m| m.yaml_key.is_some_and(|key| key.eq_ignore_ascii_case(&setting.name)))
            };
            flags::all().iter().find(known)
        })
    };
    match setting.form {
        FlagForm::Yaml => by_key().or_else(|| flags::by_name(&setting.name.to_ascii_lowercase())),
        FlagForm::CommandLine | FlagForm::Env => flags::by_name(&setting.name),
    }
}

/// Does the line name the variable of a flag that etcd has or had? Others are common around images and do nothing.
fn names_a_flag(line: &str) -> bool {
    line.match_indices("ETCD_").any(|(at, _)| {
        let rest = line.get(at..).unwrap_or_default();
        let end = rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        rest.get(..end).is_some_and(|variable| flags::all().iter().any(|flag| flag.env == variable))
    })
}

/// Had an older minor this flag, and the target's has not?
fn removed(flag: &Flag, target: &Version) -> bool {
    flag.in_minor(target.minor()).is_none() && flag.minors.iter().any(|m| m.minor < target.minor())
}

/// etcd takes an empty environment variable as unset.
fn is_unset(setting: &FlagSetting) -> bool {
    setting.form == FlagForm::Env && setting.value.as_deref().is_some_and(str::is_empty)
}

fn stops_the_start(q: &Question<'_>, from: Minor, to: Minor, stops: &[Lost<'_>]) -> Finding {
    let statement = format!(
        "{} {} on the command line: {to} does not know {} and exits with code 2.",
        words::list(&named(q, stops)),
        words::verb(named(q, stops).len(), "stands", "stand"),
        words::verb(named(q, stops).len(), "it", "them"),
    );
    let grounds = seen(stops.iter().map(|l| &l.setting.span));
    let how = words::list(&replacements(stops, from));
    let only_v2 = stops.iter().all(|lost| lost.flag.name == name::ENABLE_V2 && super::sight::is_on(lost.setting));
    let finding = if q.first {
        let remedy = format!(
            "{how}. Do it on every member before it starts {to}, where even a value of false ends the process."
        );
        Finding::blocked(statement, grounds, remedy)
    } else {
        let remedy =
            format!("{how}. The plan has the step: do it once every member runs {from}, before the first starts {to}.");
        Finding::warning(statement, grounds, remedy)
    }
    .about(&members(stops));
    if only_v2 { finding.caused_by(Cause::V2Api) } else { finding }
}

fn lost_in_silence(q: &Question<'_>, from: Minor, to: Minor, silent: &[Lost<'_>]) -> Finding {
    let env = silent.iter().any(|l| l.setting.form == FlagForm::Env);
    let yaml = silent.iter().any(|l| l.setting.form == FlagForm::Yaml);
    let (place, told) = match (env, yaml) {
        (true, true) => ("in the environment and the config file", "tells nobody but its log"),
        (true, false) => ("in the environment", "says so only in its log"),
        _ => ("in the config file", "tells nobody"),
    };
    let each: Vec<String> = silent.iter().map(|l| written(l.setting, l.flag)).collect();
    let statement = format!(
        "{} {} {place}{}: {to} starts without {} and {told}.",
        words::list(&deduplicated(each)),
        words::verb(silent.len(), "stands", "stand"),
        whose(q, silent),
        words::verb(silent.len(), "it", "them"),
    );
    let grounds = seen(silent.iter().map(|l| &l.setting.span));
    let remedy = format!("{}. What it set is lost on {to}.", words::list(&replacements(silent, from)));
    Finding::warning(statement, grounds, remedy).about(&members(silent))
}

/// ` of m1 and m2`, or nothing where no member is known.
fn whose(q: &Question<'_>, lost: &[Lost<'_>]) -> String {
    let members = members(lost);
    if members.is_empty() { String::new() } else { format!(" of {}", q.names(&members)) }
}

fn members(lost: &[Lost<'_>]) -> Vec<usize> {
    let mut members: Vec<usize> = lost.iter().filter_map(|l| l.member).collect();
    crate::sort::sort(&mut members);
    members.dedup();
    members
}

/// Each flag once, with the members that have it.
fn named(q: &Question<'_>, lost: &[Lost<'_>]) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for one in lost {
        if !names.contains(&one.flag.name) {
            names.push(one.flag.name);
        }
    }
    let of = |name: &str| {
        let these: Vec<usize> = lost.iter().filter(|l| l.flag.name == name).filter_map(|l| l.member).collect();
        let mut these = these;
        crate::sort::sort(&mut these);
        these.dedup();
        if these.is_empty() { format!("--{name}") } else { format!("--{name} of {}", q.names(&these)) }
    };
    names.into_iter().map(of).collect()
}

/// What to do about each flag, as clauses in the imperative. Feature gates go into one list: a second one is refused or
/// takes the place of the first.
fn replacements(lost: &[Lost<'_>], from: Minor) -> Vec<String> {
    let mut take_off: Vec<String> = Vec::new();
    let mut clauses: Vec<String> = Vec::new();
    let mut gates: Vec<(FlagForm, Vec<String>, Vec<String>)> = Vec::new();
    for one in lost {
        let old = written(one.setting, one.flag);
        match replacement(one.setting, one.flag) {
            None => take_off.push(old),
            Some(Replacement::Gate(gate)) => {
                let form = one.setting.form;
                match gates.iter_mut().find(|(known, _, _)| *known == form) {
                    Some((_, olds, all)) => {
                        olds.push(old);
                        all.push(gate);
                    }
                    None => gates.push((form, vec![old], vec![gate])),
                }
            }
            Some(Replacement::Flags { text, first }) => {
                let known = first.is_some_and(|flag| flag.in_minor(from).is_some());
                let when = if known { "" } else { ", which only the new minor knows," };
                clauses.push(format!("replace {old} by {text}{when}"));
            }
        }
    }
    for (form, olds, all) in gates {
        let list = deduplicated(all).join(",");
        let new = in_form(form, name::FEATURE_GATES, Some(&list));
        clauses.push(format!("replace {} by {new}", words::list(&deduplicated(olds))));
    }
    if !take_off.is_empty() {
        clauses.insert(0, format!("take {} off", words::list(&deduplicated(take_off))));
    }
    let mut clauses = deduplicated(clauses);
    if let Some(first) = clauses.first_mut() {
        *first = words::sentence(first);
    }
    clauses
}

fn deduplicated(mut list: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    list.retain(|item| seen.insert(item.clone()));
    list
}

/// What stands for a flag on the new minor, written as the old one is.
enum Replacement {
    /// A feature gate with its value: `InitialCorruptCheck=true`.
    Gate(String),
    /// One flag or more, and the first of them.
    Flags {
        /// As they are written.
        text: String,
        /// The first.
        first: Option<&'static Flag>,
    },
}

fn replacement(setting: &FlagSetting, flag: &Flag) -> Option<Replacement> {
    let by = flag.replaced_by()?;
    let value = match (setting.value.as_deref(), setting.form) {
        (None, FlagForm::CommandLine) => "true",
        (value, _) => value.unwrap_or(""),
    };
    let parts: Vec<&str> = by.split(" + ").collect();
    if parts.len() > 1 {
        let all: Vec<String> = parts.iter().map(|part| in_form(setting.form, part, None)).collect();
        return Some(Replacement::Flags {
            text: words::list(&all),
            first: parts.first().and_then(|part| flags::by_name(part)),
        });
    }
    let (new, value) = match by.split_once('=') {
        Some((new, gate)) if new == name::FEATURE_GATES => return Some(Replacement::Gate(format!("{gate}={value}"))),
        Some((new, fixed)) => (new, Some(fixed)),
        // Only a flag of the same name but for what stands before it takes the same values.
        None => (by, (flag.name.ends_with(by) || by.ends_with(flag.name)).then_some(value)),
    };
    Some(Replacement::Flags { text: in_form(setting.form, new, value), first: flags::by_name(new) })
}

/// A setting as it is written in its form, without its value.
fn written(setting: &FlagSetting, flag: &Flag) -> String {
    match setting.form {
        FlagForm::CommandLine => format!("--{}", flag.name),
        FlagForm::Env => flag.env.to_owned(),
        FlagForm::Yaml => setting.name.clone(),
    }
}

/// A flag with its value, as it is written in a form.
fn in_form(form: FlagForm, name: &str, value: Option<&str>) -> String {
    let flag = flags::by_name(name);
    let with = |left: String, sign: &str| match value {
        Some(value) if !value.is_empty() => format!("{left}{sign}{value}"),
        _ => left,
    };
    match form {
        FlagForm::CommandLine => with(format!("--{name}"), "="),
        FlagForm::Env => with(flag.map_or_else(|| name.to_owned(), |f| f.env.to_owned()), "="),
        FlagForm::Yaml => {
            let key = flag.and_then(|f| f.minors.iter().rev().find_map(|m| m.yaml_key)).unwrap_or(name);
            with(key.to_owned(), ": ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::evidence::fact::FlagSource;
    use crate::gates::Outcome;
    use crate::gates::testing::{asked, only, outcomes};

    #[test]
    fn a_command_line_stops_the_start_whatever_the_value() {
        let cluster = three_members("3.5.33").clean_flags().flags("m2", &["name=m2", "enable-v2=false"]);
        let finding = only(&GATE, &cluster, "3.6", &[]);
        assert_eq!((finding.outcome, finding.member), (Outcome::Blocked, Some(1)));
        assert_eq!(
            finding.statement,
            "--enable-v2 of m2 stands on the command line: 3.6 does not know it and exits with code 2."
        );
        assert!(finding.remedy.is_some_and(|r| r.starts_with("Take --enable-v2 off.")));
    }

    #[test]
    fn a_replacement_is_written_as_the_old_setting_was() {
        let of = |source, form, setting: &str| {
            let cluster = three_members("3.6.16").clean_flags().flags_from("m2", source, form, &[setting]);
            only(&GATE, &cluster, "3.7", &[])
        };
        let line = of(FlagSource::SystemdUnit, FlagForm::CommandLine, "experimental-initial-corrupt-check");
        assert_eq!(line.outcome, Outcome::Blocked);
        let remedy = line.remedy.unwrap_or_default();
        assert!(remedy.contains("by --feature-gates=InitialCorruptCheck=true"), "{remedy}");
        let env = of(FlagSource::SystemdUnit, FlagForm::Env, "experimental-watch-progress-notify-interval=5s");
        assert_eq!(env.outcome, Outcome::Warning);
        let remedy = env.remedy.unwrap_or_default();
        assert!(remedy.contains("by ETCD_WATCH_PROGRESS_NOTIFY_INTERVAL=5s"), "{remedy}");
        let yaml = of(FlagSource::ConfigFile, FlagForm::Yaml, "experimental-corrupt-check-time=3600000000000");
        assert_eq!(yaml.outcome, Outcome::Warning);
        assert!(yaml.statement.contains("tells nobody"), "{}", yaml.statement);
        let remedy = yaml.remedy.unwrap_or_default();
        assert!(remedy.contains("by corrupt-check-time: 3600000000000"), "{remedy}");
    }

    #[test]
    fn feature_gates_go_into_one_list_and_values_only_where_they_fit() {
        let of = |runs: &str, to: &str, settings: &[&str]| {
            let cluster = three_members(runs).clean_flags().flags("m2", settings);
            let finding = only(&GATE, &cluster, to, &[]);
            finding.remedy.unwrap_or_default()
        };
        let checks = ["experimental-initial-corrupt-check", "experimental-compact-hash-check-enabled=true"];
        let remedy = of("3.6.16", "3.7", &checks);
        assert!(remedy.contains("by --feature-gates=InitialCorruptCheck=true,CompactHashCheck=true."), "{remedy}");
        let remedy = of("3.4.45", "3.5", &["log-package-levels=etcdserver=WARNING"]);
        assert!(remedy.contains("by --log-level."), "{remedy}");
    }

    #[test]
    fn experimental_flags_still_work_one_minor_on_and_have_a_step_before_the_next() {
        let cluster = three_members("3.5.33").clean_flags().flags("m2", &["experimental-initial-corrupt-check"]);
        assert_eq!(outcomes(&GATE, &cluster, "3.6", &[]), [Outcome::Passed]);
        let route = asked(&GATE, &cluster, "3.7", &[]);
        let later = route.iter().find(|f| f.outcome == Outcome::Warning);
        let later = later.and_then(|f| f.hop).map(|h| h.to_string());
        assert_eq!(later.as_deref(), Some("3.6 → 3.7"));
        assert!(route.iter().all(|f| f.outcome != Outcome::Blocked));
    }

    #[test]
    fn a_flag_gone_on_the_first_leg_is_not_said_again_of_the_next() {
        let cluster = three_members("3.5.33").clean_flags().flags("m2", &["enable-v2=false"]);
        let blocked: Vec<_> =
            asked(&GATE, &cluster, "3.7", &[]).into_iter().filter(|f| f.outcome != Outcome::Passed).collect();
        assert_eq!(blocked.len(), 1, "{blocked:#?}");
    }

    #[test]
    fn flags_of_members_that_are_done_do_not_matter_any_more() {
        let cluster = three_members("3.5.33").clean_flags().flags("m2", &["enable-v2=false"]).version("m2", "3.6.16");
        assert_eq!(outcomes(&GATE, &cluster, "3.6", &[]), [Outcome::Passed]);
    }
}
