//! A systemd unit, its drop-ins, or what `systemctl cat` prints of them.

use std::collections::HashSet;

use super::arguments::{Variables, add_env, find_start, path_version, read as read_arguments};
use super::stretch::{Stretch, seen};
use super::words::{Rules, Word, continues, logical_line, split};
use super::{Draft, docker_run, taken};
use crate::evidence::detect::{Place, Taken};
use crate::evidence::fact::{FlagForm, FlagSource};

/// One `Key=value` line, or lines.
struct Directive {
    key: String,
    stretch: Stretch,
    /// Where the value starts in the stretch.
    value: usize,
    /// First and last line, as indices.
    lines: (usize, usize),
}

/// Reads from the first line of a unit to its last; several units are several members.
pub fn read(place: &Place<'_>) -> Option<Taken> {
    if continues(place, place.at) || !starts(place) {
        return None;
    }
    let mut units: Vec<Vec<Directive>> = vec![Vec::new()];
    let mut current = Unit::default();
    let mut at = place.at;
    let mut end = place.at;
    while let Some(line) = place.lines.get(at) {
        let text = seen(line);
        match Shape::of(text) {
            Shape::Blank | Shape::Comment(None) => at += 1,
            Shape::Comment(Some(file)) => {
                if current.opens_next(&file) {
                    units.push(Vec::new());
                }
                at += 1;
            }
            Shape::Section(name) => {
                if current.section_opens_next(&name) {
                    units.push(Vec::new());
                }
                at += 1;
            }
            Shape::Directive(key, value) => {
                let key = key.to_owned();
                let (stretch, count) = logical_line(place, at, 0, Rules::Systemd);
                if let Some(unit) = units.last_mut() {
                    unit.push(Directive { key, stretch, value, lines: (at, at + count - 1) });
                }
                at += count;
            }
            Shape::Other => break,
        }
        if !seen(line).trim().is_empty() {
            end = at;
        }
    }
    let drafts: Vec<Draft> = units.iter().filter_map(|unit| draft(place, unit)).collect();
    (!drafts.is_empty()).then(|| taken(place, end - place.at, "systemd unit", drafts))
}

/// Is this the first line of a unit: one of a unit's lines, and the one above is none?
fn starts(place: &Place<'_>) -> bool {
    let shape = |index: usize| place.lines.get(index).map(|l| Shape::of(seen(l)).is_unit());
    if shape(place.at) != Some(true) {
        return false;
    }
    let above = (0..place.at).rev().find(|i| place.lines.get(*i).is_some_and(|l| !seen(l).trim().is_empty()));
    above.is_none_or(|i| shape(i) != Some(true) && !continues(place, i))
}

/// Which unit the lines belong to.
#[derive(Default)]
struct Unit {
    name: Option<String>,
    files: HashSet<String>,
    sections: Vec<String>,
}

impl Unit {
    /// Does this file belong to another unit than the ones before?
    fn opens_next(&mut self, file: &str) -> bool {
        let part =
            |p: &str| p.trim_end_matches(".d").ends_with(".service").then(|| p.trim_end_matches(".d").to_owned());
        let Some(name) = file.split('/').find_map(part) else { return false };
        self.sections.clear();
        // The same file again is the same unit of the next host.
        let other = self.name.as_ref().is_some_and(|known| *known != name) || self.files.contains(file);
        if other {
            self.files.clear();
        }
        self.files.insert(file.to_owned());
        self.name = Some(name);
        other
    }

    /// A unit's first section again, without a file name above it, is the next unit.
    fn section_opens_next(&mut self, section: &str) -> bool {
        let again = section == "Unit" && self.sections.iter().any(|s| s == "Service");
        if again {
            self.sections.clear();
        }
        self.sections.push(section.to_owned());
        again
    }
}

/// What a line is to a unit.
enum Shape<'a> {
    Blank,
    /// A comment; the file it names, if it is the heading `systemctl cat` prints.
    Comment(Option<String>),
    Section(String),
    /// Key, and where the value starts.
    Directive(&'a str, usize),
    Other,
}

impl<'a> Shape<'a> {
    fn of(text: &'a str) -> Self {
        let bare = text.trim();
        if bare.is_empty() {
            return Self::Blank;
        }
        if let Some(comment) = bare.strip_prefix(['#', ';']) {
            let file = comment.trim();
            let names_unit = file.starts_with('/') && !file.contains(' ') && file.contains(".service");
            return Self::Comment(names_unit.then(|| file.to_owned()));
        }
        if let Some(name) = bare.strip_prefix('[').and_then(|b| b.strip_suffix(']')) {
            let named = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-');
            return if named { Self::Section(name.to_owned()) } else { Self::Other };
        }
        let Some(equals) = text.find('=') else { return Self::Other };
        let key = text.get(..equals).unwrap_or("").trim();
        // Directives are CamelCase; environment variables are not.
        let named = key.starts_with(|c: char| c.is_ascii_uppercase())
            && key.bytes().all(|b| b.is_ascii_alphanumeric())
            && key.bytes().any(|b| b.is_ascii_lowercase());
        if named { Self::Directive(key, equals + 1) } else { Self::Other }
    }

    /// Only these open a unit. A comment does so when it names the unit's file.
    fn is_unit(&self) -> bool {
        matches!(self, Self::Comment(Some(_)) | Self::Section(_) | Self::Directive(..))
    }
}

/// The member a unit starts; `None` when it does not start etcd and sets nothing of it.
fn draft(place: &Place<'_>, unit: &[Directive]) -> Option<Draft> {
    let first = unit.first()?.lines.0;
    let last = unit.last()?.lines.1;
    let mut draft = Draft::new(FlagSource::SystemdUnit, first, last);
    let mut variables = Variables::default();
    let mut starts: Vec<(&Directive, Vec<Word>)> = Vec::new();
    let mut environment: Vec<(&Directive, Word)> = Vec::new();
    for directive in unit {
        let end = directive.stretch.text().len();
        let words = || split(&directive.stretch, directive.value, end, Rules::Systemd);
        let empty = directive.stretch.cut(directive.value, end).trim().is_empty();
        match directive.key.as_str() {
            "Environment" if empty => environment.clear(),
            "Environment" => {
                for word in words() {
                    let name = word.text.split_once('=').map(|(n, _)| format!("{n}="));
                    environment.retain(|(_, w)| name.as_ref().is_none_or(|n| !w.text.starts_with(n)));
                    environment.push((directive, word));
                }
            }
            "EnvironmentFile" if empty => draft.set.elsewhere.clear(),
            "EnvironmentFile" => {
                for word in words() {
                    let span = directive.stretch.span(place, word.from, word.to);
                    draft.elsewhere(word.text.trim_start_matches('-').to_owned(), span);
                }
            }
            // An empty `ExecStart=` takes back the ones before it.
            "ExecStart" if empty => starts.clear(),
            "ExecStart" => starts.push((directive, words())),
            _ => {}
        }
    }
    for (directive, word) in &environment {
        variables.learn(&directive.stretch, word);
        let holds_flags = word.text.split_once('=').is_some_and(|(_, v)| v.trim_start().starts_with('-'));
        if !holds_flags {
            add_env(place, &directive.stretch, word, &mut draft);
        }
    }
    let mut is_etcd = draft.set.settings.iter().any(|s| s.form == FlagForm::Env);
    for (directive, words) in &starts {
        let Some(start) = find_start(&directive.stretch, words) else {
            is_etcd |= docker_run::fill(place, &directive.stretch, words, &variables, &mut draft);
            continue;
        };
        is_etcd = true;
        draft.set.complete = true;
        draft.set.version = draft.set.version.take().or(path_version(&start.program.text));
        for word in &start.before {
            add_env(place, &directive.stretch, word, &mut draft);
        }
        read_arguments(place, &directive.stretch, &start.arguments, &variables, &mut draft);
    }
    is_etcd.then_some(draft)
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::FlagForm;
    use crate::evidence::flags::testing::read;

    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!("../../../tests/fixtures/flags/systemd_unit/", $name, ".txt"))
        };
    }

    #[test]
    fn environment_and_command_line_of_one_unit() {
        let read = read(fixture!("env-and-command-line"));
        assert_eq!(
            read.settings(),
            [
                "enable-v2=true",
                "name=etcd-1",
                "data-dir=/var/lib/etcd",
                "listen-client-urls=http://192.0.2.141:2379",
                "advertise-client-urls=http://192.0.2.141:2379",
                "enable-v2=true",
            ]
        );
        let forms: Vec<FlagForm> = read.rows[0].iter().map(|r| r.2).collect();
        assert_eq!(forms[0], FlagForm::Env);
        assert_eq!(forms[5], FlagForm::CommandLine);
        assert_eq!(read.rows[0][0].3, "ETCD_ENABLE_V2=\"true\"");
        assert_eq!(read.rows[0][5].3, "--enable-v2=true");
        assert_eq!(read.sets()[0].settings[5].span.first_line, 11);
        assert!(read.left.is_empty(), "{:?}", read.left);
        assert!(read.sets()[0].complete);
    }

    #[test]
    fn a_quote_that_nothing_closes_ends_with_its_line() {
        let read = read(fixture!("unbalanced-quote"));
        let settings = read.settings();
        assert_eq!(settings.len(), 4);
        assert_eq!(settings[0], "name=core-04");
        assert!(settings[1].starts_with("initial-cluster=core-01=http://192.0.2.61:2380,"), "{}", settings[1]);
        assert!(settings[1].ends_with("core-04=http://192.0.2.64:2380"), "{}", settings[1]);
        assert_eq!(settings[2], "initial-cluster-state=new");
        assert!(read.left.is_empty(), "{:?}", read.left);
        assert!(!read.sets()[0].complete, "a drop-in alone does not show the command line");
    }

    #[test]
    fn a_start_line_alone_is_enough() {
        let read = read(fixture!("exec-start-alone"));
        assert_eq!(read.settings()[0], "name=${HOSTNAME}");
        assert_eq!(read.sets()[0].member_name, None);
        assert_eq!(read.rows[0][1].3, "--discovery=https://discovery.etcd.io/0123456789abcdef0123456789abcdef");
        assert_eq!(read.settings()[2], "discovery-fallback=exit");
    }

    #[test]
    fn the_same_file_of_the_next_host_is_another_unit() {
        let unit = |name: &str| {
            format!("# /etc/systemd/system/etcd.service\n[Unit]\n[Service]\nExecStart=/usr/bin/etcd --name {name}\n")
        };
        let text = unit("m1") + &unit("m2") + &unit("m3");
        let names: Vec<_> = read(&text).sets().iter().map(|set| set.member_name.clone()).collect();
        assert_eq!(names, [Some("m1".to_owned()), Some("m2".to_owned()), Some("m3".to_owned())]);
    }

    #[test]
    fn a_drop_in_takes_the_start_line_back() {
        let read = read(fixture!("cat-with-drop-in"));
        assert_eq!(
            read.settings(),
            [
                "name=m1",
                "logger=zap",
                "name=m1",
                "listen-metrics-urls=http://127.0.0.1:2381",
                "snapshot-count=5000",
                "enable-pprof",
            ]
        );
        let set = read.sets()[0];
        assert_eq!(set.member_name.as_deref(), Some("m1"));
        assert_eq!(set.version.as_ref().map(ToString::to_string).as_deref(), Some("3.5.17"));
        assert_eq!(set.elsewhere.len(), 1);
        assert_eq!(set.elsewhere[0].value, "/etc/default/etcd");
        assert!(!set.complete);
        assert_eq!(read.rows[0][4].3, "--snapshot-count=5000");
        assert_eq!(set.settings[4].span.first_line, 10, "it stands where the variable is set");
        assert!(read.left.is_empty(), "{:?}", read.left);
    }

    #[test]
    fn several_units_are_several_members() {
        let unit = |n: &str| format!("[Unit]\nDescription=x\n[Service]\nExecStart=/usr/bin/etcd --name={n}\n");
        let read = read(&format!("{}\n{}", unit("m1"), unit("m2")));
        let names: Vec<_> = read.sets().iter().map(|s| s.member_name.clone().unwrap_or_default()).collect();
        assert_eq!(names, ["m1", "m2"]);
    }

    #[test]
    fn other_units_are_left() {
        let text = "[Unit]\nAfter=etcd.service\n[Service]\nExecStart=/usr/bin/kubelet --config=/x\n";
        assert!(read(text).taken.is_empty());
    }
}
