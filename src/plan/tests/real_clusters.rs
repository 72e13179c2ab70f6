//! Each way back is open exactly where real clusters left it open: the plan against the `upgrade-*` captures.

use std::fs;
use std::path::{Path, PathBuf};

use super::{leg, make, plan_of, route, three, v};
use crate::cluster::{self, Cluster};
use crate::evidence;
use crate::evidence::answers::Answers;
use crate::evidence::paste::Paste;
use crate::gates::{Assessment, Verdict};
use crate::intent::{self, Intent, IntentKind, RouteKind, Target};

/// What a real cluster of three did on a hop, step by step: the files of one `upgrade-*` folder of the captures.
struct Capture {
    folder: PathBuf,
}

impl Capture {
    fn of(from: &str, to: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/captures");
        Self { folder: root.join(format!("upgrade-{from}-to-{to}")) }
    }

    /// The text of every file whose name holds the words.
    fn read(&self, words: &str) -> Vec<String> {
        let mut paths: Vec<_> = fs::read_dir(&self.folder).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        paths.retain(|p| p.file_name().unwrap().to_string_lossy().contains(words));
        assert!(!paths.is_empty(), "no {words} in {}", self.folder.display());
        paths.iter().map(|p| fs::read_to_string(p).unwrap()).collect()
    }

    /// The cluster as the one file shows it whose name holds the words.
    fn cluster(&self, words: &str) -> Cluster {
        let texts = self.read(words);
        assert_eq!(texts.len(), 1, "{words} in {}", self.folder.display());
        cluster::merge(&evidence::read(&[Paste::new("status", texts[0].as_str())]))
    }
}

/// Rows of a status table that show a version.
fn rows(table: &str, version: &str) -> usize {
    table.lines().filter(|line| line.starts_with(['|', '│']) && line.contains(version)).count()
}

#[test]
fn the_ways_back_are_open_where_real_clusters_left_them_open() {
    for (from, to) in [("3.4.23", "3.5.33"), ("3.5.33", "3.6.16"), ("3.6.16", "3.7.3")] {
        let capture = Capture::of(from, to);
        let (old, new) = (v(from).minor(), v(to).minor());
        let route = route(RouteKind::Hops, &old.to_string(), vec![leg(&old.to_string(), to)]);
        let plan = plan_of(&three(from), &route);
        // After each member's start: as long as the cluster version is the old one, the binary can be swapped back.
        for (turn, label) in ["m2", "m3", "m1"].into_iter().enumerate() {
            let said = capture.read(&format!("after-{}-curl-version", turn + 1));
            let still_old = said.iter().all(|text| text.contains(&format!("\"etcdcluster\":\"{old}.0\"")));
            let raised = said.iter().all(|text| text.contains(&format!("\"etcdcluster\":\"{new}.0\"")));
            assert!(still_old != raised, "{from} to {to}, after {label}");
            let verify = plan.step(&format!("{new}/roll/{label}/verify")).unwrap();
            assert_eq!(verify.ways_back.swap.open, still_old, "{from} to {to}, after {label}");
        }
        // It was tried: with two of three on the new minor the second one serves on the old one again.
        let swapped = capture.read("window-swapped-back-status");
        assert_eq!((rows(&swapped[0], from), rows(&swapped[0], to)), (2, 1), "{}", swapped[0]);
        // With all three on it the old binary does not come up.
        let refused = capture.read("closed-window-status");
        assert_eq!((rows(&refused[0], from), rows(&refused[0], to)), (0, 2), "{}", refused[0]);
        // The formal downgrade is open exactly where it was accepted.
        let accepted = capture.read(&format!("downgrade-enable-{old}"))[0].contains("Downgrade enable success");
        let closed = plan.step(&format!("{new}/close/cluster-version")).unwrap();
        assert_eq!(closed.ways_back.downgrade.open, accepted, "{from} to {to}");
    }
}

/// A formal downgrade on real clusters: as long as a status shows it enabled there is a job to cancel, and it ends by
/// itself with the last member.
#[test]
fn a_downgrade_can_be_cancelled_where_real_clusters_show_it_enabled() {
    for (old, new) in [("3.5.33", "3.6.16"), ("3.6.16", "3.7.3")] {
        let capture = Capture::of(old, new);
        let before = capture.cluster("closed-window-status");
        assert_eq!(before.downgrades_enabled().count(), 0);
        let whole = capture.cluster("after-3-status-json-new-ctl");
        let intent = Intent { kind: IntentKind::Downgrade, from: None, to: Target::Version(v(old)) };
        let nothing = Assessment { verdict: Verdict::Ready, findings: Vec::new(), known: Vec::new() };
        let plan = make(&whole, &intent::route(&intent, &whole), &nothing, &Answers::new());
        let open = |ending: &str| {
            let steps: Vec<_> = plan.steps().filter(|s| s.id.ends_with(ending)).collect();
            assert!(!steps.is_empty(), "{ending}: {:?}", plan.steps().map(|s| s.id.as_str()).collect::<Vec<_>>());
            steps.iter().map(|s| s.ways_back.downgrade.open).collect::<Vec<_>>()
        };
        assert_eq!(
            open("lower/enable"),
            [capture.cluster("downgrade-enabled-status-json").downgrades_enabled().count() > 0]
        );
        let enabled = [1, 2, 3]
            .map(|turn| capture.cluster(&format!("downgrade-{turn}-status-table")).downgrades_enabled().count() > 0);
        assert_eq!(enabled, [true, true, false], "{old} from {new}");
        assert_eq!(open("/verify"), enabled, "{old} from {new}");
        // Any member that was swapped serves beside the others all the while.
        for turn in [1, 2, 3] {
            let table = &capture.read(&format!("downgrade-{turn}-status-table"))[0];
            assert_eq!((rows(table, old), rows(table, new)), (turn, 3 - turn), "{table}");
        }
    }
}
