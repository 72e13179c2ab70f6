//! Tables: ASCII and box-drawing borders, no outer border, Markdown, a border after each row, wrapped cells, columns
//! set apart by blanks only. Columns are found by their header, never by position.

mod wrapped;

use super::detect::Place;

/// The most cells of a row that are looked at; etcd's widest table has 16.
const CELL_LIMIT: usize = 40;

/// The most lines a header is wrapped over.
const HEADER_LINES: usize = 4;

/// A table found at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The columns' names: upper case, single blanks (`RAFT APPLIED INDEX`).
    pub header: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
    /// How many lines it takes, borders included.
    pub lines: usize,
    /// Does a bar stand before and behind each row?
    pub framed: bool,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its cells, trimmed; a cell wrapped over several lines is joined by a blank.
    pub cells: Vec<String>,
    /// Index of its first line.
    pub first: usize,
    /// Index of its last line.
    pub last: usize,
}

impl Table {
    /// The column of this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|h| h == name)
    }

    /// Does the header have all these columns?
    #[must_use]
    pub fn has(&self, names: &[&str]) -> bool {
        names.iter().all(|n| self.column(n).is_some())
    }

    /// A row's cell by column name; `None` when there is no such column or the row is too short.
    #[must_use]
    pub fn cell<'t>(&self, row: &'t Row, name: &str) -> Option<&'t str> {
        row.cells.get(self.column(name)?).map(String::as_str)
    }

    /// Reads the table that starts at the place. `known` says whether a header is one of a table that is looked for,
    /// so that no foreign table is read further than its header.
    #[must_use]
    pub fn read(place: &Place<'_>, known: fn(&[String]) -> bool) -> Option<Self> {
        ruled(place, known).or_else(|| wrapped::read(place, known)).or_else(|| spaced(place, known))
    }
}

/// A table with borders between its cells.
fn ruled(place: &Place<'_>, known: fn(&[String]) -> bool) -> Option<Table> {
    let (header, mut at) = header(place)?;
    if !known(&header) {
        return None;
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut last = at - 1;
    while let Some(line) = place.lines.get(at) {
        let text = line.text.trim();
        if line.role == super::clean::Role::Noise && !is_border(text) {
            at += 1;
            continue;
        }
        if is_border(text) {
            let closes = rows.last().is_some() && next_starts_a_table(place, at);
            last = at;
            at += 1;
            if closes {
                break;
            }
            continue;
        }
        let Some(cells) = cells(text) else { break };
        if normal(&cells) == header {
            break;
        }
        match rows.last_mut() {
            Some(row) if continues(&cells, header.len()) => {
                for (cell, more) in row.cells.iter_mut().zip(&cells) {
                    if !more.is_empty() {
                        *cell = if cell.is_empty() { more.clone() } else { format!("{cell} {more}") };
                    }
                }
                row.last = at;
            }
            _ => rows.push(Row { cells, first: at, last: at }),
        }
        last = at;
        at += 1;
    }
    let framed = header_line(place).is_some_and(|line| line.starts_with(is_bar) && line.ends_with(is_bar));
    Some(Table { header, rows, lines: last + 1 - place.at, framed })
}

/// The text of the first line that is no border.
fn header_line<'a>(place: &Place<'a>) -> Option<&'a str> {
    let lines = place.lines.get(place.at..)?.iter().take(2).map(|l| l.text.trim());
    lines.into_iter().find(|l| !is_border(l))
}

/// The header and the index of the line after it. The place is the top border, or the header itself.
fn header(place: &Place<'_>) -> Option<(Vec<String>, usize)> {
    let mut at = place.at;
    if is_border(place.lines.get(at)?.text.trim()) {
        at += 1;
    }
    let mut header = cells(place.lines.get(at)?.text.trim())?;
    at += 1;
    // A header wrapped over several lines ends with a border; without one it is a single line.
    let below: Vec<&str> = place.lines.iter().skip(at).take(HEADER_LINES).map(|l| l.text.trim()).collect();
    if let Some(height) = below.iter().position(|l| is_border(l)) {
        for text in below.iter().take(height) {
            for (cell, more) in header.iter_mut().zip(cells(text)?) {
                *cell = format!("{cell} {more}");
            }
        }
        at += height + 1;
    }
    Some((normal(&header), at))
}

/// Is the line after this border the header of another table? Then the border was the first one's last line, unless
/// it is the next one's top.
fn next_starts_a_table(place: &Place<'_>, border: usize) -> bool {
    let text = |at: usize| place.lines.get(at).map(|l| l.text.trim());
    text(border + 1).is_some_and(is_border)
}

/// Is the row the rest of the row above: nothing in its first cell, but something in another?
fn continues(cells: &[String], width: usize) -> bool {
    cells.len() == width && cells.first().is_some_and(String::is_empty) && cells.iter().any(|c| !c.is_empty())
}

/// A line of dashes with joints, in ASCII, box drawing or Markdown.
#[must_use]
pub fn is_border(text: &str) -> bool {
    let mut dashes = 0_usize;
    let mut joints = 0_usize;
    for c in text.chars() {
        match c {
            '-' | '=' | '─' | '━' | '═' => dashes += 1,
            '+' | '|' | '│' | '┌' | '┬' | '┐' | '├' | '┼' | '┤' | '└' | '┴' | '┘' | '╔' | '╦' | '╗' | '╠' | '╬'
            | '╣' | '╚' | '╩' | '╝' | '╭' | '╮' | '╰' | '╯' | '╞' | '╪' | '╡' | '║' | '┃' | '┏' | '┳' | '┓' | '┣'
            | '╋' | '┫' | '┗' | '┻' | '┛' => joints += 1,
            ':' | ' ' => {}
            _ => return false,
        }
    }
    dashes >= 2 && joints >= 1
}

/// What stands between the cells of a row.
fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║')
}

/// The cells of a row with bars; `None` for a line that is no row.
#[must_use]
pub fn cells(text: &str) -> Option<Vec<String>> {
    if !text.contains(is_bar) || is_border(text) {
        return None;
    }
    let inner = text.strip_prefix(is_bar).unwrap_or(text);
    let inner = inner.strip_suffix(is_bar).unwrap_or(inner);
    let cells: Vec<String> = inner.split(is_bar).take(CELL_LIMIT + 1).map(|c| c.trim().to_owned()).collect();
    (2..=CELL_LIMIT).contains(&cells.len()).then_some(cells)
}

/// Column names as they are compared: upper case, single blanks, underscores as blanks.
fn normal(cells: &[String]) -> Vec<String> {
    cells.iter().map(|c| c.replace('_', " ").split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase()).collect()
}

/// A table whose columns are set apart by two or more blanks (`talosctl`, `kubectl`). A row's cells are found by the
/// header's columns, so that an empty cell stays empty.
fn spaced(place: &Place<'_>, known: fn(&[String]) -> bool) -> Option<Table> {
    let first = place.lines.get(place.at)?.text.trim_end();
    if first.len() > 2_000 || !(first.contains("  ") || first.contains('\t')) {
        return None;
    }
    if first.contains('\t') {
        return tabbed(place, known);
    }
    let columns = words_with_columns(first);
    let header = normal(&columns.iter().map(|(_, w)| (*w).to_owned()).collect::<Vec<_>>());
    if header.len() < 3 || !known(&header) {
        return None;
    }
    let starts: Vec<usize> = columns.iter().map(|(at, _)| *at).collect();
    let mut rows = Vec::new();
    for (offset, line) in place.lines.get(place.at + 1..)?.iter().enumerate() {
        let text = line.text.trim_end();
        let words = words_with_columns(text);
        if line.is_blank() || words.len() < 3 || words.len() > header.len() || text.len() > 4_000 {
            break;
        }
        let mut cells = vec![String::new(); header.len()];
        let mut at_column = 0;
        for (at, word) in words {
            let column = starts.iter().rposition(|s| *s <= at).unwrap_or(0).max(at_column);
            if let Some(cell) = cells.get_mut(column) {
                word.clone_into(cell);
            }
            at_column = column + 1;
        }
        let at = place.at + 1 + offset;
        rows.push(Row { cells, first: at, last: at });
    }
    let lines = 1 + rows.len();
    Some(Table { header, rows, lines, framed: false })
}

/// A table copied out of a spreadsheet: a tab between cells, also around empty ones.
fn tabbed(place: &Place<'_>, known: fn(&[String]) -> bool) -> Option<Table> {
    let cells = |at: usize| -> Option<Vec<String>> {
        let text = place.lines.get(at)?.text.trim_end_matches(' ');
        let cells: Vec<String> = text.split('\t').take(CELL_LIMIT).map(|c| c.trim().to_owned()).collect();
        (cells.len() >= 3 && text.len() <= 4_000).then_some(cells)
    };
    let header = normal(&cells(place.at)?);
    if !known(&header) {
        return None;
    }
    let rows: Vec<Row> = (place.at + 1..)
        .map_while(|at| cells(at).filter(|c| c.len() <= header.len()).map(|cells| Row { cells, first: at, last: at }))
        .collect();
    let lines = 1 + rows.len();
    Some(Table { header, rows, lines, framed: false })
}

/// The cells of a row whose columns are set apart by two or more blanks; at least three.
#[must_use]
pub fn spaced_cells(text: &str) -> Option<Vec<String>> {
    if text.len() > 2_000 || !(text.contains("  ") || text.contains('\t')) {
        return None;
    }
    let cells: Vec<String> = words_with_columns(text).into_iter().map(|(_, cell)| cell.to_owned()).collect();
    (3..=CELL_LIMIT).contains(&cells.len()).then_some(cells)
}

/// The parts of a line between runs of two or more blanks, each with the column (in characters) it starts at.
fn words_with_columns(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let mut column = 0;
    let mut rest = text;
    while !rest.is_empty() && parts.len() <= CELL_LIMIT {
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        column += blanks;
        rest = rest.get(blanks..).unwrap_or("");
        if rest.is_empty() {
            break;
        }
        let ends = [rest.find("  "), rest.find('\t')];
        let end = ends.into_iter().flatten().min().unwrap_or(rest.len());
        let part = rest.get(..end).unwrap_or(rest);
        parts.push((column, part));
        column += part.chars().count();
        rest = rest.get(end..).unwrap_or("");
    }
    parts
}
