//! Changes of members as written, one after the other on one cluster: a member is added as a learner and promoted, the
//! leader is removed, members that died and that live are replaced, the cluster grows to five. The commands of each generated checklist are executed one by one; after each step the members are
//! counted and held against what the report says there are then.

use anyhow::{Context, Result, bail};
use etcd_upgrade_planner::export::report::Report;

use super::on_every_version;
use super::upgrade::ANSWERS;
use crate::binaries::{Binaries, Releases};
use crate::host::Host;
use crate::table::Table;
use crate::walk::Walked;
use crate::ways::{KEY, VALUE};
use crate::{api, planner};

const SCENARIO: &str = "members as written";

/// Runs it on every version, side by side.
pub fn run(releases: &Releases, table: &mut Table) -> Result<()> {
    on_every_version(SCENARIO, releases, table, |etcd| {
        let changes = of_version(releases, etcd)?.into_iter();
        let case = |(case, walked): (&'static str, Walked)| {
            (case, format!("{} steps, {} commands", walked.steps, walked.commands), walked.differs)
        };
        Ok(changes.map(case).collect())
    });
    Ok(())
}

fn of_version(releases: &Releases, etcd: &Binaries) -> Result<Vec<(&'static str, Walked)>> {
    let mut host = Host::new(releases, etcd)?;
    host.start_three(etcd)?;
    host.ok(&format!("etcdctl --endpoints={} put {KEY} {VALUE}", host.endpoints()))?;
    let mut rows = Vec::new();

    let new = newcomer(&mut host, etcd, "m4")?;
    rows.push(("a learner is added and promoted", change(&host, "add-voter", Some(&new), &["m1", "m2", "m3", "m4"])?));

    let leader = leader(&host)?;
    let left: Vec<&str> = ["m1", "m2", "m3", "m4"].into_iter().filter(|name| *name != leader).collect();
    rows.push(("the leader is removed", change(&host, &format!("remove={leader}"), None, &left)?));

    let dead = left.first().context("a member")?;
    host.stop(dead)?;
    let new = newcomer(&mut host, etcd, "m5")?;
    let left: Vec<&str> = left.iter().copied().filter(|name| name != dead).chain(["m5"]).collect();
    rows.push(("a dead member is replaced", change(&host, &format!("replace={dead}"), Some(&new), &left)?));

    let live = follower(&host)?;
    let new = newcomer(&mut host, etcd, "m6")?;
    let left: Vec<&str> = left.into_iter().filter(|name| *name != live).chain(["m6"]).collect();
    rows.push(("a live member is replaced", change(&host, &format!("replace={live}"), Some(&new), &left)?));

    let [one, two] = [newcomer(&mut host, etcd, "m7")?, newcomer(&mut host, etcd, "m8")?];
    let both = [format!("{},m8", one[0]), format!("{},{}", one[1], two[1].trim_start_matches("new-peer-url="))];
    let left: Vec<&str> = left.into_iter().chain(["m7", "m8"]).collect();
    rows.push(("three voters grow to five", change(&host, "grow=5", Some(&both), &left)?));

    let dead = follower(&host)?;
    host.stop(&dead)?;
    let new = newcomer(&mut host, etcd, "m9")?;
    let left: Vec<&str> = left.into_iter().filter(|name| *name != dead).chain(["m9"]).collect();
    rows.push(("a dead one of five is replaced", change(&host, &format!("replace={dead}"), Some(&new), &left)?));
    Ok(rows)
}

/// A member that is to come in: its folder with the program, and the answers that name it.
fn newcomer(host: &mut Host, etcd: &Binaries, name: &str) -> Result<[String; 2]> {
    let member = host.add(name)?;
    host.install(name, etcd)?;
    Ok([format!("new-name={name}"), format!("new-peer-url={}", member.peer)])
}

/// The name of the member that leads.
fn leader(host: &Host) -> Result<String> {
    let leads = members(host)?.into_iter().find(|(_, member)| member.role.as_deref() == Some("leader"));
    leads.map(|(name, _)| name).context("nobody leads")
}

/// The name of one that votes and does not lead.
fn follower(host: &Host) -> Result<String> {
    let follows = members(host)?.into_iter().find(|(_, member)| member.role.as_deref() == Some("follower"));
    follows.map(|(name, _)| name).context("nobody follows")
}

/// The members, as one that runs lists them.
fn members(host: &Host) -> Result<std::collections::BTreeMap<String, api::ApiMember>> {
    for member in &host.members {
        if !host.ids(&member.name)?.is_empty()
            && let Ok(members) = api::members(host, &member.client)
        {
            return Ok(members);
        }
    }
    bail!("no member answers")
}

/// Plans a change, does every step of it, and looks whether those who should be there are.
fn change(host: &Host, change: &str, new: Option<&[String; 2]>, end: &[&str]) -> Result<Walked> {
    let wanted = format!("change={change}");
    let more = new.into_iter().flatten().map(String::as_str);
    let answers: Vec<&str> = ANSWERS.into_iter().chain([wanted.as_str()]).chain(more).collect();
    let report = planner::change_of_members(host, &planner::collect(host)?, &answers)?;
    let mut walked = Walked::default();
    if !report.verdict.starts_with("ready") {
        walked.differs.push(format!("the verdict is {}: {}", report.verdict, planner::open(&report).join(" · ")));
        return Ok(walked);
    }
    go(host, &report, &mut walked)?;
    if !walked.differs.is_empty() {
        return Ok(walked);
    }
    let there = members(host)?;
    let names: Vec<&str> = there.keys().map(String::as_str).collect();
    if names != end {
        walked.differs.push(format!("at the end there are {names:?}"));
    }
    let learners = there.iter().filter(|(_, m)| m.role.as_deref() == Some("learner"));
    walked.differs.extend(learners.map(|(name, _)| format!("{name} is a learner at the end")));
    let silent = there.iter().filter(|(_, m)| m.version.is_none());
    walked.differs.extend(silent.map(|(name, _)| format!("{name} does not answer at the end")));
    let last = host.member(end.last().context("a member")?)?;
    if !host.ok(&format!("etcdctl --endpoints={} get {KEY}", last.client))?.contains(VALUE) {
        walked.differs.push("what was written before is gone".to_owned());
    }
    Ok(walked)
}

/// Does every step, and counts the members after those that change who is one.
fn go(host: &Host, report: &Report, walked: &mut Walked) -> Result<()> {
    for (_, _, step) in planner::steps(report) {
        if !walked.step(host, step, String::new)? {
            return Ok(());
        }
        let Some(row) = report.quorum.iter().find(|row| row.step.as_deref() == Some(step.id.as_str())) else {
            continue;
        };
        let (said, there) = (row.voters + row.learners, members(host)?.len());
        if said != there {
            walked.differs.push(format!("{}: the report says {said} members, there are {there}", step.id));
        }
    }
    Ok(())
}
