//! Were ids rounded by a JSON tool?
//!
//! # Asks
//! Whether all ids that JSON shows end in as many noughts as a tool that counts in floating point leaves.
//!
//! # Blocks when
//! Never. It warns.
//!
//! # Why
//! Such a tool keeps about 17 digits of a number. Ids have up to 20: members can't be matched by them any more.
//!
//! # Remedy
//! Print the output without that tool, or as a table, which shows ids in hex.
//!
//! # Sources
//! - seen-status: ids as etcdctl prints them.

use super::question::{Question, seen};
use super::{Asked, FOR_EVERY_INTENT, Finding, Gate, Group, Need, sight};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "paste-ids-rounded",
    group: Group::Health,
    sources: &[key::SEEN_STATUS],
    asked: Asked::Now,
    intents: FOR_EVERY_INTENT,
    need: |_| Need::OnSight,
    check,
};

/// Digits that survive in floating point.
const DIGITS: u32 = 17;

fn check(q: &Question<'_>) -> Vec<Finding> {
    let rows = sight::rows(q);
    let ids: Vec<(u64, &crate::evidence::fact::Span)> = rows
        .iter()
        .flat_map(|(_, s)| [s.value.member_id, s.value.cluster_id].into_iter().flatten().map(|id| (id, &s.span)))
        .collect();
    let noughts = |id: u64| id.checked_ilog10().map_or(0, |digits| (digits + 1).saturating_sub(DIGITS));
    let long: Vec<_> = ids.iter().filter(|(id, _)| noughts(*id) > 0).collect();
    let rounded = long.iter().filter(|(id, _)| id % 10_u64.pow(noughts(*id)) == 0).count();
    let lost: u32 = long.iter().map(|(id, _)| noughts(*id)).sum();
    if long.is_empty() || rounded < long.len() || lost < 3 {
        return sight::passed_on(ids.iter().map(|(_, span)| *span), "Ids are whole.");
    }
    let statement = "Every id ends in noughts: a JSON tool rounded them, so members can't be matched by id.";
    let remedy = "Print the output without that tool, or as a table, which shows ids in hex.";
    vec![Finding::warning(statement, seen(long.iter().map(|(_, span)| *span)), remedy)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn noughts_at_the_end_of_every_long_id_are_no_chance() {
        let with = |id: u64| {
            three_members("3.5.33").status("m1", |s| {
                s.member_id = Some(id);
                s.cluster_id = None;
            })
        };
        assert_eq!(
            outcomes(&GATE, &with(17_516_136_372_639_969_000).no_member_list(), "3.6", &[])[0],
            Outcome::Warning
        );
        assert_eq!(outcomes(&GATE, &with(17_516_136_372_639_969_288).no_member_list(), "3.6", &[])[0], Outcome::Passed);
    }
}
