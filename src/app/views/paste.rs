//! One paste in the list: what was recognised in it, and, opened, its text and what can be corrected by hand.

use etcd_upgrade_planner::evidence::fact::Kind;
use leptos::html;
use leptos::prelude::*;
use web_sys::HtmlDetailsElement;

use super::lines::Lines;
use crate::app::state::{Head, PasteId, Seen, State};
use crate::app::words;

/// One paste.
#[component]
pub fn PasteItem(
    /// Which.
    id: PasteId,
) -> impl IntoView {
    let state = expect_context::<State>();
    let head = Memo::new(move |_| state.head(id));
    let seen = Memo::new(move |_| state.seen_in(id));
    let open = RwSignal::new(false);
    let name = move || head.get().map(|h| h.name).unwrap_or_default();
    let led_here = Memo::new(move |_| state.place.get().filter(|p| p.paste == id).map(|p| p.jump));
    Effect::new(move |_| {
        if led_here.get().is_some() {
            open.set(true);
        }
    });
    let toggled = move |event: web_sys::Event| open.set(event_target::<HtmlDetailsElement>(&event).open());
    view! {
        <li class="paste">
            <details prop:open=move || open.get() on:toggle=toggled>
                <summary>
                    <Sign seen/>
                    <span class="name">{name}</span>
                    <span class="about">{move || head.get().map(|h| about(&h, &seen.get()))}</span>
                    <small>{move || head.get().map(|h| what(&h, &seen.get()))}</small>
                </summary>
                <Show when=move || open.get()>
                    <Opened id head seen/>
                </Show>
            </details>
            <button
                type="button"
                class="remove"
                aria-label=move || format!("Remove {}", name())
                on:click=move |_| state.remove(id)
            >
                "×"
            </button>
            <UnreadLines id seen/>
            <Show when=move || state.texts_not_kept.with(|t| t.contains(&id))>
                <p class="state warning wide">
                    "! Too large to be kept in this browser: a reload loses it."
                </p>
            </Show>
        </li>
    }
}

#[component]
fn Sign(seen: Memo<Seen>) -> impl IntoView {
    let sign = move || {
        seen.with(|s| {
            if s.recognised.is_empty() {
                ("!", "warning", "nothing recognised")
            } else {
                ("✓", "ready", "recognised")
            }
        })
    };
    view! {
        <span class=move || format!("state {}", sign().1)>
            <span aria-hidden="true">{move || sign().0}</span>
            <span class="unseen">{move || sign().2}</span>
        </span>
    }
}

/// The right end of the row: the member set by hand, or how many members it shows.
fn about(head: &Head, seen: &Seen) -> String {
    if let Some(member) = &head.member {
        return member.clone();
    }
    match seen.recognised.iter().map(|r| r.members).max() {
        Some(members) if members > 0 => words::count(members, "member", "members"),
        _ => String::new(),
    }
}

/// The second line of the row: what was recognised, in which form.
fn what(head: &Head, seen: &Seen) -> String {
    let lines = words::count(head.lines, "line", "lines");
    let mut found: Vec<String> = Vec::new();
    for stretch in &seen.recognised {
        let title = Kind::from_id(&stretch.kind).map_or_else(|| stretch.kind.clone(), |k| k.title().to_owned());
        let words = if stretch.form.is_empty() { title } else { format!("{title} ({})", stretch.form) };
        if !found.contains(&words) {
            found.push(words);
        }
    }
    if found.is_empty() { format!("{lines}, nothing recognised") } else { format!("{}, {lines}", words::list(&found)) }
}

/// The stretches nobody understood, with what was tried; each leads to its lines.
#[component]
fn UnreadLines(id: PasteId, seen: Memo<Seen>) -> impl IntoView {
    /// More than these are counted only.
    const SHOWN: usize = 3;
    let state = expect_context::<State>();
    let item = move |first: usize, last: usize, tried: String| {
        view! {
            <li>
                <button type="button" class="link" on:click=move |_| state.go_to_lines(id, first, last, None)>
                    {words::lines(first, last)} " unread"
                </button>
                ": "
                {tried}
            </li>
        }
    };
    view! {
        <Show when=move || seen.with(|s| !s.unread.is_empty())>
            <ul class="unread">
                {move || {
                    seen.with(|s| {
                        let more = s.unread.len().saturating_sub(SHOWN);
                        let items = s
                            .unread
                            .iter()
                            .take(SHOWN)
                            .map(|u| item(u.first_line, u.last_line, u.tried.clone()))
                            .collect_view();
                        let rest = (more > 0)
                            .then(|| view! { <li>{words::count(more, "more stretch", "more stretches")} " unread"</li> });
                        view! { {items} {rest} }
                    })
                }}
            </ul>
        </Show>
    }
}

/// The opened paste: corrections, and the text to read or to edit.
#[component]
fn Opened(id: PasteId, head: Memo<Option<Head>>, seen: Memo<Seen>) -> impl IntoView {
    let state = expect_context::<State>();
    let editing = RwSignal::new(false);
    let kind = move || head.get().and_then(|h| h.kind).map_or("", Kind::id);
    let member = move || head.get().and_then(|h| h.member).unwrap_or_default();
    let name = head.get_untracked().map(|h| h.name).unwrap_or_default();
    // Going to a line is reading.
    Effect::new(move |_| {
        if state.place.with(|p| p.as_ref().is_some_and(|p| p.paste == id)) {
            editing.set(false);
        }
    });
    let members = format!("members-{id:x}");
    let labels = Memo::new(move |_| state.report(|r| r.members.iter().map(|m| m.label.clone()).collect::<Vec<_>>()));
    view! {
        <div class="opened">
            <div class="fields">
                <label>
                    "Name"
                    <input
                        type="text"
                        prop:value=name
                        on:change=move |event| state.rename(id, &event_target_value(&event))
                    />
                </label>
                <label>
                    "Kind"
                    <select
                        prop:value=kind
                        on:change=move |event| state.set_kind(id, Kind::from_id(&event_target_value(&event)))
                    >
                        <option value="">"as recognised"</option>
                        {Kind::ALL
                            .into_iter()
                            .map(|k| view! { <option value=k.id() selected=k.id() == kind()>{k.title()}</option> })
                            .collect_view()}
                    </select>
                </label>
                <label>
                    "Member"
                    <input
                        type="text"
                        placeholder="as the text says"
                        list=members.clone()
                        prop:value=member
                        on:change=move |event| state.set_member(id, &event_target_value(&event))
                    />
                </label>
                <datalist id=members>
                    {move || labels.get().into_iter().map(|l| view! { <option value=l></option> }).collect_view()}
                </datalist>
                <button
                    type="button"
                    class="small"
                    aria-pressed=move || if editing.get() { "true" } else { "false" }
                    on:click=move |_| editing.update(|e| *e = !*e)
                >
                    "edit text"
                </button>
            </div>
            {move || {
                if editing.get() { view! { <Editor id/> }.into_any() } else { view! { <Lines id seen/> }.into_any() }
            }}
        </div>
    }
}

/// The text as a text area. The browser owns what is typed; it is read when the typing pauses.
#[component]
fn Editor(id: PasteId) -> impl IntoView {
    let state = expect_context::<State>();
    let area = NodeRef::<html::Textarea>::new();
    let timer = StoredValue::new_local(None::<gloo::timers::callback::Timeout>);
    Effect::new(move |_| {
        if let Some(area) = area.get() {
            state.with_text(id, |text| area.set_value(text));
            let _ = area.focus();
        }
    });
    let take = move || {
        if let Some(area) = area.get_untracked() {
            state.set_text(id, area.value());
        }
    };
    let typed = move |_| timer.set_value(Some(gloo::timers::callback::Timeout::new(200, take)));
    // Left within the pause, or closed: nothing typed is lost.
    let left = move |_| {
        if timer.try_update_value(Option::take).flatten().is_some() {
            take();
        }
    };
    view! {
        <textarea
            class="editor"
            node_ref=area
            aria-label=move || format!("Edit {}", state.head(id).map(|h| h.name).unwrap_or_default())
            spellcheck="false"
            autocapitalize="off"
            translate="no"
            on:input=typed
            on:blur=left
        ></textarea>
    }
}
