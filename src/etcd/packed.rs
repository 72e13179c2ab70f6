//! Reads the tables that `build/packed.rs` packed, field by field in the order in which they were written.

use super::features::VersionRange;
use super::version::{Minor, Version};

/// What the first verdict does not need: its bytes come with the second part of the page. It starts with a head that
/// tells `cargo xtask post-build` where it lies in the wasm.
static SECOND_PART: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/second-part.packed"));

/// Ends each field.
const END: char = '\u{1f}';

/// Packed rows, of which the front ones may be read already.
pub struct Rows(&'static str);

impl Rows {
    /// A table of the first load.
    pub const fn new(table: &'static str) -> Self {
        Self(table)
    }

    /// A table of the second part. What the page reads as it comes up must not be one: read before the second part is
    /// there it is empty, and stays so.
    pub fn second((start, end): (usize, usize)) -> Self {
        Self(SECOND_PART.get(start..end).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default())
    }

    /// The next field.
    pub fn text(&mut self) -> &'static str {
        let (field, rest) = self.0.split_once(END).unwrap_or_default();
        self.0 = rest;
        field
    }

    /// The next field; `None` when it is empty.
    pub fn option(&mut self) -> Option<&'static str> {
        Some(self.text()).filter(|text| !text.is_empty())
    }

    /// A number.
    pub fn number(&mut self) -> u32 {
        self.text().parse().unwrap_or_default()
    }

    /// A truth value.
    pub fn truth(&mut self) -> bool {
        self.number() == 1
    }

    /// What a word stands for; `None` for one that is not among them, which `build.rs` refuses.
    pub fn word<T: Copy>(&mut self, words: &[(&str, T)]) -> Option<T> {
        let word = self.text();
        words.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
    }

    /// A minor.
    pub fn minor(&mut self) -> Minor {
        let (major, minor) = self.pair();
        Minor::new(major, minor)
    }

    /// Two numbers.
    pub fn pair(&mut self) -> (u32, u32) {
        (self.number(), self.number())
    }

    /// Three numbers of a version.
    pub fn numbers(&mut self) -> (u32, u32, u32) {
        let (major, minor) = self.pair();
        (major, minor, self.number())
    }

    /// A release.
    pub fn version(&mut self) -> Version {
        let (major, minor, patch) = self.numbers();
        Version::new(major, minor, patch)
    }

    /// Versions from one to another.
    pub fn range(&mut self) -> VersionRange {
        let from = self.numbers();
        VersionRange { from, to: (self.number() == 1).then(|| self.numbers()) }
    }

    /// A list. It lives as long as the program, as the tables do.
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> &'static [T] {
        let length = self.number();
        (0..length).map(|_| item(self)).collect::<Vec<T>>().leak()
    }

    /// A list of rows; one that can't be read is left out, which a test finds by their number.
    pub fn rows<T>(&mut self, mut row: impl FnMut(&mut Self) -> Option<T>) -> Vec<T> {
        let length = self.number();
        (0..length).filter_map(|_| row(self)).collect()
    }

    /// A list of texts.
    pub fn texts(&mut self) -> &'static [&'static str] {
        self.list(Self::text)
    }
}
