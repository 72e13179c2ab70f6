//! Lines of `ps`, `pgrep -a`, or the process list of `systemctl status`.

use super::arguments::{Variables, flag_parts, is_other_mode, is_server, path_version, read as read_arguments};
use super::process::take_environment;
use super::stretch::{Stretch, seen};
use super::words::{Word, starts_with_flag};
use super::{Draft, taken};
use crate::evidence::clean::Role;
use crate::evidence::detect::{Place, Taken};
use crate::evidence::fact::FlagSource;

/// The most columns `ps` prints before the command.
const COLUMNS: usize = 14;

/// Reads a process list below its header, or a run of etcd's own lines; `grep`'s line is no member.
pub fn read(place: &Place<'_>) -> Option<Taken> {
    let shape = |at: usize| match place.lines.get(at).filter(|l| l.role == Role::Output) {
        Some(line) => Process::of(seen(line)),
        None => Process::None,
    };
    let first = shape(place.at);
    if first == Process::Grep {
        return Some(taken(place, 1, FORM, Vec::new()));
    }
    if !matches!(first, Process::Header | Process::Etcd) {
        return None;
    }
    let listed = first == Process::Header;
    let mut drafts = Vec::new();
    let mut at = place.at + usize::from(listed);
    let mut end = at;
    loop {
        match shape(at) {
            Process::Etcd => {
                let (draft, count) = etcd(place, at);
                drafts.extend(draft);
                at += count;
                end = at;
            }
            Process::Grep => {
                at += 1;
                end = at;
            }
            // Other processes belong to the list below a header.
            Process::Other if listed => {
                at += 1;
                end = at;
            }
            Process::Other | Process::Header | Process::None => break,
        }
    }
    (!drafts.is_empty()).then(|| taken(place, end - place.at, FORM, drafts))
}

/// What the report calls it.
const FORM: &str = "ps";

/// What a line is to a list of processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Process {
    Header,
    Etcd,
    /// `grep etcd`, found by the search itself.
    Grep,
    Other,
    None,
}

impl Process {
    fn of(text: &str) -> Self {
        let words = || text.split_whitespace();
        let is_number = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit());
        let has = |name: &str| words().any(|w| w == name);
        if has("PID") && (has("CMD") || has("COMMAND") || has("ARGS")) {
            return Self::Header;
        }
        let numbered = words().take(3).any(|w| is_number(w.trim_start_matches(['├', '└', '─', '│', '|', '`', '-'])));
        if !numbered {
            return Self::None;
        }
        match program(text) {
            Some(_) => Self::Etcd,
            None if text.contains("etcd") && words().any(|w| w == "grep" || w.ends_with("/grep")) => Self::Grep,
            None => Self::Other,
        }
    }
}

/// The index of the word that is the etcd server: behind columns only, with a flag after it.
fn program(text: &str) -> Option<usize> {
    let mut words = text.split_whitespace().enumerate().peekable();
    while let Some((index, word)) = words.next() {
        if index > COLUMNS || (index > 0 && flag_parts(word).is_some_and(|(_, v)| v.is_some() || word.len() > 2)) {
            return None;
        }
        if index > 0 && is_server(word) && words.peek().is_some_and(|(_, next)| flag_parts(next).is_some()) {
            return Some(index);
        }
    }
    None
}

/// The process line at `at`, and how many lines it is wrapped over; no draft for a proxy or gateway.
fn etcd(place: &Place<'_>, at: usize) -> (Option<Draft>, usize) {
    let mut stretch = Stretch::default();
    let mut index = at;
    while let Some(line) = place.lines.get(index) {
        let text = seen(line);
        if index > at && !starts_with_flag(text) {
            break;
        }
        if index > at {
            stretch.push_end(place.lines, index - 1, ' ');
        }
        stretch.push(place.lines, index, 0, text.len());
        index += 1;
    }
    let words = bare_words(stretch.text());
    let program = program(stretch.text()).unwrap_or(0);
    let arguments = words.get(program + 1..).unwrap_or(&[]);
    if is_other_mode(arguments) {
        return (None, index - at);
    }
    let mut draft = Draft::new(FlagSource::Ps, at, index - 1);
    draft.set.version = words.get(program).and_then(|w| path_version(&w.text));
    draft.set.program = words.get(program).map(|w| w.text.clone());
    read_arguments(place, &stretch, arguments, &Variables::default(), &mut draft);
    let program = words.get(program).map_or((0, 0), |w| (w.from, w.to));
    let program = stretch.span(place, program.0, program.1);
    let environment = take_environment(place, index, program, &mut draft);
    (Some(draft), index - at + environment)
}

/// The words between blanks: the kernel keeps arguments as they are, quotes have no meaning any more.
fn bare_words(text: &str) -> Vec<Word> {
    let start = text.as_ptr() as usize;
    text.split_whitespace()
        .map(|word| {
            let from = word.as_ptr() as usize - start;
            Word { text: word.to_owned(), from, to: from + word.len(), operator: false, quote: None }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::evidence::flags::testing::read;

    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!("../../../tests/fixtures/flags/ps/", $name, ".txt"))
        };
    }

    #[test]
    fn greps_own_line_is_no_member() {
        let read = read(fixture!("aux-with-grep"));
        assert_eq!(
            read.settings(),
            [
                "name=h1.example.net.",
                "data-dir=/var/lib/etcd",
                "listen-client-urls=https://192.0.2.61:2379,https://127.0.0.1:2379",
                "advertise-client-urls=https://192.0.2.61:2379",
                "ca-file=/etc/ssl/ca.pem",
                "peer-ca-file=/etc/ssl/ca.pem",
                "cert-file=/etc/ssl/s.pem",
                "key-file=/etc/ssl/s-key.pem",
                "initial-cluster-state=existing",
            ]
        );
        assert_eq!(read.rows[0][1].3, "-data-dir /var/lib/etcd");
        assert_eq!(read.sets()[0].settings[0].span.first_line, 2);
        assert_eq!(read.taken[0].1.recognised.members, 1);
        assert_eq!(read.taken[0].1.lines, 2);
    }

    #[test]
    fn grep_alone_is_read_and_is_nobody() {
        let read = read("root     22310  0.0  0.0  14224   932 pts/0    S+   10:11   0:00 grep --color=auto etcd");
        assert_eq!(read.taken[0].1.recognised.members, 0);
        assert!(read.sets().is_empty() && read.left.is_empty());
    }

    #[test]
    fn the_apiserver_is_not_etcd() {
        assert!(read(fixture!("apiserver")).taken.is_empty());
    }

    #[test]
    fn a_list_below_its_header_several_members_and_wrapped_lines() {
        let read = read(
            "UID          PID    PPID  C STIME TTY          TIME CMD\nroot           1       0  0 09:00 ?        00:00:01 /sbin/init\netcd        1001       1  2 09:00 ?        00:10:00 /opt/etcd-v3.5.17-linux-amd64/etcd --name m1\n--data-dir /var/lib/m1 --enable-v2\netcd        1002       1  2 09:00 ?        00:10:00 etcd --name m2 --data-dir /var/lib/m2\nroot        1003       1  0 09:00 ?        00:00:00 /usr/bin/etcd grpc-proxy start --endpoints=m1:2379\n",
        );
        assert_eq!(
            read.settings(),
            ["name=m1", "data-dir=/var/lib/m1", "enable-v2", "name=m2", "data-dir=/var/lib/m2"]
        );
        assert_eq!(read.sets()[0].version.as_ref().map(ToString::to_string).as_deref(), Some("3.5.17"));
        assert!(read.left.is_empty(), "{:?}", read.left);
    }

    #[test]
    fn pgrep_and_the_process_list_of_systemctl() {
        let read =
            read("1324 /usr/bin/etcd --name=m1\n             └─1324 /usr/bin/etcd --name=m1 --enable-v2=false\n");
        assert_eq!(read.settings(), ["name=m1", "name=m1", "enable-v2=false"]);
    }
}
