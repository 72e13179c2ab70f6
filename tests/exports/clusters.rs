//! Five clusters that exports are held against: ready, blocked with records and a waiver, can't tell, half-way, and one
//! whose names are markup. One is a change of members, so that there is a table of quorums.

use std::fs;
use std::path::{Path, PathBuf};

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::record::{Records, StepRecord};
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::gates::waiver::Waiver;
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use time::macros::datetime;

/// One cluster.
pub struct Cluster {
    /// Its name; golden files are called so.
    pub name: &'static str,
    kind: IntentKind,
    files: &'static [&'static str],
    answers: &'static [&'static str],
    /// Was something written beside its steps, and a warning accepted?
    kept: bool,
}

const ANSWERED: &[&str] = &[
    "run-by=systemd-binary",
    "snapshot-taken=in-plan",
    "snapshot-off-host=yes",
    "snapshot-verified=yes",
    "watch-caches=no",
    "auth=no",
];

pub const ALL: [Cluster; 6] = [
    Cluster {
        name: "healthy",
        kind: IntentKind::Upgrade,
        files: &[
            "status.txt",
            "members.txt",
            "alarms.txt",
            "v2store-clean.txt",
            "m1.service",
            "m2.service",
            "m3.service",
        ],
        answers: ANSWERED,
        kept: false,
    },
    Cluster {
        name: "v2-on",
        kind: IntentKind::Upgrade,
        files: &["status.txt", "members.txt", "alarms.txt", "v2store-records.txt", "m1.service", "m2-v2-on.service"],
        answers: ANSWERED,
        kept: true,
    },
    Cluster {
        name: "learner",
        kind: IntentKind::Upgrade,
        files: &["learner-status.txt", "learner-members.txt"],
        answers: &[],
        kept: false,
    },
    Cluster {
        name: "half-way",
        kind: IntentKind::Upgrade,
        files: &["half-way-status.txt", "members.txt"],
        answers: ANSWERED,
        kept: false,
    },
    Cluster {
        name: "names",
        kind: IntentKind::Upgrade,
        files: &["names/status.json", "names/members.json"],
        answers: ANSWERED,
        kept: true,
    },
    Cluster {
        name: "replace",
        kind: IntentKind::Members,
        files: &["status.txt", "members.txt"],
        answers: &["change=replace=m2", "new-name=m4", "new-peer-url=http://127.0.0.1:23999"],
        kept: true,
    },
];

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn path(file: &str) -> PathBuf {
    if file.contains('/') {
        root().join("tests/fixtures/exports").join(file)
    } else {
        root().join("samples").join(file)
    }
}

impl Cluster {
    pub fn pastes(&self) -> Vec<Paste> {
        self.files.iter().map(|file| Paste::new(*file, fs::read_to_string(path(file)).unwrap())).collect()
    }

    pub fn answers(&self) -> Answers {
        let mut answers = Answers::new();
        self.answers.iter().for_each(|answer| answers.take(answer).unwrap());
        answers
    }

    pub fn intent(&self) -> Intent {
        Intent { kind: self.kind, from: None, to: Target::Next }
    }

    pub fn judged(&self, pastes: &[Paste]) -> Report {
        let now = datetime!(2026-11-30 12:00 UTC);
        let (intent, answers) = (self.intent(), self.answers());
        let report = etcd_upgrade_planner::judge(pastes, &intent, &answers, now);
        if !self.kept {
            return report;
        }
        let warning = report.findings.iter().find(|f| f.outcome == "warning");
        let waivers: Vec<Waiver> = warning.map(|f| waiver(&f.gate)).into_iter().collect();
        let mut report = etcd_upgrade_planner::judge_with_waivers(pastes, &intent, &answers, &waivers, now);
        report.take_records(&records(&report));
        report
    }

    pub fn report(&self) -> Report {
        self.judged(&self.pastes())
    }
}

fn waiver(gate: &str) -> Waiver {
    Waiver {
        gate: gate.to_owned(),
        member: None,
        reason: "Accepted in CHG-7, | see {there}".to_owned(),
        name: "Ann Ångström".to_owned(),
        until: "2027-01-31".to_owned(),
    }
}

/// The first step done, the second with an owner, the third with a note that is markup.
pub fn records(report: &Report) -> Records {
    let ids = report.checklist.iter().flat_map(|phase| &phase.steps).map(|step| step.id.clone());
    let written = [
        StepRecord { done: true, owner: "Ann Ångström".into(), time: "30 Nov, 21:40".into(), note: String::new() },
        StepRecord { owner: "Bo, \"the\" builder".into(), ..StepRecord::default() },
        StepRecord { note: "=1+1 <script>alert(1)</script> {code} | `x`\nsecond line".into(), ..StepRecord::default() },
    ];
    ids.zip(written).collect()
}
