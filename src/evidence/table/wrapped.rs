//! Tables whose lines a terminal broke at its width, or a mail or a chat at blanks: each line stands on two or three.
//!
//! The top border tells how: where it is broken itself, all lines are broken at its width; where it is whole, the lines
//! below it were broken at blanks.

use super::{Table, is_bar, is_border, ruled};
use crate::evidence::clean::{Line, Role};
use crate::evidence::detect::Place;

/// The most lines one line of a table is broken into.
const PIECES: usize = 12;

/// The shortest line a terminal breaks, in characters.
const NARROWEST: usize = 40;

/// How the lines of a table are broken.
#[derive(Debug, Clone, Copy)]
struct Fold {
    /// Where all lines are broken at one width: it, in characters, and the number of pieces.
    fixed: Option<(usize, usize)>,
    /// How many bars a row has.
    bars: usize,
}

/// A line put together again: its text, and the indices of its first and last piece.
type Whole = (String, usize, usize);

/// Reads the table that starts with a top border at the place, if its lines are broken.
pub(super) fn read(place: &Place<'_>, known: fn(&[String]) -> bool) -> Option<Table> {
    let (border, fold) = top_border(place)?;
    let header = row(place, border.2 + 1, fold)?;
    // Only a broken header makes it a table of this kind; a whole one is read as it stands.
    let names = super::cells(header.0.trim()).map(|cells| super::normal(&cells))?;
    if (header.1 == header.2 && fold.fixed.is_none()) || !known(&names) {
        return None;
    }
    let mut whole = vec![border, header];
    while let Some((_, _, last)) = whole.last() {
        let at = last + 1;
        match rule(place, at, fold).or_else(|| row(place, at, fold)) {
            Some(next) => whole.push(next),
            None => break,
        }
    }
    let line = |(text, first, _): &Whole| {
        let from = place.lines.get(*first);
        Line {
            number: from.map_or(0, |l| l.number),
            last: from.map_or(0, |l| l.last),
            raw: "",
            text: std::borrow::Cow::Owned(text.clone()),
            role: Role::Output,
            host: from.and_then(|l| l.host.clone()),
            prompted: false,
            continues: false,
        }
    };
    let lines: Vec<Line<'_>> = whole.iter().map(line).collect();
    let mut table = ruled(&Place { lines: &lines, at: 0, ..*place }, known)?;
    for row in &mut table.rows {
        row.first = whole.get(row.first)?.1;
        row.last = whole.get(row.last)?.2;
    }
    table.lines = whole.get(table.lines.checked_sub(1)?)?.2 + 1 - place.at;
    Some(table)
}

fn text<'a>(place: &Place<'a>, at: usize) -> Option<&'a str> {
    place.lines.get(at).filter(|l| l.role != Role::Command).map(|l| l.text.trim_end())
}

/// The top border at the place, and how the lines below it are broken.
fn top_border(place: &Place<'_>) -> Option<(Whole, Fold)> {
    let first = text(place, place.at)?;
    if !first.trim_start().starts_with(is_joint) || !is_border(first) {
        return None;
    }
    let width = first.chars().count();
    if width < NARROWEST {
        return None;
    }
    let (mut border, mut last) = (first.to_owned(), place.at);
    // A piece may end at a joint by chance; then the next one starts with dashes.
    while last - place.at < PIECES
        && let Some(next) = text(place, last + 1).filter(|t| is_piece(t))
        && (!border.ends_with(is_joint) || !next.starts_with(is_joint))
    {
        border.push_str(next);
        last += 1;
    }
    if !border.ends_with(is_joint) {
        return None;
    }
    let bars = border.chars().filter(|c| is_joint(*c)).count();
    let pieces = last + 1 - place.at;
    Some(((border, place.at, last), Fold { fixed: (pieces > 1).then_some((width, pieces)), bars }))
}

/// A further line of dashes and joints, however short.
fn is_piece(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| is_joint(c) || matches!(c, '-' | '=' | '─' | '━' | '═'))
}

fn is_joint(c: char) -> bool {
    c == '+' || ('┌'..='╬').contains(&c) && !matches!(c, '─' | '━' | '═') || matches!(c, '╭' | '╮' | '╯' | '╰')
}

/// A border below the header.
fn rule(place: &Place<'_>, at: usize, fold: Fold) -> Option<Whole> {
    let (_, pieces) = fold.fixed.unwrap_or((0, 1));
    let mut border = String::new();
    for n in at..at + pieces {
        border.push_str(text(place, n).filter(|t| is_piece(t))?);
    }
    is_border(&border).then_some((border, at, at + pieces - 1))
}

/// A row: so many pieces of the width, or as many lines as it takes to see all its bars.
fn row(place: &Place<'_>, at: usize, fold: Fold) -> Option<Whole> {
    let first = text(place, at)?;
    if !first.trim_start().starts_with(is_bar) {
        return None;
    }
    let bars = |text: &str| text.chars().filter(|c| is_bar(*c)).count();
    let mut row = first.to_owned();
    let mut last = at;
    if let Some((width, pieces)) = fold.fixed {
        while last + 1 < at + pieces {
            // Blanks at the end of a piece may be gone.
            let length = row.chars().count();
            row.extend(std::iter::repeat_n(' ', ((last + 1 - at) * width).saturating_sub(length)));
            last += 1;
            row.push_str(text(place, last)?);
        }
    } else {
        while bars(&row) < fold.bars && last - at < PIECES {
            last += 1;
            row.push(' ');
            row.push_str(text(place, last).filter(|t| !is_border(t))?.trim_start());
        }
    }
    (bars(&row) == fold.bars).then_some((row, at, last))
}
