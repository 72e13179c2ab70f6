//! The command line.

use std::process::ExitCode;

/// Runs it.
pub fn run() -> ExitCode {
    ExitCode::SUCCESS
}
