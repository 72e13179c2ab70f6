//! The Content-Security-Policy of the page. It is what keeps the promise that nothing leaves the browser.

/// What both forms of the page have in common. `frame-ancestors` is left out: a policy in a `<meta>` may not have it.
/// No policy of Trusted Types is allowed: the page makes elements one by one and never of markup.
const COMMON: &str = "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// For the hosted form: everything comes from the page's own origin. The import map, which binds the glue to its
/// bytes, stands in the page and is known by its hash (`sha256-…`).
pub fn hosted(import_map_hash: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' '{import_map_hash}' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'; worker-src 'self'; {COMMON}"
    )
}

/// For the single file: one script and one style, known by their hashes (`sha256-…`), and no connection at all.
pub fn single_file(script_hash: &str, style_hash: &str) -> String {
    format!(
        "default-src 'none'; script-src '{script_hash}' 'wasm-unsafe-eval'; style-src '{style_hash}'; img-src data:; \
         {COMMON}"
    )
}

/// The policy as a tag.
pub fn meta(policy: &str) -> String {
    format!(r#"<meta http-equiv="Content-Security-Policy" content="{policy}">"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of a directive, or `None` when the policy does not have it.
    fn directive<'a>(policy: &'a str, name: &str) -> Option<Vec<&'a str>> {
        policy
            .split(';')
            .map(str::split_ascii_whitespace)
            .find_map(|mut words| if words.next() == Some(name) { Some(words.collect()) } else { None })
    }

    #[test]
    fn neither_form_allows_inline_or_evaluated_script_or_any_other_host() {
        for policy in [hosted("sha256-map="), single_file("sha256-aaa=", "sha256-bbb=")] {
            assert_eq!(directive(&policy, "default-src"), Some(vec!["'none'"]));
            assert_eq!(directive(&policy, "require-trusted-types-for"), Some(vec!["'script'"]));
            assert_eq!(directive(&policy, "trusted-types"), Some(vec!["'none'"]));
            for word in ["'unsafe-inline'", "'unsafe-eval'", "http:", "https:", "*"] {
                assert!(!policy.split_ascii_whitespace().any(|w| w.trim_end_matches(';') == word), "{word}: {policy}");
            }
            assert!(!policy.contains("//"), "{policy}");
        }
    }

    #[test]
    fn the_single_file_connects_to_nothing() {
        let policy = single_file("sha256-aaa=", "sha256-bbb=");
        assert_eq!(directive(&policy, "connect-src"), None);
        assert!(!policy.contains("'self'"), "{policy}");
        assert_eq!(directive(&policy, "script-src"), Some(vec!["'sha256-aaa='", "'wasm-unsafe-eval'"]));
    }

    #[test]
    fn the_tag_holds_the_policy_as_one_attribute() {
        let policy = hosted("sha256-map=");
        assert!(!policy.contains('"'));
        assert!(meta(&policy).ends_with(&format!("content=\"{policy}\">")));
    }
}
