//! Lines of etcd's own log that are worth knowing, and what they mean.

use std::sync::LazyLock;

use super::packed::Rows;
use super::tables;

/// What the process does when it prints the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It ends, or does not start.
    Stops,
    /// It refuses the request and goes on.
    Refuses,
    /// It goes on; something is wrong.
    Warns,
    /// It goes on; nothing is wrong.
    Tells,
}

/// One message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogMessage {
    /// Its id, as in `LogEvent::message`.
    pub id: &'static str,
    /// Texts a line must hold, in this order, as etcd writes them (no quotes: JSON escapes those).
    pub pieces: &'static [&'static str],
    /// What the process does.
    pub effect: Effect,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// The gate it explains.
    pub gate: Option<&'static str>,
    /// Key of the source.
    pub source: &'static str,
}

impl LogMessage {
    /// Does the line hold it?
    #[must_use]
    pub fn fits(&self, line: &str) -> bool {
        let mut rest = line;
        self.pieces.iter().all(|piece| match rest.split_once(piece) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
    }
}

static LOG_MESSAGES: LazyLock<Vec<LogMessage>> = LazyLock::new(|| {
    let effects =
        [("stops", Effect::Stops), ("refuses", Effect::Refuses), ("warns", Effect::Warns), ("tells", Effect::Tells)];
    Rows::second(tables::LOG_MESSAGES).rows(|row| {
        let (id, pieces, effect) = (row.text(), row.texts(), row.word(&effects));
        let (meaning, gate, source) = (row.text(), row.option(), row.text());
        Some(LogMessage { id, pieces, effect: effect?, meaning, gate, source })
    })
});

/// Every message; of several that fit a line the first counts.
#[must_use]
pub fn all() -> &'static [LogMessage] {
    &LOG_MESSAGES
}

/// The message with this id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static LogMessage> {
    all().iter().find(|message| message.id == id)
}

/// The message a line holds.
#[must_use]
pub fn in_line(line: &str) -> Option<&'static LogMessage> {
    // One pass over the line finds the few messages that may begin in it; a log holds millions of lines without any.
    let mut may_fit: u128 = 0;
    for three in line.as_bytes().windows(3) {
        may_fit |= BEGINNINGS.get(slot(three)).copied().unwrap_or(0);
    }
    while may_fit != 0 {
        let message = all().get(may_fit.trailing_zeros() as usize)?;
        if message.fits(line) {
            return Some(message);
        }
        may_fit &= may_fit - 1;
    }
    None
}

/// For each slot, the messages whose first piece begins with three bytes of it, a bit each.
static BEGINNINGS: LazyLock<Vec<u128>> = LazyLock::new(beginnings);

const SLOTS: usize = 1 << 12;

fn slot(three: &[u8]) -> usize {
    three.iter().fold(0_usize, |sum, byte| sum.wrapping_mul(37).wrapping_add(usize::from(*byte))) % SLOTS
}

fn beginnings() -> Vec<u128> {
    let mut slots = vec![0; SLOTS];
    for (at, message) in all().iter().enumerate() {
        let three = message.pieces.first().and_then(|piece| piece.as_bytes().get(..3));
        if let Some(messages) = three.and_then(|three| slots.get_mut(slot(three))) {
            *messages |= 1 << at;
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_found_in_the_forms_etcd_writes() {
        for (line, id) in [
            (
                r#"{"level":"panic","ts":"2026-11-30T11:30:15.669312Z","caller":"etcdserver/apply_v2.go:31","msg":"detected disallowed v2 WAL for stage --v2-deprecation=write-only"}"#,
                "v2-wal-records",
            ),
            ("panic: unmarshal should never fail (proto: cannot parse invalid wire-format data)", "v2-entries-37"),
            ("flag provided but not defined: -enable-v2", "flag-unknown"),
            (
                r#"2026-11-30 11:38:48.806171 C | pkg/flags: conflicting environment variable "ETCD_SNAPSHOT_COUNT" is shadowed by corresponding command-line flag (either unset environment variable or disable flag)"#,
                "env-and-flag",
            ),
            (
                "2026-11-30 11:39:33 C | etcdserver/membership: cluster cannot be downgraded (current version: 3.4.23 is lower than determined cluster version: 3.5).",
                "downgrade-lower-33",
            ),
            (
                r#"{"level":"fatal","msg":"discovery failed","error":"detected disallowed custom content in v2store for stage --v2-deprecation=write-only"}"#,
                "v2-content",
            ),
            (
                r#"{"level":"fatal","msg":"invalid downgrade; (current version: 3.4.31 is lower than determined cluster version: 3.5)."}"#,
                "downgrade-lower-34",
            ),
            (r#"{"level":"info","msg":"saved snapshot to disk","snapshot-index":4}"#, "disk-snapshot-saved"),
            (r#"{"level":"info","msg":"saved snapshot","snapshot-index":4}"#, "disk-snapshot-saved"),
        ] {
            assert_eq!(in_line(line).map(|message| message.id), Some(id), "{line}");
        }
    }

    #[test]
    fn pieces_must_stand_in_order_and_all_of_them() {
        let message = by_id("both-forms").unwrap();
        assert!(message.fits("cannot set --a and --b at the same time, please use --b only"));
        assert!(!message.fits(" at the same time, please use --b only; cannot set --a"));
        assert!(!message.fits("cannot set --a"));
        assert_eq!(in_line("compacted Raft logs"), None);
    }

    #[test]
    fn every_message_has_a_bit_and_a_beginning() {
        assert!(all().len() <= 128);
        assert!(all().iter().all(|m| m.pieces.first().is_some_and(|p| p.len() >= 3)));
    }

    #[test]
    fn every_message_finds_itself() {
        for message in all() {
            let line = message.pieces.join("x");
            assert_eq!(in_line(&line).map(|found| found.id), Some(message.id));
            assert_eq!(by_id(message.id), Some(message));
        }
    }
}
