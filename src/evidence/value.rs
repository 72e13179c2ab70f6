//! Values as etcd prints them: sizes, errors, ids.

/// A size as etcdctl prints it, in bytes: `25 kB` and `2.1 GB` are powers of 1000, `20 MiB` of 1024. Rounded to two or
/// three digits. `None` when it is no size.
#[must_use]
pub fn size(text: &str) -> Option<u64> {
    // `2.0 MB (44.99%)`
    let text = text.split('(').next().unwrap_or(text).trim();
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at_checked(at)?;
    let factor: u64 = match unit.trim() {
        "B" => 1,
        "kB" | "KB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "TB" => 1_000_000_000_000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "TiB" => 1 << 40,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.len() > 7 || fraction.len() > 3 {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let parts = 10_u64.pow(u32::try_from(fraction.len()).ok()?);
    let fraction: u64 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    Some(whole * factor + fraction * factor / parts)
}

/// The errors a server reported, from the column or the list they are printed in. They are joined by `, ` in simple
/// and table form, by a blank in the form fields; alarms hold a blank themselves, one or two.
#[must_use]
pub fn errors(text: &str) -> Vec<String> {
    let mut errors: Vec<String> = Vec::new();
    for part in text.split(", ") {
        let mut current = String::new();
        for word in part.split_whitespace() {
            let starts = word.starts_with("memberID:") || word.starts_with("etcdserver:");
            if starts && !current.is_empty() {
                errors.push(std::mem::take(&mut current));
            }
            if !current.is_empty() {
                current.push(' ');
            }
            current.push_str(word.trim_end_matches(','));
        }
        if !current.is_empty() {
            errors.push(current);
        }
    }
    errors
}

/// An id of the form fields: decimal, or hex with `--hex`.
#[must_use]
pub fn decimal_or_hex(text: &str) -> Option<u64> {
    text.parse().ok().or_else(|| super::json::hex_id(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_unit() {
        for (text, bytes) in [
            ("25 kB", Some(25_000)),
            ("2.1 GB", Some(2_100_000_000)),
            ("20 MiB", Some(20_971_520)),
            ("0 B", Some(0)),
            ("2.0 MB (44.99%)", Some(2_000_000)),
            ("3.5.33", None),
            ("true", None),
            ("", None),
            ("99999999999 GB", None),
        ] {
            assert_eq!(size(text), bytes, "{text}");
        }
    }

    #[test]
    fn errors_are_parted_in_every_form() {
        let want = vec!["etcdserver: no leader".to_owned(), "memberID:159 alarm:NOSPACE".to_owned()];
        for text in [
            "etcdserver: no leader, memberID:159 alarm:NOSPACE ",
            "etcdserver: no leader memberID:159 alarm:NOSPACE ",
            "etcdserver: no leader, memberID:159  alarm:NOSPACE",
        ] {
            assert_eq!(errors(text), want, "{text}");
        }
        assert!(errors("").is_empty());
    }
}
