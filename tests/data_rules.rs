//! `data/` as it is passes every check of `build/check.rs`, and each check refuses what it is there for, naming file,
//! row, what was expected and what was found.

#[path = "../build/data.rs"]
#[allow(dead_code, reason = "the build script writes the tables, here only the checks are wanted")]
mod data;

use std::collections::BTreeMap;

/// Every file of `data/`, by name.
fn files() -> BTreeMap<String, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect()
}

/// What is said when `old` becomes `new` in the first place of `file` where it stands.
fn problems(file: &str, old: &str, new: &str) -> Vec<String> {
    let mut files = files();
    let text = files.get_mut(file).unwrap();
    assert!(text.contains(old), "{file} has no {old}: the test must follow the data");
    *text = text.replacen(old, new, 1);
    data::read(&files).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

#[track_caller]
fn refused(file: &str, old: &str, new: &str, message: &str) {
    let problems = problems(file, old, new);
    assert!(problems.iter().any(|p| p == message), "wanted {message:?}, got {problems:#?}");
}

#[test]
fn the_data_as_they_are_pass() {
    assert_eq!(data::read(&files()).err(), None);
}

#[test]
fn a_row_without_source_is_refused() {
    refused(
        "releases.toml",
        r#"date = "2018-02-12", source = "release-tags""#,
        r#"date = "2018-02-12""#,
        "data/releases.toml, 3.3.1: expected a source, found nothing",
    );
    refused(
        "flags.toml",
        "name = \"data-dir\"\nsource = \"server-flags-{minor}\"",
        "name = \"data-dir\"",
        "data/flags.toml, data-dir in 3.3..3.7: expected a source, found nothing",
    );
    refused(
        "hops.toml",
        "formal_downgrade = true\nsource = \"upgrade-3.6\"",
        "formal_downgrade = true",
        "data/hops.toml, 3.5 → 3.6: expected a source, found nothing",
    );
}

#[test]
fn an_unknown_source_is_refused() {
    refused(
        "platforms.toml",
        "platform-k0s",
        "platform-k9s",
        "data/platforms.toml, k0s: expected a key of sources.toml as source, found \"platform-k9s\"",
    );
    refused(
        "feature_gates.toml",
        "name = \"AllAlpha\"\nin = \"3.6..3.7\"",
        "name = \"AllAlpha\"\nin = \"3.5..3.7\"",
        "data/feature_gates.toml, AllAlpha: expected a key of sources.toml as source, found \"feature-gates-3.5\"",
    );
}

#[test]
fn an_unknown_version_is_refused() {
    refused(
        "hops.toml",
        "version = \"3.5.32\"",
        "version = \"3.5.99\"",
        "data/hops.toml, 3.5 → 3.6: expected a version of releases.toml, found \"3.5.99\"",
    );
    refused(
        "flags.toml",
        "since = \"3.3.23\"",
        "since = \"3.3.99\"",
        "data/flags.toml, auth-token-ttl in 3.3: expected a version of releases.toml, found \"3.3.99\"",
    );
    refused(
        "properties.toml",
        "in = [\"3.5.18..3.5.*\"]",
        "in = [\"3.5.18..3.9.*\"]",
        "data/properties.toml, check-v2store: expected versions of releases.toml at both ends, found \"3.5.18..3.9.*\"",
    );
    refused(
        "releases.toml",
        "version = \"3.3.1\"",
        "version = \"3.3.1-k3s1\"",
        "data/releases.toml, 3.3.1-k3s1: expected a version such as 3.6.11 or 3.6.0-rc.1, found \"3.3.1-k3s1\"",
    );
}

#[test]
fn an_unknown_minor_is_refused() {
    refused(
        "flags.toml",
        "{ in = \"3.3..3.7\", kind = \"url-list\"",
        "{ in = \"3.3..3.8\", kind = \"url-list\"",
        "data/flags.toml, advertise-client-urls: expected minors with a release, found \"3.3..3.8\"",
    );
    refused(
        "hops.toml",
        "to = \"3.4\"",
        "to = \"3.5\"",
        "data/hops.toml, 3.3 → 3.5: expected the next minor in to, found \"3.5\"",
    );
    refused(
        "releases.toml",
        "minor = \"3.3\"",
        "minor = \"3.2\"",
        "data/releases.toml, 3.2: expected a minor with a release, found \"3.2\"",
    );
    refused(
        "releases.toml",
        "minor = \"3.3\"",
        "minor = \"3.2\"",
        "data/releases.toml, 3.3: expected a [[minor]] row for every minor with a release, found nothing",
    );
}

#[test]
fn a_duplicate_is_refused() {
    refused(
        "sources.toml",
        "key = \"release-tags\"",
        "key = \"rule-set\"",
        "data/sources.toml, rule-set: expected each key once, found \"rule-set\"",
    );
    refused(
        "releases.toml",
        "version = \"3.3.2\"",
        "version = \"3.3.1\"",
        "data/releases.toml, 3.3.1: expected each version once, found \"3.3.1\"",
    );
    refused(
        "flags.toml",
        "name = \"auth-token\"",
        "name = \"auth-token-ttl\"",
        "data/flags.toml, auth-token-ttl: expected each name once, found \"auth-token-ttl\"",
    );
    refused(
        "platforms.toml",
        "id = \"docker-run\"",
        "id = \"deb-package\"",
        "data/platforms.toml, deb-package: expected each id once, found \"deb-package\"",
    );
}

#[test]
fn overlapping_ranges_are_refused() {
    refused(
        "flags.toml",
        "{ in = \"3.5..3.7\", kind = \"uint\", default = \"300\"",
        "{ in = \"3.4..3.7\", kind = \"uint\", default = \"300\"",
        "data/flags.toml, auth-token-ttl: expected ranges that do not overlap, found \"3.4..3.7\"",
    );
    refused(
        "properties.toml",
        "\"3.4.27..3.4.*\", \"3.5.10..\"",
        "\"3.4.27..3.5.10\", \"3.5.10..\"",
        "data/properties.toml, restore-bump-revision: expected ascending ranges that do not overlap, found \"3.5.10..\"",
    );
    refused(
        "properties.toml",
        "3.3.0..3.5.*",
        "3.5.0..3.3.*",
        "data/properties.toml, etcdctl-snapshot-offline: expected a version range such as 3.5.18..3.5.31, found \"3.5.0..3.3.*\"",
    );
}

#[test]
fn an_empty_text_is_refused() {
    refused(
        "sources.toml",
        "holds_for = \"3.4\"",
        "holds_for = \" \"",
        "data/sources.toml, blog-june-2026: expected a text in holds_for, found nothing",
    );
    refused(
        "flags.toml",
        "note = \"An empty value is accepted.\"",
        "note = \"\"",
        "data/flags.toml, auto-compaction-mode in 3.3..3.5: expected a text in note, found nothing",
    );
    refused(
        "hops.toml",
        "cures = \"a leader",
        "cures = \"\" # a leader",
        "data/hops.toml, 3.4 → 3.5: expected a text in cures, found nothing",
    );
}

#[test]
fn a_reference_to_nothing_is_refused() {
    refused(
        "flags.toml",
        "replaced_by = \"bootstrap-defrag-threshold-megabytes\"",
        "replaced_by = \"bootstrap-defrag\"",
        "data/flags.toml, experimental-bootstrap-defrag-threshold-megabytes: expected replaced_by to be another flag, \
         flag=value or feature-gates=Name, found \"bootstrap-defrag\"",
    );
    refused(
        "flags.toml",
        "feature-gates=CompactHashCheck",
        "feature-gates=CompactHash",
        "data/flags.toml, experimental-compact-hash-check-enabled: expected replaced_by to be another flag, flag=value \
         or feature-gates=Name, found \"feature-gates=CompactHash\"",
    );
    refused(
        "feature_gates.toml",
        "needs = \"LeaseCheckpoint\"",
        "needs = \"Lease\"",
        "data/feature_gates.toml, LeaseCheckpointPersist: expected a gate of this file in needs, found \"Lease\"",
    );
}

#[test]
fn a_word_a_field_does_not_know_is_refused() {
    refused(
        "platforms.toml",
        "mode = \"native-only\"",
        "mode = \"natively\"",
        "data/platforms.toml, k3s-embedded: expected mode to be one of plan, plan-native, native-only, refuse, found \
         \"natively\"",
    );
    refused(
        "ruleset.toml",
        "date = \"2026-11-30\"",
        "date = \"30.11.2026\"",
        "data/ruleset.toml, date: expected a date such as 2026-11-30, found \"30.11.2026\"",
    );
}

#[test]
fn a_log_message_that_never_gets_its_turn_is_refused() {
    refused(
        "log_messages.toml",
        "pieces = [\"illegal v2store content\"]",
        "pieces = [\"detected disallowed custom content in v2store for\"]",
        "data/log_messages.toml, v2-content-illegal: expected a message that no row above already fits, found \
         \"detected disallowed custom content in v2store for\"",
    );
}

#[test]
fn a_cure_that_still_has_the_defect_is_refused() {
    refused(
        "known_issues.toml",
        "in = [\"3.5.0..3.5.2\"]",
        "in = [\"3.5.0..3.5.4\"]",
        "data/known_issues.toml, e35-data-inconsistency: expected fixed_in outside of the ranges, found \"3.5.4\"",
    );
}

#[test]
fn a_platform_release_with_two_etcds_is_refused() {
    refused(
        "platform_releases.toml",
        "release = \"1.34\", patches = \"2..10\"",
        "release = \"1.34\", patches = \"1..10\"",
        "data/platform_releases.toml, kubeadm-stacked 1.34: expected ascending patches that do not overlap, found \
         \"1..10\"",
    );
}

#[test]
fn floors_out_of_order_are_refused() {
    refused(
        "hops.toml",
        "version = \"3.5.26\"",
        "version = \"3.5.33\"",
        "data/hops.toml, 3.5 → 3.6: expected technical ≤ required ≤ advised, found \"3.5.33, 3.5.32, 3.5.35\"",
    );
    refused(
        "hops.toml",
        "version = \"3.6.11\"",
        "version = \"3.5.32\"",
        "data/hops.toml, 3.6 → 3.7: expected a floor of the minor the hop leaves, found \"3.5.32\"",
    );
}

#[test]
fn a_field_nobody_reads_and_a_file_nobody_reads_are_refused() {
    let said = problems("ruleset.toml", "version =", "verzion =");
    assert!(
        said[0].starts_with("data/ruleset.toml, line 2: expected a row as its head says, found unknown field"),
        "{said:?}"
    );
    let mut files = files();
    files.insert("release.toml".into(), String::new());
    let said = data::read(&files).err().unwrap_or_default();
    assert_eq!(said.len(), 1);
    assert!(said[0].to_string().ends_with("sources.toml, found release.toml"), "{said:?}");
}

#[test]
fn a_missing_file_is_told() {
    let mut files = files();
    files.remove("hops.toml");
    let said: Vec<String> = data::read(&files).err().unwrap_or_default().iter().map(ToString::to_string).collect();
    assert_eq!(said, ["data/hops.toml, file: expected the file, found none"]);
}
