//! `kubectl describe pod`, or the piece of it that shows command and environment.

use super::arguments::{Variables, flag_parts, is_other_mode, is_server, path_version, read as read_arguments};
use super::stretch::{Stretch, seen};
use super::words::Word;
use super::{Draft, flag_of_env, image_version, is_etcd_image, is_known, taken};
use crate::evidence::clean::Role;
use crate::evidence::detect::{Place, Taken};
use crate::evidence::fact::{FlagForm, FlagSetting, FlagSource, Seen};

/// Reads one description, up to the next blank line or command.
pub fn read(place: &Place<'_>) -> Option<Taken> {
    let line = place.lines.get(place.at)?;
    let above = place.at.checked_sub(1).and_then(|i| place.lines.get(i));
    let opens = above.is_none_or(|l| l.role != Role::Output || seen(l).trim().is_empty());
    if line.role != Role::Output || !opens {
        return None;
    }
    let lines = place.lines.get(place.at..)?;
    let count = lines.iter().take_while(|l| l.role == Role::Output && !seen(l).trim().is_empty()).count();
    let region = lines.get(..count)?;
    if !region.iter().any(|l| SECTIONS.iter().any(|(name, _)| seen(l).trim_start().starts_with(name))) {
        return None;
    }
    let mut reader = Description { place, pod: None, current: Part::default(), drafts: Vec::new() };
    for (offset, line) in region.iter().enumerate() {
        reader.line(place.at + offset, seen(line));
    }
    reader.close();
    let drafts = reader.drafts;
    (!drafts.is_empty()).then(|| taken(place, count, "kubectl describe", drafts))
}

/// What the lines below a heading are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Words,
    Environment,
    EnvironmentFrom,
}

/// Lines of a container's probes.
const PROBES: [&str; 3] = ["Liveness:", "Readiness:", "Startup:"];

const SECTIONS: &[(&str, Section)] = &[
    ("Environment Variables from:", Section::EnvironmentFrom),
    ("Environment:", Section::Environment),
    ("Command:", Section::Words),
    ("Args:", Section::Words),
];

/// What is known of one container.
#[derive(Default)]
struct Part {
    draft: Option<Draft>,
    /// The section the lines belong to, and how far its heading is indented.
    section: Option<(Section, usize)>,
    words: Vec<(Stretch, Word)>,
    etcd_image: bool,
    /// The indentation of the container's own keys.
    depth: Option<usize>,
}

struct Description<'p> {
    place: &'p Place<'p>,
    pod: Option<String>,
    current: Part,
    drafts: Vec<Draft>,
}

impl Description<'_> {
    fn line(&mut self, at: usize, text: &str) {
        let indent = text.len() - text.trim_start().len();
        let bare = text.trim();
        if let Some((section, depth)) = self.current.section {
            if indent > depth {
                self.inside(section, at, text);
                return;
            }
            self.current.section = None;
        }
        if self.current.depth.is_some_and(|depth| indent < depth) {
            self.close();
        }
        if let Some((name, section)) = SECTIONS.iter().find(|(name, _)| bare.starts_with(name)) {
            self.current.section = Some((*section, indent));
            self.own_key(at, indent);
            // `Environment:  <none>` has no lines below.
            let _ = name;
        } else if let Some(pod) = bare.strip_prefix("Name:").filter(|_| indent == 0) {
            self.pod = Some(pod.trim().to_owned());
        } else if let Some(asks) = PROBES.iter().find_map(|name| bare.strip_prefix(name)) {
            self.own_key(at, indent);
            let mut stretch = Stretch::default();
            stretch.push(self.place.lines, at, 0, text.len());
            let from = text.len() - text.trim_start().len();
            let span = stretch.span(self.place, from, text.trim_end().len());
            if let Some(draft) = &mut self.current.draft {
                draft.set.probes.push(Seen { value: asks.trim().to_owned(), span });
            }
        } else if let Some(image) = bare.strip_prefix("Image:") {
            self.own_key(at, indent);
            let image = image.trim();
            self.current.etcd_image = is_etcd_image(image);
            if let Some(draft) = &mut self.current.draft {
                draft.set.version = image_version(image);
            }
        }
    }

    /// A key of the container itself.
    fn own_key(&mut self, at: usize, indent: usize) {
        self.current.depth = Some(indent);
        let draft = self.current.draft.get_or_insert_with(|| Draft::new(FlagSource::Describe, at, at));
        draft.lines.1 = at;
    }

    fn inside(&mut self, section: Section, at: usize, text: &str) {
        let from = text.len() - text.trim_start().len();
        let to = text.trim_end().len();
        let mut stretch = Stretch::default();
        stretch.push(self.place.lines, at, 0, text.len());
        let Some(draft) = &mut self.current.draft else { return };
        draft.lines.1 = at;
        let bare = text.trim();
        match section {
            Section::Words => {
                let word = Word { text: bare.to_owned(), from, to, operator: false, quote: None };
                self.current.words.push((stretch, word));
            }
            Section::EnvironmentFrom => {
                let name = bare.split_whitespace().next().unwrap_or("");
                draft.elsewhere(name.to_owned(), stretch.span(self.place, from, from + name.len()));
            }
            Section::Environment => {
                let Some((variable, value)) = bare.split_once(':') else { return };
                let Some(name) = flag_of_env(variable) else { return };
                let span = stretch.span(self.place, from, to);
                let value = value.trim();
                // `m1 (v1:metadata.name)`, `<set to the key 'a' in secret 'b'>`
                if value.starts_with("<set to") {
                    draft.elsewhere(variable.to_owned(), span.clone());
                    draft.add(FlagSetting { name, value: None, form: FlagForm::Env, span });
                    return;
                }
                let value = value.split_once(" (v1:").map_or(value, |(v, _)| v).trim_end();
                let value = if value.starts_with("(v1:") { "" } else { value };
                draft.add(FlagSetting { name, value: Some(value.to_owned()), form: FlagForm::Env, span });
            }
        }
    }

    /// Ends a container; kept when it runs etcd.
    fn close(&mut self) {
        let part = std::mem::take(&mut self.current);
        let Some(mut draft) = part.draft else { return };
        let known_env = draft.set.settings.iter().any(|s| is_known(&s.name));
        let start = part.words.iter().position(|(_, w)| is_server(&w.text));
        let flags_alone = part.etcd_image && part.words.first().is_some_and(|(_, w)| flag_parts(&w.text).is_some());
        let other = part.words.first().is_some_and(|_| start.is_none() && !flags_alone);
        let arguments = part.words.get(start.map_or(0, |i| i + 1)..).unwrap_or(&[]);
        let plain: Vec<Word> = arguments.iter().map(|(_, w)| w.clone()).collect();
        if is_other_mode(&plain) || (!known_env && start.is_none() && !flags_alone) {
            return;
        }
        if !other {
            draft.set.complete = start.is_some() || flags_alone;
            let program = start.and_then(|i| part.words.get(i)).and_then(|(_, w)| path_version(&w.text));
            draft.set.version = draft.set.version.take().or(program);
            for (stretch, word) in arguments {
                let words = [word.clone()];
                read_arguments(self.place, stretch, &words, &Variables::default(), &mut draft);
            }
        }
        if draft.set.member_name.is_none() {
            draft.set.member_name.clone_from(&self.pod);
        }
        self.drafts.push(draft);
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::{FlagForm, FlagSource};
    use crate::evidence::flags::testing::read;

    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!("../../../tests/fixtures/flags/describe/", $name, ".txt"))
        };
    }

    #[test]
    fn the_environment_of_one_container() {
        let read = read(fixture!("environment"));
        assert_eq!(
            read.settings(),
            [
                "name=m-0",
                "data-dir=/var/run/etcd/default.etcd",
                "experimental-initial-corrupt-check=true",
                "experimental-watch-progress-notify-interval=5s",
                "initial-cluster-state=new",
            ]
        );
        assert_eq!(read.rows[0][3].3, "ETCD_EXPERIMENTAL_WATCH_PROGRESS_NOTIFY_INTERVAL:  5s");
        assert!(read.rows[0].iter().all(|r| r.2 == FlagForm::Env));
        let set = read.sets()[0];
        assert_eq!((set.source, set.member_name.as_deref()), (FlagSource::Describe, Some("m-0")));
        assert_eq!(set.version.as_ref().map(ToString::to_string).as_deref(), Some("3.6.12"));
        assert!(!set.complete, "the command is not shown");
    }

    #[test]
    fn a_whole_pod() {
        let text = "Name:                 etcd-cp1
Namespace:            kube-system
Annotations:          kubeadm.kubernetes.io/etcd.advertise-client-urls: https://192.0.2.1:2379
Status:               Running
Init Containers:
  init:
    Image:         busybox
    Command:
      true
Containers:
  etcd:
    Container ID:  containerd://00ff
    Image:         registry.k8s.io/etcd:3.5.15-0
    Port:          <none>
    Command:
      etcd
      --data-dir=/var/lib/etcd
      --enable-v2=true
    State:          Running
      Started:      Mon, 01 Jan 2026 00:00:00 +0000
    Environment:
      ETCD_TOKEN:  <set to the key 'a' in secret 'b'>  Optional: false
      ETCD_LOGGER:  zap
    Mounts:
      /var/lib/etcd from etcd-data (rw)
  sidecar:
    Image:         busybox
    Command:
      sleep
    Environment:  <none>
Conditions:
  Type              Status
  Ready             True
Events:  <none>
";
        let read = read(text);
        assert_eq!(read.settings(), ["token", "logger=zap", "data-dir=/var/lib/etcd", "enable-v2=true"]);
        let set = read.sets()[0];
        assert_eq!(set.member_name.as_deref(), Some("etcd-cp1"));
        assert_eq!(set.elsewhere[0].value, "ETCD_TOKEN");
        assert_eq!(read.rows[0][3].3, "--enable-v2=true");
        assert_eq!(set.settings[3].span.first_line, 18);
        assert!(read.left.is_empty(), "{:?}", read.left);
        assert_eq!(read.sets().len(), 1);
    }
}
