//! The disk snapshot each member writes before a hop whose target can't read what older minors left in the WAL.
//!
//! Rule `v2-wal-entries-37`: every member of the minor two below writes v2 records; the minor between reads them, the
//! target panics on any that lies after the member's last disk snapshot. The cure, run on real binaries: after the
//! cluster version was raised, restart each member with a snapshot count of 1, write a few keys, see a new
//! `member/snap/<term>-<index>.snap`, restart it as before.

use super::Check;
use super::hand::{self, Place};
use super::order::{Crew, Mover, Role};
use super::roll::{LEADERSHIP_MOVED, V2STORE_CLEAN};
use super::scene::Scene;
use super::writer::{Draft, Writer};
use crate::etcd::flags::name;
use crate::gates::Outcome;
use crate::gates::words;

/// The gate that asks for it.
const GATE: &str = "v2-entries-before-37";

/// Is it due because the hop before, of the same route, has only just left the older minor?
pub(super) fn due_after_the_hop_before(scene: &Scene<'_>) -> bool {
    let wanted = scene.rules().is_some_and(|r| r.needs_disk_snapshot);
    wanted && scene.before.is_some_and(|leg| leg.hop.is_some())
}

/// Does its gate speak up?
pub(super) fn blocked(scene: &Scene<'_>) -> bool {
    let wanted = scene.rules().is_some_and(|r| r.needs_disk_snapshot);
    let speaks =
        |f: &&crate::gates::Finding| f.gate == GATE && matches!(f.outcome, Outcome::Blocked | Outcome::Warning);
    wanted && scene.findings().iter().any(speaks)
}

/// Why each member writes a disk snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The minor before the last one left v2 records that the target can't read.
    OlderMinor,
    /// The v2 API is or was on: it comes off with the restart, and what it left in the WAL is behind the snapshot.
    V2Api,
}

impl Cause {
    /// The flags that come off for good.
    fn without(self) -> &'static [&'static str] {
        match self {
            Self::OlderMinor => &[],
            Self::V2Api => &[name::ENABLE_V2],
        }
    }
}

/// Writes the steps: followers and learners first, the leader last.
pub(super) fn write(scene: &Scene<'_>, crew: &mut Crew, phase: &str, cause: Cause, writer: &mut Writer) {
    let mut order: Vec<usize> = (0..crew.movers.len()).collect();
    crate::sort::by_key(&mut order, |&at| crew.movers.get(at).map(|m| (!m.silent, m.role)));
    for at in order {
        let Some(mover) = crew.movers.get(at).cloned() else { continue };
        let heir = crew.movers.iter().position(|m| m.role == Role::Follower && !m.silent);
        if let (Role::Leader, Some(to)) = (mover.role, heir)
            && !crew.stand_ins
            && let Some(successor) = crew.movers.get(to).cloned()
        {
            hand_over(scene, &mover, &successor, phase, writer);
            crew.hand_over(to);
        }
        of_member(scene, crew, &mover, phase, cause, writer);
        if let Some(mover) = crew.movers.get_mut(at) {
            mover.silent = false;
        }
    }
}

fn hand_over(scene: &Scene<'_>, leader: &Mover, to: &Mover, phase: &str, writer: &mut Writer) {
    writer.step(Draft {
        id: format!("{phase}/disk-snapshot/{}/move-leader", leader.key),
        title: format!("Move the leadership from {} to {}", leader.label, to.label),
        member: leader.index.map(|_| leader.label.clone()),
        why: format!(
            "{} restarts next; a leadership that is handed over costs clients less than one that is lost.",
            leader.label
        ),
        commands: vec![scene.commands.move_leader(leader.index, to.index)],
        checks: vec![Check::shows(0, &[LEADERSHIP_MOVED])],
        expect: format!("The status shows {} as leader and a raft term one higher.", to.label),
        stop_when: "The transfer ends with an error or no member leads after 10 s.".to_owned(),
    });
}

fn of_member(scene: &Scene<'_>, crew: &Crew, mover: &Mover, phase: &str, cause: Cause, writer: &mut Writer) {
    let (old, new) = (scene.old_minor(), scene.new_minor());
    let older = old.previous().map_or_else(|| "an older minor".to_owned(), |minor| minor.to_string());
    let label = &mover.label;
    let id = |action: &str| format!("{phase}/disk-snapshot/{}/{action}", mover.key);
    let member = mover.index.map(|_| label.clone());
    let down = if crew.bears_one_down() { "" } else { " The cluster serves nothing while it restarts." };
    let flag = scene.disk_snapshot_flag();
    let records = match cause {
        Cause::OlderMinor => format!(
            "{new} can't read the v2 records that {older} members left in the WAL and panics on any after the last disk \
             snapshot."
        ),
        Cause::V2Api => format!(
            "With the v2 API on, requests and health probes leave v2 records in the WAL, and {new} panics on any after the \
             last disk snapshot: --{} comes off and stays off.",
            name::ENABLE_V2,
        ),
    };
    writer.step(Draft {
        id: id("restart"),
        title: match cause {
            Cause::OlderMinor => format!("Restart {label} with {flag}"),
            Cause::V2Api => format!("Restart {label} with {flag} and without --{}", name::ENABLE_V2),
        },
        member: member.clone(),
        why: format!(
            "{records} With {flag} the member writes a disk snapshot at the next writes.{}{down}",
            match hand::place(scene, mover) {
                Place::ByHand => {
                    " Put it where the other flags of the member stand: beside a config file the environment is ignored, and \
                     an environment variable beside the same flag stops the start."
                }
                Place::DropIn | Place::Manifest | Place::Process => "",
            },
        ),
        commands: hand::restart_with_disk_snapshot(scene, mover, cause.without()),
        checks: Vec::new(),
        expect: format!("{label} is healthy again, on the version it had, with {flag}."),
        stop_when: format!("{label} does not come back: take the flag off again and start it; touch no other member."),
    });
    writer.step(Draft {
        id: id("write"),
        title: format!("Write a few keys and see a new disk snapshot on {label}"),
        member: member.clone(),
        why: "The disk snapshot is written when entries are applied, so a quiet cluster needs a few writes.".to_owned(),
        commands: hand::write_and_list(scene, mover),
        checks: vec![Check::shows(1, &[".snap"])],
        expect: match cause {
            Cause::OlderMinor => format!(
                "A `<term>-<index>.snap` from just now, its index (in hex) above those of the files before: taken on {old}, \
                 after the cluster version became {old}."
            ),
            Cause::V2Api => {
                "A `<term>-<index>.snap` from just now, its index (in hex) above those of the files before.".to_owned()
            }
        },
        stop_when: "No new file appears after ten writes: the flag is not in force.".to_owned(),
    });
    writer.step(Draft {
        id: id("restore-flag"),
        title: match cause {
            Cause::OlderMinor => format!("Restart {label} with its own flags"),
            Cause::V2Api => format!("Restart {label} with its own flags, without --{}", name::ENABLE_V2),
        },
        member,
        why: format!("A disk snapshot after every entry slows a member down, so {flag} comes off again.{down}"),
        commands: hand::restart_as_before(scene, mover, cause.without()),
        checks: Vec::new(),
        expect: format!(
            "{label} is healthy, without {flag}, and its applied index is within a few entries of the others'."
        ),
        stop_when: format!("{label} does not come back or stays behind: touch no other member."),
    });
    if cause == Cause::V2Api {
        check_again(scene, mover, id("check-v2"), writer);
    }
}

/// The member's own WAL is the last word on whether the records are behind the disk snapshot.
fn check_again(scene: &Scene<'_>, mover: &Mover, id: String, writer: &mut Writer) {
    let commands = scene.commands.check_v2store_of_copy(mover.index);
    // Last comes the removal of the copy.
    let check = commands.len().checked_sub(2).map(|at| Check::shows(at, &[V2STORE_CLEAN]));
    writer.step(Draft {
        id,
        title: format!("Check the v2 store of {} again", mover.label),
        member: mover.index.map(|_| mover.label.clone()),
        why: "Only the check shows that no v2 record is left after the disk snapshot.".to_owned(),
        checks: check.into_iter().collect(),
        commands,
        expect: format!("It prints `{V2STORE_CLEAN}`."),
        stop_when: "It still finds content: write more keys and look for a newer disk snapshot before anything else."
            .to_owned(),
    });
}

/// Advice after the hop that reaches the minor from which such a hop leaves, when the route ends there.
pub(super) fn advice(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    let reached = scene.new_minor();
    let Some(next) = crate::etcd::hops::from(reached).filter(|r| r.needs_disk_snapshot) else { return };
    if scene.after.is_some() || scene.leg.hop.is_none() {
        return;
    }
    let flag = scene.disk_snapshot_flag();
    let labels: Vec<&str> = crew.movers.iter().map(|m| m.label.as_str()).collect();
    writer.step(Draft {
        id: "after/disk-snapshot".to_owned(),
        title: format!("Note for the next hop: a disk snapshot on every member before {}", next.to),
        why: format!(
            "{} panics on v2 records that {} members left in the WAL after the last disk snapshot. A busy member writes \
             one by itself in time; a quiet one needs a restart with {flag} and a few writes.",
            next.to,
            scene.old_minor(),
        ),
        commands: crew.movers.iter().map(|m| scene.commands.list_disk_snapshots(m.index)).collect(),
        expect: format!(
            "On {} the newest `<term>-<index>.snap` is younger than the moment the cluster version became {reached}.",
            words::list(&labels),
        ),
        stop_when: format!("One is older: {} is not started before it has a younger one.", next.to),
        ..Draft::default()
    });
}
