//! Which flags of which member change on the way to the target, and when.

use super::order::{Crew, Mover};
use super::scene::Scene;
use crate::etcd::flags;
use crate::etcd::version::Version;
use crate::evidence::fact::{FlagForm, FlagSetting};

/// One flag that the target does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// Label of the member.
    pub(super) member: String,
    /// The flag as the member has it: `--name`, `ETCD_NAME`, `key:`.
    pub(super) given: String,
    /// What replaces it: a flag name, or `feature-gates=Name`.
    instead: Option<&'static str>,
    /// Does what the member runs today know the replacement?
    ready_today: bool,
    target: Version,
    current: Version,
}

impl Change {
    /// What to do with it.
    pub(super) fn sentence(&self) -> String {
        let Self { member, given, instead, target, current, .. } = self;
        match instead {
            None => format!(
                "{member} has {given}, which {target} does not know and nothing replaces: take it off before the roll."
            ),
            Some(instead) if self.ready_today => format!(
                "{member} has {given}, which {target} does not know: put {instead} in its place before the roll, {current} \
                 knows it."
            ),
            Some(instead) => format!(
                "{member} has {given}, which {target} does not know: put {instead} in its place in the moment of the swap, \
                 {current} does not know it."
            ),
        }
    }
}

/// The changes of all members that the leg moves, in roll order, as far as their flags were seen.
pub(super) fn changes(scene: &Scene<'_>, crew: &Crew) -> Vec<Change> {
    crew.left(scene.leg).into_iter().filter_map(|at| crew.movers.get(at)).flat_map(|m| of_member(scene, m)).collect()
}

/// The changes of one member.
pub(super) fn of_member(scene: &Scene<'_>, mover: &Mover) -> Vec<Change> {
    let (Some(member), Some(current)) = (scene.member(mover), scene.runs(mover)) else { return Vec::new() };
    let mut changes: Vec<Change> = Vec::new();
    for setting in member.flags.iter().flat_map(|set| &set.value.settings) {
        let Some(change) = change(scene, mover, current, setting) else { continue };
        if !changes.contains(&change) {
            changes.push(change);
        }
    }
    changes
}

fn change(scene: &Scene<'_>, mover: &Mover, current: &Version, setting: &FlagSetting) -> Option<Change> {
    let target = &scene.leg.target;
    let flag = match setting.form {
        FlagForm::Yaml => flags::by_yaml_key(&setting.name, current.minor())?,
        FlagForm::CommandLine | FlagForm::Env => flags::by_name(&setting.name)?,
    };
    if flag.in_version(target) {
        return None;
    }
    let given = match setting.form {
        FlagForm::CommandLine => format!("--{}", flag.name),
        FlagForm::Env => flag.env.to_owned(),
        FlagForm::Yaml => format!("{}:", setting.name),
    };
    let instead = flag.replaced_by();
    let known =
        |name: &str| flags::by_name(name.split('=').next().unwrap_or(name)).is_some_and(|f| f.in_version(current));
    Some(Change {
        member: mover.label.clone(),
        given,
        instead,
        ready_today: instead.is_some_and(known),
        target: target.clone(),
        current: current.clone(),
    })
}
