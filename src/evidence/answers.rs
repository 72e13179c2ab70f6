//! What no command answers and the person says: `KEY=VALUE`, the same keys on the page and the command line.

use std::fmt;
use std::str::FromStr;

use time::OffsetDateTime;

use super::change::{self, Change};
use super::moment;
use crate::etcd::version::Minor;
use crate::sorted::Sorted;

/// The questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnswerKey {
    /// Was the v2 API ever enabled? yes, no
    V2EverEnabled,
    /// The minor the cluster was created on.
    BornOn,
    /// When the last member reached today's minor: a date (its end counts) or an RFC 3339 date-time.
    MinorSince,
    /// When the backup snapshot was taken: a date-time, a date, or `in-plan`.
    SnapshotTaken,
    /// Was it verified? yes, no
    SnapshotVerified,
    /// Is it off the host? yes, no
    SnapshotOffHost,
    /// Kubernetes or other watch caches? yes, no
    WatchCaches,
    /// Authentication enabled? yes, no
    Auth,
    /// Writes per second.
    WritesPerSecond,
    /// The cluster's revision now.
    CurrentRevision,
    /// The revision in the backup snapshot.
    SnapshotRevision,
    /// Age of the backup snapshot: 7d, 36h.
    SnapshotAge,
    /// Margin of the bump: 10%.
    Margin,
    /// How etcd is run: a platform id.
    RunBy,
    /// Endpoints for commands, separated by commas.
    Endpoints,
    /// CA file for commands.
    CaCert,
    /// Client certificate file for commands.
    Cert,
    /// Client key file for commands.
    Key,
    /// Data directory.
    DataDir,
    /// The change of members: `replace=m2`.
    Change,
    /// Names of the members that come in, separated by commas.
    NewName,
    /// Their peer URLs, in the same order.
    NewPeerUrl,
}

impl AnswerKey {
    /// Every key, in the order of design chapter 12; those of a change of members behind them.
    pub const ALL: [Self; 22] = [
        Self::V2EverEnabled,
        Self::BornOn,
        Self::MinorSince,
        Self::SnapshotTaken,
        Self::SnapshotVerified,
        Self::SnapshotOffHost,
        Self::WatchCaches,
        Self::Auth,
        Self::WritesPerSecond,
        Self::CurrentRevision,
        Self::SnapshotRevision,
        Self::SnapshotAge,
        Self::Margin,
        Self::RunBy,
        Self::Endpoints,
        Self::CaCert,
        Self::Cert,
        Self::Key,
        Self::DataDir,
        Self::Change,
        Self::NewName,
        Self::NewPeerUrl,
    ];

    /// Its name: `v2-ever-enabled`.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::V2EverEnabled => "v2-ever-enabled",
            Self::BornOn => "born-on",
            Self::MinorSince => "minor-since",
            Self::SnapshotTaken => "snapshot-taken",
            Self::SnapshotVerified => "snapshot-verified",
            Self::SnapshotOffHost => "snapshot-off-host",
            Self::WatchCaches => "watch-caches",
            Self::Auth => "auth",
            Self::WritesPerSecond => "writes-per-second",
            Self::CurrentRevision => "current-revision",
            Self::SnapshotRevision => "snapshot-revision",
            Self::SnapshotAge => "snapshot-age",
            Self::Margin => "margin",
            Self::RunBy => "run-by",
            Self::Endpoints => "endpoints",
            Self::CaCert => "cacert",
            Self::Cert => "cert",
            Self::Key => "key",
            Self::DataDir => crate::etcd::flags::name::DATA_DIR,
            Self::Change => "change",
            Self::NewName => "new-name",
            Self::NewPeerUrl => "new-peer-url",
        }
    }

    /// The question in the operator's words.
    #[must_use]
    pub fn question(self) -> &'static str {
        match self {
            Self::V2EverEnabled => "Was the v2 API ever enabled on this cluster?",
            Self::BornOn => "On which minor was this cluster created?",
            Self::MinorSince => "When did its last member reach today's minor?",
            Self::SnapshotTaken => "When was the backup snapshot taken?",
            Self::SnapshotVerified => "Was the backup snapshot verified with snapshot status?",
            Self::SnapshotOffHost => "Is the backup snapshot off the member's host?",
            Self::WatchCaches => "Do Kubernetes or other watch caches read from this cluster?",
            Self::Auth => "Is authentication enabled?",
            Self::WritesPerSecond => "How many writes per second?",
            Self::CurrentRevision => "Which revision is the cluster at now?",
            Self::SnapshotRevision => "Which revision is in the backup snapshot?",
            Self::SnapshotAge => "How old is the backup snapshot?",
            Self::Margin => "Which margin for the revision bump?",
            Self::RunBy => "How is etcd run?",
            Self::Endpoints => "Which endpoints shall commands use?",
            Self::CaCert => "Which CA file shall commands use?",
            Self::Cert => "Which client certificate shall commands use?",
            Self::Key => "Which client key shall commands use?",
            Self::DataDir => "Where is the data directory?",
            Self::Change => "Which change of members is wanted?",
            Self::NewName => "What is the new member called?",
            Self::NewPeerUrl => "Which peer URL does the new member advertise?",
        }
    }

    /// What it takes, in words.
    #[must_use]
    pub fn takes(self) -> &'static str {
        match self {
            Self::V2EverEnabled | Self::SnapshotVerified | Self::SnapshotOffHost | Self::WatchCaches | Self::Auth => {
                "yes or no"
            }
            Self::BornOn => crate::etcd::version::A_MINOR,
            Self::MinorSince => "a date or an RFC 3339 date-time",
            Self::SnapshotTaken => "a date, an RFC 3339 date-time, or in-plan",
            Self::WritesPerSecond | Self::CurrentRevision | Self::SnapshotRevision => "a whole number",
            Self::SnapshotAge => "an age such as 7d or 36h",
            Self::Margin => "a percentage such as 10%",
            Self::RunBy => "a platform id such as systemd-binary",
            Self::Endpoints => "URLs separated by commas",
            Self::CaCert | Self::Cert | Self::Key | Self::DataDir => "a path",
            Self::Change => change::FORMS,
            Self::NewName => "a name, or several separated by commas",
            Self::NewPeerUrl => "a URL, or several separated by commas",
        }
    }
}

impl FromStr for AnswerKey {
    type Err = AnswerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|k| k.id() == text).ok_or_else(|| AnswerError::UnknownKey(text.to_owned()))
    }
}

/// When the backup snapshot was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotTaken {
    /// A step of the plan takes it.
    InPlan,
    /// At this time.
    At(OffsetDateTime),
}

/// An answer that can't be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerError {
    /// No such key.
    UnknownKey(String),
    /// No `=` in it.
    NoValue(String),
    /// The value does not fit.
    BadValue {
        /// The key.
        key: AnswerKey,
        /// What was found.
        found: String,
    },
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKey(key) => {
                let known: Vec<_> = AnswerKey::ALL.iter().map(|k| k.id()).collect();
                write!(f, "no answer is called \"{key}\"; expected one of {}", known.join(", "))
            }
            Self::NoValue(text) => write!(f, "expected KEY=VALUE, found \"{text}\""),
            Self::BadValue { key, found } => write!(f, "{}: expected {}, found \"{found}\"", key.id(), key.takes()),
        }
    }
}

impl std::error::Error for AnswerError {}

/// All answers given. Only values that fit are kept, so the typed look-ups can't fail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    values: Sorted<AnswerKey, String>,
}

impl Answers {
    /// No answer yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes `KEY=VALUE`; a later answer replaces an earlier one.
    ///
    /// # Errors
    /// When the key is unknown or the value does not fit it.
    pub fn take(&mut self, text: &str) -> Result<(), AnswerError> {
        let (key, value) = text.split_once('=').ok_or_else(|| AnswerError::NoValue(text.to_owned()))?;
        self.set(key.trim().parse()?, value)
    }

    /// Sets one answer.
    ///
    /// # Errors
    /// When the value does not fit the key.
    pub fn set(&mut self, key: AnswerKey, value: &str) -> Result<(), AnswerError> {
        let value = value.trim();
        if !fits(key, value) {
            return Err(AnswerError::BadValue { key, found: value.to_owned() });
        }
        self.values.insert(key, value.to_owned());
        Ok(())
    }

    /// Takes an answer back.
    pub fn clear(&mut self, key: AnswerKey) {
        self.values.remove(&key);
    }

    /// The answer as given.
    #[must_use]
    pub fn get(&self, key: AnswerKey) -> Option<&str> {
        self.values.get(&key).map(String::as_str)
    }

    /// A yes-or-no answer.
    #[must_use]
    pub fn yes(&self, key: AnswerKey) -> Option<bool> {
        self.get(key).and_then(yes_no)
    }

    /// The minor of `born-on`.
    #[must_use]
    pub fn minor(&self, key: AnswerKey) -> Option<Minor> {
        self.get(key).and_then(|v| v.parse().ok())
    }

    /// The time of `minor-since`.
    #[must_use]
    pub fn time(&self, key: AnswerKey) -> Option<OffsetDateTime> {
        self.get(key).and_then(end_of)
    }

    /// When the backup snapshot was taken.
    #[must_use]
    pub fn snapshot_taken(&self) -> Option<SnapshotTaken> {
        match self.get(AnswerKey::SnapshotTaken)? {
            "in-plan" => Some(SnapshotTaken::InPlan),
            value => start_of(value).map(SnapshotTaken::At),
        }
    }

    /// The change of members that is wanted.
    #[must_use]
    pub fn change(&self) -> Option<Change> {
        self.get(AnswerKey::Change).and_then(|v| v.parse().ok())
    }

    /// Every answer, by key.
    pub fn iter(&self) -> impl Iterator<Item = (AnswerKey, &str)> {
        self.values.iter().map(|(k, v)| (*k, v.as_str()))
    }
}

fn yes_no(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// A date-time, or the start (UTC) of a bare date: the oldest it can be, so that an age is never taken too low.
#[must_use]
pub fn start_of(text: &str) -> Option<OffsetDateTime> {
    moment::rfc3339(text).or_else(|| moment::date(text).map(|d| d.midnight().assume_utc()))
}

/// A date-time, or the end (UTC) of a bare date: the latest it can be.
#[must_use]
pub fn end_of(text: &str) -> Option<OffsetDateTime> {
    moment::rfc3339(text).or_else(|| moment::date(text)?.next_day().map(|d| d.midnight().assume_utc()))
}

fn fits(key: AnswerKey, value: &str) -> bool {
    match key {
        AnswerKey::V2EverEnabled
        | AnswerKey::SnapshotVerified
        | AnswerKey::SnapshotOffHost
        | AnswerKey::WatchCaches
        | AnswerKey::Auth => yes_no(value).is_some(),
        AnswerKey::BornOn => value.parse::<Minor>().is_ok(),
        AnswerKey::MinorSince => end_of(value).is_some(),
        AnswerKey::SnapshotTaken => value == "in-plan" || start_of(value).is_some(),
        AnswerKey::WritesPerSecond => value.parse::<u64>().is_ok(),
        AnswerKey::CurrentRevision | AnswerKey::SnapshotRevision => value.parse::<i64>().is_ok_and(|n| n >= 0),
        AnswerKey::SnapshotAge => age_seconds(value).is_some(),
        AnswerKey::Margin => value.strip_suffix('%').is_some_and(|n| n.parse::<u32>().is_ok()),
        AnswerKey::RunBy => crate::etcd::platforms::by_id(value).is_some(),
        AnswerKey::Endpoints | AnswerKey::CaCert | AnswerKey::Cert | AnswerKey::Key | AnswerKey::DataDir => {
            !value.is_empty() && !value.contains(['\n', '\r'])
        }
        AnswerKey::Change => value.parse::<Change>().is_ok(),
        AnswerKey::NewName => value.split(',').all(|n| !n.trim().is_empty() && !n.contains(['=', '\n', '\r'])),
        AnswerKey::NewPeerUrl => value.split(',').all(|url| {
            let rest = url.trim().split_once("://").map_or("", |(_, rest)| rest);
            !rest.is_empty() && !url.contains(['\n', '\r', ' '])
        }),
    }
}

/// Seconds of an age such as `7d`, `36h`, `90m`.
#[must_use]
pub fn age_seconds(text: &str) -> Option<u64> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        "w" => 604_800,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(seconds)
}
