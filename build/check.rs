//! What is refused: a row without source or with an unknown one, an unknown version or minor, a duplicate, overlapping
//! ranges, an empty text, a word a field does not know, a reference to nothing.

use super::notation::{self, Minor, Version};
use super::rows::{self, Floor};
use super::{Data, Problem};
use std::collections::{BTreeMap, BTreeSet};

/// Every file of the folder that something reads.
const FILES: [&str; 12] = [
    "ruleset.toml",
    "releases.toml",
    "hops.toml",
    "flags.toml",
    "feature_gates.toml",
    "platforms.toml",
    "pitfalls.toml",
    "platform_releases.toml",
    "properties.toml",
    "log_messages.toml",
    "known_issues.toml",
    "sources.toml",
];

const FLAG_KINDS: [&str; 12] = [
    "bool",
    "duration",
    "enum",
    "feature-gates",
    "int",
    "int64",
    "string",
    "string-list",
    "uint",
    "uint32",
    "uint64",
    "url-list",
];
const SUPPORT: [&str; 2] = ["ended", "maintained"];
const STAGES: [&str; 2] = ["alpha", "beta"];
const MODES: [&str; 4] = ["plan", "plan-native", "native-only", "refuse"];
const SEVERITIES: [&str; 5] = ["critical", "high", "medium", "low", "info"];
const BINARIES: [&str; 5] = ["server", "etcdctl", "etcdutl", "grpc-proxy", "client"];
const TOPICS: [&str; 5] = ["corruption", "membership", "restore", "security", "downgrade"];
const EFFECTS: [&str; 4] = ["stops", "refuses", "warns", "tells"];
const WEIGHTS: [&str; 3] = ["note", "warning", "blocked"];
const INTENTS: [&str; 6] = ["upgrade", "downgrade", "restore", "members", "health", "flags"];
const RUNNERS: [&str; 5] = ["systemd", "static-pod", "container", "process", "other"];

/// A file nothing reads is a mistake in its name.
pub fn known_files(files: &BTreeMap<String, String>) -> Vec<Problem> {
    let stray = files.keys().filter(|name| !FILES.contains(&name.as_str()));
    stray
        .map(|name| Problem {
            file: "",
            row: "folder".into(),
            expected: format!("one of {}", FILES.join(", ")),
            found: name.clone(),
        })
        .collect()
}

/// Checks every row.
pub fn all(data: &Data) -> Vec<Problem> {
    let mut check = Check::new(data);
    check.ruleset(&data.ruleset);
    check.sources(&data.sources);
    check.releases(&data.releases);
    check.hops(&data.hops);
    check.guides(&data.hops);
    check.flags(data);
    check.feature_gates(data);
    check.platforms(&data.platforms);
    check.pitfalls(data);
    check.platform_releases(data);
    check.properties(&data.properties);
    check.log_messages(&data.log_messages);
    check.known_issues(&data.known_issues);
    check.problems
}

/// The rows that others may refer to, and what was found so far.
struct Check {
    sources: BTreeSet<String>,
    versions: Vec<Version>,
    /// Minors with a release that is no prerelease.
    minors: BTreeSet<Minor>,
    problems: Vec<Problem>,
}

impl Check {
    fn new(data: &Data) -> Self {
        let versions: Vec<Version> =
            data.releases.release.iter().filter_map(|r| notation::version(&r.version)).collect();
        Self {
            sources: data.sources.source.iter().map(|s| s.key.clone()).collect(),
            minors: versions.iter().filter(|v| v.pre.is_empty()).map(Version::minor).collect(),
            versions,
            problems: Vec::new(),
        }
    }

    fn refuse(&mut self, file: &'static str, row: &str, expected: &str, found: &str) {
        let found = if found.is_empty() { "nothing".to_owned() } else { format!("\"{found}\"") };
        self.problems.push(Problem { file, row: row.to_owned(), expected: expected.to_owned(), found });
    }

    fn text(&mut self, file: &'static str, row: &str, field: &str, text: &str) {
        if text.trim().is_empty() {
            self.refuse(file, row, &format!("a text in {field}"), text.trim());
        }
    }

    fn source(&mut self, file: &'static str, row: &str, key: &str) {
        if key.is_empty() {
            self.refuse(file, row, "a source", key);
        } else if !self.sources.contains(key) {
            self.refuse(file, row, "a key of sources.toml as source", key);
        }
    }

    fn word(&mut self, file: &'static str, row: &str, field: &str, known: &[&str], word: &str) {
        if !known.contains(&word) {
            self.refuse(file, row, &format!("{field} to be one of {}", known.join(", ")), word);
        }
    }

    /// Each name once.
    fn once<'a>(&mut self, file: &'static str, what: &str, names: impl Iterator<Item = &'a String>) {
        let mut seen = BTreeSet::new();
        for name in names {
            self.text(file, "some row", what, name);
            if !seen.insert(name) {
                self.refuse(file, name, &format!("each {what} once"), name);
            }
        }
    }

    /// A version that is a known release.
    fn release(&mut self, file: &'static str, row: &str, text: &str) -> Option<Version> {
        let version = notation::version(text).filter(|v| self.versions.contains(v));
        if version.is_none() {
            self.refuse(file, row, "a version of releases.toml", text);
        }
        version
    }

    fn minor(&mut self, file: &'static str, row: &str, text: &str) -> Option<Minor> {
        let minor = notation::minor(text).filter(|m| self.minors.contains(m));
        if minor.is_none() {
            self.refuse(file, row, "a minor with a release", text);
        }
        minor
    }

    /// Minors of several rows: all known, none twice.
    fn minors<'a>(&mut self, file: &'static str, row: &str, ranges: impl Iterator<Item = &'a String>) {
        let mut seen = BTreeSet::new();
        for range in ranges {
            let Some(minors) = notation::minors(range) else {
                self.refuse(file, row, "a minor or a range of minors such as 3.3..3.6", range);
                continue;
            };
            for minor in minors {
                if !self.minors.contains(&minor) {
                    self.refuse(file, row, "minors with a release", range);
                }
                if !seen.insert(minor) {
                    self.refuse(file, row, "ranges that do not overlap", range);
                }
            }
        }
    }

    /// Version ranges of one row: readable, ends known, ascending, none inside another.
    fn ranges(&mut self, file: &'static str, row: &str, ranges: &[String]) {
        if ranges.is_empty() {
            self.refuse(file, row, "a version range", "");
        }
        let mut end: Option<Option<(u32, u32, u32)>> = None;
        for text in ranges {
            let Some(range) = notation::version_range(text) else {
                self.refuse(file, row, "a version range such as 3.5.18..3.5.31", text);
                continue;
            };
            let known = |numbers: (u32, u32, u32)| {
                let whole_minor = numbers.2 == u32::MAX && self.minors.contains(&(numbers.0, numbers.1));
                whole_minor || self.versions.iter().any(|v| v.numbers == numbers && v.pre.is_empty())
            };
            if !known(range.from) || !range.to.is_none_or(known) {
                self.refuse(file, row, "versions of releases.toml at both ends", text);
            }
            if end.is_some_and(|end| end.is_none_or(|end| range.from <= end)) {
                self.refuse(file, row, "ascending ranges that do not overlap", text);
            }
            end = Some(range.to);
        }
    }

    fn ruleset(&mut self, ruleset: &rows::Ruleset) {
        let file = "ruleset.toml";
        self.text(file, "version", "version", &ruleset.version);
        self.source(file, "rule set", &ruleset.source);
        if !notation::is_date(&ruleset.date) {
            self.refuse(file, "date", "a date such as 2026-11-30", &ruleset.date);
        }
        self.release(file, "example", &ruleset.example);
        if !ruleset.date.starts_with(&ruleset.version) {
            self.refuse(file, "version", "the year and month of the date", &ruleset.version);
        }
    }

    fn sources(&mut self, sources: &rows::Sources) {
        let file = "sources.toml";
        self.once(file, "key", sources.source.iter().map(|s| &s.key));
        for source in &sources.source {
            self.text(file, &source.key, "title", &source.title);
            self.text(file, &source.key, "holds_for", &source.holds_for);
            if let Some(url) = &source.url
                && (!url.starts_with("https://") || url.contains(char::is_whitespace))
            {
                self.refuse(file, &source.key, "an https link", url);
            }
        }
    }

    fn releases(&mut self, releases: &rows::Releases) {
        let file = "releases.toml";
        self.once(file, "version", releases.release.iter().map(|r| &r.version));
        for release in &releases.release {
            let row = &release.version;
            self.source(file, row, &release.source);
            if notation::version(&release.version).is_none() {
                self.refuse(file, row, "a version such as 3.6.11 or 3.6.0-rc.1", row);
            }
            if !notation::is_date(&release.date) {
                self.refuse(file, row, "a date such as 2026-11-30", &release.date);
            }
            match (&release.known_bad, &release.known_bad_source) {
                (None, None) => {}
                (Some(why), source) => {
                    self.text(file, row, "known_bad", why);
                    self.source(file, row, source.as_deref().unwrap_or(""));
                }
                (None, Some(source)) => self.refuse(file, row, "known_bad beside its source", source),
            }
        }
        self.once(file, "minor", releases.minor.iter().map(|m| &m.minor));
        for minor in &releases.minor {
            let row = &minor.minor;
            self.minor(file, row, &minor.minor);
            self.word(file, row, "support", &SUPPORT, &minor.support);
            self.text(file, row, "words", &minor.words);
            self.source(file, row, &minor.source);
            if let Some(until) = minor.until.as_ref().filter(|until| !notation::is_date(until)) {
                self.refuse(file, row, "a date such as 2026-11-30", until);
            }
        }
        let said: BTreeSet<_> = releases.minor.iter().filter_map(|m| notation::minor(&m.minor)).collect();
        for (major, minor) in self.minors.difference(&said).copied().collect::<Vec<_>>() {
            self.refuse(file, &format!("{major}.{minor}"), "a [[minor]] row for every minor with a release", "");
        }
    }

    fn hops(&mut self, hops: &rows::Hops) {
        let file = "hops.toml";
        self.once(file, "from", hops.hop.iter().map(|h| &h.from));
        for hop in &hops.hop {
            let row = format!("{} → {}", hop.from, hop.to);
            let from = self.minor(file, &row, &hop.from);
            let to = self.minor(file, &row, &hop.to);
            if let (Some(from), Some(to)) = (from, to)
                && (from.0, from.1 + 1) != to
            {
                self.refuse(file, &row, "the next minor in to", &hop.to);
            }
            self.source(file, &row, &hop.source);
            let mut floors = Vec::new();
            for floor in [&hop.technical, &hop.required, &hop.advised].into_iter().flatten() {
                floors.extend(self.floor(file, &row, floor, from).map(|v| v.numbers));
            }
            if !floors.is_sorted() {
                let found: Vec<String> = floors.iter().map(|(a, b, c)| format!("{a}.{b}.{c}")).collect();
                self.refuse(file, &row, "technical ≤ required ≤ advised", &found.join(", "));
            }
            if let Some(version) = &hop.v2_check_with_wal {
                self.release(file, &row, version);
            }
            if hop.checks_v2_store != hop.v2_check_with_wal.is_some() {
                self.refuse(file, &row, "v2_check_with_wal where checks_v2_store is set, and only there", "");
            }
        }
    }

    fn guides(&mut self, hops: &rows::Hops) {
        let file = "hops.toml";
        let mut seen = BTreeSet::new();
        for guide in &hops.guide {
            let row = format!("{} of {}", guide.gate, guide.guide);
            self.text(file, &row, "gate", &guide.gate);
            self.text(file, &row, "guide", &guide.guide);
            self.text(file, &row, "says", &guide.says);
            self.source(file, &row, &guide.source);
            if !seen.insert((&guide.gate, &guide.guide)) {
                self.refuse(file, &row, "each guide once for a gate", &guide.guide);
            }
        }
    }

    fn floor(&mut self, file: &'static str, row: &str, floor: &Floor, from: Option<Minor>) -> Option<Version> {
        self.text(file, row, "cures", &floor.cures);
        self.source(file, row, &floor.source);
        let version = self.release(file, row, &floor.version)?;
        if from.is_some_and(|from| from != version.minor()) {
            self.refuse(file, row, "a floor of the minor the hop leaves", &floor.version);
        }
        Some(version)
    }

    fn flags(&mut self, data: &Data) {
        let file = "flags.toml";
        let flags = &data.flags;
        self.source(file, "ignored", &flags.ignored.source);
        self.once(file, "name", flags.flag.iter().map(|f| &f.name).chain(&flags.ignored.names));
        for flag in &flags.flag {
            self.minors(file, &flag.name, flag.rows.iter().map(|r| &r.minors));
            if flag.rows.is_empty() {
                self.refuse(file, &flag.name, "at least one row", "");
            }
            if let Some(by) = &flag.replaced_by {
                self.replacement(data, &flag.name, by);
            }
            for row in &flag.rows {
                self.flag_row(&flag.name, &flag.source, row);
            }
        }
    }

    /// A flag, `flag=value`, or `feature-gates=Name`.
    fn replacement(&mut self, data: &Data, flag: &str, by: &str) {
        let (name, value) = by.split_once('=').map_or((by, None), |(name, value)| (name, Some(value)));
        let known = name != flag && data.flags.flag.iter().any(|f| f.name == name);
        let gate_known = name != "feature-gates" || data.feature_gates.gate.iter().any(|g| Some(&*g.name) == value);
        if !known || !gate_known {
            self.refuse("flags.toml", flag, "replaced_by to be another flag, flag=value or feature-gates=Name", by);
        }
    }

    fn flag_row(&mut self, flag: &str, source: &str, row: &rows::FlagRow) {
        let file = "flags.toml";
        let name = format!("{flag} in {}", row.minors);
        let minors = notation::minors(&row.minors).unwrap_or_default();
        for minor in &minors {
            self.source(file, &name, &of_minor(source, *minor));
        }
        self.word(file, &name, "kind", &FLAG_KINDS, &row.kind);
        for (field, text) in [("effective_default", &row.effective_default), ("yaml", &row.yaml), ("note", &row.note)] {
            if let Some(text) = text {
                self.text(file, &name, field, text);
            }
        }
        if row.no_yaml_key && (row.yaml.is_some() || row.yaml_since.is_some()) {
            self.refuse(
                file,
                &name,
                "a YAML key or no_yaml_key, not both",
                row.yaml.as_deref().unwrap_or("yaml_since"),
            );
        }
        let patches = [&row.since, &row.yaml_since].into_iter().flatten().chain(row.late_values.values());
        for patch in patches {
            if let Some(version) = self.release(file, &name, patch)
                && minors != [version.minor()]
            {
                self.refuse(file, &name, "a patch only on a row of its own minor", patch);
            }
        }
        if (row.kind == "enum") == row.values.is_empty() {
            self.refuse(file, &name, "values on an enum, and only there", &row.values.join(", "));
        }
        for value in row.late_values.keys().filter(|v| !row.values.contains(v)) {
            self.refuse(file, &name, "late_values to be among values", value);
        }
    }

    fn feature_gates(&mut self, data: &Data) {
        let file = "feature_gates.toml";
        let gates = &data.feature_gates.gate;
        self.once(file, "name", gates.iter().map(|g| &g.name));
        for gate in gates {
            self.word(file, &gate.name, "stage", &STAGES, &gate.stage);
            self.minors(file, &gate.name, std::iter::once(&gate.minors));
            for minor in notation::minors(&gate.minors).unwrap_or_default() {
                self.source(file, &gate.name, &of_minor(&gate.source, minor));
            }
            if let Some(flag) = gate.from_flag.as_ref().filter(|f| !data.flags.flag.iter().any(|row| row.name == **f)) {
                self.refuse(file, &gate.name, "a flag of flags.toml in from_flag", flag);
            }
            if let Some(needs) = gate.needs.as_ref().filter(|n| !gates.iter().any(|row| row.name == **n)) {
                self.refuse(file, &gate.name, "a gate of this file in needs", needs);
            }
        }
    }

    fn platforms(&mut self, platforms: &rows::Platforms) {
        let file = "platforms.toml";
        self.once(file, "id", platforms.platform.iter().map(|p| &p.id));
        for platform in &platforms.platform {
            self.text(file, &platform.id, "name", &platform.name);
            self.word(file, &platform.id, "mode", &MODES, &platform.mode);
            self.word(file, &platform.id, "runner", &RUNNERS, &platform.runner);
            self.text(file, &platform.id, "step", &platform.step);
            let paths = [&platform.cacert, &platform.cert, &platform.key, &platform.etcdctl, &platform.flags_in];
            let paths = paths.into_iter().chain([&platform.data_dir, &platform.show_flags]);
            let texts = paths.flatten().chain(&platform.step_commands).chain(&platform.restart);
            let texts = texts.chain(&platform.signs).chain(&platform.snapshot);
            for text in texts {
                self.text(file, &platform.id, "every path and command", text);
            }
            self.source(file, &platform.id, &platform.source);
        }
    }

    fn pitfalls(&mut self, data: &Data) {
        let file = "pitfalls.toml";
        self.once(file, "id", data.pitfalls.pitfall.iter().map(|p| &p.id));
        for pitfall in &data.pitfalls.pitfall {
            let row = &pitfall.id;
            if !data.platforms.platform.iter().any(|p| p.id == pitfall.platform) {
                self.refuse(file, row, "an id of platforms.toml", &pitfall.platform);
            }
            for minor in &pitfall.hops_to {
                self.minor(file, row, minor);
            }
            if let Some(below) = &pitfall.below {
                self.release(file, row, below);
            }
            for intent in &pitfall.intents {
                self.word(file, row, "intents", &INTENTS, intent);
            }
            self.word(file, row, "weight", &WEIGHTS, pitfall.weight.as_deref().unwrap_or("note"));
            for (field, text) in [("says", &pitfall.says), ("do", &pitfall.todo)] {
                if !text.ends_with('.') {
                    self.refuse(file, row, &format!("a sentence in {field}"), text);
                }
            }
        }
    }

    fn known_issues(&mut self, issues: &rows::KnownIssues) {
        let file = "known_issues.toml";
        self.once(file, "id", issues.issue.iter().map(|i| &i.id));
        for issue in &issues.issue {
            let row = &issue.id;
            self.source(file, row, &issue.source);
            if !issue.ranges.is_empty() || issue.prereleases.is_empty() {
                self.ranges(file, row, &issue.ranges);
            }
            for version in issue.prereleases.iter().chain(&issue.fixed_in) {
                self.release(file, row, version);
            }
            for minor in &issue.hops_to {
                self.minor(file, row, minor);
            }
            self.word(file, row, "severity", &SEVERITIES, &issue.severity);
            self.word(file, row, "on", &BINARIES, issue.on.as_deref().unwrap_or("server"));
            for topic in &issue.topics {
                self.word(file, row, "topics", &TOPICS, topic);
            }
            self.text(file, row, "title", &issue.title);
            self.text(file, row, "remedy", &issue.remedy);
            for (field, text) in [("sign", &issue.sign), ("gate", &issue.gate)] {
                if let Some(text) = text {
                    self.text(file, row, field, text);
                }
            }
            self.fixes(row, issue);
        }
    }

    /// A patch with the cure is not among those that have the defect.
    fn fixes(&mut self, row: &str, issue: &rows::KnownIssue) {
        let ranges: Vec<_> = issue.ranges.iter().filter_map(|text| notation::version_range(text)).collect();
        for fixed in &issue.fixed_in {
            let numbers = notation::version(fixed).map(|v| v.numbers);
            let hit = |range: &notation::VersionRange| {
                numbers.is_some_and(|n| range.from <= n && range.to.is_none_or(|to| n <= to))
            };
            if ranges.iter().any(hit) {
                self.refuse("known_issues.toml", row, "fixed_in outside of the ranges", fixed);
            }
        }
    }

    fn log_messages(&mut self, messages: &rows::LogMessages) {
        let file = "log_messages.toml";
        self.once(file, "id", messages.message.iter().map(|m| &m.id));
        let mut before: Vec<&[String]> = Vec::new();
        for message in &messages.message {
            let row = &message.id;
            self.source(file, row, &message.source);
            self.word(file, row, "effect", &EFFECTS, &message.effect);
            self.text(file, row, "meaning", &message.meaning);
            if message.pieces.is_empty() {
                self.refuse(file, row, "a piece of the message", "");
            }
            for piece in &message.pieces {
                self.text(file, row, "pieces", piece);
            }
            if let Some(gate) = &message.gate {
                self.text(file, row, "gate", gate);
            }
            if let [only] = message.pieces.as_slice()
                && before.iter().any(|pieces| matches!(pieces, [earlier] if only.contains(earlier.as_str())))
            {
                self.refuse(file, row, "a message that no row above already fits", only);
            }
            before.push(&message.pieces);
        }
    }

    fn platform_releases(&mut self, data: &Data) {
        let file = "platform_releases.toml";
        let shipped = &data.platform_releases.platform;
        self.once(file, "id", shipped.iter().map(|s| &s.id));
        for platform in shipped {
            let id = &platform.id;
            self.source(file, id, &platform.source);
            if !data.platforms.platform.iter().any(|p| p.id == *id) {
                self.refuse(file, id, "an id of platforms.toml", id);
            }
            if !notation::is_date(&platform.seen_until) {
                self.refuse(file, id, "a date such as 2026-11-30", &platform.seen_until);
            }
            let mut ends: BTreeMap<&str, u32> = BTreeMap::new();
            for row in &platform.rows {
                let name = format!("{id} {}", row.release);
                self.release(file, &name, &row.etcd);
                if notation::minor(&row.release).is_none() {
                    self.refuse(file, &name, "a release such as 1.34", &row.release);
                }
                let Some((from, to)) = notation::patches(&row.patches) else {
                    self.refuse(file, &name, "patches such as 3, 6..13, 4.. or newest", &row.patches);
                    continue;
                };
                if ends.insert(&row.release, to).is_some_and(|end| from <= end) {
                    self.refuse(file, &name, "ascending patches that do not overlap", &row.patches);
                }
            }
        }
    }

    fn properties(&mut self, properties: &rows::Properties) {
        let file = "properties.toml";
        self.once(file, "id", properties.feature.iter().map(|f| &f.id).chain(properties.number.iter().map(|n| &n.id)));
        for feature in &properties.feature {
            self.text(file, &feature.id, "what", &feature.what);
            self.source(file, &feature.id, &feature.source);
            self.ranges(file, &feature.id, &feature.ranges);
        }
        for number in &properties.number {
            self.text(file, &number.id, "what", &number.what);
            self.source(file, &number.id, &number.source);
            self.minors(file, &number.id, number.rows.iter().map(|r| &r.minors));
        }
    }
}

/// `server-flags-{minor}` → `server-flags-3.6`.
pub fn of_minor(source: &str, (major, minor): Minor) -> String {
    source.replace("{minor}", &format!("{major}.{minor}"))
}
