//! HTML: a fragment for the rich clipboard, and a page that stands by itself, without script, for a screen or A4.
//!
//! All of it is written by [`Writer`], which escapes every text; no markup is made of what came from a paste.

mod writer;

use super::document::{Block, Inline, Label, Line};
use writer::Writer;

/// The style of the page. Its policy allows it by hash; a test holds [`STYLE_HASH`] to it.
pub const STYLE: &str = include_str!("html/report.css");

/// SHA-256 of [`STYLE`], in base64.
pub const STYLE_HASH: &str = "sha256-i/sFwPu1onsVeCrjIbDLWXzqSkmtCYw2n7C6PbAG2ro=";

/// What a mail, Confluence or any editor of rich text takes from the clipboard.
#[must_use]
pub fn fragment(blocks: &[Block]) -> String {
    let mut out = Writer::default();
    blocks.iter().for_each(|block| write_block(&mut out, block));
    out.finish()
}

/// A page by itself: nothing is loaded, nothing runs.
#[must_use]
pub fn page(title: &str, blocks: &[Block]) -> String {
    let mut out = Writer::default();
    out.raw("<!doctype html>\n");
    out.element("html", &[("lang", "en")], |out| {
        out.element("head", &[], |out| {
            out.void("meta", &[("charset", "utf-8")]);
            let policy = format!("default-src 'none'; style-src '{STYLE_HASH}'; base-uri 'none'; form-action 'none'");
            out.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy)]);
            out.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
            out.void("meta", &[("name", "referrer"), ("content", "no-referrer")]);
            out.element("title", &[], |out| out.text(title));
            out.raw("<style>");
            out.raw(STYLE);
            out.raw("</style>\n");
        });
        out.element("body", &[], |out| {
            out.element("main", &[], |out| blocks.iter().for_each(|block| write_block(out, block)));
        });
    });
    out.finish()
}

fn write_block(out: &mut Writer, block: &Block) {
    match block {
        Block::Head { title, summary, next, dated } => {
            out.words("h1", title);
            out.element("p", &[("class", "verdict")], |out| out.words("strong", summary));
            if !next.is_empty() {
                out.words("p", &format!("Next: {next}"));
            }
            out.element("p", &[("class", "dated")], |out| out.text(&format!("etcd Upgrade Planner, {dated}")));
        }
        Block::Section(title) => out.words("h2", title),
        Block::Sub(title) => out.words("h3", title),
        Block::Say(words) => out.element("p", &[], |out| marked(out, words)),
        Block::Term(label, lines) => term(out, *label, lines),
        Block::Table { header, rows } => out.element("table", &[], |out| {
            out.element("thead", &[], |out| {
                out.element("tr", &[], |out| header.iter().for_each(|cell| out.words("th", cell)));
            });
            out.element("tbody", &[], |out| {
                for row in rows {
                    out.element("tr", &[], |out| row.iter().for_each(|cell| out.words("td", cell)));
                }
            });
        }),
        Block::List(items) => out.element("ul", &[], |out| {
            items.iter().for_each(|item| out.element("li", &[], |out| marked(out, item)));
        }),
        Block::Commands(text) => out.element("pre", &[("translate", "no")], |out| out.words("code", text)),
        Block::Quote(text) => {
            out.element("blockquote", &[("translate", "no")], |out| out.words("pre", text));
        }
        Block::Finding { outcome, statement, gate, body } => out.element("section", &[], |out| {
            out.element("h3", &[], |out| {
                out.text(&format!("{outcome}: {statement} "));
                out.words("code", gate);
            });
            body.iter().for_each(|block| write_block(out, block));
        }),
        Block::Task { done, number, title, id, body } => out.element("section", &[("class", "task")], |out| {
            let tick = if *done { '☑' } else { '☐' };
            out.element("p", &[], |out| {
                out.text(&format!("{tick} "));
                out.words("strong", &format!("{number}. {title}"));
                out.text(" ");
                out.words("code", id);
            });
            body.iter().for_each(|block| write_block(out, block));
        }),
    }
}

fn term(out: &mut Writer, label: Label, lines: &[Line]) {
    out.element("p", &[], |out| {
        if !label.word().is_empty() {
            out.words("b", label.word());
            out.text(": ");
        }
        for (at, words) in lines.iter().enumerate() {
            if at > 0 {
                out.void("br", &[]);
            }
            marked(out, words);
        }
    });
}

fn marked(out: &mut Writer, words: &Line) {
    for piece in words {
        match piece {
            Inline::Text(text) => out.text(text),
            Inline::Code(text) => out.words("code", text),
            Inline::Link { title, url } => {
                out.element("a", &[("href", url), ("rel", "noreferrer")], |out| out.text(title));
            }
        }
    }
}
