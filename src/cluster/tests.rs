//! Merging of facts as readers would give them.

use proptest::prelude::*;

use super::testing::{client_url, id, three_members, version};
use super::{Cluster, Member, merge};
use crate::etcd::version::Minor;
use crate::evidence::Evidence;
use crate::evidence::fact::{
    Alarm, AlarmType, Body, EndpointFailed, Fact, FlagForm, FlagSet, FlagSetting, FlagSource, Health, MemberHint,
    MemberRow, ServerVersion, Span, Status, V2Check,
};
use crate::evidence::paste::Paste;

/// Facts, one paste after the other.
#[derive(Default)]
struct Pastes(Vec<Vec<(MemberHint, Body)>>);

impl Pastes {
    fn paste(mut self, bodies: Vec<Body>) -> Self {
        self.0.push(bodies.into_iter().map(|body| (MemberHint::default(), body)).collect());
        self
    }

    fn at(mut self, hint: MemberHint, bodies: Vec<Body>) -> Self {
        self.0.push(bodies.into_iter().map(|body| (hint.clone(), body)).collect());
        self
    }

    fn merge(&self) -> Cluster {
        self.merge_in_order(&(0..self.0.len()).collect::<Vec<_>>())
    }

    /// Merges the pastes in another order; spans keep the number each paste has in this one.
    fn merge_in_order(&self, order: &[usize]) -> Cluster {
        let mut facts = Vec::new();
        for (paste, original) in order.iter().enumerate() {
            for (line, (hint, body)) in self.0[*original].iter().enumerate() {
                facts.push(Fact { span: Span::line(paste, line + 1), hint: hint.clone(), body: body.clone() });
            }
        }
        merge(&Evidence { facts, ..Evidence::default() })
    }
}

fn host(host: &str) -> MemberHint {
    MemberHint { host: Some(host.to_owned()), ..MemberHint::default() }
}

fn data_dir(dir: &str) -> MemberHint {
    MemberHint { data_dir: Some(dir.to_owned()), ..MemberHint::default() }
}

fn chosen(member: &str) -> MemberHint {
    MemberHint { chosen: Some(member.to_owned()), ..MemberHint::default() }
}

fn row(n: u64) -> Body {
    Body::Member(MemberRow {
        id: id(n),
        name: Some(format!("m{n}")),
        started: true,
        peer_urls: vec![format!("https://10.0.0.{n}:2380")],
        client_urls: vec![client_url(n)],
        is_learner: Some(false),
        ..MemberRow::default()
    })
}

fn rows(numbers: &[u64]) -> Vec<Body> {
    numbers.iter().map(|n| row(*n)).collect()
}

fn status_of(n: u64, endpoint: &str, text: &str) -> Status {
    Status {
        endpoint: endpoint.to_owned(),
        member_id: Some(id(n)),
        version: Some(version(text)),
        is_leader: Some(n == 1),
        is_learner: Some(false),
        raft_term: Some(2),
        raft_applied_index: Some(100),
        errors: Some(Vec::new()),
        ..Status::default()
    }
}

fn status(n: u64, text: &str) -> Body {
    Body::Status(Box::new(status_of(n, &format!("10.0.0.{n}:2379"), text)))
}

fn failed(endpoint: &str) -> Body {
    Body::EndpointFailed(EndpointFailed {
        endpoint: endpoint.to_owned(),
        error: "context deadline exceeded".to_owned(),
    })
}

fn health(endpoint: &str, healthy: bool) -> Body {
    Body::Health(Health { endpoint: endpoint.to_owned(), healthy, error: None })
}

fn flags(source: FlagSource, name: Option<&str>, settings: &[(&str, &str)]) -> FlagSet {
    let form = match source {
        FlagSource::EnvFile => FlagForm::Env,
        FlagSource::ConfigFile => FlagForm::Yaml,
        _ => FlagForm::CommandLine,
    };
    let setting = |(name, value): &(&str, &str)| FlagSetting {
        name: (*name).to_owned(),
        value: Some((*value).to_owned()),
        form,
        span: Span::line(0, 1),
    };
    FlagSet {
        source,
        member_name: name.map(str::to_owned),
        version: None,
        program: None,
        settings: settings.iter().map(setting).collect(),
        elsewhere: Vec::new(),
        probes: Vec::new(),
        container: None,
        complete: source != FlagSource::EnvFile,
    }
}

fn labels(cluster: &Cluster) -> Vec<String> {
    cluster.members.iter().map(Member::label).collect()
}

fn member<'a>(cluster: &'a Cluster, label: &str) -> &'a Member {
    cluster.members.iter().find(|m| m.label() == label).unwrap()
}

fn changes(cluster: &Cluster) -> Vec<String> {
    cluster.history.iter().map(|c| format!("{} {}: {} -> {}", c.member, c.what, c.before, c.after)).collect()
}

fn contradictions(cluster: &Cluster) -> Vec<&str> {
    cluster.contradictions.iter().map(|c| c.about.as_str()).collect()
}

// Who a fact is about

#[test]
fn status_and_member_list_meet_by_id_whatever_the_endpoint() {
    let service = |n: u64| Body::Status(Box::new(status_of(n, "etcd.example.com:2379", "3.5.33")));
    let cluster = Pastes::default().paste(rows(&[3, 1, 2])).paste(vec![service(1), service(2), service(3)]).merge();
    assert_eq!(labels(&cluster), ["m3", "m1", "m2"], "the member list's order");
    assert!(cluster.members.iter().all(|m| m.status.is_some() && m.listed.is_some()));
    assert_eq!(
        contradictions(&cluster),
        [
            "etcd.example.com:2379 answered as member a1 and as member a2",
            "etcd.example.com:2379 answered as member a1 and as member a3"
        ]
    );
}

#[test]
fn a_failed_endpoint_is_the_member_that_announces_it() {
    let cluster = Pastes::default()
        .paste(vec![status(1, "3.5.33"), status(2, "3.5.33"), failed("10.0.0.3:2379")])
        .paste(rows(&[1, 2, 3]))
        .merge();
    assert_eq!(labels(&cluster), ["m1", "m2", "m3"]);
    assert_eq!(member(&cluster, "m3").answers(), Some(false));
}

#[test]
fn without_a_member_list_every_endpoint_is_a_member() {
    let cluster = Pastes::default()
        .paste(vec![status(1, "3.5.33"), failed("https://10.0.0.3:2379"), health("10.0.0.1:2379", true)])
        .merge();
    assert_eq!(labels(&cluster), ["10.0.0.1:2379", "https://10.0.0.3:2379"]);
    assert!(member(&cluster, "10.0.0.1:2379").health.is_some());
}

#[test]
fn an_endpoint_the_member_list_does_not_know_makes_no_member() {
    let cluster =
        Pastes::default().paste(rows(&[1, 2])).paste(vec![failed("vip:2379"), health("vip:2379", false)]).merge();
    assert_eq!(labels(&cluster), ["m1", "m2"]);
    assert_eq!((cluster.failed.len(), cluster.health.len()), (1, 1));
}

#[test]
fn localhost_is_whoever_the_prompt_says() {
    let local = |n: u64| vec![Body::Status(Box::new(status_of(n, "127.0.0.1:2379", "3.5.33")))];
    let cluster = Pastes::default()
        .at(host("m1"), local(1))
        .at(host("m2"), local(2))
        .at(host("m2"), vec![health("127.0.0.1:2379", false)])
        .at(host("m1"), vec![Body::V2Check(V2Check::CleanWithWal)])
        .merge();
    assert_eq!(labels(&cluster), ["127.0.0.1:2379 (a1)", "127.0.0.1:2379 (a2)"], "told apart by id");
    assert_eq!(cluster.members[1].health.as_ref().map(|h| h.value.healthy), Some(false));
    assert!(cluster.members[0].health.is_none() && cluster.members[0].v2_check.is_some());
}

#[test]
fn localhost_without_a_prompt_is_nobody_when_several_answer_there() {
    let local = |n: u64| vec![Body::Status(Box::new(status_of(n, "127.0.0.1:2379", "3.5.33")))];
    let cluster = Pastes::default()
        .paste(rows(&[1, 2]))
        .at(host("m1"), local(1))
        .at(host("m2"), local(2))
        .paste(vec![health("127.0.0.1:2379", false)])
        .merge();
    assert!(cluster.members.iter().all(|m| m.health.is_none()));
    assert_eq!(cluster.health.len(), 1);
}

#[test]
fn a_host_is_a_name_a_url_or_a_pod() {
    for hint in ["m2", "M2", "10.0.0.2", "etcd-m2", "m2-0", "m2.example.com"] {
        let cluster = Pastes::default()
            .paste(rows(&[1, 2, 3]))
            .at(host(hint), vec![Body::V2Check(V2Check::CleanWithWal)])
            .merge();
        let found: Vec<String> = cluster.members.iter().filter(|m| m.v2_check.is_some()).map(Member::label).collect();
        assert_eq!(found, ["m2"], "{hint}");
    }
}

#[test]
fn a_data_directory_ends_with_the_name() {
    for dir in ["/var/lib/etcd-demo/m2", "/data/m2/", "/data/m2.etcd"] {
        let cluster = Pastes::default()
            .paste(rows(&[1, 2]))
            .at(data_dir(dir), vec![Body::V2Check(V2Check::CustomContent)])
            .merge();
        assert!(member(&cluster, "m2").v2_check.is_some(), "{dir}");
    }
    let both = MemberHint { host: Some("m1".to_owned()), ..data_dir("/data/m2") };
    let cluster = Pastes::default().paste(rows(&[1, 2])).at(both, vec![Body::V2Check(V2Check::CleanWithWal)]).merge();
    assert_eq!(cluster.v2_checks.len(), 1, "host and directory speak of different members");
}

#[test]
fn what_the_person_chose_wins() {
    for choice in ["m2", "a2", "https://10.0.0.2:2379"] {
        let hint = MemberHint { host: Some("m1".to_owned()), ..chosen(choice) };
        let cluster =
            Pastes::default().paste(rows(&[1, 2])).at(hint, vec![Body::V2Check(V2Check::CleanWithWal)]).merge();
        assert!(member(&cluster, "m2").v2_check.is_some(), "{choice}");
    }
    let unknown =
        Pastes::default().paste(rows(&[1])).at(chosen("m9"), vec![Body::V2Check(V2Check::CleanWithWal)]).merge();
    let only = member(&unknown, "m1");
    assert!(only.v2_check.is_none(), "not put on the only member against the person's word");
    assert_eq!((unknown.v2_checks.len(), unknown.repeated.len()), (0, 1), "and not counted for another");
}

#[test]
fn a_row_with_an_id_is_never_put_on_another_member() {
    let cluster =
        Pastes::default().paste(rows(&[1, 2])).at(chosen("m1"), vec![status(1, "3.5.33"), status(2, "3.5.30")]).merge();
    assert_eq!(member(&cluster, "m2").version().map(|(v, _)| v.to_string()), Some("3.5.30".to_owned()));
    assert_eq!(member(&cluster, "m1").version().map(|(v, _)| v.to_string()), Some("3.5.33".to_owned()));
}

#[test]
fn a_fact_of_nobody_belongs_to_the_only_member_there_is() {
    let check = || vec![Body::V2Check(V2Check::CleanWithWal)];
    let one = Pastes::default().paste(rows(&[1])).paste(check()).merge();
    assert!(one.members[0].v2_check.is_some());
    let two = Pastes::default().paste(rows(&[1, 2])).paste(check()).merge();
    assert_eq!((two.v2_checks.len(), two.members[0].v2_check.clone()), (1, None));
    let elsewhere = ServerVersion { endpoint: Some("https://10.0.0.9:2379".to_owned()), ..ServerVersion::default() };
    let asked = Pastes::default().paste(rows(&[1])).paste(vec![Body::ServerVersion(elsewhere)]).merge();
    assert_eq!(asked.server_versions.len(), 1, "another endpoint was asked");
}

// Flags

#[test]
fn flags_find_their_member_by_name_or_by_url() {
    let by_name = flags(FlagSource::SystemdUnit, Some("m2"), &[]);
    let by_url = flags(FlagSource::SystemdUnit, None, &[("advertise-client-urls", "https://10.0.0.1:2379")]);
    let by_peer =
        flags(FlagSource::SystemdUnit, Some("%m"), &[("initial-advertise-peer-urls", "https://10.0.0.3:2380")]);
    let nobody = flags(FlagSource::SystemdUnit, Some("m9"), &[("listen-client-urls", "https://0.0.0.0:2379")]);
    let sets = [by_name, by_url, by_peer, nobody].map(|set| Body::Flags(Box::new(set))).to_vec();
    let cluster = Pastes::default().paste(rows(&[1, 2, 3])).paste(sets).merge();
    assert_eq!(cluster.members.iter().map(|m| m.flags.len()).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!(cluster.flags.len(), 1);
}

#[test]
fn flags_name_the_member_that_only_the_status_shows() {
    let set = flags(FlagSource::CommandLine, Some("m1"), &[("advertise-client-urls", "https://10.0.0.1:2379")]);
    let cluster = Pastes::default()
        .at(host("m1"), vec![Body::V2Check(V2Check::CleanWithWal)])
        .paste(vec![Body::Flags(Box::new(set))])
        .paste(vec![status(1, "3.5.33"), status(2, "3.5.33")])
        .merge();
    assert_eq!(labels(&cluster), ["m1", "10.0.0.2:2379"]);
    assert!(member(&cluster, "m1").v2_check.is_some());
}

#[test]
fn a_newer_set_of_the_same_source_replaces_the_older_and_others_stay() {
    let unit = |value: &str| {
        Body::Flags(Box::new(flags(FlagSource::SystemdUnit, Some("m1"), &[("enable-v2", value), ("name", "m1")])))
    };
    let env = Body::Flags(Box::new(flags(FlagSource::EnvFile, Some("m1"), &[("quota-backend-bytes", "8589934592")])));
    let cluster =
        Pastes::default().paste(rows(&[1, 2])).paste(vec![unit("true"), env]).paste(vec![unit("false")]).merge();
    let sources: Vec<FlagSource> = cluster.members[0].flags.iter().map(|f| f.value.source).collect();
    assert_eq!(sources, [FlagSource::SystemdUnit, FlagSource::EnvFile]);
    assert_eq!(changes(&cluster), ["m1 flags: --enable-v2=true -> --enable-v2=false"]);
    assert_eq!((cluster.history[0].before_at.paste, cluster.history[0].after_at.paste), (1, 2));
}

#[test]
fn a_fragment_does_not_hide_what_the_whole_unit_says() {
    let unit = flags(FlagSource::SystemdUnit, Some("m1"), &[("enable-v2", "true")]);
    let mut drop_in = flags(FlagSource::SystemdUnit, Some("m1"), &[("snapshot-count", "5000")]);
    drop_in.complete = false;
    let cluster = Pastes::default()
        .paste(rows(&[1]))
        .paste(vec![Body::Flags(Box::new(unit))])
        .paste(vec![Body::Flags(Box::new(drop_in))])
        .merge();
    assert_eq!(cluster.members[0].flags.len(), 2);
    assert_eq!(changes(&cluster), Vec::<String>::new());
}

#[test]
fn flags_that_call_a_member_otherwise_contradict() {
    let set = flags(FlagSource::CommandLine, Some("old"), &[("advertise-client-urls", "https://10.0.0.1:2379")]);
    let cluster = Pastes::default().paste(rows(&[1, 2])).paste(vec![Body::Flags(Box::new(set))]).merge();
    assert_eq!(contradictions(&cluster), ["the member m1 is called old by its flags"]);
    assert_eq!(cluster.contradictions[0].places.clone().map(|s| s.paste), [0, 1]);
}

// Later supersedes earlier

#[test]
fn a_later_status_supersedes_for_the_members_it_names() {
    let cluster = Pastes::default()
        .paste(vec![status(1, "3.5.33"), status(2, "3.5.33")])
        .paste(vec![status(2, "3.6.16")])
        .merge();
    assert_eq!(changes(&cluster), ["10.0.0.2:2379 version: 3.5.33 -> 3.6.16"]);
    assert_eq!(cluster.lowest_minor(), Some(Minor::new(3, 5)));
    assert_eq!(cluster.highest_minor(), Some(Minor::new(3, 6)));
}

#[test]
fn two_tables_in_one_paste_supersede_in_order() {
    let mut after = status_of(1, "10.0.0.1:2379", "3.5.33");
    after.is_leader = Some(false);
    after.raft_index = Some(90_120);
    after.raft_applied_index = Some(120);
    after.errors = Some(vec!["memberID:162 alarm:NOSPACE ".to_owned()]);
    let cluster =
        Pastes::default().paste(vec![status(1, "3.5.33"), status(2, "3.5.33"), Body::Status(Box::new(after))]).merge();
    assert_eq!(
        changes(&cluster),
        [
            "10.0.0.1:2379 leader: leader -> not the leader",
            "10.0.0.1:2379 lag: caught up -> 90000 entries behind",
            "10.0.0.1:2379 alarms: none -> memberID:162 alarm:NOSPACE "
        ]
    );
    assert_eq!(cluster.leader(), None);
}

#[test]
fn a_member_that_catches_up_is_a_change_and_a_growing_index_is_none() {
    let at = |n: u64, applied: u64| {
        let mut row = status_of(n, &format!("10.0.0.{n}:2379"), "3.5.33");
        row.raft_index = Some(applied);
        row.raft_applied_index = Some(applied);
        Body::Status(Box::new(row))
    };
    let cluster = Pastes::default()
        .paste(vec![at(1, 50_000), at(2, 12_000), at(3, 49_990)])
        .paste(vec![at(1, 60_000), at(2, 59_999), at(3, 60_000)])
        .merge();
    assert_eq!(changes(&cluster), ["10.0.0.2:2379 lag: 38000 entries behind -> caught up"]);
}

#[test]
fn an_endpoint_that_answers_later_has_not_failed() {
    let before = vec![status(1, "3.5.33"), failed("10.0.0.2:2379")];
    let cluster = Pastes::default().paste(before.clone()).paste(vec![status(2, "3.5.33")]).merge();
    assert_eq!(cluster.members[1].answers(), Some(true));
    assert_eq!(changes(&cluster), ["10.0.0.2:2379 reachable: did not answer -> answers"]);
    let back = Pastes::default().paste(vec![status(2, "3.5.33")]).paste(before).merge();
    assert_eq!(member(&back, "10.0.0.2:2379").answers(), Some(false));
}

#[test]
fn a_later_alarm_list_replaces_the_earlier() {
    let alarm = |n: u64| Body::Alarm(Alarm { member_id: id(n), alarm: AlarmType::NoSpace });
    let cluster = Pastes::default()
        .paste(rows(&[1, 2]))
        .paste(vec![alarm(1), alarm(2), Body::AlarmsListed])
        .paste(vec![alarm(2), Body::AlarmsListed])
        .merge();
    assert_eq!(cluster.alarms.iter().map(|a| a.value.member_id).collect::<Vec<_>>(), [id(2)]);
    assert_eq!(cluster.alarms_looked_at.iter().map(|s| s.paste).collect::<Vec<_>>(), [2]);
    assert_eq!(changes(&cluster), ["m1 alarms: NOSPACE -> none"]);
}

#[test]
fn alarms_in_the_status_count_once() {
    let mut shown = status_of(2, "10.0.0.2:2379", "3.5.33");
    shown.errors = Some(vec![format!("memberID:{} alarm:NOSPACE , memberID:{} alarm:CORRUPT ", id(1), id(2))]);
    let listed = Body::Alarm(Alarm { member_id: id(1), alarm: AlarmType::NoSpace });
    let cluster = Pastes::default()
        .paste(vec![listed, Body::AlarmsListed])
        .paste(vec![status(1, "3.5.33"), Body::Status(Box::new(shown))])
        .merge();
    let alarms: Vec<_> = cluster.alarms.iter().map(|a| (a.value.member_id, a.value.alarm)).collect();
    assert_eq!(alarms, [(id(1), AlarmType::NoSpace), (id(2), AlarmType::Corrupt)]);
    assert_eq!(cluster.alarms_looked_at.len(), 3);
}

#[test]
fn a_status_without_an_errors_column_does_not_look_at_alarms() {
    let cluster = three_members("3.5.33").no_alarm_list().build();
    assert_eq!(cluster.alarms_looked_at, []);
}

#[test]
fn a_member_list_shorter_by_one_is_doubted_unless_a_removal_was_shown() {
    let three = "6c120a4f29d80e03, started, m2, http://10.0.0.2:2380, http://10.0.0.2:2379, false\n\
                 93554fe264581731, started, m3, http://10.0.0.3:2380, http://10.0.0.3:2379, false\n\
                 ed683a91a8f49cc4, started, m1, http://10.0.0.1:2380, http://10.0.0.1:2379, false\n";
    let two: String = three.lines().take(2).map(|l| l.to_owned() + "\n").collect();
    let merged = |texts: &[&str]| {
        let pastes: Vec<Paste> = texts.iter().map(|text| Paste::new("paste", *text)).collect();
        super::merge(&crate::evidence::read(&pastes))
    };
    let cut = merged(&[three, &two]);
    assert_eq!(contradictions(&cut), ["the later member list does not show m1: it was removed, or the list was cut"]);
    let removed = merged(&[three, "Member ed683a91a8f49cc4 removed from cluster c60ee62cb0c0d4a8\n", &two]);
    assert_eq!(contradictions(&removed), [""; 0]);
    assert_eq!(labels(&removed), ["m2", "m3"]);
}

#[test]
fn an_alarm_that_cannot_be_read_is_not_no_alarm() {
    let mut shown = status_of(2, "10.0.0.2:2379", "3.5.33");
    shown.errors = Some(vec!["memberID:0x2 alarm:DRAINED".to_owned()]);
    let cluster =
        Pastes::default().paste(vec![Body::AlarmsListed, status(1, "3.5.33"), Body::Status(Box::new(shown))]).merge();
    assert_eq!((cluster.alarms.len(), cluster.alarms_looked_at.len()), (0, 0));
}

#[test]
fn a_newer_member_list_drops_who_left_and_keeps_what_a_cut_one_hides() {
    let replaced = Pastes::default().paste(rows(&[1, 2, 3])).paste(rows(&[1, 2, 4])).merge();
    assert_eq!(labels(&replaced), ["m1", "m2", "m4"]);
    assert_eq!(changes(&replaced), ["m3 membership: in the member list -> no longer in the member list"]);
    let cut = Pastes::default().paste(rows(&[1, 2, 3])).paste(rows(&[2])).merge();
    assert_eq!(labels(&cut), ["m1", "m2", "m3"]);
    let running =
        Pastes::default().paste(rows(&[1, 2, 3])).paste(rows(&[1, 2])).paste(vec![status(3, "3.5.33")]).merge();
    assert_eq!(labels(&running), ["m1", "m2", "10.0.0.3:2379"], "who answers is shown, listed or not");
    assert!(running.members[2].listed.is_none());
}

#[test]
fn a_check_that_did_not_run_takes_nothing_from_one_that_did() {
    let check = |c: V2Check| vec![Body::V2Check(c)];
    let not_run = || check(V2Check::NotRun("unknown command".to_owned()));
    let cluster = Pastes::default().paste(rows(&[1])).paste(check(V2Check::WalRecords)).paste(not_run()).merge();
    assert_eq!(cluster.members[0].v2_check.as_ref().map(|c| &c.value), Some(&V2Check::WalRecords));
    let cured = Pastes::default()
        .paste(rows(&[1]))
        .paste(check(V2Check::WalRecords))
        .paste(check(V2Check::CleanWithWal))
        .merge();
    assert_eq!(cured.members[0].v2_check.as_ref().map(|c| &c.value), Some(&V2Check::CleanWithWal));
}

// Contradictions

#[test]
fn list_and_status_may_disagree_about_a_learner() {
    let cluster = three_members("3.5.33").listed("m3", |m| m.is_learner = Some(true)).build();
    assert_eq!(contradictions(&cluster), ["m3 is a learner in the member list and a voter in the status"]);
}

#[test]
fn one_id_has_one_name() {
    let renamed = Body::Member(MemberRow { name: Some("other".to_owned()), id: id(1), ..MemberRow::default() });
    let cluster = Pastes::default().paste(rows(&[1, 2])).paste(vec![renamed, row(2)]).merge();
    assert_eq!(contradictions(&cluster), ["member a1 is called m1 and other"]);
}

#[test]
fn two_leaders_of_one_term_contradict_and_of_two_terms_do_not() {
    let same = three_members("3.5.33").status("m2", |s| s.is_leader = Some(true)).build();
    assert_eq!(contradictions(&same), ["m1 and m2 both say they lead"]);
    let moved = three_members("3.5.33")
        .status("m2", |s| {
            s.is_leader = Some(true);
            s.raft_term = Some(3);
        })
        .build();
    assert_eq!((contradictions(&moved), moved.leader()), (vec![], Some(1)));
}

#[test]
fn two_clusters_are_told() {
    let cluster = three_members("3.5.33").status("m2", |s| s.cluster_id = Some(0xc2)).build();
    assert_eq!(contradictions(&cluster), ["two clusters are shown, c1 and c2"]);
}

#[test]
fn a_version_said_elsewhere_is_compared_without_the_vendor() {
    let asked = |text: &str| {
        Body::ServerVersion(ServerVersion {
            server: Some(version(text)),
            endpoint: Some(client_url(1)),
            ..ServerVersion::default()
        })
    };
    assert_eq!(contradictions(&three_members("3.5.33").fact(asked("3.5.33-0")).build()), Vec::<&str>::new());
    let differs = three_members("3.5.33").fact(asked("3.5.30")).build();
    assert_eq!(contradictions(&differs), ["m1 runs 3.5.33 in the status and 3.5.30 elsewhere"]);
}

#[test]
fn a_json_status_tells_the_leader_by_its_id() {
    let cluster = three_members("3.5.33")
        .status("m1", |s| s.is_leader = None)
        .status("m2", |s| {
            s.is_leader = None;
            s.leader = Some(0);
        })
        .build();
    assert_eq!(
        cluster.members.iter().map(Member::is_leader).collect::<Vec<_>>(),
        [Some(true), Some(false), Some(false)]
    );
}

// The order of pastes

/// What was merged, without places: those differ with the order of the pastes.
fn without_places(cluster: &Cluster) -> String {
    let members: Vec<String> = cluster
        .members
        .iter()
        .map(|m| {
            let settings =
                |f: &FlagSet| f.settings.iter().map(|s| (s.name.clone(), s.value.clone())).collect::<Vec<_>>();
            let mut flags: Vec<_> = m.flags.iter().map(|f| (f.value.source, settings(&f.value))).collect();
            flags.sort();
            format!(
                "{:?}",
                (
                    (&m.id, &m.name, m.label(), &m.endpoints, &m.peer_urls),
                    m.listed.as_ref().map(|s| &s.value),
                    m.status.as_ref().map(|s| &s.value),
                    m.failed.as_ref().map(|s| &s.value),
                    m.health.as_ref().map(|s| &s.value),
                    m.server_version.as_ref().map(|s| &s.value),
                    m.v2_check.as_ref().map(|s| &s.value),
                    flags
                )
            )
        })
        .collect();
    let mut loose: Vec<String> = cluster.v2_checks.iter().map(|c| format!("{:?}", c.value)).collect();
    loose.extend(cluster.flags.iter().map(|f| format!("{:?}", f.value.member_name)));
    loose.extend(cluster.alarms.iter().map(|a| format!("{:?}", a.value)));
    loose.extend(cluster.contradictions.iter().map(|c| c.about.clone()));
    loose.sort();
    format!("{members:#?} {loose:#?} {}", cluster.alarms_looked_at.len())
}

fn hint_strategy() -> impl Strategy<Value = MemberHint> {
    prop_oneof![
        Just(MemberHint::default()),
        (1u64..4).prop_map(|n| host(&format!("m{n}"))),
        (1u64..4).prop_map(|n| data_dir(&format!("/data/m{n}"))),
    ]
}

fn body_strategy(kind: usize) -> BoxedStrategy<Vec<Body>> {
    let numbers = || proptest::collection::vec(1u64..5, 1..5);
    match kind {
        0 => numbers().prop_map(|n| rows(&n)).boxed(),
        1 => (numbers(), proptest::collection::vec(any::<bool>(), 4))
            .prop_map(|(numbers, local)| {
                let body = |(at, n): (usize, &u64)| match (n % 4, local[at % 4]) {
                    (0, _) => failed(&format!("10.0.0.{n}:2379")),
                    (_, true) => Body::Status(Box::new(status_of(*n, "127.0.0.1:2379", "3.5.33"))),
                    _ => status(*n, "3.6.16"),
                };
                numbers.iter().enumerate().map(body).collect()
            })
            .boxed(),
        2 => numbers().prop_map(|n| n.iter().map(|n| health(&client_url(*n), n % 2 == 0)).collect()).boxed(),
        3 => numbers()
            .prop_map(|n| {
                let set = |n: &u64| {
                    let url = client_url(*n);
                    let name = n.is_multiple_of(2).then(|| format!("m{n}"));
                    Body::Flags(Box::new(flags(
                        FlagSource::SystemdUnit,
                        name.as_deref(),
                        &[("advertise-client-urls", &url)],
                    )))
                };
                n.iter().map(set).collect()
            })
            .boxed(),
        4 => Just(vec![Body::V2Check(V2Check::CleanWithWal)]).boxed(),
        _ => (1u64..4)
            .prop_map(|n| vec![Body::Alarm(Alarm { member_id: id(n), alarm: AlarmType::NoSpace }), Body::AlarmsListed])
            .boxed(),
    }
}

proptest! {
    /// One paste of each kind, in any order: the same members with the same facts.
    #[test]
    fn pastes_of_different_kinds_come_in_any_order(
        pastes in (0..6usize).map(|kind| (hint_strategy(), body_strategy(kind))).collect::<Vec<_>>(),
        order in Just((0..6usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let pastes = pastes.into_iter().fold(Pastes::default(), |all, (hint, bodies)| all.at(hint, bodies));
        let (given, shuffled) = (pastes.merge(), pastes.merge_in_order(&order));
        prop_assert_eq!(without_places(&given), without_places(&shuffled));
        prop_assert_eq!(given.history.len(), shuffled.history.len());
    }

    /// No member is called like another, and no id stands twice.
    #[test]
    fn members_are_told_apart(kinds in proptest::collection::vec((0..6usize).prop_flat_map(|k| (hint_strategy(), body_strategy(k))), 0..8)) {
        let cluster = kinds.into_iter().fold(Pastes::default(), |all, (hint, bodies)| all.at(hint, bodies)).merge();
        let mut labels = labels(&cluster);
        labels.sort();
        labels.dedup();
        prop_assert_eq!(labels.len(), cluster.members.len());
        let mut ids: Vec<u64> = cluster.members.iter().filter_map(|m| m.id).collect();
        let known = ids.len();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), known);
    }
}
