//! Hashes by which the browser knows a file or a script again.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256, Sha384};

/// For `integrity` attributes and `fetch`.
pub fn sha384(bytes: &[u8]) -> String {
    format!("sha384-{}", STANDARD.encode(Sha384::digest(bytes)))
}

/// For the name of a file, which then changes with its content: sixteen hexadecimal digits.
pub fn in_name(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// For inline scripts and styles in a Content-Security-Policy.
pub fn sha256(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf abc | openssl dgst -sha384 -binary | base64`, and the same with `-sha256`.
    #[test]
    fn hashes_are_those_of_openssl() {
        assert_eq!(sha384(b"abc"), "sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn");
        assert_eq!(sha256("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
        assert_eq!(in_name(b"abc"), "ba7816bf8f01cfea");
    }
}
