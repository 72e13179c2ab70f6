//! What the hands of a step do: longer pieces put together from the cluster's commands.

use super::Check;
use super::order::{Crew, Mover};
use super::scene::Scene;
use crate::cluster::commands::shell::SNAPSHOT;
use crate::cluster::settings;
use crate::etcd::flags::{self, name};
use crate::etcd::platforms::{PlannerMode, Platform, Runner};
use crate::evidence::fact::FlagForm;

/// How a member is stopped and started, as far as texts differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// By systemd.
    Systemd,
    /// By the kubelet, from a manifest.
    StaticPod,
    /// As a plain process, from a shell.
    Process,
    /// As a container that is made anew.
    Container,
    /// Otherwise, or not known.
    Other,
}

/// How members are stopped and started.
pub(super) fn way(scene: &Scene<'_>) -> Way {
    match scene.commands.runner() {
        Some(Runner::Systemd) => Way::Systemd,
        Some(Runner::StaticPod) => Way::StaticPod,
        Some(Runner::Process) => Way::Process,
        Some(Runner::Container) => Way::Container,
        Some(Runner::Other) | None => Way::Other,
    }
}

/// GET /version of every member.
pub(super) fn versions(scene: &Scene<'_>, members: &[Mover]) -> Vec<String> {
    members.iter().map(|m| scene.commands.curl(m.index, "/version")).collect()
}

/// The platform that alone moves etcd.
pub(super) fn native(scene: &Scene<'_>) -> Option<&'static Platform> {
    scene.commands.platform().filter(|platform| platform.mode == PlannerMode::NativeOnly)
}

/// How the platform itself takes a backup snapshot, where etcdctl alone is not the way.
pub(super) fn own_snapshot(scene: &Scene<'_>) -> Option<Vec<String>> {
    let own = scene.commands.platform()?.snapshot;
    (!own.is_empty()).then(|| own.iter().map(|c| (*c).to_owned()).collect())
}

/// What saving one prints.
pub(super) fn saved(scene: &Scene<'_>) -> Vec<Check> {
    let with_etcdctl = own_snapshot(scene).is_none().then(|| Check::shows(0, &["Snapshot saved at"]));
    with_etcdctl.into_iter().collect()
}

/// Saves the backup snapshot.
pub(super) fn snapshot_save(scene: &Scene<'_>, from: Option<&Mover>, file: &str) -> Vec<String> {
    if let Some(own) = own_snapshot(scene) {
        return own;
    }
    vec![scene.commands.snapshot_save(from.and_then(|m| m.index), file)]
}

/// Verifies it.
pub(super) fn snapshot_verify(scene: &Scene<'_>, from: Option<&Mover>, file: &str) -> Vec<String> {
    if own_snapshot(scene).is_some() {
        return vec![format!("etcdutl snapshot status \"{SNAPSHOT}\" -w table   # the file the step before wrote")];
    }
    vec![scene.commands.snapshot_status(from.and_then(|m| m.index), file)]
}

/// Takes it off the member's disk and prints its checksum. A file that stays in a data directory is reported by etcd
/// at every start.
pub(super) fn snapshot_copy(scene: &Scene<'_>, from: Option<&Mover>, file: &str) -> Vec<String> {
    if own_snapshot(scene).is_some() {
        return vec![format!("sha256sum \"{SNAPSHOT}\"")];
    }
    let here = format!("sha256sum {file}");
    if way(scene) != Way::StaticPod {
        return vec![here];
    }
    let member = from.and_then(|m| m.index);
    let path = scene.commands.snapshot_path(file);
    vec![
        scene.commands.on(member, &format!("sudo sha256sum {path}")),
        format!("{} > {file}", scene.commands.on(member, &format!("sudo cat {path}"))),
        here,
        scene.commands.on(member, &format!("sudo rm {path}")),
    ]
}

/// Proves on the copy that the backup snapshot restores.
pub(super) fn snapshot_prove(scene: &Scene<'_>, file: &str) -> Vec<String> {
    match own_snapshot(scene) {
        Some(_) => scene.commands.try_restore_own(),
        None => scene.commands.try_restore(file),
    }
}

/// A few writes that change nothing anyone reads.
fn writes(scene: &Scene<'_>) -> [String; 2] {
    const KEY: &str = "etcd-upgrade-planner/disk-snapshot";
    let put = scene.commands.etcdctl(&format!("put {KEY} $i"));
    [format!("for i in 1 2 3 4 5; do {put}; done"), scene.commands.etcdctl(&format!("del {KEY}"))]
}

/// Writes a few keys and lists the disk snapshots of a member.
pub(super) fn write_and_list(scene: &Scene<'_>, mover: &Mover) -> Vec<String> {
    let [put, del] = writes(scene);
    vec![put, scene.commands.list_disk_snapshots(mover.index), del]
}

/// Where the flag for the disk snapshot has to be put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a drop-in of the unit, as an environment variable: no flag of that name is given and no config file is read.
    DropIn,
    /// In the manifest.
    Manifest,
    /// On the command line of a plain process or a container.
    Process,
    /// Where the member's flags stand; by hand.
    ByHand,
}

/// Where the flag for the disk snapshot of a member has to be put. etcd ends when an environment variable and the flag
/// of that name are both given, and ignores the environment beside a config file.
pub(super) fn place(scene: &Scene<'_>, mover: &Mover) -> Place {
    match way(scene) {
        Way::StaticPod => return Place::Manifest,
        Way::Other => return Place::ByHand,
        Way::Systemd | Way::Process | Way::Container => {}
    }
    let Some(member) = scene.member(mover) else { return Place::ByHand };
    let sets = || member.flags.iter().map(|seen| &seen.value);
    let shown = sets().any(|set| set.complete);
    let given = |flag| sets().any(|set| settings::of(set, flag).any(|s| s.form != FlagForm::Env));
    if matches!(way(scene), Way::Process | Way::Container) {
        let can =
            scene.commands.can_change_flags(mover.index) && scene.runs(mover).is_some() && !given(name::CONFIG_FILE);
        return if can { Place::Process } else { Place::ByHand };
    }
    if shown && !given(name::SNAPSHOT_COUNT) && !given(name::CONFIG_FILE) { Place::DropIn } else { Place::ByHand }
}

const DROP_IN: &str = "/etc/systemd/system/etcd.service.d/disk-snapshot.conf";
const RESTART: &str = "sudo systemctl daemon-reload && sudo systemctl restart etcd";

/// Restarts a member so that it writes a disk snapshot at the next writes.
pub(super) fn restart_with_disk_snapshot(scene: &Scene<'_>, mover: &Mover, without: &[&str]) -> Vec<String> {
    let commands = scene.commands;
    let on = |command: &str| commands.on(mover.index, command);
    match place(scene, mover) {
        Place::DropIn => {
            let env = flags::by_name(name::SNAPSHOT_COUNT).map_or_else(String::new, |flag| format!("{}=1", flag.env));
            let drop_in = format!("printf '[Service]\\nEnvironment={env}\\n' | sudo tee {DROP_IN}");
            vec![on(&format!("sudo mkdir -p {}", parent(DROP_IN))), on(&drop_in), on(RESTART)]
        }
        Place::Manifest => {
            let flag = scene.disk_snapshot_flag();
            let edit = format!(
                "sudo sed -i.before -E -e '/--{}=/d' -e 's|^( *)- etcd$|\\1- etcd\\n\\1- {flag}|' {}",
                name::SNAPSHOT_COUNT,
                commands.manifest_aside(),
            );
            commands.stop(mover.index).into_iter().chain([on(&edit)]).chain(commands.start(mover.index)).collect()
        }
        Place::Process => restart_process(scene, mover, Some(&scene.disk_snapshot_flag()), without),
        Place::ByHand => by_hand(scene, mover),
    }
}

/// Restarts it with its own flags.
pub(super) fn restart_as_before(scene: &Scene<'_>, mover: &Mover, without: &[&str]) -> Vec<String> {
    let commands = scene.commands;
    let on = |command: &str| commands.on(mover.index, command);
    match place(scene, mover) {
        Place::DropIn => vec![on(&format!("sudo rm {DROP_IN}")), on(RESTART)],
        Place::Manifest => {
            let aside = commands.manifest_aside();
            let back = on(&format!("sudo mv {aside}.before {aside}"));
            commands.stop(mover.index).into_iter().chain([back]).chain(commands.start(mover.index)).collect()
        }
        Place::Process => restart_process(scene, mover, None, without),
        Place::ByHand => by_hand(scene, mover),
    }
}

/// Stops a plain process and starts it on the version it had, with a flag put on and others taken off.
fn restart_process(scene: &Scene<'_>, mover: &Mover, with: Option<&str>, without: &[&str]) -> Vec<String> {
    let Some(version) = scene.runs(mover) else { return Vec::new() };
    let start = scene.commands.start_on(mover.index, version, with, without);
    scene.commands.stop(mover.index).into_iter().chain(start).collect()
}

fn by_hand(scene: &Scene<'_>, mover: &Mover) -> Vec<String> {
    let show = scene.commands.show_flags(mover.index);
    let restart = (way(scene) == Way::Systemd).then(|| scene.commands.on(mover.index, RESTART));
    [show].into_iter().chain(restart).collect()
}

/// The folder of a path.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(folder, _)| folder)
}

/// Shows that the target is at hand on every host, and keeps what runs today beside it.
pub(super) fn at_hand(scene: &Scene<'_>, crew: &Crew) -> Vec<String> {
    let left = crew.left(scene.leg).into_iter().filter_map(|at| crew.movers.get(at));
    each_once(left.flat_map(|m| scene.commands.at_hand(m.index, &scene.leg.target)))
}

/// Prints the flags of every member the leg moves.
pub(super) fn shown_flags(scene: &Scene<'_>, crew: &Crew) -> Vec<String> {
    let left = crew.left(scene.leg).into_iter().filter_map(|at| crew.movers.get(at));
    each_once(left.map(|m| scene.commands.show_flags(m.index)))
}

/// Where nothing tells the hosts apart, each has the same commands.
fn each_once(commands: impl Iterator<Item = String>) -> Vec<String> {
    let mut all = Vec::new();
    for command in commands {
        if !all.contains(&command) {
            all.push(command);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_is_the_same_on_each_host_stands_there_once() {
        let commands = ["etcd --version", "cp a b", "etcd --version", "cp a b"].map(str::to_owned);
        assert_eq!(each_once(commands.into_iter()), ["etcd --version", "cp a b"]);
    }
}
