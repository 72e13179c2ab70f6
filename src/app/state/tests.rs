//! The work on the page, in a browser.

use etcd_upgrade_planner::etcd::version::Version;
use etcd_upgrade_planner::evidence::fact::Kind;

use super::*;
use crate::app::samples;
use wasm_bindgen_test::wasm_bindgen_test;

const STATUS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/status.txt"));

/// A state under a prefix of its own. Its owner lives on, as the page's does: timers may still fire.
fn state(prefix: &'static str, fresh: bool) -> State {
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
    assert_eq!(state.removed_name.get_untracked().as_deref(), Some("the middle one"));
    state.put_back();
    assert_eq!(names(state), ["paste 1", "the middle one", "paste 3"]);
    assert_eq!(text(state, ids[1]), "b");
    assert_eq!(state.head(ids[1]).unwrap().member.as_deref(), Some("m2"));
    state.put_back();
    assert_eq!(names(state).len(), 3, "it comes back once");
}

#[wasm_bindgen_test]
fn a_reload_finds_the_work_as_it_was() {
    let before = state("test-reload", true);
    let id = before.add(Some("status.txt".to_owned()), STATUS.to_owned());
    before.set_kind(id, Some(Kind::EndpointStatus));
    before.set_to(Target::Version(Version::new(3, 6, 11)));
    before.answer(AnswerKey::Auth, "no").unwrap();
    before.set_done("a step", true);
    before.set_draft("half a line".to_owned());
    before.keep();
    assert_eq!(before.not_kept.get_untracked(), None);

    let after = state("test-reload", false);
    assert_eq!(after.heads.get_untracked(), before.heads.get_untracked());
    assert_eq!(text(after, id), STATUS);
    assert_eq!(after.to.get_untracked(), Target::Version(Version::new(3, 6, 11)));
    assert_eq!(after.answers.get_untracked().get(AnswerKey::Auth), Some("no"));
    assert!(after.done.get_untracked().iter().any(|step| step == "a step"));
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
fn an_answer_that_does_not_fit_leaves_the_old_one() {
    let state = state("test-answers", true);
    state.answer(AnswerKey::SnapshotTaken, "in-plan").unwrap();
    assert!(state.answer(AnswerKey::SnapshotTaken, "yesterday").is_err());
    assert_eq!(state.answers.get_untracked().get(AnswerKey::SnapshotTaken), Some("in-plan"));
    state.answer(AnswerKey::SnapshotTaken, " ").unwrap();
    assert_eq!(state.answers.get_untracked().get(AnswerKey::SnapshotTaken), None);
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
    state.close_sample();
    assert_eq!(names(state), ["paste 1"]);
    state.open_sample(&samples::ALL[0]);
    state.add(None, "more of my own".to_owned());
    assert_eq!(names(state), ["paste 1", "paste 2"]);
    assert_eq!(state.sample.get_untracked(), None);
}

#[wasm_bindgen_test]
fn every_answer_of_a_sample_fits_its_question() {
    for sample in samples::ALL {
        assert_eq!(sample.answers().iter().count(), sample.answer_count(), "{}", sample.title);
    }
}
