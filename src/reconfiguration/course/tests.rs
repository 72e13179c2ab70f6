//! Courses over built clusters: every change, every size, members down, versions on both sides of the rules.

use super::*;
use crate::cluster::testing::{Build, members};

fn course(build: &Build, answers: &[&str]) -> Course {
    let mut given = Answers::new();
    answers.iter().for_each(|answer| given.take(answer).unwrap());
    Course::of(&build.build(), &given)
}

fn acts(course: &Course) -> Vec<String> {
    let name = |stage: &Stage| format!("{} {}", stage.act.id(), course.seats[stage.seat].label);
    course.stages.iter().map(name).collect()
}

/// Who comes in, where nobody else is called so.
const NEW: [&str; 2] = ["new-name=m9", "new-peer-url=https://10.0.0.9:2380"];
/// Who came in before the paste.
const FOURTH: [&str; 2] = ["new-name=m4", "new-peer-url=https://10.0.0.4:2380"];

fn course_of(build: &Build, change: &str) -> Course {
    course_with(build, change, NEW)
}

fn course_with(build: &Build, change: &str, new: [&str; 2]) -> Course {
    let change = format!("change={change}");
    course(build, &[&change, new[0], new[1]])
}

#[test]
fn a_member_that_lives_goes_last() {
    let course = course_of(&members(3, "3.5.33"), "replace=m2");
    assert_eq!(acts(&course), ["add-learner m9", "start m9", "catch-up m9", "promote m9", "remove m2"]);
    assert!(course.is_open());
    assert_eq!(course.end(), Tally { voters: 3, started: 3, reachable: 3, learners: 0 });
}

#[test]
fn a_member_that_is_down_goes_first() {
    let course = course_of(&members(3, "3.5.29").unreachable("m2"), "replace=m2");
    assert_eq!(acts(&course), ["remove m2", "add-learner m9", "start m9", "catch-up m9", "promote m9"]);
    assert!(course.is_open(), "{course:?}");
}

#[test]
fn the_leader_hands_over_before_it_goes() {
    let course = course_of(&members(3, "3.5.33"), "replace=m1");
    let last: Vec<String> = acts(&course).split_off(4);
    assert_eq!(last, ["move-leader m1", "remove m1"]);
    let Act::MoveLeader { to } = course.stages[4].act else { panic!("{course:?}") };
    assert_eq!(course.seats[to].label, "m9", "the one that stays");
    let alone = course_of(&members(1, "3.5.33"), "remove=m1");
    assert_eq!(alone.refused().map(|(_, why)| why), Some(Refusal::LastVoter));
}

#[test]
fn without_learners_the_new_member_votes_at_once_where_that_bears_it() {
    let three = course_of(&members(3, "3.3.27"), "add-voter");
    assert_eq!(acts(&three), ["add-voter m9", "start m9", "catch-up m9"]);
    assert!(three.is_open());
    let one = course_of(&members(1, "3.3.27"), "add-voter");
    assert_eq!(one.refused().map(|(_, why)| why), Some(Refusal::LosesQuorum), "nobody else votes until it starts");
}

#[test]
fn a_course_begins_where_the_cluster_stands() {
    let four = || members(4, "3.5.33").learner("m4");
    let unstarted = four().listed("m4", |row| (row.started, row.name) = (false, None));
    let unstarted =
        course(&unstarted.not_in_status_id(4), &["change=replace=m2", "new-peer-url=https://10.0.0.4:2380"]);
    assert_eq!(
        acts(&unstarted)[..2],
        ["start https://10.0.0.4:2379".to_owned(), "catch-up https://10.0.0.4:2379".to_owned()]
    );
    let behind = course_with(&four().behind("m4", 60_000), "replace=m2", FOURTH);
    assert_eq!(acts(&behind), ["catch-up m4", "promote m4", "remove m2"]);
    let promoted = course_with(&members(4, "3.5.33"), "replace=m2", FOURTH);
    assert_eq!(acts(&promoted), ["remove m2"]);
    let done = course_with(&members(4, "3.5.33").without("m2"), "replace=m2", FOURTH);
    assert_eq!((acts(&done), done.problem), (vec![], None));
}

#[test]
fn a_change_of_nobody_or_to_what_is_there_is_a_problem() {
    let three = members(3, "3.5.33");
    assert_eq!(course_of(&three, "remove=m9").problem, Some(Problem::NoSuchMember("m9".to_owned())));
    assert_eq!(course_of(&three, "replace=m9").problem, Some(Problem::NoSuchMember("m9".to_owned())));
    assert_eq!(course_of(&three, "grow=3").problem, Some(Problem::AlreadySo(3)));
    assert_eq!(course_of(&three, "shrink=3").problem, Some(Problem::AlreadySo(3)));
    let learner = members(4, "3.5.33").learner("m4");
    assert_eq!(course_of(&learner, "promote=m1").problem, Some(Problem::NoLearner("m1".to_owned())));
    assert!(course_of(&three, "remove=a2").is_open(), "by its id");
    assert!(course_of(&three, "remove=https://10.0.0.2:2380").is_open(), "by its peer URL");
}

#[test]
fn one_learner_at_a_time() {
    let course = course_with(&members(4, "3.5.33").learner("m4"), "grow=5", FOURTH);
    assert_eq!(acts(&course)[..2], ["catch-up m4".to_owned(), "promote m4".to_owned()], "the one that is there first");
    let other = members(4, "3.5.33").learner("m4");
    let other = self::course(&other, &["change=add-voter", "new-name=m9"]);
    assert_eq!(other.refused().map(|(_, why)| why), Some(Refusal::TooManyLearners(1)));
}

#[test]
fn a_cluster_grows_shrinks_and_moves_one_member_at_a_time() {
    let grown = course(&members(1, "3.5.33"), &["change=grow=5", "new-name=m2,m3"]);
    assert_eq!(grown.end().voters, 5);
    assert_eq!(grown.stages.iter().filter(|s| s.act == Act::AddLearner).count(), 4);
    let shrunk = course_of(&members(5, "3.5.33").unreachable("m4"), "shrink=3");
    assert_eq!(acts(&shrunk), ["remove m4", "remove m5"]);
    let moved = course(&members(3, "3.5.33"), &["change=move", "new-name=n1,n2,n3"]);
    let removed: Vec<String> = acts(&moved).into_iter().filter(|act| act.starts_with("remove")).collect();
    assert_eq!(removed, ["remove m2", "remove m3", "remove m1"], "the leader last");
    assert_eq!(moved.end(), Tally { voters: 3, started: 3, reachable: 3, learners: 0 });
}

/// Every change over every size, with members down and on both sides of every version: where the course is open, no
/// stage has fewer voters answering than a quorum, and every stage is what the rules take.
#[test]
fn no_open_course_has_a_stage_without_a_quorum() {
    let mut walked = 0;
    for version in ["3.3.27", "3.4.45", "3.5.29", "3.5.30", "3.6.10", "3.6.11", "3.7.3"] {
        for size in 1..=7_u64 {
            for down in 0..=3_u64.min(size) {
                let mut build = members(size, version);
                for n in 0..down {
                    build = build.unreachable(&format!("m{}", size - n));
                }
                for change in ["replace=m1", "add-voter", "add-learner", "remove=m1", "move", "grow=5", "shrink=1"]
                    .into_iter()
                    .map(str::to_owned)
                    .chain([format!("replace=m{size}"), format!("remove=m{size}")])
                {
                    let course = course_of(&build, &change);
                    let place = format!("{version}: {size} voters, {down} down, {change}: {:?}", acts(&course));
                    if !course.now.holds() {
                        assert!(!course.is_open(), "{place}: there is no quorum to agree");
                        continue;
                    }
                    if !course.is_open() {
                        continue;
                    }
                    walked += 1;
                    for stage in &course.stages {
                        assert!(stage.after.holds(), "{place}: {stage:?}");
                        assert!(stage.after.learners <= 1, "{place}: {stage:?}");
                    }
                }
            }
        }
    }
    assert!(walked > 400, "only {walked} courses were open");
}

/// `ADD-MEMBER-ONE-DOWN`: the same change on both sides of the version that relaxed the rule.
#[test]
fn five_with_one_down_may_add_on_the_newer_side_only() {
    for (version, open) in [("3.5.29", false), ("3.5.30", true), ("3.6.10", false), ("3.6.11", true)] {
        let course = course_of(&members(5, version).unreachable("m5"), "add-voter");
        assert_eq!(course.is_open(), open, "{version}");
        let three = course_of(&members(3, version).unreachable("m3"), "add-voter");
        assert!(!three.is_open(), "{version}: of three with one down nobody may add");
        for size in [3, 5] {
            let dead = format!("m{size}");
            let replaced = course_of(&members(size, version).unreachable(&dead), &format!("replace={dead}"));
            assert!(replaced.is_open(), "{version}: a dead one of {size} can be replaced");
        }
    }
}
