//! Jira's wiki markup, for descriptions and comments.
//!
//! Jira has no lists of tasks, and code blocks inside its lists break: each step is a paragraph with a box in front.

use std::fmt::Write as _;

use super::document::{Block, Inline, Line};

/// Writes a document as wiki markup.
#[must_use]
pub fn render(blocks: &[Block]) -> String {
    let mut out = String::new();
    blocks.iter().for_each(|block| write_block(&mut out, block));
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

fn write_block(out: &mut String, block: &Block) {
    let _ = match block {
        Block::Head { title, summary, next, dated } => {
            let _ = writeln!(out, "h1. {}\n\n*{}*\n", escape(title), escape(summary));
            if !next.is_empty() {
                let _ = writeln!(out, "Next: {}\n", escape(next));
            }
            writeln!(out, "etcd Upgrade Planner, {}\n", escape(dated))
        }
        Block::Section(title) => writeln!(out, "h2. {}\n", escape(title)),
        Block::Sub(title) => writeln!(out, "h3. {}\n", escape(title)),
        Block::Say(words) => writeln!(out, "{}\n", marked(words)),
        Block::Term(label, lines) => {
            let words = lines.iter().map(marked).collect::<Vec<_>>().join(" · ");
            match label.word() {
                "" => writeln!(out, "{words}\n"),
                label => writeln!(out, "{label}: {words}\n"),
            }
        }
        Block::Table { header, rows } => {
            let row = |cells: &[String], border: &str| {
                let cells: Vec<String> = cells.iter().map(|cell| cell_text(cell)).collect();
                format!("{border}{}{border}", cells.join(border))
            };
            let _ = writeln!(out, "{}", row(header, "||"));
            for cells in rows {
                let _ = writeln!(out, "{}", row(cells, "|"));
            }
            writeln!(out)
        }
        Block::List(items) => {
            for item in items {
                let _ = writeln!(out, "* {}", marked(item));
            }
            writeln!(out)
        }
        Block::Commands(text) => verbatim(out, text, "code:bash", "noformat"),
        Block::Quote(text) => verbatim(out, text, "noformat", "code"),
        Block::Finding { outcome, statement, gate, body } => {
            let _ = writeln!(out, "h3. {}: {}\n\n{}\n", escape(outcome), escape(statement), code(gate));
            body.iter().for_each(|block| write_block(out, block));
            Ok(())
        }
        Block::Task { done, number, title, id, body } => {
            let tick = if *done { '☑' } else { '☐' };
            let _ = writeln!(out, "{tick} *{number}. {}* {}\n", escape(title), code(id));
            body.iter().for_each(|block| write_block(out, block));
            Ok(())
        }
    };
}

/// A block in which nothing is markup but its own end. Text that holds that end stands in the other kind of block.
fn verbatim(out: &mut String, text: &str, kind: &str, other: &str) -> std::fmt::Result {
    let name = |kind: &str| format!("{{{}", kind.split(':').next().unwrap_or(kind));
    let holds = |kind: &str| text.to_ascii_lowercase().contains(&name(kind));
    let kind = if holds(kind) && !holds(other) { other } else { kind };
    // One that holds the ends of both would have markup run in it: there, and only there, a sign goes between.
    let text = if holds(kind) { text.replace('{', "{\u{2060}") } else { text.to_owned() };
    writeln!(out, "{{{kind}}}\n{}\n{}}}\n", text.trim_end_matches('\n'), name(kind))
}

fn marked(words: &Line) -> String {
    let piece = |piece: &Inline| match piece {
        Inline::Text(text) => escape(text),
        Inline::Code(text) => code(text),
        Inline::Link { title, url } => format!("[{}|{url}]", escape(title)),
    };
    words.iter().map(piece).collect()
}

fn code(text: &str) -> String {
    format!("{{{{{}}}}}", escape(text))
}

/// A cell is never empty: two borders in a row are a heading.
fn cell_text(text: &str) -> String {
    if text.trim().is_empty() { " ".to_owned() } else { escape(text) }
}

/// Text that Jira reads as text. References of characters hold everywhere, a backslash does not in tables and links.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '{' | '}' | '[' | ']' | '|' | '*' | '_' | '^' | '~' | '+' | '!' | '?' | '@' | '&' | '<' | '>'
            | '#' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            // Strikes out between words, rules a line when several stand together.
            '-' if out.is_empty() || out.ends_with([' ', '-', ';']) => out.push_str("&#45;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    // `h1.` and `bq.` at the start of a line, smileys anywhere: only names of people and hosts can hold them.
    let head: String = out.chars().take(3).collect();
    if head.starts_with("bq.") || (head.starts_with('h') && head.ends_with('.') && head.len() == 3) {
        out = out.replacen('.', "&#46;", 1);
    }
    out.replace(":)", "&#58;)").replace(":(", "&#58;(").replace(";)", "&#59;)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_markup_are_text() {
        assert_eq!(escape("m|1 {code} *x* [y]"), "m&#124;1 &#123;code&#125; &#42;x&#42; &#91;y&#93;");
        assert_eq!(escape("h1. x"), "h1&#46; x");
        assert_eq!(escape("bq. x"), "bq&#46; x");
        assert_eq!(escape("--name m-1 -x- ü"), "&#45;&#45;name m-1 &#45;x- ü");
        assert_eq!(escape("two\nlines"), "two lines");
        assert_eq!(cell_text(""), " ");
    }

    #[test]
    fn nothing_closes_a_block_but_its_end() {
        let mut out = String::new();
        let _ = verbatim(&mut out, "a {noformat} b", "noformat", "code");
        assert_eq!(out, "{code}\na {noformat} b\n{code}\n\n");
        out.clear();
        let _ = verbatim(&mut out, "a {noformat} {CODE:x} b", "noformat", "code");
        assert_eq!(out.matches("{noformat}").count(), 2, "{out}");
        assert!(!out.contains("{CODE"), "{out}");
    }
}
