//! Links that come in by the address, and the packing of those that go out. All of it is in the second part of the page.

use std::rc::Rc;

use etcd_upgrade_planner::export::link::{self, Payload, Shared, UNPACKED_LIMIT};
use etcd_upgrade_planner::intent::{IntentKind, Target};
use js_sys::{Array, Reflect, Uint8Array};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, ReadableStreamReadResult, WritableStreamDefaultWriter};

use super::clock;
use super::dom::{El, el};
use super::state::{Guest, GuestFrom, State, Work};
use super::storage::file;
use super::target;

/// Bytes that are given to a stream at a time. Of each it makes at most a thousand times as many before it can be stopped.
const SLICE: usize = 4096;

/// The address of the page, without a fragment.
pub fn address() -> String {
    let href = window().location().href().unwrap_or_default();
    href.split('#').next().unwrap_or_default().to_owned()
}

/// Opens what the address carries, if it is a link of ours, and takes it out of the address: a reload shows the person's
/// own work.
#[inline(never)]
pub fn read(state: State) {
    let Some(payload) = link::open(&window().location().hash().unwrap_or_default()) else { return };
    if let Ok(history) = window().history() {
        let here = history.state().unwrap_or_default();
        let _ = history.replace_state_with_url(&here, "", Some(&address()));
    }
    spawn_local(async move {
        let shared = match payload {
            Ok(Payload::Plain(shared)) => Ok(*shared),
            Ok(Payload::Packed(bytes)) => {
                through("DecompressionStream", &bytes, UNPACKED_LIMIT).await.and_then(|json| Shared::read(&json))
            }
            Err(problem) => Err(problem),
        };
        state.link_problem.set(shared.and_then(|shared| show(state, shared)).err().unwrap_or_default());
    });
}

/// Shows what a link carries, over the person's own work.
fn show(state: State, mut shared: Shared) -> Result<(), String> {
    let pastes = shared.pastes.len();
    if pastes > file::MOST {
        return Err(format!("This link holds {pastes} pastes, expected are at most {}.", file::MOST));
    }
    let wrong = |place: &str, expected: &str, found: &str| {
        let found: String = found.chars().take(file::LONGEST_NAME).collect();
        format!("In this link, at “{place}”: expected {expected}, found “{found}”.")
    };
    let version = |place: &str, found: &str| match target::parse(found) {
        Some(target) => Ok(Some(target)),
        None if found.is_empty() => Ok(None),
        None => Err(wrong(place, "a version", found)),
    };
    let kind = IntentKind::from_id(&shared.intent)
        .ok_or_else(|| wrong("intent", "what is wanted, as “upgrade”", &shared.intent))?;
    let (to, from) = (version("to", &shared.to)?.unwrap_or(Target::Next), version("from", &shared.from)?);
    let mut work = Work { pastes: shared.pastes(), kind, to, from, answers: shared.answers(), ..Work::default() };
    for paste in &mut work.pastes {
        paste.name = file::name(&paste.name).unwrap_or_else(|| "paste".to_owned());
    }
    shared.pastes.clear();
    let title = if pastes == 0 { "settings from a link" } else { "work from a link" }.to_owned();
    state.open_work(Guest { title, from: GuestFrom::Link, link: Some(Rc::new(shared)) }, work);
    Ok(())
}

/// What is to be known of the link on show: that names in it were replaced, and what other rules made of it.
#[inline(never)]
pub fn notes(state: State) -> Vec<El> {
    let Some(link) = state.guest.with_untracked(|g| g.as_ref().and_then(|g| g.link.clone())) else { return Vec::new() };
    let mut notes = Vec::new();
    if link.redacted {
        notes.push(el("p").text("Names and addresses were replaced when the link was made."));
    }
    state.report(|report| {
        if !link.under_other_rules(report) {
            return;
        }
        let now = &report.ruleset;
        notes.push(el("p").text(&format!(
            "The link was made by rules {} of {}; here judge rules {} of {}.",
            link.rules,
            clock::day(&link.rules_of),
            now.version,
            clock::day(&now.date)
        )));
        let changes = link.changes(report);
        notes.push(match (changes.is_empty(), link.verdict.is_empty()) {
            (true, true) => el("p"),
            (true, false) => el("p").text("They come to the same verdict."),
            _ => el("ul").children(changes.iter().map(|change| el("li").text(change))),
        });
    });
    if notes.is_empty() {
        return notes;
    }
    let section = el("section").class("sample-bar").attr("aria-label", "About this link");
    vec![section.child(el("div").children(notes))]
}

/// The payload of a link, packed.
pub async fn pack(payload: &[u8]) -> Result<String, String> {
    link::packed(&through("CompressionStream", payload, usize::MAX).await?)
}

/// Sends bytes through one of the browser's streams for deflate, and stops where there would come more than `limit`.
async fn through(stream: &str, bytes: &[u8], limit: usize) -> Result<Vec<u8>, String> {
    let refused = |error: JsValue| {
        let found = error.dyn_ref::<js_sys::Error>().map_or_else(String::new, |e| String::from(e.message()));
        format!("The link can't be packed or unpacked: expected deflate from its start to its end, found “{found}”.")
    };
    let (writer, reader) = ends(stream).map_err(refused)?;
    let slices: Vec<Uint8Array> = bytes.chunks(SLICE).map(Uint8Array::from).collect();
    spawn_local(async move {
        for slice in slices {
            // The reading end is told why.
            if JsFuture::from(writer.write_with_chunk(&slice)).await.is_err() {
                return;
            }
        }
        let _ = JsFuture::from(writer.close()).await;
    });
    let mut out = Vec::new();
    loop {
        let read = JsFuture::from(reader.read()).await.map_err(refused)?;
        let read: ReadableStreamReadResult = read.unchecked_into();
        let Ok(chunk) = read.get_value().dyn_into::<Uint8Array>() else { return Ok(out) };
        let at = out.len();
        let end = at + chunk.length() as usize;
        if end > limit {
            let _ = JsFuture::from(reader.cancel()).await;
            return Err(format!("This link unpacks to more than {} MiB, which are the most.", limit >> 20));
        }
        out.resize(end, 0);
        if let Some(place) = out.get_mut(at..) {
            chunk.copy_to(place);
        }
    }
}

/// The two ends of a new stream of the browser.
fn ends(name: &str) -> Result<(WritableStreamDefaultWriter, ReadableStreamDefaultReader), JsValue> {
    // By name: web-sys holds these streams to be unstable.
    let class: js_sys::Function = Reflect::get(&window(), &JsValue::from_str(name))?.unchecked_into();
    let stream = Reflect::construct(&class, &Array::of1(&JsValue::from_str("deflate-raw")))?;
    let end = |name: &str| Reflect::get(&stream, &JsValue::from_str(name));
    Ok((
        WritableStreamDefaultWriter::new(end("writable")?.unchecked_ref())?,
        ReadableStreamDefaultReader::new(end("readable")?.unchecked_ref())?,
    ))
}
