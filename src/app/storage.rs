//! What survives a reload: the work on each cluster in `localStorage`, under one versioned prefix.
//!
//! A cluster is one key, so that two tabs never write the same list of clusters. The texts of the pastes stand under keys
//! of their own, so that ticking a box does not write megabytes again. [`merge`] puts together what two tabs did to one
//! cluster, [`file`] is the form that goes from browser to browser, `older` takes over what pages before kept.

pub mod file;
mod kept;
mod merge;
mod older;

pub use kept::{Kept, KeptPaste};
pub use merge::{common, mark, merge, saw};

/// Prefix of every key. The number rises when the form changes in a way an older page can't read.
pub const PREFIX: &str = "etcd-upgrade-planner/2";

/// Number of a cluster within this browser.
pub type ClusterId = u64;

/// The cluster a browser begins with. It is the same in all tabs, so that two of them don't begin two.
pub const FIRST: ClusterId = 1;

/// What the first cluster is called until somebody names it.
pub const FIRST_NAME: &str = "cluster 1";

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
            Self::Full => {
                "This browser has no room left to keep it. It stays here until you close or reload the page. Remove \
                 pastes or clusters you no longer need, or save the cluster as a file."
            }
        })
    }
}

/// A cluster in the list of all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Cluster {
    /// Its number.
    pub id: ClusterId,
    /// Its name.
    pub name: String,
}

/// What stood under some keys, to be put back.
#[derive(Default)]
pub struct Dump(Vec<(String, String)>);

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

    /// Takes over what a page before kept.
    pub fn take_over_older(self) {
        if self.prefix == PREFIX {
            older::take_over(self, older::PREFIX);
        }
    }

    /// All clusters, the oldest first.
    pub fn clusters(self) -> Vec<Cluster> {
        let works = self.key("work/");
        let id = |key: &String| u64::from_str_radix(key.strip_prefix(&works)?, 16).ok();
        let keys = self.keys();
        let found = keys.iter().filter_map(id).filter_map(|id| Some((id, self.load(id)?)));
        let mut all: Vec<_> = found.map(|(id, kept)| (kept.since, Cluster { id, name: kept.name })).collect();
        etcd_upgrade_planner::sort::by_key(&mut all, |(since, cluster)| (*since, cluster.id));
        all.into_iter().map(|(_, cluster)| cluster).collect()
    }

    /// The cluster this tab showed last, else the one any tab did.
    pub fn shown(self) -> Option<ClusterId> {
        let key = self.key("shown");
        [session(), store()].into_iter().flatten().find_map(|s| s.get_item(&key).ok()??.parse().ok())
    }

    /// Notes the cluster this tab shows.
    pub fn set_shown(self, id: ClusterId) {
        for store in [session(), store()].into_iter().flatten() {
            let _ = store.set_item(&self.key("shown"), &id.to_string());
        }
    }

    /// Notes the cluster this tab shows for this tab only: others show theirs.
    pub fn set_shown_here(self, id: ClusterId) {
        if let Some(session) = session() {
            let _ = session.set_item(&self.key("shown"), &id.to_string());
        }
    }

    /// What was kept of a cluster. `None` when there is nothing, or nothing that can be read.
    pub fn load(self, id: ClusterId) -> Option<Kept> {
        let text = store()?.get_item(&self.work_key(id)).ok()??;
        let mut kept = Kept::read(&text)?;
        if kept.name.is_empty() {
            FIRST_NAME.clone_into(&mut kept.name);
        }
        Some(kept)
    }

    /// The text of one paste, if it was kept.
    pub fn text(self, id: u64) -> Option<String> {
        store()?.get_item(&self.text_key(id)).ok()?
    }

    /// Keeps everything of a cluster but the texts.
    ///
    /// # Errors
    /// When the browser has no storage or no room; what was kept before stays.
    pub fn keep(self, id: ClusterId, kept: &Kept) -> Result<(), KeepError> {
        // Indented as the report is, so that one writer of JSON is enough.
        let text = serde_json::to_string_pretty(kept).map_err(|_| KeepError::Full)?;
        put(&self.work_key(id), &text)
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
        remove(&self.text_key(id));
    }

    /// Forgets a cluster and its texts; gives what it was.
    pub fn drop_cluster(self, id: ClusterId) -> Dump {
        let texts = self.load(id).unwrap_or_default().pastes.into_iter().map(|p| self.text_key(p.id));
        // The work goes first: another tab looks for texts only where there is one.
        let keys: Vec<String> = std::iter::once(self.work_key(id)).chain(texts).collect();
        take(&keys)
    }

    /// Forgets everything; gives what it was.
    pub fn clear(self) -> Dump {
        if let Some(session) = session() {
            let _ = session.remove_item(&self.key("shown"));
        }
        take(&self.keys())
    }

    /// Puts back what was taken away.
    ///
    /// # Errors
    /// When there is no room for all of it any more.
    pub fn put_back(self, dump: &Dump) -> Result<(), KeepError> {
        // In reverse: texts before the work that names them.
        dump.0.iter().rev().try_for_each(|(key, value)| put(key, value))
    }

    /// Is a cluster among what was taken away?
    pub fn holds(self, dump: &Dump, id: ClusterId) -> bool {
        let key = self.work_key(id);
        dump.0.iter().any(|(held, _)| *held == key)
    }

    /// Texts that no cluster names: a page was closed while it wrote. Another tab may be about to name one, so whoever
    /// drops them looks twice.
    pub fn strays(self) -> Vec<u64> {
        let ids = self.clusters().into_iter().filter_map(|c| self.load(c.id)).flat_map(|k| k.pastes).map(|p| p.id);
        let named: Vec<u64> = ids.collect();
        let texts = self.key("text/");
        let id = |key: &String| u64::from_str_radix(key.strip_prefix(&texts)?, 16).ok();
        self.keys().iter().filter_map(id).filter(|id| !named.contains(id)).collect()
    }

    /// Is this the key of a cluster's work? Other tabs are told when it changes.
    pub fn is_work(self, key: &str) -> bool {
        key.starts_with(&self.key("work/"))
    }

    /// Tells the other tabs something. Nothing of it stays.
    pub fn tell_tabs(self, words: &str) {
        let key = self.tabs_key();
        let _ = put(&key, words);
        remove(&key);
    }

    /// The key under which tabs tell each other something.
    pub fn tabs_key(self) -> String {
        self.key("tabs")
    }

    fn key(self, name: &str) -> String {
        format!("{}/{name}", self.prefix)
    }

    fn work_key(self, id: ClusterId) -> String {
        self.key(&format!("work/{id:x}"))
    }

    fn text_key(self, id: u64) -> String {
        self.key(&format!("text/{id:x}"))
    }

    /// All keys; those of works first.
    fn keys(self) -> Vec<String> {
        let Some(store) = store() else { return Vec::new() };
        let own = self.key("");
        let count = store.length().unwrap_or(0);
        let keys = (0..count).filter_map(|i| store.key(i).ok().flatten()).filter(|k| k.starts_with(&own));
        let (works, others): (Vec<_>, Vec<_>) = keys.partition(|k| self.is_work(k));
        works.into_iter().chain(others).collect()
    }
}

fn store() -> Option<web_sys::Storage> {
    leptos::prelude::window().local_storage().ok().flatten()
}

/// What lives as long as the tab.
fn session() -> Option<web_sys::Storage> {
    leptos::prelude::window().session_storage().ok().flatten()
}

fn put(key: &str, value: &str) -> Result<(), KeepError> {
    store().ok_or(KeepError::NoStorage)?.set_item(key, value).map_err(|_| KeepError::Full)
}

fn remove(key: &str) {
    if let Some(store) = store() {
        let _ = store.remove_item(key);
    }
}

fn take(keys: &[String]) -> Dump {
    let Some(store) = store() else { return Dump::default() };
    let taken = keys.iter().filter_map(|key| Some((key.clone(), store.get_item(key).ok()??)));
    let dump = Dump(taken.collect());
    keys.iter().for_each(|key| remove(key));
    dump
}

#[cfg(test)]
mod tests {
    use super::*;
    use etcd_upgrade_planner::export::record::StepRecord;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn kept(ids: &[u64]) -> Kept {
        let pastes = ids.iter().map(|id| KeptPaste { id: *id, name: format!("paste {id}"), ..KeptPaste::default() });
        let (name, draft) = ("prod".to_owned(), "half a line".to_owned());
        Kept { name, pastes: pastes.collect(), draft, ..Kept::default() }
    }

    #[wasm_bindgen_test]
    fn what_is_kept_comes_back() {
        let shelf = Shelf::under("test-back");
        shelf.clear();
        let mut work = kept(&[1, u64::MAX]);
        work.answered.push("auth=no".to_owned());
        let record = StepRecord { done: true, owner: "ana".to_owned(), ..StepRecord::default() };
        work.records.insert("3.6/roll/m2/stop".to_owned(), record);
        assert_eq!(shelf.keep(FIRST, &work), Ok(()));
        assert_eq!(shelf.keep_text(u64::MAX, "line\r\nline"), Ok(()));
        assert_eq!(shelf.load(FIRST), Some(work));
        assert_eq!(shelf.text(u64::MAX).as_deref(), Some("line\r\nline"));
        shelf.clear();
    }

    #[wasm_bindgen_test]
    fn clearing_leaves_nothing_under_the_prefix_and_everything_else_and_can_be_undone() {
        let (shelf, other) = (Shelf::under("test-clear"), Shelf::under("test-clear-not"));
        other.keep(FIRST, &kept(&[7])).unwrap();
        shelf.keep(FIRST, &kept(&[1])).unwrap();
        shelf.keep(2, &kept(&[])).unwrap();
        shelf.keep_text(1, "text").unwrap();
        shelf.set_shown(2);
        let before = shelf.clear();
        assert_eq!((shelf.clusters(), shelf.text(1), shelf.shown()), (vec![], None, None));
        assert_eq!(other.load(FIRST), Some(kept(&[7])));
        shelf.put_back(&before).unwrap();
        assert_eq!(shelf.load(FIRST), Some(kept(&[1])));
        assert_eq!((shelf.clusters().len(), shelf.text(1).as_deref()), (2, Some("text")));
        shelf.clear();
        other.clear();
    }

    #[wasm_bindgen_test]
    fn a_cluster_goes_with_its_texts_and_comes_back_with_them() {
        let shelf = Shelf::under("test-drop");
        shelf.clear();
        shelf.keep(2, &Kept { since: 5, ..kept(&[1]) }).unwrap();
        shelf.keep(3, &Kept { since: 4, name: "test".to_owned(), ..kept(&[2]) }).unwrap();
        shelf.keep_text(1, "one").unwrap();
        shelf.keep_text(2, "two").unwrap();
        let names = || shelf.clusters().into_iter().map(|c| c.name).collect::<Vec<_>>();
        assert_eq!(names(), ["test", "prod"]);
        let dropped = shelf.drop_cluster(2);
        assert_eq!((names(), shelf.text(1), shelf.text(2).as_deref()), (vec!["test".to_owned()], None, Some("two")));
        shelf.put_back(&dropped).unwrap();
        assert_eq!((names().len(), shelf.text(1).as_deref()), (2, Some("one")));
        shelf.clear();
    }

    #[wasm_bindgen_test]
    fn a_text_too_large_is_said_and_the_rest_stays() {
        let shelf = Shelf::under("test-full");
        shelf.clear();
        shelf.keep(FIRST, &kept(&[1, 2])).unwrap();
        shelf.keep_text(1, "small").unwrap();
        shelf.keep_text(2, "older").unwrap();
        assert_eq!(shelf.keep_text(2, &"x".repeat(12_000_000)), Err(KeepError::Full));
        assert_eq!(shelf.text(2), None, "a stale text must not come back");
        assert_eq!(shelf.text(1).as_deref(), Some("small"));
        assert_eq!(shelf.load(FIRST), Some(kept(&[1, 2])));
        shelf.clear();
    }

    #[wasm_bindgen_test]
    fn what_can_not_be_read_counts_as_nothing_kept() {
        let shelf = Shelf::under("test-broken");
        put(&shelf.work_key(FIRST), "{\"pastes\": 7").unwrap();
        assert_eq!(shelf.load(FIRST), None);
        put(&shelf.work_key(FIRST), "{\"of a later page\": true, \"draft\": \"kept\"}").unwrap();
        assert_eq!(shelf.load(FIRST).unwrap().draft, "kept");
        shelf.clear();
    }

    #[wasm_bindgen_test]
    fn what_an_older_page_kept_is_taken_over_once() {
        let (shelf, old) = (Shelf::under("test-older-new"), "test-older-old");
        shelf.clear();
        put("test-older-old/work", "{\"pastes\": [{\"id\": 31, \"name\": \"a\"}], \"done\": [\"roll/m2\"]}").unwrap();
        put("test-older-old/text/1f", "its text").unwrap();
        older::take_over(shelf, old);
        let kept = shelf.load(FIRST).unwrap();
        assert_eq!((kept.name.as_str(), kept.pastes.len()), (FIRST_NAME, 1));
        assert!(kept.records.get("roll/m2").is_some_and(|r| r.done));
        assert_eq!(shelf.text(31).as_deref(), Some("its text"));
        assert_eq!(Shelf::under(old).keys(), Vec::<String>::new());
        older::take_over(shelf, old);
        assert_eq!(shelf.load(FIRST), Some(kept));
        shelf.clear();
    }

    #[wasm_bindgen_test]
    fn strays_are_found() {
        let shelf = Shelf::under("test-strays");
        shelf.clear();
        shelf.keep_text(1, "named").unwrap();
        shelf.keep_text(2, "stray").unwrap();
        shelf.keep(9, &kept(&[1])).unwrap();
        assert_eq!(shelf.strays(), [2]);
        shelf.clear();
    }
}
