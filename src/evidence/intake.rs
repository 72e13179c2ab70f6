//! The border to the outside: bytes come in chunks, a paste comes out. No reader does I/O of its own.
//!
//! The shell (page or command line) makes an [`Intake`] for each thing the person gave, asks it what it [needs](Need),
//! supplies that, and takes the [`Paste`] at the end. Between two chunks the shell may do what it likes (yield to the
//! event loop, show [progress](Intake::progress), stop). A reader of data files will ask for ranges of the file; text
//! is simply read to its end.

use std::fmt;

use super::paste::Paste;

/// The most text one paste may hold, in bytes of UTF-8.
pub const TEXT_LIMIT: usize = 64 << 20;

/// How far from the start a NUL byte shows that the file is no text. Later ones stand in logs that a crash left behind.
const SNIFFED: u64 = 8 << 10;

/// What the intake asks for next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The next chunk, of any size.
    Chunk,
    /// These bytes of the file.
    Range {
        /// Where they start.
        offset: u64,
        /// How many.
        len: u64,
    },
    /// Nothing more: call [`Intake::finish`].
    Done,
}

/// How far the reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes supplied so far.
    pub received: u64,
    /// Bytes in all, where the shell knows.
    pub total: Option<u64>,
}

/// Takes one file or paste in, chunk by chunk, in bounded memory.
#[derive(Debug)]
pub struct Intake {
    name: String,
    total: Option<u64>,
    received: u64,
    encoding: Option<Encoding>,
    /// Bytes not decoded yet: the start, until the encoding is known, or the first bytes of a character.
    pending: Vec<u8>,
    text: String,
    error: Option<IntakeError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16 { big_endian: bool },
}

/// The bytes that must be there before the kind of the file is judged: a bbolt magic stands at 16.
const HEAD: usize = 20;

impl Intake {
    /// Starts to take something in. `size_hint` is its size in bytes, where the shell knows it.
    #[must_use]
    pub fn new(name: impl Into<String>, size_hint: Option<u64>) -> Self {
        Self {
            name: name.into(),
            total: size_hint,
            received: 0,
            encoding: None,
            pending: Vec::new(),
            text: String::new(),
            error: None,
        }
    }

    /// Supplies the next bytes.
    pub fn push(&mut self, chunk: &[u8]) {
        if self.error.is_some() {
            return;
        }
        let before = self.received;
        self.received += chunk.len() as u64;
        if let Some(at) = chunk.iter().position(|b| *b == 0).map(|at| before + at as u64)
            && at < SNIFFED
            && !self.is_utf16(chunk)
        {
            self.pending.extend_from_slice(chunk.get(..HEAD.min(chunk.len())).unwrap_or_default());
            let found = data_file(&self.pending).unwrap_or(Found::Binary);
            self.fail(if found == Found::Binary { at } else { 0 }, IntakeFault::NotText(found));
            return;
        }
        self.pending.extend_from_slice(chunk);
        if self.encoding.is_none() && self.pending.len() >= HEAD {
            self.judge_start();
        }
        if self.encoding.is_some() {
            self.decode(false);
        }
    }

    /// What is needed next.
    #[must_use]
    pub fn need(&self) -> Need {
        if self.error.is_some() || self.total.is_some_and(|total| self.received >= total) {
            Need::Done
        } else {
            Need::Chunk
        }
    }

    /// How far the reading is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress { received: self.received, total: self.total }
    }

    /// The paste. Called when nothing more is needed, or when the source has ended.
    ///
    /// # Errors
    /// When what came in is no text, or more of it than one paste may hold.
    pub fn finish(mut self) -> Result<Paste, IntakeError> {
        if self.error.is_none() {
            if self.encoding.is_none() {
                self.judge_start();
            }
            self.decode(true);
        }
        match self.error {
            Some(error) => Err(error),
            None => Ok(Paste::new(self.name, self.text)),
        }
    }

    fn is_utf16(&self, chunk: &[u8]) -> bool {
        let start = if self.pending.is_empty() && self.encoding.is_none() { chunk } else { &self.pending };
        matches!(self.encoding, Some(Encoding::Utf16 { .. }))
            || (self.encoding.is_none() && (start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff])))
    }

    /// Decides what the start of the file is.
    fn judge_start(&mut self) {
        if let Some(found) = data_file(&self.pending) {
            self.fail(0, IntakeFault::NotText(found));
            return;
        }
        let (encoding, mark) = match self.pending.get(..2) {
            Some([0xff, 0xfe]) => (Encoding::Utf16 { big_endian: false }, 2),
            Some([0xfe, 0xff]) => (Encoding::Utf16 { big_endian: true }, 2),
            _ => (Encoding::Utf8, 0),
        };
        self.pending.drain(..mark);
        self.encoding = Some(encoding);
    }

    /// Decodes what is pending; at the end also what is left of a character.
    fn decode(&mut self, end: bool) {
        let bytes = std::mem::take(&mut self.pending);
        match self.encoding {
            Some(Encoding::Utf16 { big_endian }) => self.decode_utf16(&bytes, big_endian, end),
            _ => self.decode_utf8(&bytes, end),
        }
        if self.text.len() > TEXT_LIMIT {
            let at = self.received;
            self.fail(at, IntakeFault::TooLong);
        }
    }

    fn decode_utf8(&mut self, bytes: &[u8], end: bool) {
        let mut rest = bytes;
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.text.push_str(text);
                    return;
                }
                Err(error) => {
                    let (valid, after) = rest.split_at(error.valid_up_to());
                    self.text.push_str(&String::from_utf8_lossy(valid));
                    match error.error_len() {
                        Some(bad) => {
                            self.text.push(char::REPLACEMENT_CHARACTER);
                            rest = after.get(bad..).unwrap_or_default();
                        }
                        None if end => {
                            self.text.push(char::REPLACEMENT_CHARACTER);
                            return;
                        }
                        None => {
                            self.pending = after.to_vec();
                            return;
                        }
                    }
                }
            }
        }
    }

    fn decode_utf16(&mut self, bytes: &[u8], big_endian: bool, end: bool) {
        let unit = |pair: &[u8]| match (pair, big_endian) {
            ([a, b], true) => u16::from_be_bytes([*a, *b]),
            ([a, b], false) => u16::from_le_bytes([*a, *b]),
            _ => 0xfffd,
        };
        let mut whole = bytes.len() - bytes.len() % 2;
        // Half of a surrogate pair waits for the other half.
        let last = bytes.get(whole.saturating_sub(2)..whole).map(unit);
        if !end && last.is_some_and(|u| (0xd800..0xdc00).contains(&u)) {
            whole -= 2;
        }
        let (now, later) = bytes.split_at(whole);
        let decoded = char::decode_utf16(now.chunks(2).map(unit));
        self.text.extend(decoded.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        if end && !later.is_empty() {
            self.text.push(char::REPLACEMENT_CHARACTER);
        } else {
            self.pending = later.to_vec();
        }
    }

    fn fail(&mut self, at: u64, fault: IntakeFault) {
        self.error = Some(IntakeError { name: self.name.clone(), at, fault });
        self.text = String::new();
        self.pending = Vec::new();
    }
}

/// What a file that is no text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A segment of etcd's write-ahead log.
    Wal,
    /// A bbolt database: `member/snap/db` or a backup snapshot.
    Database,
    /// A gzip or zip archive.
    Archive,
    /// Something else with NUL bytes in it.
    Binary,
}

impl Found {
    fn words(self) -> &'static str {
        match self {
            Self::Wal => "a segment of etcd's WAL",
            Self::Database => "a bbolt database (member/snap/db or a backup snapshot)",
            Self::Archive => "a packed archive",
            Self::Binary => "a NUL byte",
        }
    }
}

/// What a file is by its first bytes; `None` when it may be text.
fn data_file(head: &[u8]) -> Option<Found> {
    if head.get(16..20) == Some(&[0xed, 0xda, 0x0c, 0xed]) {
        return Some(Found::Database);
    }
    // A WAL starts with a frame's length and a record of type 4, the start of the checksum chain.
    let framed = head.get(1..7) == Some(&[0; 6]) && head.get(8..10) == Some(&[0x08, 0x04]);
    if framed {
        return Some(Found::Wal);
    }
    let packed = head.starts_with(&[0x1f, 0x8b])
        || head.starts_with(b"PK\x03\x04")
        || head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]);
    packed.then_some(Found::Archive)
}

/// Why something could not be taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntakeError {
    /// The name of what was given.
    pub name: String,
    /// The byte it shows at, from 0.
    pub at: u64,
    /// What is wrong.
    pub fault: IntakeFault,
}

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntakeFault {
    /// It is no text.
    NotText(Found),
    /// It is longer than [`TEXT_LIMIT`].
    TooLong,
}

impl fmt::Display for IntakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, at, fault } = self;
        match fault {
            IntakeFault::NotText(found) => {
                write!(f, "{name}, byte {at}: expected text, found {}. ", found.words())?;
                f.write_str("Give what etcdctl, etcdutl or ls print of it instead")
            }
            IntakeFault::TooLong => {
                let limit = TEXT_LIMIT >> 20;
                write!(f, "{name}, byte {at}: expected at most {limit} MiB of text, found more. ")?;
                f.write_str("Give the part that matters, such as the last lines of the log")
            }
        }
    }
}

impl std::error::Error for IntakeError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(bytes: &[u8], chunk: usize) -> Result<Paste, IntakeError> {
        let mut intake = Intake::new("given", Some(bytes.len() as u64));
        for part in bytes.chunks(chunk) {
            assert_eq!(intake.need(), Need::Chunk);
            intake.push(part);
            if intake.need() == Need::Done {
                break;
            }
        }
        assert_eq!(intake.need(), if bytes.is_empty() { Need::Done } else { intake.need() });
        intake.finish()
    }

    #[test]
    fn text_is_the_same_however_it_is_cut() {
        let text = "┌──┐ m1 é 𝄞\r\nlast";
        let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
        for bytes in [text.as_bytes(), &little, &big] {
            for chunk in 1..=bytes.len() {
                assert_eq!(take(bytes, chunk).unwrap().text, text, "{chunk}");
            }
        }
        assert_eq!(take(b"", 1).unwrap().text, "");
        assert_eq!(take(b"a", 1).unwrap().text, "a");
    }

    #[test]
    fn what_is_no_utf8_is_replaced_and_the_rest_stays() {
        for chunk in 1..=5 {
            assert_eq!(take(b"m1\xff m2 \xe2\x94", chunk).unwrap().text, "m1\u{fffd} m2 \u{fffd}");
        }
    }

    #[test]
    fn data_files_are_named_and_refused() {
        let wal = b"\x04\0\0\0\0\0\0\x84\x08\x04\x10\0\0\0\0\0\0\0\0\0\0\0\0\0";
        let mut database = vec![0; 4096];
        database[16..20].copy_from_slice(&[0xed, 0xda, 0x0c, 0xed]);
        for (bytes, found, at) in [
            (&wal[..], Found::Wal, 0),
            (&database[..], Found::Database, 0),
            (b"\x1f\x8b\x08aaaaaaaaaaaaaaaaaaaaaaaaa", Found::Archive, 0),
            (b"text, then\0", Found::Binary, 10),
        ] {
            for chunk in [1 << 12, 24] {
                let error = take(bytes, chunk).unwrap_err();
                assert_eq!((error.at, error.fault), (at, IntakeFault::NotText(found)));
            }
        }
        let words = take(b"a\0", 9).unwrap_err().to_string();
        assert!(words.starts_with("given, byte 1: expected text, found a NUL byte."), "{words}");
    }

    #[test]
    fn text_above_the_limit_is_refused_and_let_go() {
        let mut intake = Intake::new("etcd.log", None);
        let chunk = vec![b'a'; 4 << 20];
        for _ in 0..TEXT_LIMIT / chunk.len() {
            intake.push(&chunk);
            assert_eq!(intake.need(), Need::Chunk);
        }
        intake.push(b"a");
        assert_eq!(intake.need(), Need::Done);
        assert!(intake.text.is_empty());
        let error = intake.finish().unwrap_err();
        assert_eq!(error.fault, IntakeFault::TooLong);
        assert!(error.to_string().contains("expected at most 64 MiB"), "{error}");
    }
}
