//! Which stretch of one kind a fact belongs to: rows of one run of a command stand in one stretch.

use crate::evidence::Evidence;
use crate::evidence::fact::{Kind, Span};

/// The recognised stretches of one kind, in order.
#[derive(Debug)]
pub(super) struct Stretches(Vec<Stretch>);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stretch {
    paste: usize,
    first: usize,
    last: usize,
    /// The form has nothing that marks its end, so the last rows may be missing.
    open: bool,
}

impl Stretches {
    pub(super) fn of(evidence: &Evidence, kind: Kind) -> Self {
        let of_kind = evidence.recognised.iter().filter(|r| r.kind == kind);
        let stretch = |r: &crate::evidence::fact::Recognised| Stretch {
            paste: r.span.paste,
            first: r.span.first_line,
            last: r.span.last_line,
            open: matches!(r.form, "simple" | "fields" | "lines"),
        };
        let mut spans: Vec<_> = of_kind.map(stretch).collect();
        crate::sort::sort(&mut spans);
        Self(spans)
    }

    /// Paste and first line of the stretch around a span; its paste alone where no stretch is known.
    pub(super) fn around(&self, span: &Span) -> (usize, usize) {
        self.find(span).map_or((span.paste, 0), |s| (s.paste, s.first))
    }

    /// Is the stretch around a span of a form that may have been cut without a trace?
    pub(super) fn may_be_cut(&self, span: &Span) -> bool {
        self.find(span).is_some_and(|s| s.open)
    }

    fn find(&self, span: &Span) -> Option<&Stretch> {
        let after = self.0.partition_point(|s| (s.paste, s.first) <= (span.paste, span.first_line));
        let before = after.checked_sub(1).and_then(|at| self.0.get(at));
        before.filter(|s| s.paste == span.paste && span.first_line <= s.last)
    }
}
