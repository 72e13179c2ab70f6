//! Defects and advisories, and the versions that have them.

use super::features::VersionRange;
use super::packed::Rows;
use super::tables;
use super::version::{Minor, Version};
use std::sync::LazyLock;

/// Whose version decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    /// The server.
    Server,
    /// `etcdctl`
    Etcdctl,
    /// `etcdutl`
    Etcdutl,
    /// `etcd grpc-proxy`
    GrpcProxy,
    /// The Go client.
    Client,
}

/// How bad it is; the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Data, quorum or the upgrade are lost.
    Critical,
    /// It can cost an outage.
    High,
    /// It hurts.
    Medium,
    /// It is a nuisance.
    Low,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// Its name.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
            Self::Info => "info",
        }
    }
}

/// What it touches besides upgrades.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// Data that differ or are lost.
    Corruption,
    /// Changes of the membership.
    Membership,
    /// Restoring a backup snapshot.
    Restore,
    /// Security.
    Security,
    /// Formal downgrades.
    Downgrade,
}

/// One defect or advisory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownIssue {
    /// Its id.
    pub id: &'static str,
    /// The versions that have it, ascending.
    pub ranges: &'static [VersionRange],
    /// The prereleases that have it.
    pub prereleases: &'static [&'static str],
    /// Whose version that is.
    pub on: Binary,
    /// The patches with the cure; empty when there is none.
    pub fixed_in: &'static [Version],
    /// How bad it is.
    pub severity: Severity,
    /// The minors whose upgrade it touches.
    pub hops_to: &'static [Minor],
    /// What else it touches.
    pub topics: &'static [Topic],
    /// What is wrong, in one sentence.
    pub title: &'static str,
    /// What to do.
    pub remedy: &'static str,
    /// How to see it.
    pub sign: Option<&'static str>,
    /// The gate that speaks of it, when one does.
    pub gate: Option<&'static str>,
    /// Key of the source.
    pub source: &'static str,
}

impl KnownIssue {
    /// Does this version have it? A vendor suffix does not count: a vendor may have mended it, but does not say so.
    #[must_use]
    pub fn in_version(&self, version: &Version) -> bool {
        let upstream = version.upstream();
        self.ranges.iter().any(|range| range.contains(&upstream))
            || (upstream.is_prerelease() && self.prereleases.contains(&upstream.to_string().as_str()))
    }

    /// The first patch of this minor with the cure.
    #[must_use]
    pub fn fixed_in(&self, minor: Minor) -> Option<&'static Version> {
        self.fixed_in.iter().find(|version| version.minor() == minor)
    }

    /// Does it touch the upgrade to this minor?
    #[must_use]
    pub fn touches_hop_to(&self, minor: Minor) -> bool {
        self.hops_to.contains(&minor)
    }
}

static KNOWN_ISSUES: LazyLock<Vec<KnownIssue>> = LazyLock::new(|| Rows::second(tables::KNOWN_ISSUES).rows(read));

fn read(row: &mut Rows) -> Option<KnownIssue> {
    let binaries = [
        ("server", Binary::Server),
        ("etcdctl", Binary::Etcdctl),
        ("etcdutl", Binary::Etcdutl),
        ("grpc-proxy", Binary::GrpcProxy),
        ("client", Binary::Client),
    ];
    let severities = [
        ("critical", Severity::Critical),
        ("high", Severity::High),
        ("medium", Severity::Medium),
        ("low", Severity::Low),
        ("info", Severity::Info),
    ];
    let topics = [
        ("corruption", Topic::Corruption),
        ("membership", Topic::Membership),
        ("restore", Topic::Restore),
        ("security", Topic::Security),
        ("downgrade", Topic::Downgrade),
    ];
    let (id, ranges, prereleases) = (row.text(), row.list(Rows::range), row.texts());
    let (on, fixed_in, severity) = (row.word(&binaries), row.list(Rows::version), row.word(&severities));
    let hops_to = row.list(Rows::minor);
    let topics = row.rows(|row| row.word(&topics)).leak();
    let (title, remedy, sign, gate, source) = (row.text(), row.text(), row.option(), row.option(), row.text());
    let (on, severity) = (on?, severity?);
    Some(KnownIssue {
        id,
        ranges,
        prereleases,
        on,
        fixed_in,
        severity,
        hops_to,
        topics,
        title,
        remedy,
        sign,
        gate,
        source,
    })
}

/// Every issue.
#[must_use]
pub fn all() -> &'static [KnownIssue] {
    &KNOWN_ISSUES
}

/// The issue with this id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static KnownIssue> {
    all().iter().find(|issue| issue.id == id)
}

/// The issues a binary of this version has.
pub fn of_version<'a>(binary: Binary, version: &'a Version) -> impl Iterator<Item = &'static KnownIssue> + 'a {
    all().iter().filter(move |issue| issue.on == binary && issue.in_version(version))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(binary: Binary, version: &str) -> Vec<&'static str> {
        of_version(binary, &version.parse().unwrap()).map(|issue| issue.id).collect()
    }

    #[test]
    fn a_patch_has_the_issues_of_its_ranges_up_to_the_one_before_the_cure() {
        for (version, has) in [("3.5.25", true), ("3.5.26", false), ("3.4.45", true), ("3.6.0", false)] {
            assert_eq!(ids(Binary::Server, version).contains(&"zombie-members"), has, "{version}");
        }
        for (version, has) in
            [("3.5.34", true), ("3.5.35", false), ("3.6.14", true), ("3.6.15", false), ("3.7.2", false)]
        {
            assert_eq!(ids(Binary::Server, version).contains(&"snap-db-dir-fsync"), has, "{version}");
        }
    }

    #[test]
    fn a_vendor_build_has_what_its_upstream_has() {
        assert_eq!(ids(Binary::Server, "3.5.26-k3s1"), ids(Binary::Server, "3.5.26"));
        assert!(!ids(Binary::Server, "3.5.26-k3s1").is_empty());
    }

    #[test]
    fn a_prerelease_has_what_names_it() {
        assert!(ids(Binary::Server, "3.7.0-rc.0").contains(&"e37-raft-msg-order"));
        assert!(ids(Binary::Server, "3.6.0-rc.1").contains(&"rest-watch-crash"));
        assert!(!ids(Binary::Server, "3.6.0").contains(&"rest-watch-crash"));
    }

    #[test]
    fn tools_are_told_from_the_server() {
        assert!(ids(Binary::Etcdutl, "3.5.31").contains(&"check-v2store-gaps"));
        assert!(!ids(Binary::Server, "3.5.31").contains(&"check-v2store-gaps"));
    }

    #[test]
    fn the_newest_patches_have_nothing_critical_but_what_the_next_hop_must_clear() {
        let critical = |version: &str| -> Vec<&str> {
            let version = version.parse().unwrap();
            of_version(Binary::Server, &version).filter(|i| i.severity == Severity::Critical).map(|i| i.id).collect()
        };
        assert_eq!(critical("3.7.3"), Vec::<&str>::new());
        assert_eq!(critical("3.6.16"), ["v2-wal-blocks-37"]);
        assert_eq!(critical("3.5.35"), ["v2-content-blocks-36", "v2-wal-blocks-36"]);
    }

    #[test]
    fn every_issue_is_had_by_some_release_and_each_cure_is_named_by_its_minor() {
        for issue in all() {
            assert_eq!(by_id(issue.id), Some(issue));
            let releases = crate::etcd::releases::all();
            assert!(releases.iter().any(|release| issue.in_version(&release.version)), "{}", issue.id);
            for fixed in issue.fixed_in {
                assert_eq!(issue.fixed_in(fixed.minor()), Some(fixed), "{}: two cures in one minor", issue.id);
            }
        }
    }
}
