//! Finds in a text what is not to be seen: by its form (addresses, ids, tokens) and by where it stands (behind a
//! scheme, an at sign, the name of a setting). Each pass is linear in the text.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::{Found, Kind};
use crate::etcd::sources;

/// Looks through a text.
pub(super) fn in_text(text: &str, found: &mut Found) {
    let words = words(text);
    for (at, &(start, word)) in words.iter().enumerate() {
        by_form(word, found);
        by_place(text, start, word, at.checked_sub(1).and_then(|at| words.get(at)).copied(), found);
    }
    v6(text, found);
    text.lines().for_each(|line| in_log_line(line, found));
}

/// The words of a text with their places: letters, digits, and the signs inside of names and numbers.
fn words(text: &str) -> Vec<(usize, &str)> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, inside(c)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let raw = text.get(from..at).unwrap_or("");
                let word = raw.trim_start_matches(['.', '-', '_']);
                words.push((from + raw.len() - word.len(), word.trim_end_matches(['.', '-', '_'])));
                start = None;
            }
            _ => {}
        }
    }
    words.retain(|(_, word)| !word.is_empty());
    words
}

/// What its form gives away.
fn by_form(word: &str, found: &mut Found) {
    if word.parse::<Ipv4Addr>().is_ok() {
        found.add(Kind::V4, word);
        return;
    }
    if is_uuid(word) {
        found.add(Kind::Token, word);
        return;
    }
    if has_domain(word) {
        host(word, found);
        return;
    }
    if is_disk_file(word) {
        return;
    }
    for part in word.split(['.', '-', '_']) {
        let digits = part.bytes().all(|b| b.is_ascii_digit());
        let hex = part.bytes().all(|b| b.is_ascii_hexdigit());
        match part.len() {
            // Sixteen digits of a number are more than any revision or size; of an id in hex they are all there are.
            12..=20 if digits && part.len() >= 16 => {
                if let Ok(id) = part.parse() {
                    found.id(id);
                }
                if let (16, Ok(id)) = (part.len(), u64::from_str_radix(part, 16)) {
                    found.id(id);
                }
            }
            12..=16 if hex && !digits && !part.starts_with("0000") => {
                if let Ok(id) = u64::from_str_radix(part, 16) {
                    found.id(id);
                }
            }
            24.. if hex => found.add(Kind::Token, part),
            32.. if is_mixed(part) => found.add(Kind::Token, part),
            _ => {}
        }
    }
    if word.starts_with("eyJ") && word.len() > 40 {
        found.add(Kind::Token, word);
    }
}

/// What stands before or behind it gives away.
fn by_place(text: &str, start: usize, word: &str, before: Option<(usize, &str)>, found: &mut Found) {
    let head = text.get(..start).unwrap_or("");
    let tail = text.get(start + word.len()..).unwrap_or("");
    if head.ends_with("://") {
        if tail.starts_with('@') || (tail.starts_with(':') && credentials(tail)) {
            found.add(Kind::User, word);
            if let Some((secret, _)) = tail.strip_prefix(':').and_then(|rest| rest.split_once('@')) {
                found.add(Kind::Token, secret);
            }
        } else {
            host(word, found);
        }
    } else if head.ends_with('@') && !tail.starts_with(':') | prompt_or_path(tail) {
        // A digest of an image and an instance of a unit stand behind this sign too.
        if word != "sha256" && !word.ends_with(".service") && before.is_some() {
            host(word, found);
        }
    } else if tail.starts_with('@') && before_host(tail) {
        found.add(Kind::User, word);
    } else if has_etcd_port(tail) && word.bytes().any(|b| b.is_ascii_alphabetic()) {
        host(word, found);
    }
    if let Some(rest) = tail.strip_prefix('=').map(|rest| rest.trim_start_matches(['"', '\''])) {
        // `m1=https://…` in a list of members; a setting that takes a URL looks the same but for its own name.
        let setting = head.ends_with('-') || word.to_ascii_lowercase().ends_with("urls") || is_variable(word);
        if !setting
            && (rest.starts_with("http://") || rest.starts_with("https://"))
            && is_name(word)
            && !is_setting(word)
        {
            found.add(Kind::Member, word);
        }
    }
    if head.ends_with("/home/") {
        found.add(Kind::User, word);
    }
    let Some((key_at, key)) = before else { return };
    let between = text.get(key_at + key.len()..start).unwrap_or("");
    if is_assignment(between) {
        by_key(key, head.get(..key_at).unwrap_or(head), between, value(text, start, word), found);
    }
}

/// `KEY=word`, `KEY: word`, `"KEY":"word"`, `--KEY word`.
fn by_key(key: &str, head: &str, between: &str, word: &str, found: &mut Found) {
    let lower = key.to_ascii_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| lower.ends_with(end));
    let is_flag = head.ends_with("--");
    let sure = between.contains(['=', ':']);
    if ends(&["token", "password", "passwd", "secret"]) && (sure || is_flag) {
        found.add(Kind::Token, word);
    } else if ends(&["nodename", "hostname", "node-name", "node_name"]) && (sure || is_flag) {
        host(word, found);
    } else if (ends(&["etcd_name", "peer-name", "member-name"]) && sure)
        || (lower == "name" && (is_flag || between == "=") && is_name(word))
    {
        found.add(Kind::Member, word);
    }
}

/// The value that begins with this word: up to a blank, a quote or a comma.
fn value<'a>(text: &'a str, start: usize, word: &'a str) -> &'a str {
    let rest = text.get(start..).unwrap_or(word);
    let end =
        rest.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '}' | ')' | '\\' | '|' | ';' | '`'));
    rest.get(..end.unwrap_or(rest.len())).unwrap_or(word)
}

fn is_assignment(between: &str) -> bool {
    !between.is_empty()
        && between.len() <= 6
        && between.chars().all(|c| matches!(c, '=' | ':' | ' ' | '"' | '\''))
        && between.matches([':', '=']).count() <= 1
}

/// `Nov 30 21:40:00 HOST etcd[1]: …` and `2026-11-30T21:40:00+00:00 HOST etcd[1]: …`
fn in_log_line(line: &str, found: &mut Found) {
    let mut words = line.split_ascii_whitespace();
    let first = words.next().unwrap_or("");
    let bytes = first.as_bytes();
    let month = bytes.len() == 3 && bytes.iter().all(u8::is_ascii_alphabetic);
    let stamp = bytes.get(4) == Some(&b'-') && first.contains('T') && first.contains(':');
    if month {
        let (day, time) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        if day.parse::<u8>().is_err() || !time.contains(':') {
            return;
        }
    } else if !stamp {
        return;
    }
    let (Some(name), Some(process)) = (words.next(), words.next()) else { return };
    let process = process.strip_suffix(':').and_then(|p| p.strip_suffix(']')).and_then(|p| p.split_once('['));
    if process.is_some() && is_name(name) {
        host(name, found);
    }
}

fn v6(text: &str, found: &mut Found) {
    let inside = |c: char| c.is_ascii_hexdigit() || c == ':' || c == '.';
    for run in text.split(|c: char| !inside(c)) {
        let address = run.trim_end_matches('.');
        let address = if address.ends_with("::") { address } else { address.trim_end_matches(':') };
        if address.matches(':').count() < 2 {
            continue;
        }
        if address.parse::<Ipv6Addr>().is_ok_and(|ip| !ip.is_loopback() && !ip.is_unspecified()) {
            found.add(Kind::V6, address);
        }
    }
}

/// A host, and the domain it is in.
fn host(word: &str, found: &mut Found) {
    if word.parse::<Ipv4Addr>().is_ok() {
        found.add(Kind::V4, word);
        return;
    }
    if !is_name(word) || is_public(word) || is_disk_file(word) || (word.contains('.') && is_file(word)) {
        return;
    }
    found.add(Kind::Host, word);
    if let Some((_, domain)) = word.split_once('.')
        && domain.contains('.')
        && !is_public(domain)
    {
        found.add(Kind::Host, domain);
    }
}

/// Does it end as names in the Domain Name System do?
fn has_domain(word: &str) -> bool {
    let Some((rest, last)) = word.rsplit_once('.') else { return false };
    let last = last.to_ascii_lowercase();
    let country = last.len() == 2 && last.bytes().all(|b| b.is_ascii_lowercase()) && !FILES.contains(&last.as_str());
    (DOMAINS.contains(&last.as_str()) || country) && rest.bytes().any(|b| b.is_ascii_alphabetic()) && !is_public(word)
}

const DOMAINS: [&str; 24] = [
    "local",
    "internal",
    "intern",
    "lan",
    "corp",
    "home",
    "localdomain",
    "arpa",
    "example",
    "test",
    "invalid",
    "com",
    "net",
    "org",
    "info",
    "biz",
    "gov",
    "edu",
    "mil",
    "int",
    "cloud",
    "dev",
    "app",
    "site",
];

/// Two letters at the end of a file name that are a country too.
const FILES: [&str; 13] = ["sh", "py", "go", "md", "js", "gz", "so", "db", "rs", "rc", "pl", "ps", "cc"];

fn is_file(word: &str) -> bool {
    let last = word.rsplit('.').next().unwrap_or("");
    FILES.contains(&last)
        || [
            "service", "socket", "timer", "yaml", "yml", "json", "txt", "log", "conf", "crt", "key", "pem", "snap",
            "wal", "tmp", "bak",
        ]
        .contains(&last)
}

/// Names of disk snapshots and WAL files hold terms and indices, no ids.
fn is_disk_file(word: &str) -> bool {
    word.ends_with(".snap") || word.ends_with(".wal") || word.ends_with(".snap.db")
}

/// Hosts that anybody may know: those of documents and of etcd's images.
fn is_public(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let at_or_below = |host: &str| word == host || word.strip_suffix(host).is_some_and(|rest| rest.ends_with('.'));
    let inside = ["svc.cluster.local", "cluster.local"].contains(&word.as_str());
    let known = ["quay.io", "gcr.io", "k8s.io", "docker.io", "kubernetes.io", "coreos.com", "k3s.io", "rke2.io"];
    let of_source = |url: &str| {
        let host = url.split_once("://").and_then(|(_, rest)| rest.split('/').next()).unwrap_or("");
        !host.is_empty() && at_or_below(host)
    };
    inside || known.into_iter().any(at_or_below) || sources::all().iter().filter_map(|s| s.url).any(of_source)
}

fn is_uuid(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| part.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Small and large letters and digits in one: base64, not prose.
fn is_mixed(part: &str) -> bool {
    let bytes = || part.bytes();
    bytes().any(|b| b.is_ascii_lowercase())
        && bytes().any(|b| b.is_ascii_uppercase())
        && bytes().filter(u8::is_ascii_digit).count() >= 3
}

/// `:2379`, `:12380` and so on, and the API server's.
fn has_etcd_port(tail: &str) -> bool {
    let Some(rest) = tail.strip_prefix(':') else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let port = rest.get(..digits).unwrap_or("");
    let ends = ["2379", "2380", "2381", "2382", "2390", "6443"].iter().any(|end| port.ends_with(end));
    digits <= 5 && ends && !rest.get(digits..).is_some_and(|after| after.starts_with(['.', ':']))
}

/// `user:password@` in a URL, before its path.
fn credentials(tail: &str) -> bool {
    let end = tail.find(['/', ' ', '"', '\'', '\n']).unwrap_or(tail.len());
    tail.get(..end).is_some_and(|authority| authority.contains('@'))
}

fn before_host(tail: &str) -> bool {
    tail.strip_prefix('@').and_then(|rest| rest.chars().next()).is_some_and(char::is_alphanumeric)
}

fn prompt_or_path(tail: &str) -> bool {
    tail.starts_with(":~") || tail.starts_with(":/") || tail.starts_with(":$") || tail.starts_with(": ")
}

fn is_variable(word: &str) -> bool {
    word.contains('_') && word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

fn is_setting(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    ["endpoint", "endpoints", "url", "proxy", "server", "servers", "addr"].iter().any(|end| lower.ends_with(end))
        || crate::etcd::flags::by_name(&lower).is_some()
}

/// Can it be a name at all? Versions, short numbers and settings can not.
pub(super) fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_alphanumeric)
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'))
        && !tells_nothing(word)
}

/// Replacing it would hide nothing and could break a sentence or a reading.
pub(super) fn tells_nothing(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let version = lower
        .trim_start_matches('v')
        .split('.')
        .all(|part| !part.is_empty() && part.len() < 4 && part.bytes().all(|b| b.is_ascii_digit()));
    let is_address = text.parse::<Ipv4Addr>();
    if let Ok(ip) = is_address {
        return ip.is_loopback() || ip.is_unspecified() || ip.is_broadcast();
    }
    let number = text.len() < 5 && text.bytes().all(|b| b.is_ascii_digit());
    version || number || text.starts_with('$') || is_plain(&lower) || is_masked(text)
}

/// A value that the collect script or a person masked already.
fn is_masked(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '*' | 'x' | 'X' | '•' | '.' | '…'))
        || text.starts_with('<')
        || text.starts_with("(masked")
}

/// Words of etcd's own and of its surroundings, alone or numbered by nobody.
pub(super) fn is_plain(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    PLAIN.contains(&lower.as_str()) || (lower.len() < 4 && lower.bytes().all(|b| b.is_ascii_digit()))
}

const PLAIN: [&str; 92] = [
    "admin",
    "alarm",
    "alarms",
    "apiserver",
    "backup",
    "check",
    "cfg",
    "client",
    "cluster",
    "compose",
    "conf",
    "config",
    "control",
    "core",
    "data",
    "default",
    "docker",
    "endpoint",
    "endpoints",
    "env",
    "error",
    "etcd",
    "etcd-cluster",
    "etcdctl",
    "etcdutl",
    "existing",
    "false",
    "file",
    "flags",
    "follower",
    "from",
    "grpc",
    "hashkv",
    "health",
    "host",
    "http",
    "https",
    "id",
    "info",
    "infra",
    "is",
    "json",
    "kube",
    "kubelet",
    "kubernetes",
    "leader",
    "learner",
    "list",
    "localhost",
    "log",
    "manifest",
    "master",
    "member",
    "members",
    "metrics",
    "name",
    "new",
    "no",
    "node",
    "none",
    "null",
    "of",
    "on",
    "out",
    "output",
    "paste",
    "path",
    "peer",
    "pod",
    "ps",
    "revision",
    "root",
    "server",
    "service",
    "snapshot",
    "static",
    "status",
    "stdin",
    "sudo",
    "systemd",
    "target",
    "test",
    "the",
    "to",
    "token",
    "true",
    "txt",
    "unit",
    "v2store",
    "version",
    "worker",
    "yaml",
];
