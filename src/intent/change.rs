//! A change of members: what is wanted, as the person says it, else as the pastes show it.

use crate::cluster::{Cluster, Member};
use crate::etcd::flags::name;
use crate::evidence::answers::{AnswerKey, Answers};
use crate::evidence::change::Change;
use crate::evidence::fact::{MemberAction, MemberChange, MemberCommand, Seen, Span};

/// A member that comes in, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Newcomer {
    /// Its name.
    pub name: Option<String>,
    /// Its peer URL.
    pub peer_url: Option<String>,
    /// Its id, once `member add` gave it one.
    pub id: Option<u64>,
    /// Was it added as a learner, where `member add` shows it?
    pub as_learner: Option<bool>,
}

impl Newcomer {
    /// Is this member of the cluster the newcomer?
    #[must_use]
    pub fn is(&self, member: &Member) -> bool {
        let same_url = |url: &String| {
            member.peer_urls.iter().any(|known| known.trim_end_matches('/') == url.trim_end_matches('/'))
        };
        (self.id.is_some() && self.id == member.id)
            || (self.name.is_some() && self.name == member.name)
            || self.peer_url.as_ref().is_some_and(same_url)
    }
}

/// Where it is known from what is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The person said it.
    Said,
    /// A command or its answer was pasted.
    Typed(Span),
    /// Nobody said it: the cluster stands in the middle of a change.
    Open(Span),
}

/// The change that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The change.
    pub change: Change,
    /// Who comes in, in order; fewer than the change takes where they were not all said.
    pub newcomers: Vec<Newcomer>,
    /// Where it is known from.
    pub origin: Origin,
}

impl Wanted {
    /// As the person said it, else as the newest command or answer shows it, else what the cluster is in the middle of.
    #[must_use]
    pub fn of(cluster: &Cluster, answers: &Answers) -> Option<Self> {
        said(cluster, answers).or_else(|| typed(cluster)).or_else(|| open(cluster))
    }
}

fn said(cluster: &Cluster, answers: &Answers) -> Option<Wanted> {
    let change = answers.change()?;
    let list = |key| {
        let values = answers.get(key).unwrap_or_default().split(',').map(str::trim);
        values.map(|value| (!value.is_empty()).then(|| value.to_owned())).collect::<Vec<_>>()
    };
    let (names, urls) = (list(AnswerKey::NewName), list(AnswerKey::NewPeerUrl));
    let mut newcomers: Vec<Newcomer> = (0..names.len().max(urls.len()))
        .map(|at| Newcomer {
            name: names.get(at).cloned().flatten(),
            peer_url: urls.get(at).cloned().flatten(),
            ..Newcomer::default()
        })
        .filter(|newcomer| newcomer.name.is_some() || newcomer.peer_url.is_some())
        .collect();
    if let Some(added) = change.adds().then(|| added_last(cluster)).flatten() {
        if newcomers.is_empty() {
            newcomers.push(added);
        } else if let Some(newcomer) = newcomers.iter_mut().find(|n| agrees(n, &added)) {
            newcomer.id = added.id;
            newcomer.as_learner = added.as_learner;
            newcomer.name = newcomer.name.take().or(added.name);
            newcomer.peer_url = newcomer.peer_url.take().or(added.peer_url);
        }
    }
    if newcomers.is_empty() && change.adds() {
        newcomers.extend(half_way(cluster).map(newcomer_of));
    }
    Some(Wanted { change, newcomers, origin: Origin::Said })
}

fn agrees(said: &Newcomer, added: &Newcomer) -> bool {
    (said.name.is_some() && said.name == added.name) || (said.peer_url.is_some() && said.peer_url == added.peer_url)
}

/// The member that the newest `member add` brought in.
fn added_last(cluster: &Cluster) -> Option<Newcomer> {
    let answers = cluster.member_changes.iter().rev();
    answers.map(|seen| &seen.value).find(|change| is_add(change.action)).map(|change| newcomer_added(cluster, change))
}

fn is_add(action: MemberAction) -> bool {
    matches!(action, MemberAction::Added | MemberAction::AddedAsLearner)
}

fn newcomer_added(cluster: &Cluster, change: &MemberChange) -> Newcomer {
    let printed = |flag: &str| {
        let setting = change.environment.iter().find(|setting| setting.name == flag)?;
        setting.value.clone().filter(|value| !value.is_empty())
    };
    // The answer itself says the id only; the command above it says the rest.
    let typed = cluster.member_commands.iter().map(|seen| &seen.value).rev().find(|command| is_add(command.action));
    let typed = typed.filter(|command| printed(name::NAME).is_none_or(|name| name == command.member));
    Newcomer {
        name: printed(name::NAME).or_else(|| typed.map(|command| command.member.clone())),
        peer_url: printed(name::INITIAL_ADVERTISE_PEER_URLS)
            .and_then(|urls| urls.split(',').next().map(str::to_owned))
            .or_else(|| typed.and_then(|command| command.peer_urls.first().cloned())),
        id: Some(change.member_id),
        as_learner: (change.action == MemberAction::AddedAsLearner).then_some(true),
    }
}

/// The newest command or answer that changes who is a member.
fn typed(cluster: &Cluster) -> Option<Wanted> {
    let place = |span: &Span| (span.paste, span.first_line);
    let answer = cluster.member_changes.iter().rfind(|seen| seen.value.action != MemberAction::Updated);
    let command = cluster.member_commands.iter().rfind(|seen| seen.value.action != MemberAction::Updated);
    let answered = match (answer, command) {
        (Some(answer), Some(command)) => place(&answer.span) > place(&command.span),
        (answer, _) => answer.is_some(),
    };
    if answered { of_answer(cluster, answer?) } else { of_command(cluster, command?) }
}

fn of_answer(cluster: &Cluster, answer: &Seen<MemberChange>) -> Option<Wanted> {
    let id = format!("{:x}", answer.value.member_id);
    let mut newcomers = Vec::new();
    let change = match answer.value.action {
        MemberAction::Added | MemberAction::AddedAsLearner => {
            newcomers.push(newcomer_added(cluster, &answer.value));
            Change::AddVoter
        }
        MemberAction::Removed => Change::Remove(id),
        MemberAction::Promoted => Change::Promote(id),
        MemberAction::Updated => return None,
    };
    Some(Wanted { change, newcomers, origin: Origin::Typed(answer.span.clone()) })
}

fn of_command(cluster: &Cluster, command: &Seen<MemberCommand>) -> Option<Wanted> {
    let MemberCommand { action, member, peer_urls } = &command.value;
    let mut newcomers = Vec::new();
    let change = match action {
        MemberAction::Added | MemberAction::AddedAsLearner => {
            let newcomer =
                Newcomer { name: Some(member.clone()), peer_url: peer_urls.first().cloned(), ..Newcomer::default() };
            // Typed once more after it was taken: it is the member that is there already.
            let known = cluster.members.iter().find(|known| newcomer.is(known) && known.name.is_none());
            newcomers.push(Newcomer { id: known.and_then(|known| known.id), ..newcomer });
            Change::AddVoter
        }
        MemberAction::Removed => Change::Remove(member.clone()),
        MemberAction::Promoted => Change::Promote(member.clone()),
        MemberAction::Updated => return None,
    };
    Some(Wanted { change, newcomers, origin: Origin::Typed(command.span.clone()) })
}

/// The members that a change was begun with and not finished: never started, or learners.
pub fn half_way(cluster: &Cluster) -> impl Iterator<Item = &Member> {
    cluster.members.iter().filter(|member| {
        member.is_learner() == Some(true) || member.listed.as_ref().is_some_and(|row| !row.value.started)
    })
}

fn newcomer_of(member: &Member) -> Newcomer {
    Newcomer {
        name: member.name.clone(),
        peer_url: member.peer_urls.first().cloned(),
        id: member.id,
        as_learner: member.is_learner(),
    }
}

/// What the cluster is in the middle of, where nobody said what is wanted.
fn open(cluster: &Cluster) -> Option<Wanted> {
    let member = half_way(cluster).next()?;
    let span = member.listed.as_ref().map(|row| &row.span).or(member.status.as_ref().map(|status| &status.span))?;
    let started = member.listed.as_ref().is_none_or(|row| row.value.started);
    let learner = member.is_learner() == Some(true);
    let (change, newcomers) = match (learner && started, member.id) {
        (true, Some(id)) => (Change::Promote(format!("{id:x}")), Vec::new()),
        _ => (Change::AddVoter, vec![newcomer_of(member)]),
    };
    Some(Wanted { change, newcomers, origin: Origin::Open(span.clone()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::merge;
    use crate::evidence::paste::Paste;

    fn wanted_of(texts: &[&str], answers: &[&str]) -> Option<Wanted> {
        let pastes: Vec<Paste> = texts.iter().enumerate().map(|(n, text)| Paste::new(n.to_string(), *text)).collect();
        let mut given = Answers::new();
        answers.iter().for_each(|answer| given.take(answer).unwrap());
        Wanted::of(&merge(&crate::evidence::read(&pastes)), &given)
    }

    const ADDED: &str = include_str!("../../tests/fixtures/captures/learner-3.5.33/01-member-add-learner.txt");
    const LIST: &str =
        include_str!("../../tests/fixtures/captures/learner-3.5.33/03-before-start-member-list-table.txt");

    #[test]
    fn what_member_add_printed_is_the_change_under_way() {
        let wanted = wanted_of(&[ADDED], &[]).unwrap();
        assert_eq!(wanted.change, Change::AddVoter);
        let newcomer = &wanted.newcomers[0];
        assert_eq!(newcomer.name.as_deref(), Some("m4"));
        assert_eq!(newcomer.peer_url.as_deref(), Some("http://127.0.0.1:23821"));
        assert_eq!(newcomer.id, Some(0x1e81_83c7_23f9_134c));
        assert!(matches!(wanted.origin, Origin::Typed(_)));
    }

    #[test]
    fn what_the_person_says_wins_and_takes_the_newcomer_from_what_was_printed() {
        let wanted = wanted_of(&[ADDED, LIST], &["change=replace=m2"]).unwrap();
        assert_eq!((wanted.change, wanted.origin), (Change::Replace("m2".to_owned()), Origin::Said));
        assert_eq!(wanted.newcomers[0].name.as_deref(), Some("m4"));
        let other = wanted_of(&[ADDED], &["change=replace=m2", "new-name=m5"]).unwrap();
        assert_eq!((other.newcomers.len(), other.newcomers[0].id), (1, None), "m5 is not the one that was added");
    }

    #[test]
    fn a_command_after_an_answer_is_what_is_wanted_next() {
        let text = "$ etcdctl member add m2 --peer-urls=http://192.0.2.82:2380\n\
                    Member 5e03e15ce702fa03 added to cluster 511a7f5ea0a61c62\n\
                    $ etcdctl member add m3 --peer-urls=http://192.0.2.83:2380\n";
        let wanted = wanted_of(&[text], &[]).unwrap();
        assert_eq!(wanted.newcomers[0].name.as_deref(), Some("m3"));
        let removed = wanted_of(&["$ etcdctl member remove b05fe8eef7a67341\n"], &[]).unwrap();
        assert_eq!(removed.change, Change::Remove("b05fe8eef7a67341".to_owned()));
    }

    #[test]
    fn a_cluster_in_the_middle_of_a_change_says_which() {
        let wanted = wanted_of(&[LIST], &[]).unwrap();
        assert_eq!(wanted.change, Change::AddVoter);
        assert!(matches!(wanted.origin, Origin::Open(_)));
        let healthy = include_str!("../../tests/fixtures/captures/healthy-3.5.33/14-member-list-simple.txt");
        assert_eq!(wanted_of(&[healthy], &[]), None);
    }
}
