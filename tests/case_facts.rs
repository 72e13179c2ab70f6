//! What each public case says a reader must get out of its paste (`facts_to_extract`), held against the readers.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use etcd_upgrade_planner::cluster::{self, Cluster};
use etcd_upgrade_planner::evidence::fact::{AlarmType, Body, FlagForm, FlagSetting, V2Check};
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::evidence::{self, Evidence};
use serde_json::Value;

/// What a paste does not hold, or what is judged by gates and not read: the case's prose, and conclusions.
const NOT_READ: [&str; 31] = [
    "stated_from",
    "to",
    "skip",
    "typo",
    "conflict",
    "placeholder",
    "learner_mismatch",
    "revision_mismatch",
    "near_quota",
    "hash_mismatch",
    "endpoint_ambiguous",
    "cluster_id_mismatch",
    "views",
    "duplicate_names",
    "ids_rounded",
    "recognized",
    "bump",
    "mark_compacted",
    "snapshots",
    "error",
    "hash_error",
    "corrupt",
    "cluster_state",
    "initial_cluster",
    "force_new_cluster",
    "v2_client",
    "client",
    "server",
    "cluster",
    "auth",
    "downgrade",
];

/// Facts that stand in what is no output of etcd's: playbooks, diffs, pods and the words of platforms. Case, fact, where.
const ELSEWHERE: [(&str, &str, &str); 14] = [
    ("a15-kubeadm-rc-image", "from", "the image in a diff of manifests"),
    ("a37-kubespray-gate-ok", "from", "a debug message of Ansible"),
    ("c01-35-to-37-panic", "from", "the cluster version in a log of another minor"),
    ("c21-skuba-warnings", "flags", "deprecation warnings of a log"),
    ("c22-kops-three-crash", "members", "a list of pods"),
    ("d01-34-binary-on-35", "from", "the cluster version in a refusal"),
    ("d04-snap-refresh-back", "from", "the cluster version in a refusal"),
    ("d11-kops-preflight", "from", "the spec of a kops cluster"),
    ("d11-kops-preflight", "members", "the spec of a kops cluster"),
    ("e10-restore-in-container", "data_dir", "the log of a restore"),
    ("f13-kubeadm-learner-promote", "learners", "a refusal of kubeadm"),
    ("f29-talos-upgrade-refuses", "unhealthy", "a refusal of talosctl"),
    ("f32-talos-learner-health", "learners", "a health check of Talos"),
    ("g16-alarm-json-hex", "alarms", "a log line about an alarm"),
];

struct Case {
    id: String,
    facts: Value,
    text: String,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let lines = fs::read_to_string(folder.join("cases.jsonl")).unwrap();
    let case = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        let file = folder.join(case["raw_input_file"].as_str().unwrap());
        Case {
            id: case["id"].as_str().unwrap().to_owned(),
            facts: case["facts_to_extract"].clone(),
            text: String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned(),
        }
    };
    lines.lines().map(case).collect()
}

/// A paste as it was read.
struct Read {
    evidence: Evidence,
    cluster: Cluster,
}

impl Read {
    fn of(text: &str) -> Self {
        let evidence = evidence::read(&[Paste::new("paste", text)]);
        let cluster = cluster::merge(&evidence);
        Self { evidence, cluster }
    }

    fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.evidence.facts.iter().map(|f| &f.body)
    }

    fn settings(&self) -> impl Iterator<Item = &FlagSetting> {
        self.bodies().filter_map(|b| if let Body::Flags(set) = b { Some(set) } else { None }).flat_map(|s| &s.settings)
    }

    /// Every version the paste names, upstream and whole.
    fn versions(&self) -> BTreeSet<String> {
        let mut versions = BTreeSet::new();
        let mut add = |v: &etcd_upgrade_planner::etcd::version::Version| {
            versions.extend([v.to_string(), v.upstream().to_string(), v.minor().to_string()]);
        };
        for body in self.bodies() {
            match body {
                Body::Status(s) => s.version.iter().for_each(&mut add),
                Body::ServerVersion(s) => s.server.iter().for_each(&mut add),
                Body::Log(l) => l.version.iter().for_each(&mut add),
                Body::Flags(f) => f.version.iter().for_each(&mut add),
                Body::ToolVersion(t) => add(&t.version),
                Body::SnapshotStatus(s) => s.version.iter().for_each(&mut add),
                _ => {}
            }
        }
        versions
    }

    fn ids(&self) -> BTreeSet<u64> {
        let id = |body: &Body| match body {
            Body::Status(s) => s.member_id,
            Body::Member(m) => Some(m.id),
            _ => None,
        };
        self.bodies().filter_map(id).collect()
    }

    fn named(&self, form: FlagForm) -> BTreeSet<String> {
        let of_form = self.settings().filter(|s| s.form == form);
        // A third dash stays in a flag's name: etcd knows no such flag.
        let name = |s: &FlagSetting| s.name.trim_start_matches('-').to_owned();
        of_form.flat_map(|s| [name(s), format!("{}={}", name(s), s.value.clone().unwrap_or_default())]).collect()
    }

    /// Environment variables: set in files, told by a log.
    fn environment(&self) -> BTreeSet<String> {
        let set = self.settings().filter(|s| s.form == FlagForm::Env);
        let mut names: BTreeSet<String> =
            set.map(|s| format!("ETCD_{}", s.name.to_uppercase().replace('-', "_"))).collect();
        for body in self.bodies() {
            if let Body::Log(event) = body {
                names.extend(
                    event.text.split([' ', '=', ':', '"']).filter(|w| w.starts_with("ETCD_")).map(str::to_owned),
                );
            }
        }
        names
    }

    fn health(&self, healthy: bool) -> usize {
        let endpoints = self.bodies().filter_map(|b| match b {
            Body::Health(h) if h.healthy == healthy => Some(h.endpoint.clone()),
            Body::HttpHealth(h) if h.healthy == healthy => Some(h.endpoint.clone().unwrap_or_default()),
            _ => None,
        });
        endpoints.collect::<BTreeSet<_>>().len()
    }

    fn failed(&self) -> BTreeSet<String> {
        self.bodies()
            .filter_map(|b| if let Body::EndpointFailed(f) = b { Some(f.endpoint.clone()) } else { None })
            .collect()
    }

    fn alarms(&self) -> BTreeSet<&'static str> {
        let name = |alarm| if alarm == AlarmType::NoSpace { "NOSPACE" } else { "CORRUPT" };
        self.cluster.alarms.iter().map(|a| name(a.value.alarm)).collect()
    }

    fn text_of(&self, body: &Body) -> Option<String> {
        match body {
            Body::Log(event) => Some(event.text.clone()),
            Body::ToolError(error) => Some(error.text.clone()),
            _ => None,
        }
    }

    /// Does the paste give this fact? `None` for a fact that no reader is asked for.
    fn gives(&self, key: &str, want: &Value) -> Option<bool> {
        let number = || want.as_u64().map(|n| usize::try_from(n).unwrap());
        let texts = || -> Vec<String> {
            match want {
                Value::Array(list) => list.iter().map(|v| v.as_str().unwrap().to_owned()).collect(),
                Value::String(text) => vec![text.clone()],
                _ => Vec::new(),
            }
        };
        let status = |read: &dyn Fn(&etcd_upgrade_planner::evidence::fact::Status) -> bool| {
            self.bodies().filter(|b| matches!(b, Body::Status(s) if read(s))).count()
        };
        Some(match key {
            "members" => {
                let ids = self.ids().len();
                let by_endpoint = self.cluster.members.len();
                Some(ids) == number() || (ids == 0 && Some(by_endpoint) == number())
            }
            "from" | "version" if want == "unknown" => self.versions().is_empty(),
            "from" | "version" | "versions" => texts().iter().all(|v| self.versions().contains(v)),
            "storage" => {
                let storage = |s: &etcd_upgrade_planner::evidence::fact::Status| {
                    s.storage_version.as_ref().is_some_and(|v| texts().contains(&v.to_string()))
                };
                status(&storage) > 0
            }
            "leader" => {
                let newest = self.cluster.members.iter().filter(|m| m.is_leader() == Some(true)).count();
                Some(newest) == number()
            }
            "learners" => {
                let learners = self.cluster.members.iter().filter(|m| m.is_learner() == Some(true)).count();
                Some(learners) == number()
            }
            "voters" => Some(self.cluster.voters().count()) == number(),
            "unstarted" => {
                let rows = self.bodies().filter_map(|b| if let Body::Member(m) = b { Some(m) } else { None });
                Some(rows.filter(|m| !m.started).map(|m| m.id).collect::<BTreeSet<_>>().len()) == number()
            }
            "flags" | "config_keys" => {
                let forms = [FlagForm::CommandLine, FlagForm::Yaml];
                let named: BTreeSet<String> = forms.into_iter().flat_map(|f| self.named(f)).collect();
                texts().iter().all(|flag| named.contains(flag))
            }
            "env" if texts().is_empty() => !self.settings().any(|s| s.form == FlagForm::Env && s.name == "enable-v2"),
            "env" => texts().iter().all(|name| self.environment().contains(name)),
            "value" => self.settings().any(|s| s.value.as_deref() == want.as_str()),
            "data_dir" => {
                self.settings().any(|s| s.name == "data-dir" && s.value.as_deref() == want.as_str())
                    || self.evidence.facts.iter().any(|f| f.hint.data_dir.as_deref() == want.as_str())
            }
            "healthy" => Some(self.health(true)) == number(),
            "unhealthy" => Some(self.health(false)) == number(),
            "failed" => match number() {
                Some(count) => self.failed().len() == count,
                None => texts().iter().all(|endpoint| self.failed().contains(endpoint)),
            },
            "errors" => {
                let shown: Vec<String> = self
                    .bodies()
                    .filter_map(|b| if let Body::Status(s) = b { s.errors.clone() } else { None })
                    .flatten()
                    .collect();
                texts().iter().all(|error| shown.contains(error))
            }
            "alarms" => {
                texts().iter().all(|alarm| self.alarms().contains(alarm.as_str()))
                    || self
                        .bodies()
                        .filter_map(|b| self.text_of(b))
                        .any(|t| texts().iter().all(|a| t.contains(a.as_str())))
            }
            "v2" => {
                let message = if want == "wal" { "v2-wal" } else { "v2-content" };
                self.bodies().any(|b| matches!(b, Body::Log(e) if e.message.starts_with(message)))
            }
            "v2check" => self.bodies().any(|b| match b {
                Body::V2Check(V2Check::CleanWithWal) => want == "clean-wal-aware",
                Body::V2Check(V2Check::WalRecords) => want == "custom-in-wal",
                Body::V2Check(V2Check::NotRun(_)) => want == "not-run",
                _ => false,
            }),
            "revision" => self.bodies().any(|b| matches!(b, Body::SnapshotStatus(s) if s.revision == want.as_i64())),
            "keys" => self.bodies().any(|b| matches!(b, Body::SnapshotStatus(s) if s.total_keys == want.as_u64())),
            "tables" => {
                Some(
                    self.evidence
                        .recognised
                        .iter()
                        .filter(|r| r.kind.id() == "snapshot-status" && r.form != "simple")
                        .count(),
                ) == number()
            }
            key if NOT_READ.contains(&key) => return None,
            key => panic!("no check for the fact {key}"),
        })
    }
}

#[test]
fn every_case_gives_the_facts_it_holds() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for case in cases() {
        let read = Read::of(&case.text);
        for (key, want) in case.facts.as_object().unwrap() {
            let excused = ELSEWHERE.iter().any(|(id, fact, _)| case.id == *id && key == fact);
            match read.gives(key, want) {
                Some(true) if excused => wrong.push(format!("{}: {key} is read now, it needs no excuse", case.id)),
                Some(true) => checked += 1,
                Some(false) if excused => {}
                Some(false) => wrong.push(format!("{}: {key} {want}", case.id)),
                None => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{checked} facts read, not these:\n{}", wrong.join("\n"));
    assert!(checked > 150, "only {checked} facts are held");
}
