//! Files the person drops or opens, read in chunks, so that the page answers while it reads.
//!
//! The library says what it needs next ([`Intake::need`]); here it is fetched from the file. A BYOB stream reader
//! gives the same buffer back for each chunk and so keeps the memory of the tab flat. Where the browser has none
//! (WebKit), slices are read. Between two chunks the browser is free: each comes as a task of its own.

use std::rc::Rc;

use etcd_upgrade_planner::evidence::intake::{Intake, Need};
use etcd_upgrade_planner::evidence::paste::Paste;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList, ReadableStreamByobReader, ReadableStreamReadResult};

use super::state::State;
use super::storage::file;
use super::watched::Watched;

/// Bytes of one chunk: larger ones do not read faster, smaller ones do not answer sooner.
const CHUNK: u32 = 4 << 20;

/// The files that are being read, and those that could not be.
pub type Readings = Watched<Vec<Reading>>;

/// A file that is being read, or could not be. It is stopped by taking it out of the list.
pub struct Reading {
    /// Tells it from the others.
    pub id: u32,
    /// Name of the file.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Bytes read.
    pub done: u64,
    /// Why it could not be read.
    pub error: Option<String>,
}

/// Reads something of a file in the list; tracked. `None` when it is not in the list any more.
pub fn find<T>(readings: Readings, id: u32, part: impl FnOnce(&Reading) -> T) -> Option<T> {
    readings.with(|all| all.iter().find(|r| r.id == id).map(part))
}

/// Changes a file in the list.
fn change(readings: Readings, id: u32, change: impl FnOnce(&mut Reading)) {
    readings.update(|all| {
        if let Some(reading) = all.iter_mut().find(|r| r.id == id) {
            change(reading);
        }
    });
}

/// Opens files; each becomes a paste with the name of its file, a file of clusters becomes clusters. What was there
/// stays, whatever happens.
pub fn open(state: State, readings: Readings, files: Option<FileList>) {
    take(
        files,
        readings,
        Rc::new(move |paste| {
            if file::is_one(&paste.text) {
                return state.import(&paste.text);
            }
            state.add(Some(paste.name), paste.text);
            Ok(())
        }),
    );
}

/// Opens files of clusters. Their clusters come beside those that are there.
pub fn import(state: State, readings: Readings, files: Option<FileList>) {
    take(files, readings, Rc::new(move |paste| state.import(&paste.text)));
}

/// What becomes of a file that was read; the error is in words for the person.
pub type Then = Rc<dyn Fn(Paste) -> Result<(), String>>;

/// Reads files; what becomes of each is up to `then`.
pub fn take(files: Option<FileList>, readings: Readings, then: Then) {
    let Some(files) = files else { return };
    for file in (0..files.length()).filter_map(|i| files.get(i)) {
        let id = readings.with_untracked(|r| r.iter().map(|r| r.id + 1).max().unwrap_or(0));
        let (name, size) = (file.name(), bytes(file.size()));
        readings.update(|all| all.push(Reading { id, name, size, done: 0, error: None }));
        let then = Rc::clone(&then);
        spawn_local(async move {
            let outcome = match read(&file, readings, id).await {
                Ok(Some(paste)) => then(paste),
                // It was cancelled, and is out of the list already.
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            };
            match outcome {
                Ok(()) => readings.update(|all| all.retain(|r| r.id != id)),
                Err(error) => change(readings, id, |r| r.error = Some(error)),
            }
        });
    }
}

/// Reads a file to its end. `None` when it was cancelled; the error is in words for the person.
async fn read(file: &File, readings: Readings, id: u32) -> Result<Option<Paste>, String> {
    let mut intake = Intake::new(file.name(), Some(bytes(file.size())));
    let mut source = Source::of(file).map_err(|e| browser_words(&e))?;
    let mut chunk = Vec::new();
    loop {
        let more = match intake.need() {
            Need::Done => false,
            Need::Chunk => source.next(&mut chunk).await.map_err(|e| browser_words(&e))?,
            Need::Range { offset, len } => {
                slice(file, offset, len, &mut chunk).await.map_err(|e| browser_words(&e))?;
                true
            }
        };
        if readings.with_untracked(|all| all.iter().all(|r| r.id != id)) {
            source.close();
            return Ok(None);
        }
        if !more {
            source.close();
            return intake.finish().map(Some).map_err(|e| e.to_string());
        }
        intake.push(&chunk);
        change(readings, id, |r| r.done = intake.progress().received);
    }
}

fn browser_words(error: &JsValue) -> String {
    let reason =
        error.dyn_ref::<js_sys::Error>().map_or_else(String::new, |e| format!(": {}", String::from(e.message())));
    format!(
        "The browser can't read it{reason}. A folder can't be read as one: open it and choose its files. Was it moved or changed? Open it again."
    )
}

/// Where the chunks of a file come from, front to back.
enum Source {
    /// A reader that fills the buffer it is given and hands it back.
    Byob { reader: ReadableStreamByobReader, buffer: js_sys::ArrayBuffer },
    /// Slices, one after the other.
    Slices { file: File, at: u64 },
}

impl Source {
    fn of(file: &File) -> Result<Self, JsValue> {
        // Asked first: where there is no such reader, asking a stream for one throws.
        let known = JsValue::from_str("ReadableStreamBYOBReader");
        if js_sys::Reflect::has(&window(), &known).unwrap_or(false) {
            let reader = ReadableStreamByobReader::new(&file.stream())?;
            return Ok(Self::Byob { reader, buffer: js_sys::ArrayBuffer::new(CHUNK) });
        }
        Ok(Self::Slices { file: file.clone(), at: 0 })
    }

    /// The next chunk. False at the end of the file.
    async fn next(&mut self, chunk: &mut Vec<u8>) -> Result<bool, JsValue> {
        match self {
            Self::Byob { reader, buffer } => {
                let view = js_sys::Uint8Array::new_with_byte_offset_and_length(buffer, 0, CHUNK);
                let result = JsFuture::from(reader.read_with_array_buffer_view(&view)).await?;
                let result: ReadableStreamReadResult = result.unchecked_into();
                let Ok(filled) = result.get_value().dyn_into::<js_sys::Uint8Array>() else { return Ok(false) };
                copy(&filled, chunk);
                *buffer = filled.buffer();
                Ok(!result.get_done().unwrap_or(true))
            }
            Self::Slices { file, at } => {
                if *at >= bytes(file.size()) {
                    return Ok(false);
                }
                slice(file, *at, u64::from(CHUNK), chunk).await?;
                *at += u64::from(CHUNK);
                Ok(true)
            }
        }
    }

    /// Lets the file go.
    fn close(&self) {
        if let Self::Byob { reader, .. } = self {
            let _ = reader.cancel();
        }
    }
}

/// Some bytes of a file.
async fn slice(file: &File, offset: u64, len: u64, chunk: &mut Vec<u8>) -> Result<(), JsValue> {
    #[allow(clippy::cast_precision_loss)] // places in a file, below 2^53
    let (start, end) = (offset as f64, offset.saturating_add(len) as f64);
    let slice = file.slice_with_f64_and_f64(start, end)?;
    let buffer = JsFuture::from(slice.array_buffer()).await?;
    copy(&js_sys::Uint8Array::new(&buffer), chunk);
    Ok(())
}

fn copy(from: &js_sys::Uint8Array, to: &mut Vec<u8>) {
    to.resize(from.length() as usize, 0);
    from.copy_to(to);
}

fn bytes(size: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a size of a file: whole, below 2^53
    let bytes = size.max(0.0) as u64;
    bytes
}
