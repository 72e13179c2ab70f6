//! What survives a reload: the work in `localStorage`, under one versioned prefix.
//!
//! The texts of the pastes stand under keys of their own, so that ticking a box does not write megabytes again.

use serde::{Deserialize, Serialize};

/// Prefix of every key. The number rises when the form changes in a way an older page can't read.
pub const PREFIX: &str = "etcd-upgrade-planner/1";

/// Everything kept but the texts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// The pastes in order.
    pub pastes: Vec<KeptPaste>,
    /// What stands in the evidence box and was not added yet.
    pub draft: String,
    /// What is wanted, when it is no upgrade.
    pub intent: Option<String>,
    /// Target as the person gave it; `None` is the newest patch of the next minor.
    pub to: Option<String>,
    /// Start as the person gave it.
    pub from: Option<String>,
    /// Answers as `KEY=VALUE`.
    pub answered: Vec<String>,
    /// Ids of the steps that are done.
    pub done: Vec<String>,
}

/// A paste without its text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptPaste {
    /// Its id in this browser.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// The kind set by hand, by id.
    pub kind: Option<String>,
    /// The member set by hand.
    pub member: Option<String>,
}

/// Why something could not be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepError {
    /// The browser gives this page no storage (blocked, or a private window of some browsers).
    NoStorage,
    /// It does not fit any more.
    Full,
}

impl std::fmt::Display for KeepError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoStorage => {
                "This browser gives the page no storage. Your work stays here until you close or reload the page."
            }
            Self::Full => "This browser has no room left to keep it. It stays here until you close or reload the page.",
        })
    }
}

/// The part of `localStorage` under one prefix.
#[derive(Debug, Clone, Copy)]
pub struct Shelf {
    prefix: &'static str,
}

impl Shelf {
    /// The page's own.
    pub const PAGE: Self = Self { prefix: PREFIX };

    /// One under another prefix, for tests.
    #[cfg(test)]
    pub const fn under(prefix: &'static str) -> Self {
        Self { prefix }
    }

    /// What was kept; the default when there is nothing, or nothing that can be read.
    pub fn load(self) -> Kept {
        let Some(text) = store().and_then(|s| s.get_item(&self.index_key()).ok().flatten()) else {
            return Kept::default();
        };
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// The text of one paste, if it was kept.
    pub fn text(self, id: u64) -> Option<String> {
        store()?.get_item(&self.text_key(id)).ok()?
    }

    /// Keeps everything but the texts.
    ///
    /// # Errors
    /// When the browser has no storage or no room; what was kept before stays.
    pub fn keep(self, kept: &Kept) -> Result<(), KeepError> {
        // Indented as the report is, so that one writer of JSON is enough.
        let text = serde_json::to_string_pretty(kept).map_err(|_| KeepError::Full)?;
        put(&self.index_key(), &text)
    }

    /// Keeps the text of one paste.
    ///
    /// # Errors
    /// As [`Shelf::keep`]. An older text of the paste is dropped then, so that a reload never shows a stale one.
    pub fn keep_text(self, id: u64, text: &str) -> Result<(), KeepError> {
        let key = self.text_key(id);
        put(&key, text).inspect_err(|_| self.drop_text(id))
    }

    /// Forgets the text of one paste.
    pub fn drop_text(self, id: u64) {
        if let Some(store) = store() {
            let _ = store.remove_item(&self.text_key(id));
        }
    }

    /// Forgets everything.
    pub fn clear(self) {
        self.remove_where(|_| true);
    }

    /// Forgets texts that no kept paste names (a page that was closed while it wrote).
    pub fn drop_strays(self, kept: &Kept) {
        let named: Vec<String> = kept.pastes.iter().map(|p| self.text_key(p.id)).collect();
        let texts = format!("{}/text/", self.prefix);
        self.remove_where(|key| key.starts_with(&texts) && !named.iter().any(|n| n == key));
    }

    /// The key the index stands under: other tabs are told when it changes.
    pub fn index_key(self) -> String {
        format!("{}/work", self.prefix)
    }

    fn text_key(self, id: u64) -> String {
        format!("{}/text/{id:x}", self.prefix)
    }

    fn remove_where(self, wanted: impl Fn(&str) -> bool) {
        let Some(store) = store() else { return };
        let own = format!("{}/", self.prefix);
        let count = store.length().unwrap_or(0);
        let keys: Vec<String> = (0..count).filter_map(|i| store.key(i).ok().flatten()).collect();
        for key in keys.iter().filter(|k| k.starts_with(&own) && wanted(k)) {
            let _ = store.remove_item(key);
        }
    }
}

fn store() -> Option<web_sys::Storage> {
    leptos::prelude::window().local_storage().ok().flatten()
}

fn put(key: &str, value: &str) -> Result<(), KeepError> {
    store().ok_or(KeepError::NoStorage)?.set_item(key, value).map_err(|_| KeepError::Full)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn kept(ids: &[u64]) -> Kept {
        let pastes = ids.iter().map(|id| KeptPaste { id: *id, name: format!("paste {id}"), ..KeptPaste::default() });
        Kept { pastes: pastes.collect(), draft: "half a line".to_owned(), ..Kept::default() }
    }

    #[wasm_bindgen_test]
    fn what_is_kept_comes_back() {
        let shelf = Shelf::under("test-back");
        shelf.clear();
        let mut work = kept(&[1, u64::MAX]);
        work.answered.push("auth=no".to_owned());
        work.done.push("3.6/roll/m2/stop".to_owned());
        assert_eq!(shelf.keep(&work), Ok(()));
        assert_eq!(shelf.keep_text(u64::MAX, "line\r\nline"), Ok(()));
        assert_eq!(shelf.load(), work);
        assert_eq!(shelf.text(u64::MAX).as_deref(), Some("line\r\nline"));
        shelf.clear();
    }

    #[wasm_bindgen_test]
    fn clearing_leaves_nothing_under_the_prefix_and_everything_else() {
        let (shelf, other) = (Shelf::under("test-clear"), Shelf::under("test-clear-not"));
        other.keep(&kept(&[7])).unwrap();
        shelf.keep(&kept(&[1])).unwrap();
        shelf.keep_text(1, "text").unwrap();
        shelf.clear();
        assert_eq!(shelf.load(), Kept::default());
        assert_eq!(shelf.text(1), None);
        assert_eq!(other.load(), kept(&[7]));
        other.clear();
    }

    #[wasm_bindgen_test]
    fn a_text_too_large_is_said_and_the_rest_stays() {
        let shelf = Shelf::under("test-full");
        shelf.clear();
        shelf.keep(&kept(&[1, 2])).unwrap();
        shelf.keep_text(1, "small").unwrap();
        shelf.keep_text(2, "older").unwrap();
        assert_eq!(shelf.keep_text(2, &"x".repeat(12_000_000)), Err(KeepError::Full));
        assert_eq!(shelf.text(2), None, "a stale text must not come back");
        assert_eq!(shelf.text(1).as_deref(), Some("small"));
        assert_eq!(shelf.load(), kept(&[1, 2]));
        shelf.clear();
    }

    #[wasm_bindgen_test]
    fn what_can_not_be_read_counts_as_nothing_kept() {
        let shelf = Shelf::under("test-broken");
        put(&shelf.index_key(), "{\"pastes\": 7").unwrap();
        assert_eq!(shelf.load(), Kept::default());
        put(&shelf.index_key(), "{\"of a later page\": true, \"draft\": \"kept\"}").unwrap();
        assert_eq!(shelf.load().draft, "kept");
        shelf.clear();
    }

    #[wasm_bindgen_test]
    fn strays_are_dropped() {
        let shelf = Shelf::under("test-strays");
        shelf.keep_text(1, "named").unwrap();
        shelf.keep_text(2, "stray").unwrap();
        shelf.drop_strays(&kept(&[1]));
        assert_eq!(shelf.text(1).as_deref(), Some("named"));
        assert_eq!(shelf.text(2), None);
        shelf.clear();
    }
}
