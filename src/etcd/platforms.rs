//! The ways etcd is run.

use super::packed::Rows;
use super::tables;
use super::version::{Minor, Version};
use std::sync::LazyLock;

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
    /// A plain process started from a shell; nothing starts it again.
    Process,
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
    /// Paths in the flags that no other platform has.
    pub signs: &'static [&'static str],
    /// Where the data lie, unless a flag says otherwise.
    pub data_dir: Option<&'static str>,
    /// What prints the flags of a member.
    pub show_flags: Option<&'static str>,
    /// How a backup snapshot is taken, where etcdctl alone is not the way.
    pub snapshot: &'static [&'static str],
    /// How the platform itself moves etcd, in one sentence.
    pub step: &'static str,
    /// Its commands.
    pub step_commands: &'static [&'static str],
    /// How one member is restarted without a change of version.
    pub restart: &'static [&'static str],
    /// Key of the source.
    pub source: &'static str,
}

static PLATFORMS: LazyLock<Vec<Platform>> = LazyLock::new(|| Rows::new(tables::PLATFORMS).rows(read_platform));

fn read_platform(row: &mut Rows) -> Option<Platform> {
    let modes = [
        ("plan", PlannerMode::Plan),
        ("plan-native", PlannerMode::PlanNative),
        ("native-only", PlannerMode::NativeOnly),
        ("refuse", PlannerMode::Refuse),
    ];
    let runners = [
        ("systemd", Runner::Systemd),
        ("static-pod", Runner::StaticPod),
        ("container", Runner::Container),
        ("process", Runner::Process),
        ("other", Runner::Other),
    ];
    let (id, name, mode, runner) = (row.text(), row.text(), row.word(&modes), row.word(&runners));
    let (cacert, cert, key, etcdctl, flags_in) = (row.option(), row.option(), row.option(), row.option(), row.option());
    let (signs, data_dir, show_flags, snapshot) = (row.texts(), row.option(), row.option(), row.texts());
    let (step, step_commands) = (row.text(), row.texts());
    let (restart, source) = (row.texts(), row.text());
    let (mode, runner) = (mode?, runner?);
    Some(Platform {
        id,
        name,
        mode,
        runner,
        cacert,
        cert,
        key,
        etcdctl,
        flags_in,
        signs,
        data_dir,
        show_flags,
        snapshot,
        step,
        step_commands,
        restart,
        source,
    })
}

/// Every platform.
#[must_use]
pub fn all() -> &'static [Platform] {
    &PLATFORMS
}

/// The platform with this id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Platform> {
    all().iter().find(|p| p.id == id)
}

/// How much a pitfall weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Worth knowing.
    Note,
    /// A person must decide or change something.
    Warning,
    /// It stops the plan.
    Blocked,
}

/// What goes wrong on a platform beside etcd itself. Its source is the platform's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pitfall {
    /// Its id.
    pub id: &'static str,
    /// The platform's id.
    pub platform: &'static str,
    /// The minors whose upgrade it touches; every roll when empty.
    pub hops_to: &'static [Minor],
    /// Only where a member runs an older version than this.
    pub below: Option<Version>,
    /// The ids of the intents it touches.
    pub intents: &'static [&'static str],
    /// How much it weighs.
    pub weight: Weight,
    /// What happens, one sentence.
    pub says: &'static str,
    /// What to do about it.
    pub todo: &'static str,
}

static PITFALLS: LazyLock<Vec<Pitfall>> = LazyLock::new(|| {
    let weights = [("note", Weight::Note), ("warning", Weight::Warning), ("blocked", Weight::Blocked)];
    Rows::second(tables::PITFALLS).rows(|row| {
        let (id, platform, hops_to) = (row.text(), row.text(), row.list(Rows::minor));
        let below = row.truth().then(|| row.version());
        let (intents, weight) = (row.texts(), row.word(&weights));
        let (says, todo) = (row.text(), row.text());
        Some(Pitfall { id, platform, hops_to, below, intents, weight: weight?, says, todo })
    })
});

/// Every pitfall.
pub fn all_pitfalls() -> &'static [Pitfall] {
    &PITFALLS
}

/// The pitfalls of a platform.
pub fn pitfalls(platform: &str) -> impl Iterator<Item = &'static Pitfall> {
    PITFALLS.iter().filter(move |pitfall| pitfall.platform == platform)
}

/// Which etcd the releases of a platform bring, as far as that was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shipped {
    /// The platform's id.
    pub platform: &'static str,
    /// ISO date up to which releases were looked at.
    pub seen_until: &'static str,
    /// The releases seen, ascending within a minor.
    pub rows: &'static [ShippedRow],
    /// Key of the source.
    pub source: &'static str,
}

/// Patches of one minor of a platform, and the etcd they bring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShippedRow {
    /// The platform's own major and minor: 1.34 of Kubernetes, 1.11 of Talos.
    pub release: (u32, u32),
    /// First and last patch; `u32::MAX` means the last one there is.
    pub patches: (u32, u32),
    /// The etcd, without the vendor's suffix.
    pub etcd: Version,
}

static SHIPPED: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
    let release = |row: &mut Rows| ShippedRow { release: row.pair(), patches: row.pair(), etcd: row.version() };
    Rows::new(tables::SHIPPED).rows(|row| {
        let (platform, seen_until, rows) = (row.text(), row.text(), row.list(release));
        Some(Shipped { platform, seen_until, rows, source: row.text() })
    })
});

/// What is known of the etcd a platform's releases bring.
#[must_use]
pub fn shipped(platform: &str) -> Option<&'static Shipped> {
    SHIPPED.iter().find(|shipped| shipped.platform == platform)
}

impl Shipped {
    /// The etcd of one release; `None` when that release was not seen.
    #[must_use]
    pub fn etcd_of(&self, major: u32, minor: u32, patch: u32) -> Option<&'static Version> {
        let (first, last) = (|row: &ShippedRow| row.patches.0, |row: &ShippedRow| row.patches.1);
        let fits = |row: &&ShippedRow| row.release == (major, minor) && first(row) <= patch && patch <= last(row);
        self.rows.iter().find(fits).map(|row| &row.etcd)
    }
}

/// A release of a platform, as a target: `kubeadm:1.34`, `talos:1.11.3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlatformRelease {
    /// The platform.
    pub platform: &'static Platform,
    /// Its own major and minor.
    pub release: (u32, u32),
    /// Its patch; `None` for the newest that was seen.
    pub patch: Option<u32>,
}

impl PlatformRelease {
    /// The etcd it brings; `None` when that release was not seen.
    #[must_use]
    pub fn etcd(&self) -> Option<&'static Version> {
        let shipped = shipped(self.platform.id)?;
        match self.patch {
            Some(patch) => shipped.etcd_of(self.release.0, self.release.1, patch),
            None => {
                shipped.rows.iter().filter(|row| row.release == self.release).max_by_key(|r| r.patches).map(|r| &r.etcd)
            }
        }
    }
}

impl std::fmt::Display for PlatformRelease {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}.{}", self.platform.id, self.release.0, self.release.1)?;
        self.patch.map_or(Ok(()), |patch| write!(f, ".{patch}"))
    }
}

impl std::str::FromStr for PlatformRelease {
    type Err = String;

    /// Reads a platform's id, or the first word of one, then its release: `k3s:1.33.11`, `kubeadm-stacked:v1.34`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || {
            let known: Vec<&str> = SHIPPED.iter().map(|shipped| shipped.platform).collect();
            format!("expected a platform and its release, the platform one of {}, found \"{text}\"", known.join(", "))
        };
        let (name, release) = text.trim().split_once(':').ok_or_else(fail)?;
        let is_named = |p: &&Platform| p.id == name || p.id.split('-').next() == Some(name);
        let platform = by_id(name).or_else(|| all().iter().find(is_named)).ok_or_else(fail)?;
        let mut numbers = release.trim_start_matches('v').split('.').map(str::parse::<u32>);
        let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return Err(fail()) };
        let patch = numbers.next().transpose().map_err(|_| fail())?;
        if numbers.next().is_some() {
            return Err(fail());
        }
        Ok(Self { platform, release: (major, minor), patch })
    }
}

impl Shipped {
    /// The newest etcd of this minor that a release of the platform brings, and that release.
    #[must_use]
    pub fn newest_of(&self, minor: Minor) -> Option<(&'static Version, (u32, u32))> {
        let of_minor = self.rows.iter().filter(|row| row.etcd.minor() == minor);
        of_minor.max_by_key(|row| (&row.etcd, row.release)).map(|row| (&row.etcd, row.release))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_brings_the_etcd_that_was_seen_in_it() {
        let etcd = |platform: &str, major, minor, patch| {
            shipped(platform).unwrap().etcd_of(major, minor, patch).map(ToString::to_string)
        };
        assert_eq!(etcd("kubeadm-stacked", 1, 33, 13).as_deref(), Some("3.5.24"));
        assert_eq!(etcd("kubeadm-stacked", 1, 34, 0).as_deref(), Some("3.6.4"));
        assert_eq!(etcd("k3s-embedded", 1, 33, 11).as_deref(), Some("3.6.7"));
        assert_eq!(etcd("talos", 1, 12, 30).as_deref(), Some("3.6.11"));
        assert_eq!(shipped("systemd-binary"), None);
    }

    #[test]
    fn a_release_nobody_looked_at_is_not_guessed_from_its_neighbours() {
        let kubeadm = shipped("kubeadm-stacked").unwrap();
        assert_eq!(kubeadm.etcd_of(1, 34, 11), None);
        assert_eq!(kubeadm.etcd_of(1, 24, 5), None);
        assert_eq!(shipped("k3s-embedded").unwrap().etcd_of(1, 33, 7), None);
    }

    #[test]
    fn every_row_is_reached() {
        for shipped in SHIPPED.iter() {
            assert!(by_id(shipped.platform).is_some());
            for row in shipped.rows {
                let found = shipped.etcd_of(row.release.0, row.release.1, row.patches.0);
                assert_eq!(found, Some(&row.etcd), "{} {:?}", shipped.platform, row.release);
            }
        }
    }
}
