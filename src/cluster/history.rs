//! What newer pastes replaced: only where something an operator follows has changed.

use super::{Member, NOTICEABLE_LAG, Superseded};
use crate::evidence::fact::{EndpointFailed, FlagForm, FlagSet, FlagSetting, MemberRow, Seen, Status};

/// Changes noted while merging; members get their labels at the end.
#[derive(Debug, Default)]
pub(super) struct History(Vec<(Option<usize>, Superseded)>);

impl History {
    /// A newer status replaced an older one. `lags` are the entries each was behind the newest raft index beside it.
    pub(super) fn status(&mut self, member: usize, old: &Seen<Status>, new: &Seen<Status>, lags: [Option<u64>; 2]) {
        let (before, after) = (&old.value, &new.value);
        let words = |v: Option<String>| v.unwrap_or_else(|| "not shown".to_owned());
        let mut note = |what: &'static str, before: Option<String>, after: Option<String>| {
            if before != after && before.is_some() && after.is_some() {
                self.0.push((Some(member), superseded(what, words(before), words(after), old, new)));
            }
        };
        note(
            "version",
            before.version.as_ref().map(ToString::to_string),
            after.version.as_ref().map(ToString::to_string),
        );
        note("leader", leads(before), leads(after));
        let [lag_before, lag_after] = lags;
        note("lag", lag_before.map(lag), lag_after.map(lag));
        note("alarms", errors(before), errors(after));
    }

    /// A newer status shows that an endpoint answers again.
    pub(super) fn answers_again(&mut self, member: usize, old: &Seen<EndpointFailed>, new: &Seen<Status>) {
        self.0
            .push((Some(member), superseded("reachable", "did not answer".to_owned(), "answers".to_owned(), old, new)));
    }

    /// A newer member list shows a member in another role.
    pub(super) fn role(&mut self, old: &Seen<MemberRow>, new: &Seen<MemberRow>) {
        let role = |row: &MemberRow| row.is_learner.map(|l| if l { "learner" } else { "voter" }.to_owned());
        if let (Some(before), Some(after)) = (role(&old.value), role(&new.value))
            && before != after
        {
            let mut change = superseded("role", before, after, old, new);
            change.member = row_label(&new.value);
            self.0.push((None, change));
        }
    }

    /// A newer member list no longer has a member. `new` is a row of that list.
    pub(super) fn left(&mut self, old: &Seen<MemberRow>, new: &Seen<MemberRow>) {
        let mut change = superseded(
            "membership",
            "in the member list".to_owned(),
            "no longer in the member list".to_owned(),
            old,
            new,
        );
        change.member = row_label(&old.value);
        self.0.push((None, change));
    }

    /// A newer paste of flags replaced an older one of the same source.
    pub(super) fn flags(&mut self, member: usize, old: &Seen<FlagSet>, new: &Seen<FlagSet>) {
        let only = |a: &FlagSet, b: &FlagSet| {
            let theirs: std::collections::HashSet<String> = b.settings.iter().map(as_written).collect();
            let mine: Vec<String> = a.settings.iter().map(as_written).filter(|s| !theirs.contains(s)).collect();
            if mine.is_empty() { "nothing more".to_owned() } else { mine.join(" ") }
        };
        let (before, after) = (only(&old.value, &new.value), only(&new.value, &old.value));
        if before != after {
            self.0.push((Some(member), superseded("flags", before, after, old, new)));
        }
    }

    /// A newer alarm list no longer shows an alarm, or shows a new one.
    pub(super) fn alarm<A>(&mut self, label: String, before: &str, after: &str, old: &Seen<A>, new: &Seen<()>) {
        let mut change = superseded("alarms", before.to_owned(), after.to_owned(), old, new);
        change.member = label;
        self.0.push((None, change));
    }

    /// The changes in the order in which they were seen, with the members' labels.
    pub(super) fn finish(mut self, members: &[Member]) -> Vec<Superseded> {
        crate::sort::by(&mut self.0, |(_, a), (_, b)| (&a.after_at, &a.before_at).cmp(&(&b.after_at, &b.before_at)));
        let label = |(member, mut change): (Option<usize>, Superseded)| {
            if let Some(member) = member.and_then(|m| members.get(m)) {
                change.member = member.label();
            }
            change
        };
        self.0.into_iter().map(label).collect()
    }
}

fn superseded<A, B>(what: &'static str, before: String, after: String, old: &Seen<A>, new: &Seen<B>) -> Superseded {
    Superseded { member: String::new(), what, before, after, before_at: old.span.clone(), after_at: new.span.clone() }
}

fn row_label(row: &MemberRow) -> String {
    row.name.clone().unwrap_or_else(|| format!("{:x}", row.id))
}

fn lag(entries: u64) -> String {
    if entries < NOTICEABLE_LAG { "caught up".to_owned() } else { format!("{entries} entries behind") }
}

fn leads(status: &Status) -> Option<String> {
    let leader = if status.is_leader? { "leader" } else { "not the leader" };
    Some(leader.to_owned())
}

fn errors(status: &Status) -> Option<String> {
    let errors = status.errors.as_ref()?;
    Some(if errors.is_empty() { "none".to_owned() } else { errors.join(", ") })
}

/// A setting as the person wrote it, as near as its form tells.
fn as_written(setting: &FlagSetting) -> String {
    let (start, joint) = match setting.form {
        FlagForm::CommandLine => ("--", "="),
        FlagForm::Env => ("", "="),
        FlagForm::Yaml => ("", ": "),
    };
    setting
        .value
        .as_ref()
        .map_or_else(|| format!("{start}{}", setting.name), |value| format!("{start}{}{joint}{value}", setting.name))
}
