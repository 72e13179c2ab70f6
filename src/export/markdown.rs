//! Markdown with a task list, for GitHub, GitLab and every ticket system that reads either.
//!
//! What came from a paste stands in code spans and fences only, each longer than any run of back-ticks in it, so that
//! no paste can break out of its place.

use std::fmt::Write as _;

use super::document::{self, Block, Detail, Inline, Line};
use super::report::Report;

/// Writes the whole report as GitHub-flavoured Markdown.
#[must_use]
pub fn write(report: &Report) -> String {
    render(&document::of(report, Detail::Full))
}

/// Writes a document as GitHub-flavoured Markdown.
#[must_use]
pub fn render(blocks: &[Block]) -> String {
    let mut out = String::new();
    blocks.iter().for_each(|block| write_block(&mut out, block, ""));
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

fn write_block(out: &mut String, block: &Block, indent: &str) {
    let _ = match block {
        Block::Head { title, summary, next, dated } => {
            let _ = writeln!(out, "# {}\n\n**{}**\n", escape(title), escape(summary));
            if !next.is_empty() {
                let _ = writeln!(out, "Next: {}\n", escape(next));
            }
            writeln!(out, "etcd Upgrade Planner, {}\n", escape(dated))
        }
        Block::Section(title) => writeln!(out, "## {}\n", escape(title)),
        Block::Sub(title) => writeln!(out, "### {}\n", escape(title)),
        Block::Say(words) => writeln!(out, "{indent}{}\n", marked(words)),
        Block::Term(label, lines) => {
            let words = lines.iter().map(marked).collect::<Vec<_>>().join(" · ");
            match label.word() {
                "" => writeln!(out, "{indent}{words}\n"),
                label => writeln!(out, "{indent}{label}: {words}\n"),
            }
        }
        Block::Table { header, rows } => {
            let row = |cells: &[String]| cells.iter().map(|c| escape(c)).collect::<Vec<_>>().join(" | ");
            let _ = writeln!(out, "| {} |\n|{}", row(header), " --- |".repeat(header.len()));
            for cells in rows {
                let _ = writeln!(out, "| {} |", row(cells));
            }
            writeln!(out)
        }
        Block::List(items) => {
            for item in items {
                let _ = writeln!(out, "{indent}- {}", marked(item));
            }
            writeln!(out)
        }
        Block::Commands(text) => {
            fence(out, text, indent, "sh");
            Ok(())
        }
        Block::Quote(text) => {
            fence(out, text, indent, "text");
            Ok(())
        }
        Block::Finding { outcome, statement, gate, body } => {
            let _ = writeln!(out, "### {outcome}: {}\n\n{}\n", escape(statement), code(gate));
            body.iter().for_each(|block| write_block(out, block, indent));
            Ok(())
        }
        Block::Task { done, number, title, id, body } => {
            let tick = if *done { 'x' } else { ' ' };
            let _ = writeln!(out, "- [{tick}] **{number}. {}** {}\n", escape(title), code(id));
            body.iter().for_each(|block| write_block(out, block, "  "));
            Ok(())
        }
    };
}

/// A line with its marks.
fn marked(words: &Line) -> String {
    let piece = |piece: &Inline| match piece {
        Inline::Text(text) => escape(text),
        Inline::Code(text) => code(text),
        Inline::Link { title, url } => format!("[{}](<{url}>)", escape(title)),
    };
    at_start(words.iter().map(piece).collect())
}

/// A line that would begin a list or underline a heading is text too.
fn at_start(line: String) -> String {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match line.as_bytes().get(digits) {
        Some(b'.' | b')') if digits > 0 => {
            let (number, rest) = line.split_at(digits);
            format!("{number}\\{rest}")
        }
        Some(b'-' | b'+' | b'=') if digits == 0 => format!("\\{line}"),
        _ => line,
    }
}

/// A fenced block that its content can't close, with a blank line after it.
fn fence(out: &mut String, text: &str, indent: &str, language: &str) {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let _ = writeln!(out, "{indent}{fence}{language}");
    for line in text.lines() {
        let _ = writeln!(out, "{indent}{line}");
    }
    let _ = writeln!(out, "{indent}{fence}\n");
}

/// A code span that its content can't close.
fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{}{pad}{ticks}", text.replace('\n', " "))
}

fn longest_run(text: &str) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Text that Markdown reads as text: CommonMark lets every ASCII punctuation sign be escaped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            out.push(' ');
            continue;
        }
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' | '@' | '!') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_with_backticks_stays_in_its_fence() {
        let mut out = String::new();
        fence(&mut out, "a ```` b", "", "text");
        assert_eq!(out, "`````text\na ```` b\n`````\n\n");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a"), "`` `a ``");
    }

    #[test]
    fn no_line_begins_a_list_by_itself() {
        let lines = ["- a", "+ a", "12. a", "1) a", "1 a", "a - b", ""].map(|line| at_start(line.to_owned()));
        assert_eq!(lines, ["\\- a", "\\+ a", "12\\. a", "1\\) a", "1 a", "a - b", ""]);
    }

    #[test]
    fn names_with_markup_are_text() {
        assert_eq!(escape("m|1 <b> *x* @all"), "m\\|1 \\<b\\> \\*x\\* \\@all");
        assert_eq!(escape("two\nlines"), "two lines");
    }
}
