//! Fix first: one step per remedy of this leg's blocked and warning findings, in the gates' order.

use super::hand;
use super::scene::Scene;
use super::wording;
use super::writer::{Draft, Writer};
use crate::gates::words;
use crate::gates::{Ask, Cause, Finding, Outcome};

/// Gates whose remedy is the plan itself, in the phase that does it; a step under Fix first would say it twice.
const DONE_BY_THE_PLAN: [&str; 6] = [
    "upgrade-under-way",
    BELOW_FLOOR,
    "managed-by-platform",
    "snapshot-missing",
    "snapshot-stale",
    "v2-entries-before-37",
];

/// The gate whose remedy is a patch roll before the hop.
const BELOW_FLOOR: &str = "patch-below-floor";

/// Gates whose remedy is to turn the v2 API off and to write a disk snapshot on each member.
const V2_ON: [&str; 2] = ["v2-api-enabled", "v2-records-in-wal"];

/// Do members leave v2 records that the new minor can't read, or have they left some?
fn v2_to_clean(scene: &Scene<'_>) -> bool {
    scene.findings().iter().any(|f| V2_ON.contains(&f.gate) && f.outcome == Outcome::Blocked)
}

/// Is that done by steps of the plan, member by member?
pub(super) fn cleans_v2(scene: &Scene<'_>) -> bool {
    let by_commands = |at: usize| scene.commands.can_change_flags(Some(at));
    let all = hand::way(scene) == hand::Way::Process
        || (!scene.cluster.members.is_empty() && (0..scene.cluster.members.len()).all(by_commands));
    all && v2_to_clean(scene)
}

/// Do members run a patch below the floor of the hop?
pub(super) fn below_the_floor(scene: &Scene<'_>) -> bool {
    let blocks = |f: &&Finding| f.gate == BELOW_FLOOR && f.outcome == Outcome::Blocked;
    scene.leg.hop.is_some() && scene.findings().iter().any(blocks)
}

/// Writes the steps.
pub(super) fn write(scene: &Scene<'_>, writer: &mut Writer) {
    let findings = scene.findings();
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for &finding in &findings {
        let wants = matches!(finding.outcome, Outcome::Blocked | Outcome::Warning);
        if (V2_ON.contains(&finding.gate) || finding.cause == Some(Cause::V2Api)) && cleans_v2(scene) {
            continue;
        }
        // Where the platform alone moves etcd no roll of this plan brings members to the floor.
        let planned =
            DONE_BY_THE_PLAN.contains(&finding.gate) && !(finding.gate == BELOW_FLOOR && hand::native(scene).is_some());
        if !wants || finding.remedy.is_none() || planned {
            continue;
        }
        let same = groups.iter_mut().find(|g| g.first().is_some_and(|f| same_step(f, finding)));
        match same {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    for group in &groups {
        fix(scene, writer, group);
    }
    open_questions(&findings, writer);
}

/// Does one step mend both? A remedy said twice, or one cause that several gates see.
fn same_step(one: &Finding, other: &Finding) -> bool {
    (one.gate == other.gate && one.remedy == other.remedy) || (one.cause.is_some() && one.cause == other.cause)
}

fn fix(scene: &Scene<'_>, writer: &mut Writer, group: &[&Finding]) {
    let Some(&first) = group.first() else { return };
    let remedy = first.remedy.as_deref().unwrap_or_default();
    let (title, rest) = heading(remedy);
    let only = if let [one] = group { one.member.and_then(|at| scene.cluster.members.get(at)) } else { None };
    let member = only.map(crate::cluster::Member::label);
    let mut why: Vec<String> = Vec::new();
    for said in group.iter().map(|f| wording::sentence(&f.statement)).chain([wording::sentence(rest)]) {
        if !said.is_empty() && !why.contains(&said) {
            why.push(said);
        }
    }
    let mut commands: Vec<String> = Vec::new();
    for command in group.iter().flat_map(|f| &f.commands) {
        if !commands.contains(command) {
            commands.push(command.clone());
        }
    }
    let id = match &member {
        Some(label) => format!("fix-first/{}/{}", first.gate, wording::key(label)),
        None => format!("fix-first/{}", first.gate),
    };
    let blocked = group.iter().any(|f| f.outcome == Outcome::Blocked);
    writer.step(Draft {
        id,
        title: title.to_owned(),
        member,
        why: why.join(" "),
        commands,
        checks: Vec::new(),
        expect: format!("Paste the new output: the gate {} no longer says {}.", first.gate, first.outcome.id()),
        stop_when: if blocked {
            format!("The gate {} still says blocked: no member is touched before it passes.", first.gate)
        } else {
            format!("The gate {} still warns, and nobody has decided to go on with it.", first.gate)
        },
    });
}

/// The longest title of a step, in characters; more does not fit on a line of the checklist.
const TITLE_LIMIT: usize = 72;

/// A remedy as the title of a step and what is said below it: its first sentence, or, where that is long, its first
/// part with the whole remedy below.
fn heading(remedy: &str) -> (&str, &str) {
    let (sentence, rest) = wording::first_sentence(remedy);
    let part = sentence.split_once([',', ':']).map(|(part, _)| part);
    match part {
        Some(part) if sentence.chars().count() > TITLE_LIMIT => (part, remedy),
        _ => (sentence, rest),
    }
}

/// What nobody showed yet: the verdict waits for it, so it comes before anything moves.
fn open_questions(findings: &[&Finding], writer: &mut Writer) {
    let open: Vec<&&Finding> = findings.iter().filter(|f| f.outcome == Outcome::CantTell).collect();
    if open.is_empty() {
        return;
    }
    let mut commands: Vec<String> = Vec::new();
    let mut questions: Vec<String> = Vec::new();
    let mut gates: Vec<&str> = Vec::new();
    for finding in open {
        if !gates.contains(&finding.gate) {
            gates.push(finding.gate);
        }
        for ask in &finding.asks {
            match ask {
                Ask::Command { command, .. } if !commands.contains(command) => commands.push(command.clone()),
                Ask::Answer(key) if !questions.iter().any(|q| q == key.question()) => {
                    questions.push(key.question().to_owned());
                }
                _ => {}
            }
        }
    }
    let mut why = format!("Nothing shown so far answers {}.", words::list(&gates));
    for question in questions {
        why.push(' ');
        why.push_str(&question);
    }
    writer.step(Draft {
        id: "fix-first/open-questions".to_owned(),
        title: "Show what is not known yet".to_owned(),
        why,
        commands,
        expect: "With the outputs pasted and the questions answered, no gate says can't tell yet.".to_owned(),
        stop_when: "A gate still says can't tell yet: no member is touched before it is answered.".to_owned(),
        ..Draft::default()
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_remedy_is_a_short_title_and_loses_nothing() {
        let long = "Turn it off on every member, restart each once, write a few keys, and check again afterwards. Why.";
        assert_eq!(heading(long), ("Turn it off on every member", long));
        assert_eq!(heading("Turn it off. Why."), ("Turn it off", "Why."));
    }

    #[test]
    fn the_gates_that_the_plan_mends_are_registered() {
        for id in DONE_BY_THE_PLAN.into_iter().chain(V2_ON) {
            assert!(crate::gates::by_id(id).is_some(), "{id}");
        }
    }
}
