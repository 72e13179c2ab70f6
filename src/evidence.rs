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
    pub fn of_all(pastes: &[Paste], each: &[&Self]) -> Self {
        let mut all = Self { repeats: repeats(pastes), ..Self::default() };
        for (index, read) in each.iter().enumerate() {
            let (facts, recognised, unread) = (all.facts.len(), all.recognised.len(), all.unread.len());
            all.facts.extend_from_slice(&read.facts);
            all.recognised.extend_from_slice(&read.recognised);
            all.unread.extend_from_slice(&read.unread);
            for fact in all.facts.iter_mut().skip(facts) {
                fact.span.paste = index;
                if let Body::Flags(set) = &mut fact.body {
                    set.spans_mut(&mut |span| span.paste = index);
                }
            }
            all.recognised.iter_mut().skip(recognised).for_each(|r| r.span.paste = index);
            all.unread.iter_mut().skip(unread).for_each(|u| u.span.paste = index);
        }
        all
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
