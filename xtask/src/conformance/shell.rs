//! Running programs to their end.

use std::io::{Read, Seek};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// How long a program may take that is run without a limit of its own.
const LIMIT: Duration = Duration::from_secs(60);

/// What a program printed and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ended {
    /// All it printed.
    pub fn text(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// Runs a program to its end, whatever that is. One that does not end within a minute is ended, and is an error.
pub fn ended(command: &mut Command) -> Result<Ended> {
    within(command, LIMIT)
}

/// The same with a limit of its own. What it prints goes by way of files: a pipe stays open as long as anything that
/// the program started in the background holds it.
pub fn within(command: &mut Command, limit: Duration) -> Result<Ended> {
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(std::process::Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let mut child = command.spawn().with_context(|| format!("`{command:?}` could not be started"))?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        sleep(Duration::from_millis(10));
    };
    let read = |file: &mut std::fs::File| -> Result<String> {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let (stdout, stderr) = (read(&mut stdout)?, read(&mut stderr)?);
    let Some(status) = status else {
        let tail: Vec<&str> = stderr.lines().rev().take(3).collect();
        bail!("`{command:?}` did not end within {} s: {}", limit.as_secs(), tail.join(" · "));
    };
    Ok(Ended { code: status.code(), stdout, stderr })
}

/// Runs a program and gives what it printed on standard output. Fails when it does.
pub fn output(command: &mut Command) -> Result<String> {
    let ended = ended(command)?;
    if ended.code != Some(0) {
        bail!("`{command:?}` ended with {:?}: {}", ended.code, ended.text().trim());
    }
    Ok(ended.stdout)
}

/// Runs a program for what it does. Fails when it does.
pub fn run(command: &mut Command) -> Result<()> {
    output(command).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_it_ended_is_kept() {
        let ended = ended(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"])).unwrap();
        assert_eq!(ended, Ended { code: Some(3), stdout: "out\n".to_owned(), stderr: "err\n".to_owned() });
    }

    #[test]
    fn what_does_not_end_is_ended() {
        let error = within(Command::new("sleep").arg("30"), Duration::from_millis(50)).unwrap_err();
        assert!(error.to_string().contains("did not end"), "{error}");
    }

    #[test]
    fn a_program_in_the_background_is_not_waited_for() {
        let ended = ended(Command::new("sh").args(["-c", "sleep 2 & echo started"])).unwrap();
        assert_eq!(ended.stdout, "started\n");
    }

    #[test]
    fn a_failure_shows_what_was_printed() {
        let error = output(Command::new("sh").args(["-c", "echo no such thing >&2; exit 1"])).unwrap_err();
        assert!(error.to_string().contains("no such thing"), "{error}");
    }
}
