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

#[test]
fn what_a_file_is_and_whose_can_be_said_by_hand() {
    let list = "6c120a4f29d80e03, started, m2, http://10.0.0.2:2380, http://10.0.0.2:2379, false\n\
                93554fe264581731, started, m3, http://10.0.0.3:2380, http://10.0.0.3:2379, false\n";
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("by-hand");
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let list = file("list", list);
    let version = file("version", "{\"etcdserver\":\"3.5.33\",\"etcdcluster\":\"3.5.0\"}\n");
    let report = |arguments: &[&str]| -> serde_json::Value {
        let always = ["health", "--format", "json", "--date", "2026-11-30"];
        let output = planner(&[&always, arguments].concat(), "");
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{arguments:?}: {}", stderr(&output)))
    };
    let of_m3 = report(&[&list, "--member", &format!("m3={version}")]);
    let versions: Vec<_> = of_m3["members"].as_array().unwrap().iter().map(|m| m["version"].as_str()).collect();
    assert_eq!(versions, [None, Some("3.5.33")]);
    let as_list = report(&["--as", &format!("member-list={list}"), &version]);
    assert_eq!(as_list["members"].as_array().unwrap().len(), 2);
    // Read as another kind, nothing of it is left.
    let output = planner(&["health", "--as", &format!("alarm-list={list}")], "");
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("Read as alarm list only"), "{}", stderr(&output));
    let output = planner(&["health", "--as", &format!("status={list}")], "");
    assert!(stderr(&output).contains("endpoint-status"), "{}", stderr(&output));
}

/// The script is for a shell: any POSIX one must take it.
#[test]
fn the_rehearsal_is_a_script_and_says_when_there_is_none() {
    let output = planner(&["upgrade", "--to", "3.7", "--format", "rehearsal", "-"], STATUS);
    let script = stdout(&output);
    assert!(script.starts_with("#!/bin/sh\n"), "{script}");
    assert!(script.contains("\nfrom='3.5.33'\n") && script.contains("\nroute='3.6."), "{script}");
    let mut shell = Command::new("sh").arg("-n").stdin(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success());

    let none = planner(&["health", "--format", "rehearsal", "-"], STATUS);
    assert_eq!(none.status.code(), Some(4));
    assert!(stderr(&none).contains("nothing to rehearse"), "{}", stderr(&none));
}

/// A folder of its own below the target's.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn every_format_is_printed_and_brief_is_shorter() {
    let starts = [
        ("jira", "h1. Upgrade"),
        ("html", "<!doctype html>"),
        ("rich", "<h1>Upgrade"),
        ("servicenow", "== short_description (Short description): "),
        ("csv", "what,state,hop,phase,number,id,"),
    ];
    for (format, start) in starts {
        let arguments = ["upgrade", "--to", "3.6", "--date", "2026-11-30", "--format", format];
        let full = planner(&[&arguments[..], &["-"]].concat(), STATUS);
        assert_eq!(full.status.code(), Some(3), "{format}: {}", stderr(&full));
        assert!(stdout(&full).starts_with(start), "{format}: {}", stdout(&full));
        let brief = planner(&[&arguments[..], &["--brief", "--no-evidence", "-"]].concat(), STATUS);
        assert!(stdout(&brief).len() < stdout(&full).len(), "{format}");
        assert!(!stdout(&brief).contains("25 kB, true"), "{format}");
    }
}

#[test]
fn names_are_replaced_and_the_key_puts_them_back() {
    let folder = folder("redact");
    let key = folder.join("key.json").to_string_lossy().into_owned();
    let status = STATUS.replace("127.0.0.1:23800", "10.7.8.9:2379");
    let always = ["health", "--date", "2026-11-30", "--format", "markdown"];
    let plain = planner(&[&always[..], &["-"]].concat(), &status);
    let hidden = planner(&[&always[..], &["--redact", "--redact-key", &key, "-"]].concat(), &status);
    let text = stdout(&hidden);
    for secret in ["10.7.8.9", "6c120a4f29d80e03", "93554fe264581731"] {
        assert!(stdout(&plain).contains(secret) && !text.contains(secret), "{secret}:\n{text}");
    }
    assert!(text.contains("192.0.2.1") && text.contains("3.5.33"), "{text}");
    let back = planner(&["put-back", "--key", &key], &text);
    assert_eq!(stdout(&back), stdout(&plain));
    let alone = planner(&["health", "--redact-key", &key, "-"], &status);
    assert_eq!(alone.status.code(), Some(4));
}

#[test]
fn what_was_written_beside_a_step_goes_along() {
    let folder = folder("records");
    let always = ["upgrade", "--to", "3.6", "--date", "2026-11-30"];
    let json = planner(&[&always[..], &["--format", "json", "-"]].concat(), STATUS);
    let report: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    let id = report["checklist"][0]["steps"][0]["id"].as_str().unwrap();
    let records = folder.join("records.json").to_string_lossy().into_owned();
    let written = serde_json::json!({ id: { "done": true, "owner": "Ann", "time": "21:40" } });
    std::fs::write(&records, written.to_string()).unwrap();
    let output = planner(&[&always[..], &["--records", &records, "-"]].concat(), STATUS);
    assert!(stdout(&output).contains("done by Ann, 21:40"), "{}", stdout(&output));
    std::fs::write(&records, "[]").unwrap();
    let output = planner(&[&always[..], &["--records", &records, "-"]].concat(), STATUS);
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("expected a JSON object of step ids"), "{}", stderr(&output));
}

#[test]
fn directories_are_clusters_in_one_table_and_the_worst_decides() {
    let folder = folder("clusters");
    let put = |cluster: &str, text: &str| {
        std::fs::create_dir_all(folder.join(cluster)).unwrap();
        std::fs::write(folder.join(cluster).join("status.txt"), text).unwrap();
    };
    put("alpha", &STATUS.replace("3.5.33", "3.6.16"));
    put("beta", &STATUS.replace("3.5.33", "3.7.3"));
    let all = folder.to_string_lossy().into_owned();
    // It is more than one minor down for the second only.
    let arguments = ["downgrade", "--to", "3.5", "--date", "2026-11-30", &all];
    let output = planner(&arguments, "");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().filter(|l| l.contains("alpha") || l.contains("beta")).collect();
    assert!(lines[0].contains("beta") && lines[0].contains("Blocked"), "{text}");
    assert_eq!(lines.len(), 2);
    // What can't be read is worse, and is said.
    put("gamma", "lunch is at noon\n");
    let output = planner(&arguments, "");
    assert_eq!(output.status.code(), Some(4));
    assert!(stdout(&output).contains("Could not read") && stderr(&output).contains("gamma: nothing"));
    let one = folder.join("alpha").to_string_lossy().into_owned();
    let json = planner(&["health", "--format", "json", "--date", "2026-11-30", &one], "");
    let clusters: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!(clusters[0]["cluster"], "alpha");
    assert_eq!(clusters[0]["report"]["members"].as_array().unwrap().len(), 3);
    let mixed = planner(&["health", &one, "-"], STATUS);
    assert_eq!(mixed.status.code(), Some(4));
    assert!(stderr(&mixed).contains("mixed"), "{}", stderr(&mixed));
}

#[test]
fn a_closing_record_shows_before_and_after() {
    let folder = folder("closing");
    let before = folder.join("before.json").to_string_lossy().into_owned();
    let json = planner(&["upgrade", "--to", "3.6", "--date", "2026-11-29", "--format", "json", "-"], STATUS);
    std::fs::write(&before, json.stdout).unwrap();
    let after = STATUS.replace("3.5.33", "3.6.16");
    for format in ["text", "markdown", "html"] {
        let arguments = ["closing", "--before", &before, "--date", "2026-11-30", "--format", format, "-"];
        let output = planner(&arguments, &after);
        assert!(matches!(output.status.code(), Some(0..=3)), "{}", stderr(&output));
        for part in ["3.5.33", "3.6.16", "2026-11-29", "2026-11-30"] {
            assert!(stdout(&output).contains(part), "{format}: {part}:\n{}", stdout(&output));
        }
    }
    let none = planner(&["closing", "--before", "no/such.json", "-"], &after);
    assert_eq!(none.status.code(), Some(4));
}
