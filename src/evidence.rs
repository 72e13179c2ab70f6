//! Pasted text → typed facts with spans.
//!
//! [`read`] walks the lines of every paste once. [`clean`] takes off what stands around etcd's output (prompts, ANSI
//! colour, log prefixes), [`detect`] offers each place to the readers (one file a kind of output), and what no reader
//! takes is kept as [`fact::Unread`]. No reader does I/O and none may be slower than linear in the bytes.

pub mod alarm_list;
pub mod answers;
pub mod auth_status;
pub mod change;
pub mod check_v2store;
pub mod clean;
pub mod collect;
pub mod detect;
pub mod disk_snapshots;
pub mod doubt;
pub mod downgrade;
pub mod endpoint_hashkv;
pub mod endpoint_health;
pub mod endpoint_status;
pub mod fact;
pub mod fields;
pub mod flags;
pub mod help;
pub mod http_health;
pub mod intake;
pub mod json;
pub mod member_change;
pub mod member_list;
pub mod metrics;
mod moment;
pub mod paste;
pub mod reading;
pub mod rows;
pub mod server_log;
pub mod snapshot_restore;
pub mod snapshot_save;
pub mod snapshot_status;
pub mod table;
pub mod tool_error;
pub mod tried;
pub mod value;
pub mod version;

use std::collections::HashMap;

use fact::{Body, Fact, Recognised, Unread};
use paste::Paste;

/// Everything the pastes were understood to say, in the order of the pastes and their lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// What was understood.
    pub facts: Vec<Fact>,
    /// Which stretches were recognised as which kind of output.
    pub recognised: Vec<Recognised>,
    /// Stretches nobody understood, with what was tried. Never empty lines, prompts or other noise.
    pub unread: Vec<Unread>,
    /// Pastes that were given before, each with the first that says the same: by their places in what was given.
    pub repeats: HashMap<usize, usize>,
}

/// Reads all pastes. Linear in their size; never panics, whatever they hold.
#[must_use]
pub fn read(pastes: &[Paste]) -> Evidence {
    let mut evidence = Evidence { repeats: repeats(pastes), ..Evidence::default() };
    for (index, paste) in pastes.iter().enumerate() {
        reading::at_once(index, paste, &mut evidence);
    }
    evidence
}

impl Evidence {
    /// What pastes that were read each by itself say together: the same as [`read`] finds in all of them. `each` has what
    /// the paste at its place says.
    #[must_use]
    pub fn of_all(pastes: &[Paste], each: Vec<Self>) -> Self {
        let mut all = Self { repeats: repeats(pastes), ..Self::default() };
        for (index, mut one) in each.into_iter().enumerate() {
            for fact in &mut one.facts {
                fact.span.paste = index;
                if let Body::Flags(set) = &mut fact.body {
                    set.spans_mut(&mut |span| span.paste = index);
                }
            }
            one.recognised.iter_mut().for_each(|r| r.span.paste = index);
            one.unread.iter_mut().for_each(|u| u.span.paste = index);
            all.facts.append(&mut one.facts);
            all.recognised.append(&mut one.recognised);
            all.unread.append(&mut one.unread);
        }
        all
    }

    /// The other way round: what each of so many pastes says by itself.
    #[must_use]
    pub fn of_each(self, pastes: usize) -> Vec<Self> {
        let mut each: Vec<Self> = (0..pastes).map(|_| Self::default()).collect();
        for fact in self.facts {
            if let Some(one) = each.get_mut(fact.span.paste) {
                one.facts.push(fact);
            }
        }
        for recognised in self.recognised {
            if let Some(one) = each.get_mut(recognised.span.paste) {
                one.recognised.push(recognised);
            }
        }
        for unread in self.unread {
            if let Some(one) = each.get_mut(unread.span.paste) {
                one.unread.push(unread);
            }
        }
        each
    }
}

/// Pastes that were given before, each with the first that says the same.
fn repeats(pastes: &[Paste]) -> HashMap<usize, usize> {
    let mut given = HashMap::new();
    let mut all = HashMap::new();
    for (index, paste) in pastes.iter().enumerate() {
        let first = *given.entry(paste.identity()).or_insert(index);
        if first != index {
            all.insert(index, first);
        }
    }
    all
}
