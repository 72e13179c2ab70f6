//! Plain processes: etcd started from a shell, with nothing that starts it again.
//!
//! A member is stopped by the ids of the processes whose command line names its data directory, and started with the
//! flags that its command line had. Both are known only where its own command line was seen; nothing is made up.

use super::join::own_folder;
use super::shell::word;
use crate::cluster::{Member, settings};
use crate::etcd::flags::{self, name};
use crate::etcd::version::Version;
use crate::evidence::fact::{FlagForm, FlagSet, FlagSource};

/// Where a program is installed whose own place is not known.
const BIN_DIR: &str = "/usr/local/bin";

/// How one member was started, as its command line and environment show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Start {
    /// The folder of the program.
    bin: String,
    /// The version that the folder's name holds, as it is written there.
    versioned: Option<String>,
    /// Variables and flags, in order: name, value, and how they were given.
    settings: Vec<Setting>,
    /// Finds its processes by their command line.
    pattern: String,
}

/// A setting as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) name: String,
    pub(super) value: Option<String>,
    pub(super) form: FlagForm,
}

/// What a member that comes in has of its own, each beside the same of the member whose start it is given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own<'a> {
    /// Name: theirs, its own.
    pub(super) name: (&'a str, &'a str),
    /// Host: theirs, its own.
    pub(super) host: (&'a str, &'a str),
    /// Its peer URL.
    pub(super) peer_url: &'a str,
    /// Every member of the cluster it joins.
    pub(super) initial_cluster: Option<&'a str>,
}

impl Start {
    /// The start of a member that comes in: as this one's, with its own name, folders, addresses and the flags that
    /// make it join.
    pub(super) fn of_newcomer(&self, own: &Own<'_>) -> Self {
        let (old, new) = own.name;
        let folder = |path: &str| own_folder(path, Some(old), Some(new));
        let mut settings: Vec<Setting> = Vec::new();
        for setting in &self.settings {
            let value = setting.value.as_deref().unwrap_or_default();
            let value = match setting.name.as_str() {
                name::NAME
                | name::INITIAL_ADVERTISE_PEER_URLS
                | name::INITIAL_CLUSTER
                | name::INITIAL_CLUSTER_STATE
                | name::INITIAL_CLUSTER_TOKEN
                | name::FORCE_NEW_CLUSTER => continue,
                flag if flag.ends_with("-urls") => value.replace(own.host.0, own.host.1),
                _ if value.starts_with('/') => folder(value),
                _ => {
                    settings.push(setting.clone());
                    continue;
                }
            };
            settings.push(Setting { value: Some(value), ..setting.clone() });
        }
        let cluster = own.initial_cluster.unwrap_or(super::shell::INITIAL_CLUSTER);
        for (flag, value) in [
            (name::NAME, new),
            (name::INITIAL_ADVERTISE_PEER_URLS, own.peer_url),
            (name::INITIAL_CLUSTER, cluster),
            (name::INITIAL_CLUSTER_STATE, "existing"),
        ] {
            let form = FlagForm::CommandLine;
            settings.push(Setting { name: flag.to_owned(), value: Some(value.to_owned()), form });
        }
        Self { bin: folder(&self.bin), settings, ..self.clone() }
    }

    /// From the member's own command line. `None` where it was not seen whole, or where the data directory would
    /// depend on the folder it is started in.
    pub(super) fn of(member: &Member) -> Option<Self> {
        let own = |set: &&FlagSet| matches!(set.source, FlagSource::Ps | FlagSource::CommandLine);
        let sets = || member.flags.iter().map(|seen| &seen.value);
        let set =
            sets().filter(own).rfind(|set| set.complete || settings::of(set, name::CONFIG_FILE).next().is_some())?;
        sets().find_map(|set| settings::value(set, name::DATA_DIR)).filter(|dir| dir.starts_with('/'))?;
        let on_line = |flag| settings::of(set, flag).filter(|s| s.form == FlagForm::CommandLine).last();
        // In the environment of the process, where another text showed it.
        let env = sets().flat_map(|set| &set.settings).filter(|s| s.form == FlagForm::Env);
        let mut kept: Vec<Setting> = Vec::new();
        for setting in env.chain(set.settings.iter().filter(|s| s.form == FlagForm::CommandLine)) {
            if setting.value.as_deref().is_some_and(is_masked) {
                // A member that has its data no longer looks at the token; any other secret can't be made up.
                if setting.name == name::INITIAL_CLUSTER_TOKEN {
                    continue;
                }
                return None;
            }
            let setting = Setting { name: setting.name.clone(), value: setting.value.clone(), form: setting.form };
            if !kept.contains(&setting) {
                kept.push(setting);
            }
        }
        let own_words = [name::DATA_DIR, name::NAME, name::CONFIG_FILE].into_iter().find_map(on_line)?;
        // The brackets keep it from finding the shell that looks.
        let value = literal(own_words.value.as_deref()?);
        let pattern = format!("[e]tcd .*-{}[= ]{value}( |$)", own_words.name);
        let program = set.program.as_deref().filter(|p| p.starts_with('/') && settings::is_literal(p));
        let bin = program.and_then(|p| p.rsplit_once('/')).map_or(BIN_DIR, |(folder, _)| folder);
        let versioned = set.version.as_ref().map(Version::to_string).filter(|version| bin.contains(version.as_str()));
        Some(Self { bin: bin.to_owned(), versioned, settings: kept, pattern })
    }

    /// Ends its processes and waits until none is left.
    pub(super) fn stop(&self) -> [String; 2] {
        let pattern = word(&self.pattern);
        [format!("pgrep -f {pattern} | xargs -r kill"), format!("while pgrep -f {pattern}; do sleep 1; done")]
    }

    /// The folder that the programs of a version lie in: its own where the folder is named after the version.
    pub(super) fn bin(&self, version: &Version) -> String {
        match &self.versioned {
            Some(old) => self.bin.replace(old.as_str(), &version.upstream().to_string()),
            None => self.bin.clone(),
        }
    }

    /// Does each version have a folder of its own, so that nothing has to be kept aside?
    pub(super) fn is_versioned(&self) -> bool {
        self.versioned.is_some()
    }

    /// Starts it on a version, with what that version knows of its flags; `with` is put on, `without` comes off.
    pub(super) fn start(&self, version: &Version, log: &str, with: Option<&str>, without: &[&str]) -> String {
        let mut words: Vec<String> = Vec::new();
        let mut gates: Vec<String> = Vec::new();
        let mut rest: Vec<String> = Vec::new();
        let replaced = with.map(|flag| flag.trim_start_matches('-').split('=').next().unwrap_or_default());
        for setting in &self.settings {
            if without.contains(&setting.name.as_str()) || replaced == Some(setting.name.as_str()) {
                continue;
            }
            match self::on(setting, version) {
                On::Flag(name, value) if setting.form == FlagForm::Env => {
                    let Some(flag) = flags::by_name(&name) else { continue };
                    words.push(format!("{}={}", flag.env, word(value.as_deref().unwrap_or_default())));
                }
                On::Flag(name, value) if name == name::FEATURE_GATES => gates.extend(value),
                On::Flag(name, value) => rest.push(match value {
                    Some(value) => format!("--{name}={}", word(&value)),
                    None => format!("--{name}"),
                }),
                On::Gate(gate) => gates.push(gate),
                On::Gone => {}
            }
        }
        words.push("nohup".to_owned());
        words.push(word(&format!("{}/etcd", self.bin(version))));
        words.extend(rest);
        if !gates.is_empty() {
            words.push(format!("--{}={}", name::FEATURE_GATES, word(&gates.join(","))));
        }
        words.extend(with.map(str::to_owned));
        words.push(format!(">> {} 2>&1 < /dev/null &", word(log)));
        if words.first().is_some_and(|w| w.starts_with("ETCD_")) {
            words.insert(0, "env".to_owned());
        }
        words.join(" ")
    }
}

/// Did the collect script put stars in its place?
fn is_masked(value: &str) -> bool {
    value.contains("***")
}

/// What a setting becomes on a version.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum On {
    /// This flag with this value.
    Flag(String, Option<String>),
    /// A feature gate, `Name=true`.
    Gate(String),
    /// Nothing: the version does not know it and has nothing for it.
    Gone,
}

pub(super) fn on(setting: &Setting, version: &Version) -> On {
    let same = || On::Flag(setting.name.clone(), setting.value.clone());
    let Some(flag) = flags::by_name(&setting.name) else { return same() };
    if flag.in_version(version) {
        return same();
    }
    let Some(instead) = flag.replaced_by() else { return On::Gone };
    let (name, fixed) = instead.split_once('=').map_or((instead, None), |(name, value)| (name, Some(value)));
    if !flags::by_name(name).is_some_and(|flag| flag.in_version(version)) {
        return On::Gone;
    }
    let off = setting.value.as_deref() == Some("false");
    match fixed {
        Some(gate) if name == name::FEATURE_GATES => On::Gate(format!("{gate}={}", !off)),
        Some(_) if off => On::Gone,
        Some(value) => On::Flag(name.to_owned(), Some(value.to_owned())),
        None => On::Flag(name.to_owned(), setting.value.clone()),
    }
}

/// A text as an extended regular expression that finds just it.
fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.[]{}()*+?^$|".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The folder a program is installed into, for a shell. Folders of the system belong to root.
pub(super) fn install(from: &str, tools: &[&str], to: &str) -> String {
    let files: Vec<String> = tools.iter().map(|tool| format!("{from}/{tool}")).collect();
    let sudo = sudo_for(to);
    format!("{sudo}install -m 0755 {} {}/", files.join(" "), word(to))
}

/// `sudo ` where the folder is one of the system's.
pub(super) fn sudo_for(folder: &str) -> &'static str {
    let of_the_system = ["/usr/", "/opt/", "/bin", "/sbin"].iter().any(|start| folder.starts_with(start));
    if of_the_system { "sudo " } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::{three_members, version};

    fn start_of(settings: &[&str]) -> Option<Start> {
        let cluster = three_members("3.5.35").flags("m2", settings).build();
        Start::of(&cluster.members[1])
    }

    const OWN: [&str; 3] = ["name=m2", "data-dir=/var/lib/etcd/m2", "experimental-initial-corrupt-check=true"];

    #[test]
    fn a_member_starts_with_its_own_flags_as_far_as_the_version_knows_them() {
        let given = [&OWN[..], &["enable-v2", "snapshot-count=5000", "experimental-compaction-batch-limit=7"]].concat();
        let start = start_of(&given).unwrap();
        let on = |v: &str| start.start(&version(v), "etcd-m2.log", None, &[]);
        assert_eq!(
            on("3.5.35"),
            "nohup /usr/local/bin/etcd --name=m2 --data-dir=/var/lib/etcd/m2 --experimental-initial-corrupt-check=true \
             --enable-v2 --snapshot-count=5000 --experimental-compaction-batch-limit=7 >> etcd-m2.log 2>&1 < /dev/null &"
        );
        assert_eq!(
            on("3.7.3"),
            "nohup /usr/local/bin/etcd --name=m2 --data-dir=/var/lib/etcd/m2 --snapshot-count=5000 \
             --compaction-batch-limit=7 --feature-gates=InitialCorruptCheck=true >> etcd-m2.log 2>&1 < /dev/null &"
        );
    }

    #[test]
    fn a_flag_put_on_takes_the_place_of_the_members_own() {
        let start = start_of(&[&OWN[..], &["enable-v2", "snapshot-count=5000"]].concat()).unwrap();
        let command = start.start(&version("3.5.35"), "l", Some("--snapshot-count=1"), &[name::ENABLE_V2]);
        assert!(command.contains(" --snapshot-count=1 ") && !command.contains("5000"), "{command}");
        assert!(!command.contains("enable-v2"), "{command}");
    }

    #[test]
    fn a_folder_named_after_the_version_stays_and_the_new_one_lies_beside() {
        let mut start = start_of(&OWN).unwrap();
        (start.bin, start.versioned) = ("/opt/etcd-v3.5.35-linux-amd64".to_owned(), Some("3.5.35".to_owned()));
        assert_eq!(start.bin(&version("3.6.16")), "/opt/etcd-v3.6.16-linux-amd64");
    }

    /// The data directory would be another one in another folder.
    #[test]
    fn a_relative_data_directory_or_a_part_of_a_command_line_gives_no_commands() {
        assert_eq!(start_of(&["name=m2", "data-dir=m2.etcd"]), None);
        assert_eq!(start_of(&["name=m2"]), None);
    }

    #[test]
    fn a_masked_token_is_left_out_and_any_other_masked_value_gives_no_commands() {
        let given = |more: &'static str| [&OWN[..], &[more]].concat();
        let start = start_of(&given("initial-cluster-token=***")).unwrap();
        assert!(!start.start(&version("3.5.35"), "l", None, &[]).contains("token"));
        assert_eq!(start_of(&given("discovery-password=***")), None);
    }

    /// The shell itself looks for the process, and does not find itself.
    #[test]
    fn the_processes_of_one_member_are_found_and_no_others() {
        let dir = std::env::temp_dir().join("process-found.m1");
        let dir = dir.to_str().unwrap();
        let start = start_of(&["name=m2", &format!("data-dir={dir}")]).unwrap();
        let sleeper = |dir: &str| {
            std::process::Command::new("sh")
                .args(["-c", "sleep 20; true", "etcd", &format!("--data-dir={dir}")])
                .spawn()
                .unwrap()
        };
        let (mut mine, mut other) = (sleeper(dir), sleeper(&format!("{dir}0")));
        let found = std::process::Command::new("sh")
            .args(["-c", &format!("pgrep -a -f {}", word(&start.pattern))])
            .output()
            .unwrap();
        let found = String::from_utf8(found.stdout).unwrap();
        let (id, not) = (mine.id().to_string(), other.id().to_string());
        let lines: Vec<&str> = found.lines().filter_map(|l| l.split(' ').next()).collect();
        for child in [&mut mine, &mut other] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert!(lines.contains(&id.as_str()) && !lines.contains(&not.as_str()), "{found}");
        assert_eq!(lines.len(), 1, "{found}");
    }
}
