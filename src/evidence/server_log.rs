//! Log lines of a server: zap's JSON and console forms, capnslog, klog and logrus of the tools that embed etcd.

use super::detect::{Place, Taken};
use super::fact::Kind;

/// One line of a log.
#[must_use]
pub fn read_line(place: &Place<'_>) -> Option<Taken> {
    let line = place.text().trim();
    let known = is_log(line) || is_usage_error(line);
    let lines = if is_panic(line) { 1 + stack_lines(place) } else { 1 };
    known.then(|| place.taken(lines, Kind::ServerLog, "log", 0, Vec::new()))
}

/// Is it a line of a log?
#[must_use]
pub fn is_log(text: &str) -> bool {
    let line = text.trim();
    is_json(line)
        || is_console(line)
        || is_capnslog(line)
        || is_klog(line)
        || is_logrus(line)
        || is_bitnami(line)
        || is_panic(line)
}

/// How many lines of a Go stack follow.
fn stack_lines(place: &Place<'_>) -> usize {
    let below = place.lines.get(place.at + 1..).unwrap_or_default();
    let is_frame = |text: &str| {
        let call = text.contains('(') && text.ends_with(')') && !text.contains(": ");
        text.starts_with('\t') || call || text.starts_with("created by ")
    };
    below.iter().take_while(|l| l.role == super::clean::Role::Output && is_frame(&l.text)).count()
}

/// `{"level":"info",…`, also when the end of the line was cut off.
fn is_json(line: &str) -> bool {
    line.starts_with("{\"level\":\"")
}

/// `2026-11-30T11:33:46Z<tab>info<tab>caller<tab>message`
fn is_console(line: &str) -> bool {
    let mut parts = line.splitn(3, '\t');
    let time = parts.next().is_some_and(|t| t.len() >= 19 && t.as_bytes().get(10) == Some(&b'T'));
    time && parts.next().is_some_and(|level| ["debug", "info", "warn", "error", "panic", "fatal"].contains(&level))
}

/// `2017-08-03 10:11:12.123456 E | rafthttp: …`, also without its time.
fn is_capnslog(line: &str) -> bool {
    let Some((head, rest)) = line.split_once(" | ") else { return false };
    let level = head.rsplit(' ').next().unwrap_or(head);
    let dated = head.len() == level.len() || head.starts_with(|c: char| c.is_ascii_digit());
    ["C", "D", "E", "I", "N", "T", "W"].contains(&level) && dated && rest.contains(": ")
}

/// `I0110 10:11:12.345678    8123 etcd.go:420] …`
fn is_klog(line: &str) -> bool {
    let digits = line.get(1..5).is_some_and(|d| d.bytes().all(|b| b.is_ascii_digit()));
    line.starts_with(['I', 'W', 'E', 'F']) && digits && line.get(5..6) == Some(" ") && line.contains("] ")
}

/// `time="…" level=…`, `level=fatal msg=…`, `INFO[0000] …`
fn is_logrus(line: &str) -> bool {
    let short = ["INFO[", "WARN[", "ERRO[", "FATA[", "DEBU["].iter().any(|s| line.starts_with(s));
    line.starts_with("time=\"") || line.starts_with("level=") || short
}

/// `etcd 10:11:41.50 INFO  ==> …`, `[upgrade/etcd] …`, `[WARNING] …`
fn is_bitnami(line: &str) -> bool {
    let banner = line.starts_with("etcd ") && line.contains(" ==> ");
    let phase = ["[upgrade/", "[etcd]", "[kubelet-", "[control-plane", "[WARNING] ", "[preflight]"];
    banner || phase.iter().any(|p| line.starts_with(p))
}

/// A panic and the lines of its stack.
fn is_panic(line: &str) -> bool {
    let stack = line.starts_with("goroutine ") && line.ends_with(':');
    line.starts_with("panic: ") || stack || line.starts_with("[signal SIG")
}

/// What etcd prints when it refuses its own command line.
fn is_usage_error(line: &str) -> bool {
    line.starts_with("flag provided but not defined: -")
        || (line.starts_with("invalid value \"") && line.contains(" for flag -"))
}
