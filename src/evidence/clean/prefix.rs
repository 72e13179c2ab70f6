//! What loggers, pagers and terminals put around a line: journald and syslog headers, `kubectl logs --prefix`, compose,
//! quotes, line numbers, the borders of a terminal pane.

/// A line without its surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stripped<T> {
    /// What is left.
    pub text: T,
    /// The host (or pod, or service) the prefix names.
    pub host: Option<String>,
    /// Did a logger write the line? Then it is no prompt, whatever it looks like.
    pub logged: bool,
}

impl<T> Stripped<T> {
    /// The same with another form of the text.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Stripped<U> {
        Stripped { text: f(self.text), host: self.host, logged: self.logged }
    }
}

/// Takes the surroundings off.
#[must_use]
pub fn strip(text: &str) -> Stripped<&str> {
    let text = without_pane(without_end_mark(without_line_number(without_quote(text))));
    for reader in [journald, compose, pod_prefix, cri, go_test, host_before_json] {
        if let Some((host, rest)) = reader(text) {
            return Stripped { text: rest, host: host.map(str::to_owned), logged: true };
        }
    }
    Stripped { text, host: None, logged: false }
}

/// The message of a line that `journalctl -o json` writes, and its host.
#[must_use]
pub fn journal_json(raw: &str) -> Option<(String, Option<String>)> {
    let text = raw.trim();
    if !text.starts_with('{') || !text.contains("\"MESSAGE\"") || !text.contains("\"__REALTIME_TIMESTAMP\"") {
        return None;
    }
    let entry: serde_json::Value = serde_json::from_str(text).ok()?;
    let field = |key: &str| entry.get(key).and_then(serde_json::Value::as_str).map(str::to_owned);
    Some((field("MESSAGE")?, field("_HOSTNAME").filter(|host| is_host(host))))
}

/// `> ` of a quoted mail or a Markdown quote.
fn without_quote(text: &str) -> &str {
    let mut text = text;
    while let Some(rest) = text.strip_prefix("> ") {
        text = rest;
    }
    if text == ">" { "" } else { text }
}

/// The number and tab of `cat -n`.
fn without_line_number(text: &str) -> &str {
    let body = text.trim_start_matches(' ');
    let digits = body.bytes().take(9).take_while(u8::is_ascii_digit).count();
    match (digits, body.get(digits..).and_then(|r| r.strip_prefix('\t'))) {
        (1.., Some(rest)) => rest,
        _ => text,
    }
}

/// The `$` of `cat -A` behind a row or a value.
fn without_end_mark(text: &str) -> &str {
    let marked = text.strip_suffix('$').filter(|rest| rest.ends_with(['|', '+', '│', '}', ']']));
    marked.unwrap_or(text)
}

/// The right border of a terminal pane (`││`), the left border of a box of messages (`│ `).
fn without_pane(text: &str) -> &str {
    let text = match text.trim_end().strip_suffix("││") {
        Some(body) => body.trim_end(),
        None => text,
    };
    match text.trim_start().strip_prefix("│ ") {
        Some(body) if !body.contains(['│', '┃', '|']) => body,
        _ => text,
    }
}

/// `Oct 29 07:48:18 host prog[pid]: text`, one-digit days, and the ISO form of rsyslog and journalctl.
fn journald(text: &str) -> Option<(Option<&str>, &str)> {
    let text = text.trim_start();
    let after_time = classic_time(text).or_else(|| iso_time(text))?;
    let (host, rest) = after_time.strip_prefix(' ')?.split_once(' ')?;
    let (program, message) = rest.split_once(": ").or_else(|| rest.strip_suffix(':').map(|p| (p, "")))?;
    let fits = is_host(host) && !program.is_empty() && program.len() <= 80 && !program.contains(['{', '"', '=']);
    let one_word = !program.contains(' ') || program.ends_with(']');
    (fits && one_word).then_some((Some(host), message))
}

/// What follows `Oct 29 07:48:18`.
fn classic_time(text: &str) -> Option<&str> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let rest = MONTHS.iter().find_map(|m| text.strip_prefix(m))?.strip_prefix(' ')?;
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    let (day, rest) = rest.split_once(' ')?;
    let (time, _) = rest.split_once(' ')?;
    let is_day = (1..=2).contains(&day.len()) && day.bytes().all(|b| b.is_ascii_digit());
    (is_day && is_clock(time)).then(|| rest.get(time.len()..))?
}

/// What follows `2025-10-29T07:48:18.950263+00:00`.
fn iso_time(text: &str) -> Option<&str> {
    let (stamp, _) = text.split_once(' ')?;
    let (date, time) = stamp.split_once('T')?;
    let is_date = date.len() == 10 && date.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let clock = time.get(..8)?;
    (is_date && is_clock(clock)).then(|| text.get(stamp.len()..))?
}

/// `07:48:18`, with or without a fraction.
fn is_clock(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let colon = |i: usize| bytes.get(i) == Some(&b':');
    let clock = [0, 1, 3, 4, 6, 7].into_iter().all(digit) && colon(2) && colon(5);
    clock && text.get(8..).is_some_and(|f| f.is_empty() || f.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

/// `etcd1  | text` of docker compose. A row of a table without borders has more bars.
fn compose(text: &str) -> Option<(Option<&str>, &str)> {
    let (service, rest) = text.split_once(" | ")?;
    let name = service.trim_end();
    let padded = is_host(name) && name.contains(|c: char| c.is_ascii_digit() || c == '-') || name == "etcd";
    let looks_logged = rest.starts_with('{') || rest.starts_with(|c: char| c.is_ascii_digit());
    (padded && looks_logged && !rest.contains(" | ")).then_some((Some(name), rest))
}

/// `[pod/etcd-m1/etcd] text` of `kubectl logs --prefix`.
fn pod_prefix(text: &str) -> Option<(Option<&str>, &str)> {
    let (inner, rest) = text.strip_prefix("[pod/")?.split_once("] ")?;
    let pod = inner.split('/').next()?;
    is_host(pod).then_some((Some(pod), rest))
}

/// `2025-10-29T07:48:18.950263Z stderr F text` of a container runtime's file, and `kubectl logs --timestamps`.
fn cri(text: &str) -> Option<(Option<&str>, &str)> {
    let rest = iso_time(text)?.strip_prefix(' ')?;
    if let Some(rest) = rest.strip_prefix("stdout ").or_else(|| rest.strip_prefix("stderr ")) {
        return Some((None, rest.strip_prefix("F ").or_else(|| rest.strip_prefix("P "))?));
    }
    rest.starts_with("{\"").then_some((None, rest))
}

/// `    etcd_process.go:322: {…}` of a Go test.
fn go_test(text: &str) -> Option<(Option<&str>, &str)> {
    let (place, rest) = text.trim_start().split_once(": ")?;
    let (file, line) = place.split_once(".go:")?;
    let fits = rest.starts_with('{') && !file.contains(' ') && line.bytes().all(|b| b.is_ascii_digit());
    fits.then_some((None, rest))
}

/// `node-1: {"level":…}`: a host before a log line.
fn host_before_json(text: &str) -> Option<(Option<&str>, &str)> {
    let (host, rest) = text.split_once(": ")?;
    let fits = rest.starts_with("{\"level\"") && is_host(host);
    fits.then_some((Some(host), rest))
}

/// Could it be a host, pod or member? Letters, digits, dots, dashes and underscores only.
#[must_use]
pub fn is_host(text: &str) -> bool {
    (1..=253).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loggers_prefixes_go_and_the_host_stays() {
        for (line, host, text) in [
            ("Oct 29 07:48:18 dbetcd04 bash[2625]: {\"level\":\"info\"}", Some("dbetcd04"), "{\"level\":\"info\"}"),
            ("Sep  8 13:04:12 ckube-a microk8s.daemon-etcd[136524]: x: y", Some("ckube-a"), "x: y"),
            ("2025-10-29T07:48:18.950263+00:00 m1 etcd[9]: a", Some("m1"), "a"),
            ("2025-10-29T07:48:18.950263Z stderr F {\"level\":1}", None, "{\"level\":1}"),
            ("[pod/etcd-m1/etcd] {\"a\":1}", Some("etcd-m1"), "{\"a\":1}"),
            ("etcd-1  | {\"a\":1}", Some("etcd-1"), "{\"a\":1}"),
            ("    etcd_process.go:322: {\"a\":1}", None, "{\"a\":1}"),
            ("cp-1: {\"level\":\"error\"}", Some("cp-1"), "{\"level\":\"error\"}"),
        ] {
            let got = strip(line);
            assert_eq!((got.host.as_deref(), got.text, got.logged), (host, text, true), "{line}");
        }
    }

    #[test]
    fn what_is_output_stays() {
        for line in [
            "ID | STATUS | NAME",
            "| a | b |",
            "│ a │ b │",
            "2017-08-03 10:11:12.123456 E | rafthttp: failed to dial",
            "127.0.0.1:2379 is healthy: successfully committed proposal: took = 2ms",
            "member 5296f21c7ee15c60 is healthy: got healthy result from http://192.0.2.8:2379",
        ] {
            assert_eq!(strip(line), Stripped { text: line, host: None, logged: false });
        }
    }

    #[test]
    fn quotes_numbers_and_panes_go() {
        for (line, text) in [
            ("> {\"a\":1}", "{\"a\":1}"),
            ("> > a", "a"),
            ("     1\tmember a", "member a"),
            ("Error: unhealthy cluster         ││", "Error: unhealthy cluster"),
            ("│ Error: local-exec", "Error: local-exec"),
        ] {
            assert_eq!(strip(line).text, text);
        }
    }
}
