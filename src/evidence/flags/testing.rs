//! What the tests of the readers share: places made from text, settings as plain rows, spans cut again.

use crate::evidence::clean::{self, Line, Role};
use crate::evidence::detect::{Context, Place, Reader, Taken};
use crate::evidence::fact::{Body, FlagForm, FlagSet, Span};

/// The text a span's focus points at in the lines as given; the whole lines without a focus.
pub fn focus(lines: &[Line<'_>], span: &Span) -> String {
    let first = lines.partition_point(|l| l.number < span.first_line);
    let inside = lines[first..].iter().take_while(|l| l.number <= span.last_line);
    let text = inside.map(|l| l.raw).collect::<Vec<_>>().join("\n");
    match span.focus {
        Some((from, to)) => text[from..to].to_owned(),
        None => text,
    }
}

/// A setting: name, value, form, the text at its focus.
pub type Row = (String, Option<String>, FlagForm, String);

/// What reading a text with readers gave.
pub struct Read {
    /// Everything taken, with the index of the line it was offered at.
    pub taken: Vec<(usize, Taken)>,
    /// Lines nobody took, blank ones left out.
    pub left: Vec<String>,
    /// For each flag set, its settings: name, value, form, text at the focus.
    pub rows: Vec<Vec<Row>>,
}

impl Read {
    /// All flag sets.
    pub fn sets(&self) -> Vec<&FlagSet> {
        let facts = self.taken.iter().flat_map(|(_, t)| &t.facts);
        facts
            .filter_map(|f| match &f.body {
                Body::Flags(set) => Some(set.as_ref()),
                _ => None,
            })
            .collect()
    }

    /// The settings of all sets as `name=value` (`name` for a bare one).
    pub fn settings(&self) -> Vec<String> {
        let all = self.rows.iter().flatten();
        all.map(|(n, v, ..)| v.as_ref().map_or(n.clone(), |v| format!("{n}={v}"))).collect()
    }
}

/// Offers each line to the readers in order, as the loop of a paste does.
pub fn read_with(name: &str, readers: &[Reader], text: &str) -> Read {
    let lines = clean::lines(text);
    let context = Context::default();
    let mut read = Read { taken: Vec::new(), left: Vec::new(), rows: Vec::new() };
    let mut at = 0;
    while at < lines.len() {
        if lines[at].role == Role::Noise || lines[at].is_blank() {
            at += 1;
            continue;
        }
        let place = Place { paste: 0, name, lines: &lines, at, context: &context };
        let Some(taken) = readers.iter().find_map(|r| r(&place)) else {
            read.left.push(lines[at].raw.to_owned());
            at += 1;
            continue;
        };
        assert!(taken.lines >= 1 && at + taken.lines <= lines.len(), "lines taken lie in the paste");
        for fact in &taken.facts {
            let Body::Flags(set) = &fact.body else { continue };
            let row = |s: &crate::evidence::fact::FlagSetting| {
                (s.name.clone(), s.value.clone(), s.form, focus(&lines, &s.span))
            };
            read.rows.push(set.settings.iter().map(row).collect());
        }
        let next = at + taken.lines;
        read.taken.push((at, taken));
        at = next;
    }
    read
}

/// Reads with all readers of server flags.
pub fn read(text: &str) -> Read {
    read_with("paste 1", super::READERS, text)
}

mod hostile {
    use proptest::prelude::*;

    use super::read;

    /// Everything the fixtures hold, to be cut up and mixed.
    fn seeds() -> Vec<String> {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/flags");
        let folders = std::fs::read_dir(root).unwrap().map(|f| f.unwrap().path());
        let files = folders.flat_map(|f| std::fs::read_dir(f).unwrap().map(|f| f.unwrap().path()));
        let mut files: Vec<_> = files.collect();
        files.sort();
        files.iter().map(|f| std::fs::read_to_string(f).unwrap()).collect()
    }

    #[test]
    fn every_fixture_is_read() {
        for text in seeds() {
            let found = read(&text);
            let apiserver = text.contains("kube-apiserver");
            assert_eq!(found.sets().is_empty(), apiserver, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            read(&String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn any_signs_are_survived(text in "[-+=:#'\"$(){}\\[\\]<>|&;\\\\ \t\netcdETCD_A1.é ]{0,400}") {
            read(&text);
        }

        #[test]
        fn cut_and_mixed_fixtures_are_survived(
            picks in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..3000, 0usize..800, any::<u8>()), 1..6)
        ) {
            let seeds = seeds();
            let mut bytes = Vec::new();
            for (which, from, length, noise) in picks {
                let seed = which.get(&seeds).as_bytes();
                let from = from % (seed.len() + 1);
                bytes.extend(seed.iter().skip(from).take(length));
                bytes.push(noise);
            }
            read(&String::from_utf8_lossy(&bytes));
        }
    }

    /// The cost of text made to be slow, at two sizes: twice as long may not cost four times as much. The measure is
    /// coarse on purpose: it tells linear from quadratic, not fast from slow.
    #[test]
    fn hostile_text_costs_no_more_than_its_length() {
        let repeated: &[&str] = &[
            "  a: b\n",
            "    x\n  a: b\n",
            "- ",
            "{",
            "[",
            "etcd \\\n",
            "1 grep etcd\n1 x\n",
            "PID CMD\n",
            "\"",
            "$(",
            "[Service]\n",
            "A=etcd\n",
            "ETCD_NAME=a\n",
            "- --name=x\n",
            "+\"--name\"\n",
            "x\n--name\n",
            "Environment:\n",
            "ExecStart=etcd --name=a\n",
            "sh -c \"",
            "#ETCD_X=\n",
            "name: a\nenable-v2: true\n",
            "services.etcd = {\n",
            "\n",
            "'",
            "a: {b: [",
            "docker run etcd\n",
            "---\n",
            "? a\n",
            "&a *a ",
        ];
        for unit in repeated {
            let cost = |bytes: usize| {
                let text = unit.repeat(bytes / unit.len());
                let runs = (0..3).map(|_| {
                    let start = std::time::Instant::now();
                    read(&text);
                    start.elapsed()
                });
                runs.min().unwrap_or_default()
            };
            // A machine with other work makes one measurement worthless, but not five in a row.
            let grows = || {
                let (small, large) = (cost(5_000), cost(40_000));
                let limit = small.max(std::time::Duration::from_millis(4)) * 24;
                (large >= limit).then(|| format!("{small:?} for 5 kB, {large:?} for 40 kB"))
            };
            let measured: Option<Vec<String>> = (0..5).map(|_| grows()).collect();
            assert!(measured.is_none(), "{unit:?}: {measured:?}");
        }
    }
}
