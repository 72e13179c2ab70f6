//! The two outages that no document of etcd names: the planner stops them, they are real, and its cure works.
//!
//! - *v2 API on*: with it on, a health probe leaves a v2 record in the WAL, and 3.6 panics on it.
//! - *No disk snapshot*: after 3.5 → 3.6, 3.7 panics on what 3.5 left in the WAL of a member that has not taken a disk
//!   snapshot since.

use anyhow::Result;
use etcd_upgrade_planner::etcd::flags::name;
use etcd_upgrade_planner::etcd::hops;
use etcd_upgrade_planner::export::report::Report;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::side_by_side;
use super::upgrade::{ANSWERS, arrived, go, label};
use crate::binaries::{Binaries, Releases};
use crate::host::Host;
use crate::table::Table;
use crate::walk::Walked;
use crate::ways::{KEY, VALUE, Ways};
use crate::{api, planner};

const SCENARIO: &str = "outages";
const NAMES: [&str; 3] = ["m1", "m2", "m3"];

/// Runs both.
pub fn run(releases: &Releases, table: &mut Table) -> Result<()> {
    type Outage = fn(&Releases, &[&Binaries]) -> Result<Walked>;
    let mut cases: Vec<(&str, Vec<&Binaries>, Outage)> = Vec::new();
    for pair in releases.all.windows(2) {
        if rules(&pair[0]).is_some_and(|r| r.checks_v2_store) {
            cases.push(("v2 API on and probed", pair.iter().collect(), v2_probed));
        }
    }
    for three in releases.all.windows(3) {
        if rules(&three[1]).is_some_and(|r| r.needs_disk_snapshot) {
            cases.push(("no disk snapshot", three.iter().collect(), no_disk_snapshot));
        }
    }
    let results = side_by_side(&cases, |(_, route, outage)| outage(releases, route));
    for ((case, route, _), result) in cases.iter().zip(results) {
        let result = result.map(|walked| (format!("stopped, real, cured in {}", walked.says()), walked.differs));
        table.came_to(SCENARIO, case, &label(route), result);
    }
    Ok(())
}

/// What the hop from a version demands.
fn rules(from: &Binaries) -> Option<&'static hops::HopRules> {
    hops::from(from.version.minor())
}

/// What the planner says of a host now.
fn judge(host: &Host, to: &Binaries, more: &[String]) -> Result<Report> {
    let answers: Vec<&str> = ANSWERS.into_iter().chain(more.iter().map(String::as_str)).collect();
    planner::judge(host, &planner::collect(host)?, &to.version.to_string(), &answers)
}

/// Does one of these gates answer so?
fn says(report: &Report, gates: &[&str], outcomes: &[&str]) -> bool {
    gates.iter().any(|gate| planner::findings(report, gate).any(|f| outcomes.contains(&f.outcome.as_str())))
}

/// The new version must panic on a copy of each member.
fn panics(host: &Host, new: &Binaries, walked: &mut Walked) -> Result<()> {
    let ways = Ways::new(host);
    for member in NAMES {
        match ways.start_copy(member, new)? {
            Some(log) if log.contains("panic") => {}
            Some(log) => {
                let last = log.lines().last().unwrap_or_default();
                walked.differs.push(format!("{} ends on {member} without a panic: {last}", new.version));
            }
            None => {
                walked.differs.push(format!("{} serves on {member}, where the planner foretells a panic", new.version))
            }
        }
    }
    Ok(())
}

/// Once the cure was taken: ready, and the rest of the checklist leads to the target.
fn ready_then_go(host: &Host, releases: &Releases, to: &Binaries, more: &[String], walked: &mut Walked) -> Result<()> {
    if !walked.differs.is_empty() {
        return Ok(());
    }
    let report = judge(host, to, more)?;
    if !report.verdict.starts_with("ready") {
        let open = planner::open(&report).join(" · ");
        walked.differs.push(format!("after its cure the verdict is {}: {open}", report.verdict));
        return Ok(());
    }
    go(host, releases, &report, None, walked)?;
    arrived(host, to, walked)
}

fn v2_probed(releases: &Releases, route: &[&Binaries]) -> Result<Walked> {
    let (old, new) = (route[0], route[1]);
    let mut walked = Walked::default();
    let mut host = Host::new(releases, old)?;
    host.flags.push(format!("--{}", name::ENABLE_V2));
    host.start_three(old)?;
    host.ok(&format!("etcdctl --endpoints={} put {KEY} {VALUE}", host.endpoints()))?;
    for member in &host.members {
        host.ok(&format!("curl -s {}/health", member.client))?;
    }
    let report = judge(&host, new, &[])?;
    if report.verdict != "blocked" || !says(&report, &["v2-api-enabled", "v2-records-in-wal"], &["blocked"]) {
        walked.differs.push(format!("the planner does not block: {}", report.summary));
    }
    panics(&host, new, &mut walked)?;
    go(&host, releases, &report, Some("Fix first"), &mut walked)?;
    ready_then_go(&host, releases, new, &[], &mut walked)?;
    Ok(walked)
}

fn no_disk_snapshot(releases: &Releases, route: &[&Binaries]) -> Result<Walked> {
    let (older, old, new) = (route[0], route[1], route[2]);
    let mut walked = Walked::default();
    let mut host = Host::new(releases, older)?;
    host.start_three(older)?;
    host.ok(&format!("etcdctl --endpoints={} put {KEY} {VALUE}", host.endpoints()))?;
    roll(&mut host, old)?;
    let raised = format!("{}.0", old.version.minor());
    let first = host.members[0].client.clone();
    let start = std::time::Instant::now();
    while api::versions(&host, &first)?.0 != raised {
        anyhow::ensure!(start.elapsed().as_secs() < 30, "the cluster version does not become {raised}");
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    let since = [format!("minor-since={}", OffsetDateTime::now_utc().format(&Rfc3339)?)];
    host.use_tools(old)?;

    // Whether or not it is said when the minor was reached: never ready.
    for more in [&[][..], &since[..]] {
        let report = judge(&host, new, more)?;
        if report.verdict.starts_with("ready") || !says(&report, &["v2-entries-before-37"], &["blocked", "cant-tell"]) {
            walked.differs.push(format!("the planner lets it pass with {more:?}: {}", report.summary));
        }
    }
    panics(&host, new, &mut walked)?;
    // The outage itself, on one member, and the way back.
    host.stop("m2")?;
    host.install("m2", new)?;
    host.start("m2", "existing", &[])?;
    if host.serves("m2")? {
        walked.differs.push(format!("{} serves on m2, where the planner foretells a panic", new.version));
    }
    host.stop("m2")?;
    host.install("m2", old)?;
    host.start("m2", "existing", &[])?;
    host.wait_healthy(&NAMES.map(str::to_owned))?;

    let report = judge(&host, new, &since)?;
    go(&host, releases, &report, Some("Fix first"), &mut walked)?;
    ready_then_go(&host, releases, new, &since, &mut walked)?;
    Ok(walked)
}

/// Moves every member to a version, one by one, as somebody does who reads no plan.
fn roll(host: &mut Host, to: &Binaries) -> Result<()> {
    for name in NAMES {
        host.stop(name)?;
        host.install(name, to)?;
        host.start(name, "existing", &[])?;
        host.wait_healthy(&NAMES.map(str::to_owned))?;
    }
    Ok(())
}
