//! Which stretch of one kind a fact belongs to: rows of one run of a command stand in one stretch.

use crate::evidence::Evidence;
use crate::evidence::fact::{Kind, Span};

/// The recognised stretches of one kind, in order.
#[derive(Debug)]
pub(super) struct Stretches(Vec<(usize, usize, usize)>);

impl Stretches {
    pub(super) fn of(evidence: &Evidence, kind: Kind) -> Self {
        let of_kind = evidence.recognised.iter().filter(|r| r.kind == kind);
        let mut spans: Vec<_> = of_kind.map(|r| (r.span.paste, r.span.first_line, r.span.last_line)).collect();
        spans.sort_unstable();
        Self(spans)
    }

    /// Paste and first line of the stretch around a span; its paste alone where no stretch is known.
    pub(super) fn around(&self, span: &Span) -> (usize, usize) {
        let after = self.0.partition_point(|(paste, first, _)| (*paste, *first) <= (span.paste, span.first_line));
        let before = after.checked_sub(1).and_then(|at| self.0.get(at));
        match before {
            Some((paste, first, last)) if *paste == span.paste && span.first_line <= *last => (*paste, *first),
            _ => (span.paste, 0),
        }
    }
}
