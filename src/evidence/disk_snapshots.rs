//! A listing of `member/snap`: `ls`, `ls -l` with every style of time, `ls -R`, `find`. Each `<term>-<index>.snap` is a
//! disk snapshot; both numbers are hex.

use super::detect::{Place, Taken};
use super::fact::{Body, DiskSnapshot, Kind, ListedTime};
use super::moment;

/// One line of a listing.
enum Entry<'t> {
    /// A disk snapshot.
    Snapshot(DiskSnapshot),
    /// Another file of the data directory: `db`, a WAL segment, a directory.
    Other,
    /// The directory the next lines are of: `/var/lib/etcd/member/snap:`.
    Directory(&'t str),
}

/// A listing from its first line on. Without any file of a snap directory in it, it is another directory's.
#[must_use]
pub fn read_lines(place: &Place<'_>) -> Option<Taken> {
    let asked = asks_for_snap(place);
    let mut snapshots = Vec::new();
    let mut has_db = false;
    let mut directory = None;
    let mut lines = 0;
    let mut blank = 0;
    for line in place.lines.get(place.at..)? {
        let text = line.text.trim();
        if text.is_empty() && lines > 0 && line.role == super::clean::Role::Output {
            blank += 1;
            continue;
        }
        match entry(text, asked) {
            Some(Entry::Snapshot(snapshot)) => snapshots.push(snapshot),
            Some(Entry::Other) => has_db |= text.split_whitespace().last().is_some_and(is_db),
            // The listing of another member's directory begins.
            Some(Entry::Directory(path)) if directory.is_some() && path.ends_with("member/snap") => break,
            Some(Entry::Directory(path)) => {
                if path.ends_with("/snap") {
                    directory = Some(path.to_owned());
                }
            }
            None => break,
        }
        lines += blank + 1;
        blank = 0;
    }
    if lines == 0 || (snapshots.is_empty() && !has_db && !(asked && directory.is_some())) {
        return None;
    }
    let mut fact = place.fact(place.span(lines), Body::DiskSnapshots(snapshots));
    if let Some(data_dir) = directory.as_deref().and_then(|d| d.strip_suffix("/member/snap")) {
        fact.hint.data_dir = Some(data_dir.to_owned());
    } else if let Some(word) = place.context.parsed.words.iter().find(|w| w.contains("/member/snap")) {
        fact.hint.data_dir = word.split("/member/snap").next().map(str::to_owned);
    }
    Some(place.taken(lines, Kind::DiskSnapshots, "listing", 0, vec![fact]))
}

/// Does the command list a snap directory?
fn asks_for_snap(place: &Place<'_>) -> bool {
    let words = &place.context.parsed.words;
    let lists = ["ls", "ll", "dir", "find", "stat"].contains(&place.context.parsed.program());
    (lists && words.iter().any(|w| w.contains("snap") || w.contains("member")))
        || place.context.kind == Some(Kind::DiskSnapshots)
}

fn is_db(name: &str) -> bool {
    name.rsplit('/').next() == Some("db")
}

fn entry(text: &str, asked: bool) -> Option<Entry<'_>> {
    if text.len() > 1_000 {
        return None;
    }
    if let Some(path) = text.strip_suffix(':').filter(|p| p.starts_with(['/', '.']) && p.contains("member")) {
        return Some(Entry::Directory(path));
    }
    let mut words = text.split_whitespace();
    let first = words.next()?;
    if first == "total" && words.next().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit())) {
        return asked.then_some(Entry::Other);
    }
    let name = text.split_whitespace().last()?;
    let is_mode = first.len() >= 10
        && first.starts_with(['-', 'd', 'l'])
        && first.bytes().take(10).skip(1).all(|b| b"rwxsStT-".contains(&b));
    if let Some((term, index)) = snapshot_name(name) {
        let modified = if is_mode { listed_time(text) } else { None };
        return Some(Entry::Snapshot(DiskSnapshot { term, index, modified }));
    }
    let base = name.rsplit('/').next().unwrap_or(name);
    let known = matches!(base, "db" | "wal" | "snap" | "." | ".." | "member")
        || base.ends_with(".wal")
        || base.ends_with(".snap.db")
        || base.ends_with(".tmp")
        || base.ends_with(".broken");
    // A bare name is a listing's line only after the command.
    let plain = asked && text.split_whitespace().count() == 1 && known;
    let in_tree = name.contains("/member/") && text.split_whitespace().count() == 1;
    ((is_mode && known) || plain || (in_tree && known)).then_some(Entry::Other)
}

/// `0000000000000002-0000000000000011.snap`, with or without a path before it.
fn snapshot_name(name: &str) -> Option<(u64, u64)> {
    let base = name.rsplit('/').next()?.strip_suffix(".snap")?;
    let (term, index) = base.split_once('-')?;
    let hex = |digits: &str| (digits.len() == 16).then(|| u64::from_str_radix(digits, 16).ok())?;
    Some((hex(term)?, hex(index)?))
}

/// The time in a line of `ls -l`: everything between the size and the name.
fn listed_time(text: &str) -> Option<ListedTime> {
    let words: Vec<&str> = text.split_whitespace().collect();
    // mode, links, owner, group, size; `-g`, `-o` and `-n` leave some out.
    let starts =
        words.iter().enumerate().skip(3).find(|(i, w)| {
            is_month(w) || is_date(w) || (w.len() == 5 && w.as_bytes().get(2) == Some(&b'-') && *i >= 4)
        })?;
    let time = words.get(starts.0..words.len().checked_sub(1)?)?.join(" ");
    (!time.is_empty()).then(|| ListedTime { unix: moment::listed(&time), text: time })
}

fn is_month(word: &str) -> bool {
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].contains(&word)
}

fn is_date(word: &str) -> bool {
    word.len() == 10
        && word.bytes().enumerate().all(|(i, b)| if i == 4 || i == 7 { b == b'-' } else { b.is_ascii_digit() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::fact::Fact;
    use crate::evidence::paste::Paste;

    fn read(text: &str) -> Vec<Fact> {
        crate::evidence::read(&[Paste::new("paste", text)]).facts
    }

    /// Term, index and time of each disk snapshot of a listing, and the data directory.
    type Listing = (Vec<(u64, u64, Option<i64>)>, Option<String>);

    fn listings(text: &str) -> Vec<Listing> {
        read(text)
            .into_iter()
            .map(|fact| {
                let Body::DiskSnapshots(list) = fact.body else { panic!("{fact:?}") };
                let rows = list.iter().map(|s| (s.term, s.index, s.modified.as_ref().and_then(|m| m.unix)));
                (rows.collect(), fact.hint.data_dir)
            })
            .collect()
    }

    #[test]
    fn every_style_of_listing_is_read() {
        let at = 1_796_037_903;
        for (text, unix) in [
            ("-rw-r--r-- 1 root root 8123 Nov 30 11:25 0000000000000002-0000000000000011.snap", None),
            ("-rw-r--r-- 1 root root 8123 Nov 30  2026 0000000000000002-0000000000000011.snap", Some(1_795_996_800)),
            (
                "-rw-r--r-- 1 root root 8123 2026-11-30 11:25:03.039918000 +0000 0000000000000002-0000000000000011.snap",
                Some(at),
            ),
            ("-rw------- 1 root root 8123 2026-11-30 11:25 0000000000000002-0000000000000011.snap", Some(at - 3)),
            ("/var/lib/etcd/member/snap/0000000000000002-0000000000000011.snap", None),
            ("0000000000000002-0000000000000011.snap", None),
        ] {
            assert_eq!(listings(text), [(vec![(2, 0x11, unix)], None)], "{text}");
        }
    }

    #[test]
    fn a_listing_without_a_snapshot_is_an_empty_one() {
        let text = "$ sudo ls -l /var/lib/etcd/member/snap\ntotal 20\n-rw------- 1 etcd etcd 20480 Nov 30 11:25 db\n";
        assert_eq!(listings(text), [(Vec::new(), Some("/var/lib/etcd".to_owned()))]);
        assert!(read("-rw------- 1 etcd etcd 20480 Nov 30 11:25 notes.txt").is_empty());
    }

    #[test]
    fn two_directories_are_two_listings() {
        let text = "/a/member/snap:\ntotal 4\n0000000000000001-0000000000000002.snap\n\n\
                    /b/member/snap:\n0000000000000001-0000000000000003.snap\n";
        let text = format!("$ ls /a/member/snap /b/member/snap\n{text}");
        assert_eq!(
            listings(&text),
            [(vec![(1, 2, None)], Some("/a".to_owned())), (vec![(1, 3, None)], Some("/b".to_owned()))]
        );
    }
}
