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

/// Puts rich text on the clipboard, with plain text beside it for what takes no other. Where the browser takes no rich
/// text, the plain one is copied.
pub async fn copy_rich(html: &str, plain: &str) -> bool {
    let window = window();
    let known = js_sys::Reflect::has(&window, &JsValue::from_str("ClipboardItem")).unwrap_or(false);
    let item = if known { item(html, plain) } else { None };
    match item {
        Some(item) => JsFuture::from(window.navigator().clipboard().write(&js_sys::Array::of1(&item))).await.is_ok(),
        None => copy(plain).await,
    }
}

fn item(html: &str, plain: &str) -> Option<JsValue> {
    let record = js_sys::Object::new();
    for (kind, text) in [("text/html", html), ("text/plain", plain)] {
        let blob: web_sys::Blob = gloo::file::Blob::new_with_options(text, Some(kind)).into();
        js_sys::Reflect::set(&record, &JsValue::from_str(kind), &blob).ok()?;
    }
    web_sys::ClipboardItem::new_with_record_from_str_to_blob_promise(&record).ok().map(JsValue::from)
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
