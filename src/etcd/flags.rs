//! Server flags by minor: who has which, under which names, and what a leftover does.

use super::packed::Rows;
use super::tables;
use super::version::{Minor, Version};
use std::sync::LazyLock;

/// One server flag over all minors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// Name without dashes.
    pub name: &'static str,
    /// Its environment variable.
    pub env: &'static str,
    /// What replaces it in later minors: a flag name, `flag=value`, or `feature-gates=Name`.
    pub replacement: Option<&'static str>,
    /// One row a minor, ascending; a minor without a row does not have it.
    pub minors: &'static [FlagMinor],
}

/// A flag in one minor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlagMinor {
    /// The minor.
    pub minor: Minor,
    /// Key of the source.
    pub source: &'static str,
    /// What is true of it there. Minors in which nothing changed share it: half of the table is not there twice.
    pub(crate) row: &'static FlagRow,
}

impl std::ops::Deref for FlagMinor {
    type Target = FlagRow;

    fn deref(&self) -> &FlagRow {
        self.row
    }
}

/// What is true of a flag in one minor, or in several alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlagRow {
    /// First patch of the minor that has it.
    pub since_patch: u32,
    /// Key in the YAML config file; `None` when it has none.
    pub yaml_key: Option<&'static str>,
    /// First patch of the minor that reads the key.
    pub yaml_since_patch: u32,
    /// Default, as etcd prints it.
    pub default: &'static str,
    /// What the default means, where etcd prints something else (0 for 10000 and so on).
    pub effective_default: &'static str,
    /// Type: `bool`, `string`, `uint`, `duration`, `enum` and so on.
    pub kind: &'static str,
    /// Values an enum takes; empty for others.
    pub values: &'static [&'static str],
    /// Values that only later patches of the minor take, with the first that does.
    pub late_values: &'static [(&'static str, u32)],
    /// Deprecated in this minor?
    pub deprecated: bool,
    /// What replaces it and is known in this minor too: a flag name, `flag=value`, or `feature-gates=Name`.
    pub replaced_by: Option<&'static str>,
    /// Something worth knowing.
    pub note: Option<&'static str>,
}

impl Flag {
    /// Its row for a minor.
    #[must_use]
    pub fn in_minor(&self, minor: Minor) -> Option<&'static FlagMinor> {
        self.minors.iter().find(|m| m.minor == minor)
    }

    /// Does this version know it?
    #[must_use]
    pub fn in_version(&self, version: &Version) -> bool {
        self.in_minor(version.minor()).is_some_and(|m| version.patch() >= m.since_patch)
    }

    /// What replaces it in later minors.
    #[must_use]
    pub fn replaced_by(&self) -> Option<&'static str> {
        self.replacement
    }

    /// The newest minor that has it.
    #[must_use]
    pub fn last_minor(&self) -> Option<Minor> {
        self.minors.last().map(|m| m.minor)
    }

    /// The first version that has it.
    #[must_use]
    pub fn first_version(&self) -> Option<Version> {
        self.minors.first().map(|m| Version::new(m.minor.major, m.minor.minor, m.since_patch))
    }
}

/// What Go reads as a truth value.
const TRUTH: [&str; 12] = ["1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"];

/// Does this version refuse the value? A choice it does not have, or not yet; a switch that is neither true nor false.
/// What is not known of a flag is not refused.
#[must_use]
pub fn refuses(flag: &Flag, version: &Version, value: Option<&str>) -> bool {
    let (Some(row), Some(value)) = (flag.in_minor(version.minor()), value) else { return false };
    match row.kind {
        "bool" => !value.is_empty() && !TRUTH.contains(&value),
        "enum" => {
            let late = row.late_values.iter().any(|(late, since)| *late == value && version.patch() < *since);
            late || (!row.values.is_empty() && !row.values.contains(&value))
        }
        _ => false,
    }
}

/// The names of all flags, without dashes: `flags::name::ENABLE_V2`.
pub mod name {
    pub use crate::etcd::tables::flag_names::*;
}

static FLAGS: LazyLock<Vec<Flag>> = LazyLock::new(|| Rows::new(tables::FLAGS).rows(|row| Some(read(row))));

fn read(row: &mut Rows) -> Flag {
    let (name, replacement) = (row.text(), row.option());
    let mut shared: Option<&'static FlagRow> = None;
    let minors = row.rows(|row| {
        let (minor, source) = (row.minor(), row.text());
        if row.truth() {
            shared = Some(Box::leak(Box::new(read_row(row))));
        }
        shared.map(|row| FlagMinor { minor, source, row })
    });
    let env = format!("ETCD_{}", name.to_ascii_uppercase().replace(['-', '.'], "_")).leak();
    Flag { name, env, replacement, minors: minors.leak() }
}

fn read_row(row: &mut Rows) -> FlagRow {
    FlagRow {
        since_patch: row.number(),
        yaml_key: row.option(),
        yaml_since_patch: row.number(),
        default: row.text(),
        effective_default: row.text(),
        kind: row.text(),
        values: row.texts(),
        late_values: row.list(|row| (row.text(), row.number())),
        deprecated: row.truth(),
        replaced_by: row.option(),
        note: row.option(),
    }
}

/// All flags.
#[must_use]
pub fn all() -> &'static [Flag] {
    &FLAGS
}

/// The flag with this name (without dashes; `_` counts as `-`).
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Flag> {
    let same = |known: &str| {
        known.len() == name.len() && known.bytes().zip(name.bytes()).all(|(k, n)| k == n || (k == b'-' && n == b'_'))
    };
    all().iter().find(|f| same(f.name))
}

/// The flag a YAML key sets in a minor; keys compare without case, as etcd does.
#[must_use]
pub fn by_yaml_key(key: &str, minor: Minor) -> Option<&'static Flag> {
    all().iter().find(|f| f.in_minor(minor).and_then(|m| m.yaml_key).is_some_and(|k| k.eq_ignore_ascii_case(key)))
}

/// The names etcd accepts and ignores in every minor.
#[must_use]
pub fn ignored() -> &'static [&'static str] {
    tables::IGNORED_FLAGS
}

/// Is this a name etcd accepts and ignores in every minor?
#[must_use]
pub fn is_ignored(name: &str) -> bool {
    tables::IGNORED_FLAGS.contains(&name)
}
