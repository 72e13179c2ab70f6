//! Commands on a member's own host: stop, replace, start, its files and its log.

use super::container::Container;
use super::process::{self, On, Setting, Start};
use super::shell::{DATA_DIR, is_operand, over_ssh, word};
use super::{Access, Commands, Tls};
use crate::etcd::flags::name;
use crate::etcd::platforms::{Platform, Runner};
use crate::etcd::version::Version;
use crate::etcd::{features, releases};
use crate::evidence::fact::FlagForm;
use crate::evidence::flags::END_OF_ENVIRONMENT;

/// Where a static pod of kubeadm keeps its data, on the host and inside.
pub(super) const POD_DATA_DIR: &str = "/var/lib/etcd";
/// The manifest of kubeadm's static pod.
const MANIFEST: &str = "/etc/kubernetes/manifests/etcd.yaml";
/// Where the manifest waits while the pod is stopped: outside of the folder, since the kubelet reads every file there.
const MANIFEST_ASIDE: &str = "/root/etcd.yaml";
/// The platform whose unit starts the binary of a package, which is left alone: the unit is led to the release's.
const PACKAGED: &str = "deb-package";
/// The drop-in that leads the unit of a package to the release's binary. Its environment stays, with the data directory.
const BINARY_DROP_IN: &str = "/etc/systemd/system/etcd.service.d/binary.conf";
/// Where binaries of the upstream tarball are installed.
const BIN_DIR: &str = "/usr/local/bin/";

/// The data directory that a platform sets up.
pub(super) fn default_data_dir(platform: Option<&'static Platform>) -> Option<String> {
    platform?.data_dir.map(str::to_owned)
}

impl Tls {
    /// The files that a platform sets up, where they are called alike on every member.
    pub(super) fn of_platform(platform: Option<&'static Platform>) -> Self {
        let fixed =
            |file: Option<&'static str>| file.filter(|f| f.starts_with('/') && !f.contains('{')).map(str::to_owned);
        platform.map_or_else(Self::default, |p| Self {
            cacert: fixed(p.cacert),
            cert: fixed(p.cert),
            key: fixed(p.key),
        })
    }
}

impl Commands {
    pub(super) fn access(&self, member: Option<usize>) -> Option<&Access> {
        member.and_then(|m| self.members.get(m))
    }

    /// A command as it is run on the member's host. As it stands where the host is not known.
    #[must_use]
    pub fn on(&self, member: Option<usize>, command: &str) -> String {
        match self.access(member).and_then(|a| a.host.as_deref()) {
            Some(host) => over_ssh(host, command),
            None => command.to_owned(),
        }
    }

    /// The data directory of a member as a shell word.
    pub(super) fn data_dir(&self, member: Option<usize>) -> String {
        let dir = self.access(member).and_then(|a| a.data_dir.as_deref()).filter(|d| is_operand(d));
        dir.map_or_else(|| format!("\"{DATA_DIR}\""), |dir| word(dir.trim_end_matches('/')))
    }

    /// Stops a member. Empty where it is not known how etcd is run.
    #[must_use]
    pub fn stop(&self, member: Option<usize>) -> Vec<String> {
        match self.runner() {
            Some(Runner::Systemd) => vec![self.on(member, "sudo systemctl stop etcd")],
            Some(Runner::StaticPod) => vec![
                self.on(member, &format!("sudo mv {MANIFEST} {MANIFEST_ASIDE}")),
                self.on(member, "sudo crictl ps --label io.kubernetes.container.name=etcd"),
            ],
            Some(Runner::Process) => {
                self.process(member).map_or_else(Vec::new, |start| self.all_on(member, &start.stop()))
            }
            Some(Runner::Container) => {
                self.container(member).map_or_else(Vec::new, |container| self.all_on(member, &container.stop()))
            }
            _ => Vec::new(),
        }
    }

    /// How a plain process of a member was started, where etcd is run like that and its command line was seen.
    fn process(&self, member: Option<usize>) -> Option<&Start> {
        if self.runner() != Some(Runner::Process) {
            return None;
        }
        self.access(member).and_then(|a| a.start.as_ref())
    }

    /// How the container of a member is made, where etcd is run like that and what starts it was seen.
    fn container(&self, member: Option<usize>) -> Option<&Container> {
        if self.runner() != Some(Runner::Container) {
            return None;
        }
        self.access(member).and_then(|a| a.container.as_ref())
    }

    /// Can a member be started with another flag by commands?
    #[must_use]
    pub fn can_change_flags(&self, member: Option<usize>) -> bool {
        self.process(member).is_some() || self.container(member).is_some_and(|c| !c.is_service())
    }

    /// Can a member be stopped and started by commands?
    #[must_use]
    pub fn can_restart(&self, member: Option<usize>) -> bool {
        match self.runner() {
            Some(Runner::Systemd | Runner::StaticPod) => true,
            Some(Runner::Process) => self.process(member).is_some(),
            Some(Runner::Container) => self.container(member).is_some(),
            Some(Runner::Other) | None => false,
        }
    }

    fn all_on(&self, member: Option<usize>, commands: &[String]) -> Vec<String> {
        commands.iter().map(|command| self.on(member, command)).collect()
    }

    /// What rights of the data directory's owner take: a plain process is run by the person who types.
    fn sudo(&self) -> &'static str {
        if self.runner() == Some(Runner::Process) { "" } else { "sudo " }
    }

    /// Where a member that is started as a plain process logs to: the home directory of its host.
    fn process_log(&self, member: Option<usize>) -> String {
        let label = self.access(member).map_or_else(|| "member".to_owned(), |a| file_name(&a.label));
        format!("etcd-{label}.log")
    }

    /// Starts a member on a version. A plain process is started with its own flags as far as the version knows them,
    /// with the flag `with` put on and those in `without` taken off, and is waited for until it serves.
    #[must_use]
    pub fn start_on(
        &self,
        member: Option<usize>,
        version: &Version,
        with: Option<&str>,
        without: &[&str],
    ) -> Vec<String> {
        let Some(command) = self.own_start(member, version, with, without) else { return self.start(member) };
        let healthy = self.etcdctl_at(member, "endpoint health");
        vec![command, format!("until {healthy}; do sleep 1; done")]
    }

    /// What starts a plain process or a container, where that was seen.
    fn own_start(
        &self,
        member: Option<usize>,
        version: &Version,
        with: Option<&str>,
        without: &[&str],
    ) -> Option<String> {
        let command = match self.process(member) {
            Some(start) => start.start(version, &self.process_log(member), with, without),
            None => self.container(member)?.start(version, with, without),
        };
        Some(self.on(member, &command))
    }

    /// Starts a member as it was before, and waits for nothing: alone it may have no quorum. A plain process or a
    /// container is started on the version that it ran, without what would cut it off from the others.
    #[must_use]
    pub fn start_again(&self, member: Option<usize>, version: Option<&Version>) -> Vec<String> {
        let command = version.and_then(|version| self.own_start(member, version, None, &[name::FORCE_NEW_CLUSTER]));
        command.map_or_else(|| self.start(member), |command| vec![command])
    }

    /// Starts a member.
    #[must_use]
    pub fn start(&self, member: Option<usize>) -> Vec<String> {
        match self.runner() {
            Some(Runner::Systemd) => vec![self.on(member, "sudo systemctl start etcd")],
            Some(Runner::StaticPod) => vec![self.on(member, &format!("sudo mv {MANIFEST_ASIDE} {MANIFEST}"))],
            _ => Vec::new(),
        }
    }

    /// Puts another version in the place of the one a stopped member ran. The release lies unpacked in the home
    /// directory of the host; a static pod takes another image.
    #[must_use]
    pub fn replace(&self, member: Option<usize>, version: &Version) -> Vec<String> {
        let version = version.upstream();
        match self.runner() {
            Some(Runner::Systemd) if self.contained => {
                let container = self.access(member).and_then(|a| a.container.as_ref());
                container.map_or_else(Vec::new, |c| self.all_on(member, &c.replace_in_unit(&version)))
            }
            Some(Runner::Systemd) => {
                let from = release_dir(&version);
                let tools = ["etcd", "etcdctl", "etcdutl"];
                let tools = tools.iter().filter(|t| **t != "etcdutl" || features::ETCDUTL.in_version(&version));
                let files: Vec<String> = tools.map(|tool| format!("{from}/{tool}")).collect();
                let install = format!("sudo install -m 0755 {} {BIN_DIR}", files.join(" "));
                let mut commands = vec![self.on(member, &install)];
                if self.packaged() {
                    let start = format!("[Service]\\nExecStart=\\nExecStart={BIN_DIR}etcd $DAEMON_ARGS\\n");
                    let folder = BINARY_DROP_IN.rsplit_once('/').map_or("", |(folder, _)| folder);
                    commands.push(self.on(
                        member,
                        &format!(
                            "sudo mkdir -p {folder} && printf '{start}' | sudo tee {BINARY_DROP_IN} && sudo systemctl \
                             daemon-reload"
                        ),
                    ));
                }
                commands.push(self.on(member, &format!("etcd --{}", name::VERSION)));
                commands
            }
            Some(Runner::Process) => {
                let Some(start) = self.process(member) else { return Vec::new() };
                let bin = start.bin(&version);
                let tools = ["etcd", "etcdctl", "etcdutl"];
                let tools: Vec<&str> =
                    tools.into_iter().filter(|t| *t != "etcdutl" || features::ETCDUTL.in_version(&version)).collect();
                let folder =
                    start.is_versioned().then(|| format!("{}mkdir -p {}", process::sudo_for(&bin), word(&bin)));
                let install = process::install(&release_dir(&version), &tools, &bin);
                let says = format!("{}/etcd --{}", word(&bin), name::VERSION);
                let commands: Vec<String> = folder.into_iter().chain([install, says]).collect();
                self.all_on(member, &commands)
            }
            Some(Runner::Container) => {
                let Some(container) = self.container(member) else { return Vec::new() };
                let runs = self.access(member).and_then(|a| a.version.as_ref());
                self.all_on(member, &container.replace(runs, &version))
            }
            Some(Runner::StaticPod) => {
                // Only the tag of the image line changes; Kubernetes' own image carries a revision behind the version.
                let edit = format!(r"sudo sed -i -E 's|^( *image: .*/etcd:).*|\1{version}-0|' {MANIFEST_ASIDE}");
                vec![self.on(member, &edit), self.on(member, &format!("sudo grep image: {MANIFEST_ASIDE}"))]
            }
            _ => Vec::new(),
        }
    }

    /// Shows that a version is at hand on a member's host, and keeps what the member starts today under a name of its
    /// own: the release unpacked in the home directory, or the image in the place the manifest takes it from.
    #[must_use]
    pub fn at_hand(&self, member: Option<usize>, version: &Version) -> Vec<String> {
        let target = version.upstream();
        let today = self.access(member).and_then(|a| a.version.as_ref()).map_or("today".to_owned(), |v| v.to_string());
        match self.runner() {
            Some(Runner::Systemd) if self.contained => {
                let container = self.access(member).and_then(|a| a.container.as_ref());
                container.map_or_else(Vec::new, |c| self.all_on(member, &c.at_hand_of_unit(&target)))
            }
            Some(Runner::Systemd) if self.packaged() => vec![
                self.on(member, &format!("{}/etcd --{}", release_dir(&target), name::VERSION)),
                self.on(member, "sudo apt-mark hold etcd-server etcd-client"),
            ],
            Some(Runner::Systemd) => vec![
                self.on(member, &format!("{}/etcd --{}", release_dir(&target), name::VERSION)),
                self.on(member, &format!("sudo cp -p {BIN_DIR}etcd {BIN_DIR}etcd-{}", file_name(&today))),
            ],
            Some(Runner::Process) => {
                let Some(start) = self.process(member) else { return Vec::new() };
                let (sudo, bin) = (process::sudo_for(&start.bin(&target)), word(&start.bin(&target)));
                let says = format!("{}/etcd --{}", release_dir(&target), name::VERSION);
                let kept = format!("{sudo}cp -p {bin}/etcd {bin}/etcd-{}", file_name(&today));
                let kept = (!start.is_versioned()).then_some(kept);
                self.all_on(member, &[says].into_iter().chain(kept).collect::<Vec<String>>())
            }
            Some(Runner::Container) => {
                self.container(member).map_or_else(Vec::new, |c| self.all_on(member, &c.at_hand(&target)))
            }
            Some(Runner::StaticPod) => {
                let repository = format!(r"sudo sed -n -E 's|^ *image: (.*/etcd:).*|\1|p' {MANIFEST}");
                vec![
                    self.on(member, &format!("sudo crictl pull \"$({repository}){target}-0\"")),
                    self.on(member, &format!("sudo cp -p {MANIFEST} /root/etcd-{}.yaml", file_name(&today))),
                ]
            }
            _ => Vec::new(),
        }
    }

    /// Lets the tools on a member's host say their version; they came with the binary.
    #[must_use]
    pub fn tools_say(&self, member: Option<usize>, version: &Version) -> Vec<String> {
        let version = version.upstream();
        let with_etcdutl = features::ETCDUTL.in_version(&version);
        let tools = ["etcdctl", "etcdutl"].into_iter().filter(|tool| *tool != "etcdutl" || with_etcdutl);
        match self.runner() {
            Some(Runner::Systemd) if !self.contained => {
                tools.map(|tool| self.on(member, &format!("{tool} version"))).collect()
            }
            Some(Runner::Process) => {
                let Some(start) = self.process(member) else { return Vec::new() };
                let bin = word(&start.bin(&version));
                tools.map(|tool| self.on(member, &format!("{bin}/{tool} version"))).collect()
            }
            Some(Runner::StaticPod) => {
                let pod = self.pod(member).unwrap_or_default();
                vec![format!("kubectl -n kube-system exec {} -- etcdctl version", word(&pod))]
            }
            _ => Vec::new(),
        }
    }

    /// Does a package own the binary that the unit starts?
    #[must_use]
    pub fn packaged(&self) -> bool {
        self.platform().is_some_and(|p| p.id == PACKAGED)
    }

    /// Where the manifest of a stopped static pod lies.
    #[must_use]
    pub fn manifest_aside(&self) -> &'static str {
        MANIFEST_ASIDE
    }

    /// The newest lines of a member's log.
    #[must_use]
    pub fn log(&self, member: Option<usize>) -> Vec<String> {
        match self.runner() {
            Some(Runner::Systemd) => vec![self.on(member, "sudo journalctl -u etcd -n 100 --no-pager")],
            Some(Runner::Process) if self.process(member).is_some() => {
                vec![self.on(member, &format!("tail -n 100 {}", self.process_log(member)))]
            }
            Some(Runner::Container) => {
                self.container(member).map_or_else(Vec::new, |container| vec![self.on(member, &container.log())])
            }
            Some(Runner::StaticPod) => {
                let pod = self.pod(member).unwrap_or_default();
                vec![format!("kubectl -n kube-system logs {} --tail=100", word(&pod))]
            }
            _ => Vec::new(),
        }
    }

    /// Prints the flags of a member, with the files that what was pasted points to.
    #[must_use]
    pub fn show_flags(&self, member: Option<usize>) -> String {
        match self.runner() {
            Some(Runner::Systemd) => {
                let files = self.access(member).map_or(&[][..], |a| &a.flag_files);
                let files: String = files.iter().map(|file| format!("; sudo cat {}", word(file))).collect();
                self.on(member, &format!("systemctl cat etcd{files}"))
            }
            Some(Runner::StaticPod) => self.on(member, &format!("sudo cat {MANIFEST}")),
            Some(Runner::Other) if self.platform().is_some_and(|p| p.show_flags.is_some()) => {
                self.on(member, self.platform().and_then(|p| p.show_flags).unwrap_or_default())
            }
            _ => self.on(member, &process_flags(self.sudo())),
        }
    }

    /// Lists the disk snapshots of a member, with their times.
    #[must_use]
    pub fn list_disk_snapshots(&self, member: Option<usize>) -> String {
        let list = format!("{}ls -l --time-style=full-iso {}/member/snap", self.sudo(), self.data_dir(member));
        self.on(member, &list)
    }

    /// Checks the v2 store of a member that is stopped.
    #[must_use]
    pub fn check_v2store(&self, member: Option<usize>) -> Vec<String> {
        let command = self.check(member, &self.data_dir(member));
        self.note_on_check_tool(member).into_iter().chain([self.on(member, &command)]).collect()
    }

    /// Checks the v2 store of a running member, on a copy of its WAL and its disk snapshots: the check needs no
    /// database (seen on etcdutl 3.5.35: the same answers without it). The copy is named after the member, so that the
    /// answer says whose it is.
    #[must_use]
    pub fn check_v2store_of_copy(&self, member: Option<usize>) -> Vec<String> {
        let label = self.access(member).map_or_else(|| "member".to_owned(), |a| file_name(&a.label));
        let copy = format!("/var/tmp/etcd-check/{label}");
        let dir = self.data_dir(member);
        let command = self.check(member, &copy);
        let sudo = self.sudo();
        let take = format!(
            "{sudo}mkdir -p {copy} && {sudo}tar -C {dir} --exclude=\\*db -cf - member | {sudo}tar -C {copy} -xf -"
        );
        let commands = [take, command, format!("{sudo}rm -r {copy}")];
        let commands = commands.iter().map(|command| self.on(member, command));
        self.note_on_check_tool(member).into_iter().chain(commands).collect()
    }

    /// The check itself; etcdutl calls the data directory as etcd does.
    fn check(&self, member: Option<usize>, data_dir: &str) -> String {
        format!("{}{} check v2store --{} {data_dir}", self.sudo(), self.check_tool(member), name::DATA_DIR)
    }

    /// The etcdutl that can check: the member's own when it is new enough, else one of a downloaded release.
    fn check_tool(&self, member: Option<usize>) -> String {
        let own = self.access(member).and_then(|a| a.version.as_ref());
        if let Some(version) = own.filter(|version| features::CHECK_V2STORE_WAL.in_version(version)) {
            // Beside the program of a plain process lie the tools of its version.
            return self
                .process(member)
                .map_or_else(|| "etcdutl".to_owned(), |s| format!("{}/etcdutl", word(&s.bin(version))));
        }
        check_release().map_or_else(|| "etcdutl".to_owned(), |version| format!("{}/etcdutl", release_dir(&version)))
    }

    fn note_on_check_tool(&self, member: Option<usize>) -> Option<String> {
        let first = features::CHECK_V2STORE_WAL.ranges.first()?.from;
        let newest = check_release()?;
        let own = self.access(member).and_then(|a| a.version.as_ref());
        if own.is_some_and(|version| features::CHECK_V2STORE_WAL.in_version(version)) {
            return None;
        }
        let (major, minor, patch) = first;
        let first = Version::new(major, minor, patch);
        Some(format!(
            "# unpack etcd {newest} there first: only etcdutl {first} and newer patches of {} read the WAL too",
            first.minor()
        ))
    }

    /// What a member answers on a path over HTTP: `/version`, `/health`.
    #[must_use]
    pub fn curl(&self, member: Option<usize>, path: &str) -> String {
        let access = self.access(member);
        let endpoint = access.and_then(|a| a.endpoint.as_deref()).or(self.endpoints.first().map(String::as_str));
        let tls = access.map_or(&self.tls, |a| &a.tls);
        let mut words = vec!["curl -s".to_owned()];
        let url = match endpoint {
            Some(url) if url.contains("://") => url.trim_end_matches('/').to_owned(),
            Some(bare) if tls.is_empty() => format!("http://{bare}"),
            Some(bare) => format!("https://{bare}"),
            None => "http://127.0.0.1:2379".to_owned(),
        };
        if url.starts_with("https://") {
            let files = [("--cacert", &tls.cacert), ("--cert", &tls.cert), ("--key", &tls.key)];
            words.extend(files.iter().filter_map(|(flag, file)| Some(format!("{flag} {}", word(file.as_ref()?)))));
        }
        words.push(word(&format!("{url}{path}")));
        words.join(" ")
    }

    /// The flag that makes a member write a disk snapshot at the next write.
    #[must_use]
    pub fn disk_snapshot_flag() -> String {
        format!("--{}=1", name::SNAPSHOT_COUNT)
    }

    /// What a flag becomes on a version: its name there and its value; `None` where the version has nothing for it.
    #[must_use]
    pub fn flag_on(flag: &str, value: &str, version: &Version) -> Option<(String, String)> {
        let setting = Setting { name: flag.to_owned(), value: Some(value.to_owned()), form: FlagForm::CommandLine };
        match process::on(&setting, version) {
            On::Flag(name, value) => Some((name, value.unwrap_or_default())),
            On::Gate(gate) => Some((name::FEATURE_GATES.to_owned(), gate)),
            On::Gone => None,
        }
    }
}

/// Prints the command line and the environment of every etcd process, secrets left out: a flag may be set in either.
fn process_flags(sudo: &str) -> String {
    format!(
        "{sudo}sh -c 'for p in $(pgrep -x etcd); do tr \"\\0\" \" \" </proc/$p/cmdline; echo; tr \"\\0\" \"\\n\" \
         </proc/$p/environ | grep ^ETCD_ | grep -v -e PASSWORD -e SECRET -e TOKEN; echo \"{END_OF_ENVIRONMENT} $p\"; done'"
    )
}

/// The newest release whose etcdutl checks the v2 store and the WAL.
pub(super) fn check_release() -> Option<Version> {
    let all = releases::all().iter().map(|r| &r.version);
    all.filter(|v| !v.is_prerelease() && features::CHECK_V2STORE_WAL.in_version(v)).max().cloned()
}

/// The folder a release unpacks into.
pub(super) fn release_dir(version: &Version) -> String {
    format!("etcd-v{version}-linux-amd64")
}

/// A label as a file name.
fn file_name(label: &str) -> String {
    let name: String = label
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '-' })
        .collect();
    if name.starts_with(['.', '-']) { format!("m{name}") } else { name }
}
