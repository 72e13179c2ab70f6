//! The checklist of a restore: check and copy one backup snapshot, stop clients and members, keep the old data,
//! restore every member, start them together, restart what caches watches.
//!
//! Source: the etcd guide on disaster recovery; what tools do in which version: `data/properties.toml`.

use super::order::{Crew, Mover};
use super::upgrade::by_platform_only;
use super::writer::{Draft, Steps};
use super::{Phase, PhaseKind, Plan, Way, WaysBack, backup, checks};
use crate::bump::{Bump, NotNeeded, Worksheet, work_out};
use crate::cluster::Cluster;
use crate::cluster::commands::shell::BUMP;
use crate::cluster::commands::{Commands, Restored};
use crate::etcd::flags::name;
use crate::etcd::platforms::PlannerMode;
use crate::etcd::tools::restore_flag::{BUMP_REVISION, MARK_COMPACTED};
use crate::evidence::answers::Answers;
use crate::gates::words;

/// How far a restore is: what the ways back depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    /// Nothing was stopped.
    Nothing,
    /// Clients or members are stopped; the old data are untouched.
    Stopped,
    /// The old data lie aside.
    Aside,
    /// Members run on the restored data; no client writes.
    Started,
    /// Clients write to the restored cluster.
    Serving,
}

impl Done {
    fn ways(self) -> WaysBack {
        WaysBack {
            swap: Way::shut("A restore changes data, not binaries: there is nothing to swap back."),
            downgrade: Way::shut("A restore keeps the version, so there is nothing to downgrade."),
            restore: match self {
                Self::Nothing => Way::open("Nothing was stopped or changed: leave it as it is."),
                Self::Stopped => Way::open("The old data are untouched: start the members again, then the clients."),
                Self::Aside => Way::open("The old data lie aside on every host: move them back and start the members."),
                Self::Started => Way::open(
                    "The old data lie aside: stop the members, move the old data back and start them. Nothing is lost \
                     as long as no client writes.",
                ),
                Self::Serving => Way::open(
                    "Moving the old data back, or restoring once more, loses what clients have written since they were \
                     started.",
                ),
            },
        }
    }
}

/// Makes the plan, below the steps that mend what the gates found.
pub(super) fn plan(cluster: &Cluster, answers: &Answers, sheet: &Worksheet, mut fix_first: Vec<Phase>) -> Plan {
    if let Some(none_because) = no_plan(cluster, answers) {
        return Plan { none_because: Some(none_because), ..Plan::default() };
    }
    for step in fix_first.iter_mut().flat_map(|phase| &mut phase.steps) {
        step.ways_back = Done::Nothing.ways();
    }
    let mut restore = Restore {
        cluster,
        commands: Commands::new(cluster, answers),
        crew: Crew::of(cluster),
        bump: work_out(sheet),
        watched: sheet.watch_caches,
        done: Done::Nothing,
        steps: Steps::of_no_leg("restore", fix_first),
    };
    restore.prepare();
    restore.stop();
    restore.restore();
    restore.start();
    restore.after();
    Plan { phases: restore.steps.done(), ..Plan::default() }
}

/// Why nobody but the platform restores etcd here.
fn no_plan(cluster: &Cluster, answers: &Answers) -> Option<String> {
    let (platform, _) = crate::cluster::commands::platform(cluster, answers)?;
    match platform.mode {
        PlannerMode::NativeOnly => Some(format!(
            "{} restores etcd itself, from its own backup: use its command for it. Data put into place by hand would not \
             fit what it keeps about the members.",
            platform.name
        )),
        PlannerMode::Plan | PlannerMode::PlanNative | PlannerMode::Refuse => by_platform_only(cluster, answers),
    }
}

/// The checklist, growing.
struct Restore<'a> {
    cluster: &'a Cluster,
    commands: Commands,
    crew: Crew,
    bump: Bump,
    watched: Option<bool>,
    done: Done,
    steps: Steps,
}

impl Restore<'_> {
    fn step(&mut self, draft: Draft) {
        self.steps.step(draft, self.done.ways());
    }

    fn phase(&mut self, kind: PhaseKind) {
        self.steps.phase(kind, None);
    }

    fn each_member(&mut self, draft: impl Fn(&Self, &Mover) -> Draft) {
        for mover in self.crew.movers.clone() {
            let mut draft = draft(self, &mover);
            draft.member = mover.index.map(|_| mover.label.clone());
            self.step(draft);
        }
    }

    /// The backup snapshot: the file that was shown, else a name.
    fn file(&self) -> String {
        let shown = self.cluster.snapshots.iter().rev().find_map(|s| s.value.path.as_deref());
        let saved = self.cluster.snapshots_saved.iter().rev().map(|s| s.value.path.as_str()).next();
        shown
            .or(saved)
            .and_then(|path| path.rsplit('/').next())
            .filter(|f| !f.is_empty())
            .unwrap_or("backup.db")
            .to_owned()
    }

    /// A token that the old cluster did not have.
    fn token(&self) -> String {
        let revision = self.cluster.snapshots.iter().rev().find_map(|s| s.value.revision);
        revision.map_or_else(|| "restored".to_owned(), |revision| format!("restored-from-{revision}"))
    }

    fn bump(&self) -> Option<String> {
        match &self.bump {
            Bump::By { bump, .. } => Some(bump.to_string()),
            Bump::NotNeeded(_) => None,
            Bump::Missing(_) | Bump::Refused(_) => Some(format!("\"{BUMP}\"")),
        }
    }

    fn prepare(&mut self) {
        let file = self.file();
        if self.cluster.members.is_empty()
            || self.cluster.members.iter().any(|m| m.name.is_none() || m.peer_urls.is_empty())
        {
            self.step(Draft {
                id: "prepare/members".to_owned(),
                title: "Write down every member's name, peer URL and data directory".to_owned(),
                why: "The restore commands need them, and once the members are stopped nobody answers. Pasted here, they \
                      are filled in."
                    .to_owned(),
                commands: vec![self.commands.member_list()],
                expect: "A row for each member, with its name and its peer URL.".to_owned(),
                stop_when: "Nobody answers: take them from the unit files or manifests of the members.".to_owned(),
                ..Draft::default()
            });
        }
        self.step(Draft {
            id: "prepare/check".to_owned(),
            title: "Check the backup snapshot".to_owned(),
            why: "Every member is restored from this one file. Write down its hash, revision and number of keys."
                .to_owned(),
            commands: vec![self.commands.check_snapshot(&file)],
            expect: "Hash, revision, total keys and size; no error.".to_owned(),
            stop_when: "It ends with an error: take another backup snapshot.".to_owned(),
            ..Draft::default()
        });
        self.step(Draft {
            id: "prepare/try".to_owned(),
            title: "Prove that it restores".to_owned(),
            why:
                "A restore into a directory of its own takes minutes and touches no member. It is the only proof that \
                  the file is whole."
                    .to_owned(),
            commands: self.commands.try_restore(&file),
            expect: "`restored snapshot`, and no error.".to_owned(),
            stop_when: "It does not restore: nothing was stopped yet; take another backup snapshot.".to_owned(),
            ..Draft::default()
        });
        let name = file.clone();
        self.each_member(move |restore, mover| Draft {
            id: format!("prepare/{}/copy", mover.key),
            title: format!("Copy the backup snapshot to {}", mover.label),
            why: "All members must start from the same bytes.".to_owned(),
            commands: restore.commands.copy_snapshot(mover.index, &name),
            expect: "The same checksum on every host.".to_owned(),
            stop_when: "A checksum differs: copy the file again.".to_owned(),
            ..Draft::default()
        });
        self.phase(PhaseKind::Prepare);
    }

    fn stop(&mut self) {
        self.done = Done::Stopped;
        self.step(Draft {
            id: "stop/clients".to_owned(),
            title: "Stop everything that writes to this cluster".to_owned(),
            why: "What clients write from here on is lost, and what they read may be gone.".to_owned(),
            commands: self.commands.stop_apiservers(),
            expect: "The revision of the cluster no longer moves between two looks.".to_owned(),
            stop_when: "The revision still moves: a client is left.".to_owned(),
            ..Draft::default()
        });
        if self.watched != Some(false) {
            self.step(Draft {
                id: "stop/revision".to_owned(),
                title: "Read the revision the cluster is at, if a member still answers".to_owned(),
                why: "With it the bump is no estimate. Give it as the answer current-revision and take the bump from the \
                      worksheet again."
                    .to_owned(),
                commands: vec![self.commands.revision()],
                expect: format!("`revision` in the header of each status: {} must lie above the largest.", self.starts_at()),
                stop_when: format!("It lies at or above {}: work out the bump again before you restore.", self.starts_at()),
                ..Draft::default()
            });
        }
        self.each_member(|restore, mover| Draft {
            id: format!("stop/{}/etcd", mover.key),
            title: format!("Stop etcd on {}", mover.label),
            why: "A member that still runs would serve the old data beside the restored cluster.".to_owned(),
            commands: restore.commands.stop(mover.index),
            expect: format!("No etcd process is left on {}.", mover.label),
            stop_when: "Something starts it again: stop that first.".to_owned(),
            ..Draft::default()
        });
        self.done = Done::Aside;
        self.each_member(|restore, mover| Draft {
            id: format!("stop/{}/aside", mover.key),
            title: format!("Keep the old data of {} aside", mover.label),
            why: "They are the way back until the restored cluster is verified. The restore refuses a directory that \
                  holds data."
                .to_owned(),
            commands: restore.commands.move_data_aside(mover.index),
            expect: format!("The old data lie in {}.", restore.commands.data_aside(mover.index)),
            stop_when: "The data directory is on a mount of its own and can't be renamed: move its contents into a \
                        folder beside `member`."
                .to_owned(),
            ..Draft::default()
        });
        self.phase(PhaseKind::Stop);
    }

    /// The revision the restored cluster starts at, in words.
    fn starts_at(&self) -> String {
        match self.bump {
            Bump::By { starts_at: Some(revision), .. } => revision.to_string(),
            _ => "the revision of the backup snapshot plus the bump".to_owned(),
        }
    }

    fn restore(&mut self) {
        let (file, token, bump) = (self.file(), self.token(), self.bump());
        let why = match &self.bump {
            Bump::By { .. } => {
                format!("--{BUMP_REVISION} with --{MARK_COMPACTED} makes every old watcher fail and read anew.")
            }
            Bump::NotNeeded(NotNeeded::NothingWatches) => {
                "Nothing keeps a watch cache, so no bump is needed.".to_owned()
            }
            Bump::NotNeeded(NotNeeded::NothingWritten) => {
                "Nothing was written since the backup snapshot, so no bump is needed.".to_owned()
            }
            Bump::Missing(_) | Bump::Refused(_) => {
                "Put the number of the worksheet in place of $BUMP once its factors are known.".to_owned()
            }
        };
        self.each_member(move |restore, mover| {
            let restored = Restored { file: &file, token: &token, bump: bump.as_deref() };
            Draft {
                id: format!("restore/{}", mover.key),
                title: format!("Restore {}", mover.label),
                why: format!(
                    "The same file and the same new token on every member: the token keeps members of the old cluster \
                     out. {why}"
                ),
                commands: restore.commands.restore(mover.index, restored),
                expect: "`restored snapshot`, and no error.".to_owned(),
                stop_when: "It ends with an error: start no member. What was restored so far can be removed, the old \
                            data lie aside."
                    .to_owned(),
                ..Draft::default()
            }
        });
        self.phase(PhaseKind::Restore);
    }

    /// Where the old data lie, each place once.
    fn asides(&self) -> String {
        let mut places: Vec<String> = Vec::new();
        for mover in &self.crew.movers {
            let place = self.commands.data_aside(mover.index);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        words::list(&places)
    }

    fn start(&mut self) {
        self.done = Done::Started;
        let commands: Vec<String> =
            self.crew.movers.iter().flat_map(|m| self.commands.start_again(m.index, m.version.as_ref())).collect();
        self.step(Draft {
            id: "start/together".to_owned(),
            title: "Start all members together".to_owned(),
            why: format!(
                "A member alone waits for a quorum. Take --{} off first where it was set: it would cut the others off at \
                 every start. The flags of the first start (state, token) no longer count: the restored data say who is \
                 a member.",
                name::FORCE_NEW_CLUSTER
            ),
            commands,
            expect: "Every member runs, and one leads within seconds.".to_owned(),
            stop_when:
                "A member ends: read its log. No client has been started, so the old data can still be put back."
                    .to_owned(),
            ..Draft::default()
        });
        self.step(Draft {
            id: "start/verify".to_owned(),
            title: "Verify the restored cluster".to_owned(),
            why: "Before the first client writes, the old data are a way back that loses nothing.".to_owned(),
            commands: vec![
                self.commands.status(),
                self.commands.member_list(),
                self.commands.hash(),
                self.commands.health(),
            ],
            checks: checks::status(&self.commands, 0, self.crew.movers.iter().map(|m| (m, m.version.clone())))
                .into_iter()
                .chain(checks::health(&self.commands, 3, self.crew.movers.iter()))
                .collect(),
            expect: format!(
                "{} members of one new cluster id, one leader, the same hash on all, and a revision of at least {}.",
                self.crew.movers.len(),
                self.starts_at(),
            ),
            stop_when:
                "A member, a hash or the revision is not so: stop all, put the old data back, and look for the cause."
                    .to_owned(),
            ..Draft::default()
        });
        self.phase(PhaseKind::Start);
    }

    fn after(&mut self) {
        self.done = Done::Serving;
        let (title, why) = if self.watched == Some(false) {
            ("Start the clients again", "From the first write on, going back loses data.")
        } else {
            (
                "Start the clients again, and restart everything that caches watches",
                "API servers first, then controllers, schedulers, kubelets, network plug-ins and operators: what kept \
                 running still shows contents that the restored cluster does not have. From the first write on, going \
                 back loses data.",
            )
        };
        self.step(Draft {
            id: "after/clients".to_owned(),
            title: title.to_owned(),
            why: why.to_owned(),
            commands: self.commands.start_apiservers(),
            expect:
                "Clients read and write; no log says that a required revision has been compacted for longer than a \
                     minute."
                    .to_owned(),
            stop_when: "A client does not come back: restart it once more before you look further.".to_owned(),
            ..Draft::default()
        });
        let first = self.crew.movers.first().and_then(|m| m.index);
        let file = "etcd-after-restore.db";
        let fresh = vec![self.commands.snapshot_save(first, file), self.commands.snapshot_status(first, file)];
        self.step(Draft {
            id: "after/backup".to_owned(),
            title: "Take a backup snapshot of the restored cluster".to_owned(),
            why: "Older backup snapshots have revisions below the bump.".to_owned(),
            commands: fresh,
            expect: format!("A revision of at least {}.", self.starts_at()),
            stop_when: "It can't be saved: mend that today.".to_owned(),
            ..Draft::default()
        });
        self.step(backup::prove("after", self.commands.try_restore(file)));
        let aside = self.asides();
        self.step(Draft {
            id: "after/remove-old".to_owned(),
            title: "Remove the old data once nobody needs them".to_owned(),
            why: format!("They take as much room as the database: {aside}."),
            commands: Vec::new(),
            expect: "The restored cluster has run for a few days and a newer backup snapshot is off the hosts."
                .to_owned(),
            stop_when: "Someone still looks for data that the restore lost.".to_owned(),
            ..Draft::default()
        });
        self.phase(PhaseKind::After);
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;
    use crate::cluster::testing::{Build, nothing, three_members};

    fn plan_of(cluster: &Build, given: &[&str]) -> Plan {
        let mut answers = Answers::new();
        given.iter().for_each(|answer| answers.take(answer).unwrap());
        let cluster = cluster.build();
        let sheet = Worksheet::fill(&cluster, &answers, datetime!(2026-11-30 12:00 UTC));
        plan(&cluster, &answers, &sheet, Vec::new())
    }

    const SYSTEMD: &str = "run-by=systemd-binary";

    #[test]
    fn every_member_is_restored_with_its_own_name_from_one_file() {
        let plan = plan_of(&three_members("3.5.33").backup("/b/backup.db"), &[SYSTEMD, "current-revision=99000"]);
        for (member, url) in [("m1", "https://10.0.0.1:2380"), ("m2", "https://10.0.0.2:2380")] {
            let step = plan.step(&format!("restore/restore/{member}")).unwrap();
            let command = step.commands.first().unwrap();
            for part in [
                "etcdutl snapshot restore backup.db ",
                &format!("--name {member} "),
                &format!("--initial-advertise-peer-urls {url} "),
                "--initial-cluster m1=https://10.0.0.1:2380,m2=https://10.0.0.2:2380,m3=https://10.0.0.3:2380 ",
                "--initial-cluster-token restored-from-90000 ",
                "--bump-revision 10000 --mark-compacted",
            ] {
                assert!(command.contains(part), "{part} is not in {command}");
            }
        }
    }

    #[test]
    fn old_data_are_moved_aside_before_anything_is_restored_and_nothing_starts_before_all_are() {
        let plan = plan_of(&three_members("3.5.33"), &[SYSTEMD, "watch-caches=no"]);
        let at = |id: &str| plan.steps().position(|s| s.id == id).unwrap_or_else(|| panic!("{id}"));
        for member in ["m1", "m2", "m3"] {
            assert!(at("restore/stop/clients") < at(&format!("restore/stop/{member}/etcd")));
            assert!(at(&format!("restore/stop/{member}/etcd")) < at(&format!("restore/stop/{member}/aside")));
            assert!(at(&format!("restore/stop/{member}/aside")) < at(&format!("restore/restore/{member}")));
            assert!(at(&format!("restore/restore/{member}")) < at("restore/start/together"));
        }
        assert!(at("restore/start/verify") < at("restore/after/clients"));
    }

    #[test]
    fn without_watchers_there_is_no_bump() {
        let text = |given: &[&str]| format!("{:?}", plan_of(&three_members("3.5.33"), given));
        assert!(!text(&[SYSTEMD, "watch-caches=no"]).contains("--bump-revision"));
        assert!(text(&[SYSTEMD, "watch-caches=yes"]).contains("$BUMP"));
        assert!(text(&[SYSTEMD, "writes-per-second=1500", "snapshot-age=7d"]).contains("--bump-revision 1000000000 "));
    }

    #[test]
    fn the_way_back_is_open_at_every_step_and_says_what_it_costs() {
        let plan = plan_of(&three_members("3.5.33"), &[SYSTEMD]);
        for step in plan.steps() {
            assert!(step.ways_back.restore.open, "{}", step.id);
            assert!(!step.ways_back.swap.open && !step.ways_back.downgrade.open, "{}", step.id);
            let after = step.id.starts_with("restore/after/");
            assert_eq!(step.ways_back.restore.reason.contains("loses what clients"), after, "{}", step.id);
        }
    }

    #[test]
    fn old_clients_restore_where_there_is_no_other_tool() {
        let plan = plan_of(&three_members("3.4.45"), &[SYSTEMD, "watch-caches=no"]);
        let command = plan.step("restore/restore/m1").and_then(|s| s.commands.first()).unwrap().clone();
        assert!(command.contains("sudo etcdctl snapshot restore"), "{command}");
    }

    #[test]
    fn unknown_members_are_asked_for_and_platforms_restore_themselves() {
        let unknown = plan_of(&nothing(), &[]);
        assert!(unknown.step("restore/prepare/members").is_some());
        assert!(plan_of(&three_members("3.5.33"), &[SYSTEMD]).step("restore/prepare/members").is_none());
        let native = plan_of(&three_members("3.5.33"), &["run-by=talos"]);
        assert!(native.phases.is_empty() && native.none_because.is_some_and(|why| why.starts_with("Talos")));
    }
}
