//! A map of few keys, in their order. The standard one is compiled anew for each kind of key and value, some kilobytes each
//! time; here that is a vector and a search in it. Putting a key in costs time linear in the keys that are there.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Values by key, sorted by key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sorted<K, V>(Vec<(K, V)>);

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> Sorted<K, V> {
    /// Nothing in it.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Is nothing in it?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many keys it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Keys and values, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The values, to be changed, in the order of their keys.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// The keys, in their order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }
}

impl<K: Ord, V> Sorted<K, V> {
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    /// The value of a key.
    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().and_then(|at| self.0.get(at)).map(|(_, value)| value)
    }

    /// Puts a value in; the one that was there is gone.
    pub fn insert(&mut self, key: K, value: V) {
        match self.find(&key) {
            Ok(at) => {
                if let Some((_, old)) = self.0.get_mut(at) {
                    *old = value;
                }
            }
            Err(at) => self.0.insert(at, (key, value)),
        }
    }

    /// Takes a key out; the value it had.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| self.0.remove(at).1)
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Sorted<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut all = Self::new();
        pairs.into_iter().for_each(|(key, value)| all.insert(key, value));
        all
    }
}

impl<K: Serialize, V: Serialize> Serialize for Sorted<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for Sorted<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(BTreeMap::deserialize(deserializer)?.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_map_in_the_order_of_its_keys() {
        let mut map: Sorted<String, u32> =
            [("b", 2), ("a", 1), ("c", 3), ("b", 4)].map(|(k, v)| (k.to_owned(), v)).into_iter().collect();
        assert_eq!(map.iter().map(|(k, v)| (k.as_str(), *v)).collect::<Vec<_>>(), [("a", 1), ("b", 4), ("c", 3)]);
        assert_eq!((map.get("b"), map.get("d"), map.len()), (Some(&4), None, 3));
        assert_eq!((map.remove("a"), map.remove("a")), (Some(1), None));
        let json = serde_json::to_string(&map).unwrap();
        assert_eq!(json, r#"{"b":4,"c":3}"#);
        assert_eq!(serde_json::from_str::<Sorted<String, u32>>(r#"{"c":3,"b":4}"#).unwrap(), map);
    }
}
