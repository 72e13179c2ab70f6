//! Flags without a program: a list in Go or another language, a diff of one, lines of `--flag` alone.
//!
//! A fragment never says which flags are not set.

use super::arguments::{Variables, flag_parts, read as read_arguments};
use super::stretch::{Stretch, seen};
use super::words::{Rules, Word, split};
use super::{Draft, taken};
use crate::evidence::clean::Role;
use crate::evidence::detect::{Place, Taken};
use crate::evidence::fact::FlagSource;

/// Reads a run of such lines. What a diff takes away is not set.
pub fn read(place: &Place<'_>) -> Option<Taken> {
    let here = place.lines.get(place.at).filter(|l| l.role == Role::Output).and_then(|l| Entry::of(seen(l)))?;
    let above = place.at.checked_sub(1).and_then(|i| place.lines.get(i));
    if above.is_some_and(|l| Entry::of(seen(l)).is_some()) {
        return None;
    }
    let mut entries = vec![(place.at, here)];
    for (offset, line) in place.lines.get(place.at + 1..).unwrap_or(&[]).iter().enumerate() {
        let Some(entry) = Entry::of(seen(line)) else { break };
        entries.push((place.at + 1 + offset, entry));
    }
    // Without an added line, a dash in front is a list's.
    let is_diff = entries.iter().any(|(_, e)| e.sign == Sign::Added);
    if !is_diff && entries.iter().all(|(_, e)| e.sign == Sign::Dash || e.listed) {
        return None;
    }
    let last = place.at + entries.len() - 1;
    let mut draft = Draft::new(FlagSource::CommandLine, place.at, last);
    let (mut flags, mut known, mut stray) = (0, 0, 0);
    for (at, entry) in &entries {
        let mut stretch = Stretch::default();
        stretch.push(place.lines, *at, 0, entry.to);
        let words = if entry.quoted {
            let text = stretch.cut(entry.from, entry.to).to_owned();
            vec![Word { text, from: entry.from, to: entry.to, operator: false, quote: None }]
        } else {
            split(&stretch, entry.from, entry.to, Rules::Shell)
        };
        let removed = is_diff && entry.sign == Sign::Dash;
        let mut scratch = Draft::new(FlagSource::CommandLine, *at, *at);
        let into = if removed { &mut scratch } else { &mut draft };
        let outcome = read_arguments(place, &stretch, &words, &Variables::default(), into);
        flags += outcome.flags;
        known += outcome.known;
        stray += outcome.stray;
    }
    let fits = known > 0 && known * 2 >= flags && stray <= known && (known > 1 || is_telling(&draft));
    fits.then(|| taken(place, entries.len(), "list of flags", vec![draft]))
}

/// Is one flag alone enough? Only with a name of several words: `--debug` or `--name` is anyone's.
fn is_telling(draft: &Draft) -> bool {
    draft.set.settings.iter().any(|s| s.name.contains('-') && super::is_known(&s.name))
}

/// What stands in front of a line of a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    None,
    /// `+`
    Added,
    /// `-`: taken away, or a list's dash.
    Dash,
}

/// A line that holds one flag and nothing else but signs, quotes and a comma.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    sign: Sign,
    /// Does a list's dash stand before the flag?
    listed: bool,
    quoted: bool,
    from: usize,
    to: usize,
}

impl Entry {
    fn of(text: &str) -> Option<Self> {
        let mut from = text.len() - text.trim_start().len();
        let rest = |from: usize| text.get(from..).unwrap_or("");
        let mut sign = Sign::None;
        let mut listed = false;
        if let Some(after) = rest(from).strip_prefix('+').filter(|a| !a.starts_with('+')) {
            sign = Sign::Added;
            from += 1 + (after.len() - after.trim_start().len());
        } else if let Some(after) =
            rest(from).strip_prefix('-').filter(|a| from == 0 && a.starts_with([' ', '\t', '"']))
        {
            sign = Sign::Dash;
            from += 1 + (after.len() - after.trim_start().len());
        }
        if let Some(after) = rest(from).strip_prefix(['-', '*', '•']).filter(|a| a.starts_with(' ')) {
            listed = rest(from).starts_with('-');
            from = text.len() - after.trim_start().len();
        }
        let to = text.trim_end().trim_end_matches(',').trim_end().len();
        let quote = rest(from).chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let quoted = quote.is_some_and(|q| to > from + 1 && text.get(..to).is_some_and(|t| t.ends_with(q)));
        let (from, to) = if quoted { (from + 1, to - 1) } else { (from, to) };
        let body = text.get(from..to)?;
        let first = if quoted { body } else { body.split_whitespace().next()? };
        flag_parts(first)?;
        Some(Self { sign, listed, quoted, from, to })
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::flags::testing::read;

    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!("../../../tests/fixtures/flags/fragment/", $name, ".txt"))
        };
    }

    #[test]
    fn what_a_diff_takes_away_is_not_set() {
        let read = read(fixture!("go-diff"));
        assert_eq!(
            read.settings(),
            ["-feature-gates=CompactHashCheck=true,InitialCorruptCheck=true", "corrupt-check-time=3h0m0s"],
            "a third dash stays in the name: no flag is called so"
        );
        assert_eq!(read.rows[0][0].3, "---feature-gates=CompactHashCheck=true,InitialCorruptCheck=true");
        assert_eq!(read.sets()[0].settings[1].span.first_line, 4);
        assert!(!read.sets()[0].complete);
        assert!(read.left.is_empty());
    }

    #[test]
    fn a_diff_of_a_manifest() {
        let read = read("     - --name=m1\n-    - --enable-v2=true\n+    - --snapshot-count=5000\n");
        assert_eq!(read.settings(), ["name=m1", "snapshot-count=5000"]);
    }

    #[test]
    fn lists_of_a_program_and_lines_of_flags() {
        let read = read("args := []string{\n\t\"--enable-v2\",\n\t\"--snapshot-count=5000\",\n}\n");
        assert_eq!(read.settings(), ["enable-v2", "snapshot-count=5000"]);
        let read = super::super::testing::read("--initial-cluster-state=new \\\n--enable-v2 true");
        assert_eq!(read.settings(), ["initial-cluster-state=new", "enable-v2"]);
    }

    #[test]
    fn flags_of_others_are_left() {
        for text in [
            "--name=x\n",
            "--etcd-servers=https://192.0.2.1:2379\n--secure-port=6443\n--service-cluster-ip-range=10.0.0.0/8\n",
            "--- a/x\n+++ b/x\n",
            "- item\n- another\n",
            "-rw------- 1 etcd etcd 8 Dec 1 db\n",
            "--cacert=/x --cert=/y --key=/z\n",
        ] {
            let read = read(text);
            assert!(read.taken.is_empty(), "{text}: {:?}", read.settings());
        }
    }
}
