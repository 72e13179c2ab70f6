//! Colour, cursor movement and invisible characters.

use std::borrow::Cow;

/// The text without ANSI sequences (with ESC, written `^[`, or with the ESC lost on the way), with no-break spaces
/// read as spaces, and without BOM, zero-width characters and carriage returns.
#[must_use]
pub fn strip(text: &str) -> Cow<'_, str> {
    let text = text.trim_end_matches('\r').trim_start_matches('\u{feff}');
    // Word processors bend quotes. Where straight ones stand too, the bent ones are part of a text.
    let bent = !text.is_ascii() && text.contains(['“', '”', '„']) && !text.contains('"');
    let clean = !bent && !text.contains(|c: char| is_rewritten(c)) && !has_bare_sequence(text);
    if clean {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or("");
        let skipped = match c {
            '\u{1b}' => Some(escape(after)),
            '^' => after.strip_prefix('[').and_then(|a| sgr(a.strip_prefix('[').unwrap_or(a))),
            '[' => sgr(after),
            _ => None,
        };
        if let Some(after_sequence) = skipped {
            rest = after_sequence;
            continue;
        }
        match c {
            '\u{a0}' | '\u{2007}' | '\u{202f}' => out.push(' '),
            '“' | '”' | '„' if bent => out.push('"'),
            '\u{feff}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\r' | '\u{8}' | '\u{7}' => {}
            _ => out.push(c),
        }
        rest = after;
    }
    Cow::Owned(out)
}

fn is_rewritten(c: char) -> bool {
    matches!(
        c,
        '\u{1b}'
            | '\u{a0}'
            | '\u{2007}'
            | '\u{202f}'
            | '\u{feff}'
            | '\u{200b}'
            | '\u{200c}'
            | '\u{200d}'
            | '\u{2060}'
            | '\r'
            | '\u{8}'
            | '\u{7}'
    )
}

/// Is there a colour sequence whose ESC was lost?
fn has_bare_sequence(text: &str) -> bool {
    text.match_indices('[').any(|(at, _)| {
        let after = text.get(at + 1..).unwrap_or("");
        let caret = at > 0 && text.as_bytes().get(at - 1) == Some(&b'^');
        sgr(after).is_some() || (caret && after.strip_prefix('[').and_then(sgr).is_some())
    })
}

/// What follows `[…m`. `[5m]` is a range of a query language, `[memberID` a list, no colour.
fn sgr(after_bracket: &str) -> Option<&str> {
    let end = after_bracket.bytes().take(16).position(|b| !b.is_ascii_digit() && b != b';').filter(|end| *end > 0)?;
    let rest = after_bracket.get(end..)?.strip_prefix('m')?;
    (!rest.starts_with(']') && !rest.starts_with(':')).then_some(rest)
}

/// What follows the sequence after an ESC.
fn escape(after: &str) -> &str {
    if let Some(body) = after.strip_prefix('[') {
        let end = body.bytes().position(|b| (0x40..=0x7e).contains(&b) || !b.is_ascii());
        return end.map_or("", |e| match body.as_bytes().get(e) {
            Some(b) if b.is_ascii() => body.get(e + 1..).unwrap_or(""),
            _ => body.get(e..).unwrap_or(""),
        });
    }
    if let Some(body) = after.strip_prefix(']') {
        // A window title: ends with BEL or ESC \.
        let Some(end) = body.find(['\u{7}', '\u{1b}']) else { return "" };
        let rest = body.get(end..).unwrap_or("");
        return rest.strip_prefix('\u{7}').or_else(|| rest.strip_prefix("\u{1b}\\")).unwrap_or(rest);
    }
    // ESC lost its bracket (`^[38;5;6m` copied from a pager).
    sgr(after).unwrap_or_else(|| after.strip_prefix(['(', ')']).map_or(after, |a| a.get(1..).unwrap_or(a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_goes_with_and_without_escape() {
        let want = "etcd 06:35:11.81 ERROR ==> Unhealthy endpoint!";
        for text in [
            "\u{1b}[38;5;6metcd \u{1b}[38;5;5m06:35:11.81 \u{1b}[0m\u{1b}[38;5;1mERROR\u{1b}[0m ==> Unhealthy endpoint!",
            "[38;5;6metcd [38;5;5m06:35:11.81 [0m[38;5;1mERROR[0m ==> Unhealthy endpoint!",
            "^[38;5;6metcd ^[38;5;5m06:35:11.81 ^[0m^[38;5;1mERROR^[0m ==> Unhealthy endpoint!",
            "^[[38;5;6metcd ^[[38;5;5m06:35:11.81 ^[[0m^[[38;5;1mERROR^[[0m ==> Unhealthy endpoint!",
        ] {
            assert_eq!(strip(text), want, "{text:?}");
        }
    }

    #[test]
    fn what_only_looks_like_colour_stays() {
        for text in [
            "rate(etcd_server_proposals_failed_total[5m])",
            "[root@m1 ~]# etcdctl",
            "[1;x",
            "etcd[1]: a",
            "[memberID:1 alarm:NOSPACE ]",
        ] {
            assert_eq!(strip(text), text);
        }
    }

    #[test]
    fn bom_carriage_return_and_no_break_spaces_go() {
        assert_eq!(strip("\u{feff}a\u{a0}b\r"), "a b");
        assert_eq!(strip("\u{1b}]0;title\u{7}$ ls"), "$ ls");
        assert_eq!(strip("\u{1b}"), "");
        assert_eq!(strip("\u{1b}[é"), "é");
    }
}
