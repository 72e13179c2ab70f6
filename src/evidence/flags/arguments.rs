//! Words of a command line → settings: which word is the etcd server, which are its flags.

use std::collections::HashMap;

use super::stretch::Stretch;
use super::words::{Rules, Word, split};
use super::{Draft, flag_of_env};
use crate::etcd::flags;
use crate::etcd::version::Version;
use crate::evidence::detect::Place;
use crate::evidence::fact::{FlagForm, FlagSetting};

/// Programs that start another one: what stands before etcd on a command line.
const WRAPPERS: &[&str] = &[
    "ash",
    "authbind",
    "bash",
    "chpst",
    "chrt",
    "command",
    "dash",
    "doas",
    "dumb-init",
    "env",
    "exec",
    "gosu",
    "ionice",
    "ksh",
    "nice",
    "nohup",
    "numactl",
    "prlimit",
    "runuser",
    "setpriv",
    "setsid",
    "sh",
    "start-stop-daemon",
    "stdbuf",
    "strace",
    "su",
    "su-exec",
    "sudo",
    "systemd-run",
    "taskset",
    "time",
    "timeout",
    "tini",
    "unshare",
    "zsh",
];

/// Those of them whose first word is a user.
const USER_FIRST: &[&str] = &["gosu", "su", "su-exec"];

/// Kinds of a flag that take no value of their own on the command line.
const BARE_KIND: &str = "bool";

/// Is this word the etcd server's program (`/usr/local/bin/etcd`, `./etcd2`, `etcd-v3.5.9`, `etcd.exe`)?
pub fn is_server(word: &str) -> bool {
    let base = word.rsplit(['/', '\\']).next().unwrap_or("");
    let Some(rest) = base.strip_prefix("etcd") else { return false };
    let rest = rest.strip_suffix(".exe").unwrap_or(rest);
    rest.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'_' | b'v')) && !rest.ends_with(['-', '.'])
}

/// The version a program's path names (`/opt/etcd-v3.5.9-linux-amd64/etcd`).
pub fn path_version(program: &str) -> Option<Version> {
    program.split(['/', '\\']).rev().find_map(|part| {
        let rest = part.strip_prefix("etcd")?.trim_start_matches(['-', '_', 'v']);
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        rest.get(..end)?.trim_end_matches('.').parse().ok()
    })
}

/// The name part of a word that is a flag, and its value if it stands in the same word. One or two dashes start a
/// flag; a further one stays in the name, as no such flag exists.
pub fn flag_parts(word: &str) -> Option<(&str, Option<&str>)> {
    // Word processors turn two dashes into one long one.
    let rest = word.strip_prefix("--").or_else(|| word.strip_prefix(['-', '–', '—']))?;
    let (name, value) = rest.split_once('=').map_or((rest, None), |(n, v)| (n, Some(v)));
    let bare = name.trim_start_matches('-');
    let named = bare.starts_with(|c: char| c.is_ascii_alphabetic())
        && bare.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    named.then_some((name, value))
}

/// Does this flag stand alone, so that the next word is not its value?
fn is_bare(name: &str) -> bool {
    flags::by_name(name).is_some_and(|f| f.minors.iter().any(|m| m.kind == BARE_KIND))
}

/// `NAME=value` as an assignment of the shell.
pub fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    named.then_some((name, value))
}

/// What became of the words after the program.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Flags read.
    pub flags: usize,
    /// Flags read that some minor of etcd knows.
    pub known: usize,
    /// Words that are neither flag nor value: etcd would refuse to start.
    pub stray: usize,
}

/// Variables whose values stand in the text too.
#[derive(Debug, Default)]
pub struct Variables<'s> {
    known: HashMap<String, (&'s Stretch, Word)>,
}

impl<'s> Variables<'s> {
    /// Remembers `NAME=value`, if the word is one. A later value replaces an earlier one.
    pub fn learn(&mut self, stretch: &'s Stretch, word: &Word) {
        let Some((name, value)) = assignment(&word.text) else { return };
        let skip = stretch.cut(word.from, word.to).find('=').map_or(0, |i| i + 1);
        let value = Word { text: value.to_owned(), from: word.from + skip, ..word.clone() };
        self.known.insert(name.to_owned(), (stretch, value));
    }

    /// The value of a word that is one variable and nothing else.
    fn get(&self, word: &str) -> Option<&(&'s Stretch, Word)> {
        self.known.get(variable(word)?)
    }
}

/// The name of the variable a word consists of: `$NAME`, `${NAME}`, `$(NAME)` as in pod manifests.
fn variable(word: &str) -> Option<&str> {
    let rest = word.strip_prefix('$')?;
    let name = rest.strip_prefix('{').and_then(|r| r.strip_suffix('}'));
    let name = name.or_else(|| rest.strip_prefix('(').and_then(|r| r.strip_suffix(')'))).unwrap_or(rest);
    (!name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')).then_some(name)
}

/// Turns arguments into settings of `draft`. Ends at the first operator. A variable that stands alone and is known
/// counts as the words of its value, an unknown one as settings that stand elsewhere.
pub fn read(
    place: &Place<'_>,
    stretch: &Stretch,
    words: &[Word],
    variables: &Variables<'_>,
    draft: &mut Draft,
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut rest = words.iter().take_while(|w| !w.operator).peekable();
    while let Some(word) = rest.next() {
        let Some((name, value)) = flag_parts(&word.text) else {
            if let Some((from, value)) = variables.get(&word.text) {
                let inner = split(from, value.from, value.to, Rules::inside(value));
                let inner = read(place, from, &inner, &Variables::default(), draft);
                outcome.flags += inner.flags;
                outcome.known += inner.known;
                outcome.stray += inner.stray;
            } else if word.text.starts_with('$') || word.text.starts_with("{{") {
                draft.elsewhere(word.text.clone(), stretch.span(place, word.from, word.to));
            } else if !matches!(word.text.as_str(), "true" | "false" | "\\" | "--") {
                outcome.stray += 1;
            }
            continue;
        };
        let mut to = word.to;
        let mut value = value.map(str::to_owned);
        if value.is_none() && !is_bare(name) && rest.peek().is_some_and(|w| !w.text.starts_with("--")) {
            let known = flags::by_name(name).is_some();
            // An unknown flag may be a bare one: a dash after it starts the next flag.
            if let Some(next) = rest.next_if(|w| known || !w.text.starts_with('-')) {
                value = Some(next.text.clone());
                to = next.to;
            }
        }
        if let Some((_, known)) = value.as_deref().and_then(|v| variables.get(v)) {
            value = Some(known.text.clone());
        }
        outcome.flags += 1;
        outcome.known += usize::from(super::is_known(name) || flags::is_ignored(name));
        draft.add(FlagSetting {
            name: name.to_owned(),
            value,
            form: FlagForm::CommandLine,
            span: stretch.span(place, word.from, to),
        });
    }
    outcome
}

/// Adds `ETCD_X=value` to the draft, when it is the server's.
pub fn add_env(place: &Place<'_>, stretch: &Stretch, word: &Word, draft: &mut Draft) -> bool {
    let Some((variable, value)) = word.text.split_once('=') else { return false };
    let Some(name) = flag_of_env(variable) else { return false };
    draft.add(FlagSetting {
        name,
        value: Some(value.to_owned()),
        form: FlagForm::Env,
        span: stretch.span(place, word.from, word.to),
    });
    true
}

/// A start of the etcd server found among words.
#[derive(Debug)]
pub struct Start {
    /// The program word.
    pub program: Word,
    /// The words before it.
    pub before: Vec<Word>,
    /// The words after it, up to the end of the command.
    pub arguments: Vec<Word>,
}

/// Looks for a start of the server in one command (no operators in `words`): etcd itself, or etcd behind programs
/// that start others, a shell's `-c` text included.
pub fn find_start(stretch: &Stretch, words: &[Word]) -> Option<Start> {
    let first = words.iter().position(|w| assignment(&w.text).is_none() || assigned_program(&w.text))?;
    let lead = words.get(first)?;
    // `m1: bin/etcd …` of a Procfile.
    let labelled = lead.text.ends_with(':') && first == 0;
    let mut wrapped = labelled;
    let mut after_option = false;
    for (index, word) in words.iter().enumerate().skip(first + usize::from(labelled)) {
        let next = words.get(index + 1);
        if is_program_word(&word.text) && starts_here(next) {
            let arguments: Vec<Word> = words.get(index + 1..).unwrap_or(&[]).to_vec();
            if is_other_mode(&arguments) {
                return None;
            }
            let before = words.get(..index).unwrap_or(&[]).to_vec();
            return Some(Start { program: word.clone(), before, arguments });
        }
        // `sh -c "exec etcd …"`
        if wrapped && word.quote.is_some() && word.text.contains(' ') {
            for command in commands(&split(stretch, word.from, word.to, Rules::inside(word))) {
                if let Some(mut start) = find_start(stretch, command) {
                    let mut before: Vec<Word> = words.get(..index).unwrap_or(&[]).to_vec();
                    before.append(&mut start.before);
                    return Some(Start { before, ..start });
                }
            }
        }
        let name = word.text.rsplit('/').next().unwrap_or("").trim_start_matches(['-', '@', '+', '!']);
        let is_option = word.text.starts_with('-') && word.text.len() > 1;
        let wraps = WRAPPERS.contains(&name) && !is_option;
        let passed = is_option
            || after_option
            || word.text == "-"
            || assignment(&word.text).is_some()
            || word.text.starts_with(|c: char| c.is_ascii_digit());
        if !(wraps || wrapped && passed) {
            return None;
        }
        wrapped |= wraps;
        after_option = (is_option && !word.text.contains('=')) || word.text == "-" || USER_FIRST.contains(&name);
    }
    None
}

/// The simple commands among words: the runs between operators.
pub fn commands(words: &[Word]) -> impl Iterator<Item = &[Word]> {
    words.split(|w| w.operator).filter(|c| !c.is_empty())
}

fn is_program_word(text: &str) -> bool {
    is_server(text.trim_start_matches(['-', '@', '+', '!', ':'])) || assigned_program(text)
}

/// `command=/usr/bin/etcd` as supervisors write it.
fn assigned_program(text: &str) -> bool {
    text.split_once('=')
        .is_some_and(|(key, program)| key.bytes().all(|b| b.is_ascii_alphabetic()) && is_server(program))
}

/// Does this word follow a program that is being started? Another word follows when etcd is a user's or unit's name,
/// and a shell's `-c` when it is the user of `su`.
fn starts_here(next: Option<&Word>) -> bool {
    let flag = |w: &Word| flag_parts(&w.text).is_some_and(|(name, _)| name != "c");
    next.is_none_or(|w| flag(w) || w.text == "--" || w.text.starts_with(['$', '{']) || is_mode(&w.text))
}

fn is_mode(word: &str) -> bool {
    matches!(word, "grpc-proxy" | "gateway")
}

/// Is this no server: a proxy, a gateway, or a question for its version or help?
pub fn is_other_mode(arguments: &[Word]) -> bool {
    arguments.first().is_some_and(|first| {
        is_mode(&first.text)
            || (arguments.len() == 1
                && flag_parts(&first.text).is_some_and(|(name, _)| matches!(name, "version" | "help" | "h")))
    })
}
