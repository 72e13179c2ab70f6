//! The text of a paste with line numbers. Only the lines in sight are drawn, so that megabytes stay smooth.

use std::ops::Range;
use std::rc::Rc;

use leptos::prelude::*;
use web_sys::HtmlElement;

use super::finding::number;
use crate::app::dom::list::digest;
use crate::app::dom::{El, el, soon, watch};
use crate::app::state::{PasteId, Place, Seen, State};
use crate::app::watched::Watched;

/// Height of a line in pixels; `--line` in the style sheet.
const LINE: usize = 20;
/// Lines drawn above and below those in sight.
const SPARE: usize = 20;
/// Lines above the one the person is led to.
const ABOVE: usize = 3;
/// The most lines that get a place: browsers end an element at some 17 million pixels.
const MOST_LINES: usize = 800_000;
/// The most of a line that is drawn, in bytes.
const LONGEST: usize = 4_000;

/// Where the frame stands: the first line in sight, and how many are.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sight {
    top: usize,
    height: usize,
}

/// The text of a paste with line numbers; what was recognised in it is told from what was not.
pub fn lines(id: PasteId) -> El {
    let state = expect_context::<State>();
    let sight = Watched::new(Sight { top: 0, height: 20 });
    let starts = Watched::new(Vec::new());
    // Read again when the text was changed, and only then: a paste can be large.
    let mut edits = None;
    watch(Box::new(move || {
        let now = state.head(id).map(|h| h.edits);
        if edits != Some(now) {
            edits = Some(now);
            starts.set(state.with_text(id, line_starts).unwrap_or_default());
        }
    }));
    let count = move || starts.with(Vec::len).min(MOST_LINES);
    let shown = move || {
        let (all, Sight { top, height }) = (count(), sight.get());
        top.saturating_sub(SPARE).min(all)..(top + height + SPARE).min(all)
    };
    let key = move || {
        let led = place(state, id).map(|p| p.jump);
        Some(digest(&(shown(), state.head(id).map(|h| h.edits), led, state.seen_in(id))))
    };
    let draw = move || {
        let (range, place) = (shown(), place(state, id));
        let texts = starts.with(|s| state.with_text(id, |text| cut(text, s, range.clone()))).unwrap_or_default();
        let seen = state.seen_in(id);
        range.zip(texts).map(|(index, text)| line(index + 1, &text, &seen, place.as_ref())).collect()
    };
    let drawn = el("pre")
        .bind_value("style", move || format!("transform: translateY({}px)", shown().start * LINE))
        .redraw(key, draw);
    let all =
        el("div").class("lines-all").bind_value("style", move || format!("height: {}px", count() * LINE)).child(drawn);
    let frame = el("div")
        .class("lines")
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("translate", "no")
        .bind_attr("aria-label", move || format!("Text of {}", state.head(id).map(|h| h.name).unwrap_or_default()))
        .child(all);
    follow(state, id, sight, frame)
}

/// Keeps `sight` as the frame is scrolled, and scrolls it to where the person is led.
fn follow(state: State, id: PasteId, sight: Watched<Sight>, frame: El) -> El {
    let element: Rc<HtmlElement> = Rc::new(frame.node());
    let look: Rc<dyn Fn()> = {
        let element = Rc::clone(&element);
        Rc::new(move || {
            let lines = |pixels: i32| usize::try_from(pixels).unwrap_or(0) / LINE;
            let now = Sight { top: lines(element.scroll_top()), height: lines(element.client_height()) + 1 };
            if sight.get_untracked() != now {
                sight.set(now);
            }
        })
    };
    let scrolled = Rc::clone(&look);
    let mut led = None;
    watch(Box::new(move || {
        let place = place(state, id);
        let (element, look, led_before) = (Rc::clone(&element), Rc::clone(&look), led);
        led = place.as_ref().map(|p| p.jump);
        if led == led_before && led.is_some() {
            return;
        }
        soon(move || {
            if let Some(place) = place {
                let above = place.first_line.saturating_sub(1 + ABOVE);
                element.set_scroll_top(i32::try_from(above * LINE).unwrap_or(i32::MAX));
                element.scroll_into_view_with_bool(true);
                let _ = element.focus();
            }
            look();
        });
    }));
    frame.on("scroll", move |_| scrolled())
}

/// The place in this paste that the person was led to.
fn place(state: State, id: PasteId) -> Option<Place> {
    state.place.get().filter(|p| p.paste == id)
}

fn line(index: usize, text: &str, seen: &Seen, place: Option<&Place>) -> El {
    let within = |first: usize, last: usize| (first..=last).contains(&index);
    let target = place.filter(|p| within(p.first_line, p.last_line));
    let class = if target.is_some() {
        "line target"
    } else if seen.unread.iter().any(|u| within(u.first_line, u.last_line)) {
        "line unread"
    } else if seen.recognised.iter().any(|r| within(r.first_line, r.last_line)) {
        "line read"
    } else {
        "line"
    };
    let mark = target.and_then(|p| p.mark.as_deref()).filter(|m| !m.is_empty());
    let line = el("span").class(class).child(number(index));
    let line = match mark.and_then(|m| Some((text.split_once(m)?, m))) {
        Some(((before, after), mark)) => {
            line.text(&shorten_end(before)).child(el("mark").text(mark)).text(&shorten(after))
        }
        None => line.text(&shorten(text)),
    };
    line.text("\n")
}

/// Where each line starts.
fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
    std::iter::once(0).chain(ends).filter(|start| *start < text.len()).collect()
}

/// The texts of some lines.
fn cut(text: &str, starts: &[usize], range: Range<usize>) -> Vec<String> {
    range
        .map(|i| {
            let start = starts.get(i).copied().unwrap_or(text.len());
            let end = starts.get(i + 1).copied().unwrap_or(text.len());
            text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r']).to_owned()
        })
        .collect()
}

/// The start of a long line.
fn shorten(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let end = (0..=LONGEST).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or(""))
}

/// The end of a long line, where the part that matters comes next.
fn shorten_end(text: &str) -> String {
    const NEAR: usize = 400;
    if text.len() <= NEAR {
        return text.to_owned();
    }
    let start = (text.len() - NEAR..=text.len()).find(|i| text.is_char_boundary(*i)).unwrap_or(text.len());
    format!("…{}", text.get(start..).unwrap_or(""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn lines_are_those_of_the_library() {
        for text in ["", "a", "a\n", "a\n\nb", "a\r\nb\r\n", "\n", "ü\nß"] {
            let starts = line_starts(text);
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(cut(text, &starts, 0..starts.len()), lines, "{text:?}");
        }
    }

    #[wasm_bindgen_test]
    fn a_long_line_is_cut_between_characters() {
        let long = "ü".repeat(LONGEST);
        assert!(shorten(&long).len() <= LONGEST + '…'.len_utf8());
        assert!(shorten_end(&long).starts_with("…ü"));
        assert_eq!(shorten("short"), "short");
    }
}
