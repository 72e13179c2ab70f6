//! `cargo xtask test`: everything there is to test, in the order that fails soonest.

use std::time::Instant;

use anyhow::Result;

use crate::process::run as run_command;
use crate::workspace::cargo;
use crate::{browser_tests, budget, dist, tools};

/// One part of the run, by the name under which its time is shown.
type Part = (&'static str, fn() -> Result<()>);

const PARTS: [Part; 8] = [
    ("npm packages and browsers", requirements),
    ("native tests", native),
    ("tests in the browser", browser_tests::run_wasm),
    ("release build", dist::run),
    ("budgets", budget::run),
    ("Playwright", browser_tests::run_playwright),
    ("Firefox", browser_tests::run_firefox),
    ("Lighthouse", browser_tests::run_lighthouse),
];

/// Stops at the first failure.
pub fn run() -> Result<()> {
    let mut times = Vec::new();
    for (name, part) in PARTS {
        let start = Instant::now();
        part()?;
        times.push((name, start.elapsed()));
    }
    eprintln!("\nall tests passed");
    for (name, time) in times {
        eprintln!("  {name:<26} {:>6.1} s", time.as_secs_f64());
    }
    Ok(())
}

fn requirements() -> Result<()> {
    tools::npm_packages()?;
    tools::chromium()?;
    tools::firefox()
}

fn native() -> Result<()> {
    run_command(cargo()?.args(["test", "--workspace", "--locked", "--features", "xtask/conformance"]))
}
