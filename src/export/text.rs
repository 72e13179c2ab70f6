//! Plain text for a terminal: the verdict first, then what it rests on, then what to do. No colour, no wrapping of
//! commands; prose is left to the terminal's own wrapping.

use super::document::{self, Block, Detail, Inline, Line};
use super::report::Report;

/// Writes the whole report as plain text.
#[must_use]
pub fn write(report: &Report) -> String {
    write_in(report, Detail::Full)
}

/// Writes the report as plain text.
#[must_use]
pub fn write_in(report: &Report, detail: Detail) -> String {
    let mut out = render(&document::of(report, detail));
    if report.rehearsal.is_some() {
        line(
            &mut out,
            "\nA script that rehearses this with your backup snapshot, in a throw-away cluster: --format rehearsal",
        );
    }
    out
}

/// Writes a document as plain text.
#[must_use]
pub fn render(blocks: &[Block]) -> String {
    let mut out = String::new();
    blocks.iter().for_each(|block| write_block(&mut out, block, ""));
    out
}

fn write_block(out: &mut String, block: &Block, indent: &str) {
    match block {
        Block::Head { title, summary, next, dated } => {
            line(out, summary);
            if !next.is_empty() {
                line(out, &format!("Next: {next}"));
            }
            line(out, &format!("\n{title} · {dated}"));
        }
        Block::Section(title) => line(out, &format!("\n{}", title.to_uppercase())),
        Block::Sub(title) => line(out, &format!("\n{title}")),
        Block::Say(words) => line(out, &format!("{indent}{}", plain(words))),
        Block::Term(label, lines) => {
            for (at, words) in lines.iter().enumerate() {
                let label = if at == 0 { label.short() } else { "" };
                line(out, &format!("{indent}{label:<8}{}", plain(words)));
            }
        }
        Block::Table { header, rows } => table(out, header, rows),
        Block::List(items) => items.iter().for_each(|item| line(out, &format!("{indent}  {}", plain(item)))),
        Block::Commands(text) => text.lines().for_each(|text| line(out, &format!("{indent}  $ {text}"))),
        Block::Quote(text) => text.lines().for_each(|text| line(out, &format!("{indent}        | {text}"))),
        Block::Finding { outcome, statement, gate, body } => {
            line(out, &format!("\n{outcome}  {statement}  [{gate}]"));
            body.iter().for_each(|block| write_block(out, block, "    "));
        }
        Block::Task { done, number, title, id, body } => {
            let tick = if *done { 'x' } else { ' ' };
            line(out, &format!("  {number:>2}. [{tick}] {title}  [{id}]"));
            body.iter().for_each(|block| write_block(out, block, "      "));
        }
    }
}

/// A line without its marks.
fn plain(words: &Line) -> String {
    let mut out = String::new();
    for piece in words {
        match piece {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::Link { title, url } => {
                out.push_str(title);
                out.push(' ');
                out.push_str(url);
            }
        }
    }
    out
}

/// Rows below a header, each column as wide as its widest cell.
fn table(out: &mut String, header: &[String], rows: &[Vec<String>]) {
    let all = || std::iter::once(header).chain(rows.iter().map(Vec::as_slice));
    let width = |column: usize| all().filter_map(|r| r.get(column)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    for row in all() {
        let mut text = String::from(" ");
        for (cell, width) in row.iter().zip(&widths) {
            text.push(' ');
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', (width + 1).saturating_sub(cell.chars().count())));
        }
        line(out, text.trim_end());
    }
}

/// One line; control characters of a paste never reach the terminal.
fn line(out: &mut String, text: &str) {
    for part in text.split('\n') {
        out.extend(part.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }));
        out.push('\n');
    }
}
