//! Names that a table broke over the lines of one cell: seen line by line they are halves that nothing replaces.

use super::replace::Table;

/// A cell that runs over several lines: where its parts stand in the text.
type Cell = Vec<(usize, usize)>;

fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║')
}

/// The cells that run over several lines. A row goes on in the next one where that has the same cells and nothing in one
/// that is filled above.
fn cells(text: &str) -> Vec<Cell> {
    let mut all: Vec<Cell> = Vec::new();
    let mut open: Vec<Cell> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let row = row(line, at);
        at += line.len();
        let is_filled = |cell: &Cell| cell.iter().any(|part| part.0 < part.1);
        let goes_on = row.len() == open.len() && row.iter().zip(&open).any(|(a, b)| !is_filled(a) && is_filled(b));
        if goes_on {
            open.iter_mut().zip(row).for_each(|(cell, more)| cell.extend(more));
        } else {
            all.extend(std::mem::replace(&mut open, row));
        }
    }
    all.extend(open);
    all.retain(|cell| cell.iter().filter(|part| part.0 < part.1).count() > 1);
    all
}

/// The cells of one line, each of one part; none where there are no bars.
fn row(line: &str, at: usize) -> Vec<Cell> {
    if !line.contains(is_bar) {
        return Vec::new();
    }
    let start = |cell: &str| cell.as_ptr() as usize - line.as_ptr() as usize + at;
    line.split(is_bar).map(str::trim).map(|cell| vec![(start(cell), start(cell) + cell.len())]).collect()
}

fn joined(text: &str, cell: &Cell, between: &str) -> String {
    let parts: Vec<&str> = cell.iter().filter_map(|(from, to)| text.get(*from..*to)).collect();
    parts.join(between)
}

/// The texts of the cells that run over several lines, each in one piece.
pub(super) fn whole(text: &str) -> Vec<String> {
    cells(text).iter().map(|cell| joined(text, cell, "")).collect()
}

/// Replaces what is broken: the first part of it by what stands for it, the others by blanks.
pub(super) fn replace(text: &str, table: &Table) -> String {
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for cell in cells(text) {
        // Readers put a blank between the parts, so a name they read may have one.
        for between in ["", " "] {
            let line = joined(text, &cell, between);
            for (from, to, stand_in) in table.places(&line) {
                let mut start = 0;
                let mut parts = Vec::new();
                for (first, last) in &cell {
                    let end = start + (last - first);
                    if from.max(start) < to.min(end) {
                        parts.push((first + from.max(start) - start, first + to.min(end) - start));
                    }
                    start = end + between.len();
                }
                let is_free = |part: &(usize, usize)| edits.iter().all(|e| part.1 <= e.0 || e.1 <= part.0);
                if parts.len() < 2 || !parts.iter().all(is_free) {
                    continue;
                }
                for (number, (from, to)) in parts.into_iter().enumerate() {
                    edits.push((from, to, if number == 0 { stand_in.to_owned() } else { " ".repeat(to - from) }));
                }
            }
        }
    }
    // From the end, so that the places before it stay where they are.
    crate::sort::by_key(&mut edits, |edit| std::cmp::Reverse(edit.0));
    let mut out = text.to_owned();
    for (from, to, with) in edits {
        out.replace_range(from..to, &with);
    }
    out
}
