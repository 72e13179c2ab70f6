//! `etcdctl member add`, `remove`, `update` and `promote`: as they were typed, and what they answered.

use super::clean::Line;
use super::detect::{Place, Taken};
use super::fact::{Body, FlagForm, FlagSetting, Kind, MemberAction, MemberChange, MemberCommand};
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

/// The flag of `member add` and `member update` with the peer URLs.
const PEER_URLS: &str = "--peer-urls";

/// The command line itself. People give etcdctl shorter names: of another program it is taken where peer URLs or a
/// member's id follow.
#[must_use]
pub fn read_command(place: &Place<'_>) -> Option<Taken> {
    let command = &place.context.parsed;
    let at = command.words.iter().position(|word| word == "member").filter(|at| *at > 0)?;
    let mut words = command.words.get(at + 1..)?.iter();
    let verb = words.next()?.as_str();
    let mut member = None;
    let mut peer_urls = Vec::new();
    let mut learner = false;
    let take = |urls: &mut Vec<String>, list: &str| {
        urls.extend(list.split(',').map(str::trim).filter(|url| !url.is_empty()).map(str::to_owned));
    };
    while let Some(word) = words.next() {
        match word.strip_prefix(PEER_URLS).map(|rest| rest.strip_prefix('=')) {
            Some(Some(list)) => take(&mut peer_urls, list),
            Some(None) => take(&mut peer_urls, words.next().map_or("", String::as_str)),
            None if word == LEARNER || word == "--learner=true" => learner = true,
            None if word.starts_with('-') => {}
            None if member.is_none() => member = Some(word.clone()),
            None => {}
        }
    }
    let action = match verb {
        "add" if learner => MemberAction::AddedAsLearner,
        "add" => MemberAction::Added,
        "remove" => MemberAction::Removed,
        "update" => MemberAction::Updated,
        "promote" => MemberAction::Promoted,
        _ => return None,
    };
    let member = member?;
    let sure = !peer_urls.is_empty() || (member.len() > 8 && json::hex_id(&member).is_some());
    if !sure && command.program() != crate::etcd::tools::ETCDCTL {
        return None;
    }
    let command = MemberCommand { action, member, peer_urls };
    let height = 1 + place.lines.iter().skip(place.at + 1).take_while(|l| l.continues).count();
    let fact = place.fact(place.span(height), Body::MemberCommand(command));
    Some(place.taken(height, Kind::MemberChange, "command", 0, vec![fact]))
}

/// The flag that makes `member add` add a learner.
const LEARNER: &str = "--learner";

/// The answer, and after `member add` the environment it prints for the new member: that is no member's environment
/// yet, so no reader of flags may take it.
#[must_use]
pub fn read_lines(place: &Place<'_>) -> Option<Taken> {
    let rest = place.text().trim().strip_prefix("Member ")?.trim_start();
    let (id, rest) = rest.split_once(' ')?;
    let member_id = json::hex_id(id)?;
    let (cluster, answer) = ANSWERS.iter().find_map(|(text, action)| Some((rest.strip_prefix(text)?, *action)))?;
    // etcdctl says the same of a learner; the command tells.
    let learner = answer == MemberAction::Added && place.context.parsed.words.iter().any(|w| w == LEARNER);
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
    fn a_command_that_was_typed_says_what_was_wanted() {
        let commands = |text: &str| {
            let evidence = crate::evidence::read(&[Paste::new("paste", text)]);
            let command = |fact: Fact| if let Body::MemberCommand(command) = fact.body { Some(command) } else { None };
            evidence.facts.into_iter().filter_map(command).collect::<Vec<_>>()
        };
        for (text, action, member, urls) in [
            (
                "$ etcdctl member add d --learner --peer-urls=https://192.0.2.44:2380",
                MemberAction::AddedAsLearner,
                "d",
                1,
            ),
            (
                "$ etcdctl --endpoints a:2379 member add d --peer-urls https://b:2380,https://c:2380",
                MemberAction::Added,
                "d",
                2,
            ),
            (
                "postgres@db1:/etcd=> eew member add x --peer-urls=http://198.51.100.53:2380",
                MemberAction::Added,
                "x",
                1,
            ),
            ("# etcdctl member remove b05fe8eef7a67341", MemberAction::Removed, "b05fe8eef7a67341", 0),
            ("$ etcdctl member promote 1e8183c723f9134c", MemberAction::Promoted, "1e8183c723f9134c", 0),
            ("$ etcdctl member update 1e81 --peer-urls=http://a:2380", MemberAction::Updated, "1e81", 1),
        ] {
            let [command] = &commands(text)[..] else { panic!("{text}") };
            assert_eq!(
                (command.action, command.member.as_str(), command.peer_urls.len()),
                (action, member, urls),
                "{text}"
            );
        }
        for text in ["$ etcdctl member list", "$ grep member add notes", "$ etcdctl member add"] {
            assert_eq!(commands(text), [], "{text}");
        }
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
