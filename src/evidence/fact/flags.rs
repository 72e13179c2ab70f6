//! Server flags.

use super::{Seen, Span};
use crate::etcd::version::Version;

/// Server flags of one member from one source.
#[derive(Debug, Clone, PartialEq)]
pub struct FlagSet {
    /// What they were read from.
    pub source: FlagSource,
    /// The member's own name (`--name`, `ETCD_NAME`, `name:`), or the pod's.
    pub member_name: Option<String>,
    /// Version of the image or binary path it names.
    pub version: Option<Version>,
    /// The program as the process was started: its path, or its bare name. `None` where the text does not name one.
    pub program: Option<String>,
    /// Every setting, in order. Comments and unset lines are not settings. An environment variable set to nothing is
    /// one, with an empty value: etcd takes it as unset, but it still clashes with the flag of that name.
    pub settings: Vec<FlagSetting>,
    /// Where the text says further settings come from and does not show them: a file (`/etc/etcd.env`, the file
    /// behind `--config-file`), a variable (`$ETCD_OPTS`).
    pub elsewhere: Vec<Seen<String>>,
    /// What the health probes of its container ask, in their own words: `/health port 2381`, `etcdctl endpoint health`.
    pub probes: Vec<Seen<String>>,
    /// The container it runs in, where the text shows how that is started.
    pub container: Option<Box<ContainerRun>>,
    /// Does the text show the whole start of the process or the whole config file, so that a flag not in it is not
    /// set? False for a fragment (a diff, a list of flags without the program), for an environment file alone, and
    /// whenever `elsewhere` is not empty.
    pub complete: bool,
}

impl FlagSet {
    /// Calls `visit` on the span of everything in it that has one.
    pub fn spans_mut(&mut self, visit: &mut dyn FnMut(&mut Span)) {
        self.settings.iter_mut().for_each(|setting| visit(&mut setting.span));
        self.elsewhere.iter_mut().chain(&mut self.probes).for_each(|seen| visit(&mut seen.span));
    }
}

/// A container as the text that starts it shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerRun {
    /// The program that starts it: `docker`, `sudo podman`, `docker compose`.
    pub program: String,
    /// Its name, or that of its service.
    pub name: Option<String>,
    /// The image as it is written.
    pub image: String,
    /// The words between `run` and the image; of a service its mounts, as `-v` takes them.
    pub options: Vec<String>,
    /// The words between the image and etcd's own flags: the program, where it is named.
    pub entry: Vec<String>,
}

/// What flags were read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlagSource {
    /// A command line typed or in a script.
    CommandLine,
    /// A `ps` line.
    Ps,
    /// A systemd unit or drop-in.
    SystemdUnit,
    /// An environment file or `export` lines.
    EnvFile,
    /// The YAML file behind `--config-file`.
    ConfigFile,
    /// A static pod or other pod manifest.
    PodManifest,
    /// `kubectl describe`.
    Describe,
    /// `docker run`.
    DockerRun,
    /// A compose file.
    Compose,
    /// Read from etcd's own log.
    Log,
}

/// How one setting was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlagForm {
    /// On the command line: a removed flag stops the start.
    CommandLine,
    /// As `ETCD_…` environment variable: a removed one is lost with a warning.
    Env,
    /// As key of the config file: a removed one is lost in silence.
    Yaml,
}

/// One setting.
#[derive(Debug, Clone, PartialEq)]
pub struct FlagSetting {
    /// Flag name without dashes (`enable-v2`); for env the flag it stands for (`ETCD_ENABLE_V2` → `enable-v2`); for
    /// YAML the key path (`peer-transport-security.client-cert-auth`).
    pub name: String,
    /// The value; `None` for a bare boolean flag.
    pub value: Option<String>,
    /// How it was given.
    pub form: FlagForm,
    /// Where.
    pub span: Span,
}
