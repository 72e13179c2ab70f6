//! The command line as a person or a pipeline meets it: exit codes, streams, messages.
#![allow(clippy::unwrap_used)]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

const STATUS: &str = "\
127.0.0.1:23790, ed683a91a8f49cc4, 3.5.33, 25 kB, false, false, 2, 31, 31, \n\
127.0.0.1:23800, 6c120a4f29d80e03, 3.5.33, 25 kB, true, false, 2, 31, 31, \n\
127.0.0.1:23810, 93554fe264581731, 3.5.33, 25 kB, false, false, 2, 31, 31, \n";

fn planner(arguments: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_etcd-upgrade-planner"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The planner may end before it read stdin (bad arguments): a broken pipe is no fault here.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_status_alone_is_cant_tell_and_names_what_is_missing() {
    let output = planner(&["upgrade", "--to", "3.6", "--date", "2026-11-30", "-"], STATUS);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("Can't tell yet: "), "{text}");
    for missing in ["v2store-not-checked", "snapshot-missing", "flag-removed", "member list"] {
        assert!(text.contains(missing), "{missing} is not named:\n{text}");
    }
}

#[test]
fn bad_arguments_exit_4_and_say_what_was_expected() {
    let cases: [(&[&str], &str); 6] = [
        (&["upgrade"], "FILE"),
        (&["upgrade", "--to", "latest", "-"], "found \"latest\""),
        (&["upgrade", "--answer", "auth=maybe", "-"], "auth: expected yes or no, found \"maybe\""),
        (&["upgrade", "--answer", "aut=no", "-"], "no answer is called \"aut\""),
        (&["upgrade", "--date", "soon", "-"], "found \"soon\""),
        (&["fly", "-"], "fly"),
    ];
    for (arguments, message) in cases {
        let output = planner(arguments, STATUS);
        assert_eq!(output.status.code(), Some(4), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
}

#[test]
fn a_file_as_windows_writes_it_is_read_and_no_text_is_told() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let wide: Vec<u8> = format!("\u{feff}{STATUS}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (utf16, binary) = (folder.join("status-utf16.txt"), folder.join("zeroes.bin"));
    std::fs::write(&utf16, wide).unwrap();
    std::fs::write(&binary, [0; 4096]).unwrap();
    let read = planner(&["upgrade", "--to", "3.6", "--date", "2026-11-30", utf16.to_str().unwrap()], "");
    assert_eq!(read.status.code(), Some(3), "{}", stderr(&read));
    assert!(stdout(&read).contains("3.5.33"), "{}", stdout(&read));
    let refused = planner(&["upgrade", binary.to_str().unwrap()], "");
    assert_eq!(refused.status.code(), Some(4));
    assert!(stderr(&refused).contains("zeroes.bin, byte 0: expected text"), "{}", stderr(&refused));
}

#[test]
fn an_unreadable_file_exits_4_and_is_named() {
    let output = planner(&["upgrade", "no/such/file.txt"], "");
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("no/such/file.txt"), "{}", stderr(&output));
}

#[test]
fn what_is_not_recognised_exits_4_and_says_which_lines() {
    let output = planner(&["upgrade", "-"], "dear all,\nlunch is at noon\n");
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("stdin, lines 1 to 2"), "{}", stderr(&output));
}

#[test]
fn the_json_is_the_report_and_its_verdict_fits_the_exit_code() {
    let output = planner(&["upgrade", "--to", "3.6", "--date", "2026-11-30", "--format", "json", "-"], STATUS);
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(report["verdict"], "cant-tell");
    assert_eq!(report["members"].as_array().unwrap().len(), 3);
    assert_eq!(report["members"][1]["role"], "leader");
    assert_eq!(report["recognised"][0]["kind"], "endpoint-status");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn markdown_is_a_task_list() {
    let output = planner(&["upgrade", "--to", "3.6", "--date", "2026-11-30", "--format", "markdown", "-"], STATUS);
    let text = stdout(&output);
    assert!(text.starts_with("# Upgrade 3.5 → 3.6."), "{text}");
    assert!(text.contains("\n- [ ] **1. "), "{text}");
}

#[test]
fn help_and_version_are_no_errors() {
    for argument in ["--help", "--version"] {
        let output = planner(&[argument], "");
        assert_eq!(output.status.code(), Some(0));
        assert!(!stdout(&output).is_empty());
    }
    assert!(stdout(&planner(&["upgrade", "--help"], "")).contains("snapshot-off-host"));
}

#[test]
fn a_restore_works_out_the_bump_and_writes_the_commands() {
    let given = ["--answer", "writes-per-second=1500", "--answer", "snapshot-age=7d", "--answer", "watch-caches=yes"];
    let mut arguments = vec!["restore", "--date", "2026-11-30"];
    arguments.extend(given);
    let open = planner(&[arguments.clone(), vec!["-"]].concat(), STATUS);
    assert_eq!(open.status.code(), Some(3), "nobody looked at the backup snapshot: {}", stderr(&open));
    arguments.extend(["--answer", "snapshot-verified=yes"]);
    for format in ["text", "markdown"] {
        let ready = planner(&[arguments.clone(), vec!["--format", format, "-"]].concat(), STATUS);
        assert_eq!(ready.status.code(), Some(0), "{}", stderr(&ready));
        let text = stdout(&ready);
        for part in ["1,500 (answer writes-per-second)", "997,920,000", "--bump-revision 1000000000 --mark-compacted"] {
            assert!(text.contains(part), "{part} is not in the {format}:\n{text}");
        }
    }
    let json = planner(&[arguments, vec!["--format", "json", "-"]].concat(), STATUS);
    let report: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!(report["bump"]["bump"], "1000000000");
    assert_eq!(report["intent"]["kind"], "restore");
}

#[test]
fn a_downgrade_goes_one_minor_down_and_lowers_the_version_first() {
    let newer = STATUS.replace("3.5.33", "3.6.16");
    let down = planner(&["downgrade", "--to", "3.5", "--date", "2026-11-30", "-"], &newer);
    assert_eq!(down.status.code(), Some(3), "{}", stderr(&down));
    let text = stdout(&down);
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} is not in {text}"));
    assert!(at("downgrade enable 3.5") < at("Wait until STORAGE VERSION is 3.5.0"));
    assert!(at("Wait until STORAGE VERSION is 3.5.0") < at("Stop etcd on"));
    let far = planner(&["downgrade", "--to", "3.4", "--date", "2026-11-30", "-"], &newer);
    assert_eq!(far.status.code(), Some(2));
    assert!(stdout(&far).contains("more than one minor down"), "{}", stdout(&far));
}

#[test]
fn what_changed_since_an_older_paste_is_shown() {
    let newer = STATUS.replace("3.5.33, 25 kB, true", "3.6.16, 25 kB, true");
    let both = format!("{STATUS}\n$ etcdctl endpoint status\n{newer}");
    for (format, part) in [("text", "version 3.5.33 → 3.6.16"), ("markdown", "version 3.5.33 → 3.6.16")] {
        let output = planner(&["upgrade", "--to", "3.6", "--date", "2026-11-30", "--format", format, "-"], &both);
        assert!(stdout(&output).contains(part), "{}", stdout(&output));
        let once = planner(&["upgrade", "--to", "3.6", "--date", "2026-11-30", "--format", format, "-"], STATUS);
        assert!(!stdout(&once).contains("since the older pastes"), "nothing changed");
    }
}
