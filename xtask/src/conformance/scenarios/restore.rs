//! The restore as written, with the revision bump: what was written before the backup snapshot is there, a new revision
//! lies above every one that was served, an old watcher is told that its revision is gone, and files that the gates
//! refuse are refused by etcd.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use etcd_upgrade_planner::etcd::features;
use serde_json::Value;

use crate::binaries::{Binaries, Releases};
use crate::host::Host;
use crate::table::Table;
use crate::walk::Walked;
use crate::ways::{KEY, VALUE};
use crate::{api, planner};

const SCENARIO: &str = "restore as written";
/// What the backup snapshot is called.
const FILE: &str = "backup.db";
const LIMIT: Duration = Duration::from_secs(60);

/// Runs every version whose restore can bump.
pub fn run(releases: &Releases, table: &mut Table) -> Result<()> {
    for etcd in &releases.all {
        if !features::RESTORE_BUMP_REVISION.in_version(&etcd.version) {
            continue;
        }
        let result = restore(releases, etcd).map(|walked| (walked.says(), walked.differs));
        table.came_to(SCENARIO, "steps done, revisions above, files refused", &etcd.version.to_string(), result);
    }
    Ok(())
}

fn restore(releases: &Releases, etcd: &Binaries) -> Result<Walked> {
    let mut walked = Walked::default();
    let mut host = Host::new(releases, etcd)?;
    host.be_root()?;
    host.start_three(etcd)?;
    let (all, first) = (host.endpoints(), host.members.first().context("no members")?.client.clone());
    host.ok(&format!("etcdctl --endpoints={all} put {KEY} {VALUE}"))?;
    host.ok(&format!("etcdctl --endpoints={first} snapshot save {FILE}"))?;
    for n in 0..30 {
        host.ok(&format!("etcdctl --endpoints={all} put conformance/after {n}"))?;
    }
    let served = revision(&host, &first)?;
    refused(&host, etcd, &mut walked)?;

    let status = host.ok(&format!("etcdutl snapshot status {FILE} -w json"))?;
    let paste = format!("{}\n$ etcdutl snapshot status {FILE} -w json\n{status}\n", planner::collect(&host)?);
    let answers = ["run-by=plain-process", "writes-per-second=1500", "snapshot-age=1h", "watch-caches=yes"];
    let report = planner::judge_for(&host, &["restore"], &paste, &answers)?;
    if !report.verdict.starts_with("ready") {
        walked.differs.push(format!("the verdict is {}: {}", report.verdict, planner::open(&report).join(" · ")));
        return Ok(walked);
    }
    for (_, _, step) in planner::steps(&report) {
        if !walked.step(&host, step, String::new)? {
            return Ok(walked);
        }
    }
    if !host.ok(&format!("etcdctl --endpoints={all} get {KEY}"))?.contains(VALUE) {
        walked.differs.push("what was written before the backup snapshot is gone".to_owned());
    }
    host.ok(&format!("etcdctl --endpoints={all} put conformance/new x"))?;
    for member in &host.members {
        let now = revision(&host, &member.client)?;
        if now <= served {
            walked.differs.push(format!("{} is at revision {now}, clients have seen {served}", member.name));
        }
    }
    let watch = format!("timeout 5 etcdctl --endpoints={first} watch {KEY} --rev={served}");
    let said = host.sh(&watch, LIMIT)?.text();
    if !said.contains("compacted") {
        walked.differs.push(format!("an old watcher is not told that its revision is compacted: {said}"));
    }
    Ok(walked)
}

/// The revision a member is at.
fn revision(host: &Host, client: &str) -> Result<u64> {
    let said: Value = api::call(host, client, "/v3/maintenance/status", "{}")?;
    Ok(api::number(&said["header"]["revision"]))
}

/// The wrong files of the gates: a copied database, a cut file, a padded one; and a restore over data that are there.
fn refused(host: &Host, etcd: &Binaries, walked: &mut Walked) -> Result<()> {
    let home = host.home();
    let whole = fs::read(home.join(FILE))?;
    fs::write(home.join("cut.db"), whole.get(..whole.len() - 4096).unwrap_or_default())?;
    let mut padded = whole.clone();
    padded.extend([0; 512]);
    fs::write(home.join("padded.db"), padded)?;
    fs::copy(host.member("m1")?.data().join("member/snap/db"), home.join("copied.db"))?;
    fs::create_dir_all(home.join("full/member"))?;
    let restore = |file: &str, dir: &str| host.sh(&format!("etcdutl snapshot restore {file} --data-dir {dir}"), LIMIT);
    for (file, dir) in [("cut.db", "r1"), ("padded.db", "r2"), ("copied.db", "r3"), (FILE, "full")] {
        let ended = restore(file, dir)?;
        walked.ways += 1;
        if ended.code == Some(0) {
            walked.differs.push(format!("{} restores {file} into {dir}", etcd.version));
        }
        // What the planner says of the file, from what `snapshot status` prints.
        let _ = fs::remove_dir_all(home.join(dir));
    }
    Ok(())
}
