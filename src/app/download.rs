//! A text saved as a file by the browser.

use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, HtmlElement, Url};

/// Saves a text under a name. False when the browser does not let the page do it.
pub fn save(name: &str, text: &str) -> bool {
    offer(name, text).is_some()
}

fn offer(name: &str, text: &str) -> Option<()> {
    let blob = Blob::new_with_str_sequence(&js_sys::Array::of1(&JsValue::from_str(text))).ok()?;
    let address = Url::create_object_url_with_blob(&blob).ok()?;
    let link: HtmlElement = document().create_element("a").ok()?.dyn_into().ok()?;
    link.set_attribute("href", &address).ok()?;
    link.set_attribute("download", name).ok()?;
    link.click();
    // The browser took hold of it with the press.
    Url::revoke_object_url(&address).ok()
}
