//! Targets as the person writes them and the page keeps them.

use etcd_upgrade_planner::etcd::version::{Minor, Version};
use etcd_upgrade_planner::intent::Target;

/// A target as the person writes it: a version, a minor for its newest patch, or a platform's release.
pub fn parse(text: &str) -> Option<Target> {
    let text = text.trim();
    if text.contains(':') {
        return text.parse().ok().map(Target::Shipped);
    }
    if let Ok(version) = text.parse::<Version>() {
        return Some(Target::Version(version));
    }
    let two_numbers = text.trim_start_matches('v').split('.').count() == 2;
    if two_numbers { text.parse::<Minor>().ok().map(Target::Minor) } else { None }
}

/// A target as it is kept; `None` for the newest patch of the next minor.
pub fn text(target: &Target) -> Option<String> {
    match target {
        Target::Next => None,
        Target::Minor(minor) => Some(minor.to_string()),
        Target::Version(version) => Some(version.to_string()),
        Target::Shipped(release) => Some(release.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn targets_are_versions_or_minors() {
        assert_eq!(parse("v3.6.11"), Some(Target::Version(Version::new(3, 6, 11))));
        assert_eq!(parse(" 3.7 "), Some(Target::Minor(Minor::new(3, 7))));
        for written in ["", "3", "3.6.", "latest", "3.6.x", "3.6.1.1"] {
            assert_eq!(parse(written), None, "{written}");
        }
        for kept in ["3.6.11", "3.7", "kubeadm-stacked:1.34"] {
            assert_eq!(parse(kept).as_ref().and_then(text).as_deref(), Some(kept));
        }
    }
}
