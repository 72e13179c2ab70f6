//! What a link carries, in its fragment: `#p=` and base64url of a format byte and its payload. A fragment never goes to
//! a server.
//!
//! | byte | payload |
//! |---|---|
//! | `1` | JSON of [`Shared`], without pastes |
//! | `2` | the same with pastes, by deflate without a header |
//!
//! A format is never changed: a new one gets a new byte, and `tests/fixtures/exports/links` holds links of each. The
//! library neither packs nor unpacks; the browser does both itself.

use base64ct::{Base64UrlUnpadded, Encoding as _};
use serde::Serialize;

use super::fields;
use super::redact::Redaction;
use super::report::Report;
use super::words;
use crate::evidence::answers::{AnswerKey, Answers};
use crate::evidence::fact::Kind;
use crate::evidence::paste::Paste;

/// The longest fragment that is made, in characters. Browsers take more; what carries links often does not.
pub const FRAGMENT_LIMIT: usize = 60_000;

/// Links longer than this are cut by some mail and ticket systems.
pub const SAFE_LENGTH: usize = 8_000;

/// The longest fragment that is looked at.
pub const OPEN_LIMIT: usize = 2_000_000;

/// The most that a packed payload may unpack to, in bytes. Unpacking stops there.
pub const UNPACKED_LIMIT: usize = 4 << 20;

const MARK: &str = "p=";

/// What a link carries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Shared {
    /// The intent, by id.
    pub intent: String,
    /// The target as the person writes it; empty for the newest patch of the next minor.
    pub to: String,
    /// The start as the person said it.
    pub from: String,
    /// Answers as `KEY=VALUE`.
    pub answered: Vec<String>,
    /// Version of the rules that judged.
    pub rules: String,
    /// Their date.
    pub rules_of: String,
    /// The verdict they came to; empty when no paste goes along.
    pub verdict: String,
    /// Gates that were not passed, as `gate=outcome`.
    pub open: Vec<String>,
    /// The pastes.
    pub pastes: Vec<SharedPaste>,
    /// Were names and addresses replaced?
    pub redacted: bool,
}

/// A paste.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SharedPaste {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The kind that was set by hand.
    pub kind: Option<String>,
    /// The member that was set by hand.
    pub member: Option<String>,
}

/// What stands in a fragment.
#[derive(Debug, PartialEq, Eq)]
pub enum Payload {
    /// It can be read at once.
    Plain(Box<Shared>),
    /// It has to be unpacked first: deflate without a header, to at most [`UNPACKED_LIMIT`] bytes.
    Packed(Vec<u8>),
}

/// Answers that name something of the cluster; a link with settings only does not carry them.
const NAMING: [AnswerKey; 8] = [
    AnswerKey::Endpoints,
    AnswerKey::CaCert,
    AnswerKey::Cert,
    AnswerKey::Key,
    AnswerKey::DataDir,
    AnswerKey::Change,
    AnswerKey::NewName,
    AnswerKey::NewPeerUrl,
];

impl Shared {
    /// Settings only: what is wanted, and the answers that name nothing.
    #[must_use]
    pub fn settings(report: &Report, to: String, from: String, answers: &Answers) -> Self {
        let telling = answers.iter().filter(|(key, _)| !NAMING.contains(key));
        Self {
            intent: report.intent.kind.clone(),
            to,
            from,
            answered: telling.map(|(key, value)| format!("{}={value}", key.id())).collect(),
            rules: report.ruleset.version.clone(),
            rules_of: report.ruleset.date.clone(),
            ..Self::default()
        }
    }

    /// Adds the pastes, all answers and what the rules said of them.
    #[must_use]
    pub fn with_pastes(self, report: &Report, answers: &Answers, pastes: &[Paste], hide: Option<&Redaction>) -> Self {
        let hidden = |text: &str| hide.map_or_else(|| text.to_owned(), |hide| hide.text(text));
        let one = |paste: &Paste| SharedPaste {
            name: hidden(&paste.name),
            text: hidden(&paste.text),
            kind: paste.kind.map(|kind| kind.id().to_owned()),
            member: paste.member.as_deref().map(hidden),
        };
        let mut open = Vec::new();
        for (outcome, _) in words::OPEN_OUTCOMES {
            open.extend(words::gates_at(report, outcome).iter().map(|gate| format!("{gate}={outcome}")));
        }
        Self {
            answered: answers.iter().map(|(key, value)| format!("{}={}", key.id(), hidden(value))).collect(),
            verdict: report.verdict.clone(),
            open,
            pastes: pastes.iter().map(one).collect(),
            redacted: hide.is_some(),
            ..self
        }
    }

    /// The payload, as it is packed.
    #[must_use]
    pub fn json(&self) -> String {
        // Indented as every JSON of the page, so that one writer of JSON is enough; packing takes the blanks out.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Reads a payload.
    ///
    /// # Errors
    /// In words for the person.
    pub fn read(json: &[u8]) -> Result<Self, String> {
        let wrong = |e: String| format!("This link holds nothing the page can read: {e}.");
        let text = std::str::from_utf8(json).map_err(|e| wrong(e.to_string()))?;
        Self::of(text).map_err(wrong)
    }

    fn of(json: &str) -> Result<Self, String> {
        let of = &fields::object(json)?;
        let mut pastes = Vec::new();
        for paste in fields::list(of, "pastes")? {
            pastes.push(SharedPaste {
                name: fields::text(paste, "name")?,
                text: fields::text(paste, "text")?,
                kind: fields::maybe_text(paste, "kind")?,
                member: fields::maybe_text(paste, "member")?,
            });
        }
        Ok(Self {
            intent: fields::text(of, "intent")?,
            to: fields::text(of, "to")?,
            from: fields::text(of, "from")?,
            answered: fields::texts(of, "answered")?,
            rules: fields::text(of, "rules")?,
            rules_of: fields::text(of, "rules_of")?,
            verdict: fields::text(of, "verdict")?,
            open: fields::texts(of, "open")?,
            pastes,
            redacted: fields::flag(of, "redacted")?.unwrap_or_default(),
        })
    }

    /// The fragment of a link that carries settings only.
    #[must_use]
    pub fn fragment(&self) -> String {
        let settings = Self { pastes: Vec::new(), ..self.clone() };
        written(b'1', settings.json().as_bytes())
    }

    /// The pastes as the library takes them.
    #[must_use]
    pub fn pastes(&self) -> Vec<Paste> {
        let one = |paste: &SharedPaste| Paste {
            name: paste.name.clone(),
            text: paste.text.clone(),
            kind: paste.kind.as_deref().and_then(Kind::from_id),
            member: paste.member.clone(),
        };
        self.pastes.iter().map(one).collect()
    }

    /// The answers. One that does not fit, of another version of the page, is asked for again.
    #[must_use]
    pub fn answers(&self) -> Answers {
        let mut answers = Answers::new();
        for answer in &self.answered {
            let _ = answers.take(answer);
        }
        answers
    }

    /// Was it made under other rules than those that judge now?
    #[must_use]
    pub fn under_other_rules(&self, report: &Report) -> bool {
        !self.rules.is_empty() && (self.rules != report.ruleset.version || self.rules_of != report.ruleset.date)
    }

    /// What the rules say now that they did not say when the link was made, a sentence a gate; the verdict first.
    #[must_use]
    pub fn changes(&self, report: &Report) -> Vec<String> {
        if self.verdict.is_empty() {
            return Vec::new();
        }
        let mut out = Vec::new();
        if self.verdict != report.verdict {
            let word = super::clusters::word;
            out.push(format!("The verdict was \"{}\" and is \"{}\".", word(&self.verdict), word(&report.verdict)));
        }
        let mut now: Vec<(&str, &str)> = Vec::new();
        for (outcome, _) in words::OPEN_OUTCOMES {
            now.extend(words::gates_at(report, outcome).into_iter().map(|gate| (gate, outcome)));
        }
        let then: Vec<(&str, &str)> = self.open.iter().filter_map(|open| open.split_once('=')).collect();
        let at = |list: &[(&str, &str)], gate: &str| {
            list.iter().find(|(name, _)| *name == gate).map(|(_, outcome)| outcome.replace('-', " "))
        };
        for (gate, outcome) in &now {
            let before = at(&then, gate);
            if before.as_deref() != Some(&outcome.replace('-', " ")) {
                let before = before.unwrap_or_else(|| "not open".to_owned());
                out.push(format!("{gate}: was {before}, is {}.", outcome.replace('-', " ")));
            }
        }
        for (gate, outcome) in &then {
            if at(&now, gate).is_none() {
                out.push(format!("{gate}: was {}, is not open any more.", outcome.replace('-', " ")));
            }
        }
        out
    }
}

/// The fragment of a link with a payload that was packed.
///
/// # Errors
/// When it is too long.
pub fn packed(payload: &[u8]) -> Result<String, String> {
    let fragment = written(b'2', payload);
    if fragment.len() > FRAGMENT_LIMIT {
        return Err(format!(
            "The link would have {} characters, and {FRAGMENT_LIMIT} are the most. Take pastes out, or save the report \
             and send the file.",
            fragment.len()
        ));
    }
    Ok(fragment)
}

fn written(format: u8, payload: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(payload.len() + 1);
    bytes.push(format);
    bytes.extend_from_slice(payload);
    format!("{MARK}{}", Base64UrlUnpadded::encode_string(&bytes))
}

/// Opens a fragment, with or without its `#`. `None` when it is none of ours.
///
/// # Errors
/// What is wrong with it, in words for the person.
pub fn open(fragment: &str) -> Option<Result<Payload, String>> {
    let coded = fragment.trim_start_matches('#').strip_prefix(MARK)?;
    if coded.len() > OPEN_LIMIT {
        let found = coded.len();
        return Some(Err(format!(
            "This link is too long to be opened: it has {found} characters, expected are at most {OPEN_LIMIT}."
        )));
    }
    let Ok(bytes) = Base64UrlUnpadded::decode_vec(coded.trim_end_matches('=')) else {
        let is_code = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let wrong = coded.chars().enumerate().find(|(_, c)| !is_code(*c));
        let found = match wrong {
            Some((at, c)) => {
                format!("expected letters, digits, - and _ behind “#p=”, found “{c}” as character {}", at + 1)
            }
            None => format!(
                "expected whole groups of characters behind “#p=”, found an end in the middle of one, at character {}",
                coded.len()
            ),
        };
        return Some(Err(format!("This link was cut or changed on its way: {found}.")));
    };
    Some(match bytes.split_first() {
        Some((b'1', payload)) => Shared::read(payload).map(|shared| Payload::Plain(Box::new(shared))),
        Some((b'2', payload)) => Ok(Payload::Packed(payload.to_vec())),
        Some((format, _)) => Err(format!(
            "This link was made by a newer version of this page: expected format 1 or 2, found {}. Open it there.",
            char::from(*format).escape_default()
        )),
        None => Err("This link is empty.".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared() -> Shared {
        Shared {
            intent: "upgrade".to_owned(),
            to: "3.6".to_owned(),
            answered: vec!["auth=no".to_owned()],
            ..Shared::default()
        }
    }

    #[test]
    fn settings_come_back() {
        let opened = open(&format!("#{}", shared().fragment())).unwrap().unwrap();
        assert_eq!(opened, Payload::Plain(Box::new(shared())));
    }

    #[test]
    fn pastes_never_go_along_unasked() {
        let with =
            Shared { pastes: vec![SharedPaste { text: "secret".to_owned(), ..SharedPaste::default() }], ..shared() };
        assert_eq!(with.fragment(), shared().fragment());
    }

    #[test]
    fn what_is_no_link_or_a_broken_one_is_told_apart() {
        for none in ["", "#", "#verdict", "#q=abc", "p"] {
            assert_eq!(open(none), None, "{none}");
        }
        let broken = |fragment: &str| open(fragment).unwrap().unwrap_err();
        assert!(broken("#p=%%%").contains("cut or changed"));
        assert!(broken("#p=").contains("empty"));
        assert!(broken(&format!("#{}", written(b'9', b"x"))).contains("newer version"));
        assert!(broken(&format!("#{}", written(b'1', b"[1]"))).contains("nothing the page can read"));
        assert!(broken(&format!("#p={}", "A".repeat(OPEN_LIMIT + 1))).contains("too long"));
        assert!(
            matches!(open(&format!("#{}", written(b'2', b"xyz"))), Some(Ok(Payload::Packed(bytes))) if bytes == b"xyz")
        );
        assert!(packed(&vec![0; FRAGMENT_LIMIT]).unwrap_err().contains("are the most"));
    }
}
