//! What a version of etcd or its tools has: `features::CHECK_V2STORE.in_version(&version)`.

use super::releases;
use super::tables;
use super::version::{Minor, Version};

/// The features by name.
pub use tables::features::*;

/// Versions from one to another, both ends included. A prerelease stands below its release, a vendor suffix does not
/// count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionRange {
    /// First version: major, minor, patch.
    pub from: (u32, u32, u32),
    /// Last version; `u32::MAX` as patch means the whole minor, `None` every later version.
    pub to: Option<(u32, u32, u32)>,
}

impl VersionRange {
    /// Is the version inside?
    #[must_use]
    pub fn contains(&self, version: &Version) -> bool {
        let minor = version.minor();
        let numbers = (minor.major, minor.minor, version.patch());
        let above = numbers > self.from || (numbers == self.from && !version.is_prerelease());
        above && self.to.is_none_or(|to| numbers <= to)
    }
}

/// Something a version has or has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Feature {
    /// Its id.
    pub id: &'static str,
    /// What it is, in words that fit into a sentence.
    pub what: &'static str,
    /// The versions that have it, ascending.
    pub ranges: &'static [VersionRange],
    /// Key of the source.
    pub source: &'static str,
}

impl Feature {
    /// Does this version have it?
    #[must_use]
    pub fn in_version(&self, version: &Version) -> bool {
        self.ranges.iter().any(|range| range.contains(version))
    }

    /// Does the newest patch of this minor have it?
    #[must_use]
    pub fn in_minor(&self, minor: Minor) -> bool {
        releases::newest(minor).is_some_and(|newest| self.in_version(&newest.version))
    }

    /// The first release of this minor that has it.
    #[must_use]
    pub fn first_in(&self, minor: Minor) -> Option<Version> {
        let of_minor = releases::all().iter().map(|release| &release.version).filter(|v| v.minor() == minor);
        of_minor.filter(|v| self.in_version(v)).min().cloned()
    }
}

/// Every feature.
#[must_use]
pub fn all() -> &'static [&'static Feature] {
    ALL
}
