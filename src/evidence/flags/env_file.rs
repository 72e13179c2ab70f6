//! An environment file (`/etc/default/etcd`, `/etc/etcd/etcd.conf`, `docker --env-file`), or `export` lines.

use super::arguments::{Variables, read as read_arguments};
use super::stretch::{Stretch, seen};
use super::words::{Rules, split};
use super::{Draft, flag_of_env, is_known, taken};
use crate::evidence::clean::Role;
use crate::evidence::detect::{Place, Taken};
use crate::evidence::fact::{FlagForm, FlagSetting, FlagSource, Span};

/// Reads from the first assignment or comment of a file to the last; a second name starts the next member.
pub fn read(place: &Place<'_>) -> Option<Taken> {
    if !starts(place) {
        return None;
    }
    let mut drafts: Vec<Draft> = Vec::new();
    let mut current = Draft::new(FlagSource::EnvFile, place.at, place.at);
    let mut mentioned = false;
    let mut at = place.at;
    let mut end = place.at;
    while let Some(line) = place.lines.get(at) {
        let text = seen(line);
        match Shape::of(text) {
            Shape::Other => break,
            Shape::Blank => {
                at += 1;
                continue;
            }
            Shape::Comment => mentioned |= commented_variable(text).is_some_and(|n| is_known(&n)),
            Shape::Assignment(assignment) => {
                if flag_of_env(assignment.name).is_some_and(|n| n == crate::etcd::flags::name::NAME)
                    && current.set.member_name.is_some()
                {
                    let next = Draft::new(FlagSource::EnvFile, at, at);
                    drafts.push(std::mem::replace(&mut current, next));
                }
                add(place, at, &assignment, &mut current);
            }
        }
        current.lines.1 = at;
        at += 1;
        end = at;
    }
    drafts.push(current);
    drafts.retain(|d| d.set.settings.iter().any(|s| is_known(&s.name)));
    if drafts.is_empty() && mentioned {
        // A file whose every line is a comment sets nothing; that is worth knowing.
        drafts.push(Draft::new(FlagSource::EnvFile, place.at, end - 1));
    }
    (!drafts.is_empty()).then(|| taken(place, end - place.at, "environment file", drafts))
}

/// Is this the first line of a file: one of its lines, and the one above is none?
fn starts(place: &Place<'_>) -> bool {
    let is_one = |text: &str| matches!(Shape::of(text), Shape::Comment | Shape::Assignment(_));
    let here = place.lines.get(place.at).is_some_and(|l| l.role == Role::Output && is_one(seen(l)));
    let above = place.lines.get(..place.at).unwrap_or(&[]).iter().rev().find(|l| !seen(l).trim().is_empty());
    here && above.is_none_or(|l| l.role != Role::Output || !is_one(seen(l)))
}

/// What a line is to an environment file.
enum Shape<'a> {
    Blank,
    Comment,
    Assignment(Assignment<'a>),
    Other,
}

/// `NAME=value`, `export NAME="value"`, `NAME+=" value"`.
struct Assignment<'a> {
    name: &'a str,
    /// Where the name starts in the line.
    from: usize,
    /// Where the value starts, its quote included.
    value: usize,
    /// Does it add to a value that is not shown?
    adds: bool,
}

impl<'a> Shape<'a> {
    fn of(text: &'a str) -> Self {
        let bare = text.trim();
        if bare.is_empty() {
            return Self::Blank;
        }
        if bare.starts_with('#') {
            return Self::Comment;
        }
        let mut from = text.len() - text.trim_start().len();
        for word in ["export ", "readonly ", "local ", "set "] {
            if text.get(from..).is_some_and(|t| t.starts_with(word)) {
                from += word.len();
            }
        }
        let Some(equals) = text.get(from..).and_then(|t| t.find('=')).map(|i| from + i) else { return Self::Other };
        let left = text.get(from..equals).unwrap_or("");
        let name = left.strip_suffix('+').unwrap_or(left);
        let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        // CamelCase is a unit's directive.
        let of_unit = name.bytes().any(|b| b.is_ascii_lowercase()) && name.bytes().any(|b| b.is_ascii_uppercase());
        if !named || of_unit {
            return Self::Other;
        }
        Self::Assignment(Assignment { name, from, value: equals + 1, adds: left.len() > name.len() })
    }
}

/// The flag of a variable that stands in a comment: `#ETCD_ENABLE_V2="true"`.
fn commented_variable(text: &str) -> Option<String> {
    let (name, _) = text.trim_start().trim_start_matches(['#', ' ']).split_once('=')?;
    flag_of_env(name.trim_end())
}

/// Adds the assignment a line holds; false when it holds none.
pub fn add_assignment(place: &Place<'_>, at: usize, draft: &mut Draft) -> bool {
    let Some(line) = place.lines.get(at) else { return false };
    let Shape::Assignment(assignment) = Shape::of(seen(line)) else { return false };
    add(place, at, &assignment, draft);
    true
}

fn add(place: &Place<'_>, at: usize, assignment: &Assignment<'_>, draft: &mut Draft) {
    let Some(line) = place.lines.get(at) else { return };
    let text = seen(line);
    let (from, to) = value_range(text, assignment.value);
    let mut stretch = Stretch::default();
    stretch.push(place.lines, at, 0, text.len());
    let value = text.get(from..to).unwrap_or("");
    let words = split(&stretch, from, to, Rules::Shell);
    let is_flag = |w: &super::words::Word| super::arguments::flag_parts(&w.text).is_some();
    if words.iter().any(is_flag) && words.first().is_some_and(|w| is_flag(w) || w.text.starts_with('$')) {
        // A variable that holds flags: whoever starts etcd puts them on its command line.
        let mut own = draft.clone();
        let outcome = read_arguments(place, &stretch, &words, &Variables::default(), &mut own);
        if outcome.known > 0 && outcome.known * 2 >= outcome.flags {
            if assignment.adds {
                own.set.elsewhere.push(whole(place, &stretch, assignment));
            }
            *draft = own;
        }
        return;
    }
    if let Some(name) = flag_of_env(assignment.name) {
        let end = closing(text, to);
        let span = stretch.span(place, assignment.from, end);
        draft.add(FlagSetting { name, value: Some(value.to_owned()), form: FlagForm::Env, span });
    }
}

/// The variable that is added to: what it held before is not shown.
fn whole(place: &Place<'_>, stretch: &Stretch, assignment: &Assignment<'_>) -> crate::evidence::fact::Seen<String> {
    let span: Span = stretch.span(place, assignment.from, assignment.from + assignment.name.len());
    crate::evidence::fact::Seen { value: format!("${}", assignment.name), span }
}

/// The value without its quotes, and without a comment behind it.
fn value_range(text: &str, from: usize) -> (usize, usize) {
    let rest = text.get(from..).unwrap_or("");
    let blank = rest.len() - rest.trim_start().len();
    let start = from + blank;
    let body = rest.trim_start();
    for quote in ['"', '\''] {
        if let Some(inner) = body.strip_prefix(quote) {
            let end = inner.find(quote).unwrap_or(inner.trim_end().len());
            return (start + 1, start + 1 + end);
        }
    }
    let end = body.find(" #").unwrap_or(body.len());
    (start, start + body.get(..end).unwrap_or("").trim_end().trim_end_matches(';').len())
}

/// The end of a value with the quote that closes it.
fn closing(text: &str, to: usize) -> usize {
    let quoted = text.get(to..).is_some_and(|rest| rest.starts_with(['"', '\'']));
    to + usize::from(quoted)
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::FlagForm;
    use crate::evidence::flags::testing::read;

    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!("../../../tests/fixtures/flags/env_file/", $name, ".txt"))
        };
    }

    #[test]
    fn comments_set_nothing() {
        let read = read(fixture!("commented"));
        assert_eq!(
            read.settings(),
            [
                "data-dir=/var/lib/etcd/default.etcd",
                "listen-client-urls=http://localhost:2379",
                "name=default",
                "advertise-client-urls=http://localhost:2379",
            ]
        );
        assert_eq!(read.rows[0][0].3, "ETCD_DATA_DIR=\"/var/lib/etcd/default.etcd\"");
        assert_eq!(read.sets()[0].settings[0].span.first_line, 3);
        assert!(!read.sets()[0].complete, "the command line may set more");
        assert!(read.left.is_empty(), "{:?}", read.left);
    }

    #[test]
    fn a_file_of_comments_only_is_read_too() {
        let read = read("#[Member]\n#ETCD_ENABLE_V2=\"true\"\n");
        assert_eq!(read.sets().len(), 1);
        assert!(read.settings().is_empty() && read.left.is_empty());
    }

    #[test]
    fn a_variable_set_to_false() {
        let read = read(fixture!("set-to-false"));
        assert_eq!(
            read.settings(),
            ["name=master01", "initial-cluster-state=new", "enable-v2=false", "auto-compaction-retention=1"]
        );
        assert!(read.rows[0].iter().all(|r| r.2 == FlagForm::Env));
    }

    #[test]
    fn flags_in_a_variable_are_the_command_lines() {
        let read = read(fixture!("daemon-args"));
        assert_eq!(read.settings(), ["enable-v2=true", "name=s1", "data-dir=/var/lib/etcd/default"]);
        assert_eq!(read.rows[0][0].2, FlagForm::CommandLine);
        assert_eq!(read.rows[0][0].3, "--enable-v2=true");
        assert_eq!(read.rows[0][1].2, FlagForm::Env);
    }

    #[test]
    fn flags_added_to_a_variable_in_a_script() {
        let read = read(fixture!("appended-in-a-script"));
        assert_eq!(read.settings(), ["experimental-watch-progress-notify-interval=${ETCD_PROGRESS_NOTIFY_INTERVAL}"]);
        let set = read.sets()[0];
        assert_eq!(set.elsewhere[0].value, "$etcd_extra_args");
        assert!(!set.complete);
    }

    #[test]
    fn empty_values_are_set_and_yaml_below_is_its_own() {
        let read = read(fixture!("then-command-list"));
        assert_eq!(read.settings(), ["log-package-levels=", "debug=False", "logger=capnslog", "log-package-levels="]);
        assert_eq!(read.rows[0][0].3, "ETCD_LOG_PACKAGE_LEVELS=");
        assert_eq!((read.rows[0][0].2, read.rows[1][0].2), (FlagForm::Env, FlagForm::CommandLine));
        assert_eq!(read.sets()[1].settings[0].span.first_line, 7);
    }

    #[test]
    fn exports_comments_behind_and_the_next_member() {
        let read = read(
            "export ETCD_NAME='m1' # first\nexport ETCDCTL_API=3\nETCD_INITIAL_CLUSTER=a=http://x:1,b=http://y:1\n\nETCD_NAME=m2\nETCD_PROXY = x\n",
        );
        assert_eq!(read.settings(), ["name=m1", "initial-cluster=a=http://x:1,b=http://y:1", "name=m2"]);
        assert_eq!(read.rows[0][0].3, "ETCD_NAME='m1'");
        assert_eq!(read.sets().len(), 2);
    }

    #[test]
    fn variables_of_others_are_left() {
        for text in [
            "ETCDCTL_API=3\nETCDCTL_ENDPOINTS=https://m1:2379\n",
            "ETCD_VER=v3.5.9\n",
            "ETCD_MANAGER_DAILY_BACKUPS_RETENTION=90d\n",
            "KUBELET_ARGS=\"--config=/x --node-ip=1\"\n",
            "PATH=/usr/bin\n# ETCD\n",
            "level=info msg=started\n",
        ] {
            let read = read(text);
            assert!(read.taken.is_empty(), "{text}: {:?}", read.settings());
        }
    }
}
