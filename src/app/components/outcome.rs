//! A gate's answer as sign and word; colour comes third.

use crate::app::dom::{El, el};

/// Sign, word and class of an outcome or verdict, by its id in the report.
pub fn words(id: &str) -> (&'static str, &'static str, &'static str) {
    match id {
        "blocked" => ("✕", "Blocked", "blocked"),
        "warning" => ("!", "Warning", "warning"),
        "ready-with-warnings" => ("!", "Ready with warnings", "warning"),
        "cant-tell" => ("?", "Can't tell yet", "unknown"),
        "passed" => ("✓", "Passed", "ready"),
        "ready" => ("✓", "Ready", "ready"),
        "not-applicable" => ("–", "Does not apply", "quiet"),
        _ => ("·", "Not looked at", "quiet"),
    }
}

/// Sign and word of an outcome, by its id in the report.
pub fn outcome(id: &str) -> El {
    let (sign, word, class) = words(id);
    el("span").class(&format!("state {class}")).child(self::sign(sign)).text(word)
}

/// A sign that repeats what the words beside it say.
pub fn sign(sign: &str) -> El {
    el("span").class("sign").attr("aria-hidden", "true").text(sign)
}
