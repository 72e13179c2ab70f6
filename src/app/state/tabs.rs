//! Other tabs of this browser. Two on one cluster take in what the other keeps (see `keeping`); here they learn of each
//! other, so that the person is told.

use leptos::prelude::*;

use super::State;
use crate::app::storage::ClusterId;

/// Another tab: its number, and the cluster it shows.
pub type Tab = (u64, ClusterId);

/// What tabs tell each other: a tab shows a cluster and asks who else is there, answers, or goes.
const HELLO: &str = "hello";
const HERE: &str = "here";
const BYE: &str = "bye";

impl State {
    /// Is the cluster on show open in another tab, too? Tracked.
    pub fn is_in_other_tab(self) -> bool {
        let own = self.cluster.with(|c| c.id);
        self.tabs.with(|tabs| tabs.iter().any(|(_, cluster)| *cluster == own))
    }

    /// Tells the other tabs which cluster is on show here, and asks what they show.
    pub fn announce(self) {
        self.tell(HELLO);
    }

    /// Tells the other tabs that this one goes.
    pub fn leave(self) {
        self.tell(BYE);
    }

    /// Something under the page's keys was changed by another tab.
    pub fn heard(self, key: Option<String>, value: Option<String>) {
        let shelf = self.shelf.get_value();
        if key.as_ref().is_some_and(|key| *key == shelf.tabs_key()) {
            if let Some(words) = value {
                self.told(&words);
            }
        } else if key.is_none_or(|key| shelf.is_work(&key)) {
            self.list_clusters();
            self.keep();
            if self.clusters.with_untracked(|all| all.len() > 1) {
                shelf.set_shown_here(self.cluster.with_untracked(|c| c.id));
            }
        }
    }

    fn tell(self, word: &str) {
        let cluster = self.cluster.with_untracked(|c| c.id);
        self.shelf.get_value().tell_tabs(&format!("{word} {} {cluster}", self.tab.get_value()));
    }

    fn told(self, words: &str) {
        let mut words = words.split(' ');
        let word = words.next().unwrap_or_default();
        let mut number = || words.next().and_then(|n| n.parse::<u64>().ok());
        let (Some(tab), Some(cluster)) = (number(), number()) else { return };
        self.tabs.update(|tabs| {
            tabs.retain(|(known, _)| *known != tab);
            if word != BYE {
                tabs.push((tab, cluster));
            }
        });
        if word == HELLO {
            self.tell(HERE);
        }
    }
}
