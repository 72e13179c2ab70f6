//! Versions of etcd: `3.5.33`, `3.6.0-rc.1`, vendor builds such as `3.5.26-k3s1`, and minors such as `3.6`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// What a minor looks like, in words: "a minor such as …".
pub const A_MINOR: &str = super::tables::A_MINOR;
/// What a version looks like, in words: "a version such as …".
pub const A_VERSION: &str = super::tables::A_VERSION;

/// A minor release line, e.g. 3.6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minor {
    /// Major, 3 for everything this tool knows.
    pub major: u32,
    /// Minor.
    pub minor: u32,
}

impl Minor {
    /// `major.minor`.
    #[must_use]
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }

    /// The next minor of the same major.
    #[must_use]
    pub fn next(self) -> Self {
        Self { minor: self.minor.saturating_add(1), ..self }
    }

    /// The minor before, of the same major; `None` for `.0`.
    #[must_use]
    pub fn previous(self) -> Option<Self> {
        self.minor.checked_sub(1).map(|minor| Self { minor, ..self })
    }
}

impl fmt::Display for Minor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Minor {
    type Err = VersionError;

    /// Reads `3.6`; a full version such as `3.6.11` or `v3.6` gives its minor.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bare = text.trim().trim_start_matches('v');
        let mut parts = bare.splitn(3, '.');
        let number = |part: Option<&str>| part.and_then(|p| p.parse().ok());
        match (number(parts.next()), number(parts.next())) {
            (Some(major), Some(minor)) => Ok(Self { major, minor }),
            _ => Err(VersionError { text: text.to_owned(), expected: A_MINOR }),
        }
    }
}

/// A version of etcd. Order: numbers first, then a prerelease before its release; a vendor suffix does not count.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Version {
    /// Numbers and prerelease.
    core: semver::Version,
    /// What a vendor added (`k3s1`, `0`, `debian-12-r3`, `git`), without the sign before it. Empty for upstream.
    vendor: String,
}

impl Version {
    /// An upstream release.
    #[must_use]
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { core: semver::Version::new(major as u64, minor as u64, patch as u64), vendor: String::new() }
    }

    /// Its minor line.
    #[must_use]
    pub fn minor(&self) -> Minor {
        let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        Minor::new(small(self.core.major), small(self.core.minor))
    }

    /// Its patch number.
    #[must_use]
    pub fn patch(&self) -> u32 {
        u32::try_from(self.core.patch).unwrap_or(u32::MAX)
    }

    /// Is it an alpha, beta, rc or pre?
    #[must_use]
    pub fn is_prerelease(&self) -> bool {
        !self.core.pre.is_empty()
    }

    /// What a vendor added, without the sign before it; `None` for upstream.
    #[must_use]
    pub fn vendor(&self) -> Option<&str> {
        (!self.vendor.is_empty()).then_some(self.vendor.as_str())
    }

    /// Does the suffix say that a known vendor or packager built it from the release of that number? What else stands
    /// there (`abc`, `dev`) may be any state of the source.
    #[must_use]
    pub fn is_of_a_release(&self) -> bool {
        let vendor = self.vendor.to_ascii_lowercase();
        let known = |word: &str| {
            vendor.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        };
        vendor.is_empty() || vendor.starts_with(|c: char| c.is_ascii_digit()) || VENDOR_WORDS.iter().any(|w| known(w))
    }

    /// The upstream version without the vendor's suffix.
    #[must_use]
    pub fn upstream(&self) -> Self {
        Self { core: self.core.clone(), vendor: String::new() }
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    /// The vendor suffix decides only between versions that are otherwise equal, so that order and equality agree.
    fn cmp(&self, other: &Self) -> Ordering {
        self.core.cmp_precedence(&other.core).then_with(|| self.vendor.cmp(&other.vendor))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let core = &self.core;
        write!(f, "{}.{}.{}", core.major, core.minor, core.patch)?;
        if !core.pre.is_empty() {
            write!(f, "-{}", core.pre)?;
        }
        match self.vendor.as_str() {
            "" => Ok(()),
            "git" => write!(f, "+git"),
            vendor => write!(f, "-{vendor}"),
        }
    }
}

/// Words that start the suffix of an image, a package or a platform's release; a packager's own revision starts with a
/// digit.
const VENDOR_WORDS: [&str; 26] = [
    "aks",
    "alpine",
    "amd",
    "amzn",
    "arm",
    "bitnami",
    "build",
    "deb",
    "debian",
    "eks",
    "el",
    "fc",
    "gke",
    "k3s",
    "linux",
    "microk8s",
    "ocp",
    "openshift",
    "photon",
    "ppc64le",
    "r",
    "rancher",
    "rke2r",
    "s390x",
    "talos",
    "ubuntu",
];

/// Words that start a prerelease; anything else after `-` is a vendor's suffix.
const PRERELEASE_WORDS: [&str; 4] = ["alpha", "beta", "rc", "pre"];

impl FromStr for Version {
    type Err = VersionError;

    /// Reads `3.5.33`, `v3.5.33`, `3.6.0-rc.1`, `3.5.26-k3s1`, `3.6.4-0`, `3.3.0+git`. Three numbers are a must.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || VersionError { text: text.to_owned(), expected: A_VERSION };
        let bare = text.trim();
        let bare = bare.strip_prefix('v').unwrap_or(bare);
        let end = bare.find(['-', '+']).unwrap_or(bare.len());
        let (numbers, rest) = bare.split_at_checked(end).ok_or_else(fail)?;
        let mut parts = numbers.split('.');
        let mut number = || -> Option<u64> {
            let part = parts.next()?;
            let digits = (1..=9).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| part.parse().ok())?
        };
        let (Some(major), Some(minor), Some(patch)) = (number(), number(), number()) else { return Err(fail()) };
        if parts.next().is_some() {
            return Err(fail());
        }
        let mut core = semver::Version::new(major, minor, patch);
        let suffix = rest.get(1..).unwrap_or("");
        if !suffix.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+' | b'_')) {
            return Err(fail());
        }
        let lower = suffix.to_ascii_lowercase();
        let prerelease = rest.starts_with('-') && PRERELEASE_WORDS.iter().any(|w| lower.starts_with(w));
        if prerelease {
            let cut = suffix.find(['+', '-', '_']).unwrap_or(suffix.len());
            let (pre, vendor) = suffix.split_at_checked(cut).ok_or_else(fail)?;
            core.pre = semver::Prerelease::new(pre).map_err(|_| fail())?;
            return Ok(Self { core, vendor: vendor.trim_start_matches(['+', '-', '_']).to_owned() });
        }
        Ok(Self { core, vendor: suffix.to_owned() })
    }
}

/// Text that is no version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionError {
    /// What was found.
    pub text: String,
    /// What was expected, in words.
    pub expected: &'static str,
}

impl fmt::Display for VersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found \"{}\"", self.expected, self.text)
    }
}

impl std::error::Error for VersionError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn vendor_suffixes_do_not_make_a_version_older_than_its_release() {
        for text in ["3.5.26-k3s1", "3.6.4-0", "3.5.17-debian-12-r3", "3.3.0+git", "v3.5.32"] {
            let version = v(text);
            assert!(!version.is_prerelease(), "{text}");
            assert!(version >= version.upstream(), "{text}");
        }
        assert_eq!(v("3.5.26-k3s1").vendor(), Some("k3s1"));
        assert_eq!(v("v3.5.32"), Version::new(3, 5, 32));
    }

    #[test]
    fn an_unknown_suffix_is_of_no_release() {
        for text in
            ["3.5.32", "3.5.26-k3s1", "3.6.4-0", "3.5.17-debian-12-r3", "3.5.21-rancher4-1", "3.4.23-4+b4", "3.5.9-r1"]
        {
            assert!(v(text).is_of_a_release(), "{text}");
        }
        for text in ["3.5.32-abc", "3.5.32-dev", "3.5.32+git", "3.5.32-dirty", "3.5.32-next", "3.5.32-k3smine"] {
            assert!(!v(text).is_of_a_release(), "{text}");
        }
    }

    #[test]
    fn prereleases_stand_below_their_release() {
        for text in ["3.6.0-alpha.0", "3.6.0-beta.2", "3.6.0-rc.5", "3.6.0-pre"] {
            assert!(v(text).is_prerelease(), "{text}");
            assert!(v(text) < v("3.6.0"), "{text}");
        }
        assert_eq!(v("3.6.0-rc.1-0").vendor(), Some("0"));
    }

    #[test]
    fn what_is_no_version_says_what_was_expected() {
        for text in ["", "3", "3.6", "3.6.", "3.6.x", "3.6.1.2", "1e9.0.0", "3.5.33 GB", "99999999999.1.1"] {
            let error = text.parse::<Version>().unwrap_err();
            assert_eq!(error.to_string(), format!("expected a version such as 3.6.11, found \"{text}\""));
        }
    }

    #[test]
    fn a_minor_is_read_from_a_full_version_too() {
        assert_eq!("v3.6.11".parse::<Minor>(), Ok(Minor::new(3, 6)));
        assert!("3".parse::<Minor>().is_err());
    }
}
