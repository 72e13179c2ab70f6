//! Writes the const tables. The rows are checked by then.

use super::Data;
use super::check::of_minor;
use super::notation::{self, Minor};
use super::rows::{self, Floor};
use std::fmt::Write as _;

/// The whole of `tables.rs`.
pub fn tables(data: &Data) -> String {
    let mut out = String::from("use crate::etcd::{self, version::{Minor, Version}};\n");
    let _ = writeln!(out, "pub const RULESET_VERSION: &str = {:?};", data.ruleset.version);
    let _ = writeln!(out, "pub const RULESET_DATE: &str = {:?};", data.ruleset.date);
    let (major, minor) = notation::version(&data.ruleset.example).map_or((0, 0), |v| v.minor());
    let _ = writeln!(out, "pub const A_MINOR: &str = \"a minor such as {major}.{minor}\";");
    let _ = writeln!(out, "pub const A_VERSION: &str = \"a version such as {}\";", data.ruleset.example);
    releases(&mut out, &data.releases);
    list(&mut out, "HOPS: &[etcd::hops::HopRules]", data.hops.hop.iter().map(hop));
    list(&mut out, "FLAGS: &[etcd::flags::Flag]", data.flags.flag.iter().map(|flag| self::flag(data, flag)));
    list(&mut out, "IGNORED_FLAGS: &[&str]", data.flags.ignored.names.iter().map(|name| format!("{name:?}")));
    list(
        &mut out,
        "FEATURE_GATES: &[etcd::feature_gates::FeatureGate]",
        data.feature_gates.gate.iter().map(feature_gate),
    );
    list(&mut out, "PLATFORMS: &[etcd::platforms::Platform]", data.platforms.platform.iter().map(platform));
    list(
        &mut out,
        "LOG_MESSAGES: &[etcd::log_messages::LogMessage]",
        data.log_messages.message.iter().map(log_message),
    );
    list(&mut out, "GUIDES: &[etcd::hops::Guide]", data.hops.guide.iter().map(guide));
    list(&mut out, "KNOWN_ISSUES: &[etcd::known_issues::KnownIssue]", data.known_issues.issue.iter().map(known_issue));
    list(&mut out, "SHIPPED: &[etcd::platforms::Shipped]", data.platform_releases.platform.iter().map(shipped));
    list(&mut out, "SOURCES: &[etcd::sources::Source]", data.sources.source.iter().map(source));
    names(&mut out, data);
    out
}

fn list(out: &mut String, head: &str, rows: impl Iterator<Item = String>) {
    let _ = writeln!(out, "pub static {head} = &[");
    for row in rows {
        let _ = writeln!(out, "{row},");
    }
    out.push_str("];\n");
}

fn minor_code((major, minor): Minor) -> String {
    format!("Minor::new({major}, {minor})")
}

fn version_code(text: &str) -> String {
    let (major, minor, patch) = notation::version(text).map_or((0, 0, 0), |v| v.numbers);
    format!("Version::new({major}, {minor}, {patch})")
}

fn option(value: Option<String>) -> String {
    value.map_or_else(|| "None".to_owned(), |value| format!("Some({value})"))
}

fn text(value: Option<&String>) -> String {
    option(value.map(|text| format!("{text:?}")))
}

/// An id as a constant's name: `experimental-x` → `EXPERIMENTAL_X`.
fn constant(id: &str) -> String {
    id.to_uppercase().replace(['-', '.'], "_")
}

fn releases(out: &mut String, releases: &rows::Releases) {
    let mut rows: Vec<_> = releases.release.iter().collect();
    rows.sort_by_key(|r| notation::version(&r.version).map(|v| (v.numbers, v.pre.is_empty(), pre_order(&v.pre))));
    list(
        out,
        "RELEASES: &[etcd::releases::Row]",
        rows.into_iter().map(|r| {
            let bad = option(
                r.known_bad.as_ref().map(|why| format!("({why:?}, {:?})", r.known_bad_source.as_deref().unwrap_or(""))),
            );
            format!("({:?}, {:?}, {bad}, {:?})", r.version, r.date, r.source)
        }),
    );
    list(
        out,
        "SUPPORT: &[etcd::releases::Support]",
        releases.minor.iter().map(|m| {
            format!(
                "etcd::releases::Support {{ minor: {}, ended: {}, until: {}, words: {:?}, source: {:?} }}",
                minor_code(notation::minor(&m.minor).unwrap_or_default()),
                m.support == "ended",
                text(m.until.as_ref()),
                m.words,
                m.source
            )
        }),
    );
}

/// `rc.10` stands above `rc.9`.
fn pre_order(pre: &str) -> (String, u32) {
    let (word, number) = pre.split_once('.').unwrap_or((pre, "0"));
    (word.to_owned(), number.parse().unwrap_or(0))
}

fn hop(hop: &rows::Hop) -> String {
    let floor = |floor: &Option<Floor>| {
        option(floor.as_ref().map(|f| {
            format!(
                "etcd::hops::Floor {{ version: {}, cures: {:?}, source: {:?} }}",
                version_code(&f.version),
                f.cures,
                f.source
            )
        }))
    };
    format!(
        "etcd::hops::HopRules {{ from: {}, to: {}, required: {}, technical: {}, advised: {}, checks_v2_store: {}, \
         needs_disk_snapshot: {}, auth_rolling_unsupported: {}, formal_downgrade: {}, v2_check_with_wal: {}, \
         source: {:?} }}",
        minor_code(notation::minor(&hop.from).unwrap_or_default()),
        minor_code(notation::minor(&hop.to).unwrap_or_default()),
        floor(&hop.required),
        floor(&hop.technical),
        floor(&hop.advised),
        hop.checks_v2_store,
        hop.needs_disk_snapshot,
        hop.auth_rolling_unsupported,
        hop.formal_downgrade,
        option(hop.v2_check_with_wal.as_deref().map(version_code)),
        hop.source
    )
}

fn flag(data: &Data, flag: &rows::Flag) -> String {
    let mut minors: Vec<(Minor, &rows::FlagRow)> = flag
        .rows
        .iter()
        .flat_map(|row| notation::minors(&row.minors).unwrap_or_default().into_iter().map(move |minor| (minor, row)))
        .collect();
    minors.sort_by_key(|(minor, _)| *minor);
    let rows: Vec<String> = minors.into_iter().map(|(minor, row)| flag_minor(data, flag, minor, row)).collect();
    format!(
        "etcd::flags::Flag {{ name: {:?}, env: {:?}, replacement: {}, minors: &[{}] }}",
        flag.name,
        format!("ETCD_{}", constant(&flag.name)),
        text(flag.replaced_by.as_ref()),
        rows.join(", ")
    )
}

fn flag_minor(data: &Data, flag: &rows::Flag, minor: Minor, row: &rows::FlagRow) -> String {
    let patch = |version: Option<&String>| version.and_then(|v| notation::version(v)).map_or(0, |v| v.numbers.2);
    let yaml = (!row.no_yaml_key).then(|| row.yaml.clone().unwrap_or_else(|| flag.name.clone()));
    let late: Vec<String> =
        row.late_values.iter().map(|(value, since)| format!("({value:?}, {})", patch(Some(since)))).collect();
    let replaced_by = flag.replaced_by.as_ref().filter(|by| replacement_exists(data, by, minor));
    format!(
        "etcd::flags::FlagMinor {{ minor: {}, source: {:?}, row: &etcd::flags::FlagRow {{ since_patch: {}, yaml_key: {}, \
         yaml_since_patch: {}, default: {:?}, effective_default: {:?}, kind: {:?}, values: &{:?}, late_values: &[{}], \
         deprecated: {}, replaced_by: {}, note: {} }} }}",
        minor_code(minor),
        of_minor(&flag.source, minor),
        patch(row.since.as_ref()),
        text(yaml.as_ref()),
        patch(row.yaml_since.as_ref()),
        row.default,
        row.effective_default.as_ref().unwrap_or(&row.default),
        row.kind,
        row.values,
        late.join(", "),
        row.deprecated,
        text(replaced_by),
        text(row.note.as_ref())
    )
}

/// Does the minor already know what replaces a flag?
fn replacement_exists(data: &Data, by: &str, minor: Minor) -> bool {
    let name = by.split_once('=').map_or(by, |(name, _)| name);
    let rows = data.flags.flag.iter().filter(|f| f.name == name).flat_map(|f| &f.rows);
    rows.filter_map(|row| notation::minors(&row.minors)).any(|minors| minors.contains(&minor))
}

fn feature_gate(gate: &rows::FeatureGate) -> String {
    let minors: Vec<String> = notation::minors(&gate.minors)
        .unwrap_or_default()
        .into_iter()
        .map(|minor| format!("({}, {:?})", minor_code(minor), of_minor(&gate.source, minor)))
        .collect();
    format!(
        "etcd::feature_gates::FeatureGate {{ name: {:?}, minors: &[{}], default: {}, alpha: {}, group: {}, \
         from_flag: {}, needs: {} }}",
        gate.name,
        minors.join(", "),
        gate.default,
        gate.stage == "alpha",
        gate.group,
        text(gate.from_flag.as_ref()),
        text(gate.needs.as_ref())
    )
}

fn platform(platform: &rows::Platform) -> String {
    let (mode, runner) = (variant(&platform.mode), variant(&platform.runner));
    format!(
        "etcd::platforms::Platform {{ id: {:?}, name: {:?}, mode: etcd::platforms::PlannerMode::{mode}, \
         runner: etcd::platforms::Runner::{runner}, cacert: {}, cert: {}, key: {}, etcdctl: {}, flags_in: {}, \
         step: {:?}, step_commands: &{:?}, restart: &{:?}, source: {:?} }}",
        platform.id,
        platform.name,
        text(platform.cacert.as_ref()),
        text(platform.cert.as_ref()),
        text(platform.key.as_ref()),
        text(platform.etcdctl.as_ref()),
        text(platform.flags_in.as_ref()),
        platform.step,
        platform.step_commands,
        platform.restart,
        platform.source
    )
}

fn shipped(platform: &rows::Shipped) -> String {
    let row = |row: &rows::ShippedRow| {
        let (release, patches) = (notation::minor(&row.release)?, notation::patches(&row.patches)?);
        let etcd = version_code(&row.etcd);
        Some(format!("etcd::platforms::ShippedRow {{ release: {release:?}, patches: {patches:?}, etcd: {etcd} }}"))
    };
    let rows: Vec<String> = platform.rows.iter().filter_map(row).collect();
    format!(
        "etcd::platforms::Shipped {{ platform: {:?}, seen_until: {:?}, rows: &[{}], source: {:?} }}",
        platform.id,
        platform.seen_until,
        rows.join(", "),
        platform.source
    )
}

fn guide(guide: &rows::Guide) -> String {
    format!(
        "etcd::hops::Guide {{ gate: {:?}, guide: {:?}, says: {:?}, source: {:?} }}",
        guide.gate, guide.guide, guide.says, guide.source
    )
}

fn known_issue(issue: &rows::KnownIssue) -> String {
    let minors: Vec<String> = issue.hops_to.iter().filter_map(|m| notation::minor(m)).map(minor_code).collect();
    let fixed: Vec<String> = issue.fixed_in.iter().map(|v| version_code(v)).collect();
    let topics: Vec<String> =
        issue.topics.iter().map(|topic| format!("etcd::known_issues::Topic::{}", variant(topic))).collect();
    format!(
        "etcd::known_issues::KnownIssue {{ id: {:?}, ranges: &[{}], prereleases: &{:?}, \
         on: etcd::known_issues::Binary::{}, fixed_in: &[{}], severity: etcd::known_issues::Severity::{}, \
         hops_to: &[{}], topics: &[{}], title: {:?}, remedy: {:?}, sign: {}, gate: {}, source: {:?} }}",
        issue.id,
        ranges(&issue.ranges),
        issue.prereleases,
        variant(issue.on.as_deref().unwrap_or("server")),
        fixed.join(", "),
        variant(&issue.severity),
        minors.join(", "),
        topics.join(", "),
        issue.title,
        issue.remedy,
        text(issue.sign.as_ref()),
        text(issue.gate.as_ref()),
        issue.source
    )
}

/// A word as a variant's name: `grpc-proxy` → `GrpcProxy`.
fn variant(word: &str) -> String {
    let mut name = String::new();
    for part in word.split('-') {
        let mut letters = part.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

fn ranges(texts: &[String]) -> String {
    let ranges: Vec<String> = texts
        .iter()
        .filter_map(|text| notation::version_range(text))
        .map(|range| format!("etcd::features::VersionRange {{ from: {:?}, to: {:?} }}", range.from, range.to))
        .collect();
    ranges.join(", ")
}

fn log_message(message: &rows::LogMessage) -> String {
    let effect = variant(&message.effect);
    format!(
        "etcd::log_messages::LogMessage {{ id: {:?}, pieces: &{:?}, effect: etcd::log_messages::Effect::{effect}, \
         meaning: {:?}, gate: {}, source: {:?} }}",
        message.id,
        message.pieces,
        message.meaning,
        text(message.gate.as_ref()),
        message.source
    )
}

fn source(source: &rows::Source) -> String {
    format!(
        "etcd::sources::Source {{ key: {:?}, title: {:?}, url: {}, holds_for: {:?} }}",
        source.key,
        source.title,
        text(source.url.as_ref()),
        source.holds_for
    )
}

/// The constants by which code speaks of flags, features, numbers and sources.
fn names(out: &mut String, data: &Data) {
    out.push_str("pub mod flag_names {\n");
    for flag in &data.flags.flag {
        let _ = writeln!(out, "/// `--{0}`\npub const {1}: &str = {0:?};", flag.name, constant(&flag.name));
    }
    out.push_str("}\npub mod source_keys {\n");
    for source in &data.sources.source {
        let _ = writeln!(out, "/// {}\npub const {}: &str = {:?};", source.title, constant(&source.key), source.key);
    }
    out.push_str("}\npub mod features {\nuse crate::etcd::{self, features::Feature};\n");
    for feature in &data.properties.feature {
        let _ = writeln!(
            out,
            "/// {1}\npub const {0}: Feature = Feature {{ id: {2:?}, what: {1:?}, ranges: &[{3}], source: {4:?} }};",
            constant(&feature.id),
            feature.what,
            feature.id,
            ranges(&feature.ranges),
            feature.source
        );
    }
    let all: Vec<String> = data.properties.feature.iter().map(|f| format!("&{}", constant(&f.id))).collect();
    let _ = writeln!(out, "/// Every feature.\npub static ALL: &[&Feature] = &[{}];", all.join(", "));
    out.push_str("}\npub mod numbers {\nuse crate::etcd::{numbers::Number, version::Minor};\n");
    for number in &data.properties.number {
        let mut rows = Vec::new();
        for row in &number.rows {
            for minor in notation::minors(&row.minors).unwrap_or_default() {
                rows.push(format!("({}, {})", minor_code(minor), row.value));
            }
        }
        let _ = writeln!(
            out,
            "/// {1}\npub const {0}: Number = Number {{ id: {2:?}, what: {1:?}, minors: &[{3}], source: {4:?} }};",
            constant(&number.id),
            number.what,
            number.id,
            rows.join(", "),
            number.source
        );
    }
    let all: Vec<String> = data.properties.number.iter().map(|n| format!("&{}", constant(&n.id))).collect();
    let _ = writeln!(out, "/// Every figure.\npub static ALL: &[&Number] = &[{}];\n}}", all.join(", "));
}
