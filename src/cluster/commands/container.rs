//! Containers started by hand: `docker run` (podman, nerdctl) and services of a compose file.
//!
//! A container is not changed, it is made anew from another image with the words it was started with. They are known
//! only where the command or the service was pasted; nothing is made up. Data live in a mount, or there is nothing to move.

use super::process::{On, Setting, on};
use super::shell::word;
use crate::cluster::{Member, settings};
use crate::etcd::flags::{self, name};
use crate::etcd::version::Version;
use crate::evidence::fact::{ContainerRun, FlagForm};
use crate::evidence::flags::flag_of_env;

/// What the program of services is called.
const COMPOSE: &str = "docker compose";

/// The file of the unit that starts the container.
const UNIT_FILE: &str = "\"$(systemctl show -p FragmentPath --value etcd)\"";

/// How the container of one member is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Container {
    run: ContainerRun,
    name: String,
    /// The image without its tag, and what stands before the number of a tag.
    image: (String, &'static str),
    settings: Vec<Setting>,
}

impl Container {
    /// From the command or the service that starts it. `None` where a word of it depends on the shell it is typed into,
    /// where it has no name to stop it by, or where its tags are not those of etcd's own releases.
    pub(super) fn of(member: &Member) -> Option<Self> {
        let set = member.flags.iter().map(|seen| &seen.value).rfind(|set| set.container.is_some())?;
        let run = set.container.as_deref()?.clone();
        let words = run.options.iter().chain(&run.entry).chain(run.name.as_ref());
        let literal = settings::is_literal(&run.image) && words.clone().all(|w| settings::is_literal(w));
        let one_word = run.entry.iter().all(|w| !w.contains(char::is_whitespace));
        let masked = set.settings.iter().any(|s| s.value.as_deref().is_some_and(|v| v.contains("***")));
        if !literal || !one_word || masked {
            return None;
        }
        let (repository, tag) = match run.image.split('@').next()?.rsplit_once(':') {
            Some((repository, tag)) if !tag.contains('/') => (repository, tag),
            _ => return None,
        };
        let version: Version = tag.parse().ok()?;
        if version.upstream() != version {
            return None;
        }
        let image = (repository.to_owned(), if tag.starts_with('v') { "v" } else { "" });
        let of = |s: &crate::evidence::fact::FlagSetting| Setting {
            name: s.name.clone(),
            value: s.value.clone(),
            form: s.form,
        };
        Some(Self { name: run.name.clone()?, image, settings: set.settings.iter().map(of).collect(), run })
    }

    /// Is it a service of a compose file?
    pub(super) fn is_service(&self) -> bool {
        self.run.program == COMPOSE
    }

    /// Is it called so? Then the name is one of the containers' own network, no host.
    pub(super) fn is_called(&self, host: &str) -> bool {
        self.name == host
    }

    /// Where a directory inside lies on the host; `None` where no absolute path or volume is mounted there.
    pub(super) fn on_host(&self, inside: &str) -> Option<String> {
        let mut options = self.run.options.iter();
        let mut found: Option<String> = None;
        while let Some(option) = options.next() {
            let mount = match option.as_str() {
                "-v" | "--volume" => options.next().map(String::as_str),
                joined => joined.strip_prefix("--volume=").or_else(|| joined.strip_prefix("-v")),
            };
            let Some((from, to)) = mount.and_then(|m| m.split_once(':')) else { continue };
            let to = to.split(':').next().unwrap_or(to).trim_end_matches('/');
            let Some(rest) = inside.strip_prefix(to).filter(|rest| rest.is_empty() || rest.starts_with('/')) else {
                continue;
            };
            found = if from.starts_with('/') {
                Some(format!("{}{rest}", from.trim_end_matches('/')))
            } else if from.contains('/') || self.is_service() {
                // Below the folder of the compose file, or a volume whose name the project is part of.
                None
            } else {
                Some(format!("/var/lib/docker/volumes/{from}/_data{rest}"))
            };
        }
        found
    }

    fn image(&self, version: &Version) -> String {
        format!("{}:{}{}", self.image.0, self.image.1, version.upstream())
    }

    /// The program for containers themselves, also where services are started.
    fn docker(&self) -> &str {
        if self.is_service() { "docker" } else { &self.run.program }
    }

    pub(super) fn stop(&self) -> Vec<String> {
        vec![format!("{} stop -t 60 {}", self.run.program, word(&self.name))]
    }

    /// The image is there, and what runs today is written down.
    pub(super) fn at_hand(&self, version: &Version) -> Vec<String> {
        let name = word(&self.name);
        let pull = format!("{} pull {}", self.docker(), word(&self.image(version)));
        let keep = if self.is_service() {
            format!("{COMPOSE} config > compose-before.yaml")
        } else {
            format!("{} inspect {name} > {}", self.docker(), word(&format!("{}-before.json", self.name)))
        };
        vec![pull, keep]
    }

    /// The stopped container is kept under the name of its version, for the way back; a service gets its new tag.
    pub(super) fn replace(&self, runs: Option<&Version>, version: &Version) -> Vec<String> {
        let docker = self.docker();
        let says = self.says(version);
        let name = word(&self.name);
        let today = runs.map_or_else(|| "before".to_owned(), |v| v.upstream().to_string());
        if self.is_service() {
            let label = "{{index .Config.Labels \"com.docker.compose.project.config_files\"}}";
            let file = format!("\"$(docker inspect \"$({COMPOSE} ps -aq {name})\" --format '{label}')\"");
            let edit = format!("/^  {}:/,/image:/ s|{}|{}|", self.name, self.run.image, self.image(version));
            vec![format!("sed -i {} {file}", word(&edit)), says]
        } else if self.goes_with_its_end() {
            vec![says]
        } else {
            vec![format!("{docker} rename {name} {}", word(&format!("{}-{today}", self.name))), says]
        }
    }

    fn says(&self, version: &Version) -> String {
        let image = self.image(version);
        format!("{} run --rm --entrypoint etcd {} --{}", self.docker(), word(&image), name::VERSION)
    }

    /// The image is there, and the unit that starts the container is kept.
    pub(super) fn at_hand_of_unit(&self, version: &Version) -> Vec<String> {
        vec![
            format!("{} pull {}", self.docker(), word(&self.image(version))),
            format!("sudo cp -p {UNIT_FILE} /root/etcd.service.before"),
        ]
    }

    /// The unit that starts the container names the new image.
    pub(super) fn replace_in_unit(&self, version: &Version) -> Vec<String> {
        let edit = word(&format!("s|{}|{}|", self.run.image, self.image(version)));
        vec![format!("sudo sed -i {edit} {UNIT_FILE} && sudo systemctl daemon-reload"), self.says(version)]
    }

    /// Is the container removed when it stops?
    fn goes_with_its_end(&self) -> bool {
        self.run.options.iter().any(|o| o == "--rm")
    }

    /// Makes and starts it on a version, with what that version knows of its flags; `with` is put on, `without` comes off.
    pub(super) fn start(&self, version: &Version, with: Option<&str>, without: &[&str]) -> String {
        if self.is_service() {
            return format!("{COMPOSE} up -d --no-deps {}", word(&self.name));
        }
        let docker = &self.run.program;
        let mut words: Vec<String> = Vec::new();
        if !self.goes_with_its_end() {
            words.push(format!("{docker} rm {} 2> /dev/null;", word(&self.name)));
        }
        words.push(format!("{docker} run"));
        let detached = |o: &String| o == "--detach" || (o.starts_with('-') && !o.starts_with("--") && o.contains('d'));
        if !self.run.options.iter().any(detached) {
            words.push("-d".to_owned());
        }
        let replaced = with.map(|flag| flag.trim_start_matches('-').split('=').next().unwrap_or_default());
        let stays = |name: &str| !without.contains(&name) && replaced != Some(name);
        let mut gates: Vec<String> = Vec::new();
        let mut options = self.run.options.iter().peekable();
        while let Some(option) = options.next() {
            let (head, assigned) = match option.as_str() {
                "-e" | "--env" => (format!("{option} "), options.next().map(String::as_str)),
                joined => match joined.strip_prefix("--env=").or_else(|| joined.strip_prefix("-e")) {
                    Some(rest) if rest.contains('=') => ("-e ".to_owned(), Some(rest)),
                    _ => (String::new(), None),
                },
            };
            let Some(assigned) = assigned else {
                words.push(word(option));
                continue;
            };
            let (variable, value) = assigned.split_once('=').map_or((assigned, None), |(v, x)| (v, Some(x.to_owned())));
            let Some(name) = flag_of_env(variable) else {
                words.push(format!("{head}{}", word(assigned)));
                continue;
            };
            if !stays(&name) {
                continue;
            }
            match on(&Setting { name, value, form: FlagForm::Env }, version) {
                On::Flag(name, value) => {
                    let variable = flags::by_name(&name).map_or(variable, |flag| flag.env);
                    let value = value.map_or_else(String::new, |value| format!("={value}"));
                    words.push(format!("{head}{}", word(&format!("{variable}{value}"))));
                }
                On::Gate(gate) => gates.push(gate),
                On::Gone => {}
            }
        }
        words.push(word(&self.image(version)));
        words.extend(self.run.entry.iter().map(|w| word(w)));
        for setting in self.settings.iter().filter(|s| s.form == FlagForm::CommandLine && stays(&s.name)) {
            match on(setting, version) {
                On::Flag(name, value) if name == name::FEATURE_GATES => gates.extend(value),
                On::Flag(name, Some(value)) => words.push(format!("--{name}={}", word(&value))),
                On::Flag(name, None) => words.push(format!("--{name}")),
                On::Gate(gate) => gates.push(gate),
                On::Gone => {}
            }
        }
        if !gates.is_empty() {
            words.push(format!("--{}={}", name::FEATURE_GATES, word(&gates.join(","))));
        }
        words.extend(with.map(str::to_owned));
        words.join(" ")
    }

    pub(super) fn log(&self) -> String {
        format!("{} logs --tail 100 {}", self.run.program, word(&self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::testing::version;
    use crate::evidence::{self, paste::Paste};

    fn container(text: &str) -> Option<Container> {
        let cluster = crate::cluster::merge(&evidence::read(&[Paste::new("run.txt", text)]));
        let flags = cluster.flags.clone();
        let member = cluster.members.first().cloned().unwrap_or_else(|| Member { flags, ..Member::default() });
        Container::of(&member)
    }

    const RUN: &str = "docker run -d --name etcd-1 --network host -v /data/etcd:/etcd-data -e ETCD_ENABLE_V2=true -e \
                       ETCD_QUOTA_BACKEND_BYTES=8589934592 gcr.io/etcd-development/etcd:v3.5.35 /usr/local/bin/etcd --name m1 \
                       --data-dir /etcd-data --experimental-compaction-batch-limit=7";

    #[test]
    fn a_container_is_made_anew_with_what_the_version_knows() {
        let it = container(RUN).unwrap();
        assert_eq!(it.stop(), ["docker stop -t 60 etcd-1"]);
        assert_eq!(
            it.replace(Some(&version("3.5.35")), &version("3.6.16")),
            [
                "docker rename etcd-1 etcd-1-3.5.35",
                "docker run --rm --entrypoint etcd gcr.io/etcd-development/etcd:v3.6.16 --version",
            ]
        );
        assert_eq!(
            it.start(&version("3.7.3"), None, &[]),
            "docker rm etcd-1 2> /dev/null; docker run -d --name etcd-1 --network host -v /data/etcd:/etcd-data -e \
             ETCD_QUOTA_BACKEND_BYTES=8589934592 gcr.io/etcd-development/etcd:v3.7.3 /usr/local/bin/etcd --name=m1 \
             --data-dir=/etcd-data --compaction-batch-limit=7"
        );
        let with = it.start(&version("3.5.35"), Some("--snapshot-count=1"), &[name::ENABLE_V2]);
        assert!(with.ends_with("--snapshot-count=1") && !with.contains("ENABLE_V2"), "{with}");
        assert_eq!(it.on_host("/etcd-data").as_deref(), Some("/data/etcd"));
        assert_eq!(it.on_host("/elsewhere"), None);
    }

    #[test]
    fn a_service_gets_its_tag_and_is_made_anew_alone() {
        let text = "services:\n  etcd1:\n    image: quay.io/coreos/etcd:v3.5.35\n    volumes:\n    - /srv/e1:/data\n    \
                    command: etcd --name m1 --data-dir /data\n";
        let it = container(text).unwrap();
        assert_eq!(it.stop(), ["docker compose stop -t 60 etcd1"]);
        let replace = it.replace(None, &version("3.6.16"));
        assert!(
            replace[0].starts_with(
                "sed -i '/^  etcd1:/,/image:/ s|quay.io/coreos/etcd:v3.5.35|quay.io/coreos/etcd:v3.6.16|'"
            )
        );
        assert_eq!(it.start(&version("3.6.16"), None, &[]), "docker compose up -d --no-deps etcd1");
        assert_eq!(it.on_host("/data/member").as_deref(), Some("/srv/e1/member"));
    }

    #[test]
    fn a_unit_that_starts_a_container_is_edited_and_no_binary_is_installed() {
        let unit = "[Unit]\nDescription=etcd\n\n[Service]\nExecStart=/usr/bin/docker run --rm --name etcd -v /d:/d \
                    quay.io/coreos/etcd:v3.5.35 /usr/local/bin/etcd --name m1 --data-dir /d\n";
        let cluster = crate::cluster::merge(&evidence::read(&[Paste::new("etcd.service", unit)]));
        let commands = crate::cluster::commands::Commands::new(&cluster, &crate::evidence::answers::Answers::new());
        assert!(commands.replace(Some(0), &version("3.6.16")).is_empty(), "whose unit it is was not seen");
        let replace = container(unit).unwrap().replace_in_unit(&version("3.6.16"));
        assert!(replace[0].contains("s|quay.io/coreos/etcd:v3.5.35|quay.io/coreos/etcd:v3.6.16|"), "{replace:?}");
    }

    #[test]
    fn what_depends_on_a_shell_or_a_vendor_gives_no_commands() {
        for text in [
            "docker run -d --name e1 -v ${DATA}:/d quay.io/coreos/etcd:v3.5.35 etcd --name m1 --data-dir /d",
            "docker run -d -v /d:/d quay.io/coreos/etcd:v3.5.35 etcd --name m1 --data-dir /d",
            "docker run -d --name e1 -v /d:/d bitnami/etcd:3.5.21-debian-12-r3 etcd --name m1 --data-dir /d",
            "docker run -d --name e1 -v /d:/d quay.io/coreos/etcd:latest etcd --name m1 --data-dir /d",
        ] {
            assert_eq!(container(text), None, "{text}");
        }
    }
}
