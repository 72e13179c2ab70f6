//! Running programs: what runs is shown, and a failure names the command.

use std::io::ErrorKind;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Runs a command to its end, its output going where xtask's goes. Fails when it does.
pub fn run(command: &mut Command) -> Result<()> {
    eprintln!("> {}", line(command));
    let status = command.status().map_err(|error| not_started(command, error))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Runs a command and returns what it prints on standard output. Fails when it does.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| not_started(command, error))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", line(command), output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{}` printed no UTF-8", line(command)))
}

/// The command as a person would type it.
pub fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn not_started(command: &Command, error: std::io::Error) -> anyhow::Error {
    let program = command.get_program().to_string_lossy();
    if error.kind() != ErrorKind::NotFound {
        return anyhow::Error::new(error).context(format!("`{}` could not be started", line(command)));
    }
    let advice = match &*program {
        "node" | "npm" | "npx" => "install Node.js 20 or newer, https://nodejs.org",
        "cargo" | "rustc" | "rustup" => "install Rust by rustup, https://rustup.rs",
        _ => "install it",
    };
    anyhow::anyhow!("`{program}` is missing: {advice}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_what_the_command_prints() {
        assert_eq!(output(Command::new("printf").arg("a b")).unwrap(), "a b");
    }

    #[test]
    fn a_failure_names_the_command() {
        let error = run(Command::new("sh").args(["-c", "exit 7"])).unwrap_err().to_string();
        assert!(error.starts_with("`sh -c exit 7` failed") && error.contains('7'), "{error}");
    }

    #[test]
    fn a_missing_program_is_named_with_what_to_do() {
        let error = run(&mut Command::new("no-such-program")).unwrap_err().to_string();
        assert_eq!(error, "`no-such-program` is missing: install it");
    }
}
