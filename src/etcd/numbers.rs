//! Figures that differ between minors: `numbers::STATUS_COLUMNS.of(minor)`.

use super::tables;
use super::version::Minor;

/// The figures by name.
pub use tables::numbers::*;

/// A figure by minor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// Its id.
    pub id: &'static str,
    /// What it counts, in words.
    pub what: &'static str,
    /// Value by minor.
    pub minors: &'static [(Minor, u32)],
    /// Key of the source.
    pub source: &'static str,
}

impl Number {
    /// Its value in a minor.
    #[must_use]
    pub fn of(&self, minor: Minor) -> Option<u32> {
        self.minors.iter().find(|(m, _)| *m == minor).map(|(_, value)| *value)
    }

    /// The first minor with this value.
    #[must_use]
    pub fn first_with(&self, value: u32) -> Option<Minor> {
        self.minors.iter().find(|(_, v)| *v == value).map(|(minor, _)| *minor)
    }
}

/// Every figure.
#[must_use]
pub fn all() -> &'static [&'static Number] {
    ALL
}
