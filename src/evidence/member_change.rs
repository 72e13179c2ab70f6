//! What `etcdctl member add`, `remove`, `update` and `promote` answered.

use super::clean::Line;
use super::detect::{Place, Taken};
use super::fact::{Body, FlagForm, FlagSetting, Kind, MemberAction, MemberChange};
use super::json;
use crate::etcd::flags::{self, name};

/// The answers, by what stands behind the member's id.
const ANSWERS: [(&str, MemberAction); 5] = [
    ("added to cluster ", MemberAction::Added),
    ("added as learner to cluster ", MemberAction::AddedAsLearner),
    ("removed from cluster ", MemberAction::Removed),
    ("updated in cluster ", MemberAction::Updated),
    ("promoted in cluster ", MemberAction::Promoted),
];

/// The answer, and after `member add` the environment it prints for the new member: that is no member's environment
/// yet, so no reader of flags may take it.
#[must_use]
pub fn read_lines(place: &Place<'_>) -> Option<Taken> {
    let rest = place.text().trim().strip_prefix("Member ")?.trim_start();
    let (id, rest) = rest.split_once(' ')?;
    let member_id = json::hex_id(id)?;
    let (cluster, answer) = ANSWERS.iter().find_map(|(text, action)| Some((rest.strip_prefix(text)?, *action)))?;
    // etcdctl says the same of a learner; the command tells.
    let learner = answer == MemberAction::Added && place.context.parsed.words.iter().any(|w| w == "--learner");
    let action = if learner { MemberAction::AddedAsLearner } else { answer };
    let below = place.lines.get(place.at + 1..)?;
    let mut lines = 1;
    let mut environment = Vec::new();
    if matches!(action, MemberAction::Added | MemberAction::AddedAsLearner) {
        let blank = below.iter().take_while(|l| l.is_blank()).count();
        let first = place.at + 1 + blank;
        let printed = below.iter().skip(blank).enumerate().map_while(|(n, line)| printed(place, first + n, line));
        environment = printed.collect();
        if !environment.is_empty() {
            lines += blank + environment.len();
        }
    }
    let cluster_id = json::hex_id(cluster.split_whitespace().next().unwrap_or(""));
    let change = MemberChange { action, member_id, cluster_id, environment };
    let fact = place.fact(place.span(lines), Body::MemberChange(change));
    Some(place.taken(lines, Kind::MemberChange, "lines", 1, vec![fact]))
}

/// One of the four variables that `member add` prints.
fn printed(place: &Place<'_>, at: usize, line: &Line<'_>) -> Option<FlagSetting> {
    const NAMES: [&str; 4] =
        [name::NAME, name::INITIAL_CLUSTER, name::INITIAL_ADVERTISE_PEER_URLS, name::INITIAL_CLUSTER_STATE];
    let (variable, value) = line.text.trim().split_once('=')?;
    let name = NAMES.iter().find(|flag| flags::by_name(flag).is_some_and(|f| f.env == variable))?;
    let value = value.strip_prefix('"')?;
    let value = value.strip_suffix('"').unwrap_or(value);
    let mut span = place.range(at, at);
    span.focus = line.range_in_raw(line.text.trim());
    Some(FlagSetting { name: (*name).to_owned(), value: Some(value.to_owned()), form: FlagForm::Env, span })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::fact::Fact;
    use crate::evidence::paste::Paste;

    fn read(text: &str) -> Vec<MemberChange> {
        let evidence = crate::evidence::read(&[Paste::new("paste", text)]);
        assert_eq!(evidence.unread, []);
        let change = |fact: Fact| if let Body::MemberChange(change) = fact.body { Some(change) } else { None };
        evidence.facts.into_iter().filter_map(change).collect()
    }

    #[test]
    fn an_added_member_comes_with_what_it_starts_with() {
        let text = include_str!("../../tests/fixtures/captures/learner-3.5.33/01-member-add-learner.txt");
        let [change] = &read(text)[..] else { panic!("one change") };
        assert_eq!(change.action, MemberAction::Added, "the answer does not say that it is a learner");
        let with_command = format!("$ etcdctl member add m4 --learner --peer-urls=http://127.0.0.1:23821\n{text}");
        assert_eq!(read(&with_command)[0].action, MemberAction::AddedAsLearner);
        let settings: Vec<&str> = change.environment.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(settings, ["name", "initial-cluster", "initial-advertise-peer-urls", "initial-cluster-state"]);
        assert_eq!(change.environment[3].value.as_deref(), Some("existing"));
    }

    #[test]
    fn who_left_and_who_was_promoted() {
        for (file, action) in [
            (include_str!("../../tests/fixtures/captures/learner-3.5.33/19-member-remove.txt"), MemberAction::Removed),
            (include_str!("../../tests/fixtures/captures/learner-3.5.33/17-promote.txt"), MemberAction::Promoted),
        ] {
            let [change] = &read(file)[..] else { panic!("one change: {file}") };
            assert_eq!((change.action, change.cluster_id.is_some()), (action, true), "{file}");
            assert!(file.contains(&format!("{:x}", change.member_id)), "{file}");
        }
    }
}
