//! How the person wants the page itself: its theme, and whether single keys do anything. Kept in this browser beside the
//! work, and gone with it when everything is cleared.

use leptos::prelude::{document, window};

use super::storage::PREFIX;

/// One thing the person prefers. Nothing is kept while it is as the page comes.
#[derive(Clone, Copy)]
pub struct Preference {
    name: &'static str,
}

/// `light`, `dark` or `contrast`; empty follows the system. boot.js sets it before the first paint.
pub const THEME: Preference = Preference { name: "theme" };
/// `off` when letters typed outside of fields do nothing.
pub const KEYS: Preference = Preference { name: "keys" };

impl Preference {
    /// What the person prefers; empty when they never said.
    pub fn get(self) -> String {
        let store = window().local_storage().ok().flatten();
        store.and_then(|s| s.get_item(&self.key()).ok().flatten()).unwrap_or_default()
    }

    /// Keeps it, where the browser has room. Empty forgets it.
    pub fn set(self, value: &str) {
        let Some(store) = window().local_storage().ok().flatten() else { return };
        // A browser without room only means that it is not kept.
        let _ = if value.is_empty() { store.remove_item(&self.key()) } else { store.set_item(&self.key(), value) };
    }

    fn key(self) -> String {
        format!("{PREFIX}/{}", self.name)
    }
}

/// Shows the page in a theme, from now on.
pub fn show_theme(theme: &str) {
    THEME.set(theme);
    if let Some(root) = document().document_element() {
        let _ = if theme.is_empty() {
            root.remove_attribute("data-theme")
        } else {
            root.set_attribute("data-theme", theme)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_theme_is_shown_and_kept_until_the_system_decides_again() {
        let shown = || document().document_element().unwrap().get_attribute("data-theme");
        show_theme("dark");
        assert_eq!((shown().as_deref(), THEME.get().as_str()), (Some("dark"), "dark"));
        show_theme("");
        assert_eq!((shown(), THEME.get().as_str()), (None, ""));
    }
}
