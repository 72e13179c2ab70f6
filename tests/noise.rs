//! What people leave around etcd's output: each kind of noise is wrapped around real captures, and the same facts come out.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use etcd_upgrade_planner::evidence::fact::Body;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::evidence::{self, Evidence};

/// Captures of every form that noise could hurt.
const CAPTURES: [&str; 12] = [
    "healthy-3.4.23/02-endpoint-status-table.txt",
    "healthy-3.5.33/01-endpoint-status-simple.txt",
    "healthy-3.5.33/03-endpoint-status-json.txt",
    "healthy-3.5.33/04-endpoint-status-fields.txt",
    "healthy-3.5.33/06-endpoint-health-simple.txt",
    "healthy-3.5.33/11-endpoint-hashkv-table.txt",
    "healthy-3.5.33/14-member-list-simple.txt",
    "healthy-3.6.16/02-endpoint-status-table.txt",
    "healthy-3.7.3/02-endpoint-status-table.txt",
    "one-down-3.5.33/02-endpoint-status-table.txt",
    "one-down-3.6.16/03-endpoint-status-json.txt",
    "nospace-3.5.33/02-endpoint-status-table.txt",
];

fn capture(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/captures").join(name);
    fs::read_to_string(path).ok()
}

fn captures() -> Vec<(&'static str, String)> {
    let found: Vec<_> = CAPTURES.iter().filter_map(|name| capture(name).map(|text| (*name, text))).collect();
    assert!(found.len() >= 11, "the captures are gone");
    found
}

fn read(text: &str) -> Evidence {
    evidence::read(&[Paste::new("paste", text)])
}

fn bodies(evidence: &Evidence) -> Vec<Body> {
    evidence.facts.iter().map(|f| f.body.clone()).collect()
}

/// Wraps each capture in the noise and compares what is read; `skip` names captures the noise can't stand around.
fn same_facts(noise: impl Fn(&str) -> String, skip: &[&str]) {
    for (name, text) in captures() {
        if skip.iter().any(|s| name.contains(s)) {
            continue;
        }
        let plain = read(&text);
        let wrapped = noise(&text);
        let found = read(&wrapped);
        assert!(!plain.facts.is_empty(), "{name}");
        assert_eq!(bodies(&found), bodies(&plain), "{name}:\n{wrapped}");
        assert_eq!(found.unread, [], "{name}:\n{wrapped}");
    }
}

fn each_line(text: &str, change: impl Fn(usize, &str) -> String) -> String {
    text.lines().enumerate().map(|(n, line)| change(n, line) + "\n").collect()
}

/// The output without the command line a capture may start with.
fn output(text: &str) -> String {
    text.lines().filter(|l| !l.starts_with("$ ")).map(|l| l.to_owned() + "\n").collect()
}

#[test]
fn prompts_of_every_shell() {
    for prompt in [
        "$ ",
        "# ",
        "% ",
        "❯ ",
        "root@m1:~# ",
        "[root@m1 ~]# ",
        "[core@m1 ~]$ ",
        "m1:~ # ",
        "m1$ ",
        "sh-5.1# ",
        "bash-5.1$ ",
        "➜  ~ ",
        "PS C:\\Users\\a> ",
        "(venv) ops@m1:~/x$ ",
        "I have no name!@etcd-0:/$ ",
        "/ # ",
        "~ $ ",
        "user@host /srv % ",
    ] {
        same_facts(|text| format!("{prompt}etcdctl endpoint status -w x\n{}{prompt}\n", output(text)), &[]);
    }
}

#[test]
fn sudo_and_commands_on_other_hosts() {
    for command in [
        "sudo etcdctl member list",
        "sudo -E ETCDCTL_API=3 etcdctl member list",
        "kubectl -n kube-system exec -it etcd-m1 -c etcd -- sh -c 'etcdctl member list'",
        "docker exec etcd etcdctl member list",
        "crictl exec 3f2a etcdctl member list",
        "ssh root@m1 etcdctl member list",
    ] {
        same_facts(|text| format!("$ {command}\n{}", output(text)), &[]);
    }
}

#[test]
fn chatter_of_kubectl_ssh_and_docker() {
    for line in [
        "Defaulted container \"etcd\" out of: etcd, backup (init)",
        "Warning: Permanently added 'm1' (ED25519) to the list of known hosts.",
        "kubectl exec [POD] [COMMAND] is DEPRECATED and will be removed in a future version. Use kubectl exec [POD] -- [COMMAND] instead.",
        "the input device is not a TTY",
        "Emulate Docker CLI using podman. Create /etc/containers/nodocker to quiet msg.",
        "[sudo] password for ops: ",
        "Last login: Mon Nov 30 09:00:00 2026 from 192.0.2.9",
    ] {
        same_facts(|text| format!("{line}\n{}Connection to m1 closed.\n", output(text)), &[]);
    }
}

#[test]
fn warnings_in_json_between_rows() {
    const WARNING: &str = r#"{"level":"warn","ts":"2026-11-30T09:00:00Z","logger":"etcd-client","caller":"v3@v3.5.33/retry_interceptor.go:66","msg":"retrying of unary invoker failed","attempt":0}"#;
    let row = |text: &str| if text.contains("ENDPOINT") { 4 } else { 1 };
    let between = |text: &str| {
        each_line(text, |n, line| if n == row(text) { format!("{WARNING}\n{line}") } else { line.to_owned() })
    };
    // Within a record of fields nothing is printed.
    same_facts(between, &["fields"]);
}

#[test]
fn colour_with_and_without_its_escape() {
    for (on, off) in [("\u{1b}[32m", "\u{1b}[0m"), ("[32m", "[0m"), ("^[[32m", "^[[0m")] {
        same_facts(|text| each_line(text, |_, line| format!("{on}{line}{off}")), &["json"]);
    }
}

#[test]
fn line_ends_marks_and_blanks_of_other_systems() {
    same_facts(|text| text.replace('\n', "\r\n"), &[]);
    same_facts(|text| format!("\u{feff}{text}"), &[]);
    same_facts(|text| text.replace(", ", ",\u{a0}").replace("| ", "|\u{a0}"), &["json"]);
    same_facts(|text| text.trim_end().to_owned(), &[]);
    same_facts(|text| each_line(text, |_, line| format!("    {line}   ")), &[]);
}

#[test]
fn fences_quotes_and_line_numbers() {
    same_facts(|text| format!("```\n{text}```\n"), &[]);
    same_facts(|text| format!("```console\n{text}```\n"), &[]);
    same_facts(|text| each_line(text, |_, line| format!("> {line}")), &[]);
    same_facts(|text| each_line(text, |n, line| format!("{:6}\t{line}", n + 1)), &[]);
}

#[test]
fn panes_and_boxes_of_terminals() {
    same_facts(|text| format!("╷\n{}╵\n", each_line(text, |_, line| line.to_owned())), &[]);
    same_facts(|text| each_line(text, |_, line| format!("│ {line}")), &["table"]);
    same_facts(|text| each_line(&output(text), |_, line| format!("{line}      ││")), &["table", "json"]);
}

#[test]
fn headings_of_a_loop_over_hosts() {
    for heading in ["=== m1 ===", "## m1", "member m1:", "m1 | CHANGED | rc=0 >>", "[m1]", "==> m1 <==", "---- m1 ----"]
    {
        same_facts(|text| format!("{heading}\n{text}"), &[]);
    }
}

#[test]
fn tables_without_borders_around_and_as_markdown() {
    let tables = ["simple", "json", "fields"];
    let ascii = |text: &str| text.contains("+--");
    let only_ascii =
        |text: &str, change: &dyn Fn(&str) -> String| if ascii(text) { change(text) } else { text.to_owned() };
    // The outer border is gone.
    let bare = |text: &str| {
        let rows = text.lines().filter(|l| !l.starts_with('+'));
        rows.map(|l| l.trim_start_matches("| ").trim_end_matches('|').to_owned() + "\n").collect::<String>()
    };
    same_facts(|text| only_ascii(text, &bare), &[&tables[..], &["nospace"]].concat());
    // No bottom border.
    let cut = |text: &str| {
        let last = text.trim_end().rfind("\n+").map_or(text.len(), |at| at + 1);
        text[..last].to_owned()
    };
    // Endpoints that failed stand below the table.
    same_facts(|text| only_ascii(text, &cut), &[&tables[..], &["one-down"]].concat());
    // A border after each row, as some tools draw them.
    let ruled = |text: &str| {
        let border = text.lines().find(|l| l.starts_with('+')).unwrap_or("").to_owned();
        each_line(
            text,
            |n, line| {
                if n > 3 && line.starts_with("| ") { format!("{border}\n{line}") } else { line.to_owned() }
            },
        )
    };
    same_facts(|text| only_ascii(text, &ruled), &[&tables[..], &["nospace"]].concat());
}

#[test]
fn callouts_behind_a_row() {
    same_facts(
        |text| {
            each_line(
                text,
                |_, line| if line.starts_with("| 1") { format!("{line}  <--- this one") } else { line.to_owned() },
            )
        },
        &[],
    );
}

#[test]
fn loggers_prefixes_stand_before_log_lines() {
    let log = capture("v2store-wal-only-3.5.33/09-start-3.6.16-v2dep-None.txt").unwrap();
    let plain = bodies(&read(&log));
    assert!(!plain.is_empty());
    for prefix in [
        "Nov 30 11:30:15 m1 etcd[2625]: ",
        "Nov  3 11:30:15 m1 microk8s.daemon-etcd[99]: ",
        "2026-11-30T11:30:15.669312+00:00 m1 etcd[2625]: ",
        "2026-11-30T11:30:15.669312Z stderr F ",
        "[pod/etcd-m1/etcd] ",
        "etcd-1  | ",
    ] {
        let json = |line: &str| line.starts_with('{');
        let wrapped = each_line(&log, |_, line| if json(line) { format!("{prefix}{line}") } else { line.to_owned() });
        assert_eq!(bodies(&read(&wrapped)), plain, "{prefix}");
    }
}

/// Breaks each line at a width, as a terminal's copy does; blanks at the end of a piece go with it where `trimmed`.
fn broken(text: &str, width: usize, trimmed: bool) -> String {
    let piece = |piece: &[char]| {
        let piece: String = piece.iter().collect();
        (if trimmed { piece.trim_end().to_owned() } else { piece }) + "\n"
    };
    let line = |line: &str| {
        let all: Vec<char> = line.chars().collect();
        if all.is_empty() { "\n".to_owned() } else { all.chunks(width).map(piece).collect() }
    };
    text.lines().map(line).collect()
}

#[test]
fn tables_broken_at_the_width_of_a_terminal() {
    for width in [70, 80, 81, 100, 120, 132, 200] {
        for trimmed in [false, true] {
            // A row of fields is never as wide; its records are told apart by blank lines.
            same_facts(|text| broken(&output(text), width, trimmed), &["fields"]);
        }
    }
}

#[test]
fn tables_broken_at_blanks_by_a_mail() {
    let wrapped = |text: &str| {
        each_line(&output(text), |_, line| {
            if line.len() < 80 || !line.contains("| ") {
                return line.to_owned();
            }
            let at = line[..78].rfind(' ').unwrap();
            format!("{}\n{}", line[..at].trim_end(), line[at..].trim_start())
        })
    };
    same_facts(wrapped, &["simple", "json", "fields", "healthy-3.7.3", "3.5.33/11"]);
}
