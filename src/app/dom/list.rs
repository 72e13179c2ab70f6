//! What comes and goes in the page: items with keys. Whatever keeps its key keeps its elements, and with them its fold,
//! its scroll position and the focus.

use std::hash::{Hash, Hasher};
use std::mem;
use std::rc::Rc;

use leptos::prelude::*;
use web_sys::{Element, Node};

use super::{El, text, watch};

/// Something to draw, by its key.
pub struct Item {
    key: u64,
    draw: Box<dyn FnOnce() -> Vec<El>>,
}

impl Item {
    /// An item; `draw` is called only when no item of this key is in the page yet.
    pub fn new(key: u64, draw: impl FnOnce() -> Vec<El> + 'static) -> Self {
        Self { key, draw: Box::new(draw) }
    }
}

/// An item in the page, with the scope of all that it watches and listens to.
struct Drawn {
    key: u64,
    nodes: Vec<El>,
    scope: Owner,
}

/// A list of at most one item: its key, and what draws the item of a key.
pub fn one(key: Box<dyn Fn() -> Option<u64>>, draw: Box<dyn Fn(u64) -> Vec<El>>) -> Box<dyn Fn() -> Vec<Item>> {
    let draw: Rc<dyn Fn(u64) -> Vec<El>> = draw.into();
    Box::new(move || {
        let item = key().map(|key| {
            let draw = Rc::clone(&draw);
            Item::new(key, move || draw(key))
        });
        item.into_iter().collect()
    })
}

/// Keeps the items at the end of what `parent` holds now. No key may come twice.
pub fn keep(parent: &Element, items: Box<dyn Fn() -> Vec<Item>>) {
    let end: Node = text("").0;
    let _ = parent.append_with_node_1(&end);
    let parent: Node = parent.clone().into();
    let outer = Owner::current().unwrap_or_default();
    let mut drawn: Vec<Drawn> = Vec::new();
    watch(Box::new(move || {
        let wanted = items();
        // What an item reads is the item's own.
        untrack(|| drawn = update(&parent, &end, &outer, mem::take(&mut drawn), wanted));
    }));
}

fn update(parent: &Node, end: &Node, outer: &Owner, before: Vec<Drawn>, wanted: Vec<Item>) -> Vec<Drawn> {
    let is_wanted = |drawn: &Drawn| wanted.iter().any(|i| i.key == drawn.key);
    let (mut kept, gone): (Vec<_>, Vec<_>) = before.into_iter().partition(is_wanted);
    for old in gone {
        for El(node) in &old.nodes {
            let _ = parent.remove_child(node);
        }
        old.scope.cleanup();
    }
    let mut now = Vec::with_capacity(wanted.len());
    for Item { key, draw } in wanted {
        // What is kept mostly keeps its order, so it is found at the first place.
        now.push(match kept.iter().position(|d| d.key == key) {
            Some(at) => kept.remove(at),
            None => {
                let scope = outer.child();
                let nodes = scope.with(draw);
                Drawn { key, nodes, scope }
            }
        });
    }
    // From the end, and only what stands in the wrong place: an element that is moved loses the focus.
    let mut next = end.clone();
    for El(node) in now.iter().rev().flat_map(|d| d.nodes.iter().rev()) {
        if node.next_sibling().as_ref() != Some(&next) {
            let _ = parent.insert_before(node, Some(&next));
        }
        next = node.clone();
    }
    now
}

/// A number for a value: equal values have the same, others as good as never.
pub fn digest(of: &impl Hash) -> u64 {
    // FNV-1a. The standard hasher is several times the code.
    struct Fnv(u64);
    impl Hasher for Fnv {
        fn finish(&self) -> u64 {
            self.0
        }

        #[inline(never)]
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    of.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use leptos::task::tick;
    use wasm_bindgen_test::wasm_bindgen_test;
    use web_sys::HtmlElement;

    use super::*;
    use crate::app::dom::{button, el};
    use crate::app::watched::Watched;

    /// A scope as the page's: mounting starts what runs the effects.
    fn scope() -> Owner {
        mount_to_body(|| ());
        Owner::new()
    }

    #[wasm_bindgen_test]
    async fn what_keeps_its_key_keeps_its_element() {
        let scope = scope();
        let (list, keys) = scope.with(|| {
            let keys = Watched::new(vec![1_u64, 2, 3]);
            let item = |key: u64| Item::new(key, move || vec![el("li").text(&key.to_string())]);
            (el("ul").list(move || keys.get().into_iter().map(item).collect()), keys)
        });
        let list: Element = list.node();
        let second = || list.query_selector("li:nth-child(2)").unwrap();
        assert_eq!(list.text_content().as_deref(), Some("123"));
        let two = second();
        keys.set(vec![3, 2, 4]);
        tick().await;
        assert_eq!(list.text_content().as_deref(), Some("324"));
        assert!(two.is_some() && second() == two, "another element stands for the same key");
        keys.set(Vec::new());
        tick().await;
        assert_eq!(list.text_content().as_deref(), Some(""));
    }

    #[wasm_bindgen_test]
    async fn what_went_neither_listens_nor_watches() {
        let scope = scope();
        let (pressed, drawn) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
        let (list, shown, words) = scope.with(|| {
            let (shown, words) = (Watched::new(true), Watched::new("a".to_owned()));
            let (pressed, drawn) = (Rc::clone(&pressed), Rc::clone(&drawn));
            let draw = move || {
                let (pressed, drawn) = (Rc::clone(&pressed), Rc::clone(&drawn));
                let says = move || {
                    drawn.set(drawn.get() + 1);
                    words.get()
                };
                vec![button("", "", move || pressed.set(pressed.get() + 1)).bind_text(says)]
            };
            (el("div").show(move || shown.get(), draw), shown, words)
        });
        let list: Element = list.node();
        let found = list.query_selector("button").unwrap().unwrap();
        let element: &HtmlElement = wasm_bindgen::JsCast::unchecked_ref(&found);
        element.click();
        words.set("b".to_owned());
        tick().await;
        assert_eq!((pressed.get(), drawn.get(), element.text_content().as_deref()), (1, 2, Some("b")));
        shown.set(false);
        tick().await;
        assert_eq!(list.query_selector("button").unwrap(), None);
        element.click();
        words.set("c".to_owned());
        tick().await;
        assert_eq!((pressed.get(), drawn.get()), (1, 2));
    }

    #[wasm_bindgen_test]
    fn equal_values_have_the_same_digest_and_others_another() {
        assert_eq!(digest(&("a", 1)), digest(&("a", 1)));
        assert_ne!(digest(&("a", "bc")), digest(&("ab", "c")));
    }
}
