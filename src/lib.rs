//! The etcd Upgrade Planner as a library: what an operator pasted goes in, a dated report comes out.
//!
//! Data flows one way, and nothing on the left knows anything on its right:
//! **evidence → cluster → intent → gates → plan → export**.
//!
//! - [`etcd`]: look-ups on what is true of etcd (releases, floors, flags, sources). The rows live in `data/`,
//!   `build.rs` turns them into const tables. Everything may use it; it uses nothing.
//! - [`evidence`]: pasted text becomes typed facts, each with the span of lines it was read from. Readers do no
//!   I/O: text comes in chunks ([`evidence::intake`]).
//! - [`cluster`]: facts of all pastes merged into members; contradictions and history kept; how commands for this
//!   cluster are written.
//! - [`intent`]: what the person wants, and the route of hops it takes.
//! - [`bump`]: the arithmetic of the revision bump that a restore needs.
//! - [`reconfiguration`]: the arithmetic of a change of members.
//! - [`gates`]: one question a hop asks, one file a gate; the verdict is their sum.
//! - [`plan`]: the ordered checklist and, at each step, which ways back are open.
//! - [`export`]: the report (JSON) and every format made from it.
//!
//! [`sort`] and [`sorted`] are used by all of them; the standard sorts and maps are compiled for each type anew.
//!
//! The library knows neither screen nor terminal. `main.rs` mounts the page (wasm) or runs the command line (native).
#![forbid(unsafe_code)]
// No input may make it panic: what comes from a person is never unwrapped or indexed.
#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, clippy::unwrap_used)]

pub mod bump;
pub mod cluster;
pub mod etcd;
pub mod evidence;
pub mod export;
pub mod gates;
pub mod intent;
pub mod plan;
pub mod reconfiguration;
pub mod sort;
pub mod sorted;

use cluster::Cluster;
use evidence::Evidence;
use evidence::answers::{AnswerKey, Answers};
use evidence::paste::Paste;
use export::report::Report;
use gates::waiver::Waiver;
use intent::{Intent, Target};
use time::OffsetDateTime;

/// Judges what was pasted: the whole road in one call. A pure function; `now` is the date the advice is for.
#[must_use]
pub fn judge(pastes: &[Paste], intent: &Intent, answers: &Answers, now: OffsetDateTime) -> Report {
    judge_with_waivers(pastes, intent, answers, &[], now)
}

/// The same, with warnings that somebody accepted.
#[must_use]
pub fn judge_with_waivers(
    pastes: &[Paste],
    intent: &Intent,
    answers: &Answers,
    waivers: &[Waiver],
    now: OffsetDateTime,
) -> Report {
    judge_read(pastes, &evidence::read(pastes), intent, answers, waivers, now)
}

/// The same, of pastes that are read already: `evidence` is what they say.
// Never inlined: in the page it is the door to the second part, which `xtask/src/split/roots.txt` names.
#[must_use]
#[inline(never)]
pub fn judge_read(
    pastes: &[Paste],
    evidence: &Evidence,
    intent: &Intent,
    answers: &Answers,
    waivers: &[Waiver],
    now: OffsetDateTime,
) -> Report {
    let cluster = cluster::merge(evidence);
    let answers = &with_platform(answers, intent, &cluster);
    let route = intent::route(intent, &cluster);
    let assessment = gates::assess(&cluster, &route, answers, waivers, now);
    let sheet = bump::Worksheet::fill(&cluster, answers, now);
    let plan = plan::make(&cluster, &route, &assessment, answers, &sheet);
    export::report::build(pastes, evidence, &cluster, &route, &assessment, &plan, answers, &sheet, now)
}

/// A release of a platform as the target says how etcd is run, where nothing else does.
fn with_platform(answers: &Answers, intent: &Intent, cluster: &Cluster) -> Answers {
    let mut answers = answers.clone();
    if let Target::Shipped(release) = &intent.to
        && cluster::commands::platform(cluster, &answers).is_none()
    {
        // The id is of the table the answer is held against, so it is taken.
        let _ = answers.take(&format!("{}={}", AnswerKey::RunBy.id(), release.platform.id));
    }
    answers
}
