//! The rows of `data/`, as they are written. The head of each file says what its fields mean.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruleset {
    pub version: String,
    pub date: String,
    pub example: String,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Releases {
    pub release: Vec<Release>,
    pub minor: Vec<MinorSupport>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    pub version: String,
    pub date: String,
    #[serde(default)]
    pub source: String,
    pub known_bad: Option<String>,
    pub known_bad_source: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinorSupport {
    pub minor: String,
    pub support: String,
    pub until: Option<String>,
    pub words: String,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hops {
    pub hop: Vec<Hop>,
    #[serde(default)]
    pub guide: Vec<Guide>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hop {
    pub from: String,
    pub to: String,
    pub required: Option<Floor>,
    pub technical: Option<Floor>,
    pub advised: Option<Floor>,
    #[serde(default)]
    pub checks_v2_store: bool,
    #[serde(default)]
    pub needs_disk_snapshot: bool,
    #[serde(default)]
    pub auth_rolling_unsupported: bool,
    #[serde(default)]
    pub formal_downgrade: bool,
    pub v2_check_with_wal: Option<String>,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floor {
    pub version: String,
    pub cures: String,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flags {
    pub ignored: Ignored,
    pub flag: Vec<Flag>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ignored {
    pub names: Vec<String>,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flag {
    pub name: String,
    pub replaced_by: Option<String>,
    #[serde(default)]
    pub source: String,
    pub rows: Vec<FlagRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlagRow {
    #[serde(rename = "in")]
    pub minors: String,
    pub kind: String,
    pub default: String,
    pub effective_default: Option<String>,
    pub since: Option<String>,
    pub yaml: Option<String>,
    #[serde(default)]
    pub no_yaml_key: bool,
    pub yaml_since: Option<String>,
    #[serde(default)]
    pub values: Vec<String>,
    #[serde(default)]
    pub late_values: BTreeMap<String, String>,
    #[serde(default)]
    pub deprecated: bool,
    pub note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureGates {
    pub gate: Vec<FeatureGate>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureGate {
    pub name: String,
    #[serde(rename = "in")]
    pub minors: String,
    pub default: bool,
    pub stage: String,
    #[serde(default)]
    pub group: bool,
    pub from_flag: Option<String>,
    pub needs: Option<String>,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Platforms {
    pub platform: Vec<Platform>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Platform {
    pub id: String,
    pub name: String,
    pub mode: String,
    pub runner: String,
    pub cacert: Option<String>,
    pub cert: Option<String>,
    pub key: Option<String>,
    pub etcdctl: Option<String>,
    pub flags_in: Option<String>,
    #[serde(default)]
    pub signs: Vec<String>,
    pub data_dir: Option<String>,
    pub show_flags: Option<String>,
    #[serde(default)]
    pub snapshot: Vec<String>,
    pub step: String,
    #[serde(default)]
    pub step_commands: Vec<String>,
    #[serde(default)]
    pub restart: Vec<String>,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pitfalls {
    pub pitfall: Vec<Pitfall>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pitfall {
    pub id: String,
    pub platform: String,
    #[serde(default)]
    pub hops_to: Vec<String>,
    pub below: Option<String>,
    #[serde(default)]
    pub intents: Vec<String>,
    pub weight: Option<String>,
    pub says: String,
    #[serde(rename = "do")]
    pub todo: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlatformReleases {
    pub platform: Vec<Shipped>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shipped {
    pub id: String,
    pub seen_until: String,
    #[serde(default)]
    pub source: String,
    pub rows: Vec<ShippedRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShippedRow {
    pub release: String,
    pub patches: String,
    pub etcd: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Properties {
    pub feature: Vec<Feature>,
    pub number: Vec<Number>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    pub id: String,
    pub what: String,
    #[serde(rename = "in")]
    pub ranges: Vec<String>,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Number {
    pub id: String,
    pub what: String,
    pub rows: Vec<NumberRow>,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberRow {
    #[serde(rename = "in")]
    pub minors: String,
    pub value: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogMessages {
    pub message: Vec<LogMessage>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogMessage {
    pub id: String,
    pub pieces: Vec<String>,
    pub effect: String,
    pub meaning: String,
    pub gate: Option<String>,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guide {
    pub gate: String,
    pub guide: String,
    pub says: String,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownIssues {
    pub issue: Vec<KnownIssue>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownIssue {
    pub id: String,
    #[serde(rename = "in", default)]
    pub ranges: Vec<String>,
    #[serde(default)]
    pub prereleases: Vec<String>,
    pub on: Option<String>,
    #[serde(default)]
    pub fixed_in: Vec<String>,
    pub severity: String,
    #[serde(default)]
    pub hops_to: Vec<String>,
    #[serde(default)]
    pub topics: Vec<String>,
    pub title: String,
    pub remedy: String,
    pub sign: Option<String>,
    pub gate: Option<String>,
    #[serde(default)]
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sources {
    pub source: Vec<Source>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub key: String,
    pub title: String,
    pub url: Option<String>,
    pub holds_for: String,
}
