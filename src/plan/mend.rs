//! The steps where nothing is rolled: what to mend on a look at the cluster's health, or in its files on a review of
//! flags. One phase, Fix first.

use super::scene::Scene;
use super::upgrade::backup_at_hand;
use super::way_back::{Progress, Standing};
use super::writer::Writer;
use super::{PhaseKind, Plan, fix};
use crate::cluster::Cluster;
use crate::cluster::commands::Commands;
use crate::etcd::releases;
use crate::etcd::version::Version;
use crate::evidence::answers::{AnswerKey, Answers};
use crate::gates::Assessment;
use crate::intent::{IntentKind, Leg, Route};

/// Makes the plan.
pub(super) fn plan(cluster: &Cluster, route: &Route, assessment: &Assessment, answers: &Answers) -> Plan {
    let commands = Commands::new(cluster, answers);
    let mut plan = Plan::default();
    let still = still(cluster, route);
    let legs = if route.legs.is_empty() { still.as_slice() } else { route.legs.as_slice() };
    for (at, leg) in legs.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|i| legs.get(i));
        let after = legs.get(at + 1);
        let scene = Scene { cluster, assessment, answers, commands: &commands, leg, first: at == 0, before, after };
        let standing = Standing {
            native: None,
            hop: leg.hop,
            old: scene.old_minor(),
            formal: scene.rules().is_some_and(|rules| rules.formal_downgrade),
            behind: None,
            enabled: false,
            progress: Progress::Untouched,
            backup: backup_at_hand(cluster, answers),
            watch_caches: answers.yes(AnswerKey::WatchCaches),
        };
        let prefix = match route.intent.kind {
            IntentKind::Health | IntentKind::Restore | IntentKind::Downgrade | IntentKind::Members => {
                route.intent.kind.id().to_owned()
            }
            _ => scene.prefix(),
        };
        let mut writer = Writer::new(prefix, at, standing);
        fix::write(&scene, &mut writer);
        writer.phase(PhaseKind::FixFirst, None);
        plan.phases.extend(writer.done());
    }
    if plan.phases.is_empty() {
        plan.none_because = Some(match route.intent.kind {
            IntentKind::Health => "Nothing wrong was seen, so there is nothing to mend.".to_owned(),
            _ => "No flag needs a change.".to_owned(),
        });
    }
    plan
}

/// A leg that goes nowhere: to what runs. What no member says, the newest release stands for; steps of this phase name
/// no target.
fn still(cluster: &Cluster, route: &Route) -> Vec<Leg> {
    let lowest: Option<&Version> = cluster.members.iter().filter_map(|m| m.version().map(|(version, _)| version)).min();
    let newest = || releases::newest(route.from.or_else(releases::newest_minor)?).map(|r| r.version.clone());
    lowest.cloned().or_else(newest).map(|target| Leg { hop: None, target }).into_iter().collect()
}
