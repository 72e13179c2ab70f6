//! Elements of the page, built one call at a time.
//!
//! Leptos gives the page its mount, its signals, effects, context and scopes. Its `view!` macro is not used: it makes a
//! type of each view and compiles building, updating and taking down for each of them. Measured on this page, that was
//! 430 kB of the wasm before compression, more than all readers and gates together. Here every element is the same type,
//! [`El`], and a closure that is watched is boxed at the border, so a view costs only its own calls.
//!
//! Text goes in as text nodes and attributes, never as markup, so nothing pasted can become an element.
//!
//! - [`El`] builds: `el("p").class("why").text("…")`.
//! - `bind_…` keeps a text, attribute or property as a closure says, for as long as the scope lives.
//! - [`list`] draws what comes and goes: an item that keeps its key keeps its elements, and with them fold and focus.
//! - [`listener`] holds event handlers, on elements and on the window.

pub mod list;
pub mod listener;

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue, UnwrapThrowExt};
use web_sys::{Element, Event, HtmlElement, Node};

use list::Item;

/// Namespace of SVG elements.
const SVG: &str = "http://www.w3.org/2000/svg";

/// An element or a text of the page. A handle: a clone is the same element.
#[derive(Clone)]
pub struct El(Node);

/// An HTML element.
pub fn el(tag: &str) -> El {
    // Fails for names that are no names; those here are written in the code.
    El(document().create_element(tag).unwrap_throw().into())
}

/// An SVG element.
pub fn svg(tag: &str) -> El {
    El(document().create_element_ns(Some(SVG), tag).unwrap_throw().into())
}

/// A text that stands by itself.
pub fn text(text: &str) -> El {
    El(document().create_text_node(text).into())
}

/// A button that is none of a form's, with what it does.
pub fn button(class: &str, label: &str, pressed: impl Fn() + 'static) -> El {
    let button = el("button").attr("type", "button").text(label).on("click", move |_| pressed());
    if class.is_empty() { button } else { button.class(class) }
}

impl El {
    fn element(&self) -> &Element {
        self.0.unchecked_ref()
    }

    /// The node as the type it is.
    pub fn node<T: JsCast>(&self) -> T {
        self.0.clone().unchecked_into()
    }

    /// Sets its classes.
    pub fn class(self, class: &str) -> Self {
        self.attr("class", class)
    }

    /// Sets an attribute.
    pub fn attr(self, name: &str, value: &str) -> Self {
        // Fails for names that are no names.
        let _ = self.element().set_attribute(name, value);
        self
    }

    /// Appends a text.
    pub fn text(self, text: &str) -> Self {
        let _ = self.element().append_with_str_1(text);
        self
    }

    /// Appends a child.
    pub fn child(self, child: El) -> Self {
        let _ = self.element().append_with_node_1(&child.0);
        self
    }

    /// Appends children.
    pub fn children(self, children: impl IntoIterator<Item = El>) -> Self {
        children.into_iter().fold(self, El::child)
    }

    /// Appends a part of the page that comes and goes by itself.
    pub fn part(self, part: impl FnOnce(El) -> El) -> Self {
        part(self)
    }

    /// Listens to an event.
    pub fn on(self, event: &'static str, heard: impl Fn(Event) + 'static) -> Self {
        listener::listen(&self.0, event, Box::new(heard));
        self
    }

    /// Takes the focus once it is in the page.
    pub fn focused(self) -> Self {
        let element: HtmlElement = self.node();
        soon(move || {
            let _ = element.focus();
        });
        self
    }

    /// Appends a text that is kept as `says` says.
    pub fn bind_text(self, says: impl Fn() -> String + 'static) -> Self {
        let node = text("");
        let bound = node.clone();
        self.bind(Box::new(says), Box::new(move |words| bound.0.set_node_value(Some(words)))).child(node)
    }

    /// Keeps an attribute as `says` says.
    pub fn bind_attr(self, name: &'static str, says: impl Fn() -> String + 'static) -> Self {
        let element = self.element().clone();
        self.bind(
            Box::new(says),
            Box::new(move |value| {
                let _ = element.set_attribute(name, value);
            }),
        )
    }

    /// Keeps a property as `says` says, when it is a text.
    pub fn bind_value(self, name: &'static str, says: impl Fn() -> String + 'static) -> Self {
        let node = self.0.clone();
        self.bind(Box::new(says), Box::new(move |value| set_property(&node, name, &JsValue::from_str(value))))
    }

    /// Keeps a property as `says` says, when it is a yes or a no.
    pub fn bind_flag(self, name: &'static str, says: impl Fn() -> bool + 'static) -> Self {
        let node = self.0.clone();
        let word = move || if says() { "yes" } else { "" }.to_owned();
        self.bind(
            Box::new(word),
            Box::new(move |value| set_property(&node, name, &JsValue::from_bool(!value.is_empty()))),
        )
    }

    /// Has `class` among its classes while `says` says so. The others are `always`.
    pub fn bind_class(self, always: &'static str, class: &'static str, says: impl Fn() -> bool + 'static) -> Self {
        self.bind_attr("class", move || if says() { format!("{always} {class}") } else { always.to_owned() })
    }

    /// Does `set` whenever what `says` says is another text than before: what did not change is not written again, so
    /// that a selection stays and a screen reader is not told twice.
    fn bind(self, says: Box<dyn Fn() -> String>, set: Box<dyn Fn(&str)>) -> Self {
        let mut before: Option<String> = None;
        watch(Box::new(move || {
            let now = says();
            if before.as_ref() != Some(&now) {
                set(&now);
                before = Some(now);
            }
        }));
        self
    }

    /// Keeps a list here: items that keep their key keep their elements.
    pub fn list(self, items: impl Fn() -> Vec<Item> + 'static) -> Self {
        list::keep(self.element(), Box::new(items));
        self
    }

    /// Draws what `draw` makes, and again whenever `key` has changed; nothing while there is no key.
    pub fn redraw(self, key: impl Fn() -> Option<u64> + 'static, draw: impl Fn() -> Vec<El> + 'static) -> Self {
        list::keep(self.element(), list::one(Box::new(key), Box::new(move |_| draw())));
        self
    }

    /// Draws what `draw` makes while `when` says so.
    pub fn show(self, when: impl Fn() -> bool + 'static, draw: impl Fn() -> Vec<El> + 'static) -> Self {
        list::keep(self.element(), list::one(Box::new(move || when().then_some(1)), Box::new(move |_| draw())));
        self
    }

    /// Draws what `draw` makes of a yes or a no, and again when that has changed.
    pub fn either(self, which: impl Fn() -> bool + 'static, draw: impl Fn(bool) -> Vec<El> + 'static) -> Self {
        list::keep(
            self.element(),
            list::one(Box::new(move || Some(u64::from(which()))), Box::new(move |key| draw(key == 1))),
        );
        self
    }
}

/// Runs `f` now, and again whenever something it read has changed, for as long as the scope lives.
pub fn watch(mut f: Box<dyn FnMut()>) {
    hold(Box::new(RenderEffect::new(move |_| f())));
}

/// Runs `f` when what is being built is in the page.
pub fn soon(f: impl FnOnce() + 'static) {
    let f: Box<dyn FnOnce()> = Box::new(f);
    leptos::task::spawn_local(async move { f() });
}

/// Puts the focus on the element with an id, where the page has one, and brings it into sight.
pub fn focus_on(id: &str) {
    let element = document().get_element_by_id(id).and_then(|e| e.dyn_into::<HtmlElement>().ok());
    if let Some(element) = element {
        let _ = element.focus();
    }
}

/// Keeps a thing for as long as the scope lives, then drops it.
fn hold(thing: Box<dyn std::any::Any>) {
    StoredValue::new_local(thing);
}

fn set_property(node: &Node, name: &str, value: &JsValue) {
    let _ = js_sys::Reflect::set(node, &JsValue::from_str(name), value);
}

#[cfg(test)]
mod tests {
    use leptos::task::tick;
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::app::watched::Watched;

    #[wasm_bindgen_test]
    fn markup_in_a_text_or_an_attribute_stays_text() {
        let paragraph = el("p").attr("title", "\"><b>x</b>").text("<b>x</b>").child(text("<b>y</b>"));
        let element: Element = paragraph.node();
        assert_eq!(element.text_content().as_deref(), Some("<b>x</b><b>y</b>"));
        assert_eq!(element.get_attribute("title").as_deref(), Some("\"><b>x</b>"));
        assert_eq!(element.query_selector("b").unwrap(), None);
    }

    #[wasm_bindgen_test]
    async fn what_did_not_change_is_not_written_again() {
        mount_to_body(|| ());
        let scope = Owner::new();
        let (paragraph, words) = scope.with(|| {
            let words = Watched::new("same".to_owned());
            (el("p").bind_text(move || words.get()), words)
        });
        let node: Node = paragraph.node();
        assert_eq!(node.text_content().as_deref(), Some("same"));
        // Stands for what the person or the browser did to the node since.
        node.first_child().unwrap().set_node_value(Some("by hand"));
        words.set("same".to_owned());
        tick().await;
        assert_eq!(node.text_content().as_deref(), Some("by hand"));
        words.set("other".to_owned());
        tick().await;
        assert_eq!(node.text_content().as_deref(), Some("other"));
    }
}
