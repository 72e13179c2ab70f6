//! Log lines of a server: zap's JSON and console forms, capnslog, klog and logrus of the tools that embed etcd.

use super::detect::{Place, Taken};
use super::fact::{Body, Fact, FlagSet, FlagSource, Kind, LogEvent, ServerVersion};
use super::flags::settings_from_env;
use crate::etcd::flags::name;
use crate::etcd::log_messages;
use crate::etcd::version::Version;

/// One line of a log.
#[must_use]
pub fn read_line(place: &Place<'_>) -> Option<Taken> {
    let line = place.text().trim();
    if let Some(version) = bare_version(line) {
        let body = Body::ServerVersion(ServerVersion { server: Some(version), ..ServerVersion::default() });
        return Some(place.taken(
            1,
            Kind::ServerLog,
            "version of a log line",
            0,
            vec![place.fact(place.span(1), body)],
        ));
    }
    if let Some(taken) = environment(place) {
        return Some(taken);
    }
    let known = is_log(line) || is_usage_error(line);
    let lines = if is_panic(line) { 1 + stack_lines(place) } else { 1 };
    known.then(|| place.taken(lines, Kind::ServerLog, "log", 0, event(line, place).into_iter().collect()))
}

/// The version alone, as `grep -o` cuts it out of the line a server starts with, also counted by `uniq -c`.
fn bare_version(line: &str) -> Option<Version> {
    let bare = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let value = bare.strip_prefix("\"etcd-version\":\"")?.strip_suffix('"')?;
    value.parse().ok()
}

/// The run of lines in which the server tells the environment variables that it took flags from.
fn environment(place: &Place<'_>) -> Option<Taken> {
    let pairs = place.lines.get(place.at..)?.iter().enumerate().map_while(|(n, line)| {
        let (variable, value) = used_variable(line.text.trim())?;
        Some((variable, value, place.range(place.at + n, place.at + n)))
    });
    let pairs: Vec<_> = pairs.collect();
    let lines = pairs.len();
    let settings = settings_from_env(pairs.iter().map(|(name, value, span)| (*name, *value, span.clone())));
    if lines == 0 {
        return None;
    }
    let set = FlagSet {
        source: FlagSource::Log,
        program: None,
        member_name: settings.iter().find(|s| s.name == name::NAME).and_then(|s| s.value.clone()),
        version: place.context.log_version.clone(),
        settings,
        elsewhere: Vec::new(),
        probes: Vec::new(),
        container: None,
        complete: false,
    };
    let fact = place.fact(place.span(lines), Body::Flags(Box::new(set)));
    Some(place.taken(lines, Kind::ServerLog, "log", 0, vec![fact]))
}

/// Name and value of a variable that the server says it used.
fn used_variable(line: &str) -> Option<(&str, &str)> {
    const USED: &str = "recognized and used environment variable";
    if !line.contains(USED) {
        return None;
    }
    let at = line.find(USED).filter(|_| is_log(line))?;
    // `unrecognized and used` does not occur; a word before it would be another message.
    if line.starts_with('{') {
        return string_of(line, "variable-name").zip(string_of(line, "variable-value").or(Some("")));
    }
    line.get(at + USED.len()..)?.trim().split_once('=')
}

/// The member's name, on the line that says with what the server starts.
#[must_use]
pub fn member_name(line: &str) -> Option<&str> {
    let starts = line.contains("\"starting an etcd server\"");
    starts.then(|| string_of(line, "name")).flatten()
}

/// What the line says, when it is one of the messages worth knowing.
fn event(line: &str, place: &Place<'_>) -> Option<Fact> {
    let own_version = version(line);
    // A line that names the version is worth knowing whatever else it says.
    let message = log_messages::in_line(line).or_else(|| own_version.as_ref().and(log_messages::by_id(STARTED)))?;
    let event = LogEvent {
        message: message.id,
        version: own_version.or_else(|| place.context.log_version.clone()),
        member: string_of(line, "local-member-id").map(str::to_owned).or_else(|| place.context.log_member.clone()),
        text: text_of(line),
    };
    Some(place.fact(place.span(1), Body::Log(event)))
}

/// The row of the message with which a server says what it is.
const STARTED: &str = "server-started";

/// The server's version, on the lines that say it.
#[must_use]
pub fn version(line: &str) -> Option<Version> {
    if !line.contains("ersion") && !line.contains("Connected to etcd v") {
        return None;
    }
    const KEYS: [&str; 3] = ["etcd-version", "local-member-server-version", "current-server-version"];
    if let Some(version) = KEYS.iter().find_map(|k| string_of(line, k)) {
        return version.parse().ok();
    }
    const WORDS: [&str; 4] = ["etcd Version: ", "(current version: ", "the local etcd version ", "Connected to etcd v"];
    let rest = WORDS.iter().find_map(|words| line.split_once(words))?.1;
    rest.split([' ', ')', ',']).next()?.parse().ok()
}

/// The string under a key of a JSON line, also of one that was cut off. No escape occurs in what is looked for.
fn string_of<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    line.match_indices(key).find_map(|(at, _)| {
        let before = line.get(..at)?.ends_with('"');
        let value = line.get(at + key.len()..)?.strip_prefix('"')?.trim_start().strip_prefix(':')?;
        let value = value.trim_start().strip_prefix('"')?;
        value.split('"').next().filter(|v| before && !v.is_empty())
    })
}

/// The line's own words: message and error (or the variable it speaks of) of a JSON line, the whole line otherwise.
fn text_of(line: &str) -> String {
    let parsed: Option<serde_json::Value> = serde_json::from_str(line).ok();
    let part = |key: &str| parsed.as_ref().and_then(|v| v.get(key)).and_then(serde_json::Value::as_str);
    match (part("msg"), part("error").or_else(|| part("environment-variable"))) {
        (Some(message), Some(error)) => format!("{message}: {error}"),
        (Some(message), None) => message.to_owned(),
        _ => line.to_owned(),
    }
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
        || is_talos(line)
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
pub(super) fn is_json(line: &str) -> bool {
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

/// `tcp-1: user: warning: [2022-06-30T08:28:12Z]: [talos] service[etcd](Running): …`, from the kernel log of Talos
fn is_talos(line: &str) -> bool {
    line.split_once("[talos] ").is_some_and(|(_, rest)| rest.contains("etcd"))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::paste::Paste;

    fn events(text: &str) -> Vec<(&'static str, Option<String>, Option<String>, usize)> {
        let evidence = crate::evidence::read(&[Paste::new("log", text)]);
        assert_eq!(evidence.unread, []);
        let event = |fact: Fact| {
            let Body::Log(event) = fact.body else { panic!("{fact:?}") };
            (event.message, event.version.map(|v| v.to_string()), fact.hint.host, fact.span.first_line)
        };
        evidence.facts.into_iter().map(event).collect()
    }

    #[test]
    fn a_cut_journal_names_its_host_and_message() {
        let text = "Oct 29 07:48:18 db4 bash[2625]: {\"level\":\"panic\",\"ts\":\"x\",\"caller\":\"etcdserver/apply_v2.go:31\",\"msg\":\"detected disallowed v2 WAL for stage --v2-deprecation=wr>";
        assert_eq!(events(text), [("v2-wal-records", None, Some("db4".to_owned()), 1)]);
    }

    #[test]
    fn the_version_of_the_start_counts_for_the_lines_below() {
        let text = "{\"level\":\"info\",\"msg\":\"starting an etcd server\",\"etcd-version\":\"3.7.1\"}\n\
                    {\"level\":\"info\",\"msg\":\"something else\"}\n\
                    panic: unmarshal should never fail (proto: cannot parse invalid wire-format data)\n\n\
                    goroutine 1 [running]:\n";
        let version = || Some("3.7.1".to_owned());
        assert_eq!(events(text), [(STARTED, version(), None, 1), ("v2-entries-37", version(), None, 3)]);
    }

    #[test]
    fn variables_that_a_server_used_are_flags() {
        let text = "Mar 19 06:12:01 m1 etcd[1]: {\"level\":\"info\",\"msg\":\"recognized and used environment variable\",\"variable-name\":\"ETCD_ENABLE_V2\",\"variable-value\":\"true\"}\n\
                    2020-09-01 10:00:00.000201 I | pkg/flags: recognized and used environment variable ETCD_NAME=m1\n";
        let evidence = crate::evidence::read(&[Paste::new("log", text)]);
        let [fact] = &evidence.facts[..] else { panic!("{:?}", evidence.facts) };
        let Body::Flags(set) = &fact.body else { panic!("{fact:?}") };
        let settings: Vec<_> = set.settings.iter().map(|s| (s.name.as_str(), s.value.as_deref())).collect();
        assert_eq!(settings, [("enable-v2", Some("true")), ("name", Some("m1"))]);
        assert_eq!((set.source, set.complete, set.member_name.as_deref()), (FlagSource::Log, false, Some("m1")));
    }

    #[test]
    fn a_log_that_names_its_member_speaks_of_it() {
        let text = "{\"level\":\"info\",\"msg\":\"starting an etcd server\",\"etcd-version\":\"3.7.1\",\"name\":\"m2\"}\n\
                    panic: unmarshal should never fail (proto: cannot parse invalid wire-format data)\n";
        let evidence = crate::evidence::read(&[Paste::new("log", text)]);
        let members: Vec<_> = evidence
            .facts
            .iter()
            .filter_map(|f| if let Body::Log(event) = &f.body { Some(event.member.as_deref()) } else { None })
            .collect();
        assert_eq!(members, [Some("m2"), Some("m2")]);
    }
}
