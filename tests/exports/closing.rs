//! The closing record and the table of several clusters.

use etcd_upgrade_planner::evidence::paste::Paste;
use etcd_upgrade_planner::export::closing::{self, Before};
use etcd_upgrade_planner::export::clusters::{self, Entry};
use etcd_upgrade_planner::export::record::Records;
use etcd_upgrade_planner::export::{Format, render};

use crate::clusters::{ALL, records};

#[test]
fn before_and_after_stand_side_by_side_with_the_checks() {
    let report = ALL[0].report();
    let written = records(&report);
    let json = serde_json::to_string(&report).unwrap();
    let before = Before::read(&json).unwrap();
    assert_eq!(before, Before::of(&report), "what is kept of a report is read out of the whole of it");
    // What the page keeps is read again too.
    assert_eq!(Before::read(&serde_json::to_string(&before).unwrap()).unwrap(), before);

    let moved =
        ALL[0].pastes().into_iter().map(|p| Paste::new(p.name, p.text.replace("3.5.33", "3.6.16"))).collect::<Vec<_>>();
    let after = ALL[0].judged(&moved);
    let text = render("x", &closing::document(&before, &after, &written), Format::Text);
    for part in [
        "CLOSING RECORD",
        "before of 2026-11-30 12:00",
        "3.5.33",
        "3.6.16",
        "done",
        "Ann Ångström",
        "30 Nov, 21:40",
        "1 of ",
    ] {
        assert!(text.contains(part) || closing::title(&before).to_uppercase().contains(part), "{part}:\n{text}");
    }
    let all = report.checklist.iter().flat_map(|p| &p.steps).filter(|s| !text.contains(&s.title)).count();
    assert_eq!(all, 0, "every step of the checklist is accounted for");
    for format in Format::ALL {
        assert!(render("x", &closing::document(&before, &after, &written), format).contains("3.6.16"), "{format:?}");
    }
}

#[test]
fn a_record_of_two_clusters_says_so() {
    let before = Before::of(&ALL[0].report());
    let other = ALL[4].report();
    assert!(!before.may_be_of(&other));
    let text = render("x", &closing::document(&before, &other, &Records::new()), Format::Text);
    assert!(text.contains("Check that both are of the same cluster"), "{text}");
    assert!(text.contains("gone after") && text.contains("new after"), "{text}");
}

#[test]
fn what_is_no_report_is_refused() {
    for text in ["", "[]", "{}", "{\"date\": 7}", "{\"verdict\": \"ready\"}"] {
        assert!(Before::read(text).unwrap_err().starts_with("expected a report"), "{text}");
    }
}

#[test]
fn the_worst_cluster_stands_first() {
    let mut entries: Vec<Entry> =
        ALL.iter().map(|c| Entry { name: c.name.to_owned(), result: Ok(c.report()) }).collect();
    entries.push(Entry { name: "gone".to_owned(), result: Err("no such file\nand more".to_owned()) });
    clusters::worst_first(&mut entries);
    let order = ["could-not-read", "blocked", "cant-tell", "ready-with-warnings", "ready"];
    let ranks: Vec<usize> = entries.iter().map(|e| order.iter().position(|o| *o == e.verdict()).unwrap()).collect();
    assert!(ranks.is_sorted(), "{ranks:?}");
    assert!(ranks.contains(&1) && ranks.contains(&2));
    let text = render("Clusters", &clusters::document(&entries), Format::Text);
    assert_eq!(text.lines().count(), entries.len() + 1, "{text}");
    assert!(text.lines().nth(1).unwrap().contains("gone"), "{text}");
}
