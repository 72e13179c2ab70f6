//! Takes off what stands around etcd's output, line by line: prompts, ANSI colour, log prefixes, fences, quotes.

use std::borrow::Cow;

/// One line, as given and as readers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// 1-based number within the paste.
    pub number: usize,
    /// As given, without line end.
    pub raw: &'a str,
    /// Without noise. Empty for a line that is noise only.
    pub text: Cow<'a, str>,
}
