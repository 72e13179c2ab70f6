//! Just enough reading of HTML to find the tags that Trunk wrote, and to replace them by their place in the text.

use std::ops::Range;

use anyhow::{Result, bail};

/// A start tag in a page.
#[derive(Debug, PartialEq, Eq)]
pub struct Tag<'a> {
    /// From `<` up to and with `>`, in bytes.
    pub range: Range<usize>,
    attributes: Vec<(&'a str, &'a str)>,
}

impl<'a> Tag<'a> {
    /// The value of an attribute, as it is written: no character references are resolved.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }
}

/// All start tags of this name, in the order of the page; comments are skipped.
pub fn tags<'a>(html: &'a str, name: &str) -> Vec<Tag<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = html[at..].find('<').map(|i| at + i) {
        let rest = &html[open..];
        if rest.starts_with("<!--") {
            match rest.find("-->") {
                Some(end) => at = open + end + "-->".len(),
                None => break,
            }
            continue;
        }
        at = open + 1;
        let Some(after) = rest[1..].strip_prefix(name) else { continue };
        if !after.starts_with(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/') {
            continue;
        }
        let Some((attributes, left)) = attributes(after) else { break };
        at = html.len() - left.len();
        found.push(Tag { range: open..at, attributes });
    }
    found
}

/// The one tag of this name that has the attribute with this value.
pub fn only<'a>(html: &'a str, name: &str, attribute: &str, value: &str) -> Result<Tag<'a>> {
    let mut found: Vec<Tag> = tags(html, name).into_iter().filter(|tag| tag.get(attribute) == Some(value)).collect();
    match (found.pop(), found.is_empty()) {
        (Some(tag), true) => Ok(tag),
        (None, _) => bail!("the page has no <{name} {attribute}=\"{value}\">"),
        (Some(_), false) => bail!("the page has more than one <{name} {attribute}=\"{value}\">"),
    }
}

/// The page with each range replaced by its text. Ranges must not overlap; their order does not matter.
pub fn replace(html: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(html.len());
    let mut at = 0;
    for (range, text) in edits {
        out.push_str(&html[at..range.start]);
        out.push_str(&text);
        at = range.end;
    }
    out.push_str(&html[at..]);
    out
}

/// The attributes of a tag, and what follows its `>`. `None` when the tag is not closed.
fn attributes(mut text: &str) -> Option<(Vec<(&str, &str)>, &str)> {
    let mut found = Vec::new();
    loop {
        text = text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if let Some(rest) = text.strip_prefix('>') {
            return Some((found, rest));
        }
        let end = text.find(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '>' | '/'))?;
        // A stray `=` has no name; step over it, or this loop would stand still.
        let (name, rest) = text.split_at(end.max(usize::from(text.starts_with('='))));
        let Some(rest) = rest.strip_prefix('=') else {
            found.push((name, ""));
            text = rest;
            continue;
        };
        let (value, rest) = match rest.chars().next()? {
            quote @ ('"' | '\'') => rest[1..].split_once(quote)?,
            _ => rest.split_at(rest.find(|c: char| c.is_ascii_whitespace() || c == '>')?),
        };
        found.push((name, value));
        text = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_tags_with_their_attributes_and_place() {
        let html = r#"<head><link rel="icon" href=a.svg><script type="module" id='boot' src="b.js" defer></script>"#;
        let script = only(html, "script", "id", "boot").unwrap();
        assert_eq!(&html[script.range.clone()], r#"<script type="module" id='boot' src="b.js" defer>"#);
        assert_eq!(script.get("src"), Some("b.js"));
        assert_eq!(script.get("defer"), Some(""));
        assert_eq!(script.get("integrity"), None);
        assert_eq!(only(html, "link", "rel", "icon").unwrap().get("href"), Some("a.svg"));
    }

    #[test]
    fn a_longer_name_and_a_comment_are_not_the_tag() {
        assert_eq!(tags("<links><!-- <link rel=icon> --><linkx>", "link"), []);
    }

    #[test]
    fn a_value_may_hold_a_closing_bracket() {
        let html = r#"<meta content="a > b" name=x>"#;
        let meta = only(html, "meta", "name", "x").unwrap();
        assert_eq!((meta.get("content"), meta.range), (Some("a > b"), 0..html.len()));
    }

    #[test]
    fn two_tags_are_not_the_only_one() {
        let error = only("<link rel=a><link rel=a>", "link", "rel", "a").unwrap_err().to_string();
        assert!(error.contains("more than one"), "{error}");
    }

    #[test]
    fn an_open_tag_at_the_end_is_none() {
        for html in
            ["<link", "<link ", "<link rel", "<link rel=", "<link rel=\"a", "<link =", "<link = >", "<!-- <link>"]
        {
            assert!(tags(html, "link").iter().all(|tag| tag.range.end <= html.len()), "{html}");
        }
    }

    #[test]
    fn edits_apply_by_their_place() {
        assert_eq!(replace("abcdef", vec![(4..5, "E!".into()), (0..2, String::new())]), "cdE!f");
    }
}
