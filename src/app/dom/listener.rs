//! Event handlers that go with the scope they were made in.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventTarget};

/// A handler on its target. Taken off when dropped: an element on its way out of the page can still send events.
struct Listener {
    target: EventTarget,
    event: &'static str,
    heard: Closure<dyn Fn(Event)>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.target.remove_event_listener_with_callback(self.event, self.heard.as_ref().unchecked_ref());
    }
}

/// Listens for as long as the scope lives.
pub fn listen(target: &EventTarget, event: &'static str, heard: Box<dyn Fn(Event)>) {
    let heard = Closure::wrap(heard);
    let _ = target.add_event_listener_with_callback(event, heard.as_ref().unchecked_ref());
    super::hold(Box::new(Listener { target: target.clone(), event, heard }));
}

/// Listens on the window for as long as the scope lives.
pub fn on_window(event: &'static str, heard: impl Fn(Event) + 'static) {
    listen(&leptos::prelude::window(), event, Box::new(heard));
}
