//! Samples, one click away: what real clusters printed, and the files they ran with.

use etcd_upgrade_planner::etcd::releases;
use etcd_upgrade_planner::evidence::answers::{AnswerKey, Answers};
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::intent::Target;

use super::state::Work;

/// One sample.
pub struct Sample {
    /// Its title.
    pub title: &'static str,
    /// What it shows, in a few words.
    pub shows: &'static str,
    /// Names and texts of its pastes.
    pub pastes: &'static [(&'static str, &'static str)],
    answers: &'static [(AnswerKey, &'static str)],
    newest: bool,
}

impl Sample {
    /// The sample as work: to the next minor, or to the newest there is.
    pub fn work(&self) -> Work {
        let pastes = self.pastes.iter().map(|(name, text)| Paste::new(*name, *text)).collect();
        let to = match releases::newest_minor() {
            Some(minor) if self.newest => Target::Minor(minor),
            _ => Target::Next,
        };
        Work { pastes, to, answers: self.answers(), ..Work::default() }
    }

    /// What its person answered.
    pub fn answers(&self) -> Answers {
        let mut answers = Answers::new();
        for (key, value) in self.answers {
            // Each fits its key: a test in the browser opens every sample.
            let _ = answers.set(*key, value);
        }
        answers
    }

    /// How many answers it gives.
    #[cfg(test)]
    pub fn answer_count(&self) -> usize {
        self.answers.len()
    }
}

macro_rules! sample_file {
    ($path:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/", $path))
    };
}

const STATUS: (&str, &str) = ("endpoint status", sample_file!("status.txt"));
const MEMBERS: (&str, &str) = ("member list", sample_file!("members.txt"));
const ALARMS: (&str, &str) = ("alarm list", sample_file!("alarms.txt"));
const CHECKS: (&str, &str) = ("check v2store", sample_file!("v2store-clean.txt"));
const M1: (&str, &str) = ("m1 etcd.service", sample_file!("m1.service"));
const M2: (&str, &str) = ("m2 etcd.service", sample_file!("m2.service"));
const M3: (&str, &str) = ("m3 etcd.service", sample_file!("m3.service"));

const ANSWERED: &[(AnswerKey, &str)] = &[
    (AnswerKey::RunBy, "systemd-binary"),
    (AnswerKey::SnapshotTaken, "in-plan"),
    (AnswerKey::SnapshotOffHost, "yes"),
    (AnswerKey::SnapshotVerified, "yes"),
    (AnswerKey::WatchCaches, "no"),
    (AnswerKey::Auth, "no"),
];

/// All samples, in the order they are offered.
pub static ALL: &[Sample] = &[
    Sample {
        title: "Healthy",
        shows: "three members, everything pasted",
        pastes: &[STATUS, MEMBERS, ALARMS, CHECKS, M1, M2, M3],
        answers: ANSWERED,
        newest: false,
    },
    Sample {
        title: "v2 API on",
        shows: "one flag, and v2 records in the WAL",
        pastes: &[
            STATUS,
            MEMBERS,
            ALARMS,
            ("check v2store", sample_file!("v2store-records.txt")),
            M1,
            ("m2 etcd.service", sample_file!("m2-v2-on.service")),
            M3,
        ],
        answers: ANSWERED,
        newest: false,
    },
    Sample {
        title: "Learner present",
        shows: "a member that never got its vote",
        pastes: &[
            ("endpoint status", sample_file!("learner-status.txt")),
            ("member list", sample_file!("learner-members.txt")),
        ],
        answers: ANSWERED,
        newest: false,
    },
    Sample {
        title: "Half-way through",
        shows: "one member of three is on the new minor",
        pastes: &[("endpoint status", sample_file!("half-way-status.txt")), MEMBERS],
        answers: ANSWERED,
        newest: false,
    },
    Sample {
        title: "Removed flags",
        shows: "the new minor refuses to start with them",
        pastes: &[STATUS, MEMBERS, ALARMS, CHECKS, M1, ("m2 etcd.service", sample_file!("m2-removed.service")), M3],
        answers: ANSWERED,
        newest: false,
    },
    Sample {
        title: "Two minors on",
        shows: "a route of two hops, never skipping one",
        pastes: &[STATUS, MEMBERS, ALARMS, CHECKS, M1, M2, M3],
        answers: ANSWERED,
        newest: true,
    },
];
