//! The page.

use leptos::prelude::*;

/// Mounts the page.
pub fn mount() {
    console_error_panic_hook::set_once();
    mount_to_body(|| view! { <main>"etcd Upgrade Planner"</main> });
}
