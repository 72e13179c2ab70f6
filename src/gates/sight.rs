//! What gates share that judge what was pasted: settings, versions and rows of status, each with whose it is.

use std::collections::HashMap;

use super::finding::{Finding, Ground};
use super::question::{Question, VersionSeen, seen};
use super::words;
use crate::cluster::{Member, settings};
use crate::etcd::log_messages::Effect;
use crate::etcd::version::Version;
use crate::evidence::fact::{FlagForm, FlagSet, FlagSetting, Health, Seen, Span, Status};

/// A setting, and whose it is.
#[derive(Debug, Clone, Copy)]
pub struct Set<'a> {
    /// Index of the member; `None` when no member could be found for it.
    pub member: Option<usize>,
    /// The setting.
    pub setting: &'a FlagSetting,
}

/// Settings of the members that are still to be rolled, and of no member in particular, that are so.
#[must_use]
pub fn settings_that<'a>(q: &Question<'a>, so: &dyn Fn(&FlagSetting) -> bool) -> Vec<Set<'a>> {
    let to_roll = q.to_roll();
    let mut sets = Vec::new();
    for flags in q.flags() {
        if flags.member.is_none_or(|m| to_roll.contains(&m)) {
            let these = flags.seen.value.settings.iter().filter(|s| so(s));
            sets.extend(these.map(|setting| Set { member: flags.member, setting }));
        }
    }
    sets
}

/// Every setting of one flag, in whatever form; a variable set to nothing sets nothing.
#[must_use]
pub fn of_flag<'a>(q: &Question<'a>, flag: &str) -> Vec<Set<'a>> {
    settings_that(q, &|s| settings::is(s, flag) && !is_unset(s))
}

/// etcd takes an empty environment variable as unset.
#[must_use]
pub fn is_unset(setting: &FlagSetting) -> bool {
    setting.form == FlagForm::Env && setting.value.as_deref().is_some_and(str::is_empty)
}

/// Does the setting turn a switch on? Go takes 1, t and true; a bare flag is true.
#[must_use]
pub fn is_on(setting: &FlagSetting) -> bool {
    match (setting.value.as_deref(), setting.form) {
        (None | Some(""), FlagForm::CommandLine) => true,
        (None, _) => false,
        (Some(value), _) => matches!(value.trim().to_ascii_lowercase().as_str(), "true" | "t" | "1" | "yes" | "on"),
    }
}

/// The members of settings, each once.
#[must_use]
pub fn members_of(sets: &[Set<'_>]) -> Vec<usize> {
    let mut members: Vec<usize> = sets.iter().filter_map(|s| s.member).collect();
    crate::sort::sort(&mut members);
    members.dedup();
    members
}

/// Where settings stand.
#[must_use]
pub fn grounds_of(sets: &[Set<'_>]) -> Vec<Ground> {
    seen(sets.iter().map(|s| &s.setting.span))
}

/// Settings as they were written, each with its members: `--a=1 of m1 and m2, ETCD_B=2 of m3`.
#[must_use]
pub fn written(q: &Question<'_>, sets: &[Set<'_>]) -> String {
    let mut each: Vec<(String, Vec<usize>)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for set in sets {
        let text = text_of(set.setting);
        let at = *known.entry(text.clone()).or_insert_with(|| {
            each.push((text, Vec::new()));
            each.len() - 1
        });
        if let Some((member, (_, members))) = set.member.zip(each.get_mut(at))
            && !members.contains(&member)
        {
            members.push(member);
        }
    }
    let with_members = |(text, members): (String, Vec<usize>)| {
        if members.is_empty() { text } else { format!("{text} of {}", q.names(&members)) }
    };
    words::list(&each.into_iter().map(with_members).collect::<Vec<_>>())
}

/// A setting as it was written.
#[must_use]
pub fn text_of(setting: &FlagSetting) -> String {
    let env = crate::etcd::flags::by_name(&setting.name).map_or(setting.name.as_str(), |flag| flag.env);
    let (name, joint) = match setting.form {
        FlagForm::CommandLine => (format!("--{}", setting.name), "="),
        FlagForm::Env => (env.to_owned(), "="),
        FlagForm::Yaml => (setting.name.clone(), ": "),
    };
    setting.value.as_ref().map_or_else(|| name.clone(), |value| format!("{name}{joint}{value}"))
}

/// The versions evidence names that are so.
#[must_use]
pub fn versions_that<'a>(q: &Question<'a>, so: &dyn Fn(&Version) -> bool) -> Vec<VersionSeen<'a>> {
    q.versions().into_iter().filter(|v| so(v.version)).collect()
}

/// Who has these versions, as a sentence without its end: `m1 and m2 run 3.5.9 and m3 is set up for 3.5.1`.
#[must_use]
pub fn who_runs(q: &Question<'_>, versions: &[VersionSeen<'_>]) -> String {
    let mut each: Vec<(String, bool, Vec<String>)> = Vec::new();
    let mut known: HashMap<(&Version, bool), usize> = HashMap::new();
    for one in versions {
        let at = *known.entry((one.version, one.running)).or_insert_with(|| {
            each.push((one.version.to_string(), one.running, Vec::new()));
            each.len() - 1
        });
        let name = one.member.map_or_else(String::new, |m| q.label(m));
        if let Some((_, _, names)) = each.get_mut(at)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    let clause = |(version, running, names): (String, bool, Vec<String>)| {
        let named: Vec<String> = names.into_iter().filter(|n| !n.is_empty()).collect();
        let many = named.len();
        let who = match (many, running) {
            (0, true) => "a member".to_owned(),
            (0, false) => "what was pasted".to_owned(),
            _ => words::list(&named),
        };
        let verb =
            if running { words::verb(many.max(1), "runs", "run") } else { words::verb(many.max(1), "is", "are") };
        format!("{who} {verb}{} {version}", if running { "" } else { " set up for" })
    };
    let text = words::list(&each.into_iter().map(clause).collect::<Vec<_>>());
    if versions.first().is_some_and(|v| v.member.is_none()) { words::sentence(&text) } else { text }
}

/// The members of versions, each once.
#[must_use]
pub fn members_with(versions: &[VersionSeen<'_>]) -> Vec<usize> {
    let mut members: Vec<usize> = versions.iter().filter_map(|v| v.member).collect();
    crate::sort::sort(&mut members);
    members.dedup();
    members
}

/// Where versions stand.
#[must_use]
pub fn grounds_with(versions: &[VersionSeen<'_>]) -> Vec<Ground> {
    seen(versions.iter().map(|v| v.span))
}

/// Flags of a member that comes in.
#[derive(Debug, Clone)]
pub struct NewcomerFlags<'a> {
    /// Its name, where the flags say one.
    pub name: Option<String>,
    /// The flags.
    pub seen: &'a Seen<FlagSet>,
    /// Do they name the member that is added, so that they are no other's?
    pub sure: bool,
}

/// The flags that may be those of a member that comes in: of one that never started, or of nobody who is a member.
#[must_use]
pub fn newcomer_flags<'a>(q: &Question<'a>) -> Vec<NewcomerFlags<'a>> {
    let course = q.course();
    let newcomers = course.wanted.as_ref().map_or(&[][..], |wanted| &wanted.newcomers);
    let mut found = Vec::new();
    for set in q.flags() {
        let name = set.seen.value.member_name.clone();
        let of = set.member.and_then(|at| q.cluster.members.get(at));
        let joined = of.is_some_and(|m| m.listed.as_ref().map_or(m.status.is_some(), |row| row.value.started));
        let incoming = set.member.is_some_and(|at| course.incoming().any(|seat| seat.member == Some(at)));
        let named = name.is_some() && newcomers.iter().any(|newcomer| newcomer.name == name);
        // A member that joined keeps the flags of its first start and does not look at them any more.
        if incoming || named || (!joined && (of.is_none() || name.is_some())) {
            found.push(NewcomerFlags { name, seen: set.seen, sure: incoming || named });
        }
    }
    found
}

/// The rows of status, each with its member.
#[must_use]
pub fn rows<'a>(q: &Question<'a>) -> Vec<(usize, &'a Seen<Status>)> {
    q.cluster.members.iter().enumerate().filter_map(|(at, m)| m.status.as_ref().map(|s| (at, s))).collect()
}

/// Passed, resting on these places; nothing where there are none.
#[must_use]
pub fn passed_on<'s>(spans: impl IntoIterator<Item = &'s Span>, statement: impl Into<String>) -> Vec<Finding> {
    let grounds = seen(spans);
    if grounds.is_empty() { Vec::new() } else { vec![Finding::passed(statement, grounds)] }
}

/// Passed, resting on every flag that was pasted; nothing where none was.
#[must_use]
pub fn passed_on_flags(q: &Question<'_>, statement: impl Into<String>) -> Vec<Finding> {
    let grounds = q.flag_grounds();
    if grounds.is_empty() { Vec::new() } else { vec![Finding::passed(statement, grounds)] }
}

/// Passed, resting on every version that was pasted; nothing where none was.
#[must_use]
pub fn passed_on_versions(q: &Question<'_>, statement: impl Into<String>) -> Vec<Finding> {
    passed_on(q.versions().iter().map(|v| v.span), statement)
}

/// Passed, resting on every row of status; nothing where there is none.
#[must_use]
pub fn passed_on_status(q: &Question<'_>, statement: impl Into<String>) -> Vec<Finding> {
    passed_on(rows(q).iter().map(|(_, s)| &s.span), statement)
}

/// What log lines say that a gate explains: where a process stopped it blocks, else it warns.
#[must_use]
pub fn logged(q: &Question<'_>, gate: &str, remedy: &str) -> Vec<Finding> {
    let speaks = |effect: Effect| effect != Effect::Tells;
    let lines = if q.first { q.logged(gate, speaks) } else { Vec::new() };
    let Some(first) = lines.first() else { return Vec::new() };
    let mut members: Vec<usize> = lines.iter().filter_map(|l| l.member).collect();
    members.dedup();
    let message = |l: &super::question::LogSeen<'_>| crate::etcd::log_messages::by_id(l.seen.value.message);
    let meaning = message(first).map_or("", |m| m.meaning);
    let whose = if members.is_empty() { String::new() } else { format!("{}: ", q.names(&members)) };
    let statement = format!("{whose}{meaning}");
    let grounds = seen(lines.iter().map(|l| &l.seen.span));
    let stops = lines.iter().any(|l| message(l).is_some_and(|m| m.effect == Effect::Stops));
    let finding =
        if stops { Finding::blocked(statement, grounds, remedy) } else { Finding::warning(statement, grounds, remedy) };
    vec![finding.about(&members)]
}

/// Does an error only ask for credentials? Then a member is up, and authentication is on.
#[must_use]
pub fn asks_for_credentials(error: &str) -> bool {
    ["user name is empty", "permission denied", "authentication failed", "invalid auth token"]
        .iter()
        .any(|refusal| error.contains(refusal))
}

/// Where a member only asked for credentials.
#[must_use]
pub fn refusal_at(member: &Member) -> Option<&Span> {
    let failed = member.failed.as_ref().filter(|f| asks_for_credentials(&f.value.error)).map(|f| &f.span);
    let unhealthy = |h: &&Seen<Health>| !h.value.healthy && h.value.error.as_deref().is_some_and(asks_for_credentials);
    failed.or_else(|| member.health.as_ref().filter(unhealthy).map(|h| &h.span))
}
