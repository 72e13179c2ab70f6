//! What proves the rules.

use super::packed::Rows;
use super::tables;
use std::sync::LazyLock;

/// One source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Its key.
    pub key: &'static str,
    /// What it is, in words: "etcd documentation, Upgrade etcd from 3.5 to 3.6", "seen on real etcd 3.5.33 → 3.6.16".
    pub title: &'static str,
    /// Link, when there is one.
    pub url: Option<&'static str>,
    /// The versions it holds for, in words.
    pub holds_for: &'static str,
}

/// The keys of all sources: `sources::key::UPGRADE_3_6`.
pub mod key {
    pub use crate::etcd::tables::source_keys::*;
}

static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    Rows::second(tables::SOURCES)
        .rows(|row| Some(Source { key: row.text(), title: row.text(), url: row.option(), holds_for: row.text() }))
});

/// Every source.
#[must_use]
pub fn all() -> &'static [Source] {
    &SOURCES
}

/// The source with this key.
#[must_use]
pub fn by_key(key: &str) -> Option<&'static Source> {
    all().iter().find(|s| s.key == key)
}
