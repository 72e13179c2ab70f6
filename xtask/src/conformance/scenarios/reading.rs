//! Reading: the collect script is run on clusters in every state an operator meets, the planner reads what it printed,
//! and members, versions, roles and alarms are compared with what the API says.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use etcd_upgrade_planner::etcd::hops;
use etcd_upgrade_planner::export::report::{MemberOut, Report};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::upgrade::{ANSWERS, go};
use super::{Case, on_every_version};
use crate::api::{self, ApiMember};
use crate::binaries::{Binaries, Releases};
use crate::host::Host;
use crate::planner;
use crate::table::Table;
use crate::walk::Walked;

const SCENARIO: &str = "reading";

/// Runs it on every version, side by side.
pub fn run(releases: &Releases, table: &mut Table) -> Result<()> {
    on_every_version(SCENARIO, releases, table, |etcd| of_version(releases, etcd));
    Ok(())
}

/// One cluster, led through the states.
struct Subject<'a> {
    host: Host,
    etcd: &'a Binaries,
    /// The target asked for: the next minor at hand, or this one.
    to: String,
    cases: Vec<Case>,
}

fn of_version(releases: &Releases, etcd: &Binaries) -> Result<Vec<Case>> {
    let at = releases.all.iter().position(|b| b.version == etcd.version).context("a version at hand")?;
    let (before, next) = (at.checked_sub(1).and_then(|b| releases.all.get(b)), releases.all.get(at + 1));
    let mut host = Host::new(releases, etcd)?;
    host.start_three(etcd)?;
    let to = next.map_or(&etcd.version, |b| &b.version).to_string();
    let mut subject = Subject { host, etcd, to, cases: Vec::new() };
    subject.look("healthy")?;
    subject.ready(releases, next)?;
    subject.learner()?;
    subject.no_space()?;
    if let Some(next) = next {
        subject.mixed(next)?;
    }
    if let Some(before) = before.filter(|b| hops::from(b.version.minor()).is_some_and(|r| r.formal_downgrade)) {
        subject.downgrade(before)?;
    }
    subject.down()?;
    Ok(subject.cases)
}

impl Subject<'_> {
    /// Feeds the planner and compares. `down` are members that do not answer.
    fn look(&mut self, case: &'static str) -> Result<Report> {
        let report = self.report(&[])?;
        // A member that answers is asked; without a quorum it still lists the members.
        let asked = self.host.members.iter().find(|m| self.host.ids(&m.name).is_ok_and(|ids| !ids.is_empty()));
        let endpoint = &asked.context("no member runs")?.client;
        let truth = api::members(&self.host, endpoint)?;
        let alarms = api::alarms(&self.host, endpoint).unwrap_or_default();
        let differs = compare(&report, &truth, &alarms);
        let up = truth.values().filter(|m| m.version.is_some()).count();
        let mut says = format!("{up} of {} members answer", truth.len());
        if !alarms.is_empty() {
            says.push_str(&format!(", {} alarms", alarms.len()));
        }
        self.cases.push((case, says, differs));
        Ok(report)
    }

    fn report(&self, more: &[&str]) -> Result<Report> {
        let answers: Vec<&str> = ANSWERS.into_iter().chain(more.iter().copied()).collect();
        planner::judge(&self.host, &planner::collect(&self.host)?, &self.to, &answers)
    }

    fn differs(&mut self, what: String) {
        if let Some((_, _, differs)) = self.cases.last_mut() {
            differs.push(what);
        }
    }

    /// One paste of the collect script and the answers about the backup lead to ready. Where the hop needs a disk
    /// snapshot, each member takes one first, as the planner says.
    fn ready(&mut self, releases: &Releases, next: Option<&Binaries>) -> Result<()> {
        let minor = self.etcd.version.minor();
        let (Some(_), Some(rules)) = (next, hops::from(minor)) else { return Ok(()) };
        let since = format!("minor-since={}", OffsetDateTime::now_utc().format(&Rfc3339)?);
        let more: Vec<&str> = if rules.needs_disk_snapshot { vec![&since] } else { Vec::new() };
        let mut walked = Walked::default();
        let mut report = self.report(&more)?;
        if rules.needs_disk_snapshot {
            if report.verdict.starts_with("ready") {
                walked.differs.push("ready without a disk snapshot".to_owned());
            }
            go(&self.host, releases, &report, Some("Fix first"), &mut walked)?;
            report = self.report(&more)?;
        }
        let says = format!("{}, {} things asked, {} answered", report.verdict, report.asks.len(), report.answers.len());
        if !report.verdict.starts_with("ready") {
            walked.differs.push(planner::open(&report).join(" · "));
        }
        self.cases.push(("one paste and the answers", says, walked.differs));
        Ok(())
    }

    /// A fourth member that learns.
    fn learner(&mut self) -> Result<()> {
        let voters = self.host.endpoints();
        let learner = self.host.add("m4")?;
        let add = format!("etcdctl --endpoints={voters} member add m4 --learner --peer-urls={}", learner.peer);
        self.host.ok_in_time(&add)?;
        self.host.install("m4", self.etcd)?;
        self.host.start("m4", "existing", &[])?;
        self.host.listens("m4")?;
        self.look("learner")?;
        let first = self.host.members[0].client.clone();
        let id = api::members(&self.host, &first)?.get("m4").map(|m| m.id.clone()).context("m4 is listed")?;
        self.host.ok_in_time(&format!("etcdctl --endpoints={first} member remove {id}"))?;
        self.host.stop("m4")?;
        self.host.members.retain(|m| m.name != "m4");
        Ok(())
    }

    fn no_space(&mut self) -> Result<()> {
        let first = self.host.members[0].client.clone();
        let id = api::members(&self.host, &first)?.get("m2").map(|m| m.id.clone()).context("m2 is listed")?;
        let id = u64::from_str_radix(&id, 16)?;
        for (action, look) in [("ACTIVATE", true), ("DEACTIVATE", false)] {
            let body = format!("{{\"action\":\"{action}\",\"memberID\":\"{id}\",\"alarm\":\"NOSPACE\"}}");
            api::call(&self.host, &first, "/v3/maintenance/alarm", &body)?;
            if look {
                let report = self.look("NOSPACE")?;
                if !planner::findings(&report, "alarm-raised").any(|f| f.outcome == "blocked") {
                    self.differs("the alarm blocks nothing".to_owned());
                }
            }
        }
        Ok(())
    }

    /// One member on the next minor, and back.
    fn mixed(&mut self, next: &Binaries) -> Result<()> {
        let back = self.etcd.clone();
        for (etcd, look) in [(next, true), (&back, false)] {
            self.host.stop("m3")?;
            self.host.install("m3", etcd)?;
            self.host.start("m3", "existing", &[])?;
            if !self.host.serves("m3")? {
                // What the planner plans a disk snapshot for; it is held in the outages.
                let log = std::fs::read_to_string(self.host.path().join("m3/log")).unwrap_or_default();
                let last: Vec<&str> = log.lines().rev().filter(|l| !l.contains("\"info\"")).take(3).collect();
                self.differs(format!("m3 does not serve on {}: {}", etcd.version, last.join(" · ")));
            }
            if look {
                self.look("mixed versions")?;
            }
        }
        Ok(())
    }

    /// A downgrade that was enabled and is not done.
    fn downgrade(&mut self, before: &Binaries) -> Result<()> {
        let first = self.host.members[0].client.clone();
        let to = before.version.minor();
        self.host.ok(&format!("etcdctl --endpoints={first} downgrade enable {to}"))?;
        let report = self.look("downgrade under way")?;
        if !planner::findings(&report, "downgrade-enabled").any(|f| f.outcome == "blocked") {
            self.differs("the planner does not see the downgrade".to_owned());
        }
        self.host.ok(&format!("etcdctl --endpoints={first} downgrade cancel"))?;
        Ok(())
    }

    /// One member down, then two.
    fn down(&mut self) -> Result<()> {
        self.host.stop("m3")?;
        let report = self.look("one down")?;
        if report.members.iter().any(|m| m.name.as_deref() == Some("m3") && m.answers != Some(false)) {
            self.differs("m3 is not read as down".to_owned());
        }
        if !planner::findings(&report, "member-unreachable").any(|f| f.outcome == "blocked" || f.outcome == "warning") {
            self.differs("nobody misses m3".to_owned());
        }
        self.host.stop("m2")?;
        // The leader steps down when it hears no quorum, within an election's time.
        std::thread::sleep(std::time::Duration::from_secs(3));
        let report = self.look("no quorum")?;
        if report.verdict.starts_with("ready") {
            self.differs("ready without a quorum".to_owned());
        }
        Ok(())
    }
}

/// How the report and the API differ.
fn compare(report: &Report, truth: &BTreeMap<String, ApiMember>, alarms: &[(String, String)]) -> Vec<String> {
    let mut differs = Vec::new();
    if report.members.len() != truth.len() {
        let read: Vec<&str> = report.members.iter().map(|m| m.label.as_str()).collect();
        differs.push(format!(
            "{} members are read ({}), there are {}",
            report.members.len(),
            read.join(", "),
            truth.len()
        ));
    }
    for (name, is) in truth {
        let here =
            |m: &&MemberOut| m.name.as_deref() == Some(name.as_str()) || m.endpoint.as_deref() == Some(&is.client);
        let Some(read) = report.members.iter().find(here) else {
            differs.push(format!("{name} is not read"));
            continue;
        };
        let mut field = |what: &str, read: Option<&str>, is: Option<&str>| {
            if read != is {
                differs.push(format!("{name}: {what} read {read:?}, is {is:?}"));
            }
        };
        if read.name.is_some() || is.version.is_some() {
            field("name", read.name.as_deref(), Some(name));
        }
        if read.id.is_some() || is.version.is_some() {
            field("id", read.id.as_deref(), Some(&is.id));
        }
        match &is.version {
            Some(version) => {
                field("version", read.version.as_deref(), Some(version));
                field("role", read.role.as_deref(), is.role.as_deref());
                // Also a learner, a member with an alarm and one without a quorum, which `endpoint health` calls unhealthy.
                if read.answers == Some(false) {
                    field("answers", Some("no"), Some("yes"));
                }
            }
            // Without a quorum 3.4 does not list the members, so nobody asks the others: not known is right too.
            None if read.answers == Some(true) => field("answers", Some("yes"), Some("no")),
            None => {}
        }
        let raised: Vec<&str> = alarms.iter().filter(|(id, _)| *id == is.id).map(|(_, alarm)| alarm.as_str()).collect();
        if read.alarms != raised {
            differs.push(format!("{name}: alarms read {:?}, are {raised:?}", read.alarms));
        }
    }
    differs
}
