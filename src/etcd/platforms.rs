//! The ways etcd is run.

use super::tables;

/// Who may touch etcd there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannerMode {
    /// The person moves the binaries: a full plan.
    Plan,
    /// A full plan, written with the platform's own steps.
    PlanNative,
    /// Only the platform may do it.
    NativeOnly,
    /// Nobody outside of the platform can do it.
    Refuse,
}

/// How a member is stopped and started there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    /// A systemd service.
    Systemd,
    /// A manifest in the kubelet's folder.
    StaticPod,
    /// A container started by hand.
    Container,
    /// Something else.
    Other,
}

/// One way etcd is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Platform {
    /// Its id.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Who may touch etcd.
    pub mode: PlannerMode,
    /// How a member is stopped and started.
    pub runner: Runner,
    /// The CA file commands use there; `{…}` stands for what the evidence fills in.
    pub cacert: Option<&'static str>,
    /// The client certificate commands use there.
    pub cert: Option<&'static str>,
    /// The client key commands use there.
    pub key: Option<&'static str>,
    /// How etcdctl is called there, up to its command.
    pub etcdctl: Option<&'static str>,
    /// Where the server's flags are written.
    pub flags_in: Option<&'static str>,
    /// How the platform itself moves etcd, in one sentence.
    pub step: &'static str,
    /// Its commands.
    pub step_commands: &'static [&'static str],
    /// How one member is restarted without a change of version.
    pub restart: &'static [&'static str],
    /// Key of the source.
    pub source: &'static str,
}

/// Every platform.
#[must_use]
pub fn all() -> &'static [Platform] {
    tables::PLATFORMS
}

/// The platform with this id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Platform> {
    all().iter().find(|p| p.id == id)
}
