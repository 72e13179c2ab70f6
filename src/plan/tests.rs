//! Plans over built clusters: every hop, routes, rolls begun before, single members, learners, patch rolls.

use proptest::prelude::*;

use super::simulator;
use super::{PhaseKind, Plan, Step};
use crate::bump::Worksheet;
use crate::cluster::{Cluster, Member};
use crate::etcd::hops;
use crate::etcd::releases;
use crate::etcd::version::{Minor, Version};
use crate::evidence::answers::{AnswerKey, Answers};
use crate::evidence::fact::{
    EndpointFailed, FlagForm, FlagSet, FlagSetting, FlagSource, MemberRow, Seen, Span, Status,
};
use crate::gates::{Ask, Assessment, Finding, Ground, Outcome, Verdict};
use crate::intent::{Hop, Intent, Leg, Route, RouteKind, Target};

mod real_clusters;

fn make(cluster: &Cluster, route: &Route, assessment: &Assessment, answers: &Answers) -> Plan {
    let sheet = Worksheet::fill(cluster, answers, time::macros::datetime!(2026-11-30 12:00 UTC));
    super::make(cluster, route, assessment, answers, &sheet)
}

fn v(text: &str) -> Version {
    text.parse().unwrap()
}

fn m(text: &str) -> Minor {
    text.parse().unwrap()
}

fn seen<T>(value: T) -> Seen<T> {
    Seen { value, span: Span::line(0, 1) }
}

/// One member of a built cluster.
#[derive(Debug, Clone)]
struct Spec {
    version: Version,
    leader: bool,
    learner: bool,
    silent: bool,
}

fn spec(version: &str) -> Spec {
    Spec { version: v(version), leader: false, learner: false, silent: false }
}

fn leads(version: &str) -> Spec {
    Spec { leader: true, ..spec(version) }
}

fn learns(version: &str) -> Spec {
    Spec { learner: true, ..spec(version) }
}

/// Members m1, m2, … on 192.0.2.1, 192.0.2.2, …
fn cluster(specs: &[Spec]) -> Cluster {
    let mut cluster = Cluster { member_list: Some(Span::line(0, 1)), ..Cluster::default() };
    for (at, spec) in specs.iter().enumerate() {
        let number = at + 1;
        let id = 0x8e9e_05c5_2164_694d + number as u64;
        let endpoint = format!("https://192.0.2.{number}:2379");
        let status = Status {
            endpoint: endpoint.clone(),
            member_id: Some(id),
            version: Some(spec.version.clone()),
            is_leader: Some(spec.leader),
            is_learner: Some(spec.learner),
            ..Status::default()
        };
        let failed = EndpointFailed { endpoint: endpoint.clone(), error: "context deadline exceeded".to_owned() };
        cluster.members.push(Member {
            id: Some(id),
            name: Some(format!("m{number}")),
            endpoints: vec![endpoint.clone()],
            listed: Some(seen(MemberRow {
                id,
                name: Some(format!("m{number}")),
                started: true,
                client_urls: vec![endpoint],
                is_learner: Some(spec.learner),
                ..MemberRow::default()
            })),
            status: Some(seen(status)),
            failed: spec.silent.then(|| seen(failed)),
            ..Member::default()
        });
    }
    cluster
}

fn three(version: &str) -> Cluster {
    cluster(&[leads(version), spec(version), spec(version)])
}

fn leg(from: &str, target: &str) -> Leg {
    let target = v(target);
    let hop = (m(from) != target.minor()).then(|| Hop { from: m(from), to: target.minor() });
    Leg { hop, target }
}

fn newest(minor: &str) -> String {
    releases::newest(m(minor)).unwrap().version.to_string()
}

/// The route over these minors, each on its newest patch.
fn over(minors: &[&str]) -> Route {
    let legs: Vec<Leg> = minors.windows(2).map(|pair| leg(pair[0], &newest(pair[1]))).collect();
    route(RouteKind::Hops, minors[0], legs)
}

fn route(kind: RouteKind, from: &str, legs: Vec<Leg>) -> Route {
    Route {
        intent: Intent::upgrade(Target::Next),
        kind,
        from: Some(m(from)),
        to: legs.last().map(|leg| leg.target.clone()),
        from_seen: Vec::new(),
        from_said_differs: false,
        legs,
    }
}

fn nothing_found() -> Assessment {
    Assessment { verdict: Verdict::Ready, findings: Vec::new(), known: Vec::new() }
}

fn finding(gate: &'static str, outcome: Outcome, hop: &Leg, remedy: &str) -> Finding {
    Finding {
        gate,
        outcome,
        member: None,
        hop: hop.hop,
        statement: format!("{gate} speaks"),
        grounds: vec![Ground::Wanted],
        remedy: Some(remedy.to_owned()),
        commands: vec![format!("mend {gate}")],
        asks: Vec::new(),
        note: None,
        accepted: None,
        source: None,
        cause: None,
    }
}

fn answers(given: &[&str]) -> Answers {
    let mut answers = Answers::new();
    given.iter().for_each(|text| answers.take(text).unwrap());
    answers
}

fn plan_of(cluster: &Cluster, route: &Route) -> Plan {
    make(cluster, route, &nothing_found(), &answers(&["run-by=systemd-binary"]))
}

fn ids(plan: &Plan) -> Vec<&str> {
    plan.steps().map(|s| s.id.as_str()).collect()
}

/// The ids of one leg's roll, without the prefix.
fn roll_ids(plan: &Plan, leg: usize) -> Vec<String> {
    let phases = plan.phases.iter().filter(|p| p.leg == leg && p.kind == PhaseKind::Roll);
    phases.flat_map(|p| &p.steps).map(|s| s.id.split_once("/roll/").unwrap().1.to_owned()).collect()
}

fn stopped(plan: &Plan, leg: usize) -> Vec<String> {
    roll_ids(plan, leg).iter().filter_map(|id| id.strip_suffix("/stop").map(ToOwned::to_owned)).collect()
}

/// What must hold for every plan.
fn holds(plan: &Plan, named: bool) {
    let mut seen_ids = std::collections::BTreeSet::new();
    for step in plan.steps() {
        let Step { id, title, why, commands, expect, stop_when, ways_back, .. } = step;
        assert!(seen_ids.insert(id.clone()), "{id} twice");
        for (what, text) in [("title", title), ("why", why), ("expect", expect), ("stop_when", stop_when)] {
            assert!(!text.trim().is_empty(), "{id}: empty {what}");
            assert_eq!(text.trim(), text, "{id}: {what} has blanks around");
            assert!(!text.contains("  "), "{id}: {what} has two blanks: {text}");
            assert!(!text.contains(".."), "{id}: {what} has two full stops: {text}");
            assert!(!text.contains('!'), "{id}: {what} shouts");
        }
        assert!(!title.ends_with('.'), "{id}: a title is no sentence");
        for text in [why, expect, stop_when] {
            assert!(text.ends_with(['.', '?', ':']) || text.contains("https://"), "{id}: no full stop: {text}");
        }
        for way in [&ways_back.swap, &ways_back.downgrade, &ways_back.restore] {
            assert!(!way.reason.is_empty(), "{id}: a way back without a reason");
        }
        for check in &step.checks {
            assert!(check.command < commands.len(), "{id}: a check of a command that is not there");
            assert_eq!(check.nothing, check.lines.is_empty(), "{id}: a check that asks for nothing");
        }
        for command in commands {
            assert!(!command.trim().is_empty(), "{id}: empty command");
            assert!(!named || !holds_placeholder(command), "{id}: {command}");
        }
    }
    for window in &plan.windows {
        assert!(plan.step(&window.opens_at).is_some(), "{}", window.opens_at);
        assert!(plan.step(&window.shuts_at).is_some(), "{}", window.shuts_at);
        let of_hop: Vec<&Step> =
            plan.phases.iter().filter(|p| p.hop == Some(window.hop)).flat_map(|p| &p.steps).collect();
        let shut_from = of_hop.iter().position(|s| !s.ways_back.swap.open).expect("the swap shuts somewhere");
        assert_eq!(of_hop[shut_from].id, window.shuts_at, "the swap shuts at another step");
        assert!(of_hop[shut_from..].iter().all(|s| !s.ways_back.swap.open), "the swap opens again");
        let starts_last = plan.step(&window.shuts_at).unwrap();
        if let Some(member) = &starts_last.member {
            assert!(window.shuts_when.starts_with(member.as_str()), "{}", window.shuts_when);
        }
    }
    for phase in &plan.phases {
        assert!(!phase.steps.is_empty(), "an empty phase");
    }
}

/// A word in capitals with an underscore or alone, as in MEMBER or BACKUP_HOST, or something in angle brackets.
fn holds_placeholder(command: &str) -> bool {
    let known = ["ETCD_", "ETCDCTL_", "LISTEN"];
    command.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '<' || c == '>')).any(|word| {
        let shouting = word.len() > 3 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        (shouting && !known.iter().any(|k| word.starts_with(k))) || word.starts_with('<') && word.ends_with('>')
    })
}

#[test]
fn every_hop_is_followers_first_and_the_leader_last() {
    for pair in hops::all().windows(1) {
        let (from, to) = (pair[0].from.to_string(), pair[0].to.to_string());
        let cluster = three(&newest(&from));
        let route = over(&[&from, &to]);
        let plan = plan_of(&cluster, &route);
        holds(&plan, true);
        assert_eq!(stopped(&plan, 0), ["m2", "m3", "m1"], "{from} to {to}");
        let order = roll_ids(&plan, 0);
        let at = |id: &str| order.iter().position(|i| i == id).unwrap();
        assert!(at("m3/verify") < at("m1/move-leader"), "{from} to {to}");
        assert_eq!(at("m1/move-leader") + 1, at("m1/stop"), "{from} to {to}");
        let world = simulator::walk(&plan, &cluster, &route.legs).unwrap();
        assert!(world.all_run(&route.legs[0].target));
        let window = &plan.windows[0];
        assert_eq!(window.opens_at, format!("{to}/roll/m2/start"));
        assert_eq!(window.shuts_at, format!("{to}/roll/m1/start"));
        assert_eq!(window.shuts_when, format!("m1 starts on {to}"));
        assert!(!window.open_now);
    }
}

#[test]
fn phases_come_in_order_and_later_hops_are_checked_again_then() {
    let route = over(&["3.4", "3.5", "3.6", "3.7"]);
    let plan = plan_of(&three(&newest("3.4")), &route);
    holds(&plan, true);
    let order: Vec<(usize, PhaseKind)> = plan.phases.iter().map(|p| (p.leg, p.kind)).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert_eq!(order, sorted);
    for leg in 1..3 {
        let prepare = plan.phases.iter().find(|p| p.leg == leg && p.kind == PhaseKind::Prepare).unwrap();
        assert!(prepare.note.as_deref().unwrap().contains("check again then"), "{:?}", prepare.note);
    }
    assert_eq!(plan.windows.len(), 3);
    let world = simulator::walk(&plan, &three(&newest("3.4")), &route.legs).unwrap();
    assert!(world.all_run(&v(&newest("3.7"))));
}

/// facts: v2-wal-entries-37, confirmed on 3.5.33 → 3.6.16 → 3.7.3.
#[test]
fn a_route_over_both_hops_plans_the_disk_snapshot_between_them() {
    let route = over(&["3.5", "3.6", "3.7"]);
    let cluster = three(&newest("3.5"));
    let plan = plan_of(&cluster, &route);
    let order = ids(&plan);
    let at = |id: &str| order.iter().position(|i| *i == id).unwrap_or_else(|| panic!("{id} in {order:?}"));
    let raised = at("3.6/close/cluster-version");
    let first_roll = order.iter().position(|id| id.starts_with("3.7/roll/")).unwrap();
    let restarts: Vec<usize> =
        order.iter().enumerate().filter(|(_, id)| id.ends_with("/restart")).map(|(at, _)| at).collect();
    assert_eq!(restarts.len(), 3);
    assert!(restarts.iter().all(|at| (raised..first_roll).contains(at)));
    // The leadership went to m2 in the first hop, so m2 writes its disk snapshot last.
    assert_eq!(order[restarts[2]], "3.7/prepare/disk-snapshot/m2/restart");
    // One hop alone: advice only, no restart.
    let plan = plan_of(&cluster, &over(&["3.5", "3.6"]));
    assert!(plan.step("3.6/after/disk-snapshot").is_some());
    assert!(!ids(&plan).iter().any(|id| id.ends_with("/restart")));
}

#[test]
fn a_blocked_disk_snapshot_gate_is_mended_member_by_member_first() {
    let route = over(&["3.6", "3.7"]);
    let cluster = three(&newest("3.6"));
    let found = vec![finding("v2-entries-before-37", Outcome::Blocked, &route.legs[0], "Write a disk snapshot.")];
    let assessment = Assessment { verdict: Verdict::Blocked, findings: found, known: Vec::new() };
    let plan = make(&cluster, &route, &assessment, &answers(&["run-by=systemd-binary"]));
    holds(&plan, true);
    assert_eq!(plan.phases[0].kind, PhaseKind::FixFirst);
    assert_eq!(plan.phases[0].steps[0].id, "3.7/fix-first/disk-snapshot/m2/restart");
    simulator::walk(&plan, &cluster, &route.legs).unwrap();
    // Without the gate a cluster on 3.6 is not restarted.
    assert!(!ids(&plan_of(&cluster, &route)).iter().any(|id| id.contains("disk-snapshot/")));
}

#[test]
fn learners_go_before_the_leader_and_hold_the_window_open() {
    let cluster = cluster(&[leads("3.5.33"), spec("3.5.33"), spec("3.5.33"), learns("3.5.33")]);
    let route = over(&["3.5", "3.6"]);
    let plan = plan_of(&cluster, &route);
    holds(&plan, true);
    assert_eq!(stopped(&plan, 0), ["m2", "m3", "m4", "m1"]);
    simulator::walk(&plan, &cluster, &route.legs).unwrap();
    let verify = plan.step("3.6/roll/m3/verify").unwrap();
    assert!(verify.ways_back.swap.reason.contains("m4"), "{}", verify.ways_back.swap.reason);
    let to_m2 = plan.step("3.6/roll/m1/move-leader").unwrap();
    assert!(to_m2.title.ends_with("to m2"), "never to a learner: {}", to_m2.title);
}

#[test]
fn a_single_member_has_no_roll_and_the_downtime_is_named() {
    let cluster = cluster(&[leads("3.5.33")]);
    let route = over(&["3.5", "3.6"]);
    let plan = plan_of(&cluster, &route);
    holds(&plan, true);
    assert_eq!(stopped(&plan, 0), ["m1"]);
    assert!(!ids(&plan).iter().any(|id| id.ends_with("move-leader")));
    let stop = plan.step("3.6/roll/m1/stop").unwrap();
    assert!(stop.why.contains("downtime"), "{}", stop.why);
    assert!(stop.ways_back.swap.open);
    let start = plan.step("3.6/roll/m1/start").unwrap();
    assert!(!start.ways_back.swap.open);
    assert!(start.ways_back.restore.open);
    assert_eq!(plan.windows[0].opens_at, plan.windows[0].shuts_at);
}

#[test]
fn a_roll_under_way_goes_on_with_the_members_left() {
    let cluster = cluster(&[leads("3.5.33"), spec("3.6.16"), spec("3.6.16")]);
    let route = over(&["3.5", "3.6"]);
    let plan = plan_of(&cluster, &route);
    holds(&plan, true);
    assert_eq!(stopped(&plan, 0), ["m1"]);
    let roll = plan.phases.iter().find(|p| p.kind == PhaseKind::Roll).unwrap();
    assert_eq!(roll.note.as_deref(), Some("2 of 3 done, m1 is next; the window is still open."));
    assert!(plan.windows[0].open_now);
    assert_eq!(plan.windows[0].shuts_at, "3.6/roll/m1/start");
    assert!(plan.steps().next().unwrap().ways_back.swap.open);
    simulator::walk(&plan, &cluster, &route.legs).unwrap();
}

#[test]
fn a_member_that_does_not_answer_is_brought_back_first() {
    let down = Spec { silent: true, ..spec("3.5.33") };
    let cluster = cluster(&[leads("3.5.33"), spec("3.6.16"), down]);
    let plan = plan_of(&cluster, &over(&["3.5", "3.6"]));
    holds(&plan, true);
    assert_eq!(stopped(&plan, 0), ["m3", "m1"], "stopping m1 while m3 is down costs the quorum");
    let roll = plan.phases.iter().find(|p| p.kind == PhaseKind::Roll).unwrap();
    assert!(roll.note.as_deref().unwrap().contains("m3 does not answer and keeps the window open"), "{:?}", roll.note);
}

#[test]
fn a_member_on_the_old_minor_beside_a_raised_cluster_version_has_no_window() {
    let mut cluster = cluster(&[leads("3.6.16"), spec("3.6.16"), spec("3.5.33")]);
    cluster.cluster_versions.push(seen(m("3.6")));
    let plan = plan_of(&cluster, &over(&["3.5", "3.6"]));
    holds(&plan, true);
    assert!(plan.windows.is_empty());
    assert!(plan.steps().all(|s| !s.ways_back.swap.open));
}

#[test]
fn a_patch_roll_has_no_window_and_can_always_go_back() {
    let cluster = three("3.5.30");
    let route = route(RouteKind::PatchRoll, "3.5", vec![leg("3.5", "3.5.33")]);
    let plan = plan_of(&cluster, &route);
    holds(&plan, true);
    assert!(plan.windows.is_empty());
    assert!(plan.phases.iter().all(|p| p.hop.is_none() && p.kind != PhaseKind::Close));
    assert!(plan.steps().all(|s| s.ways_back.swap.open));
    let world = simulator::walk(&plan, &cluster, &route.legs).unwrap();
    assert!(world.all_run(&v("3.5.33")));
}

#[test]
fn a_cluster_that_arrived_has_close_and_after_only() {
    let cluster = three("3.6.16");
    let route = route(RouteKind::Arrived, "3.6", vec![leg("3.5", "3.6.16")]);
    let plan = plan_of(&cluster, &route);
    holds(&plan, true);
    let kinds: Vec<PhaseKind> = plan.phases.iter().map(|p| p.kind).collect();
    assert_eq!(kinds, [PhaseKind::Close, PhaseKind::After]);
    assert!(plan.windows.is_empty());
}

#[test]
fn without_members_the_steps_are_for_each_follower_and_the_leader() {
    let plan = make(&Cluster::default(), &over(&["3.5", "3.6"]), &nothing_found(), &Answers::new());
    holds(&plan, false);
    assert_eq!(stopped(&plan, 0), ["each-follower", "the-leader"]);
    assert!(plan.steps().filter(|s| s.id.contains("/roll/")).all(|s| s.member.is_none()));
    assert_eq!(plan.windows[0].shuts_when, "the leader starts on 3.6");
}

#[test]
fn no_way_is_one_sentence() {
    let cases = [
        (RouteKind::Backwards, Some("3.6"), "older than what runs"),
        (RouteKind::TargetUnknown, Some("3.6"), "no release this rule set"),
        (RouteKind::StartUnknown, None, "No version was seen"),
    ];
    for (kind, from, words) in cases {
        let mut route = route(kind, "3.6", Vec::new());
        route.from = from.map(m);
        let plan = plan_of(&three("3.6.16"), &route);
        assert!(plan.phases.is_empty());
        let because = plan.none_because.unwrap();
        assert!(because.contains(words), "{because}");
    }
}

#[test]
fn a_platform_that_moves_etcd_itself_gets_no_swap_commands() {
    let plan = make(&three("3.5.33"), &over(&["3.5", "3.6"]), &nothing_found(), &answers(&["run-by=talos"]));
    assert_eq!(plan.none_because, None);
    let roll: Vec<&str> = ids(&plan).into_iter().filter(|id| id.contains("/roll/")).collect();
    assert_eq!(roll, ["3.6/roll/platform", "3.6/roll/verify"]);
    let step = |id: &str| plan.step(id).unwrap();
    assert!(step("3.6/roll/platform").commands.iter().any(|c| c.starts_with("talosctl upgrade")));
    assert_eq!(step("3.6/right-before/backup-save").commands, ["talosctl -n {IP} etcd snapshot db.snapshot"]);
    let by_hand = ["systemctl", "install -m", "/etc/kubernetes/manifests"];
    assert!(!plan.steps().flat_map(|s| &s.commands).any(|c| by_hand.iter().any(|word| c.contains(word))));
    let swap = &step("3.6/roll/verify").ways_back.swap;
    assert!(!swap.open && swap.reason.contains("Talos"));
}

#[test]
fn etcdctl_is_called_where_the_platform_keeps_it() {
    let first = |platform: &str| {
        let answer = format!("run-by={platform}");
        let plan = make(&three("3.5.33"), &over(&["3.5", "3.6"]), &nothing_found(), &answers(&[&answer]));
        plan.step("3.6/right-before/health").unwrap().commands[0].clone()
    };
    assert!(first("openshift").starts_with("oc rsh -n openshift-etcd -c etcdctl etcd-m2 etcdctl --endpoints="));
    assert!(first("rke2").starts_with("kubectl -n kube-system exec etcd-m2 -- etcdctl --endpoints="));
    assert!(first("bitnami-chart").starts_with("kubectl -n $NAMESPACE exec m2 -c etcd -- etcdctl --endpoints="));
    assert!(first("systemd-binary").starts_with("etcdctl --endpoints="));
}

#[test]
fn members_below_the_floor_are_patched_in_a_roll_of_their_own_first() {
    let cluster = cluster(&[leads("3.5.30"), spec("3.5.30"), spec("3.5.33")]);
    let route = over(&["3.5", "3.6"]);
    let found = vec![finding("patch-below-floor", Outcome::Blocked, &route.legs[0], "Patch first.")];
    let assessment = Assessment { verdict: Verdict::Blocked, findings: found, known: Vec::new() };
    let plan = make(&cluster, &route, &assessment, &answers(&["run-by=systemd-binary"]));
    holds(&plan, true);
    let patch: Vec<PhaseKind> = plan.phases.iter().filter(|p| p.hop.is_none()).map(|p| p.kind).collect();
    assert_eq!(patch, [PhaseKind::Prepare, PhaseKind::RightBefore, PhaseKind::Roll, PhaseKind::After]);
    let newest = newest("3.5");
    assert!(plan.step(&format!("{newest}/after/check-again")).is_some());
    let order = ids(&plan);
    let last_patch = order.iter().rposition(|id| id.starts_with(&newest)).unwrap();
    let first_hop = order.iter().position(|id| id.starts_with("3.6/")).unwrap();
    assert!(last_patch < first_hop);
    let world = simulator::walk(&plan, &cluster, &route.legs).unwrap();
    assert!(world.all_run(&route.legs[0].target));
}

#[test]
fn findings_with_one_remedy_are_one_step_in_the_gates_order() {
    let route = over(&["3.5", "3.6"]);
    let here = &route.legs[0];
    let mut about_m2 = finding("flag-removed", Outcome::Blocked, here, "Take the flag off. It stops the start.");
    about_m2.member = Some(1);
    let mut about_m3 = about_m2.clone();
    about_m3.member = Some(2);
    about_m3.statement = "m3 too".to_owned();
    let mut unknown = finding("alarm-raised", Outcome::CantTell, here, "");
    unknown.remedy = None;
    unknown.asks = vec![
        Ask::Command { command: "etcdctl alarm list".to_owned(), members: Vec::new() },
        Ask::Answer(AnswerKey::Auth),
    ];
    let found = vec![
        about_m2,
        about_m3,
        finding("patch-below-advised", Outcome::Warning, here, "Patch first"),
        finding("snapshot-missing", Outcome::Blocked, here, "Save a backup snapshot."),
        finding("learner-present", Outcome::Passed, here, "nothing"),
        unknown,
    ];
    let assessment = Assessment { verdict: Verdict::Blocked, findings: found, known: Vec::new() };
    let plan = make(&three("3.5.33"), &route, &assessment, &answers(&["run-by=systemd-binary"]));
    holds(&plan, true);
    let fix = &plan.phases[0];
    assert_eq!(fix.kind, PhaseKind::FixFirst);
    let step_ids: Vec<&str> = fix.steps.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(
        step_ids,
        ["3.6/fix-first/flag-removed", "3.6/fix-first/patch-below-advised", "3.6/fix-first/open-questions"]
    );
    assert_eq!(fix.steps[0].title, "Take the flag off");
    assert_eq!(fix.steps[0].why, "flag-removed speaks. m3 too. It stops the start.");
    assert_eq!(fix.steps[0].commands, ["mend flag-removed"]);
    assert_eq!(fix.steps[2].commands, ["etcdctl alarm list"]);
    assert!(fix.steps[2].why.contains("Is authentication enabled?"), "{}", fix.steps[2].why);
}

#[test]
fn restore_opens_with_the_verified_backup_and_not_before() {
    let plan = plan_of(&three("3.5.33"), &over(&["3.5", "3.6"]));
    let open: Vec<bool> = plan.steps().map(|s| s.ways_back.restore.open).collect();
    let first = open.iter().position(|o| *o).unwrap();
    assert_eq!(plan.steps().nth(first).unwrap().id, "3.6/right-before/backup-verify");
    assert!(open[first..].iter().all(|o| *o));
    // A backup the person has already is a way back from the first step on.
    let given = answers(&["run-by=systemd-binary", "snapshot-taken=2026-11-30"]);
    let plan = make(&three("3.5.33"), &over(&["3.5", "3.6"]), &nothing_found(), &given);
    assert!(plan.steps().all(|s| s.ways_back.restore.open));
}

#[test]
fn auth_traps_are_named_on_the_hop_that_has_them() {
    let plan = plan_of(&three(&newest("3.4")), &over(&["3.4", "3.5", "3.6"]));
    assert!(plan.step("3.5/right-before/no-auth-calls").is_some());
    assert!(plan.step("3.5/after/passwords").is_some());
    assert!(plan.step("3.6/right-before/no-auth-calls").is_none());
    for step in plan.steps() {
        assert!(!step.commands.iter().any(|c| c.contains("auth status")), "{}", step.id);
    }
}

#[test]
fn static_pods_are_moved_not_stopped_by_systemd() {
    let given = answers(&["run-by=kubeadm-stacked"]);
    let plan = make(&three("3.5.33"), &over(&["3.5", "3.6"]), &nothing_found(), &given);
    holds(&plan, true);
    let text = |id: &str| plan.step(id).unwrap().commands.join("\n");
    assert!(text("3.6/roll/m2/stop").contains("/etc/kubernetes/manifests"), "{}", text("3.6/roll/m2/stop"));
    assert!(text("3.6/roll/m2/start").contains("/etc/kubernetes/manifests"), "{}", text("3.6/roll/m2/start"));
    for step in plan.steps() {
        assert!(!step.commands.iter().any(|c| c.contains("systemctl")), "{}: {:?}", step.id, step.commands);
    }
}

/// The simulator must see what it is there for: each broken plan is one that a slip in the planner could write.
#[test]
fn the_simulator_sees_broken_plans() {
    let cluster = three("3.5.33");
    let route = over(&["3.5", "3.6"]);
    let good = plan_of(&cluster, &route);
    let broken = |change: &dyn Fn(&mut Vec<Step>)| {
        let mut plan = good.clone();
        let roll = plan.phases.iter_mut().find(|p| p.kind == PhaseKind::Roll).unwrap();
        change(&mut roll.steps);
        simulator::walk(&plan, &cluster, &route.legs).unwrap_err()
    };
    let without = |id: &'static str| move |steps: &mut Vec<Step>| steps.retain(|s| !s.id.ends_with(id));
    let cases = [
        (broken(&without("m2/start")), "3.6/roll/m2/verify: m2 can't be verified"),
        (broken(&without("m2/verify")), "3.6/roll/m3/stop: m3 is stopped before the one before it was verified"),
        (broken(&without("m2/stop")), "3.6/roll/m2/replace: m2 still runs while its binary is replaced"),
        (broken(&without("m2/replace")), "3.6/roll/m2/verify: m2 can't be verified"),
        (broken(&without("move-leader")), "3.6/roll/m1/stop: m1 leads while it is stopped"),
        (
            broken(&|steps| steps.iter_mut().for_each(|s| s.ways_back.swap.open = true)),
            "3.6/roll/m1/start: swap open: true, while every member on 3.6: true",
        ),
        (
            broken(&|steps| steps.iter_mut().for_each(|s| s.ways_back.downgrade.open = true)),
            "3.6/roll/m2/stop: downgrade open in a mixed cluster",
        ),
        (
            broken(&|steps| {
                let at = steps.iter().position(|s| s.id.ends_with("m3/stop")).unwrap();
                let stop = steps.remove(at);
                let before = steps.iter().position(|s| s.id.ends_with("m2/start")).unwrap();
                steps.insert(before, stop);
            }),
            "3.6/roll/m3/stop: without m3 there is no quorum",
        ),
    ];
    for (error, expected) in cases {
        assert_eq!(error, expected);
    }
}

fn flag_set(settings: &[&str]) -> FlagSet {
    let setting = |name: &&str| FlagSetting {
        name: (*name).to_owned(),
        value: Some("x".to_owned()),
        form: FlagForm::CommandLine,
        span: Span::line(0, 1),
    };
    FlagSet {
        source: FlagSource::SystemdUnit,
        member_name: None,
        version: None,
        program: None,
        settings: settings.iter().map(setting).collect(),
        elsewhere: Vec::new(),
        probes: Vec::new(),
        container: None,
        complete: true,
    }
}

#[test]
fn the_disk_snapshot_flag_goes_where_it_can_stand() {
    let route = over(&["3.6", "3.7"]);
    let found = vec![finding("v2-entries-before-37", Outcome::Blocked, &route.legs[0], "Write a disk snapshot.")];
    let assessment = Assessment { verdict: Verdict::Blocked, findings: found, known: Vec::new() };
    let restart = |given: &str| {
        let mut cluster = three(&newest("3.6"));
        cluster.members[1].flags.push(seen(flag_set(&[given])));
        let plan = make(&cluster, &route, &assessment, &answers(&["run-by=systemd-binary"]));
        holds(&plan, true);
        let step = plan.step("3.7/fix-first/disk-snapshot/m2/restart").unwrap();
        (step.commands.join("\n"), step.why.clone())
    };
    let (commands, _) = restart("name");
    assert!(commands.contains("Environment=ETCD_SNAPSHOT_COUNT=1"), "{commands}");
    // The flag itself, or a config file: the variable would stop the start, or be ignored.
    for given in ["snapshot-count", "config-file"] {
        let (commands, why) = restart(given);
        assert!(!commands.contains("Environment="), "{commands}");
        assert!(why.contains("where the other flags"), "{why}");
    }
}

#[test]
fn a_removed_flag_is_named_with_the_time_to_change_it() {
    let mut cluster = three("3.6.16");
    let set = flag_set(&["experimental-compaction-batch-limit", "discovery", "name"]);
    cluster.members[1].flags.push(seen(set));
    let plan = plan_of(&cluster, &over(&["3.6", "3.7"]));
    holds(&plan, true);
    let why = &plan.step("3.7/roll/m2/replace").unwrap().why;
    assert!(why.contains("m2 has --experimental-compaction-batch-limit") && why.contains("before the roll"), "{why}");
    assert!(why.contains("m2 has --discovery, which 3.7.3 does not know"), "{why}");
    assert!(!plan.step("3.7/roll/m3/replace").unwrap().why.contains("--discovery"));
}

#[test]
fn without_knowing_how_etcd_is_run_no_command_is_guessed() {
    let plan = make(&three("3.5.33"), &over(&["3.5", "3.6"]), &nothing_found(), &Answers::new());
    holds(&plan, false);
    assert!(plan.step("3.6/roll/m2/stop").unwrap().commands.is_empty());
    let roll = plan.phases.iter().find(|p| p.kind == PhaseKind::Roll).unwrap();
    assert!(roll.note.as_deref().unwrap().contains("How etcd is run is not known"), "{:?}", roll.note);
    for by in ["systemd-binary", "deb-package", "kubeadm-stacked"] {
        let given = answers(&[&format!("run-by={by}")]);
        let plan = make(&three("3.5.33"), &over(&["3.5", "3.6"]), &nothing_found(), &given);
        for action in ["stop", "replace", "start", "verify"] {
            assert!(!plan.step(&format!("3.6/roll/m2/{action}")).unwrap().commands.is_empty(), "{by}: {action}");
        }
    }
}

#[test]
fn the_packages_of_debian_are_held_and_its_unit_is_led_to_the_new_binary() {
    let given = answers(&["run-by=deb-package"]);
    let plan = make(&three(&newest("3.4")), &over(&["3.4", "3.5"]), &nothing_found(), &given);
    let text = |id: &str| plan.step(id).unwrap().commands.join("\n");
    assert!(text("3.5/prepare/binaries").contains("apt-mark hold"), "{}", text("3.5/prepare/binaries"));
    assert!(text("3.5/roll/m2/replace").contains("ExecStart=/usr/local/bin/etcd"), "{}", text("3.5/roll/m2/replace"));
}

prop_compose! {
    /// 1 to 7 voters, up to 2 learners, any of the voters leading, any part of the followers moved already.
    fn clusters()(voters in 1_usize..8, learners in 0_usize..3, leader in 0_usize..7, moved in prop::collection::vec(any::<bool>(), 9))
        -> (Vec<usize>, usize, usize, Vec<bool>) {
        ((0..voters).collect(), learners, leader % voters, moved)
    }
}

proptest! {
    /// No step of any plan costs a healthy cluster of three or more voters its quorum; every way back is open exactly
    /// while the cluster allows it; at the end all run the target.
    #[test]
    fn no_plan_costs_the_quorum((voters, learners, leader, moved) in clusters(), hop in 0_usize..3, resumed: bool) {
        let minors = [["3.4", "3.5"], ["3.5", "3.6"], ["3.6", "3.7"]][hop];
        let (old, new) = (newest(minors[0]), newest(minors[1]));
        let mut specs: Vec<Spec> = voters.iter().map(|&at| if at == leader { leads(&old) } else { spec(&old) }).collect();
        specs.extend((0..learners).map(|_| learns(&old)));
        if resumed {
            for (spec, _) in specs.iter_mut().zip(&moved).filter(|(spec, moved)| **moved && !spec.leader) {
                spec.version = v(&new);
            }
        }
        let cluster = cluster(&specs);
        let route = over(&minors);
        let plan = plan_of(&cluster, &route);
        holds(&plan, true);
        let world = simulator::walk(&plan, &cluster, &route.legs).map_err(TestCaseError::fail)?;
        prop_assert!(world.all_run(&route.legs[0].target));
    }

    /// The same over whole routes.
    #[test]
    fn no_route_costs_the_quorum((voters, learners, leader, _) in clusters(), first in 0_usize..3) {
        let minors = ["3.4", "3.5", "3.6", "3.7"];
        let old = newest(minors[first]);
        let mut specs: Vec<Spec> = voters.iter().map(|&at| if at == leader { leads(&old) } else { spec(&old) }).collect();
        specs.extend((0..learners).map(|_| learns(&old)));
        let cluster = cluster(&specs);
        let route = over(&minors[first..]);
        let plan = plan_of(&cluster, &route);
        holds(&plan, true);
        let world = simulator::walk(&plan, &cluster, &route.legs).map_err(TestCaseError::fail)?;
        prop_assert!(world.all_run(&route.legs.last().unwrap().target));
    }
}
