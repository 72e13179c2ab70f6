//! The commands that answer gates, one function a kind of evidence, so that gates that need the same ask the same and
//! the report can merge their asks.

use super::finding::Ask;
use super::question::Question;

/// The name under which a backup snapshot is saved.
const BACKUP: &str = "backup.db";

/// Ask for `endpoint status` of all members.
#[must_use]
pub fn status(question: &Question<'_>) -> Ask {
    once(question.commands.status())
}

/// Ask for `endpoint health` of all members.
#[must_use]
pub fn health(question: &Question<'_>) -> Ask {
    once(question.commands.health())
}

/// Ask for `member list`.
#[must_use]
pub fn member_list(question: &Question<'_>) -> Ask {
    once(question.commands.member_list())
}

/// Ask for the member list of the one cluster that is meant.
#[must_use]
pub fn one_member_list() -> Ask {
    Ask::Choose("Paste the member list and the status of one cluster only.".to_owned())
}

/// Ask for `alarm list`.
#[must_use]
pub fn alarm_list(question: &Question<'_>) -> Ask {
    once(question.commands.alarm_list())
}

/// Ask for the flags of these members; of any member when none is named.
#[must_use]
pub fn flags(question: &Question<'_>, members: &[usize]) -> Vec<Ask> {
    each(question, members, |member| question.commands.show_flags(member))
}

/// Ask for `check v2store` of these members; of any member when none is named.
#[must_use]
pub fn check_v2store(question: &Question<'_>, members: &[usize]) -> Vec<Ask> {
    each(question, members, |member| question.commands.check_v2store_of_copy(member).join("\n"))
}

/// The commands that check the v2 store of these members again, as part of a remedy.
#[must_use]
pub fn check_v2store_again(question: &Question<'_>, members: &[usize]) -> Vec<String> {
    let of = |member| question.commands.check_v2store_of_copy(member);
    if members.is_empty() { of(None) } else { members.iter().flat_map(|m| of(Some(*m))).collect() }
}

/// Ask for the disk snapshots of these members; of any member when none is named.
#[must_use]
pub fn disk_snapshots(question: &Question<'_>, members: &[usize]) -> Vec<Ask> {
    each(question, members, |member| question.commands.list_disk_snapshots(member))
}

/// Ask for a backup snapshot to be saved.
#[must_use]
pub fn snapshot_save(question: &Question<'_>) -> Ask {
    once(question.commands.snapshot_save(None, BACKUP))
}

/// Ask for `snapshot status` of the backup snapshot.
#[must_use]
pub fn snapshot_status(question: &Question<'_>) -> Ask {
    once(question.commands.snapshot_status(None, BACKUP))
}

/// The command that checks a backup snapshot, as part of a remedy.
#[must_use]
pub fn snapshot_check(question: &Question<'_>) -> String {
    question.commands.snapshot_status(None, BACKUP)
}

/// The command that saves a backup snapshot of another member than this one.
#[must_use]
pub fn snapshot_of_another(question: &Question<'_>, member: usize) -> String {
    let other = (0..question.cluster.members.len()).find(|other| *other != member);
    question.commands.snapshot_save(other, BACKUP)
}

/// The commands that save a backup snapshot and verify it.
#[must_use]
pub fn snapshot_again(question: &Question<'_>) -> Vec<String> {
    vec![question.commands.snapshot_save(None, BACKUP), question.commands.snapshot_status(None, BACKUP)]
}

/// The commands that make room: compact to the newest revision seen, defragment one member after another, and disarm
/// where an alarm is raised.
#[must_use]
pub fn make_room(question: &Question<'_>) -> Vec<String> {
    let members = &question.cluster.members;
    let revision = members.iter().filter_map(|m| m.status.as_ref()).filter_map(|s| s.value.revision).max();
    let mut commands = Vec::new();
    let compact = match revision {
        Some(revision) => question.commands.etcdctl(&format!("compact {revision}")),
        None => {
            // The table does not show it.
            let status = question.commands.etcdctl_at(None, "endpoint status -w json");
            commands.push(format!("REVISION=$({status} | grep -o '\"revision\":[0-9]*' | head -n 1 | cut -d : -f 2)"));
            question.commands.etcdctl("compact \"$REVISION\"")
        }
    };
    commands.push(compact);
    let defragment = |member| question.commands.etcdctl_at(Some(member), "defrag");
    commands.extend((0..members.len()).map(defragment));
    if !question.cluster.alarms.is_empty() {
        commands.push(question.commands.etcdctl("alarm disarm"));
    }
    commands
}

/// The commands that show which member's data differ.
#[must_use]
pub fn compare_hashes(question: &Question<'_>) -> Vec<String> {
    vec![question.commands.hash()]
}

/// Ask for the hashes of all members at one revision, the newest that every member has where it is known.
#[must_use]
pub fn hashes(question: &Question<'_>) -> Vec<Ask> {
    let members = &question.cluster.members;
    let revision = members.iter().filter_map(|m| m.status.as_ref()).filter_map(|s| s.value.revision).min();
    let revision = revision.map_or_else(|| "\"$REVISION\"".to_owned(), |revision| revision.to_string());
    vec![once(format!("{} --rev={revision}", question.commands.hash()))]
}

/// The commands that remove these members.
#[must_use]
pub fn remove(question: &Question<'_>, members: &[usize]) -> Vec<String> {
    by_id(question, members, "remove")
}

/// The commands that remove these members, where the remedy has something else come first. They stand behind `#` and
/// when they are due, so that pasting all commands of a remedy removes nobody.
#[must_use]
pub fn remove_later(question: &Question<'_>, members: &[usize], due: &str) -> Vec<String> {
    remove(question, members).iter().map(|command| format!("# {due}: {command}")).collect()
}

/// The commands that promote these learners.
#[must_use]
pub fn promote(question: &Question<'_>, members: &[usize]) -> Vec<String> {
    by_id(question, members, "promote")
}

/// `etcdctl member …` for each of these members.
fn by_id(question: &Question<'_>, members: &[usize], action: &str) -> Vec<String> {
    let ids = members.iter().filter_map(|m| question.cluster.members.get(*m)).filter_map(|m| m.id);
    ids.map(|id| question.commands.etcdctl(&format!("member {action} {id:x}"))).collect()
}

/// The commands that cancel a downgrade and show that it is gone.
#[must_use]
pub fn cancel_downgrade(question: &Question<'_>) -> Vec<String> {
    vec![question.commands.downgrade("cancel", None), question.commands.status()]
}

fn once(command: String) -> Ask {
    Ask::Command { command, members: Vec::new() }
}

/// One ask for each command; members that share a command share the ask.
fn each(question: &Question<'_>, members: &[usize], command: impl Fn(Option<usize>) -> String) -> Vec<Ask> {
    if members.is_empty() {
        return vec![once(command(None))];
    }
    let mut asks: Vec<(String, Vec<String>)> = Vec::new();
    for member in members {
        let (command, label) = (command(Some(*member)), question.label(*member));
        match asks.iter_mut().find(|(known, _)| *known == command) {
            Some((_, labels)) => labels.push(label),
            None => asks.push((command, vec![label])),
        }
    }
    asks.into_iter().map(|(command, members)| Ask::Command { command, members }).collect()
}
