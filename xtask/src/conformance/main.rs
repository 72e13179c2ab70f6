//! The planner's advice executed on real etcd: builds etcd, runs the scenarios, prints one table of scenario and
//! version and writes it to `docs/conformance.md`. `cargo xtask conformance` runs it.
#![forbid(unsafe_code)]

mod api;
mod binaries;
mod host;
mod planner;
mod ports;
mod scenarios;
mod shell;
mod table;
mod walk;
mod ways;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};

use binaries::Releases;
use scenarios::Scenario;
use table::Table;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs what was asked for. False when advice and etcd differ anywhere.
fn run(arguments: &[String]) -> Result<bool> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let wanted = match arguments.as_slice() {
        [] => None,
        ["--scenario", name] => Some(*name),
        other => bail!("`{}` is not understood: cargo xtask conformance [--scenario X]", other.join(" ")),
    };
    let chosen = scenarios::chosen(wanted)?;
    let start = Instant::now();
    let releases = Releases::at_hand(root())?;
    eprintln!("etcd is at hand ({:.0} s)", start.elapsed().as_secs_f64());
    let table = run_all(&chosen, &releases)?;
    eprintln!("all of it took {:.0} s", start.elapsed().as_secs_f64());
    println!("{}", table.text());
    for failure in table.failures() {
        println!("FAILED {failure}\n");
    }
    if wanted.is_none() && table.passed() {
        table.write(&root().join("docs/conformance.md"), &releases)?;
    }
    Ok(table.passed())
}

/// Runs the scenarios one after the other; those that mostly wait run beside the others.
fn run_all(chosen: &[Scenario], releases: &Releases) -> Result<Table> {
    let lane = |waits: bool| -> Result<Table> {
        let mut table = Table::default();
        for scenario in chosen.iter().filter(|s| s.waits == waits) {
            let start = Instant::now();
            (scenario.run)(releases, &mut table)?;
            table.took(scenario.name, start.elapsed());
            eprintln!("{} took {:.0} s", scenario.name, start.elapsed().as_secs_f64());
        }
        Ok(table)
    };
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| lane(true));
        let mut table = lane(false)?;
        match waiting.join() {
            Ok(other) => table.take(other?),
            Err(_) => bail!("a scenario panicked"),
        }
        Ok(table)
    })
}

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}
