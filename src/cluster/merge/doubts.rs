//! What can't be taken at its word, and what makes up for it.

use std::collections::HashMap;

use super::seen;
use crate::evidence::Evidence;
use crate::evidence::fact::{Body, Doubt, Fact, Kind, Seen, Span};

/// The doubts that no later, whole output of the same kind makes up for.
pub(super) fn doubts(facts: &[&Fact], evidence: &Evidence) -> Vec<Seen<Doubt>> {
    let all = facts.iter().filter_map(|f| if let Body::Doubt(doubt) = &f.body { Some(seen(doubt, f)) } else { None });
    let all: Vec<Seen<Doubt>> = all.collect();
    let doubted = |stretch: &Span| {
        let from = all.partition_point(|d| (d.span.paste, d.span.first_line) < (stretch.paste, stretch.first_line));
        all.get(from).is_some_and(|d| d.span.paste == stretch.paste && d.span.first_line <= stretch.last_line)
    };
    let mut whole: HashMap<Kind, (usize, usize)> = HashMap::new();
    if !all.is_empty() {
        for stretch in evidence.recognised.iter().filter(|r| r.members > 0 && !doubted(&r.span)) {
            let place = (stretch.span.paste, stretch.span.first_line);
            whole.entry(stretch.kind).and_modify(|newest| *newest = place.max(*newest)).or_insert(place);
        }
    }
    let open = |d: &Seen<Doubt>| {
        let newest = d.value.kind.and_then(|kind| whole.get(&kind));
        newest.is_none_or(|newest| *newest < (d.span.paste, d.span.first_line))
    };
    all.into_iter().filter(open).collect()
}
