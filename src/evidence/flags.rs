//! Server flags, from every place people keep them: command lines, `ps`, systemd units, environment files, the YAML
//! config file, pod manifests, `kubectl describe`, docker and compose.
//!
//! One file a source; each turns its text into one [`FlagSet`] a member. [`stretch`] keeps track of where text stands
//! in the paste, [`words`] cuts command lines, [`arguments`] turns words into settings, [`yaml`] reads YAML with
//! positions.

pub mod api_server;
mod arguments;
mod command_line;
mod compose;
mod config_file;
mod container;
mod describe;
mod docker_run;
mod env_file;
mod fragment;
mod nixos;
mod platform_config;
mod pod_manifest;
mod process;
mod ps;
mod stretch;
mod systemd_unit;
mod words;
mod yaml;

#[cfg(test)]
mod testing;

pub use process::END_OF_ENVIRONMENT;

use super::detect::{Place, Reader, Taken};
use super::fact::{Body, Fact, FlagForm, FlagSet, FlagSetting, FlagSource, Kind, Recognised, Seen, Span};
use crate::etcd::flags;
use crate::etcd::version::Version;

/// The readers of server flags, the most telling source first.
pub const READERS: &[Reader] = &[
    systemd_unit::read,
    docker_run::read,
    ps::read,
    command_line::read,
    nixos::read,
    fragment::read,
    describe::read,
    yaml::read,
    env_file::read,
];

/// What is gathered about one member before it becomes a fact.
#[derive(Debug, Clone)]
struct Draft {
    set: FlagSet,
    /// First and last line, as indices into the lines of the place.
    lines: (usize, usize),
}

impl Draft {
    fn new(source: FlagSource, first: usize, last: usize) -> Self {
        let set = FlagSet {
            source,
            member_name: None,
            version: None,
            program: None,
            settings: Vec::new(),
            elsewhere: Vec::new(),
            probes: Vec::new(),
            container: None,
            complete: false,
        };
        Self { set, lines: (first, last) }
    }

    /// Adds a setting; the one that names the member sets the member's name.
    fn add(&mut self, setting: FlagSetting) {
        if setting.name == flags::name::NAME {
            let name = setting.value.as_deref().map(str::trim).filter(|n| !n.is_empty() && !n.contains(['$', '{']));
            self.set.member_name = name.map(str::to_owned).or(self.set.member_name.take());
        }
        if setting.name == flags::name::CONFIG_FILE
            && let Some(file) = setting.value.clone().filter(|v| !v.is_empty())
        {
            self.elsewhere(file, setting.span.clone());
        }
        self.set.settings.push(setting);
    }

    fn elsewhere(&mut self, what: String, span: Span) {
        self.set.elsewhere.push(Seen { value: what, span });
    }

    /// The fact; what depends on things that are not shown is never complete.
    fn finish(mut self, place: &Place<'_>) -> Fact {
        self.set.complete &= self.set.elsewhere.is_empty();
        Fact {
            span: lines_span(place, self.lines.0, self.lines.1),
            hint: place.hint(),
            body: Body::Flags(Box::new(self.set)),
        }
    }
}

/// Whole lines, from index to index, both included.
fn lines_span(place: &Place<'_>, first: usize, last: usize) -> Span {
    let number = |i: usize| place.lines.get(i).map_or(1, |l| l.number);
    Span::lines(place.paste, number(first), number(last.max(first)))
}

/// Closes a reader's work: `count` lines taken, one fact a draft.
fn taken(place: &Place<'_>, count: usize, form: &'static str, drafts: Vec<Draft>) -> Taken {
    let count = count.max(1);
    let recognised = Recognised {
        kind: Kind::ServerFlags,
        span: lines_span(place, place.at, place.at + count - 1),
        form,
        members: drafts.len(),
    };
    Taken { lines: count, facts: drafts.into_iter().map(|d| d.finish(place)).collect(), recognised }
}

/// The flag an environment variable of the server stands for: `ETCD_ENABLE_V2` → `enable-v2`. `None` for what is not
/// the server's (`ETCDCTL_API`, `PATH`).
#[must_use]
pub fn flag_of_env(variable: &str) -> Option<String> {
    let rest = variable.strip_prefix("ETCD_")?;
    let named = !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    named.then(|| rest.to_ascii_lowercase().replace('_', "-"))
}

/// Settings from name and value pairs that another reader found, such as the environment variables a server's log
/// lists. A variable that is not the server's is left out.
pub fn settings_from_env<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str, Span)>) -> Vec<FlagSetting> {
    pairs
        .into_iter()
        .filter_map(|(variable, value, span)| {
            let name = flag_of_env(variable)?;
            Some(FlagSetting { name, value: Some(value.to_owned()), form: FlagForm::Env, span })
        })
        .collect()
}

/// The version in an image reference: `registry.k8s.io/etcd:3.6.12-0`, `quay.io/coreos/etcd:v3.5.9@sha256:…`.
fn image_version(image: &str) -> Option<Version> {
    let tagged = image.split('@').next()?;
    let (_, tag) = tagged.rsplit_once('/').unwrap_or(("", tagged)).1.split_once(':')?;
    tag.parse().ok()
}

/// Is this image one of the etcd server, by its name?
fn is_etcd_image(image: &str) -> bool {
    let path = image.split('@').next().unwrap_or("");
    let last = path.rsplit_once('/').map_or(path, |(_, last)| last);
    let name = last.split(':').next().unwrap_or("");
    name == "etcd" || name.ends_with("-etcd") || name.starts_with("etcd-amd64") || name.starts_with("etcd-arm64")
}

/// Is the flag known to any minor, by its name on the command line?
fn is_known(name: &str) -> bool {
    flags::by_name(name).is_some()
}
