//! How the texts of other stages become titles, sentences and ids of steps.

/// The first sentence, without its full stop, and what follows it. A version or a file name has no blank after its
/// dots, so it does not end a sentence.
pub(super) fn first_sentence(text: &str) -> (&str, &str) {
    match text.split_once(". ") {
        Some((first, rest)) => (first, rest.trim()),
        None => (text.trim().trim_end_matches('.'), ""),
    }
}

/// A sentence ends with a full stop, once.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '?', ':']) { text.to_owned() } else { format!("{text}.") }
}

/// A label as part of a step id: letters, digits, dots and dashes; all else becomes a dash.
pub(super) fn key(label: &str) -> String {
    let plain: String = label
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '-' })
        .collect();
    let key = plain.trim_matches('-');
    if key.is_empty() { "member".to_owned() } else { key.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_do_not_end_a_sentence() {
        assert_eq!(first_sentence("Move m1 to 3.5.33 first. It cures X."), ("Move m1 to 3.5.33 first", "It cures X."));
        assert_eq!(first_sentence("Disarm the alarm."), ("Disarm the alarm", ""));
    }

    #[test]
    fn keys_hold_no_slash_and_are_never_empty() {
        assert_eq!(key("http://127.0.0.1:2379"), "http---127.0.0.1-2379");
        assert_eq!(key("ü/"), "member");
    }
}
