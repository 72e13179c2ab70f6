//! Has a member no name of its own?
//!
//! # Asks
//! Whether flags leave the name at etcd's default, or two members or more of a list are called so.
//!
//! # Blocks when
//! Never. It warns.
//!
//! # Why
//! Every member without a name is called the same. `--initial-cluster` then can't tell them apart, and the member list
//! does not say which machine is meant.
//!
//! # Remedy
//! Give each member its own name at its restart during the roll; its id and data stay.
//!
//! # Sources
//! - source-default-name: what etcd says of its default name.

use super::question::{Question, seen};
use super::{Asked, FOR_UPGRADE_MEMBERS_AND_FLAGS, Finding, Gate, Group, Need, sight, words};
use crate::etcd::flags::{self, name};
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "member-name-default",
    group: Group::Membership,
    sources: &[key::SOURCE_DEFAULT_NAME],
    asked: Asked::Now,
    intents: FOR_UPGRADE_MEMBERS_AND_FLAGS,
    need: |_| Need::OnSight,
    check,
};

fn check(q: &Question<'_>) -> Vec<Finding> {
    const REMEDY: &str = "Give each member a name of its own at its restart: its id and its data stay as they are. Members \
                          without one are all called the same, and nobody can tell them apart.";
    let default = flags::by_name(name::NAME).and_then(|f| f.minors.last()).map_or("", |m| m.default);
    let named = sight::of_flag(q, name::NAME);
    let left: Vec<sight::Set<'_>> =
        named.iter().copied().filter(|s| s.setting.value.as_deref().map(str::trim) == Some(default)).collect();
    if !left.is_empty() {
        let statement = format!("The name is left at etcd's default: {}.", sight::written(q, &left));
        return vec![Finding::warning(statement, sight::grounds_of(&left), REMEDY).about(&sight::members_of(&left))];
    }
    let alike = q.indices(|m| m.listed.as_ref().is_some_and(|row| row.value.name.as_deref() == Some(default)));
    if alike.len() > 1 {
        let rows = alike.iter().filter_map(|m| q.cluster.members.get(*m)).filter_map(|m| m.listed.as_ref());
        let statement = format!("{} are called \"{default}\".", words::count(alike.len(), "member"));
        return vec![Finding::warning(statement, seen(rows.map(|row| &row.span)), REMEDY)];
    }
    let told = sight::logged(q, GATE.id, REMEDY);
    if !told.is_empty() {
        return told;
    }
    sight::passed_on(named.iter().map(|s| &s.setting.span), "Every member whose name is shown has one of its own.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::outcomes;

    #[test]
    fn the_default_name_warns() {
        let named = |name: &str| three_members("3.5.33").flags("m1", &[&format!("name={name}")]);
        assert_eq!(outcomes(&GATE, &named("default"), "3.6", &[]), [Outcome::Warning]);
        assert_eq!(outcomes(&GATE, &named("m1"), "3.6", &[]), [Outcome::Passed]);
        assert_eq!(outcomes(&GATE, &three_members("3.5.33"), "3.6", &[]), [Outcome::NotLookedAt]);
    }
}
