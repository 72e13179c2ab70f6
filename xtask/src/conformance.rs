//! `cargo xtask conformance`: the planner's advice held against real etcd.
//!
//! It is a program of its own behind a feature, since it takes the planner's library for what is true of etcd: built
//! into `xtask` itself it would make every other command wait for that.

use anyhow::Result;

use crate::process::run as run_command;
use crate::workspace::{BIN, cargo};

/// Builds the planner and the program, and runs it with the arguments given.
pub fn run(arguments: &[&str]) -> Result<()> {
    run_command(cargo()?.args(["build", "--locked", "--bin", BIN]))?;
    let mut program = cargo()?;
    program.args(["run", "--quiet", "--locked", "--package", "xtask", "--features", "conformance"]);
    program.args(["--bin", "conformance", "--"]).args(arguments);
    run_command(&mut program)
}
