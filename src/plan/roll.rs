//! Roll: member by member, stop, replace, start, verify; the leader last, after its leadership moved.

use super::flags;
use super::hand::{self, Way};
use super::order::{Crew, Mover, Role};
use super::scene::Scene;
use super::way_back::Progress;
use super::writer::{Draft, Writer};
use super::{Check, checks};
use crate::etcd::platforms::PlannerMode;
use crate::gates::words;

/// What `move-leader` prints.
pub(super) const LEADERSHIP_MOVED: &str = "Leadership transferred from";
/// What `check v2store` prints when it looked everywhere and found nothing.
pub(super) const V2STORE_CLEAN: &str = "No custom content found in both v2store and WAL records.";

/// Ids of the steps where the first and the last member of a leg start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Starts {
    /// The first start.
    pub(super) first: String,
    /// The last start.
    pub(super) last: String,
    /// Label of the member that starts last.
    pub(super) last_member: String,
}

/// Writes the steps of every member the leg still has to move, and moves them in `crew`.
pub(super) fn write(scene: &Scene<'_>, crew: &mut Crew, writer: &mut Writer) -> Option<Starts> {
    let order = crew.left(scene.leg);
    let mut starts: Option<Starts> = None;
    for (turn, &at) in order.iter().enumerate() {
        let Some(mover) = crew.movers.get(at).cloned() else { continue };
        let successor = crew.successor(scene.leg).and_then(|to| crew.movers.get(to).cloned().map(|m| (to, m)));
        let mut mover = mover;
        if crew.stand_ins && mover.role == Role::Leader {
            hand_over_by_anyone(scene, writer);
        } else if let (Role::Leader, Some((to, successor))) = (mover.role, successor) {
            hand_over(scene, &mover, &successor, writer);
            crew.hand_over(to);
            mover.role = Role::Follower;
        }
        let step = Turn { scene, crew, mover: &mover, last: turn + 1 == order.len(), first: turn == 0 };
        step.stop(writer);
        if scene.rules().is_some_and(|r| r.checks_v2_store) {
            step.check_v2(writer);
        }
        step.replace(writer);
        let started = step.start(writer);
        step.verify(writer);
        match &mut starts {
            Some(starts) => {
                starts.last = started;
                starts.last_member.clone_from(&mover.label);
            }
            None => starts = Some(Starts { first: started.clone(), last: started, last_member: mover.label.clone() }),
        }
        crew.moved(at, &scene.leg.target);
    }
    starts
}

/// Where the roll stands while the members in `order` from `turn` on are not moved yet.
fn rolling(crew: &Crew, scene: &Scene<'_>) -> Progress {
    let left: Vec<&Mover> = crew.movers.iter().filter(|m| !m.arrived(scene.leg)).collect();
    Progress::Rolling {
        left: left.iter().map(|m| m.label.clone()).collect(),
        silent: left.iter().filter(|m| m.silent).map(|m| m.label.clone()).collect(),
    }
}

/// Where a roll stands that was begun before this plan: nothing, or mixed.
pub(super) fn begun(scene: &Scene<'_>, crew: &Crew) -> Progress {
    let arrived = crew.movers.iter().filter(|m| m.arrived(scene.leg)).count();
    match arrived {
        0 => Progress::Untouched,
        n if n == crew.movers.len() => Progress::AllStarted,
        _ => rolling(crew, scene),
    }
}

fn hand_over(scene: &Scene<'_>, leader: &Mover, to: &Mover, writer: &mut Writer) {
    let reaches = scene.reaches();
    writer.step(Draft {
        id: format!("roll/{}/move-leader", leader.key),
        title: format!("Move the leadership from {} to {}", leader.label, to.label),
        member: leader.index.map(|_| leader.label.clone()),
        why: format!(
            "{} goes last, and a leadership that is handed over costs clients less than one that is lost. {} runs {reaches} \
             already, so the leadership does not come back to a member that still has to go.",
            leader.label, to.label,
        ),
        commands: vec![scene.commands.move_leader(leader.index, to.index)],
        checks: vec![Check::shows(0, &[LEADERSHIP_MOVED])],
        expect: format!("`Leadership transferred from` … `to` …; the status shows {} as leader and a raft term one higher.", to.label),
        stop_when: "The transfer ends with an error or no member leads after 10 s: read the logs of both, go on only when \
                    one leads."
            .to_owned(),
    });
}

/// Nobody is known by name: the leader, whoever it is then, hands over to a follower that went before.
fn hand_over_by_anyone(scene: &Scene<'_>, writer: &mut Writer) {
    let reaches = scene.reaches();
    writer.step(Draft {
        id: "roll/the-leader/move-leader".to_owned(),
        title: format!("Move the leadership to a follower that runs {reaches}"),
        why: "The leader goes last, and a leadership that is handed over costs clients less than one that is lost."
            .to_owned(),
        commands: vec![scene.commands.status(), scene.commands.move_leader(None, None)],
        expect: "The status shows one of the moved followers as leader and a raft term one higher.".to_owned(),
        stop_when: "The transfer ends with an error or no member leads after 10 s.".to_owned(),
        ..Draft::default()
    });
}

/// One member's turn.
struct Turn<'a> {
    scene: &'a Scene<'a>,
    crew: &'a Crew,
    mover: &'a Mover,
    first: bool,
    last: bool,
}

impl Turn<'_> {
    fn id(&self, action: &str) -> String {
        format!("roll/{}/{action}", self.mover.key)
    }

    fn member(&self) -> Option<String> {
        self.mover.index.map(|_| self.mover.label.clone())
    }

    /// The version to swap back to, in words.
    fn before(&self) -> String {
        self.scene.runs(self.mover).map_or_else(|| self.scene.old_minor().to_string(), ToString::to_string)
    }

    fn stop(&self, writer: &mut Writer) {
        let Self { scene, crew, mover, .. } = self;
        let label = &mover.label;
        let why = if mover.silent {
            format!("{label} does not answer. Make sure that nothing of it still runs before its binary is replaced.")
        } else if !mover.votes() {
            format!("{label} is a learner: it has no vote, but the cluster version waits for it like for every member.")
        } else if crew.voters() == 1 {
            format!("{label} is the only voter: nothing can be read or written until it is back. This is the downtime.")
        } else if !crew.bears_one_down() {
            format!(
                "{} voters need {} of them: nothing can be written until {label} is back. This is a downtime.",
                crew.voters(),
                crew.quorum(),
            )
        } else if crew.stand_ins {
            "One member down at a time: the others must make a quorum without it.".to_owned()
        } else {
            format!(
                "Without {label}, {} of {} voters are left, and {} make a quorum.",
                crew.voters() - 1,
                crew.voters(),
                crew.quorum(),
            )
        };
        if writer.standing.progress == Progress::Untouched {
            writer.standing.progress = rolling(crew, scene);
        }
        writer.step(Draft {
            id: self.id("stop"),
            title: if mover.silent {
                format!("Make sure that etcd on {label} is stopped")
            } else {
                format!("Stop etcd on {label}")
            },
            member: self.member(),
            why,
            commands: scene.commands.stop(mover.index),
            checks: Vec::new(),
            expect: match hand::way(scene) {
                Way::Systemd => format!("The command returns, etcd on {label} is down, and nothing starts it again."),
                Way::StaticPod => {
                    format!("No etcd container is left on {label}; the kubelet starts none while the manifest is away.")
                }
                Way::Process => format!("No process of {label} is left: the loop ends, and nothing starts it again."),
                Way::Container | Way::Other => format!("No etcd process is left on {label}."),
            },
            stop_when: if crew.bears_one_down() && mover.votes() {
                format!("Another member does not answer or none leads: start {label} again as it was.")
            } else {
                format!("etcd on {label} does not end within a minute: read its log before anything else.")
            },
        });
    }

    /// The stopped member's own data are the last word on v2 content; the new minor's tools can't check any more.
    fn check_v2(&self, writer: &mut Writer) {
        let Self { scene, mover, .. } = self;
        let commands = scene.commands.check_v2store(mover.index);
        if commands.is_empty() {
            return;
        }
        let (new, before) = (scene.new_minor(), self.before());
        writer.step(Draft {
            id: self.id("check-v2"),
            title: format!("Check the v2 store of {} while it is stopped", mover.label),
            member: self.member(),
            why: format!(
                "A v2 record written since the last check makes {new} panic, and the tools of {new} can't check.{}",
                match hand::way(scene) {
                    Way::StaticPod => {
                        " The image may come without etcdutl: put the one of the same patch on the host."
                    }
                    Way::Systemd | Way::Process | Way::Container | Way::Other => "",
                },
            ),
            checks: vec![Check::shows(commands.len() - 1, &[V2STORE_CLEAN])],
            commands,
            expect: format!(
                "`{V2STORE_CLEAN}` A text that does not name the WAL comes from an etcdutl that did not read it, and is no \
                 answer."
            ),
            stop_when: format!(
                "It finds custom content, or does not name the WAL: start {} again on {before}, no harm is done, and \
                 clean the v2 store first, or check with a newer etcdutl of that minor.",
                mover.label,
            ),
        });
    }

    fn replace(&self, writer: &mut Writer) {
        let Self { scene, mover, .. } = self;
        let target = &scene.leg.target;
        let before = self.before();
        let changes: Vec<String> = flags::of_member(scene, mover).iter().map(flags::Change::sentence).collect();
        let flags = if changes.is_empty() { String::new() } else { format!(" {}", changes.join(" ")) };
        let label = &mover.label;
        let commands = scene.commands.replace(mover.index, target);
        let says = format!("etcd Version: {target}");
        writer.step(Draft {
            id: self.id("replace"),
            title: format!("Put {target} in place on {label}"),
            member: self.member(),
            why: format!("{before} stays at hand, with its flags: it is the way back.{flags}"),
            checks: match hand::way(scene) {
                Way::Systemd | Way::Process | Way::Container => commands.len().checked_sub(1).map(|last| Check::shows(last, &[&says])),
                Way::StaticPod | Way::Other => None,
            }
            .into_iter()
            .collect(),
            commands,
            expect: match hand::way(scene) {
                Way::StaticPod => format!("The manifest outside of the kubelet's folder names the image of {target}, and nothing else changed but the flags named here."),
                Way::Process => format!("The binary that {label} starts next says {says}."),
                Way::Container => format!("The image that {label} starts next says {says}."),
                Way::Systemd | Way::Other => format!("The binary that the service starts says {says}."),
            },
            stop_when: match hand::way(scene) {
                Way::StaticPod => "A second etcd manifest, a copy too, lies in the kubelet's folder: it would be started as well.".to_owned(),
                _ => format!("It says another version: put {before} back and start {label} as it was."),
            },
        });
    }

    fn start(&self, writer: &mut Writer) -> String {
        let Self { scene, crew, mover, .. } = self;
        let target = &scene.leg.target;
        let (old, new) = (scene.old_minor(), scene.new_minor());
        let label = &mover.label;
        let before = self.before();
        let hop = scene.leg.hop.is_some();
        let shut_already = !writer.standing.ways().swap.open;
        if self.last {
            writer.standing.progress = Progress::AllStarted;
        } else {
            let mut after = (*crew).clone();
            let at = after.movers.iter().position(|m| m.key == mover.key);
            at.into_iter().for_each(|at| after.moved(at, target));
            if !shut_already {
                writer.standing.progress = rolling(&after, scene);
            }
        }
        let down = scene.leg.hop.is_some_and(|hop| hop.is_down());
        let why = match (hop, self.last) {
            (true, true) if down => format!(
                "With {label} every member runs {new}: the downgrade ends by itself within about 4 s, and the way back up is \
                 an upgrade again."
            ),
            (true, false) if down => {
                format!(
                    "{label} runs {new} beside the others; until the last one is moved the downgrade can be cancelled."
                )
            }
            (false, _) => format!("{label} joins the others on the same data; within {old} patches mix freely."),
            (true, true) if shut_already => format!("With {label} every member runs {new}."),
            (true, true) => format!(
                "This start shuts the rollback window: with {label} every member runs {new}, the leader raises the cluster \
                 version within about 4 s, and {old} binaries refuse to start from then on."
            ),
            (true, false) if self.first && !crew.movers.iter().any(|m| m.arrived(scene.leg)) => format!(
                "This start opens the rollback window: {label} runs {new} in a cluster that still works as {old}, and can \
                 go back."
            ),
            (true, false) => format!("{label} runs {new} beside the others; the cluster still works as {old}."),
        };
        let back = if down {
            format!(
                "It does not come up, or answers `not capable`: put {before} back on it, see STORAGE VERSION at {new}.0 on \
                 every member, and start {new} again."
            )
        } else if self.last && hop && !shut_already {
            format!(
                "It does not come up: stop it and read its log. As long as it has not started on {new} the window is open, \
                 and {before} starts again."
            )
        } else if shut_already {
            "It does not come up: stop it and read its log.".to_owned()
        } else {
            format!("It does not come up: stop it, read its log, and put {before} back with its flags.")
        };
        writer.step(Draft {
            id: self.id("start"),
            title: format!("Start {label} on {target}"),
            member: self.member(),
            why,
            commands: scene.commands.start_on(mover.index, target, None, &[]),
            checks: Vec::new(),
            expect: match hand::way(scene) {
                Way::Systemd => "The start returns: etcd tells systemd that it is ready only after it has joined. Its log says `ready to serve client requests`.".to_owned(),
                Way::StaticPod => "Within a minute the kubelet runs the etcd container again, on the new image, and it is not restarted.".to_owned(),
                Way::Process | Way::Container => "The loop ends: the member says `is healthy`. Its log says `ready to serve client requests`.".to_owned(),
                Way::Other => "Its log says `ready to serve client requests`.".to_owned(),
            },
            stop_when: match hand::way(scene) {
                Way::Systemd => format!("{back} A unit with Restart=always starts it again and again; `systemctl stop` ends that."),
                Way::StaticPod => format!("{back} The kubelet starts it again and again; taking the manifest out ends that."),
                Way::Process | Way::Container | Way::Other => back,
            },
        })
    }

    fn verify(&self, writer: &mut Writer) {
        let Self { scene, crew, mover, .. } = self;
        let target = &scene.leg.target;
        let label = &mover.label;
        let before = self.before();
        let next = if self.last { "go on" } else { "touch the next member" };
        let open = writer.standing.ways().swap.open;
        let mut commands = vec![scene.commands.status(), scene.commands.health()];
        commands.extend(scene.commands.log(mover.index));
        writer.step(Draft {
            id: self.id("verify"),
            title: format!("Go or no-go: {label} runs {target}, is healthy and has caught up"),
            member: self.member(),
            why: "The next member may only go when this one carries its share again: two members away at once can cost the \
                  quorum."
                .to_owned(),
            commands,
            checks: checks::status(scene.commands, 0, [(*mover, Some(target.clone()))].into_iter())
                .into_iter()
                .chain(checks::health(scene.commands, 1, crew.movers.iter().filter(|m| m.votes())))
                .collect(),
            expect: format!(
                "{label} shows {target}, every member is healthy, one leads, the raft term did not change by itself, the \
                 applied index of {label} is within a few entries of the others', and its log shows no panic, fatal or \
                 error since the start."
            ),
            stop_when: if open {
                format!(
                    "Any of it is not so after 5 minutes: do not {next}. Put {before} back on {label}, with its flags, and \
                     find out why."
                )
            } else {
                format!("Any of it is not so after 5 minutes: do not {next}. {} ", back_after_shut(scene)).trim().to_owned()
            },
        });
    }
}

/// What is left when the window has shut and the last member does not get well.
fn back_after_shut(scene: &Scene<'_>) -> String {
    let (old, new) = (scene.old_minor(), scene.new_minor());
    if scene.leg.hop.is_some_and(|hop| hop.is_down()) {
        return format!("Mend the member on {new}; the way up to {old} is an upgrade again.");
    }
    if scene.rules().is_some_and(|r| r.formal_downgrade) {
        format!("Mend the member on {new}; back to {old} leads only the formal downgrade, or the backup snapshot.")
    } else {
        format!("Mend the member on {new}; back to {old} leads only the backup snapshot.")
    }
}

/// Where the platform has its own way to move etcd, by hand is the second choice.
fn native(scene: &Scene<'_>) -> Option<String> {
    let platform = scene.commands.platform()?;
    (platform.mode == PlannerMode::PlanNative).then(|| {
        format!(
            "{} moves etcd with its own upgrade: take that where it brings {}, one member at a time, with the same checks \
             before and after. These steps are the same move by hand; the platform's next run writes its own version back.",
            platform.name, scene.leg.target,
        )
    })
}

/// Where commands for stop, replace and start can't be written.
fn by_words(scene: &Scene<'_>, crew: &Crew) -> Option<String> {
    match hand::way(scene) {
        Way::Systemd | Way::StaticPod => return None,
        Way::Process | Way::Container
            if crew.movers.iter().all(|m| m.index.is_some() && scene.commands.can_restart(m.index)) =>
        {
            return None;
        }
        Way::Process => {
            return Some(
                "Stop, replace and start stand without commands where a member's own command line was not seen, or its data \
                 directory is not an absolute path: paste the output of the collect script."
                    .to_owned(),
            );
        }
        Way::Container => {
            return Some(
                "Stop, replace and start stand without commands where the command or the service that starts a member's \
                 container was not pasted, has no name, or uses a variable: paste it as it is typed."
                    .to_owned(),
            );
        }
        Way::Other => {}
    }
    Some(scene.commands.platform().map_or_else(
        || {
            "How etcd is run is not known, so stop, replace and start stand here without commands: say how, and they \
             come."
                .to_owned()
        },
        |platform| {
            format!(
                "Stop, replace and start stand here without commands: take those by which etcd is run there ({}).",
                platform.name,
            )
        },
    ))
}

/// A word on what the roll is about to do, for the phase.
pub(super) fn note(scene: &Scene<'_>, crew: &Crew, shut: bool) -> Option<String> {
    let mut notes: Vec<String> = Vec::new();
    notes.extend(native(scene));
    let total = crew.movers.len();
    let left = crew.left(scene.leg);
    let done = total - left.len();
    if crew.stand_ins {
        notes.push(
            "No member is known yet, so the steps are for each follower in turn and then for the leader: go through stop, \
             replace, start and verify for one before the next. Learners count too."
                .to_owned(),
        );
    } else if done > 0
        && let Some(next) = left.first().and_then(|&at| crew.movers.get(at))
    {
        let open = match (scene.leg.hop, shut) {
            (None, _) => "",
            (Some(_), false) => "; the window is still open",
            (Some(_), true) => "; the cluster version is raised already, so the window has shut",
        };
        notes.push(format!("{done} of {total} done, {} is next{open}.", next.label));
    }
    if !crew.stand_ins && total > 1 && !crew.leader_known() {
        notes.push("Who leads is not known: the leader goes last, whatever its place here.".to_owned());
    }
    if !crew.stand_ins && !crew.bears_one_down() {
        notes.push(match crew.voters() {
            1 => "One voter: there is no rolling, the cluster is down from stop to start.".to_owned(),
            voters => format!("{voters} voters: the cluster is down from each stop to each start."),
        });
    }
    if !crew.stand_ins && scene.cluster.member_list.is_none() {
        notes.push(
            "No member list was pasted: a member that is not named here takes the same steps before the leader, and the \
             window shuts with the last of all."
                .to_owned(),
        );
    }
    notes.extend(by_words(scene, crew));
    let silent: Vec<&str> =
        left.iter().filter_map(|&at| crew.movers.get(at)).filter(|m| m.silent).map(|m| m.label.as_str()).collect();
    if !silent.is_empty() && scene.leg.hop.is_some() && !shut {
        notes.push(format!(
            "{} {} not answer and {} the window open.",
            words::list(&silent),
            words::verb(silent.len(), "does", "do"),
            words::verb(silent.len(), "keeps", "keep"),
        ));
    }
    (!notes.is_empty()).then(|| notes.join(" "))
}
