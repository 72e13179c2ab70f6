//! The rehearsal script, as the planner writes it, run with a backup snapshot of a real cluster: it passes where the
//! upgrade would, fails on a cut file, leaves nothing behind and does not touch the cluster.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::upgrade::{ANSWERS, label};
use crate::binaries::{Binaries, Releases};
use crate::host::Host;
use crate::table::Table;
use crate::ways::{KEY, VALUE};
use crate::{planner, ports};

const SCENARIO: &str = "rehearsal script";
/// A member of its own flags, so that the script has some to carry.
const FLAGS: [&str; 2] = ["--auto-compaction-retention=8h", "--experimental-compaction-batch-limit=500"];
/// How long one rehearsal may take.
const LIMIT: Duration = Duration::from_secs(420);

/// Rehearses the way from each version at hand to the newest.
pub fn run(releases: &Releases, table: &mut Table) -> Result<()> {
    let routes: Vec<&[Binaries]> =
        (0..releases.all.len().saturating_sub(1)).filter_map(|at| releases.all.get(at..)).collect();
    for route in routes {
        let route: Vec<&Binaries> = route.iter().collect();
        let result = rehearse(releases, &route)
            .map(|(checks, differs)| (format!("passed in {checks} checks; a cut file fails"), differs));
        table.came_to(SCENARIO, "run with a backup snapshot", &label(&route), result);
    }
    Ok(())
}

/// Gives how many checks the script passed, and how advice and etcd differ.
fn rehearse(releases: &Releases, route: &[&Binaries]) -> Result<(usize, Vec<String>)> {
    let (from, to) = (route.first().context("a route")?, route.last().context("a route")?);
    let mut differs = Vec::new();
    let mut host = Host::new(releases, from)?;
    host.flags.extend(FLAGS.map(str::to_owned));
    host.start_three(from)?;
    host.ok(&format!("etcdctl --endpoints={} put {KEY} {VALUE}", host.endpoints()))?;
    let first = host.members.first().context("no members")?.client.clone();
    host.ok(&format!("etcdctl --endpoints={first} snapshot save backup.db"))?;
    let report = planner::judge(&host, &planner::collect(&host)?, &to.version.to_string(), &ANSWERS)?;
    let script = report.rehearsal.as_ref().context("the report has no rehearsal")?;
    for flag in FLAGS {
        ensure!(script.contains(flag), "the script does not carry {flag}");
    }
    fs::write(host.home().join("rehearsal.sh"), script)?;
    // The cut file first: it must fail and clean up as well.
    let whole = fs::read(host.home().join("backup.db"))?;
    fs::write(host.home().join("cut.db"), whole.get(..whole.len() / 2).unwrap_or_default())?;
    let mut passed = 0;
    for (file, passes) in [("cut.db", false), ("backup.db", true)] {
        let base = ports::free_run(u16::try_from(2 * host.members.len())?)?;
        let ended = host.sh(&format!("PORT={base} sh rehearsal.sh {file}"), LIMIT)?;
        let text = ended.text();
        if (ended.code == Some(0)) != passes {
            let end: Vec<&str> = text.lines().rev().take(25).collect();
            let end: Vec<&str> = end.into_iter().rev().collect();
            differs.push(format!("with {file} the script ends with {:?}:\n{}", ended.code, end.join("\n")));
        }
        if passes {
            passed = text.lines().filter(|line| line.starts_with("ok ")).count();
        }
        let left: Vec<String> = fs::read_dir(host.path())?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.starts_with("etcd-rehearsal."))
            .collect();
        if !left.is_empty() {
            differs.push(format!("with {file} the script leaves {} behind", left.join(", ")));
        }
        if ports::in_use(base) {
            differs.push(format!("with {file} the script leaves a member running"));
        }
    }
    // The cluster itself: nothing of it was touched.
    let said = host.ok(&format!("etcdctl --endpoints={} get etcd-upgrade-planner/rehearsal", host.endpoints()))?;
    if !said.trim().is_empty() {
        differs.push("the script wrote into the real cluster".to_owned());
    }
    Ok((passed, differs))
}
