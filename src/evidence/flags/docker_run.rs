//! `docker run` (podman, nerdctl) of an etcd image, and `docker inspect` of a container.
//!
//! What stands before the image is docker's own: its `--name` is no member's name.

use super::arguments::{Variables, add_env, commands, find_start, flag_parts, is_server, read as read_arguments};
use super::container::{Container, word_of};
use super::stretch::{Stretch, seen};
use super::words::{Rules, Word, continues, logical_line, split, starts_with_flag};
use super::yaml::Node;
use super::{Draft, image_version, is_etcd_image, taken};
use crate::evidence::detect::{Place, Taken};
use crate::evidence::fact::{ContainerRun, FlagForm, FlagSource, Seen};

/// The programs whose `run` this reads.
const PROGRAMS: &[&str] = &["docker", "podman", "nerdctl"];

/// Options of `run` without a value of their own. One-letter ones may be joined (`-dit`).
const BARE: &[&str] = &[
    "detach",
    "disable-content-trust",
    "init",
    "interactive",
    "no-healthcheck",
    "no-hosts",
    "oom-kill-disable",
    "privileged",
    "publish-all",
    "quiet",
    "read-only",
    "replace",
    "rm",
    "rmi",
    "sig-proxy",
    "tls-verify",
    "tty",
];

/// The one-letter options of `run` without a value.
const BARE_LETTERS: &str = "ditPq";

/// Reads `docker run … image etcd --name m1 …`, over continued lines.
pub fn read(place: &Place<'_>) -> Option<Taken> {
    let text = seen(place.lines.get(place.at)?);
    if starts_with_flag(text) || !PROGRAMS.iter().any(|p| text.contains(p)) || continues(place, place.at) {
        return None;
    }
    let (stretch, count) = logical_line(place, place.at, 0, Rules::Shell);
    let words = split(&stretch, 0, stretch.text().len(), Rules::Shell);
    let mut drafts = Vec::new();
    for command in commands(&words) {
        let mut draft = Draft::new(FlagSource::DockerRun, place.at, place.at + count - 1);
        if fill(place, &stretch, command, &Variables::default(), &mut draft) {
            drafts.push(draft);
        }
    }
    (!drafts.is_empty()).then(|| taken(place, count, "docker run", drafts))
}

/// Adds what one `docker run` command sets; false when it does not run etcd.
pub fn fill(
    place: &Place<'_>,
    stretch: &Stretch,
    words: &[Word],
    variables: &Variables<'_>,
    draft: &mut Draft,
) -> bool {
    let name = |w: &Word| w.text.rsplit('/').next().unwrap_or("").trim_start_matches(['-', '@']).to_owned();
    let Some(program) = words.iter().position(|w| PROGRAMS.contains(&name(w).as_str())) else { return false };
    let runs = |w: &Word| matches!(w.text.as_str(), "run" | "create");
    let Some(run) = words.iter().skip(program).position(runs).map(|i| program + i) else { return false };
    let mut rest = words.iter().enumerate().skip(run + 1);
    let (mut entrypoint, mut called) = (false, None);
    let mut image = None;
    while let Some((index, word)) = rest.next() {
        if !word.text.starts_with('-') {
            image = Some((index, word));
            break;
        }
        let Some(option) = DockerOption::of(word) else { continue };
        let value = match option.value {
            Some(value) => Some(value),
            None if option.bare => None,
            None => rest.next().map(|(_, next)| next.clone()),
        };
        let Some(value) = value else { continue };
        match option.name.as_str() {
            "e" | "env" if value.text.contains('=') => {
                add_env(place, stretch, &value, draft);
            }
            // `-e ETCD_NAME` hands on the caller's variable.
            "e" | "env" if super::flag_of_env(&value.text).is_none() => {}
            "e" | "env" | "env-file" => draft.elsewhere(value.text.clone(), stretch.span(place, value.from, value.to)),
            "health-cmd" => draft
                .set
                .probes
                .push(Seen { value: value.text.clone(), span: stretch.span(place, value.from, value.to) }),
            "name" => called = Some(value.text.clone()),
            "entrypoint" => entrypoint = is_server(&value.text),
            _ => {}
        }
    }
    let has_env = draft.set.settings.iter().any(|s| s.form == FlagForm::Env);
    let Some((at, image)) = image else { return has_env };
    draft.set.version = image_version(&image.text);
    let rest = words.get(at + 1..).unwrap_or(&[]);
    draft.set.container = container(words, [program, run, at], rest, called);
    if let Some(start) = find_start(stretch, rest) {
        draft.set.complete = true;
        for word in &start.before {
            add_env(place, stretch, word, draft);
        }
        read_arguments(place, stretch, &start.arguments, variables, draft);
        return true;
    }
    let ours = entrypoint || is_etcd_image(&image.text);
    if ours && rest.first().is_none_or(|w| flag_parts(&w.text).is_some()) {
        draft.set.complete = true;
        read_arguments(place, stretch, rest, variables, draft);
    }
    has_env || (ours && !draft.set.settings.is_empty())
}

/// The container that these words start.
fn container(
    words: &[Word],
    [program, run, image]: [usize; 3],
    rest: &[Word],
    called: Option<String>,
) -> Option<Box<ContainerRun>> {
    let texts = |words: &[Word]| words.iter().map(|w| w.text.clone()).collect::<Vec<String>>();
    let options = texts(words.get(run + 1..image)?);
    let sudo = program.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|w| w.text == "sudo");
    let name = words.get(program)?.text.rsplit('/').next()?.trim_start_matches(['-', '@']).to_owned();
    let flags = rest.iter().take_while(|w| flag_parts(&w.text).is_none());
    Some(Box::new(ContainerRun {
        program: if sudo { format!("sudo {name}") } else { name },
        name: called,
        image: words.get(image)?.text.clone(),
        options,
        entry: flags.map(|w| w.text.clone()).collect(),
    }))
}

/// One of docker's options.
struct DockerOption {
    name: String,
    bare: bool,
    /// Its value, when it stands in the same word.
    value: Option<Word>,
}

impl DockerOption {
    fn of(word: &Word) -> Option<Self> {
        if let Some(long) = word.text.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v)));
            let value = value.map(|v| tail(word, v));
            return Some(Self { name: name.to_owned(), bare: BARE.contains(&name), value });
        }
        let short = word.text.strip_prefix('-')?;
        let bare = !short.is_empty() && short.chars().all(|c| BARE_LETTERS.contains(c));
        if bare {
            return Some(Self { name: short.to_owned(), bare, value: None });
        }
        // The first letter that takes a value: `-e`, `-eKEY=value`, `-ite KEY=value`.
        let at = short.find(|c| !BARE_LETTERS.contains(c))?;
        let letter = short.get(at..)?.chars().next()?;
        let rest = short.get(at + letter.len_utf8()..)?;
        let value = (!rest.is_empty()).then(|| tail(word, rest.trim_start_matches('=')));
        Some(Self { name: letter.to_string(), bare, value })
    }
}

/// The last part of a word as a word of its own.
fn tail(word: &Word, text: &str) -> Word {
    Word { text: text.to_owned(), from: word.to.saturating_sub(text.len()).max(word.from), ..word.clone() }
}

/// Containers in the JSON of `docker inspect`.
pub fn inspected(place: &Place<'_>, stretch: &Stretch, documents: &[Node]) -> Vec<Draft> {
    let all = documents.iter().flat_map(|d| if d.items().is_empty() { std::slice::from_ref(d) } else { d.items() });
    all.filter_map(|node| {
        let config = node.get("Config")?;
        let mut container = Container { image: config.get("Image"), ..Container::default() };
        container.commands.extend(config.get("Entrypoint"));
        container.commands.extend(config.get("Cmd"));
        for item in config.get("Env").map(Node::items).unwrap_or(&[]) {
            container.assignments.extend(word_of(stretch, item));
        }
        container.draft(place, stretch, FlagSource::DockerRun, node)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::{FlagForm, FlagSource};
    use crate::evidence::flags::testing::read;

    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!("../../../tests/fixtures/flags/docker_run/", $name, ".txt"))
        };
    }

    #[test]
    fn variables_before_the_image_are_the_containers() {
        let read = read(fixture!("env-before-image"));
        assert_eq!(
            read.settings(),
            [
                "enable-v2=true",
                "logger=zap",
                "name=1b2c3d4e-aaaa-4bbb-8ccc-0123456789ab",
                "data-dir=/var/etcd/data",
                "strict-reconfig-check=true",
                "initial-cluster-state=existing",
                "listen-peer-urls=https://192.0.2.131:2380",
                "listen-client-urls=https://0.0.0.0:4001",
            ]
        );
        assert!(read.rows[0].iter().all(|r| r.2 == FlagForm::Env));
        assert_eq!(read.rows[0][0].3, "ETCD_ENABLE_V2=true");
        let set = read.sets()[0];
        assert_eq!(set.settings[0].span.first_line, 4);
        assert_eq!(set.version.as_ref().map(ToString::to_string).as_deref(), Some("3.5.9"));
        assert!(set.complete && read.left.is_empty());
    }

    #[test]
    fn dockers_own_flags_are_not_etcds() {
        let read = read(fixture!("in-a-unit"));
        assert_eq!(
            read.settings(),
            [
                "name=etcd0",
                "debug",
                "log-package-levels=etcdserver=WARNING,security=DEBUG",
                "data-dir=/var/lib/etcd",
                "enable-v2",
            ]
        );
        assert_eq!(read.rows[0][4].3, "--enable-v2");
        let set = read.sets()[0];
        assert_eq!((set.source, set.member_name.as_deref()), (FlagSource::SystemdUnit, Some("etcd0")));
        assert!(read.left.is_empty(), "{:?}", read.left);
    }

    #[test]
    fn forms_of_options_and_images() {
        for (text, want) in [
            (
                "docker run -itd -p 2379:2379 --name=e1 quay.io/coreos/etcd:v3.5.9 /usr/local/bin/etcd -name m1",
                vec!["name=m1"],
            ),
            ("podman run --rm -eETCD_NAME=m1 -v /a:/b docker.io/bitnami/etcd:3.5.0", vec!["name=m1"]),
            ("docker run --entrypoint /usr/local/bin/etcd x/y:1 --name m1 --enable-v2", vec!["name=m1", "enable-v2"]),
            ("sudo docker run --net host gcr.io/etcd-development/etcd:v3.6.0 sh -c 'etcd --name m1'", vec!["name=m1"]),
            ("docker run -e ETCD_NAME=m1 --env-file /x.env bitnami/etcd:3.5.0", vec!["name=m1"]),
        ] {
            let read = read(text);
            assert_eq!(read.settings(), want, "{text}");
        }
        let read = read("docker run -e ETCD_NAME=m1 --env-file /x.env bitnami/etcd:3.5.0");
        assert_eq!(read.sets()[0].elsewhere[0].value, "/x.env");
        assert!(!read.sets()[0].complete);
    }

    #[test]
    fn an_inspected_container() {
        let text = r#"[
    {
        "Id": "0a1b",
        "Config": {
            "Env": ["PATH=/usr/bin", "ETCD_ENABLE_V2=true"],
            "Cmd": [
                "/usr/local/bin/etcd",
                "--name",
                "m1"
            ],
            "Image": "quay.io/coreos/etcd:v3.5.9"
        }
    }
]"#;
        let read = read(text);
        assert_eq!(read.settings(), ["enable-v2=true", "name=m1"]);
        assert_eq!(read.rows[0][0].3, "ETCD_ENABLE_V2=true");
        assert!(read.left.is_empty(), "{:?}", read.left);
    }

    #[test]
    fn other_containers_are_left() {
        for text in [
            "docker run -d --name etcd -v /x:/y busybox sleep 1",
            "docker run --rm quay.io/coreos/etcd:v3.5.9 etcdctl --endpoints=m1:2379 member list",
            "docker ps | grep etcd",
            "docker exec etcd etcdctl member list",
        ] {
            assert!(read(text).taken.is_empty(), "{text}");
        }
    }
}
