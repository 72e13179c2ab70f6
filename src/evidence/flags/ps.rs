//! Lines of `ps`, `pgrep -a`, or the process list of `systemctl status`.

use super::arguments::{Variables, flag_parts, is_other_mode, is_server, path_version, read as read_arguments};
use super::process::{NOT_SHOWN, take_environment};
use super::stretch::{Stretch, seen};
use super::words::{Word, starts_with_flag};
use super::{Draft, taken};
use crate::etcd::flags::{self, name};
use crate::evidence::clean::Role;
use crate::evidence::detect::{Place, Taken};
use crate::evidence::doubt;
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
    let mut widths = Widths::default();
    let mut at = place.at + usize::from(listed);
    let mut end = at;
    loop {
        let this = shape(at);
        if matches!(this, Process::Etcd | Process::Other) {
            widths.see(place, at, this);
        }
        match this {
            Process::Etcd => {
                let (draft, count) = etcd(place, at);
                drafts.extend(draft.map(|draft| (draft, at)));
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
    if drafts.is_empty() {
        return None;
    }
    let mut cut = Vec::new();
    for (draft, at) in &mut drafts {
        if is_cut(place, draft.lines, &widths) {
            without_end(draft);
            cut.push(doubt::about_cut_flags(&Place { at: *at, ..*place }));
        }
    }
    let mut taken = taken(place, end - place.at, FORM, drafts.into_iter().map(|(draft, _)| draft).collect());
    taken.facts.extend(cut);
    Some(taken)
}

/// How wide the lines of a list are, in characters.
#[derive(Debug, Default)]
struct Widths {
    /// The widest.
    most: usize,
    /// How many lines are as wide, and whether another program's is among them.
    as_wide: usize,
    with_others: bool,
}

impl Widths {
    fn see(&mut self, place: &Place<'_>, at: usize, process: Process) {
        let width = width(place, at);
        if width > self.most {
            *self = Self { most: width, ..Self::default() };
        }
        if width == self.most {
            self.as_wide += 1;
            self.with_others |= process == Process::Other;
        }
    }
}

fn width(place: &Place<'_>, at: usize) -> usize {
    place.lines.get(at).map_or(0, |l| seen(l).trim_end().chars().count())
}

/// The widths that a screen has when nobody changed it.
const USUAL_WIDTHS: [usize; 2] = [80, 132];

/// Was the line cut at the edge of the screen? A pager marks it; a flag that is only the beginning of one says so; and
/// where lines of several programs end at the same column, or `ps` wrote to a screen, that column is the edge.
fn is_cut(place: &Place<'_>, (first, at): (usize, usize), widths: &Widths) -> bool {
    let text = place.lines.get(at).map_or("", |l| seen(l).trim_end());
    let last = text.split_whitespace().next_back().unwrap_or("");
    let begun = |name: &str| flags::by_name(name).is_none() && flags::all().iter().any(|f| f.name.starts_with(name));
    if last.ends_with(['…', '>']) || last.ends_with("...") || matches!(last, "-" | "--") {
        return true;
    }
    if flag_parts(last).is_some_and(|(name, value)| value.is_none() && begun(name)) {
        return true;
    }
    let command = &place.context.parsed;
    let on_screen = command.program() == "ps"
        && !command.compound
        && !command.words.iter().skip(1).any(|w| w.trim_start_matches('-').contains('w'));
    let wide = width(place, first);
    let edge = (widths.as_wide > 1 && widths.with_others) || on_screen || USUAL_WIDTHS.contains(&wide);
    // A line that goes on below was broken, not cut.
    first == at && wide == widths.most && edge
}

/// Takes the last word off, of which only a part may be left: nobody can say what is set behind it.
fn without_end(draft: &mut Draft) {
    draft.set.settings.pop();
    draft.set.elsewhere.retain(|e| e.value != NOT_SHOWN);
    draft.set.complete = false;
    let name = draft.set.settings.iter().rfind(|s| s.name == name::NAME).and_then(|s| s.value.clone());
    draft.set.member_name = name.filter(|n| !n.is_empty());
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
        match joint(stretch.text(), text, index == at) {
            Joint::None => break,
            Joint::Blank => stretch.push_end(place.lines, index - 1, ' '),
            Joint::Glue | Joint::First => {}
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

/// How a line joins the process line above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// It is the process line.
    First,
    /// It does not belong to it.
    None,
    /// With a blank between.
    Blank,
    /// A terminal broke a word.
    Glue,
}

/// The narrowest terminal that breaks a process line, in characters.
const NARROWEST: usize = 60;

/// Does the line go on with what stands above? With flags, or with the rest of a word that a terminal broke: a flag that
/// is known only when both halves are together, or the end of a value behind which nothing but flags follow.
fn joint(above: &str, text: &str, first: bool) -> Joint {
    if first {
        return Joint::First;
    }
    let known = |word: &str| flag_parts(word).is_some_and(|(name, _)| flags::by_name(name).is_some());
    let last = above.split_whitespace().next_back().unwrap_or("");
    let mut words = text.split_whitespace();
    let Some(next) = words.next().filter(|_| !text.starts_with(' ')) else { return Joint::None };
    let wide = above.len() >= NARROWEST && !above.ends_with(' ');
    let glued = format!("{last}{next}");
    if wide && last.starts_with('-') && !known(last) && known(&glued) {
        return Joint::Glue;
    }
    if starts_with_flag(text) {
        return Joint::Blank;
    }
    let in_path = |c: char| matches!(c, ':' | '/' | '.' | '=' | ',');
    let piece = next.contains(|c: char| c.is_ascii_digit() || in_path(c))
        || last.ends_with(in_path)
        || glued.ends_with("=true")
        || glued.ends_with("=false")
        || words.clone().next().is_some_and(|w| flag_parts(w).is_some());
    let in_value = known(last) || above.split_whitespace().nth_back(1).is_some_and(known);
    let mut after_flag = false;
    let only_flags = words.all(|w| {
        let fits = w.starts_with('-') || after_flag;
        after_flag = w.starts_with('-') && !w.contains('=');
        fits
    });
    if wide && piece && in_value && only_flags { Joint::Glue } else { Joint::None }
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
    fn a_line_that_a_terminal_broke_is_one_line() {
        let whole = "etcd      1001       1  2 09:00 ?        00:10:00 /usr/bin/etcd --name m1 --advertise-client-urls https://192.0.2.61:2379 --data-dir=/var/lib/etcd --enable-v2=true";
        let expected = read(whole).settings();
        assert_eq!(expected.len(), 4);
        for width in 60..whole.len() - 1 {
            let (head, tail) = whole.split_at(width);
            if head.ends_with(' ') || tail.starts_with(' ') || tail.len() > width {
                continue;
            }
            let read = read(&format!("{head}\n{tail}\nok\n"));
            assert_eq!(read.settings(), expected, "{head}|{tail}");
            assert_eq!(read.left, ["ok"], "{head}|{tail}");
        }
    }

    #[test]
    fn a_line_cut_at_the_edge_of_the_screen_does_not_show_its_last_flag() {
        let header = "UID          PID    PPID  C STIME TTY          TIME CMD\n";
        let etcd =
            "etcd        1001       1  2 09:00 ?        00:10:00 /usr/bin/etcd --name m1 --data-dir=/var/lib/etc";
        let other =
            "root        1002       1  2 09:00 ?        00:10:00 /usr/bin/kubelet --config=/var/lib/kubelet/conf";
        for text in [
            format!("{header}{etcd}\n{other}\n"),
            format!("{etcd}…\n"),
            format!("{etcd}>\n"),
            format!("{etcd} --advertise-cli\n"),
            format!("{}\n", &etcd[..80]),
        ] {
            let read = read(&text);
            let set = read.sets()[0];
            assert!(
                !read
                    .settings()
                    .iter()
                    .any(|s| s.starts_with("data-dir=/var/lib/etc") && s.len() < 22 && !text.contains("--adv")),
                "{text}"
            );
            assert!(!set.complete && set.elsewhere.is_empty(), "{text}: {set:?}");
        }
        // Members of one host have lines of one length.
        let two = read(&format!("{etcd}\n{}\n", etcd.replace("m1", "m2")));
        assert_eq!(two.settings().len(), 4);
    }

    #[test]
    fn pgrep_and_the_process_list_of_systemctl() {
        let read =
            read("1324 /usr/bin/etcd --name=m1\n             └─1324 /usr/bin/etcd --name=m1 --enable-v2=false\n");
        assert_eq!(read.settings(), ["name=m1", "name=m1", "enable-v2=false"]);
    }
}
