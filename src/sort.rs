//! Sorting, with one sort for all types.
//!
//! The sorts of the standard library are compiled for each type they sort: 5 kB of the wasm for each, 65 kB in all. Here
//! one sorts places and says which items to swap; only the swapping is compiled for a type.

use std::cmp::Ordering;

/// Sorts; equal items keep their order.
pub fn sort<T: Ord>(items: &mut [T]) {
    by(items, T::cmp);
}

/// Sorts by a key; items of equal keys keep their order.
pub fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts by a comparison; equal items keep their order.
pub fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let swaps = swaps(items.len(), &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    for (a, b) in swaps {
        items.swap(a, b);
    }
}

/// The swaps, in order, that sort as many items, at most one for each. Both places of a swap are below `count`.
fn swaps(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| compare(*a, *b));
    // Where the item of each place belongs.
    let mut belongs = vec![0; count];
    for (to, from) in order.into_iter().enumerate() {
        if let Some(place) = belongs.get_mut(from) {
            *place = to;
        }
    }
    let mut swaps = Vec::new();
    for place in 0..count {
        // Each swap puts one item where it belongs, for good.
        while let Some(&to) = belongs.get(place).filter(|to| **to != place) {
            swaps.push((place, to));
            belongs.swap(place, to);
        }
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(mut items: Vec<(u8, u32)>) {
            let mut other = items.clone();
            other.sort_by_key(|i| i.0);
            by_key(&mut items, |i| i.0);
            prop_assert_eq!(&items, &other, "stable");
            other.sort();
            sort(&mut items);
            prop_assert_eq!(items, other);
        }
    }
}
