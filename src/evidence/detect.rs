//! Walks the lines of a paste and offers each place to the readers.
//!
//! Prompts, commands and headings set the [`Context`]; every other line is offered to the readers in the order of
//! [`kinds`]; what nobody takes becomes [`Unread`]. The three forms that several kinds share (tables, fields, JSON) are
//! read once, by [`table`](super::table), [`fields`] and [`json`](super::json), and handed to the kinds.

mod kinds;
mod place;

pub use place::{Context, Place, Reader, Taken};

use std::collections::{HashMap, VecDeque};

use super::Evidence;
use super::clean::command::Command;
use super::clean::heading::{self, Heading};
use super::clean::{Cleaned, Line, Role};
use super::fact::{Body, Fact, Kind, MemberHint, Recognised, Unread};
use super::json::Document;
use super::paste::Paste;
use super::reading::Pace;
use super::table::Table;
use super::{alarm_list, doubt, fields, flags, member_change, server_log, snapshot_restore, snapshot_save, tried};
use crate::etcd::version::Version;
use kinds::{FIELDS, JSON, LAST_READERS, READERS, TABLES};

/// Reads one paste into `evidence`, with a rest whenever the pace says so.
pub(super) async fn read_in_pieces(index: usize, paste: &Paste, evidence: &mut Evidence, pace: &Pace) {
    let mut cleaned = Cleaned::room_for(&paste.text);
    for raw in paste.text.lines() {
        cleaned.push(raw);
        if pace.walked(raw.len() + 1) {
            pace.rest().await;
        }
    }
    let lines = cleaned.lines;
    let mut walk = Walk::new(index, paste, &lines);
    let mut counted = 0;
    while let Some(line) = lines.get(walk.at) {
        let passed = lines.get(counted..walk.at).unwrap_or_default();
        if pace.walked(passed.iter().map(|l| l.raw.len() + 1).sum()) {
            pace.rest().await;
        }
        counted = walk.at;
        match line.role {
            Role::Command => walk.command(evidence),
            Role::Noise => walk.at += 1,
            Role::Output if line.is_blank() => walk.at += 1,
            Role::Output => walk.output(evidence),
        }
    }
    walk.finish(evidence);
}

/// The most bare commands that wait for their outputs.
const WAITING_LIMIT: usize = 32;

/// The state of the walk over one paste.
struct Walk<'a> {
    paste: usize,
    name: &'a str,
    lines: &'a [Line<'a>],
    at: usize,
    context: Context,
    /// What the last heading named.
    heading_host: Option<String>,
    /// The host of the shell the last prompts belong to, where a command opened one (`kubectl exec … -- sh`).
    session_host: Option<String>,
    /// The host whose log was read last, and what the logs of the others said.
    log_host: Option<String>,
    logs: HashMap<String, (Option<Version>, Option<String>)>,
    /// Bare commands that stand one after another without output, and wait for it.
    waiting: VecDeque<Context>,
    /// Has the first of their outputs begun?
    outputs_begun: bool,
    /// The index of the command line whose output has not begun yet.
    silent: Option<usize>,
    /// Index into `lines` up to which the last recognised stretch reaches.
    recognised_to: usize,
    /// The unread stretch that is being gathered: first and last index.
    unread: Option<(usize, usize)>,
}

impl<'a> Walk<'a> {
    fn new(paste: usize, given: &'a Paste, lines: &'a [Line<'a>]) -> Self {
        let hint = MemberHint { chosen: given.member.clone(), ..MemberHint::default() };
        Self {
            paste,
            name: &given.name,
            lines,
            at: 0,
            context: Context { hint, kind: given.kind, ..Context::default() },
            heading_host: None,
            session_host: None,
            log_host: None,
            logs: HashMap::new(),
            waiting: VecDeque::new(),
            outputs_begun: false,
            silent: None,
            recognised_to: 0,
            unread: None,
        }
    }

    fn place(&self) -> Place<'_> {
        Place { paste: self.paste, name: self.name, lines: self.lines, at: self.at, context: &self.context }
    }

    /// A command line: sets the context; may itself be evidence (`etcd --name m1 …`).
    fn command(&mut self, evidence: &mut Evidence) {
        self.close_silent(true, evidence);
        self.close_unread(evidence);
        let Some(line) = self.lines.get(self.at) else { return };
        let height = 1 + self.lines.iter().skip(self.at + 1).take_while(|l| l.continues).count();
        let mut text = String::new();
        for part in self.lines.iter().skip(self.at).take(height) {
            text.push_str(part.text.trim().trim_end_matches('\\'));
            text.push(' ');
        }
        self.run(text.trim(), line.host.clone(), line.prompted);
        if let Some(taken) = self.offer_command() {
            self.take(taken, evidence);
            return;
        }
        if self.outputs_begun || line.prompted || self.waiting.len() == WAITING_LIMIT {
            self.waiting.clear();
            self.outputs_begun = false;
        }
        if line.prompted {
            self.silent = Some(self.at);
        } else {
            self.waiting.push_back(self.context.clone());
        }
        self.at += height;
    }

    /// Sets the context for the output of a command.
    fn run(&mut self, text: &str, prompt_host: Option<String>, prompted: bool) {
        let parsed = Command::parse(text);
        if parsed.program() == "exit" {
            self.session_host = None;
        }
        if prompt_host.is_some() {
            self.session_host = None;
        }
        let hint = &mut self.context.hint;
        let below = self.session_host.clone().or_else(|| self.heading_host.clone());
        hint.host = parsed.target.clone().or(prompt_host).or(below);
        hint.data_dir = parsed.flag(&[crate::etcd::flags::name::DATA_DIR]).map(str::to_owned);
        if parsed.opens_shell && parsed.target.is_some() && prompted {
            self.session_host.clone_from(&parsed.target);
        }
        self.context.log_version = None;
        self.context.log_member = None;
        self.context.command = (!text.is_empty()).then(|| parsed.words.join(" "));
        self.context.parsed = parsed;
    }

    /// An output line: a heading, or offered to the readers.
    fn output(&mut self, evidence: &mut Evidence) {
        let text: &'a str = self.lines.get(self.at).map_or("", |l| l.text.as_ref());
        if let Some(heading) = heading::heading(text) {
            self.close_unread(evidence);
            self.heading(heading, evidence);
            self.at += 1;
            return;
        }
        self.next_waiting();
        self.follow_log(text);
        if let Some(taken) = self.offer() {
            self.silent = None;
            self.close_unread(evidence);
            self.take(taken, evidence);
            return;
        }
        if let Some(name) = heading::bare_label(text) {
            self.heading(Heading::Host(name.to_owned()), evidence);
        } else if !is_comment(text) {
            self.silent = None;
            self.unread = Some(self.unread.map_or((self.at, self.at), |(first, _)| (first, self.at)));
        }
        self.at += 1;
    }

    /// Notes what a log line says of its server for the lines below. Where prefixes name hosts, each has a log of its own.
    fn follow_log(&mut self, text: &str) {
        let host = self.lines.get(self.at).and_then(|l| l.host.as_ref());
        if let Some(host) = host
            && self.log_host.as_ref() != Some(host)
        {
            let before = (self.context.log_version.take(), self.context.log_member.take());
            if let Some(last) = self.log_host.replace(host.clone()) {
                self.logs.insert(last, before);
            }
            if let Some((version, member)) = self.logs.get(host).cloned() {
                self.context.log_version = version;
                self.context.log_member = member;
            }
        }
        if server_log::is_log(text)
            && let Some(version) = server_log::version(text)
        {
            self.context.log_version = Some(version);
            if let Some(name) = server_log::member_name(text) {
                self.context.log_member = Some(name.to_owned());
            }
        }
    }

    fn heading(&mut self, heading: Heading, evidence: &mut Evidence) {
        self.close_silent(true, evidence);
        self.waiting.clear();
        match heading {
            Heading::Host(name) => {
                self.context.hint.host = Some(name.clone());
                self.heading_host = Some(name);
                self.session_host = None;
            }
            Heading::Marker { host, command } => {
                self.heading_host.clone_from(&host);
                self.session_host = None;
                if let Some(command) = command {
                    self.run(&command, None, false);
                    self.context.hint.host = host;
                    self.silent = Some(self.at);
                } else {
                    self.context.command = None;
                    self.context.parsed = Command::default();
                }
            }
        }
    }

    /// Several bare commands, then several outputs: kubectl's line before each output tells them apart. Without it,
    /// which command printed what can't be told.
    fn next_waiting(&mut self) {
        let before = self.at.checked_sub(1).and_then(|at| self.lines.get(at));
        let starts = before.is_some_and(|l| l.role == Role::Noise && l.text.trim_start().starts_with("Default"));
        match (starts, self.outputs_begun) {
            (true, _) => {
                self.outputs_begun = true;
                if let Some(context) = self.waiting.pop_front() {
                    self.context = context;
                }
            }
            (false, true) => {}
            (false, false) => {
                if self.waiting.iter().any(|w| w.hint.host != self.context.hint.host) {
                    self.context.hint.host = None;
                }
                self.waiting.clear();
            }
        }
    }

    /// Offers the place to the readers of the chosen kind, or to all.
    fn offer(&self) -> Option<Taken> {
        let place = self.place();
        let wanted = |kind: Kind| self.context.kind.is_none_or(|chosen| chosen == kind);
        let text = place.text().trim_start();
        // No answer of etcd's begins like a line of its log.
        if text.starts_with(['{', '['])
            && !server_log::is_json(text)
            && let Some(document) = Document::read(&place)
        {
            for kind in JSON.iter().filter(|k| wanted(k.kind)) {
                if let Some(facts) = (kind.read)(&document, &place) {
                    return Some(place.taken(document.lines, kind.kind, "json", members(&facts), facts));
                }
            }
        }
        if text.starts_with('"')
            && let Some(first) = fields::first_record(&place)
            && let Some(kind) = FIELDS.iter().find(|k| wanted(k.kind) && (k.fits)(&first))
        {
            let records = fields::records(&place, first, kind.fits);
            let last = records.last().and_then(fields::Record::range).map_or(place.at, |(_, last)| last);
            let facts = (kind.read)(&records, &place);
            return Some(place.taken(last + 1 - place.at, kind.kind, "fields", members(&facts), facts));
        }
        if let Some(table) = Table::read(&place, |header| TABLES.iter().any(|k| (k.fits)(header)))
            && let Some(kind) = TABLES.iter().find(|k| wanted(k.kind) && (k.fits)(&table.header))
        {
            let mut facts = (kind.read)(&table, &place);
            facts.extend(doubt::about_table(kind.kind, &table, &place));
            return Some(place.taken(table.lines, kind.kind, "table", members(&facts), facts));
        }
        let read = |readers: &[(Kind, Reader)]| {
            readers.iter().filter(|(kind, _)| wanted(*kind)).find_map(|(_, reader)| reader(&place))
        };
        read(READERS).or_else(|| self.offer_flags()).or_else(|| read(LAST_READERS))
    }

    /// Offers a command line that may itself be evidence.
    fn offer_command(&self) -> Option<Taken> {
        let wanted = |kind: Kind| self.context.kind.is_none_or(|chosen| chosen == kind);
        let restore = || wanted(Kind::SnapshotRestore).then(|| snapshot_restore::read_command(&self.place()))?;
        let save = || wanted(Kind::SnapshotSave).then(|| snapshot_save::read_command(&self.place()))?;
        let change = || wanted(Kind::MemberChange).then(|| member_change::read_command(&self.place()))?;
        self.offer_flags().or_else(restore).or_else(save).or_else(change)
    }

    /// Offers the place to the readers of server flags, who read command lines too.
    fn offer_flags(&self) -> Option<Taken> {
        let wanted = self.context.kind.is_none_or(|chosen| chosen == Kind::ServerFlags);
        let place = self.place();
        // A log line in JSON looks like a config file in YAML's flow style.
        if wanted && !server_log::is_log(place.text()) {
            flags::READERS.iter().find_map(|reader| reader(&place))
        } else {
            None
        }
    }

    /// Keeps what a reader took; stretches of one kind and form that only noise parts become one.
    fn take(&mut self, taken: Taken, evidence: &mut Evidence) {
        let Taken { lines, facts, recognised } = taken;
        let between = self.lines.get(self.recognised_to..self.at).unwrap_or_default();
        let joined = between.iter().all(|l| l.role == Role::Noise || (l.role == Role::Output && l.is_blank()));
        match evidence.recognised.last_mut() {
            Some(last) if joined && last.span.paste == self.paste && merges(last, &recognised) => {
                last.span.last_line = recognised.span.last_line;
                last.members += recognised.members;
                if last.form == FAILED {
                    last.form = recognised.form;
                }
            }
            _ => evidence.recognised.push(recognised),
        }
        evidence.facts.extend(facts);
        self.at += lines;
        self.recognised_to = self.at;
    }

    /// The command before this place printed nothing: for some commands that is the answer, if it `ended`. At the end
    /// of a paste its output may have been cut off.
    fn close_silent(&mut self, ended: bool, evidence: &mut Evidence) {
        let Some(at) = self.silent.take() else { return };
        if !alarm_list::silence_means_none(&self.context) || self.context.kind.is_some_and(|k| k != Kind::AlarmList) {
            return;
        }
        let place = Place { at, ..self.place() };
        let fact = place.fact(place.span(1), Body::AlarmsListed);
        evidence.recognised.push(place.taken(1, Kind::AlarmList, "lines", 0, Vec::new()).recognised);
        if ended {
            evidence.facts.push(fact);
        }
    }

    fn close_unread(&mut self, evidence: &mut Evidence) {
        let Some((first, last)) = self.unread.take() else { return };
        let span = self.place().range(first, last);
        let lines = self.lines.get(first..=last).unwrap_or_default();
        evidence.facts.extend(doubt::about_unread(lines, first, &self.place()));
        let tried = tried::tried(lines, &self.context);
        evidence.unread.push(Unread { span, tried });
    }

    fn finish(&mut self, evidence: &mut Evidence) {
        self.close_silent(false, evidence);
        self.close_unread(evidence);
    }
}

/// The form of a stretch that holds nothing but endpoints that did not answer.
pub const FAILED: &str = "failed endpoints";

/// May the second stretch be counted with the first?
fn merges(first: &Recognised, second: &Recognised) -> bool {
    let open = |form| matches!(form, "simple" | "json" | "fields" | "lines");
    let same = first.form == second.form && open(first.form);
    first.kind == second.kind && (same || second.members == 0 || first.form == FAILED || second.form == FAILED)
}

/// How many members (rows, endpoints, alarms) the facts show.
fn members(facts: &[Fact]) -> usize {
    let shows = |body: &Body| {
        matches!(
            body,
            Body::Status(_)
                | Body::EndpointFailed(_)
                | Body::Health(_)
                | Body::HashKv(_)
                | Body::Member(_)
                | Body::Alarm(_)
        )
    };
    facts.iter().filter(|f| shows(&f.body)).count()
}

/// A remark of a person or of a file: neither evidence nor unread.
fn is_comment(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('#') || text.starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> (usize, Vec<&'static str>) {
        let evidence = super::super::read(&[Paste::new("paste", text)]);
        let listed = evidence.facts.iter().filter(|f| f.body == Body::AlarmsListed).count();
        (listed, evidence.recognised.iter().map(|r| r.kind.id()).collect())
    }

    #[test]
    fn silence_is_an_answer_only_when_something_follows_it() {
        assert_eq!(listed("$ etcdctl alarm list\n$ etcdctl version\n"), (1, vec!["alarm-list"]));
        assert_eq!(listed("$ etcdctl alarm list\n$ \n"), (1, vec!["alarm-list"]));
        assert_eq!(
            listed("##etcd-collect command=etcdctl alarm list##\n##etcd-collect end##\n"),
            (1, vec!["alarm-list"])
        );
        assert_eq!(listed("$ etcdctl alarm list\n"), (0, vec!["alarm-list"]), "the paste may be cut");
        assert_eq!(listed("##etcd-collect command=etcdctl alarm list##\n\n"), (0, vec!["alarm-list"]));
    }
}
