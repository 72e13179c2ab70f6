//! What was recognised where, of which member and which version.

use super::{RecognisedOut, name};
use crate::evidence::Evidence;
use crate::evidence::fact::{Body, Fact};
use crate::evidence::paste::Paste;

/// More versions than these say nothing.
const MOST_VERSIONS: usize = 3;

/// The stretches that were recognised, in the order of the pastes. Facts and stretches stand in the same order, so both
/// are walked once.
pub fn recognised(evidence: &Evidence, pastes: &[Paste]) -> Vec<RecognisedOut> {
    let mut facts = evidence.facts.iter().peekable();
    let one = |r: &crate::evidence::fact::Recognised| {
        let mut out = RecognisedOut {
            paste: name(r.span.paste, pastes),
            paste_index: r.span.paste,
            kind: r.kind.id().to_owned(),
            form: r.form.to_owned(),
            members: r.members,
            member: None,
            versions: Vec::new(),
            first_line: r.span.first_line,
            last_line: r.span.last_line,
        };
        let mut several = false;
        let until = (r.span.paste, r.span.last_line);
        while let Some(fact) = facts.next_if(|f| (f.span.paste, f.span.first_line) <= until) {
            if (fact.span.paste, fact.span.first_line) < (r.span.paste, r.span.first_line) {
                continue;
            }
            let (member, version) = about(fact);
            several |= member.is_some() && out.member.is_some() && member != out.member.as_deref();
            out.member = out.member.take().or_else(|| member.map(str::to_owned));
            let version = version.filter(|v| out.versions.len() < MOST_VERSIONS && !out.versions.contains(v));
            out.versions.extend(version);
        }
        if several || r.members > 1 {
            out.member = None;
        }
        out
    };
    evidence.recognised.iter().map(one).collect()
}

/// The member a fact speaks of, as far as it says, and the server's version.
fn about(fact: &Fact) -> (Option<&str>, Option<String>) {
    let (member, version) = match &fact.body {
        Body::Status(status) => (None, status.version.as_ref()),
        Body::Flags(set) => (set.member_name.as_deref(), set.version.as_ref()),
        Body::Log(event) => (event.member.as_deref(), event.version.as_ref()),
        Body::ServerVersion(version) => (None, version.server.as_ref()),
        _ => (None, None),
    };
    let hint = &fact.hint;
    let member = hint.chosen.as_deref().or(member).or(hint.host.as_deref());
    (member, version.map(ToString::to_string))
}
