//! Releases known to this rule set.

use super::packed::Rows;
use super::tables;
use super::version::{Minor, Version};
use std::sync::LazyLock;

/// One release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// The version.
    pub version: Version,
    /// ISO date.
    pub date: &'static str,
    /// Why nobody should run it, when it is known to be bad, with the key of the source.
    pub known_bad: Option<(&'static str, &'static str)>,
    /// Key of the source.
    pub source: &'static str,
}

static RELEASES: LazyLock<Vec<Release>> = LazyLock::new(|| {
    Rows::new(tables::RELEASES).rows(|row| {
        let (version, date) = (row.text(), row.text());
        let (known_bad, known_bad_source, source) = (row.option(), row.text(), row.text());
        let known_bad = known_bad.map(|why| (why, known_bad_source));
        Some(Release { version: version.parse().ok()?, date, known_bad, source })
    })
});

/// What the project still does for a minor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Support {
    /// The minor.
    pub minor: Minor,
    /// Are there no more releases?
    pub ended: bool,
    /// ISO date at which it ends, where that is known.
    pub until: Option<&'static str>,
    /// In words.
    pub words: &'static str,
    /// Key of the source.
    pub source: &'static str,
}

/// What the project still does for this minor.
#[must_use]
pub fn support(minor: Minor) -> Option<&'static Support> {
    tables::SUPPORT.iter().find(|support| support.minor == minor)
}

/// Version of the rule set, e.g. `2026-11`.
pub const RULESET_VERSION: &str = tables::RULESET_VERSION;
/// Date of the rule set, ISO.
pub const RULESET_DATE: &str = tables::RULESET_DATE;

/// Every release, ascending.
#[must_use]
pub fn all() -> &'static [Release] {
    &RELEASES
}

/// The release with this version; a vendor suffix does not count.
#[must_use]
pub fn find(version: &Version) -> Option<&'static Release> {
    let upstream = version.upstream();
    all().iter().find(|r| r.version == upstream)
}

/// The newest release of a minor that is no prerelease.
#[must_use]
pub fn newest(minor: Minor) -> Option<&'static Release> {
    all()
        .iter()
        .filter(|r| r.version.minor() == minor && !r.version.is_prerelease())
        .max_by(|a, b| a.version.cmp(&b.version))
}

/// The newest minor with a release.
#[must_use]
pub fn newest_minor() -> Option<Minor> {
    all().iter().filter(|r| !r.version.is_prerelease()).map(|r| r.version.minor()).max()
}

/// Every minor with a release, ascending.
#[must_use]
pub fn minors() -> Vec<Minor> {
    let mut minors: Vec<Minor> =
        all().iter().filter(|r| !r.version.is_prerelease()).map(|r| r.version.minor()).collect();
    crate::sort::sort(&mut minors);
    minors.dedup();
    minors
}
