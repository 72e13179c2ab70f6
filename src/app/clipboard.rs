//! Copying text out of the page.

use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Puts `text` on the clipboard. False when the browser lets the page do it in neither way.
///
/// A page on plain HTTP has no `navigator.clipboard`; there the selection of a text area is copied.
pub async fn copy(text: &str) -> bool {
    let navigator = window().navigator();
    let clipboard = js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard"));
    if clipboard.is_ok_and(|c| !c.is_undefined())
        && JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
    {
        return true;
    }
    copy_selection(text).unwrap_or(false)
}

fn copy_selection(text: &str) -> Option<bool> {
    let page = document();
    let focused = page.active_element();
    let area: web_sys::HtmlTextAreaElement = page.create_element("textarea").ok()?.dyn_into().ok()?;
    area.set_value(text);
    area.set_class_name("unseen");
    page.body()?.append_child(&area).ok()?;
    area.select();
    let copied = page.dyn_into::<web_sys::HtmlDocument>().ok()?.exec_command("copy").unwrap_or(false);
    area.remove();
    if let Some(element) = focused.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.focus();
    }
    Some(copied)
}
