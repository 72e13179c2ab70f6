//! The page.

use leptos::prelude::*;

/// Mounts the page.
pub fn mount() {
    console_error_panic_hook::set_once();
    mount_to_body(|| view! { <main><h1>"etcd Upgrade Planner"</h1></main> });
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

    wasm_bindgen_test_configure!(run_in_browser);

    #[wasm_bindgen_test]
    fn mounting_puts_the_page_into_the_body() {
        super::mount();
        let main = leptos::prelude::document().query_selector("body > main").expect("the selector is valid");
        let text = main.expect("the page has a main part").text_content().unwrap_or_default();
        assert!(text.contains("etcd Upgrade Planner"), "{text}");
    }
}
