//! What `etcdctl member add`, `remove`, `update` and `promote` answered.

use super::detect::{Place, Taken};
use super::fact::Kind;
use super::json;
use crate::etcd::flags::{self, name};

/// The answer, and after `member add` the environment it prints for the new member: that is no member's environment
/// yet, so no reader of flags may take it.
#[must_use]
pub fn read_lines(place: &Place<'_>) -> Option<Taken> {
    let rest = place.text().trim().strip_prefix("Member ")?.trim_start();
    let (id, rest) = rest.split_once(' ')?;
    json::hex_id(id)?;
    const ANSWERS: [&str; 5] = [
        "added to cluster ",
        "added as learner to cluster ",
        "removed from cluster ",
        "updated in cluster ",
        "promoted in cluster ",
    ];
    let answer = ANSWERS.iter().find(|a| rest.starts_with(**a))?;
    let below = place.lines.get(place.at + 1..)?;
    let mut lines = 1;
    if answer.starts_with("added") {
        let blank = below.iter().take_while(|l| l.is_blank()).count();
        let printed = below.iter().skip(blank).take_while(|l| is_printed(&l.text)).count();
        if printed > 0 {
            lines += blank + printed;
        }
    }
    Some(place.taken(lines, Kind::MemberChange, "lines", 1, Vec::new()))
}

/// The four variables that `member add` prints.
fn is_printed(text: &str) -> bool {
    const NAMES: [&str; 4] =
        [name::NAME, name::INITIAL_CLUSTER, name::INITIAL_ADVERTISE_PEER_URLS, name::INITIAL_CLUSTER_STATE];
    let Some((variable, value)) = text.trim().split_once('=') else { return false };
    let known = |flag: &&str| flags::by_name(flag).is_some_and(|f| f.env == variable);
    value.starts_with('"') && NAMES.iter().any(known)
}
