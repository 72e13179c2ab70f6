//! Do the members run with the same settings?
//!
//! # Asks
//! Whether flags that belong to the cluster as a whole have different values on members whose flags are shown in full.
//!
//! # Blocks when
//! Never. It warns.
//!
//! # Why
//! A quota, a timing or a compaction that differs from member to member makes the cluster behave by whoever leads.
//!
//! # Remedy
//! Set the same value on every member, at its restart during the roll.
//!
//! # Sources
//! - upgrading: members of one cluster run alike.

use super::question::{Question, Stage, seen};
use super::{Asked, FOR_UPGRADE_AND_FLAGS, Finding, Gate, Group, Need, sight, words};
use crate::cluster::settings;
use crate::etcd::flags::name;
use crate::etcd::sources::key;

/// The gate.
pub static GATE: Gate = Gate {
    id: "flags-differ",
    group: Group::Flags,
    sources: &[key::UPGRADING],
    asked: Asked::Now,
    intents: FOR_UPGRADE_AND_FLAGS,
    need: |q| if q.stage() == Stage::Ahead { Need::OnSight } else { Need::NotApplicable },
    check,
};

/// Flags that belong to the cluster as a whole.
const ALIKE: [&str; 8] = [
    name::QUOTA_BACKEND_BYTES,
    name::HEARTBEAT_INTERVAL,
    name::ELECTION_TIMEOUT,
    name::AUTO_COMPACTION_MODE,
    name::AUTO_COMPACTION_RETENTION,
    name::MAX_REQUEST_BYTES,
    name::STRICT_RECONFIG_CHECK,
    name::INITIAL_CLUSTER_TOKEN,
];

fn check(q: &Question<'_>) -> Vec<Finding> {
    let whole = |m: &crate::cluster::Member| m.flags.iter().any(|f| f.value.complete);
    let members = q.indices(whole);
    if members.len() < 2 {
        return Vec::new();
    }
    let value = |member: usize, flag: &str| {
        let sets = q.cluster.members.get(member).map(|m| m.flags.as_slice()).unwrap_or_default();
        sets.iter().find_map(|f| settings::value(&f.value, flag)).map(str::to_owned)
    };
    let mut differ: Vec<String> = Vec::new();
    for flag in ALIKE {
        let values: Vec<Option<String>> = members.iter().map(|m| value(*m, flag)).collect();
        if values.windows(2).any(|pair| pair.first() != pair.last()) {
            let each = members
                .iter()
                .zip(&values)
                .map(|(m, v)| format!("{} {}", q.label(*m), v.as_deref().unwrap_or("not set")));
            differ.push(format!("--{flag} ({})", each.collect::<Vec<_>>().join(", ")));
        }
    }
    let spans = members.iter().filter_map(|m| q.cluster.members.get(*m)).flat_map(|m| &m.flags).map(|f| &f.span);
    if differ.is_empty() {
        return sight::passed_on(spans, "What belongs to the cluster as a whole is set alike.");
    }
    let statement = format!("Members differ in {}.", words::list(&differ));
    let remedy = "Set the same value on every member, at its restart during the roll: else the cluster behaves by whoever \
                  leads.";
    vec![Finding::warning(statement, seen(spans), remedy)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_quota_on_one_member_only_warns() {
        let alike = three_members("3.5.33").clean_flags();
        assert_eq!(outcomes(&GATE, &alike, "3.6", &[]), [Outcome::Passed]);
        let one = three_members("3.5.33")
            .flags("m1", &["quota-backend-bytes=8589934592"])
            .flags("m2", &["quota-backend-bytes=8589934592"])
            .flags("m3", &["snapshot-count=10000"]);
        let finding = only(&GATE, &one, "3.6", &[]);
        assert_eq!(
            finding.statement,
            "Members differ in --quota-backend-bytes (m1 8589934592, m2 8589934592, m3 not set)."
        );
    }
}
