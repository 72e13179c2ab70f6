//! Values that the page watches.
//!
//! A signal of Leptos compiles its whole machinery once for each type it holds. Here the value lies beside the signal,
//! so that all of them share one.

use leptos::prelude::*;

/// A value that views watch. A handle: copying it copies nothing. It lives as long as the scope it was made in.
pub struct Watched<T: 'static> {
    value: StoredValue<T, LocalStorage>,
    changed: RwSignal<()>,
}

impl<T> Clone for Watched<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Watched<T> {}

impl<T: Default> Default for Watched<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> Watched<T> {
    /// A value to watch.
    pub fn new(value: T) -> Self {
        Self { value: StoredValue::new_local(value), changed: RwSignal::new(()) }
    }

    /// Whoever runs now runs again when the value changes.
    pub fn track(self) {
        self.changed.track();
    }

    /// Reads it, and runs again when it changes.
    pub fn with<R>(self, read: impl FnOnce(&T) -> R) -> R {
        self.track();
        self.value.with_value(read)
    }

    /// Reads it.
    pub fn with_untracked<R>(self, read: impl FnOnce(&T) -> R) -> R {
        self.value.with_value(read)
    }

    /// Sets it. Nothing happens when its scope is gone.
    pub fn set(self, value: T) {
        self.update(|old| *old = value);
    }

    /// Changes it. Nothing happens when its scope is gone.
    pub fn update(self, change: impl FnOnce(&mut T)) {
        if self.value.try_update_value(change).is_some() {
            self.changed.notify();
        }
    }
}

impl<T: Clone> Watched<T> {
    /// A copy of it; whoever runs now runs again when it changes.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// A copy of it.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }
}
