//! An excerpt of GET `/metrics`.

use super::detect::{Place, Taken};
use super::fact::{Body, Kind, ServerVersion};
use super::version::endpoint;

/// The lines of an excerpt that follow each other; the versions in it.
#[must_use]
pub fn read_lines(place: &Place<'_>) -> Option<Taken> {
    let lines = place.lines.get(place.at..)?;
    let taken = lines.iter().take_while(|l| is_sample(&l.text) || is_comment(&l.text)).count();
    if taken == 0 {
        return None;
    }
    let mut version = ServerVersion { endpoint: endpoint(place), ..ServerVersion::default() };
    let (mut first, mut last) = (None, place.at);
    for (offset, line) in lines.iter().take(taken).enumerate() {
        let server = label(&line.text, "etcd_server_version", "server_version");
        let cluster = label(&line.text, "etcd_cluster_version", "cluster_version");
        let storage = label(&line.text, "etcd_storage_version", "storage_version");
        if server.or(cluster).or(storage).is_some() {
            first = first.or(Some(place.at + offset));
            last = place.at + offset;
        }
        version.server = server.and_then(|v| v.parse().ok()).or(version.server);
        version.cluster = cluster.and_then(|v| v.parse().ok()).or(version.cluster);
        version.storage = storage.and_then(|v| v.parse().ok()).or(version.storage);
    }
    let facts = first.map(|first| place.fact(place.range(first, last), Body::ServerVersion(version)));
    Some(place.taken(taken, Kind::Metrics, "lines", 0, facts.into_iter().collect()))
}

/// `# HELP name …`, `# TYPE name …`
fn is_comment(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("# HELP ") || text.starts_with("# TYPE ")
}

/// `name{label="value"} 1` of a metric that etcd serves.
fn is_sample(text: &str) -> bool {
    let text = text.trim();
    const FAMILIES: [&str; 6] = ["etcd_", "grpc_server_", "go_", "process_", "promhttp_", "os_fd_"];
    if !FAMILIES.iter().any(|f| text.starts_with(f)) {
        return false;
    }
    let Some((name, value)) = text.rsplit_once(' ') else { return false };
    is_number(value) && !name.split('{').next().unwrap_or(name).trim().contains(' ')
}

/// The label of the sample that is set (1) of this metric.
fn label<'t>(text: &'t str, metric: &str, name: &str) -> Option<&'t str> {
    let rest = text.trim().strip_prefix(metric)?.strip_prefix('{')?;
    let (labels, value) = rest.rsplit_once("} ")?;
    let (_, after) = labels.split_once(name)?;
    let value_text = after.strip_prefix("=\"")?.split('"').next()?;
    let value = value.trim();
    (is_number(value) && !value.starts_with(['0', '-', '+', 'N'])).then_some(value_text)
}

/// A sample's value: figures with at most a sign, a point and an exponent, or the words for what is no figure. Not
/// parsed as a float: the tables for that are a twentieth of the page's first load, and no value is reckoned with.
fn is_number(text: &str) -> bool {
    let figures = text.trim_start_matches(['+', '-']);
    matches!(figures, "NaN" | "Inf")
        || (figures.starts_with(|c: char| c.is_ascii_digit())
            && figures.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-')))
}
