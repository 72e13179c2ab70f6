//! Writes the long tables as packed text: one file each for what the first verdict needs and for what it does not.
//!
//! A const table of texts costs eight bytes of address and length a text, which compress badly. Packed, each field ends
//! with [`END`], a list starts with its length, and a table is a list of rows; `src/etcd/packed.rs` reads them in the
//! order in which they are written here.

use super::Data;
use super::check::of_minor;
use super::emit::{pre_order, replacement_exists};
use super::notation::{self, Minor};
use super::rows;
use std::fmt::Write as _;
use std::ops::Range;

/// Ends each field. No text holds it.
const END: char = '\u{1f}';

/// What the second part starts with; the length of the rest in bytes follows as u32, the least byte first.
const MAGIC: &str = "etcd-upgrade-planner/second-part";

/// Rows as text.
#[derive(Default)]
pub struct Packed(String);

impl Packed {
    /// A text. It must not hold [`END`].
    pub fn text(&mut self, text: &str) {
        assert!(!text.contains(END), "a text holds the sign that ends a field: {text:?}");
        self.0.push_str(text);
        self.0.push(END);
    }

    /// A text that may be missing. None and an empty one are written alike.
    fn option(&mut self, text: Option<&String>) {
        self.text(text.map_or("", String::as_str));
    }

    fn number(&mut self, number: u32) {
        let _ = write!(self.0, "{number}{END}");
    }

    /// A list: its length and its items.
    pub fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        self.number(u32::try_from(items.len()).unwrap_or(u32::MAX));
        for one in items {
            item(self, one);
        }
    }

    fn texts(&mut self, texts: &[String]) {
        self.list(texts, |out, text| out.text(text));
    }

    fn minor(&mut self, (major, minor): Minor) {
        self.number(major);
        self.number(minor);
    }

    /// Three numbers of a version.
    fn numbers(&mut self, (major, minor, patch): (u32, u32, u32)) {
        self.minor((major, minor));
        self.number(patch);
    }

    fn version(&mut self, text: &str) {
        self.numbers(notation::version(text).map_or((0, 0, 0), |v| v.numbers));
    }
}

/// The files, and where in the second the tables lie.
pub struct Files {
    /// Name and text of each packed file of the first load.
    pub first: Vec<(&'static str, String)>,
    /// The second part, with its head.
    pub second: Vec<u8>,
    /// Name of each table in the second part, and its bytes there.
    pub ranges: Vec<(&'static str, Range<usize>)>,
}

/// Packs all tables; `catalogue` is that of the gates.
pub fn files(data: &Data, catalogue: Packed) -> Files {
    let table = |write: &dyn Fn(&mut Packed)| {
        let mut out = Packed::default();
        write(&mut out);
        out.0
    };
    let first = vec![
        ("releases", table(&|out| releases(out, &data.releases))),
        ("flags", table(&|out| out.list(&data.flags.flag, |out, row| flag(out, data, row)))),
        // The page offers both as it comes up, and holds kept answers and targets against them.
        ("platforms", table(&|out| out.list(&data.platforms.platform, platform))),
        ("shipped", table(&|out| out.list(&data.platform_releases.platform, shipped))),
    ];
    let tables = [
        ("PITFALLS", table(&|out| out.list(&data.pitfalls.pitfall, pitfall))),
        ("LOG_MESSAGES", table(&|out| out.list(&data.log_messages.message, log_message))),
        ("GUIDES", table(&|out| out.list(&data.hops.guide, guide))),
        ("KNOWN_ISSUES", table(&|out| out.list(&data.known_issues.issue, known_issue))),
        ("SOURCES", table(&|out| out.list(&data.sources.source, source))),
        ("CATALOGUE", catalogue.0),
    ];
    let mut second = MAGIC.as_bytes().to_vec();
    let length = tables.iter().map(|(_, text)| text.len()).sum::<usize>();
    second.extend(u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
    let mut ranges = Vec::new();
    for (name, text) in tables {
        let start = second.len();
        second.extend(text.bytes());
        ranges.push((name, start..second.len()));
    }
    Files { first, second, ranges }
}

fn releases(out: &mut Packed, releases: &rows::Releases) {
    let mut rows: Vec<_> = releases.release.iter().collect();
    rows.sort_by_key(|r| notation::version(&r.version).map(|v| (v.numbers, v.pre.is_empty(), pre_order(&v.pre))));
    out.list(&rows, |out, row| {
        out.text(&row.version);
        out.text(&row.date);
        out.option(row.known_bad.as_ref());
        out.option(row.known_bad_source.as_ref());
        out.text(&row.source);
    });
}

fn flag(out: &mut Packed, data: &Data, flag: &rows::Flag) {
    out.text(&flag.name);
    out.option(flag.replaced_by.as_ref());
    let mut minors: Vec<(Minor, &rows::FlagRow)> = flag
        .rows
        .iter()
        .flat_map(|row| notation::minors(&row.minors).unwrap_or_default().into_iter().map(move |minor| (minor, row)))
        .collect();
    minors.sort_by_key(|(minor, _)| *minor);
    let mut before = String::new();
    out.list(&minors, |out, (minor, row)| {
        out.minor(*minor);
        out.text(&of_minor(&flag.source, *minor));
        let mut packed = Packed::default();
        flag_row(&mut packed, data, flag, *minor, row);
        // Most minors change nothing: their rows are shared.
        let changed = packed.0 != before;
        out.number(u32::from(changed));
        if changed {
            out.0.push_str(&packed.0);
            before = packed.0;
        }
    });
}

fn flag_row(out: &mut Packed, data: &Data, flag: &rows::Flag, minor: Minor, row: &rows::FlagRow) {
    let patch = |version: Option<&String>| version.and_then(|v| notation::version(v)).map_or(0, |v| v.numbers.2);
    out.number(patch(row.since.as_ref()));
    out.text(if row.no_yaml_key { "" } else { row.yaml.as_ref().unwrap_or(&flag.name) });
    out.number(patch(row.yaml_since.as_ref()));
    out.text(&row.default);
    out.text(row.effective_default.as_ref().unwrap_or(&row.default));
    out.text(&row.kind);
    out.texts(&row.values);
    let late: Vec<_> = row.late_values.iter().collect();
    out.list(&late, |out, (value, since)| {
        out.text(value);
        out.number(patch(Some(since)));
    });
    out.number(u32::from(row.deprecated));
    out.option(flag.replaced_by.as_ref().filter(|by| replacement_exists(data, by, minor)));
    out.option(row.note.as_ref());
}

fn platform(out: &mut Packed, platform: &rows::Platform) {
    for text in [&platform.id, &platform.name, &platform.mode, &platform.runner] {
        out.text(text);
    }
    for text in [&platform.cacert, &platform.cert, &platform.key, &platform.etcdctl, &platform.flags_in] {
        out.option(text.as_ref());
    }
    out.texts(&platform.signs);
    out.option(platform.data_dir.as_ref());
    out.option(platform.show_flags.as_ref());
    out.texts(&platform.snapshot);
    out.text(&platform.step);
    out.texts(&platform.step_commands);
    out.texts(&platform.restart);
    out.text(&platform.source);
}

fn pitfall(out: &mut Packed, pitfall: &rows::Pitfall) {
    out.text(&pitfall.id);
    out.text(&pitfall.platform);
    let minors: Vec<_> = pitfall.hops_to.iter().filter_map(|m| notation::minor(m)).collect();
    out.list(&minors, |out, minor| out.minor(*minor));
    let below: Vec<_> = pitfall.below.iter().collect();
    out.list(&below, |out, below| out.version(below));
    let upgrade = [String::from("upgrade")];
    out.texts(if pitfall.intents.is_empty() { &upgrade } else { &pitfall.intents });
    out.text(pitfall.weight.as_deref().unwrap_or("note"));
    out.text(&pitfall.says);
    out.text(&pitfall.todo);
}

fn shipped(out: &mut Packed, platform: &rows::Shipped) {
    out.text(&platform.id);
    out.text(&platform.seen_until);
    out.list(&platform.rows, |out, row| {
        out.minor(notation::minor(&row.release).unwrap_or_default());
        out.minor(notation::patches(&row.patches).unwrap_or_default());
        out.version(&row.etcd);
    });
    out.text(&platform.source);
}

fn log_message(out: &mut Packed, message: &rows::LogMessage) {
    out.text(&message.id);
    out.texts(&message.pieces);
    out.text(&message.effect);
    out.text(&message.meaning);
    out.option(message.gate.as_ref());
    out.text(&message.source);
}

fn guide(out: &mut Packed, guide: &rows::Guide) {
    for text in [&guide.gate, &guide.guide, &guide.says, &guide.source] {
        out.text(text);
    }
}

fn known_issue(out: &mut Packed, issue: &rows::KnownIssue) {
    out.text(&issue.id);
    let ranges: Vec<_> = issue.ranges.iter().filter_map(|text| notation::version_range(text)).collect();
    out.list(&ranges, |out, range| {
        out.numbers(range.from);
        let to: Vec<_> = range.to.into_iter().collect();
        out.list(&to, |out, to| out.numbers(*to));
    });
    out.texts(&issue.prereleases);
    out.text(issue.on.as_deref().unwrap_or("server"));
    out.list(&issue.fixed_in, |out, version| out.version(version));
    out.text(&issue.severity);
    let minors: Vec<_> = issue.hops_to.iter().filter_map(|m| notation::minor(m)).collect();
    out.list(&minors, |out, minor| out.minor(*minor));
    out.texts(&issue.topics);
    out.text(&issue.title);
    out.text(&issue.remedy);
    out.option(issue.sign.as_ref());
    out.option(issue.gate.as_ref());
    out.text(&issue.source);
}

fn source(out: &mut Packed, source: &rows::Source) {
    out.text(&source.key);
    out.text(&source.title);
    out.option(source.url.as_ref());
    out.text(&source.holds_for);
}
