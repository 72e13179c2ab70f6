//! How `data/` writes versions, minors and ranges.

/// A minor: major and minor number.
pub type Minor = (u32, u32);

/// A version: three numbers, and the prerelease word, empty for a release. Orders as etcd's releases do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    pub numbers: (u32, u32, u32),
    pub pre: String,
}

impl Version {
    pub fn minor(&self) -> Minor {
        (self.numbers.0, self.numbers.1)
    }
}

/// Both ends included; no end means every later version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionRange {
    pub from: (u32, u32, u32),
    pub to: Option<(u32, u32, u32)>,
}

/// `3.6`
pub fn minor(text: &str) -> Option<Minor> {
    let (major, minor) = text.split_once('.')?;
    Some((number(major)?, number(minor)?))
}

/// `3.6` or `3.3..3.6`, both ends included: the minors in it.
pub fn minors(text: &str) -> Option<Vec<Minor>> {
    let Some((from, to)) = text.split_once("..") else { return Some(vec![minor(text)?]) };
    let (from, to) = (minor(from)?, minor(to)?);
    (from.0 == to.0 && from.1 < to.1).then(|| (from.1..=to.1).map(|m| (from.0, m)).collect())
}

/// `3.6.11` or `3.6.0-rc.1`
pub fn version(text: &str) -> Option<Version> {
    let (core, pre) = text.split_once('-').unwrap_or((text, ""));
    let pre_ok = !text.contains('-') || ["alpha.", "beta.", "rc."].iter().any(|word| pre.starts_with(word));
    pre_ok.then_some(())?;
    Some(Version { numbers: numbers(core)?, pre: pre.to_owned() })
}

/// `3.5.18..3.5.31`, `3.5.18..3.5.*` (to the end of the minor), `3.6.0..` (no end), or one version.
pub fn version_range(text: &str) -> Option<VersionRange> {
    let Some((from, to)) = text.split_once("..") else {
        let only = numbers(text)?;
        return Some(VersionRange { from: only, to: Some(only) });
    };
    let from = numbers(from)?;
    let to = match to.strip_suffix(".*") {
        _ if to.is_empty() => None,
        Some(whole) => minor(whole).map(|(major, minor)| Some((major, minor, u32::MAX)))?,
        None => Some(numbers(to)?),
    };
    to.is_none_or(|to| from <= to).then_some(VersionRange { from, to })
}

/// `3`, `6..13` (both ends included), `4..` (no end) or `newest`: first and last patch.
pub fn patches(text: &str) -> Option<(u32, u32)> {
    if text == "newest" {
        return Some((u32::MAX, u32::MAX));
    }
    let Some((from, to)) = text.split_once("..") else { return number(text).map(|only| (only, only)) };
    let (from, to) = (number(from)?, if to.is_empty() { u32::MAX } else { number(to)? });
    (from < to).then_some((from, to))
}

/// `2026-11-30`
pub fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let of = |part: &str, digits: usize| (part.len() == digits).then(|| number(part)).flatten();
    of(year, 4).is_some()
        && of(month, 2).is_some_and(|m| (1..=12).contains(&m))
        && of(day, 2).is_some_and(|d| (1..=31).contains(&d))
}

fn numbers(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split('.');
    let read = (number(parts.next()?)?, number(parts.next()?)?, number(parts.next()?)?);
    parts.next().is_none().then_some(read)
}

fn number(text: &str) -> Option<u32> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}
