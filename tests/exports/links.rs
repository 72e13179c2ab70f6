//! Links: what they carry, and that those of every format are still opened.

use std::fs;
use std::io::{Read as _, Write as _};

use etcd_upgrade_planner::export::link::{self, Payload, Shared};
use etcd_upgrade_planner::intent::IntentKind;

use crate::clusters::{ALL, root};

fn inflated(payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::DeflateDecoder::new(payload).read_to_end(&mut out).unwrap();
    out
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn opened(fragment: &str) -> Shared {
    match link::open(fragment).unwrap().unwrap() {
        Payload::Plain(shared) => *shared,
        Payload::Packed(bytes) => Shared::read(&inflated(&bytes)).unwrap(),
    }
}

/// One link of each format, as it was made once. They are never written anew.
#[test]
fn links_of_every_format_are_opened() {
    let folder = root().join("tests/fixtures/exports/links");
    let read = |name: &str| opened(fs::read_to_string(folder.join(name)).unwrap().trim());
    let settings = read("1-settings.txt");
    assert_eq!((settings.intent.as_str(), settings.to.as_str()), ("upgrade", "3.6"));
    assert_eq!(settings.answers().iter().count(), 6);
    assert_eq!(settings.pastes(), []);
    let pasted = read("2-pasted.txt");
    assert_eq!(pasted.pastes().len(), 2);
    assert_eq!(pasted.verdict, "cant-tell");
    assert!(pasted.redacted);
    let report = ALL[0].judged(&pasted.pastes());
    assert_eq!(report.members.len(), 3);
    let rules = read("2-older-rules.txt");
    let report = ALL[0].judged(&rules.pastes());
    assert!(rules.under_other_rules(&report) && !settings.rules.is_empty());
    assert!(rules.changes(&report).iter().any(|c| c.starts_with("The verdict was")), "{:?}", rules.changes(&report));
}

#[test]
fn settings_name_nothing_of_the_cluster() {
    for cluster in ALL {
        let report = cluster.report();
        let mut answers = cluster.answers();
        answers.take("endpoints=https://10.20.30.41:2379").unwrap();
        answers.take("cacert=/etc/acme/ca.crt").unwrap();
        let json = Shared::settings(&report, String::new(), String::new(), &answers).json();
        for secret in ["10.20.30.41", "acme", "m4", "m2", "127.0.0.1"] {
            assert!(!json.contains(secret), "{}: {secret} is in {json}", cluster.name);
        }
    }
}

#[test]
fn a_link_with_pastes_gives_the_same_verdict_and_says_so() {
    for cluster in ALL.iter().filter(|c| c.name != "replace") {
        let (pastes, answers) = (cluster.pastes(), cluster.answers());
        let report = cluster.report();
        let shared = Shared::settings(&report, String::new(), String::new(), &answers);
        let shared = shared.with_pastes(&report, &answers, &pastes, None);
        let fragment = link::packed(&deflated(shared.json().as_bytes())).unwrap();
        let back = opened(&fragment);
        assert_eq!(back, shared);
        assert_eq!(IntentKind::from_id(&back.intent), Some(IntentKind::Upgrade));
        assert_eq!(back.pastes(), pastes);
        let again = cluster.judged(&back.pastes());
        assert!(!back.under_other_rules(&again));
        assert_eq!(back.changes(&again), Vec::<String>::new(), "{}", cluster.name);
    }
}

#[test]
fn hostile_payloads_are_refused_or_read_as_nothing() {
    for json in ["", "null", "[[[[", "{\"__proto__\": {\"x\": 1}}", "{\"pastes\": 7}", "{\"pastes\": [{\"text\": 7}]}"]
    {
        let read = Shared::read(json.as_bytes());
        assert!(read.is_err() || read == Ok(Shared::default()), "{json}");
    }
    let deep = "[".repeat(1_000_000);
    assert!(Shared::read(deep.as_bytes()).is_err());
    assert!(Shared::read(&[0xff, 0xfe, 0x00]).is_err());
}
