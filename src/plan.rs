//! The ordered checklist, and at each step which ways back are open.

mod backup;
mod before;
mod checks;
mod close;
mod disk_snapshot;
mod downgrade;
mod fix;
mod flags;
mod hand;
pub mod members;
mod mend;
mod native;
mod order;
mod prepare;
mod rehearsal;
mod restore;
mod roll;
mod scene;
mod upgrade;
mod way_back;
mod way_down;
mod wording;
mod writer;

#[cfg(test)]
mod simulator;
#[cfg(test)]
mod tests;

use crate::bump::Worksheet;
use crate::cluster::Cluster;
use crate::evidence::answers::Answers;
use crate::gates::Assessment;
use crate::intent::{Hop, IntentKind, Route};

/// The phases of a hop, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PhaseKind {
    /// From blocked gates.
    FixFirst,
    /// Days before.
    Prepare,
    /// Right before: health, backup snapshot.
    RightBefore,
    /// The cluster is made ready to run the older minor.
    Lower,
    /// Member by member.
    Roll,
    /// Clients and members are stopped, the old data kept.
    Stop,
    /// The backup snapshot is put in place of the old data.
    Restore,
    /// Members start on the restored data, and are verified.
    Start,
    /// Members come in and go.
    Change,
    /// The cluster version is raised; the window has shut.
    Close,
    /// Afterwards.
    After,
}

impl PhaseKind {
    /// Its title.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::FixFirst => "Fix first",
            Self::Prepare => "Prepare",
            Self::RightBefore => "Right before",
            Self::Lower => "Lower the version",
            Self::Roll => "Roll",
            Self::Stop => "Stop",
            Self::Restore => "Restore",
            Self::Start => "Start and verify",
            Self::Change => "Change",
            Self::Close => "Close",
            Self::After => "After",
        }
    }
}

/// One way back at one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Is it open?
    pub open: bool,
    /// Why, in one sentence.
    pub reason: String,
}

impl Way {
    /// An open one.
    fn open(reason: impl Into<String>) -> Self {
        Self { open: true, reason: reason.into() }
    }

    /// A shut one.
    fn shut(reason: impl Into<String>) -> Self {
        Self { open: false, reason: reason.into() }
    }
}

/// The ways back at one step: what is open once the step is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaysBack {
    /// Swap the binary back.
    pub swap: Way,
    /// Formal downgrade.
    pub downgrade: Way,
    /// Restore the backup snapshot.
    pub restore: Way,
}

/// What a command of a step must print, for those who go through the checklist by machine. That it ends with exit
/// code 0 goes without saying.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Check {
    /// Index of the command in the step's commands.
    pub command: usize,
    /// For each of these a line of the output that holds all of its texts.
    pub lines: Vec<Vec<String>>,
    /// It must print nothing at all.
    pub nothing: bool,
    /// How long it may take until it prints that, in seconds: the command is run again until then.
    pub within_seconds: u32,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Stable id, unique in the plan: `3.6/roll/m2/stop`.
    pub id: String,
    /// What to do, short, in the imperative.
    pub title: String,
    /// Label of the member it is done on, if on one.
    pub member: Option<String>,
    /// Why.
    pub why: String,
    /// Commands, ready to run, each a line or a few.
    pub commands: Vec<String>,
    /// What they must print.
    pub checks: Vec<Check>,
    /// What to expect.
    pub expect: String,
    /// When to stop.
    pub stop_when: String,
    /// Which ways back are open once it is done.
    pub ways_back: WaysBack,
}

/// The steps of one phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// The hop; `None` for a patch roll.
    pub hop: Option<Hop>,
    /// Index of the leg in the route.
    pub leg: usize,
    /// Which phase.
    pub kind: PhaseKind,
    /// A word for the person: "check again then" on later hops, what is left on a resumed roll.
    pub note: Option<String>,
    /// Its steps, never empty.
    pub steps: Vec<Step>,
}

/// Where the rollback window of a leg opens and shuts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// The hop.
    pub hop: Hop,
    /// Id of the step at which it opens (first member on the new minor).
    pub opens_at: String,
    /// Id of the step at which it shuts (last member on the new minor).
    pub shuts_at: String,
    /// How the shutting step is named to people: "m1 starts on 3.6".
    pub shuts_when: String,
    /// On a resumed roll: it is already open.
    pub open_now: bool,
}

/// The checklist of the whole route.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Phases in order.
    pub phases: Vec<Phase>,
    /// One window a hop.
    pub windows: Vec<Window>,
    /// The same as a script that rehearses it with a backup snapshot, where members are rolled to newer releases.
    pub rehearsal: Option<String>,
    /// Why there is no plan, when there is none.
    pub none_because: Option<String>,
}

/// The name the rehearsal script is saved under.
pub const REHEARSAL_FILE: &str = "etcd-rehearsal.sh";

/// Last part of the id of the step that saves the backup snapshot: `3.6/right-before/backup-save`. Each leg that moves
/// members has one.
pub const BACKUP_STEP: &str = "backup-save";

impl Plan {
    /// Every step, in order.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.phases.iter().flat_map(|phase| &phase.steps)
    }

    /// The step with this id.
    #[must_use]
    pub fn step(&self, id: &str) -> Option<&Step> {
        self.steps().find(|step| step.id == id)
    }
}

/// Makes the plan.
#[must_use]
pub fn make(cluster: &Cluster, route: &Route, assessment: &Assessment, answers: &Answers, sheet: &Worksheet) -> Plan {
    if cluster.is_too_large() {
        // Each step names the members that are left: a plan for thousands of them would be millions of lines.
        let none_because = format!("{} members are shown, and no cluster has so many.", cluster.members.len());
        return Plan { none_because: Some(none_because), ..Plan::default() };
    }
    match route.intent.kind {
        IntentKind::Upgrade => upgrade::plan(cluster, route, assessment, answers),
        IntentKind::Downgrade => {
            let fix_first = mend::plan(cluster, route, assessment, answers).phases;
            downgrade::plan(cluster, route, assessment, answers, fix_first)
        }
        IntentKind::Members => {
            let fix_first = mend::plan(cluster, route, assessment, answers).phases;
            members::plan(cluster, answers, fix_first)
        }
        IntentKind::Restore => {
            let fix_first = mend::plan(cluster, route, assessment, answers).phases;
            restore::plan(cluster, answers, sheet, fix_first)
        }
        IntentKind::Health | IntentKind::Flags => mend::plan(cluster, route, assessment, answers),
    }
}
