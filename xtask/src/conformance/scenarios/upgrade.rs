//! The upgrade as written: the commands of the generated checklist are executed one by one, what each step says to
//! expect is held against what they print, and whether each way back is open as the step says is tried on a copy.

use std::fs;

use anyhow::{Context, Result};
use etcd_upgrade_planner::etcd::hops;
use etcd_upgrade_planner::etcd::version::Minor;
use etcd_upgrade_planner::export::report::{Report, StepOut};

use super::side_by_side;
use crate::binaries::{Binaries, Releases};
use crate::host::Host;
use crate::table::Table;
use crate::walk::Walked;
use crate::ways::{KEY, VALUE, Ways};
use crate::{api, planner};

const SCENARIO: &str = "upgrade as written";

/// The answers of a person who runs etcd as plain processes and takes the backup snapshot as planned.
pub const ANSWERS: [&str; 4] = ["run-by=plain-process", "snapshot-taken=in-plan", "auth=no", "watch-caches=no"];

/// Runs every route between the versions at hand.
pub fn run(releases: &Releases, table: &mut Table) -> Result<()> {
    let routes: Vec<Vec<&Binaries>> = routes(releases);
    // Each route has a host of its own, and waits more than it computes.
    let results = side_by_side(&routes, |route| upgrade(releases, route));
    for (route, result) in routes.iter().zip(results) {
        let result = result.map(|walked| (walked.says(), walked.differs));
        table.came_to(SCENARIO, "steps done, ways back tried", &label(route), result);
    }
    Ok(())
}

/// One hop each, and all that lie between the oldest and the newest minor whose hops follow each other from 3.5 on.
fn routes(releases: &Releases) -> Vec<Vec<&Binaries>> {
    let mut routes: Vec<Vec<&Binaries>> = releases.all.windows(2).map(|pair| pair.iter().collect()).collect();
    // The hop that needs what the hop before it left behind.
    let last = releases.all.len().checked_sub(3).and_then(|at| releases.all.get(at..));
    routes.extend(last.map(|three| three.iter().collect()));
    routes
}

/// How a route is called in the table.
pub fn label(route: &[&Binaries]) -> String {
    route.iter().map(|b| b.version.minor().to_string()).collect::<Vec<String>>().join(" → ")
}

fn upgrade(releases: &Releases, route: &[&Binaries]) -> Result<Walked> {
    let (from, to) = (route.first().context("a route")?, route.last().context("a route")?);
    let mut host = Host::new(releases, from)?;
    host.start_three(from)?;
    host.ok(&format!("etcdctl --endpoints={} put {KEY} {VALUE}", host.endpoints()))?;
    let born = format!("born-on={}", from.version.minor());
    let answers: Vec<&str> = ANSWERS.into_iter().chain([born.as_str()]).collect();
    let report = planner::judge(&host, &planner::collect(&host)?, &to.version.to_string(), &answers)?;
    let mut walked = Walked::default();
    if !report.verdict.starts_with("ready") {
        walked.differs.push(format!("the verdict is {}: {}", report.verdict, planner::open(&report).join(" · ")));
        return Ok(walked);
    }
    go(&host, releases, &report, None, &mut walked)?;
    arrived(&host, to, &mut walked)?;
    Ok(walked)
}

/// Does every step, or those of one phase, and tries the ways back where the step changes them.
pub fn go(host: &Host, releases: &Releases, report: &Report, only: Option<&str>, walked: &mut Walked) -> Result<()> {
    let ways = Ways::new(host);
    for (phase, hop, step) in planner::steps(report) {
        if only.is_some_and(|only| only != phase) {
            continue;
        }
        let hop = hop.and_then(|hop| hop_of(releases, hop));
        if phase == "Close"
            && let Some((_, new)) = hop
        {
            // Whoever types moves their own tools with the cluster.
            host.use_tools(new)?;
        }
        if !walked.step(host, step, || format!("\n{}", last_words(host, step)))? {
            break;
        }
        if let Some((old, new)) = hop {
            walked.differs.extend(try_ways(host, &ways, step, old, new)?);
        }
    }
    walked.ways += ways.tried.get();
    Ok(())
}

/// The versions of a hop, from its words.
fn hop_of<'a>(releases: &'a Releases, hop: &str) -> Option<(&'a Binaries, &'a Binaries)> {
    let (from, to) = hop.split_once(" → ")?;
    let of = |minor: &str| releases.all.iter().find(|b| b.version.minor().to_string() == minor);
    Some((of(from)?, of(to)?))
}

/// Tries the ways back after the steps that decide about them, and says where they are not as the step says.
fn try_ways(host: &Host, ways: &Ways<'_>, step: &StepOut, old: &Binaries, new: &Binaries) -> Result<Vec<String>> {
    let mut differs = Vec::new();
    let back = &step.ways_back;
    let from = old.version.minor();
    let formal = hops::from(from).is_some_and(|rules| rules.formal_downgrade);
    let (moved, raised) = (step.id.ends_with("/verify"), step.id.ends_with("close/cluster-version"));
    if step.id.ends_with("right-before/backup-verify") || raised {
        let file = host.home().join(format!("etcd-before-{}.db", new.version.minor()));
        let works = ways.restore(&file, old)?;
        if works != back.restore.open {
            differs.push(format!("{}: restore open: {}, it works: {works}", step.id, back.restore.open));
        }
    }
    if !(moved || raised) {
        return Ok(differs);
    }
    let member = step.member.as_deref().unwrap_or("m1");
    let open = if back.swap.open { ways.swap(member, old)? } else { !ways.swap_shuts(member, old)? };
    if open != back.swap.open {
        differs.push(format!("{}: swap open: {}, {} starts on {member}: {open}", step.id, back.swap.open, old.version));
    }
    if formal && (raised || back.swap.open) {
        let accepted = ways.downgrade_is_accepted(new, from)?;
        if accepted != back.downgrade.open {
            differs.push(format!("{}: downgrade open: {}, it is accepted: {accepted}", step.id, back.downgrade.open));
        }
    }
    if formal && raised && !ways.downgrade(member, new, old)? {
        differs.push(format!("{}: the formal downgrade of a copy does not reach {}", step.id, old.version));
    }
    Ok(differs)
}

/// Is every member on the version, and is what was written still there?
pub fn arrived(host: &Host, to: &Binaries, walked: &mut Walked) -> Result<()> {
    if !walked.differs.is_empty() {
        return Ok(());
    }
    let first = host.members.first().context("no members")?;
    let version = to.version.to_string();
    for (name, member) in api::members(host, &first.client)? {
        if member.version.as_deref() != Some(version.as_str()) {
            walked.differs.push(format!("{name} runs {:?} at the end", member.version));
        }
    }
    let minor: Minor = to.version.minor();
    let (cluster, storage) = api::versions(host, &first.client)?;
    if cluster != format!("{minor}.0") || storage.is_some_and(|s| s != format!("{minor}.0")) {
        walked.differs.push(format!("the cluster version is {cluster} at the end"));
    }
    if !host.ok(&format!("etcdctl --endpoints={} get {KEY}", host.endpoints()))?.contains(VALUE) {
        walked.differs.push("what was written before is gone".to_owned());
    }
    Ok(())
}

/// The end of the log of the member a step is about.
fn last_words(host: &Host, step: &StepOut) -> String {
    let Some(member) = &step.member else { return String::new() };
    let log = fs::read_to_string(host.home().join(format!("etcd-{member}.log"))).unwrap_or_default();
    let lines: Vec<&str> = log.lines().rev().filter(|l| !l.contains("\"info\"")).take(4).collect();
    lines.iter().map(|l| l.chars().take(300).collect::<String>()).collect::<Vec<String>>().join("\n")
}
