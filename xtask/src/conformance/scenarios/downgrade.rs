//! The formal downgrade as written, and cancelled on the way: the commands of the checklist are executed one by one.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use etcd_upgrade_planner::etcd::hops;
use etcd_upgrade_planner::export::report::Report;

use super::upgrade::{ANSWERS, arrived, label};
use crate::binaries::{Binaries, Releases};
use crate::host::Host;
use crate::table::Table;
use crate::walk::Walked;
use crate::ways::{KEY, VALUE, Ways};
use crate::{api, planner};

const SCENARIO: &str = "downgrade as written";
/// The phase that lowers the version before anyone is swapped.
const LOWER: &str = "Lower the version";

/// Runs every hop that leads back.
pub fn run(releases: &Releases, table: &mut Table) -> Result<()> {
    for pair in releases.all.windows(2) {
        let [old, new] = pair else { continue };
        if !hops::leads_back(new.version.minor(), old.version.minor()) {
            continue;
        }
        let result = downgrade(releases, new, old);
        let result = result.map(|walked| (format!("cancelled once, then {}", walked.says()), walked.differs));
        table.came_to(SCENARIO, "steps done, ways back tried", &label(&[new, old]), result);
    }
    Ok(())
}

fn judge(host: &Host, to: &Binaries) -> Result<Report> {
    let to = to.version.to_string();
    planner::judge_for(host, &["downgrade", "--to", &to], &planner::collect(host)?, &ANSWERS)
}

fn downgrade(releases: &Releases, new: &Binaries, old: &Binaries) -> Result<Walked> {
    let mut walked = Walked::default();
    let mut host = Host::new(releases, new)?;
    host.start_three(new)?;
    host.ok(&format!("etcdctl --endpoints={} put {KEY} {VALUE}", host.endpoints()))?;
    let report = judge(&host, old)?;
    if !report.verdict.starts_with("ready") {
        walked.differs.push(format!("the verdict is {}: {}", report.verdict, planner::open(&report).join(" · ")));
        return Ok(walked);
    }
    // Lowered, and thought better of it: nobody was swapped, so the way back is to cancel.
    go(&host, &report, new, old, Some(LOWER), &mut walked)?;
    cancel(&host, new, &mut walked)?;
    let report = judge(&host, old)?;
    go(&host, &report, new, old, None, &mut walked)?;
    arrived(&host, old, &mut walked)?;
    Ok(walked)
}

/// Does the steps up to and with a phase, or all, and tries the ways back after each member.
fn go(
    host: &Host,
    report: &Report,
    new: &Binaries,
    old: &Binaries,
    until: Option<&str>,
    walked: &mut Walked,
) -> Result<()> {
    let ways = Ways::new(host);
    let mut reached = false;
    for (phase, _, step) in planner::steps(report) {
        if reached && until.is_some_and(|until| until != phase) {
            break;
        }
        reached |= until == Some(phase);
        if phase == "Close" {
            host.use_tools(old)?;
        }
        if !walked.step(host, step, String::new)? {
            break;
        }
        if let Some(member) = step.member.as_deref().filter(|_| step.id.ends_with("/verify")) {
            // The way back up: the newer release on what the member has now.
            if step.ways_back.swap.open && !ways.swap(member, new)? {
                walked.differs.push(format!("{}: swap is open, {} does not start", step.id, new.version));
            }
        }
    }
    if until.is_some() && !reached {
        walked.differs.push(format!("the checklist has no phase {until:?}"));
    }
    walked.ways += ways.tried.get();
    Ok(())
}

/// Cancels, and sees the storage version rise again.
fn cancel(host: &Host, new: &Binaries, walked: &mut Walked) -> Result<()> {
    let first = host.members.first().context("no members")?.client.clone();
    let risen = format!("{}.0", new.version.minor());
    let (_, lowered) = api::versions(host, &first)?;
    if lowered.as_deref() == Some(risen.as_str()) {
        walked.differs.push("the storage version did not fall".to_owned());
    }
    host.ok(&format!("etcdctl --endpoints={first} downgrade cancel"))?;
    walked.ways += 1;
    let start = Instant::now();
    while api::versions(host, &first)?.1.as_deref() != Some(risen.as_str()) {
        ensure!(start.elapsed() < Duration::from_secs(40), "the storage version does not rise after the cancel");
        std::thread::sleep(Duration::from_millis(300));
    }
    Ok(())
}
