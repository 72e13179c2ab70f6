//! The work on the page, in a browser.

use etcd_upgrade_planner::etcd::version::Version;
use etcd_upgrade_planner::evidence::fact::Kind;

use super::*;
use crate::app::{samples, storage};
use wasm_bindgen_test::wasm_bindgen_test;

const STATUS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/status.txt"));

/// A state under a prefix of its own, on a page that has loaded all of itself.
fn state(prefix: &'static str, fresh: bool) -> State {
    let state = first_part(prefix, fresh);
    state.second_part_arrived();
    state
}

/// A state on a page whose second part is still under way. Its owner lives on, as the page's does: timers may still
/// fire.
fn first_part(prefix: &'static str, fresh: bool) -> State {
    let owner = Owner::new();
    owner.set();
    std::mem::forget(owner);
    let shelf = Shelf::under(prefix);
    if fresh {
        shelf.clear();
    }
    State::load(shelf)
}

fn names(state: State) -> Vec<String> {
    state.heads.with_untracked(|heads| heads.iter().map(|h| h.name.clone()).collect())
}

fn text(state: State, id: PasteId) -> String {
    state.with_text(id, str::to_owned).unwrap()
}

#[wasm_bindgen_test]
fn pastes_are_numbered_and_a_free_number_is_taken_again() {
    let state = state("test-numbers", true);
    let first = state.add(None, "one".to_owned());
    state.add(None, "two".to_owned());
    state.add(Some("etcd.service".to_owned()), "three".to_owned());
    assert_eq!(names(state), ["paste 1", "paste 2", "etcd.service"]);
    state.remove(first);
    state.add(None, "four".to_owned());
    assert_eq!(names(state), ["paste 2", "etcd.service", "paste 1"]);
}

#[wasm_bindgen_test]
fn what_was_removed_comes_back_to_its_place() {
    let state = state("test-undo", true);
    let ids = ["a", "b", "c"].map(|t| state.add(None, t.to_owned()));
    state.rename(ids[1], "the middle one");
    state.set_member(ids[1], " m2 ");
    state.remove(ids[1]);
    assert_eq!(state.undo_words.get_untracked().as_deref(), Some("the middle one removed."));
    state.undo();
    assert_eq!(names(state), ["paste 1", "the middle one", "paste 3"]);
    assert_eq!(text(state, ids[1]), "b");
    assert_eq!(state.head(ids[1]).unwrap().member.as_deref(), Some("m2"));
    state.undo();
    assert_eq!(state.head(ids[1]).unwrap().member, None);
    state.undo();
    assert_eq!(names(state), ["paste 1", "paste 2", "paste 3"]);
    assert_eq!(state.undo_words.get_untracked(), None);
    state.undo();
    assert_eq!(names(state).len(), 3, "there is nothing more to take back");
}

#[wasm_bindgen_test]
fn edits_of_one_sitting_and_moves_of_one_paste_are_each_one_change() {
    let state = state("test-undo-edits", true);
    let ids = ["a", "b", "c"].map(|t| state.add(None, t.to_owned()));
    state.set_text(ids[0], "ab".to_owned());
    state.set_text(ids[0], "abc".to_owned());
    state.end_edit();
    state.set_text(ids[0], "abcd".to_owned());
    state.move_by(ids[0], false);
    state.move_by(ids[0], false);
    state.move_by(ids[0], false);
    assert_eq!(names(state), ["paste 2", "paste 3", "paste 1"]);
    assert_eq!(text(state, ids[0]), "abcd");
    state.undo();
    assert_eq!(names(state), ["paste 1", "paste 2", "paste 3"]);
    state.undo();
    assert_eq!(text(state, ids[0]), "abc");
    state.undo();
    assert_eq!(text(state, ids[0]), "a");
}

#[wasm_bindgen_test]
fn what_was_cleared_comes_back_and_what_was_begun_since_stays() {
    let state = state("test-undo-clear", true);
    state.add(Some("mine".to_owned()), "a".to_owned());
    state.new_cluster();
    state.add(Some("other".to_owned()), "b".to_owned());
    state.clear();
    assert_eq!((names(state).len(), state.clusters.get_untracked().len()), (0, 0));
    state.add(Some("new".to_owned()), "c".to_owned());
    state.undo();
    assert_eq!(names(state), ["other"]);
    let clusters = state.clusters.get_untracked();
    assert_eq!(clusters.len(), 3);
    let texts = |name: &str| {
        state.switch(clusters.iter().find(|c| c.name == name).unwrap().id);
        names(state)
    };
    assert_eq!(texts(storage::FIRST_NAME), ["mine"]);
    assert_eq!(texts("new work"), ["new"]);
    state.clear();
}

#[wasm_bindgen_test]
fn clusters_are_begun_copied_renamed_and_deleted_beside_each_other() {
    let state = state("test-clusters", true);
    state.add(None, STATUS.to_owned());
    state.answer(AnswerKey::Auth, "no").unwrap();
    state.rename_cluster(" prod ");
    state.duplicate();
    assert_eq!((names(state).len(), state.cluster.get_untracked().name.as_str()), (1, "prod, copy"));
    assert_eq!(state.answers.get_untracked().get(AnswerKey::Auth), Some("no"));
    state.rename_cluster("prod");
    assert_eq!(state.cluster.get_untracked().name, "prod 2");
    state.new_cluster();
    assert_eq!(names(state).len(), 0);
    let all = || state.clusters.get_untracked().into_iter().map(|c| c.name).collect::<Vec<_>>();
    assert_eq!(all(), ["prod", "prod 2", "cluster 1"]);
    state.delete_cluster();
    assert_eq!(all(), ["prod", "prod 2"]);
    assert_eq!((state.cluster.get_untracked().name.as_str(), names(state).len()), ("prod", 1));
    state.delete_cluster();
    state.undo();
    assert_eq!((state.cluster.get_untracked().name.as_str(), names(state).len()), ("prod", 1));
    assert_eq!(all().len(), 2);
    state.clear();
}

#[wasm_bindgen_test]
fn what_is_exported_is_imported_beside_what_is_there() {
    let state = state("test-import", true);
    state.add(Some("status".to_owned()), STATUS.to_owned());
    state.set_done("a step", true);
    state.rename_cluster("prod");
    state.new_cluster();
    state.add(None, "other".to_owned());
    let file = state.cluster_file(true);
    state.import(&file).unwrap();
    let said = state.said.get_untracked();
    assert!(said.contains("cluster 1 2") && said.contains("prod 2"), "{said}");
    assert_eq!(state.clusters.get_untracked().len(), 4);
    let id = state.clusters.get_untracked().iter().find(|c| c.name == "prod 2").unwrap().id;
    state.switch(id);
    assert_eq!(names(state), ["status"]);
    assert!(state.is_done("a step"));
    let before = state.clusters.get_untracked();
    assert!(state.import("{\"format\": \"etcd-upgrade-planner-clusters\", \"clusters\": 1}").is_err());
    assert_eq!(state.clusters.get_untracked(), before);
    state.clear();
}

#[wasm_bindgen_test]
fn two_tabs_on_one_cluster_lose_nothing() {
    let one = state("test-tabs", true);
    let first = one.add(None, "first".to_owned());
    one.keep();
    let other = state("test-tabs", false);
    one.add(None, "of one".to_owned());
    other.add(Some("of the other".to_owned()), "x".to_owned());
    one.set_text(first, "first, edited here".to_owned());
    other.set_text(first, "first, edited there".to_owned());
    one.keep();
    other.keep();
    one.keep();
    assert_eq!(one.heads.get_untracked(), other.heads.get_untracked());
    let all = names(one);
    assert_eq!(all.len(), 4, "{all:?}");
    let texts: Vec<String> = one.heads.get_untracked().iter().map(|h| text(one, h.id)).collect();
    for wanted in ["first, edited here", "first, edited there", "of one", "x"] {
        assert!(texts.iter().any(|t| t == wanted), "{wanted} in {texts:?}");
    }
    other.clear();
    one.keep();
    assert_eq!(names(one).len(), 0, "cleared in one tab is cleared in both");
}

#[wasm_bindgen_test]
fn two_tabs_that_keep_in_the_same_moment_lose_nothing() {
    let shelf = Shelf::under("test-tabs-race");
    for begun in [false, true] {
        let one = state("test-tabs-race", true);
        let stood = begun.then(|| {
            one.add(None, "first".to_owned());
            one.keep();
            shelf.load(storage::FIRST).unwrap()
        });
        let other = state("test-tabs-race", false);
        one.add(Some("of one".to_owned()), "x".to_owned());
        one.set_done("a step", true);
        one.keep();
        // The other has not seen it yet, and writes over it.
        match &stood {
            Some(stood) => shelf.keep(storage::FIRST, stood).unwrap(),
            None => drop(shelf.drop_cluster(storage::FIRST)),
        }
        other.add(Some("of the other".to_owned()), "y".to_owned());
        other.keep();
        other.set_done("another step", true);
        other.keep();
        if !begun {
            // With the work, its text was dropped above.
            one.all_unsaved();
        }
        one.keep();
        other.keep();
        assert_eq!(one.heads.get_untracked(), other.heads.get_untracked());
        let wanted = if begun { vec!["paste 1", "of one", "of the other"] } else { vec!["of one", "of the other"] };
        assert_eq!(names(one), wanted);
        for tab in [one, other] {
            assert!(tab.is_done("a step") && tab.is_done("another step"));
        }
        // What one of them takes out later is gone from both.
        let id = other.heads.get_untracked().iter().find(|h| h.name == "of one").unwrap().id;
        other.remove(id);
        other.keep();
        one.keep();
        assert_eq!(names(one).len(), wanted.len() - 1);
        one.clear();
    }
}

#[wasm_bindgen_test]
fn other_work_is_taken_over_beside_the_own() {
    let state = state("test-guest", true);
    state.add(None, "my own".to_owned());
    let guest = || Guest { title: "from a link".to_owned(), from: GuestFrom::Link, link: None };
    let work = || Work { pastes: vec![Paste::new("theirs", "x")], ..Work::default() };
    state.open_work(guest(), work());
    state.close_work();
    assert_eq!(names(state), ["paste 1"]);
    state.open_work(guest(), work());
    state.add(None, "more".to_owned());
    assert_eq!((names(state), state.guest.get_untracked()), (vec!["theirs".to_owned(), "paste 1".to_owned()], None));
    let clusters: Vec<String> = state.clusters.get_untracked().into_iter().map(|c| c.name).collect();
    assert_eq!(clusters, [storage::FIRST_NAME, "from a link"]);
    state.clear();
}

#[wasm_bindgen_test]
fn what_there_is_no_room_for_outlives_samples_and_other_clusters() {
    let state = state("test-no-room", true);
    state.add(Some("huge".to_owned()), "y".repeat(12_000_000));
    state.keep();
    assert_eq!(state.texts_not_kept.get_untracked().len(), 1);
    state.open_sample(&samples::ALL[0]);
    state.close_work();
    assert_eq!(names(state), ["huge"]);
    let id = state.cluster.get_untracked().id;
    state.new_cluster();
    assert_eq!(state.not_kept.get_untracked(), None);
    state.switch(id);
    assert_eq!((names(state), state.texts_not_kept.get_untracked().len()), (vec!["huge".to_owned()], 1));
    state.clear();
}

#[wasm_bindgen_test]
fn a_reload_finds_the_work_as_it_was() {
    let before = state("test-reload", true);
    let id = before.add(Some("status.txt".to_owned()), STATUS.to_owned());
    before.set_kind(id, Some(Kind::EndpointStatus));
    before.set_to(Target::Version(Version::new(3, 6, 11)));
    before.answer(AnswerKey::Auth, "no").unwrap();
    before.set_done("a step", true);
    before.write_beside("a step", |record| record.owner = "ana".to_owned());
    before.write_beside("another", |record| record.note = "later".to_owned());
    before.write_beside("another", |record| record.note.clear());
    before.set_draft("half a line".to_owned());
    before.keep();
    assert_eq!(before.not_kept.get_untracked(), None);

    let after = state("test-reload", false);
    assert_eq!(after.heads.get_untracked(), before.heads.get_untracked());
    assert_eq!(text(after, id), STATUS);
    assert_eq!(after.to.get_untracked(), Target::Version(Version::new(3, 6, 11)));
    assert_eq!(after.answers.get_untracked().get(AnswerKey::Auth), Some("no"));
    let records = after.records.get_untracked();
    assert_eq!(records, before.records.get_untracked());
    assert_eq!(records.keys().collect::<Vec<_>>(), ["a step"], "what was wiped out is not kept");
    let beside = records.get("a step").cloned().unwrap_or_default();
    assert!(after.is_done("a step") && beside.owner == "ana" && !beside.time.is_empty());
    assert_eq!(after.draft(), "half a line");
    after.clear();
    assert_eq!(state("test-reload", false).heads.get_untracked(), []);
}

#[wasm_bindgen_test]
fn the_report_is_that_of_the_pastes() {
    let state = state("test-judge", true);
    let id = state.add(None, STATUS.to_owned());
    state.judge();
    assert_eq!(state.report(|r| r.members.len()), 3);
    assert_eq!(state.seen_in(id).recognised.first().map(|r| r.kind.clone()).as_deref(), Some("endpoint-status"));
    assert_eq!(state.seen_in(id).unread, []);
    state.set_text(id, "nothing etcd prints".to_owned());
    state.judge();
    assert_eq!(state.seen_in(id).recognised, []);
    assert_eq!(state.seen_in(id).unread.len(), 1);
    assert_eq!(state.report(|r| r.verdict.clone()), "cant-tell");
}

#[wasm_bindgen_test]
fn nothing_is_judged_before_the_second_part_is_there_and_all_of_it_then() {
    let state = first_part("test-first-part", true);
    let id = state.add(None, STATUS.to_owned());
    state.judge();
    state.open_sample(&samples::ALL[0]);
    state.close_work();
    assert!(state.judged.with_untracked(Option::is_none));
    assert_eq!(text(state, id), STATUS);
    state.second_part_arrived();
    assert_eq!(state.report(|r| r.members.len()), 3);
}

#[wasm_bindgen_test]
fn an_answer_that_does_not_fit_leaves_the_old_one() {
    let state = state("test-answers", true);
    state.answer(AnswerKey::SnapshotTaken, "in-plan").unwrap();
    assert!(state.answer(AnswerKey::SnapshotTaken, "yesterday").is_err());
    assert_eq!(state.answers.get_untracked().get(AnswerKey::SnapshotTaken), Some("in-plan"));
    state.answer(AnswerKey::SnapshotTaken, " ").unwrap();
    assert_eq!(state.answers.get_untracked().get(AnswerKey::SnapshotTaken), None);
}

#[wasm_bindgen_test]
fn a_large_paste_is_read_in_turns_once_and_judged_when_it_is_whole() {
    let state = state("test-turns", true);
    let log = "{\"level\":\"info\",\"ts\":\"2026-11-30T11:25:00Z\",\"msg\":\"nothing\"}\n".repeat(80_000);
    let id = state.add(Some("etcd.log".to_owned()), format!("{log}{STATUS}"));
    state.add(None, "nobody knows this".to_owned());
    // Edited while it is being read: what was read of the text before does not count.
    state.judge();
    assert!(state.percent_read(id).is_some_and(|percent| percent < 100), "it does not fit into one turn");
    assert!(!state.judging());
    state.set_text(id, format!("{log}{log}{STATUS}"));
    let turns = || {
        let mut turns = 0;
        loop {
            state.judge();
            turns += 1;
            if state.percent_read(id).is_none() {
                return turns;
            }
        }
    };
    assert!(turns() > 1);
    assert_eq!(state.report(|r| r.members.len()), 3);
    let first_line = state.report(|r| r.recognised.iter().map(|r| r.first_line).max());
    assert!(first_line > Some(160_000), "{first_line:?}");
    assert_eq!(state.seen_in(id).recognised.len(), state.report(|r| r.recognised.len()));
    state.answer(AnswerKey::SnapshotTaken, "in-plan").unwrap();
    assert_eq!(turns(), 1, "another answer does not read it again");
    state.rename(id, "etcd.service");
    assert!(turns() > 1, "its name may say what it is");
}

#[wasm_bindgen_test]
fn samples_never_touch_the_own_work() {
    let state = state("test-samples", true);
    state.add(None, "my own".to_owned());
    for sample in samples::ALL {
        state.open_sample(sample);
        assert_eq!(names(state).len(), sample.pastes.len(), "{}", sample.title);
        assert!(state.report(|r| !r.members.is_empty()), "{}", sample.title);
        state.keep();
    }
    state.close_work();
    assert_eq!(names(state), ["paste 1"]);
    state.open_sample(&samples::ALL[0]);
    state.add(None, "more of my own".to_owned());
    assert_eq!(names(state), ["paste 1", "paste 2"]);
    assert_eq!(state.guest.get_untracked(), None);
}

#[wasm_bindgen_test]
fn every_answer_of_a_sample_fits_its_question() {
    for sample in samples::ALL {
        assert_eq!(sample.answers().iter().count(), sample.answer_count(), "{}", sample.title);
    }
}
