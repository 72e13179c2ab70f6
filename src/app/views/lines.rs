//! The text of a paste with line numbers. Only the lines in sight are drawn, so that megabytes stay smooth.

use std::ops::Range;

use leptos::html;
use leptos::prelude::*;

use crate::app::state::{PasteId, Place, Seen, State};

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

/// The text of a paste with line numbers.
#[component]
pub fn Lines(
    /// The paste.
    id: PasteId,
    /// What was recognised in it and what was not.
    seen: Memo<Seen>,
) -> impl IntoView {
    let state = expect_context::<State>();
    let frame = NodeRef::<html::Div>::new();
    let top = RwSignal::new(0_usize);
    let height = RwSignal::new(20_usize);
    let starts = Memo::new(move |_| {
        // Read again when the text was changed.
        let _ = state.head(id).map(|h| h.edits);
        state.with_text(id, line_starts).unwrap_or_default()
    });
    let place = Memo::new(move |_| state.place.get().filter(|p| p.paste == id));
    let shown = Memo::new(move |_| {
        let all = starts.with(Vec::len).min(MOST_LINES);
        let first = top.get().saturating_sub(SPARE).min(all);
        first..(top.get() + height.get() + SPARE).min(all)
    });
    let look = move || {
        let Some(frame) = frame.get_untracked() else { return };
        top.set(usize::try_from(frame.scroll_top()).unwrap_or(0) / LINE);
        height.set(usize::try_from(frame.client_height()).unwrap_or(0) / LINE + 1);
    };
    Effect::new(move |_| {
        let (Some(frame), place) = (frame.get(), place.get()) else { return };
        if let Some(place) = place {
            let above = place.first_line.saturating_sub(1 + ABOVE);
            frame.set_scroll_top(i32::try_from(above * LINE).unwrap_or(i32::MAX));
            frame.scroll_into_view_with_bool(true);
            let _ = frame.focus();
        }
        look();
    });
    let name = move || format!("Text of {}", state.head(id).map(|h| h.name).unwrap_or_default());
    view! {
        <div class="lines" node_ref=frame tabindex="0" role="region" aria-label=name translate="no" on:scroll=move |_| look()>
            <div class="lines-all" style:height=move || format!("{}px", starts.with(Vec::len).min(MOST_LINES) * LINE)>
                <pre style:transform=move || format!("translateY({}px)", shown.get().start * LINE)>
                    {move || {
                        let place = place.get();
                        let range = shown.get();
                        let texts = starts.with(|s| state.with_text(id, |text| cut(text, s, range.clone())));
                        seen.with(|seen| {
                            range
                                .zip(texts.unwrap_or_default())
                                .map(|(index, text)| line(index + 1, text, seen, place.as_ref()))
                                .collect_view()
                        })
                    }}
                </pre>
            </div>
        </div>
    }
}

fn line(number: usize, text: String, seen: &Seen, place: Option<&Place>) -> impl IntoView + use<> {
    let within = |first: usize, last: usize| (first..=last).contains(&number);
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
    let mark = target.and_then(|p| p.mark.clone()).filter(|m| !m.is_empty());
    let text = match mark.as_deref().and_then(|m| text.split_once(m)) {
        Some((before, after)) => {
            view! { {shorten_end(before)} <mark>{mark.clone()}</mark> {shorten(after)} }.into_any()
        }
        None => view! { {shorten(&text)} }.into_any(),
    };
    view! {
        <span class=class>
            <span class="number" aria-hidden="true">
                {number}
            </span>
            {text}
            "\n"
        </span>
    }
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
