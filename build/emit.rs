//! Writes the const tables: short ones, and the names by which code speaks of rows. The rows are checked by then.

use super::Data;
use super::check::of_minor;
use super::notation::{self, Minor};
use super::packed;
use super::rows::{self, Floor};
use std::fmt::Write as _;
use std::ops::Range;

/// The whole of `tables.rs`.
pub fn tables(data: &Data, packed: &packed::Files) -> String {
    let mut out = String::from("use crate::etcd::{self, version::{Minor, Version}};\n");
    let _ = writeln!(out, "pub const RULESET_VERSION: &str = {:?};", data.ruleset.version);
    let _ = writeln!(out, "pub const RULESET_DATE: &str = {:?};", data.ruleset.date);
    let (major, minor) = notation::version(&data.ruleset.example).map_or((0, 0), |v| v.minor());
    let _ = writeln!(out, "pub const A_MINOR: &str = \"a minor such as {major}.{minor}\";");
    let _ = writeln!(out, "pub const A_VERSION: &str = \"a version such as {}\";", data.ruleset.example);
    support(&mut out, &data.releases);
    list(&mut out, "HOPS: &[etcd::hops::HopRules]", data.hops.hop.iter().map(hop));
    list(&mut out, "IGNORED_FLAGS: &[&str]", data.flags.ignored.names.iter().map(|name| format!("{name:?}")));
    list(
        &mut out,
        "FEATURE_GATES: &[etcd::feature_gates::FeatureGate]",
        data.feature_gates.gate.iter().map(feature_gate),
    );
    for (name, _) in &packed.first {
        let _ = writeln!(
            out,
            "pub const {}: &str = include_str!(concat!(env!(\"OUT_DIR\"), \"/{name}.packed\"));",
            constant(name)
        );
    }
    for (name, Range { start, end }) in &packed.ranges {
        let _ = writeln!(out, "pub const {name}: (usize, usize) = ({start}, {end});");
    }
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

fn support(out: &mut String, releases: &rows::Releases) {
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
pub fn pre_order(pre: &str) -> (String, u32) {
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

/// Does the minor already know what replaces a flag?
pub fn replacement_exists(data: &Data, by: &str, minor: Minor) -> bool {
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

fn ranges(texts: &[String]) -> String {
    let ranges: Vec<String> = texts
        .iter()
        .filter_map(|text| notation::version_range(text))
        .map(|range| format!("etcd::features::VersionRange {{ from: {:?}, to: {:?} }}", range.from, range.to))
        .collect();
    ranges.join(", ")
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
