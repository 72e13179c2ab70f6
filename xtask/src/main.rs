//! The front door for people: builds, serves, tests and packs the planner, and brings the tools this takes.
//!
//! Each command is one file. The tools land in `target/tools` and `node_modules`, never outside the clone; browsers
//! are the one exception, they come from the system's package manager.
#![forbid(unsafe_code)]

mod base85;
mod browser_tests;
mod budget;
mod conformance;
mod csp;
mod dist;
mod html;
mod integrity;
mod lint;
mod new_gate;
mod post_build;
mod process;
mod serve;
mod single_file;
mod split;
mod test;
mod tools;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
cargo xtask COMMAND

  serve        the page on http://127.0.0.1:8080, built again at every change
  test         everything: native tests, tests in the browser, release build, budgets, Playwright
  dist         the release build in dist/, with the single file dist/etcd-upgrade-planner.html
  lint         formatting and clippy, native and wasm
  conformance  the planner's advice on real etcd clusters, and docs/conformance.md; `--scenario X` runs one
  budget       sizes of dist/ against their limits
  second-part  what the second part of the page takes off the first load; `second-part PATH` looks below a path
  new-gate ID  the skeleton of a gate: its file, its lines in the registry, three cases
  post-build   what Trunk calls after each build: Content-Security-Policy, integrity, second part, single file

Tools that are missing are built into target/tools or installed into node_modules.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["serve"] => serve::run(),
        ["test"] => test::run(),
        ["dist"] => dist::run(),
        ["lint"] => lint::run(),
        ["budget"] => budget::run(),
        ["second-part"] => split::weigh(""),
        ["second-part", path] => split::weigh(path),
        ["conformance", rest @ ..] => conformance::run(rest),
        ["post-build"] => post_build::run(),
        ["new-gate", id] => new_gate::run(workspace::root(), id),
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        other => bail!("`{}` is no command\n\n{USAGE}", other.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_command_is_refused_with_the_list() {
        let error = run(&["tset".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("`tset` is no command"), "{error}");
        assert!(error.contains("cargo xtask COMMAND"), "{error}");
    }

    #[test]
    fn a_command_takes_no_further_arguments() {
        assert!(run(&["budget".to_owned(), "--quiet".to_owned()]).is_err());
    }
}
