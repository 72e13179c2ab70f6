//! Prepare, days before: what changes, binaries at hand, flags ready, people told.

use super::flags;
use super::hand;
use super::order::Crew;
use super::scene::Scene;
use super::wording;
use super::writer::{Draft, Writer};
use crate::etcd::sources;
use crate::gates::words;

/// Writes the steps.
pub(super) fn write(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    if scene.leg.hop.is_some() {
        read(scene, writer);
    }
    binaries(scene, crew, writer);
    if scene.leg.hop.is_some() {
        flags_ready(scene, crew, writer);
    }
    if scene.rules().is_some_and(|r| r.checks_v2_store) {
        no_v2(scene, writer);
    }
    people(scene, crew, writer);
}

/// The steps that need no hands on the members: what changes is read, people are told.
pub(super) fn around(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    if scene.leg.hop.is_some() {
        read(scene, writer);
    }
    people(scene, crew, writer);
}

fn read(scene: &Scene<'_>, writer: &mut Writer) {
    let (old, new) = (scene.old_minor(), scene.new_minor());
    let guide = scene.rules().and_then(|r| sources::by_key(r.source));
    let guide = guide.and_then(|s| s.url.map(|url| format!("{}: {url}", s.title)));
    writer.step(Draft {
        id: "prepare/read".to_owned(),
        title: format!("Read what changes from {old} to {new}"),
        why: format!(
            "This plan holds what stops a member or loses data. Metrics, log texts, defaults and client behaviour change \
             too, and only you know who relies on them. {}",
            guide.map_or_else(String::new, |guide| wording::sentence(&guide)),
        )
        .trim()
        .to_owned(),
        expect: format!("For each change that touches you, someone owns it before the first member runs {new}."),
        stop_when: format!("A client, alert or script needs something that {new} no longer has."),
        ..Draft::default()
    });
}

fn binaries(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    let target = &scene.leg.target;
    let kept = kept(scene, crew);
    writer.step(Draft {
        id: "prepare/binaries".to_owned(),
        title: format!("Put etcd, etcdctl and etcdutl {target} on every host, beside what runs"),
        why: format!(
            "Every member gets exactly {target}, so that no download stands between stop and start. Keep {kept} at hand: \
             it is the way back.{}",
            if scene.commands.packaged() {
                " The packages are held: an update of them restarts etcd at once, on whatever version it brings."
            } else {
                ""
            },
        ),
        commands: hand::at_hand(scene, crew),
        expect: format!("On every host the new binary says version {target}, and {kept} is still there."),
        stop_when: format!("A host can't get {target}, or its checksum is not the published one."),
        ..Draft::default()
    });
}

/// What runs before, in words: "3.5.33", "3.5.32 and 3.5.33", or the minor where no version is known.
fn kept(scene: &Scene<'_>, crew: &Crew) -> String {
    let mut versions: Vec<String> = crew
        .movers
        .iter()
        .filter(|m| !m.arrived(scene.leg))
        .filter_map(|m| scene.runs(m))
        .map(std::string::ToString::to_string)
        .collect();
    crate::sort::sort(&mut versions);
    versions.dedup();
    if versions.is_empty() { format!("the {} binary", scene.old_minor()) } else { words::list(&versions) }
}

fn flags_ready(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    let target = &scene.leg.target;
    let changes = flags::changes(scene, crew);
    let listed: Vec<String> = changes.iter().map(flags::Change::sentence).collect();
    let why = if listed.is_empty() {
        format!(
            "A flag that {target} does not know ends the start when it stands on the command line, and is lost without \
             stopping it in the environment or the config file."
        )
    } else {
        listed.join(" ")
    };
    writer.step(Draft {
        id: "prepare/flags".to_owned(),
        title: format!("Have each member's flags for {target} ready"),
        why,
        commands: hand::shown_flags(scene, crew),
        expect: format!(
            "For each member the file with its flags for {target} is written and waits beside the one in use; nothing in \
             use is changed."
        ),
        stop_when: format!("A flag in use is neither in the help text of {target} nor replaced."),
        ..Draft::default()
    });
}

/// `v2-health-qget`: one v2 request is enough to stop the new minor, also in a mixed cluster.
fn no_v2(scene: &Scene<'_>, writer: &mut Writer) {
    let (old, new) = (scene.old_minor(), scene.new_minor());
    writer.step(Draft {
        id: "prepare/no-v2".to_owned(),
        title: "Make sure that no member serves the v2 API and no client uses it".to_owned(),
        why: format!(
            "With the v2 API on, a single v2 request or health probe leaves a record that makes a {new} member panic, at \
             its start or live beside {old} members."
        ),
        expect: format!("No member has the v2 API on, now or when it restarts on {old}, and no client calls /v2."),
        stop_when: "A member has it on. Turn it off on all, let each write a disk snapshot, and check the v2 store again."
            .to_owned(),
        ..Draft::default()
    });
}

fn people(scene: &Scene<'_>, crew: &Crew, writer: &mut Writer) {
    let down = if crew.bears_one_down() {
        "Each member is away for a moment and the leadership moves once, so watches and long requests may end and be \
         opened again."
    } else {
        "The cluster has no member to spare: it serves nothing while a voter is away, and clients get errors until it is \
         back."
    };
    writer.step(Draft {
        id: "prepare/people".to_owned(),
        title: "Tell those who use and watch the cluster".to_owned(),
        why: format!("{down} Whoever is on call must know it from you, not from an alert."),
        expect: format!(
            "The time of the move to {} is known to those on call; no change to members, users or clients is planned in it.",
            scene.leg.target,
        ),
        stop_when: "Another change of the cluster or of its clients falls into the same time.".to_owned(),
        ..Draft::default()
    });
}
