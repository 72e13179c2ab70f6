//! Does a member run a build that no release stands behind?
//!
//! # Asks
//! Whether a version carries what a vendor added, and whether that says that it was built from source between two
//! releases.
//!
//! # Blocks when
//! Never. A build from source (`+git`) warns: its number does not say what is in it. The suffix of an image or
//! distribution passes with a note.
//!
//! # Why
//! The floors and defects of these rules are those of releases. A build between two releases has the number of the one
//! before and any part of the next.
//!
//! # Remedy
//! Replace it by the release before the hop, or find out yourself what it holds.
//!
//! # Sources
//! - release-tags: the releases there are.

use super::question::Question;
use super::{Asked, FOR_UPGRADE_AND_HEALTH, Finding, Gate, Group, Need, sight};
use crate::etcd::sources::key;
use crate::etcd::version::Version;

/// The gate.
pub static GATE: Gate = Gate {
    id: "vendor-build",
    group: Group::Release,
    sources: &[key::RELEASE_TAGS],
    asked: Asked::Now,
    intents: FOR_UPGRADE_AND_HEALTH,
    need: |_| Need::OnSight,
    check,
};

/// What a build from source calls itself.
const FROM_SOURCE: [&str; 3] = ["git", "dev", "dirty"];

fn check(q: &Question<'_>) -> Vec<Finding> {
    let from_source = |v: &Version| v.vendor().is_some_and(|vendor| FROM_SOURCE.iter().any(|w| vendor.contains(w)));
    let built = sight::versions_that(q, &from_source);
    if !built.is_empty() {
        let statement =
            format!("{}: a build from source, whose number does not say its patch.", sight::who_runs(q, &built));
        let remedy = "Bring these members to the newest release of their minor first, or find out yourself what the build \
                      holds: floors and defects are known of releases only.";
        let finding = Finding::warning(statement, sight::grounds_with(&built), remedy);
        return vec![finding.about(&sight::members_with(&built))];
    }
    let passed = sight::passed_on_versions(q, "No member runs a build from source.");
    let marked = sight::versions_that(q, &|v| v.vendor().is_some());
    let Some(first) = marked.first() else { return passed };
    let (version, upstream) = (first.version, first.version.upstream());
    let note = format!("{version} stands for {upstream}: what its vendor added is not known here.");
    passed.into_iter().map(|finding| finding.with_note(note.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::three_members;
    use crate::gates::Outcome;
    use crate::gates::testing::{only, outcomes};

    #[test]
    fn a_build_from_source_warns_and_an_image_suffix_is_a_note() {
        assert_eq!(outcomes(&GATE, &three_members("3.4.18+git"), "3.5", &[]), [Outcome::Warning]);
        let image = only(&GATE, &three_members("3.5.32-k3s1"), "3.6", &[]);
        assert_eq!(image.outcome, Outcome::Passed);
        assert!(image.note.is_some());
        assert_eq!(only(&GATE, &three_members("3.5.32"), "3.6", &[]).note, None);
    }
}
