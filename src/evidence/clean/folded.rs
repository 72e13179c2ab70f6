//! JSON on one line that a terminal broke at its width: log lines, answers of etcdctl.
//!
//! A line that opens a value and does not close it is followed for as long as the lines below are of its width; where the
//! value ends at the end of a line, all of them are one. Nothing else is known to be one line for sure.

use std::borrow::Cow;

use super::super::json::Scan;
use super::{Line, Role, noise};

/// The narrowest terminal, in characters.
const NARROWEST: usize = 40;

/// The most lines one line is broken into: an answer about nine members, at 80 characters.
const MOST: usize = 120;

/// A value that is open at the end of the line before.
struct Open {
    /// Index of its first line.
    first: usize,
    /// The width of the terminal, in characters.
    width: usize,
    scan: Scan,
}

/// Follows a value over lines.
#[derive(Default)]
pub(super) struct Folded(Option<Open>);

impl Folded {
    /// Looks at the lines from index `new` on, which one raw line became; it may begin a value and leave it open.
    pub(super) fn follow(&mut self, lines: &mut Vec<Line<'_>>, new: usize, opens: bool) {
        if !opens && self.0.is_none() {
            return;
        }
        let Some(line) = lines.get(new).filter(|_| lines.len() == new + 1) else {
            self.0 = None;
            return;
        };
        if let Some(mut open) = self.0.take() {
            let width = line.raw.trim_end_matches('\r').chars().count();
            let piece = line.role != Role::Command && width <= open.width && lines.len() - open.first <= MOST;
            let end = if piece { open.scan.more(&line.text) } else { None };
            match end {
                Some(Some(end)) if line.text.get(end..).is_some_and(|rest| rest.trim().is_empty()) => {
                    join(lines, &open);
                    return;
                }
                // A blank at the end of a piece may be gone.
                Some(None) if width + 1 >= open.width => {
                    self.0 = Some(open);
                    return;
                }
                _ => {}
            }
        }
        self.0 = if opens { open(lines, new) } else { None };
    }
}

/// The value that this line opens and does not close. A value that is drawn over lines opens with its bracket alone.
fn open(lines: &[Line<'_>], first: usize) -> Option<Open> {
    let line = lines.get(first)?;
    let text = line.text.trim_start();
    let starts = ["{\"", "[{\"", "{ \""].iter().any(|s| text.starts_with(s));
    let width = line.raw.trim_end_matches('\r').chars().count();
    if !starts || width < NARROWEST {
        return None;
    }
    let mut scan = Scan::default();
    match scan.more(text) {
        Some(None) => Some(Open { first, width, scan }),
        _ => None,
    }
}

/// Makes one line of those from the first on.
fn join(lines: &mut Vec<Line<'_>>, open: &Open) {
    let mut text = String::new();
    let pieces = lines.len() - open.first;
    for (at, line) in lines.iter().skip(open.first).enumerate() {
        text.push_str(&line.text);
        if at + 1 < pieces && line.raw.trim_end_matches('\r').chars().count() < open.width {
            text.push(' ');
        }
    }
    let last = lines.last().map_or(0, |l| l.last);
    lines.truncate(open.first + 1);
    if let Some(line) = lines.last_mut() {
        line.role = if noise::is_noise(&text) { Role::Noise } else { Role::Output };
        line.text = Cow::Owned(text);
        line.last = last;
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines;

    #[test]
    fn a_broken_value_is_one_line_again() {
        let value = r#"{"level":"warn","ts":"2026-11-30T11:30:52Z","msg":"a [ in a string","n":12345}"#;
        let broken = |width: usize| {
            let all: Vec<char> = value.chars().collect();
            all.chunks(width).map(|c| c.iter().collect::<String>() + "\n").collect::<String>()
        };
        for width in [40, 47, 53, 64] {
            let text = broken(width) + "next\n";
            let lines = lines(&text);
            assert_eq!(lines.len(), 2, "{text}");
            assert_eq!((lines[0].text.as_ref(), lines[0].number), (value, 1));
            assert_eq!((lines[0].last + 1, lines[1].number), (lines[1].number, lines[1].last));
        }
    }

    #[test]
    fn what_was_drawn_over_lines_or_cut_stays() {
        for text in [
            "{\n  \"a\": 1\n}\n",
            "{\"level\":\"warn\",\"msg\":\"a line that was cut at the end of the ter\n{\"level\":\"warn\"}\n",
            "{\"level\":\"warn\",\"msg\":\"a line that was cut at the end of the ter\nsome other words\n",
        ] {
            assert_eq!(lines(text).len(), text.lines().count(), "{text}");
        }
    }
}
