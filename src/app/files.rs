//! Files the person drops or opens, read in chunks, so that the page answers while it reads.
//!
//! A BYOB stream reader gives the same buffer back for each chunk and so keeps the memory of the tab flat. Where the
//! browser has none (WebKit), slices are read. Between two chunks the browser is free: each comes as a task of its own.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList, ReadableStreamByobReader, ReadableStreamReadResult};

use super::state::State;

/// Bytes of one chunk: larger ones do not read faster, smaller ones do not answer sooner.
const CHUNK: u32 = 4 << 20;
/// The largest text that is taken in, in bytes.
const LARGEST: u64 = 64 << 20;

/// A file that is being read, or could not be.
#[derive(Clone)]
pub struct Reading {
    /// Tells it from the others.
    pub id: u32,
    /// Name of the file.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Bytes read.
    pub done: ArcRwSignal<u64>,
    /// Why it could not be read.
    pub error: ArcRwSignal<Option<String>>,
    /// Set to stop the reading.
    pub cancelled: ArcRwSignal<bool>,
}

/// Why a file was not taken in.
enum NotRead {
    Cancelled,
    TooLarge,
    Browser(JsValue),
}

impl From<JsValue> for NotRead {
    fn from(error: JsValue) -> Self {
        Self::Browser(error)
    }
}

/// Opens files; each becomes a paste with the name of its file. What was there stays, whatever happens.
pub fn open(state: State, readings: RwSignal<Vec<Reading>>, files: Option<FileList>) {
    let Some(files) = files else { return };
    for file in (0..files.length()).filter_map(|i| files.get(i)) {
        let next = readings.with_untracked(|r| r.iter().map(|r| r.id + 1).max().unwrap_or(0));
        let reading = Reading {
            id: next,
            name: file.name(),
            size: bytes(file.size()),
            done: ArcRwSignal::new(0),
            error: ArcRwSignal::new(None),
            cancelled: ArcRwSignal::new(false),
        };
        readings.update(|all| all.push(reading.clone()));
        spawn_local(async move {
            match read(&file, &reading).await {
                Ok(text) => {
                    state.add(Some(reading.name.clone()), text);
                    readings.update(|all| all.retain(|r| r.id != reading.id));
                }
                Err(NotRead::Cancelled) => {}
                Err(error) => reading.error.set(Some(words(&error))),
            }
        });
    }
}

fn words(error: &NotRead) -> String {
    match error {
        NotRead::Cancelled => "Cancelled.".to_owned(),
        NotRead::TooLarge => {
            format!(
                "Larger than {} MB of text. Open the part that matters, such as the lines of one day.",
                LARGEST >> 20
            )
        }
        NotRead::Browser(error) => {
            let reason = error
                .dyn_ref::<js_sys::Error>()
                .map_or_else(String::new, |e| format!(": {}", String::from(e.message())));
            format!("The browser can’t read it{reason}. A folder can’t be opened; open its files.")
        }
    }
}

/// Reads a whole file as text; bytes that are no UTF-8 become U+FFFD.
async fn read(file: &File, reading: &Reading) -> Result<String, NotRead> {
    if reading.size > LARGEST {
        return Err(NotRead::TooLarge);
    }
    let mut all: Vec<u8> = Vec::with_capacity(usize::try_from(reading.size).unwrap_or(0));
    if has_byob() {
        let reader = byob_reader(file)?;
        let mut buffer = js_sys::ArrayBuffer::new(CHUNK);
        loop {
            let view = js_sys::Uint8Array::new_with_byte_offset_and_length(&buffer, 0, CHUNK);
            let read = JsFuture::from(reader.read_with_array_buffer_view(&view)).await?;
            let read: ReadableStreamReadResult = read.unchecked_into();
            let chunk = read.get_value().dyn_into::<js_sys::Uint8Array>();
            if read.get_done().unwrap_or(true) {
                break;
            }
            let Ok(chunk) = chunk else { break };
            take(&chunk, &mut all, reading).inspect_err(|_| {
                let _ = reader.cancel();
            })?;
            buffer = chunk.buffer();
        }
    } else {
        let mut start = 0.0;
        while bytes(start) < reading.size {
            let slice = file.slice_with_f64_and_f64(start, start + f64::from(CHUNK))?;
            let buffer = JsFuture::from(slice.array_buffer()).await?;
            let chunk = js_sys::Uint8Array::new(&buffer);
            take(&chunk, &mut all, reading)?;
            start += f64::from(CHUNK);
        }
    }
    Ok(match String::from_utf8(all) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// Takes one chunk in.
fn take(chunk: &js_sys::Uint8Array, all: &mut Vec<u8>, reading: &Reading) -> Result<(), NotRead> {
    if reading.cancelled.get_untracked() {
        return Err(NotRead::Cancelled);
    }
    let start = all.len();
    all.resize(start + chunk.length() as usize, 0);
    if let Some(free) = all.get_mut(start..) {
        chunk.copy_to(free);
    }
    // A file that grows while it is read.
    if all.len() as u64 > LARGEST {
        return Err(NotRead::TooLarge);
    }
    reading.done.set(all.len() as u64);
    Ok(())
}

/// Asked first: where there is no such reader, asking a stream for one throws.
fn has_byob() -> bool {
    js_sys::Reflect::has(&window(), &JsValue::from_str("ReadableStreamBYOBReader")).unwrap_or(false)
}

fn byob_reader(file: &File) -> Result<ReadableStreamByobReader, JsValue> {
    ReadableStreamByobReader::new(&file.stream())
}

fn bytes(size: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a size of a file: whole, below 2^53
    let bytes = size.max(0.0) as u64;
    bytes
}
