//! The checklist of a change of members: what is looked at first, the backup snapshot, the stages of the course one by
//! one, and what stands around the cluster afterwards.
//!
//! The order is the course's ([`crate::reconfiguration`]); here it becomes steps. Source: etcd's guide on runtime
//! reconfiguration; what is refused when: `strict-…`, `learner-…` of the facts.

use super::order::{Crew, Role};
use super::upgrade::by_platform_only;
use super::writer::{Draft, Steps};
use super::{BACKUP_STEP, Check, Phase, PhaseKind, Plan, Way, WaysBack, backup, wording};
use crate::cluster::Cluster;
use crate::cluster::commands::{Commands, Joining};
use crate::evidence::answers::Answers;
use crate::evidence::fact::MemberAction;
use crate::gates::words;
use crate::intent::change::{Newcomer, Origin};
use crate::reconfiguration::{Act, Course, Problem, Seat, Stage};

/// Seconds a step may take until etcd has taken it: members count as connected five seconds after they met.
const SETTLE_SECONDS: u32 = 60;

/// The file of the backup snapshot before the change.
const BACKUP: &str = "etcd-before-members.db";

/// The id of the step that makes a stage; `None` where the course is not gone through.
#[must_use]
pub fn step_id(course: &Course, stage: usize) -> Option<String> {
    let stage = course.stages.get(stage).filter(|_| course.is_open())?;
    let seat = course.seat(stage)?;
    Some(format!("members/change/{}/{}", wording::key(&seat.label), stage.act.id()))
}

/// Makes the plan, below the steps that mend what the gates found.
pub(super) fn plan(cluster: &Cluster, answers: &Answers, mut fix_first: Vec<Phase>) -> Plan {
    let course = Course::of(cluster, answers);
    let none_because = by_platform_only(cluster, answers).or_else(|| no_course(&course));
    for step in fix_first.iter_mut().flat_map(|phase| &mut phase.steps) {
        step.ways_back = ways("Nothing was changed: leave it as it is.");
    }
    if none_because.is_some() {
        return Plan { phases: fix_first, none_because, ..Plan::default() };
    }
    let mut change = Writing {
        cluster,
        commands: Commands::new(cluster, answers),
        course: &course,
        seats: course.seats.clone(),
        back: "Nothing was changed: leave it as it is.".to_owned(),
        steps: Steps::of_no_leg("members", fix_first),
    };
    change.before();
    change.stages();
    change.after();
    Plan { phases: change.steps.done(), ..Plan::default() }
}

/// Why there is no course to write down.
fn no_course(course: &Course) -> Option<String> {
    if course.wanted.is_none() {
        return Some("It is not known which change is wanted, so there is nothing to plan.".to_owned());
    }
    match &course.problem {
        Some(Problem::NoSuchMember(member)) => {
            return Some(format!("No member that was shown is called {member}, so there is nothing to plan."));
        }
        Some(Problem::NoLearner(member)) => {
            return Some(format!("{member} votes already, so there is nothing to promote."));
        }
        Some(Problem::AlreadySo(voters)) => {
            return Some(format!("The cluster has {} already.", words::count(*voters, "voter")));
        }
        None => {}
    }
    if course.now.started == 0 {
        return Some("No member is known, so the change can't be planned: paste the member list.".to_owned());
    }
    let (stage, _) = course.refused()?;
    let who = course.seat(stage).map_or("a member", |seat| seat.label.as_str());
    Some(format!("The change stops where {who} is to {}: the gates say why, and what comes first.", verb(&stage.act)))
}

fn verb(act: &Act) -> &'static str {
    match act {
        Act::AddLearner | Act::AddVoter => "be added",
        Act::Start => "start",
        Act::CatchUp => "catch up",
        Act::Promote => "be promoted",
        Act::MoveLeader { .. } => "hand over",
        Act::Remove => "be removed",
    }
}

/// No binary and no version moves; what is done can be taken back by another change, or by the backup.
fn ways(back: &str) -> WaysBack {
    WaysBack {
        swap: Way::shut("A change of members swaps no binary."),
        downgrade: Way::shut("A change of members keeps the version."),
        restore: Way::open(back),
    }
}

/// The checklist, growing.
struct Writing<'a> {
    cluster: &'a Cluster,
    commands: Commands,
    course: &'a Course,
    /// The seats as they are at the stage that is written.
    seats: Vec<Seat>,
    /// The way back from here.
    back: String,
    steps: Steps,
}

impl Writing<'_> {
    fn step(&mut self, draft: Draft) {
        self.steps.step(draft, ways(&self.back));
    }

    fn phase(&mut self, kind: PhaseKind, note: Option<String>) {
        self.steps.phase(kind, note);
    }

    fn newcomer(&self, seat: &Seat) -> Option<&Newcomer> {
        self.course.wanted.as_ref()?.newcomers.get(seat.newcomer?)
    }

    /// A seat as commands take it; `cluster` is kept by the caller.
    fn joining<'s>(&'s self, seat: &'s Seat, cluster: Option<&'s str>) -> Joining<'s> {
        let newcomer = self.newcomer(seat);
        let member = seat.member.and_then(|at| self.cluster.members.get(at));
        Joining {
            name: newcomer.and_then(|n| n.name.as_deref()).or(member.and_then(|m| m.name.as_deref())),
            peer_url: newcomer
                .and_then(|n| n.peer_url.as_deref())
                .or_else(|| member.and_then(|m| m.peer_urls.first()).map(String::as_str)),
            id: seat.id,
            initial_cluster: cluster,
        }
    }

    /// Every member at this moment and the one that starts, as `name=URL,…`: as `member add` printed it, where that
    /// was pasted for this member.
    fn initial_cluster(&self, at: usize) -> Option<String> {
        let seat = self.seats.get(at)?;
        let printed = self.cluster.member_changes.iter().rev().map(|seen| &seen.value).find(|change| {
            Some(change.member_id) == seat.id
                && matches!(change.action, MemberAction::Added | MemberAction::AddedAsLearner)
        });
        let setting = printed.and_then(|change| {
            change.environment.iter().find(|s| s.name == crate::etcd::flags::name::INITIAL_CLUSTER)?.value.clone()
        });
        if setting.is_some() {
            return setting;
        }
        let mut parts = Vec::new();
        for (index, seat) in self.seats.iter().enumerate().filter(|(index, seat)| seat.listed || *index == at) {
            let joining = self.joining(seat, None);
            let name = joining.name.filter(|_| seat.started || index == at)?;
            let member = seat.member.and_then(|m| self.cluster.members.get(m));
            match member.map(|m| m.peer_urls.as_slice()) {
                Some(urls) if !urls.is_empty() => parts.extend(urls.iter().map(|url| format!("{name}={url}"))),
                _ => parts.push(format!("{name}={}", joining.peer_url?)),
            }
        }
        (!parts.is_empty()).then(|| parts.join(","))
    }

    // Right before

    fn before(&mut self) {
        let now = self.course.now;
        let fragile = if now.spare() == 0 { " One more failure now stops the cluster." } else { "" };
        self.step(Draft {
            id: "right-before/health".to_owned(),
            title: "See which members answer, who leads, and that no alarm is raised".to_owned(),
            why: format!(
                "{}, {} of them answer, a quorum is {}.{fragile} etcd counts a member as connected five seconds after it \
                 came back.",
                words::sentence(&words::count(now.voters, "voter")),
                now.reachable,
                now.quorum(),
            ),
            commands: vec![self.commands.status_of(&self.answering()), self.commands.alarm_list()],
            checks: vec![Check::nothing(1)],
            expect: "The same members answer as when this was planned, one leads, and no alarm is listed.".to_owned(),
            stop_when: "Another member is down, or another one leads than planned: paste the output and plan again."
                .to_owned(),
            ..Draft::default()
        });
        let source = self.backup_source();
        let member = source.and_then(|at| self.cluster.members.get(at)).map(crate::cluster::Member::label);
        self.step(Draft {
            id: format!("right-before/{BACKUP_STEP}"),
            title: format!("Save a backup snapshot from {}", member.as_deref().unwrap_or("one healthy member")),
            member: member.clone(),
            why: "If the quorum is lost in the middle, it is the way back.".to_owned(),
            commands: vec![self.commands.snapshot_save(source, BACKUP)],
            checks: vec![Check::shows(0, &["Snapshot saved at"])],
            expect: "`Snapshot saved at` and the path, exit 0.".to_owned(),
            stop_when: "It ends with an error: change nothing before there is one.".to_owned(),
        });
        self.back = "Nothing was changed: leave it as it is.".to_owned();
        self.step(Draft {
            id: "right-before/backup-verify".to_owned(),
            title: "Verify the backup snapshot, and copy it off the host".to_owned(),
            member,
            why: "A file nobody looked at is no backup, and one on a member's own disk is lost with that member."
                .to_owned(),
            commands: vec![self.commands.snapshot_status(source, BACKUP)],
            checks: Vec::new(),
            expect: "One row with hash, revision, total keys and total size.".to_owned(),
            stop_when: "It reports an error: save it again from another member.".to_owned(),
        });
        self.step(backup::prove("right-before", self.commands.try_restore(BACKUP)));
        self.phase(PhaseKind::RightBefore, None);
    }

    /// Members that answer.
    fn answering(&self) -> Vec<usize> {
        self.seats.iter().filter(|seat| seat.up).filter_map(|seat| seat.member).collect()
    }

    fn any_down(&self) -> bool {
        self.seats.iter().any(|seat| seat.listed && seat.started && !seat.up)
    }

    /// A follower that stays, since reading the whole database costs the leader more.
    fn backup_source(&self) -> Option<usize> {
        let crew = Crew::of(self.cluster);
        let steady = crew.movers.iter().filter(|m| !m.silent && m.role != Role::Learner);
        steady
            .min_by_key(|m| (m.role == Role::Leader, m.index.is_some_and(|at| self.course.removes(at))))
            .and_then(|m| m.index)
    }

    // The change

    fn stages(&mut self) {
        let stages = self.course.stages.clone();
        for (at, stage) in stages.iter().enumerate() {
            let Some(id) = step_id(self.course, at).and_then(|id| id.strip_prefix("members/").map(str::to_owned))
            else {
                continue;
            };
            let draft = match stage.act {
                Act::AddLearner => self.add(stage, true),
                Act::AddVoter => self.add(stage, false),
                Act::Start => self.start(stage),
                Act::CatchUp => self.catch_up(stage),
                Act::Promote => self.promote(stage),
                Act::MoveLeader { to } => self.move_leader(stage, to),
                Act::Remove => self.remove(stage),
            };
            self.step(Draft { id, ..draft });
            if stage.act == Act::Remove {
                self.retire(stage.seat);
            }
            self.apply(stage);
        }
        let resumed = self.course.wanted.as_ref().is_some_and(|wanted| {
            matches!(wanted.origin, Origin::Open(_)) || self.course.incoming().any(|seat| seat.listed)
        });
        let note = resumed.then(|| "The change was begun before: what is left of it.".to_owned());
        self.phase(PhaseKind::Change, note);
    }

    fn apply(&mut self, stage: &Stage) {
        stage.act.take(&mut self.seats, stage.seat);
        if stage.act == Act::Remove {
            self.go_on_without_the_removed();
        }
    }

    /// Commands ask those who are left; where nobody is left who was there before, those who came in.
    fn go_on_without_the_removed(&mut self) {
        let left = |before: bool| self.seats.iter().filter(move |s| s.listed && s.up && s.member.is_some() == before);
        let known = left(true).filter_map(|s| self.cluster.members.get(s.member?)?.endpoints.first().cloned());
        let mut endpoints: Vec<String> = known.collect();
        if endpoints.is_empty() {
            endpoints = left(false).filter_map(|s| self.commands.client_url_of_new(self.joining(s, None))).collect();
        }
        let gone: Vec<usize> = self.seats.iter().filter(|s| !s.listed).filter_map(|s| s.member).collect();
        self.commands.go_on_at(endpoints, &gone);
    }

    /// The voters after a stage, in a sentence.
    fn count(&self, stage: &Stage) -> String {
        let after = stage.after;
        format!(
            "Then there are {}, {} of them answer, and a quorum is {}.",
            words::count(after.voters, "voter"),
            after.reachable,
            after.quorum()
        )
    }

    fn add(&mut self, stage: &Stage, learner: bool) -> Draft {
        let Some(seat) = self.seats.get(stage.seat).cloned() else { return Draft::default() };
        let who = seat.label.clone();
        let command = self.commands.member_add(self.joining(&seat, None), learner);
        self.back = format!(
            "Take it back with member remove and the id it printed{}. Restoring the backup snapshot is the last resort: it \
             loses what was written since.",
            if learner { ": no voter changes" } else { "" },
        );
        let why = if learner {
            "A learner gets the data and does not vote, so the quorum stays as it is until the new member is in sync."
                .to_owned()
        } else {
            format!("This version has no learners, so {who} counts for the quorum from now on. {}", self.count(stage))
        };
        Draft {
            title: format!("Add {who}{}", if learner { " as a learner" } else { "" }),
            why,
            commands: vec![command],
            checks: vec![settling(Check::shows(0, &["added"]))],
            expect:
                "`Member … added to cluster …`, and four ETCD_ lines: the flags of the next step must say the same."
                    .to_owned(),
            stop_when:
                "`etcdserver: unhealthy cluster`: a voter is down, or came back less than five seconds ago; wait and \
                        repeat. Any other refusal: paste it here."
                    .to_owned(),
            ..Draft::default()
        }
    }

    fn start(&mut self, stage: &Stage) -> Draft {
        let Some(seat) = self.seats.get(stage.seat).cloned() else { return Draft::default() };
        let who = seat.label.clone();
        let cluster = self.initial_cluster(stage.seat);
        let joining = self.joining(&seat, cluster.as_deref());
        let mut commands = vec![self.commands.data_dir_of_new(joining)];
        commands.extend(self.commands.start_new(joining));
        let flags = self.commands.flags_of_new(joining).join(" ");
        let version = self
            .course
            .version
            .as_ref()
            .map_or_else(String::new, |version| format!(" It runs {version}, as the others do."));
        Draft {
            title: format!("Start {who} with an empty data directory"),
            member: Some(who.clone()),
            why: format!(
                "It joins with these flags and no others of their kind: {flags}. The list must name every member, {who} too, \
                 or the start ends with `member count is unequal`; the state new would found a cluster of its own.{version}"
            ),
            commands,
            checks: vec![Check::nothing(0)],
            expect: format!("The data directory holds nothing before the start; then {who} runs and stays up."),
            stop_when:
                "The directory is not empty: another cluster's data, or a removed member's, must not be started here. \
                        Or the process ends: paste its log."
                    .to_owned(),
            ..Draft::default()
        }
    }

    fn catch_up(&mut self, stage: &Stage) -> Draft {
        let Some(seat) = self.seats.get(stage.seat).cloned() else { return Draft::default() };
        let who = seat.label.clone();
        let url = self.commands.client_url_of_new(self.joining(&seat, None));
        let url = seat.member.and_then(|at| self.cluster.members.get(at)?.endpoints.first().cloned()).or(url);
        let row = url.iter().map(|url| vec![url.clone()]).collect::<Vec<_>>();
        let mut check = settling(Check::default());
        check.lines = row;
        Draft {
            title: format!("Wait until {who} has caught up"),
            member: Some(who.clone()),
            why: "etcd promotes a learner once it has nine tenths of the leader's raft index. In an old cluster that is soon \
                  reached, so wait for the whole of it."
                .to_owned(),
            commands: vec![self.commands.status_of_all()],
            checks: if check.lines.is_empty() { Vec::new() } else { vec![check] },
            expect: format!(
                "{who} has a row, its raft index and its applied index are within a few entries of the leader's, and its \
                 database is about as large."
            ),
            stop_when: "Its index does not move for a minute: read its log. Minutes are usual for a large database."
                .to_owned(),
            ..Draft::default()
        }
    }

    fn promote(&mut self, stage: &Stage) -> Draft {
        let Some(seat) = self.seats.get(stage.seat).cloned() else { return Draft::default() };
        let who = seat.label.clone();
        let command = match seat.id {
            Some(id) => self.commands.member_by_id("promote", id),
            None => self.commands.member_by_url("promote", self.joining(&seat, None)),
        };
        self.back = format!(
            "Take it back: remove {who} again, and the voters are those from before. Restoring the backup snapshot is the \
             last resort: it loses what was written since."
        );
        Draft {
            title: format!("Promote {who}"),
            member: Some(who.clone()),
            why: format!("Now it votes. {}", self.count(stage)),
            commands: vec![command],
            checks: vec![settling(Check::shows(0, &["promoted in cluster"]))],
            expect: "`Member … promoted in cluster …`".to_owned(),
            stop_when: "`can only promote a learner member which is in sync with leader`: wait and repeat.".to_owned(),
            ..Draft::default()
        }
    }

    fn move_leader(&mut self, stage: &Stage, to: usize) -> Draft {
        let Some((seat, heir)) = self.seats.get(stage.seat).cloned().zip(self.seats.get(to).cloned()) else {
            return Draft::default();
        };
        let command = match heir.member.filter(|_| heir.id.is_some()) {
            Some(member) => self.commands.move_leader(seat.member, Some(member)),
            None => self.commands.move_leader_to(seat.member, self.joining(&heir, None)),
        };
        Draft {
            title: format!("Move the leader from {} to {}", seat.label, heir.label),
            member: Some(seat.label.clone()),
            why: "Removing the leader leaves the cluster without one for up to an election timeout; a hand-over costs \
                  milliseconds."
                .to_owned(),
            commands: vec![command],
            checks: vec![Check::shows(0, &["Leadership transferred"])],
            expect: "`Leadership transferred from … to …`".to_owned(),
            stop_when: format!("It fails: see who leads now. If it is no longer {}, go on.", seat.label),
            ..Draft::default()
        }
    }

    fn remove(&mut self, stage: &Stage) -> Draft {
        let Some(seat) = self.seats.get(stage.seat).cloned() else { return Draft::default() };
        let who = seat.label.clone();
        let command = match seat.id {
            Some(id) => self.commands.member_remove(seat.member, id),
            None => self.commands.member_by_url("remove", self.joining(&seat, None)),
        };
        let why = match (seat.votes, seat.up) {
            (false, _) => "It does not vote, so no quorum changes.".to_owned(),
            (true, false) => format!(
                "It is down and still counts: while it does, etcd may refuse to add a member, and one more failure can cost \
                 the quorum. So it goes before the new one comes. {}",
                self.count(stage)
            ),
            (true, true) => {
                format!("It goes last, so that the cluster is never smaller than it was. {}", self.count(stage))
            }
        };
        self.back = format!(
            "A removal can't be taken back: {who} comes back only as a new member with an empty data directory. Restoring \
             the backup snapshot is the last resort: it loses what was written since."
        );
        Draft {
            title: format!("Remove {who}"),
            member: Some(who),
            why,
            commands: vec![command],
            checks: vec![settling(Check::shows(0, &["removed from cluster"]))],
            expect: "`Member … removed from cluster …`".to_owned(),
            stop_when:
                "`etcdserver: unhealthy cluster` or `not enough started members`: another voter is down; bring it \
                        back first."
                    .to_owned(),
            ..Draft::default()
        }
    }

    /// What is left of a removed member.
    fn retire(&mut self, seat: usize) {
        let Some(seat) = self.seats.get(seat).cloned() else { return };
        let (who, member) = (seat.label.clone(), seat.member.filter(|_| seat.up));
        let commands = if seat.up { self.commands.retire(member) } else { Vec::new() };
        let when = if seat.up { "" } else { ", also when its machine comes back" };
        self.step(Draft {
            id: format!("change/{}/retire", wording::key(&who)),
            title: format!("See that {who} stays off{when}"),
            member: Some(who.clone()),
            why: "A removed member that starts with its old data ends at once, again and again, and one that is given state \
                  new founds a second cluster."
                .to_owned(),
            commands,
            checks: Vec::new(),
            expect: "No etcd runs there, nothing starts it, and its data directory is emptied before the machine joins again."
                .to_owned(),
            stop_when: "Something starts it again: stop that first.".to_owned(),
        });
    }

    // After

    fn after(&mut self) {
        let end = self.course.end();
        let members = end.voters + end.learners;
        self.step(Draft {
            id: "after/verify".to_owned(),
            title: "See every member in sync and healthy".to_owned(),
            why: "The change counts once every member has applied what the leader has committed.".to_owned(),
            commands: vec![self.commands.member_list(), self.commands.status_of_all(), self.commands.health_of_all()],
            checks: self.rows_of_all(),
            expect: format!(
                "{}, all started; one leads; every applied index is within a few entries of the raft index; every voter is \
                 healthy.",
                words::count(members, "member")
            ),
            stop_when: "A member is missing, unstarted or behind: do not go on with another change.".to_owned(),
            ..Draft::default()
        });
        let note = if end.voters.is_multiple_of(2) {
            format!(
                " {} bear no more failures than {}: plan one more or one less.",
                end.voters,
                end.voters.saturating_sub(1)
            )
        } else {
            String::new()
        };
        let servers = self.client_urls();
        let apiservers = if servers.is_empty() {
            String::new()
        } else {
            format!(" kube-apiservers: --etcd-servers={}.", servers.join(","))
        };
        self.step(Draft {
            id: "after/clients".to_owned(),
            title: "Bring the new list of members to everything that names members".to_owned(),
            why: format!(
                "API servers and other clients keep the endpoints they were started with: one that names only members that \
                 left stops.{apiservers}"
            ),
            commands: Vec::new(),
            checks: Vec::new(),
            expect: "API servers, clients, proxies and the etcdctl settings of the hosts name every member and no one that \
                     left; each was restarted one after the other."
                .to_owned(),
            stop_when: "An API server does not come back: put its old list back, as long as one member of it is left."
                .to_owned(),
            ..Draft::default()
        });
        self.certificates();
        self.step(Draft {
            id: "after/around".to_owned(),
            title: "Bring monitoring, alerts and the backup job to the new list".to_owned(),
            why: format!("What watches or saves the old member fails, or goes on in silence without it.{note}"),
            expect: "Every member is scraped and alerted on, the backup job asks a member that is there, units and \
                     manifests in version control name the new list."
                .to_owned(),
            stop_when: "The backup job still names a member that left.".to_owned(),
            ..Draft::default()
        });
        // One that voted before the change too: it has had the data for longest.
        let mut left = self.seats.iter().zip(&self.course.seats);
        let left = left.find(|(seat, before)| seat.listed && seat.up && before.votes && seat.member.is_some());
        let source = left.and_then(|(seat, _)| seat.member);
        let file = "etcd-after-members.db";
        let save = match source {
            Some(_) => self.commands.snapshot_save(source, file),
            None => self.commands.etcdctl_at(None, &format!("snapshot save {file}")),
        };
        self.step(Draft {
            id: "after/backup".to_owned(),
            title: "Save and verify a backup snapshot of the changed cluster".to_owned(),
            why: "A restore from an older one starts from a list of members that is no longer so.".to_owned(),
            commands: vec![save, self.commands.snapshot_status(source, file)],
            checks: vec![Check::shows(0, &["Snapshot saved at"])],
            expect: "`Snapshot saved at` and the path, then one row with the cluster's revision.".to_owned(),
            stop_when: "It can't be saved: mend that today.".to_owned(),
            ..Draft::default()
        });
        self.step(backup::prove("after", self.commands.try_restore(file)));
        self.phase(PhaseKind::After, None);
    }

    /// The client URLs of those that are in the cluster at the end, as far as known.
    fn client_urls(&self) -> Vec<String> {
        let url = |seat: &Seat| {
            let known = seat.member.and_then(|at| self.cluster.members.get(at)?.endpoints.first().cloned());
            known.or_else(|| self.commands.client_url_of_new(self.joining(seat, None)))
        };
        let all: Option<Vec<String>> = self.seats.iter().filter(|seat| seat.listed && seat.up).map(url).collect();
        all.unwrap_or_default()
    }

    fn rows_of_all(&self) -> Vec<Check> {
        let urls = self.client_urls();
        if urls.is_empty() || self.any_down() {
            return Vec::new();
        }
        let mut check = settling(Check { command: 1, ..Check::default() });
        check.lines = urls.into_iter().map(|url| vec![url]).collect();
        vec![check]
    }

    fn certificates(&mut self) {
        let secure = |seat: &&Seat| self.joining(seat, None).peer_url.is_some_and(|url| url.starts_with("https://"));
        let new: Vec<Seat> = self.seats.iter().filter(|seat| seat.newcomer.is_some()).filter(secure).cloned().collect();
        if new.is_empty() {
            return;
        }
        let commands =
            new.iter().filter_map(|seat| self.commands.names_in_certificate(self.joining(seat, None))).collect();
        let names: Vec<String> = new.iter().map(|seat| seat.label.clone()).collect();
        self.step(Draft {
            id: "after/certificates".to_owned(),
            title: format!("See that the certificates of {} name its host", words::list(&names)),
            why: "Peers and clients refuse a certificate that does not hold for the name or address they call; some only do \
                  so after the next restart."
                .to_owned(),
            commands,
            checks: Vec::new(),
            expect: "The subject alternative names hold the host of the client URL and of the peer URL.".to_owned(),
            stop_when: "A name is missing: issue the certificate again before the next member is restarted.".to_owned(),
            ..Draft::default()
        });
    }
}

/// The same check, with time until etcd has taken the change.
fn settling(check: Check) -> Check {
    Check { within_seconds: SETTLE_SECONDS, ..check }
}

#[cfg(test)]
mod tests;
