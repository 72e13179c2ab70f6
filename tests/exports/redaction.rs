//! Redaction: nothing planted in the evidence is left in any export, and all that a reader judges by stays.

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::document::Detail;
use etcd_upgrade_planner::export::redact::{self, Redaction};
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::export::{self, Format};
use etcd_upgrade_planner::gates::waiver::Waiver;
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use proptest::prelude::*;
use serde_json::Value;
use time::macros::datetime;

use crate::clusters::{ALL, records};

/// What is planted.
#[derive(Debug, Clone)]
struct Planted {
    names: Vec<String>,
    v4: Vec<String>,
    v6: String,
    host: String,
    ids: Vec<u64>,
    cluster_id: u64,
    token: String,
    user: String,
    person: String,
}

fn name() -> impl Strategy<Value = String> {
    // Told from words of ours by its figures.
    "[a-z]{2,6}[0-9]{2}[a-z]{1,4}(-[a-z0-9]{3,5}[0-9])?"
}

fn v4() -> impl Strategy<Value = String> {
    (11_u8..120, any::<u8>(), any::<u8>(), 1_u8..255).prop_map(|(a, b, c, d)| format!("{a}.{b}.{c}.{d}"))
}

fn planted() -> impl Strategy<Value = Planted> {
    let id = 0x1000_0000_0000_0000_u64..u64::MAX;
    (
        proptest::collection::hash_set(name(), 3),
        proptest::collection::hash_set(v4(), 3),
        (1_u16.., 1_u16.., 1_u16..).prop_map(|(a, b, c)| format!("fd{:02x}:{b:x}::{c:x}", a % 256)),
        name(),
        proptest::collection::hash_set(id.clone(), 3),
        id,
        "[a-z]{3,5}[0-9]{3}[a-z]{3}",
        name(),
        "[A-Z][a-z]{3,6}[0-9]{2} [A-Z][a-z]{4,6}",
    )
        .prop_map(|(names, v4, v6, host, ids, cluster_id, token, user, person)| Planted {
            names: names.into_iter().collect(),
            v4: v4.into_iter().collect(),
            v6,
            host: format!("{host}.dc7.acme-{host}.internal"),
            ids: ids.into_iter().collect(),
            cluster_id,
            token,
            user,
            person,
        })
}

impl Planted {
    fn secrets(&self) -> Vec<String> {
        let ids = self.ids.iter().chain([&self.cluster_id]).flat_map(|id| [format!("{id:x}"), id.to_string()]);
        let others = [&self.v6, &self.host, &self.token, &self.user, &self.person];
        self.names.iter().chain(&self.v4).chain(others).cloned().chain(ids).collect()
    }

    fn pastes(&self) -> Vec<Paste> {
        let Self { names, v4, v6, host, ids, cluster_id, token, user, .. } = self;
        let prompt = format!("{user}@{}:~$ ", names[0]);
        let mut status = format!("{prompt}etcdctl endpoint status --cluster\n");
        let mut list = format!("[{user}@{host} ~]# etcdctl member list\n");
        let mut health = String::new();
        for (at, (name, ip)) in names.iter().zip(v4).enumerate() {
            let (id, leader) = (ids[at], at == 0);
            status += &format!("https://{ip}:2379, {id:x}, 3.5.20, 25 MB, {leader}, false, 7, {}, 31, \n", 31 + at);
            list += &format!("{id:x}, started, {name}, https://{ip}:2380, https://{ip}:2379, false\n");
            health += &format!("https://{ip}:2379 is healthy: successfully committed proposal: took = 2.1ms\n");
        }
        let initial: Vec<String> = names.iter().zip(v4).map(|(n, ip)| format!("{n}=https://{ip}:2380")).collect();
        let unit = format!(
            "[Service]\nExecStart=/usr/bin/etcd --name {} --data-dir /var/lib/etcd/{} --enable-v2=true \\\n  --initial-cluster={} \
             --initial-cluster-token={token} --initial-cluster-state=new --listen-peer-urls=https://[{v6}]:2380 \
             --advertise-client-urls=https://{host}:2379\n",
            names[0],
            names[0],
            initial.join(",")
        );
        let json = serde_json::json!({"header": {"cluster_id": cluster_id, "member_id": ids[1], "raft_term": 7},
            "members": [{"ID": ids[1], "name": names[1], "peerURLs": [format!("https://{}:2380", v4[1])],
                         "clientURLs": [format!("https://{}:2379", v4[1])]}]});
        let log = format!(
            "Nov 30 21:40:00 {host} etcd[812]: {{\"level\":\"fatal\",\"msg\":\"discovery failed\",\"remote-peer-id\":\"{:x}\",\
             \"remote-peer-name\":\"{}\",\"error\":\"dial tcp [{v6}]:2380: connect: connection refused\"}}\n",
            ids[2], names[2]
        );
        let odd = format!("ssh {user}@{host} says hello to https://{}:2379\n", names[2]);
        vec![
            Paste::new(format!("{}.txt", names[0]), status),
            Paste::new(format!("acme {host}"), list),
            Paste::new("unit", unit),
            Paste::new("json", json.to_string()),
            Paste::new("log", log),
            Paste::new("health", health),
            Paste::new("odd", odd),
        ]
    }

    fn report(&self, kind: IntentKind) -> Report {
        let mut answers = Answers::new();
        answers.take(&format!("endpoints=https://{}:2379", self.host)).unwrap();
        answers.take("cacert=/etc/etcd/ca.crt").unwrap();
        if kind == IntentKind::Members {
            answers.take(&format!("change=replace={}", self.names[1])).unwrap();
            answers.take(&format!("new-name=new{}", self.names[1])).unwrap();
            answers.take(&format!("new-peer-url=https://new{}:2380", self.host)).unwrap();
        }
        let waiver = |gate: &str| Waiver {
            gate: gate.to_owned(),
            member: None,
            reason: format!("{} told {}", self.names[0], self.v4[0]),
            name: self.person.clone(),
            until: "2027-01-31".to_owned(),
        };
        let intent = Intent { kind, from: None, to: Target::Next };
        let (pastes, now) = (self.pastes(), datetime!(2026-11-30 12:00 UTC));
        let first = etcd_upgrade_planner::judge(&pastes, &intent, &answers, now);
        let waivers: Vec<Waiver> =
            first.findings.iter().filter(|f| f.outcome == "warning").map(|f| waiver(&f.gate)).collect();
        let mut report = etcd_upgrade_planner::judge_with_waivers(&pastes, &intent, &answers, &waivers, now);
        let mut written = records(&report);
        for record in written.values_mut() {
            record.owner = self.person.clone();
            record.note = format!("{} ({:x}) at {} and [{}]", self.names[1], self.ids[1], self.v4[1], self.v6);
        }
        report.take_records(&written);
        report
    }
}

fn holds(text: &str, secret: &str) -> bool {
    text.to_ascii_lowercase().contains(&secret.to_ascii_lowercase())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_planted_is_left_in_any_export(planted in planted(), kind in 0_usize..6) {
        let report = planted.report(IntentKind::ALL[kind]);
        let plain = export::write(&report, Format::Json, Detail::Full);
        let seen = planted.secrets().iter().filter(|secret| holds(&plain, secret)).count();
        prop_assert!(seen >= 8, "only {seen} of what is planted is in the report at all");
        let redaction = Redaction::of(&report, &[], &[]);
        let mut hidden = report.clone();
        redaction.report(&mut hidden);
        for format in Format::ALL {
            for detail in [Detail::Full, Detail::Brief] {
                let text = export::write(&hidden, format, detail);
                for secret in planted.secrets() {
                    let around = text.to_ascii_lowercase().find(&secret.to_ascii_lowercase());
                    let around = around.map(|at| text.chars().skip(text[..at].chars().count().saturating_sub(60)).take(140).collect::<String>());
                    prop_assert!(around.is_none(), "{format:?}: {secret} is left: {around:?}");
                }
            }
        }
        if let Some(script) = &hidden.rehearsal {
            for secret in planted.secrets() {
                prop_assert!(!holds(script, &secret), "the rehearsal holds {secret}");
            }
        }
        let json = export::write(&hidden, Format::Json, Detail::Full);
        prop_assert!(serde_json::from_str::<Report>(&json).is_ok());
        let back = redact::put_back(&hidden.summary, &redaction.key()).unwrap();
        prop_assert_eq!(back, report.summary);
    }

    #[test]
    fn a_redacted_paste_is_judged_as_the_original(planted in planted()) {
        let pastes = planted.pastes();
        let intent = Intent::upgrade(Target::Next);
        let now = datetime!(2026-11-30 12:00 UTC);
        let report = etcd_upgrade_planner::judge(&pastes, &intent, &Answers::new(), now);
        let texts: Vec<&str> = pastes.iter().map(|p| p.text.as_str()).collect();
        let redaction = Redaction::of(&report, &texts, &[]);
        let hidden: Vec<Paste> =
            pastes.iter().map(|p| Paste::new(redaction.text(&p.name), redaction.text(&p.text))).collect();
        for paste in &hidden {
            for secret in planted.secrets().iter().filter(|s| **s != planted.person) {
                prop_assert!(!holds(&paste.text, secret), "{secret} is left in {}", paste.text);
            }
        }
        let again = etcd_upgrade_planner::judge(&hidden, &intent, &Answers::new(), now);
        let outcomes = |report: &Report| -> Vec<(String, String)> {
            let mut all: Vec<_> = report.findings.iter().map(|f| (f.gate.clone(), f.outcome.clone())).collect();
            all.sort();
            all
        };
        prop_assert_eq!(outcomes(&again), outcomes(&report));
    }
}

/// What no redaction may touch.
fn kept(report: &Report) -> Vec<String> {
    let mut kept = vec![report.verdict.clone(), report.date.clone(), report.ruleset.version.clone()];
    kept.extend(report.cluster_version.clone());
    for m in &report.members {
        kept.extend(
            [m.version.clone(), m.storage_version.clone(), m.db_size.map(|n| n.to_string())].into_iter().flatten(),
        );
        kept.extend([m.quota, m.behind].into_iter().flatten().map(|n| n.to_string()));
    }
    kept.extend(report.findings.iter().flat_map(|f| [f.gate.clone(), f.outcome.clone()]));
    kept.extend(report.intent.hops.iter().flat_map(|h| [h.from.clone(), h.to.clone(), h.target.clone()]));
    kept
}

#[test]
fn versions_sizes_revisions_and_gates_stay() {
    for cluster in ALL {
        let report = cluster.report();
        let mut hidden = report.clone();
        Redaction::of(&report, &[], &[]).report(&mut hidden);
        assert_eq!(kept(&hidden), kept(&report), "{}", cluster.name);
        assert_eq!(hidden.checklist.len(), report.checklist.len());
        let steps = |r: &Report| r.checklist.iter().flat_map(|p| &p.steps).map(|s| s.number).collect::<Vec<_>>();
        assert_eq!(steps(&hidden), steps(&report));
    }
}

#[test]
fn words_that_a_person_names_are_replaced_too() {
    let mut report = ALL[0].report();
    report.summary = "Ready for ACME Bank and acme bank.".to_owned();
    let redaction = Redaction::of(&report, &[], &["Acme Bank".to_owned()]);
    redaction.report(&mut report);
    assert_eq!(report.summary, "Ready for word-1 and word-1.");
}

/// A table may break a name over the lines of a cell, with or without a blank in what the reader made of it.
#[test]
fn a_name_that_a_table_broke_is_replaced_in_one_piece() {
    let quote = "| 8e9e05c52164694d | started | etcd-frank | https://etcd-frank        |\n\
                 |                  |         | furt-17    | furt-17.acme.example:2380 |\n\
                 | 91bc3c398fb3c146 | started | m2         | https://10.0.0.2:2380     |\n";
    for name in ["etcd-frankfurt-17", "etcd-frank furt-17"] {
        let mut report = ALL[0].report();
        report.members[0].name = Some(name.to_owned());
        report.findings.iter_mut().flat_map(|f| &mut f.grounds).next().unwrap().quote = quote.to_owned();
        let redaction = Redaction::of(&report, &[], &[]);
        let mut hidden = report.clone();
        redaction.report(&mut hidden);
        let texts = [export::write(&hidden, Format::Json, Detail::Full), redaction.text(quote)];
        for text in texts {
            assert!(!holds(&text, "frank") && !holds(&text, "furt") && !holds(&text, "acme"), "{text}");
        }
        let text = redaction.text(quote);
        let stand_in = |original: &str| &redaction.pairs().iter().find(|p| p.original == original).unwrap().stand_in;
        assert!(text.contains(stand_in(name)) && text.contains(":2380 |"), "{text}");
        assert!(text.contains(stand_in("etcd-frankfurt-17.acme.example")), "{text}");
        assert_eq!(text.lines().count(), 3);
    }
}

/// Every text of the report is shown to a redaction, but those that are words of the schema.
#[test]
fn no_text_of_a_report_is_forgotten() {
    const OWN: [&str; 28] = [
        "date",
        "verdict",
        "version",
        "versions",
        "kind",
        "from",
        "to",
        "target",
        "hop",
        "gate",
        "outcome",
        "group",
        "key",
        "title",
        "url",
        "holds_for",
        "severity",
        "remedy",
        "sign",
        "fixed_in",
        "form",
        "phase",
        "gates",
        "answer",
        "role",
        "storage_version",
        "alarms",
        "v2",
    ];
    for cluster in ALL {
        let mut report = cluster.report();
        report.each_text(&mut |_, text| text.push('¤'));
        let mut forgotten = Vec::new();
        walk(&serde_json::to_value(&report).unwrap(), "", &mut |path, text| {
            let fields: Vec<&str> = path.split('/').filter(|p| !p.is_empty() && p.parse::<usize>().is_err()).collect();
            let own = fields.last().is_some_and(|field| OWN.contains(field));
            // These are words of ours only where they are: titles of sources, not of steps; names of platforms.
            let own = own
                || path.starts_with("/platform/")
                || path == "/cluster_version"
                || path.contains("bump/factors")
                || path == "/bump/bump"
                || path == "/bump/starts_at"
                || (path.starts_with("/known_issues/") && path.ends_with("/id"));
            if !own && !text.is_empty() && !text.ends_with('¤') {
                forgotten.push(path.to_owned());
            }
        });
        assert!(forgotten.is_empty(), "{}: {forgotten:?}", cluster.name);
        assert!(report.checklist.iter().flat_map(|p| &p.steps).all(|s| s.title.ends_with('¤')));
        assert!(report.findings.iter().filter_map(|f| f.remedy.as_ref()).all(|r| r.ends_with('¤')));
    }
}

fn walk(value: &Value, path: &str, see: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::String(text) => see(path, text),
        Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| walk(item, &format!("{path}/{at}"), see)),
        Value::Object(fields) => fields.iter().for_each(|(key, item)| walk(item, &format!("{path}/{key}"), see)),
        _ => {}
    }
}
