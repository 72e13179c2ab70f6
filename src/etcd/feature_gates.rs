//! Feature gates of the server.

use super::tables;
use super::version::Minor;

/// One feature gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureGate {
    /// Its name, spelt as etcd does.
    pub name: &'static str,
    /// The minors that know it, each with the key of its source.
    pub minors: &'static [(Minor, &'static str)],
    /// Default.
    pub default: bool,
    /// Stage alpha; beta otherwise.
    pub alpha: bool,
    /// Does it set every gate of its stage that is not set by name?
    pub group: bool,
    /// The experimental flag it replaces.
    pub from_flag: Option<&'static str>,
    /// The gate that must be on for it; else the start fails.
    pub needs: Option<&'static str>,
}

impl FeatureGate {
    /// Does this minor know it? An unknown gate stops the start.
    #[must_use]
    pub fn in_minor(&self, minor: Minor) -> bool {
        self.minors.iter().any(|(m, _)| *m == minor)
    }

    /// Key of the source for a minor.
    #[must_use]
    pub fn source(&self, minor: Minor) -> Option<&'static str> {
        self.minors.iter().find(|(m, _)| *m == minor).map(|(_, source)| *source)
    }
}

/// Every feature gate.
#[must_use]
pub fn all() -> &'static [FeatureGate] {
    tables::FEATURE_GATES
}

/// The gate with this name; the case counts, as in etcd.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static FeatureGate> {
    all().iter().find(|gate| gate.name == name)
}
