//! Anything pasted, through the whole pipeline. The first byte chooses the intent, a byte 0x1C parts pastes.
//!
//! `cargo +nightly fuzz run judge fuzz/corpus/judge tests/fixtures/captures tests/fixtures/collect tests/cases/inputs`
//! starts from what real clusters printed and people pasted. What crashed goes to `fuzz/regressions`, which
//! `tests/corpus.rs` replays on the stable compiler.
#![no_main]

use etcd_upgrade_planner::evidence::answers::Answers;
use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export;
use etcd_upgrade_planner::export::document::Detail;
use etcd_upgrade_planner::export::redact::Redaction;
use etcd_upgrade_planner::intent::{Intent, IntentKind, Target};
use libfuzzer_sys::fuzz_target;
use time::macros::datetime;

fuzz_target!(|data: &[u8]| {
    let kinds = IntentKind::ALL;
    let kind = kinds[usize::from(data.first().copied().unwrap_or(0)) % kinds.len()];
    let texts = data.split(|b| *b == 0x1c).take(4);
    let pastes: Vec<Paste> = texts
        .enumerate()
        .map(|(n, text)| Paste::new(format!("paste {}", n + 1), String::from_utf8_lossy(text)))
        .collect();
    let intent = Intent { kind, from: None, to: Target::Next };
    let report = etcd_upgrade_planner::judge(&pastes, &intent, &Answers::new(), datetime!(2026-11-30 12:00 UTC));
    for ground in report.findings.iter().flat_map(|f| &f.grounds) {
        let Some(paste) = pastes.iter().find(|p| p.name == ground.paste) else { continue };
        let lines: Vec<&str> = paste.lines().collect();
        let cut = lines.get(ground.first_line - 1..ground.last_line).expect("a ground lies in its paste");
        assert!(cut.join("\n").contains(&ground.quote), "a quote stands where its ground says");
    }
    for format in export::Format::ALL {
        let _ = export::write(&report, format, Detail::default());
    }
    let texts: Vec<&str> = pastes.iter().map(|p| p.text.as_str()).collect();
    let mut redacted = report.clone();
    Redaction::of(&report, &texts, &[]).report(&mut redacted);
});
