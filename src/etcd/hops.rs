//! What each hop demands.

use super::packed::Rows;
use super::tables;
use super::version::{Minor, Version};
use std::sync::LazyLock;

/// A patch that a hop wants, and which defect it cures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Floor {
    /// The patch.
    pub version: Version,
    /// Which defect it cures, in words.
    pub cures: &'static str,
    /// Key of the source.
    pub source: &'static str,
}

/// The rules of one hop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HopRules {
    /// Minor it leaves.
    pub from: Minor,
    /// Minor it reaches.
    pub to: Minor,
    /// The floor official documents demand ("make sure"): below it the hop is blocked.
    pub required: Option<Floor>,
    /// The floor below which data are known to break: the technical one, at most the required.
    pub technical: Option<Floor>,
    /// A newer patch that is advised.
    pub advised: Option<Floor>,
    /// Must every member's v2 store be clean of custom content (3.5 → 3.6)?
    pub checks_v2_store: bool,
    /// Must every member have a disk snapshot newer than the hop before (3.6 → 3.7)?
    pub needs_disk_snapshot: bool,
    /// Is a rolling upgrade with authentication unsupported (3.4 → 3.5)?
    pub auth_rolling_unsupported: bool,
    /// Can the cluster be formally downgraded after it?
    pub formal_downgrade: bool,
    /// First patch of the old minor whose `check v2store` reads the WAL too.
    pub v2_check_with_wal: Option<Version>,
    /// Key of the source.
    pub source: &'static str,
}

/// Every hop known, ascending.
#[must_use]
pub fn all() -> &'static [HopRules] {
    tables::HOPS
}

/// The rules of the hop that leaves `from` for the next minor.
#[must_use]
pub fn from(from: Minor) -> Option<&'static HopRules> {
    all().iter().find(|h| h.from == from)
}

/// Can a cluster go from one minor to another by a formal downgrade? Only to the one right below.
#[must_use]
pub fn leads_back(from: Minor, to: Minor) -> bool {
    self::from(to).is_some_and(|rules| rules.to == from && rules.formal_downgrade)
}

/// The rules of the hop that reaches `to`.
#[must_use]
pub fn to(to: Minor) -> Option<&'static HopRules> {
    all().iter().find(|h| h.to == to)
}

/// What another guide says, where it differs from etcd's documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guide {
    /// The gate it is about.
    pub gate: &'static str,
    /// Who says it.
    pub guide: &'static str,
    /// What it says and how that differs, in one sentence.
    pub says: &'static str,
    /// Key of the source.
    pub source: &'static str,
}

static GUIDES: LazyLock<Vec<Guide>> = LazyLock::new(|| {
    Rows::second(tables::GUIDES)
        .rows(|row| Some(Guide { gate: row.text(), guide: row.text(), says: row.text(), source: row.text() }))
});

/// Everything that other guides say otherwise.
#[must_use]
pub fn guides() -> &'static [Guide] {
    &GUIDES
}
