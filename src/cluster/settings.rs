//! Settings looked up in flag sets, whatever form they were given in.

use crate::evidence::fact::{FlagForm, FlagSet, FlagSetting};

/// Every setting of a flag in a set, in order.
pub fn of<'a>(set: &'a FlagSet, flag: &'a str) -> impl Iterator<Item = &'a FlagSetting> {
    set.settings.iter().filter(move |s| is(s, flag))
}

/// The value etcd would take from this set: the last one given on the command line, else in the config file, else in
/// the environment. Values that a shell or systemd still has to fill in are left out.
#[must_use]
pub fn value<'a>(set: &'a FlagSet, flag: &'a str) -> Option<&'a str> {
    let last = |form: FlagForm| of(set, flag).filter(|s| s.form == form).filter_map(|s| s.value.as_deref()).last();
    [FlagForm::CommandLine, FlagForm::Yaml, FlagForm::Env]
        .into_iter()
        .find_map(last)
        .filter(|v| !v.is_empty() && is_literal(v))
}

/// Is it a setting of this flag? YAML names some flags by a path of its own.
#[must_use]
pub fn is(setting: &FlagSetting, flag: &str) -> bool {
    if setting.name == flag {
        return true;
    }
    setting.form == FlagForm::Yaml
        && crate::etcd::flags::by_name(flag).is_some_and(|f| {
            f.minors.iter().any(|m| m.yaml_key.is_some_and(|key| key.eq_ignore_ascii_case(&setting.name)))
        })
}

/// Is it what it says, or a name that a shell, systemd or Kubernetes puts a value in for?
#[must_use]
pub fn is_literal(value: &str) -> bool {
    !value.contains(['$', '%', '{', '}', '`'])
}
