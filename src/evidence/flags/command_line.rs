//! A command line that starts the etcd server, typed or in a script.

use super::arguments::{Start, Variables, add_env, commands, find_start, path_version, read as read_arguments};
use super::process::take_environment;
use super::stretch::{Stretch, seen};
use super::words::{Rules, Word, continues, logical_line, split, starts_with_flag};
use super::{Draft, taken};
use crate::evidence::detect::{Place, Taken};
use crate::evidence::fact::FlagSource;

/// Reads `etcd --name m1 …`, with variables and programs before it, over continued and wrapped lines.
pub fn read(place: &Place<'_>) -> Option<Taken> {
    let line = place.lines.get(place.at)?;
    let text = seen(line);
    if text.trim().is_empty() || starts_with_flag(text) || continues(place, place.at) {
        return None;
    }
    let (stretch, count) = logical_line(place, place.at, 0, Rules::Shell);
    if !stretch.text().contains("etcd") {
        return None;
    }
    let words = split(&stretch, 0, stretch.text().len(), Rules::Shell);
    let mut drafts = Vec::new();
    for command in commands(&words) {
        if let Some(start) = find_start(&stretch, command) {
            let program = stretch.span(place, start.program.from, start.program.to);
            drafts.extend(draft(place, &stretch, &start, count).map(|draft| (program, draft)));
        }
    }
    // Of several starts on one line no environment below them can be told.
    let below = if drafts.len() == 1 { place.at + count } else { place.lines.len() };
    let mut environment = 0;
    for (program, draft) in &mut drafts {
        environment += take_environment(place, below, program.clone(), draft);
    }
    let drafts: Vec<Draft> = drafts.into_iter().map(|(_, draft)| draft).collect();
    (!drafts.is_empty()).then(|| taken(place, count + environment, "command line", drafts))
}

/// One start of the server; `None` when it says nothing, or is prose that only begins like one.
fn draft(place: &Place<'_>, stretch: &Stretch, start: &Start, count: usize) -> Option<Draft> {
    let mut draft = Draft::new(FlagSource::CommandLine, place.at, place.at + count - 1);
    draft.set.version = path_version(&start.program.text);
    draft.set.program = Some(start.program.text.clone());
    let env = start.before.iter().filter(|w: &&Word| add_env(place, stretch, w, &mut draft)).count();
    let outcome = read_arguments(place, stretch, &start.arguments, &Variables::default(), &mut draft);
    let says = env + outcome.flags + draft.set.elsewhere.len() > 0;
    (says && outcome.stray <= outcome.known).then_some(draft)
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::FlagForm;
    use crate::evidence::flags::process::NOT_SHOWN;
    use crate::evidence::flags::testing::{Read, read};

    fn elsewhere(read: &Read) -> Vec<&str> {
        read.sets()[0].elsewhere.iter().map(|e| e.value.as_str()).collect()
    }

    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!("../../../tests/fixtures/flags/command_line/", $name, ".txt"))
        };
    }

    #[test]
    fn a_line_with_equal_signs() {
        let read = read(fixture!("v2-deprecation"));
        assert_eq!(
            read.settings(),
            ["name=m1", "data-dir=/var/lib/etcd", "v2-deprecation=not-yet", "snapshot-count=10000"]
        );
        let focus: Vec<&str> = read.rows[0].iter().map(|r| r.3.as_str()).collect();
        assert_eq!(focus[2], "--v2-deprecation=not-yet");
        assert_eq!(read.sets()[0].member_name.as_deref(), Some("m1"));
        assert_eq!(elsewhere(&read), [NOT_SHOWN]);
        assert!(read.rows[0].iter().all(|r| r.2 == FlagForm::CommandLine));
    }

    #[test]
    fn continued_lines_bare_flags_and_values_after_a_blank() {
        let read = read(fixture!("continued"));
        assert_eq!(
            read.settings(),
            [
                "name=s1",
                "data-dir=/tmp/etcd/s1",
                "experimental-max-learners=2",
                "experimental-enable-lease-checkpoint",
                "experimental-enable-lease-checkpoint-persist",
                "experimental-warning-apply-duration=200ms",
                "experimental-corrupt-check-time=0s",
            ]
        );
        assert_eq!(read.rows[0][5].3, "--experimental-warning-apply-duration 200ms");
        let set = read.sets()[0];
        assert_eq!((set.settings[5].span.first_line, set.settings[5].span.last_line), (5, 5));
        assert!(read.left.is_empty());
    }

    #[test]
    fn sudo_and_its_options_are_no_flags() {
        let read = read(fixture!("sudo-one-line"));
        assert_eq!(read.settings().len(), 13);
        assert_eq!(read.settings()[0], "listen-peer-urls=https://[::]:2380");
        assert_eq!(elsewhere(&read), [NOT_SHOWN]);
    }

    #[test]
    fn variables_before_the_program_are_environment() {
        let read = read("ETCD_NAME=m2 ETCD_ENABLE_V2='true' ETCDCTL_API=3 PATH=/x nohup bin/etcd > etcd.log 2>&1 &");
        assert_eq!(read.settings(), ["name=m2", "enable-v2=true"]);
        assert_eq!(read.rows[0][1].2, FlagForm::Env);
        assert_eq!(read.rows[0][1].3, "ETCD_ENABLE_V2='true'");
    }

    #[test]
    fn a_shell_s_text_is_a_command_too() {
        let read = read("/bin/sh -c \"set -x; exec etcd --name m1 \\\"--data-dir=/a b\\\" $EXTRA\" # start");
        assert_eq!(read.settings(), ["name=m1", "data-dir=/a b"]);
        assert_eq!(elsewhere(&read), ["$EXTRA", NOT_SHOWN]);
    }

    #[test]
    fn programs_that_start_others_and_their_options() {
        for text in [
            "su - etcd -c \"etcd --name m1\"",
            "su etcd -c 'exec /usr/bin/etcd --name=m1'",
            "start-stop-daemon --start --exec /usr/bin/etcd -- --name m1",
            "nice -n 10 timeout 60 etcd -name m1 2>&1 | tee etcd.log",
            "cd /opt && nohup ./etcd --name m1 &",
            "command=/usr/bin/etcd --name m1",
            "/proc/1/exe: etcd.exe --name m1",
        ] {
            assert_eq!(read(text).settings(), ["name=m1"], "{text}");
        }
    }

    #[test]
    fn one_argument_a_line() {
        let read = read("/usr/local/bin/etcd\n--name=m1\n--enable-v2\n\nok\n");
        assert_eq!(read.settings(), ["name=m1", "enable-v2"]);
        assert_eq!(read.sets()[0].settings[1].span.first_line, 3);
        assert_eq!(read.left, ["ok"]);
    }

    #[test]
    fn a_procfile_names_its_processes() {
        let read = read(
            "etcd1: bin/etcd --name infra1 --enable-pprof --logger=zap\netcd2: bin/etcd --name infra2 --enable-pprof",
        );
        let names: Vec<_> = read.sets().iter().map(|s| s.member_name.as_deref()).collect();
        assert_eq!(names, [Some("infra1"), Some("infra2")]);
    }

    #[test]
    fn what_starts_no_server_is_left() {
        for text in [
            "etcd",
            "etcd --version",
            "etcd --help",
            "etcd grpc-proxy start --endpoints=m1:2379 --experimental-leasing-prefix=x",
            "etcd gateway start --endpoints=m1:2379",
            "etcdctl --endpoints=m1:2379 endpoint status -w table",
            "etcdutl check v2store --data-dir=/var/lib/etcd",
            "kube-apiserver --etcd-servers=https://192.0.2.71:2379 --secure-port=6443",
            "kubectl -n etcd --context x get pods",
            "docker run -d --name etcd -v /x:/y --net=host busybox",
            "journalctl -u etcd --since today",
            "useradd etcd -s /sbin/nologin",
            "etcd is a key-value store - it is fast",
            "etcd 09:39:00.15 INFO  ==> Detected data from previous deployments",
            "sudo rm -rf /var/lib/etcd --verbose",
            "sudo etcdutl check v2store --data-dir=/var/lib/etcd --wal-dir=/wal/etcd",
            "sudo chown -R etcd --from=root /x",
            "Flag `enable-v2` is deprecated and will get removed in etcd 3.6.",
            "etcd: --x",
        ] {
            let read = read(text);
            assert!(read.taken.is_empty(), "{text}: {:?}", read.settings());
        }
    }
}
